"""Who owns whom, by controller references: from a pod up to the workload that carries recommendations, and back down.

A reference fits by kind and name, and by uid where both sides have one. Two things that dumps lack are made up for:
ReplicaSets, whose name is their Deployment's or Rollout's and the pod's template hash; and references of pods that a
controller would adopt, since their labels are what its selector asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import at, namespace_of, objects, strings, text
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.offline.store import Store

# What a hop's owner may be (engine.md section 6). All other kinds carry recommendations themselves.
_OWNERS: dict[str, tuple[str, ...]] = {
    "Pod": tuple(kind for kind in WORKLOAD_BY_NAME if kind != "Pod"),
    "ReplicaSet": ("Deployment", "Rollout"),
    "Job": ("CronJob", "AnalysisRun"),
}
_HASH_LABELS = {"Deployment": "pod-template-hash", "Rollout": "rollouts-pod-template-hash"}


@dataclass(frozen=True)
class Missing:
    """An owner that a reference names and the input lacks, or has with another uid."""

    kind: str
    name: str
    replaced: bool = False


def owner_reference(raw: RawObject) -> Mapping[str, Any] | None:
    """The reference to the controller of `raw`; without one, to the first owner of a known kind, else to the first."""
    references = objects(at(raw, "metadata", "ownerReferences"))
    controllers = [reference for reference in references if reference.get("controller") is True]
    known = [reference for reference in references if _known(reference)]
    return next(iter((*controllers, *known, *references)), None)


def _known(reference: Mapping[str, Any]) -> str | None:
    """The kind that a reference names, when it is a workload's or a hop's."""
    kind = text(reference.get("kind")) or ""
    group = (text(reference.get("apiVersion")) or "").rpartition("/")[0]
    return kind if kind in WORKLOAD_BY_NAME and WORKLOAD_BY_NAME[kind].group == group else None


def owner_of(raw: RawObject, store: Store) -> RawObject | Missing | None:
    """The owner of `raw`, one hop up; `Missing` when the input lacks it, None when there is none to climb to."""
    reference = owner_reference(raw)
    if reference is None:
        return _adopter(raw, store)
    kind, name = _known(reference), text(reference.get("name")) or ""
    if kind not in _OWNERS.get(text(raw.get("kind")) or "", ()):
        return None
    owner = store.find(kind, namespace_of(raw), name)
    if owner is not None:
        return owner if _same_uid(reference, owner) else Missing(kind, name, replaced=True)
    namesake = _namesake(raw, name, store) if kind == "ReplicaSet" else None
    return namesake or Missing(kind, name)


def chain(raw: RawObject, store: Store) -> Iterator[RawObject | Missing]:
    """`raw` and the owners above it, up to one that nothing owns; ends with `Missing` where one is not there."""
    current: RawObject | Missing | None = raw
    for _ in range(len(_OWNERS) + 1):  # no more kinds than hops: references in a circle end too
        if current is None:
            return
        yield current
        if isinstance(current, Missing):
            return
        current = owner_of(current, store)


def _same_uid(reference: Mapping[str, Any], owner: RawObject) -> bool:
    uids = text(reference.get("uid")), text(at(owner, "metadata", "uid"))
    return None in uids or uids[0] == uids[1]


def _namesake(pod: RawObject, replica_set: str, store: Store) -> RawObject | None:
    """The owner of a ReplicaSet that the input lacks, by its name and the pod's own template hash."""
    for kind, label in _HASH_LABELS.items():
        template_hash = strings(at(pod, "metadata", "labels")).get(label)
        name, dash, rest = replica_set.rpartition("-")
        if dash and rest == template_hash:
            owner = store.find(kind, namespace_of(pod), name)
            if owner is not None and _selects(owner, pod):
                return owner
    return None


def _adopter(pod: RawObject, store: Store) -> RawObject | None:
    """The one workload whose selector would make it adopt a pod that has no owner at all."""
    if pod.get("kind") != "Pod" or objects(at(pod, "metadata", "ownerReferences")):
        return None
    kinds = ("Deployment", "StatefulSet", "DaemonSet", "Rollout")
    found = [raw for kind in kinds for raw in store.of_kind(kind, namespace_of(pod)) if _selects(raw, pod)]
    return found[0] if len(found) == 1 else None


def _selects(owner: RawObject, pod: RawObject) -> bool:
    wanted, labels = strings(at(owner, "spec", "selector", "matchLabels")), strings(at(pod, "metadata", "labels"))
    if objects(at(owner, "spec", "selector", "matchExpressions")) or not wanted:
        return False
    return all(labels.get(key) == value for key, value in wanted.items())


def may_own(kind: str, name: str, missing: Missing) -> bool:
    """Whether a workload could own what is missing: controllers name their children `name-...`."""
    return kind in _OWNERS.get(missing.kind, ()) and missing.name.startswith(f"{name}-")
