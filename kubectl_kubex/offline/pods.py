"""The pods of a workload, and the owners between; or why they cannot be told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from kubectl_kubex.codec.capture import CapturedSubject
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import name_of, namespace_of, text
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.offline.identity import Identity
from kubectl_kubex.offline.ownership import Missing, chain, may_own
from kubectl_kubex.offline.store import Store

_POD = "Pod"


def identity_of(raw: RawObject) -> Identity:
    return Identity(text(raw.get("kind")) or "", namespace_of(raw), name_of(raw))


class PodIndex:
    """All pods of an input by the owners above them, found once for any number of workloads."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def pods_of(self, workload: RawObject) -> tuple[tuple[RawObject, ...] | None, tuple[Gap, ...]]:
        """The pods below `workload`, by name, and why some may be missing. None when nothing can be said: the input has
        no pods, or those that may be its own hang on an owner that it lacks."""
        identity = identity_of(workload)
        captured = self._captured(identity)
        if captured is not None:
            return self._named(captured), captured.gaps
        found = tuple(self._owned.get(identity, ()))
        gap = self._doubt(identity, found)
        unusable = self._store.unusable_gaps(_POD, identity.namespace)
        return (None, (gap, *unusable)) if gap else (found, unusable)

    def between(self, workload: RawObject, start: RawObject) -> tuple[RawObject, ...]:
        """The owners between `workload` and its pods, and between it and `start`."""
        top = identity_of(workload)
        links = {identity_of(link): link for raw in (start, *self._owned.get(top, ())) for link in self._hops(raw)}
        return tuple(links[identity] for identity in sorted(links) if identity != top and identity.kind != _POD)

    def _hops(self, raw: RawObject) -> Iterator[RawObject]:
        return (link for link in chain(raw, self._store) if not isinstance(link, Missing))

    def _captured(self, identity: Identity) -> CapturedSubject | None:
        """What a capture says about the workload's pods, unless the input has all pods anyway."""
        if _POD in self._store.coverage.kinds:
            return None
        subjects = (subject for capture in self._store.coverage.captures for subject in capture.subjects)
        wanted = (identity.kind, identity.namespace, identity.name)
        return next((found for found in subjects if (found.kind, found.namespace, found.name) == wanted), None)

    def _named(self, captured: CapturedSubject) -> tuple[RawObject, ...] | None:
        if captured.pods is None:
            return None
        found = (self._store.find(_POD, captured.namespace, name) for name in captured.pods)
        return tuple(pod for pod in found if pod is not None)

    def _doubt(self, identity: Identity, found: tuple[RawObject, ...]) -> Gap | None:
        for missing in self._missing.get(identity.namespace, ()):
            if may_own(identity.kind, identity.name, missing):
                detail = f"pods are owned by {missing.kind} {missing.name}, which is not in the input"
                return Gap(_POD, GapReason.NOT_IN_INPUT, detail)
        if found:
            return None
        if self._store.unreadable:
            return Gap(_POD, GapReason.UNREADABLE, f"they may be in {self._store.unreadable[0].name}")
        if not self._store.coverage.covers(_POD, identity.namespace):
            return Gap(_POD, GapReason.NOT_IN_INPUT, "no pods in the input")
        return None

    @cached_property
    def _chains(self) -> list[list[RawObject | Missing]]:
        return [list(chain(pod, self._store)) for pod in self._store.of_kind(_POD)]

    @cached_property
    def _owned(self) -> dict[Identity, list[RawObject]]:
        found: dict[Identity, list[RawObject]] = {}
        for pod, *owners in self._chains:
            for owner in owners:
                if not isinstance(owner, Missing) and not isinstance(pod, Missing):
                    found.setdefault(identity_of(owner), []).append(pod)
        return found

    @cached_property
    def _missing(self) -> dict[str, list[Missing]]:
        found: dict[str, list[Missing]] = {}
        for pod, *owners in self._chains:
            if owners and isinstance(owners[-1], Missing) and not isinstance(pod, Missing):
                found.setdefault(namespace_of(pod), []).append(owners[-1])
        return found
