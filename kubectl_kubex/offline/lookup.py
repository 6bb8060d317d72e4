"""From what the user typed to the workload meant, climbing to the owner that carries recommendations."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from kubectl_kubex.codec.gathered import RawObject, WorkloadReference
from kubectl_kubex.codec.shapes import name_of, text
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME, WORKLOAD_KINDS, WorkloadKind
from kubectl_kubex.errors import AmbiguousName, InputError, KubexError, NoOwner, WorkloadNotFound
from kubectl_kubex.offline.identity import Identity
from kubectl_kubex.offline.ownership import Missing, chain, owner_of, owner_reference
from kubectl_kubex.offline.store import Store

_OWNER_KINDS = tuple(kind for kind in WORKLOAD_KINDS if kind.policy_type)


@dataclass(frozen=True)
class Found:
    """The workload, and the object that was named (the same, or a pod, ReplicaSet or Job below it)."""

    workload: RawObject
    start: RawObject


def look_up(reference: WorkloadReference, namespace: str, store: Store, where: str) -> Found:
    """The workload meant by `reference`. Raises the KubexError for one that cannot be had; `where` names the input."""
    kind = reference.kind or _kind_of(reference.name, namespace, store)
    if kind is None:
        raise _not_found("", reference, namespace, store, where)
    identity = Identity(kind.name, namespace, reference.name)
    start = store.objects.get(identity)
    if start is None and identity in store.unusable:
        raise InputError(f"{identity} cannot be used: {store.unusable[identity]}")
    if start is None:
        raise _not_found(kind.resource, reference, namespace, store, where)
    return Found(_climb(start, namespace, store, where), start)


def _climb(start: RawObject, namespace: str, store: Store, where: str) -> RawObject:
    """The owner above `start` that policies match; itself, when it is one."""
    *_, below, top = [start, *chain(start, store)]
    if isinstance(top, Missing):
        hint = f"the one that owns {_told(below)} is gone" if top.replaced else f"it owns {_told(below)}"
        raise WorkloadNotFound(WORKLOAD_BY_NAME[top.kind].resource, top.name, namespace, where=where, hint=hint)
    if not WORKLOAD_BY_NAME[text(top.get("kind")) or ""].policy_type:
        owner = owner_reference(top)
        instead = f"{owner.get('kind')} {owner.get('name')}" if owner else ""
        raise NoOwner(_told(top), [kind.singular for kind in _OWNER_KINDS], instead)
    return top


def _told(raw: RawObject | Missing) -> str:
    kind, name = (raw.kind, raw.name) if isinstance(raw, Missing) else (text(raw.get("kind")) or "", name_of(raw))
    return f"{kind.lower()}/{name}"


def _kind_of(name: str, namespace: str, store: Store) -> WorkloadKind | None:
    """The one kind of which a workload has this bare name. One that another of them owns does not count."""
    named = {kind: Identity(kind.name, namespace, name) for kind in _OWNER_KINDS}
    hits = {kind: store.objects.get(identity) for kind, identity in named.items() if store.has(identity)}
    kinds = [kind for kind, raw in hits.items() if raw is None or owner_of(raw, store) not in hits.values()]
    if len(kinds) > 1:
        raise AmbiguousName(name, [f"{kind.singular}/{name}" for kind in kinds])
    return kinds[0] if kinds else None


def _not_found(resource: str, reference: WorkloadReference, namespace: str, store: Store, where: str) -> KubexError:
    return WorkloadNotFound(resource, reference.name, namespace, where=where, hint=_hint(reference, namespace, store))


def _hint(reference: WorkloadReference, namespace: str, store: Store) -> str:
    """Where the name is, what is spelled like it, or what may be hidden; the most helpful one of them."""
    kinds = [reference.kind] if reference.kind else _OWNER_KINDS
    elsewhere = [
        identity.namespace
        for kind in kinds
        for identity in store.objects
        if identity.kind == kind.name and identity.name == reference.name
    ]
    if elsewhere:
        return f"it is in namespace {', '.join(sorted(set(elsewhere)))}: say so with -n"
    similar = _similar(reference.name, namespace, store)
    if similar:
        return f"did you mean {' or '.join(similar)}?"
    if store.unreadable:
        return f"it may be in {store.unreadable[0].name}, which could not be read: {store.unreadable[0].reason}"
    return ""


def _similar(name: str, namespace: str, store: Store) -> list[str]:
    """Up to three TYPE/NAME of the namespace that are spelled like `name`, workloads before pods of one spelling."""
    here: dict[str, list[str]] = {}
    for kind in WORKLOAD_KINDS:
        for raw in store.of_kind(kind.name, namespace):
            here.setdefault(name_of(raw), []).append(f"{kind.singular}/{name_of(raw)}")
    near = difflib.get_close_matches(name, sorted(here), n=3)
    return [shown for found in near for shown in here[found]][:3]
