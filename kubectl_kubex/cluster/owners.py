"""References between objects: who controls an object, and what a label selector asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kubex.codec.shapes import at, mapping, objects, strings, text
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME, WorkloadKind

HASH_LABELS = ("pod-template-hash", "rollouts-pod-template-hash")
_OPERATORS = {
    "In": "{key} in ({values})",
    "NotIn": "{key} notin ({values})",
    "Exists": "{key}",
    "DoesNotExist": "!{key}",
}

# What may stand above what (engine.md section 6). All other kinds carry recommendations themselves.
_HOPS: dict[str, frozenset[str]] = {
    "Pod": frozenset(WORKLOAD_BY_NAME) - {"Pod", "CronJob"},
    "ReplicaSet": frozenset({"Deployment", "Rollout"}),
    "Job": frozenset({"CronJob", "AnalysisRun"}),
}


class OwnerRef(NamedTuple):
    """One entry of ownerReferences. `row`: its kind, None for one that no policy and no hop knows."""

    api_version: str
    kind: str
    name: str
    uid: str

    @property
    def row(self) -> WorkloadKind | None:
        row = WORKLOAD_BY_NAME.get(self.kind)
        return row if row is not None and row.group == self.api_version.rpartition("/")[0] else None

    @property
    def version(self) -> str:
        return self.api_version.rpartition("/")[2]


def owner_of(raw: Mapping[str, Any]) -> OwnerRef | None:
    """The owner that controls the object; without one, the first owner of a kind we know; else the first."""
    references = objects(at(raw, "metadata", "ownerReferences"))
    owners = [_reference(reference) for reference in references]
    controllers = [
        owner for owner, reference in zip(owners, references, strict=True) if reference.get("controller") is True
    ]
    known = [owner for owner in owners if owner.row is not None]
    return next(iter((*controllers, *known, *owners)), None)


def hop(kind: WorkloadKind, raw: Mapping[str, Any]) -> tuple[OwnerRef, WorkloadKind] | None:
    """The owner to climb to from an object of `kind`, with its kind; None where the climb ends."""
    owner = owner_of(raw)
    row = owner.row if owner is not None else None
    return (owner, row) if owner and row and row.name in _HOPS.get(kind.name, ()) else None


def owner_uids(raw: Mapping[str, Any]) -> frozenset[str]:
    """The uids of all owners."""
    references = objects(at(raw, "metadata", "ownerReferences"))
    return frozenset(uid for reference in references if (uid := text(reference.get("uid"))))


def uid_of(raw: Mapping[str, Any]) -> str:
    return text(at(raw, "metadata", "uid")) or ""


def selector_text(selector: object, *, without: Sequence[str] = ()) -> str | None:
    """A LabelSelector as the API's query wants it, `without` some labels. None where there is none, or none that could
    be understood: then nothing is known about what it selects."""
    if not isinstance(selector, Mapping):
        return None
    parts = [
        f"{key}={value}" for key, value in sorted(strings(selector.get("matchLabels")).items()) if key not in without
    ]
    if len(strings(selector.get("matchLabels"))) != len(mapping(selector.get("matchLabels"))):
        return None
    for requirement in objects(selector.get("matchExpressions")):
        shape = _OPERATORS.get(str(requirement.get("operator")))
        if shape is None:
            return None
        if requirement.get("key") not in without:
            values = ",".join(str(value) for value in requirement.get("values") or ())
            parts.append(shape.format(key=requirement.get("key"), values=values))
    return ",".join(parts)


def _reference(reference: Mapping[str, Any]) -> OwnerRef:
    texts = (text(reference.get(key)) or "" for key in ("apiVersion", "kind", "name", "uid"))
    return OwnerRef(*texts)
