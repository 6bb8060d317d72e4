"""skip-containers: which annotation holds (engine.md section 4). No merging: one of them wins as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kubectl_kubex.core.plan.base import Base
from kubectl_kubex.core.plan.facts import Controls, PlanFacts
from kubectl_kubex.core.snapshot import Snapshot
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME


@dataclass(frozen=True)
class Skip:
    """The containers that are skipped, and the kind of object that says so; `missing` or `open` where it is unknown."""

    containers: tuple[str, ...] = ()
    source: str = ""
    missing: str = ""
    open: str = ""


def names_in(written: str) -> tuple[str, ...]:
    """The names of a comma list, trimmed, each once."""
    return tuple(dict.fromkeys(name for part in written.split(",") if (name := part.strip())))


def skip_of(base: Base, snapshot: Snapshot, facts: PlanFacts) -> Skip:
    """The pod's own key, even an empty one, wins and stops; else the nearest supported owner with a value."""
    if base.controls is None:
        return Skip(missing="pod-annotations")
    if base.controls.skip is not None:
        return Skip(names_in(base.controls.skip), "Pod")
    if base.owners is None:
        return Skip(missing="owners")
    if facts.workload is None:
        return Skip(missing="workload-annotations")
    written = [(kind, controls.skip) for kind, controls in _owners(base, snapshot, facts.workload.controls)]
    for index, (kind, value) in enumerate(written):
        if value and names_in(value):
            blank = any(nearer for _, nearer in written[:index])
            return Skip(names_in(value), kind, open="blank-nearer-owner" if blank else "")
    return Skip()


def _owners(base: Base, snapshot: Snapshot, own: Controls) -> Iterator[tuple[str, Controls]]:
    for owner in base.owners or ():
        row = WORKLOAD_BY_NAME.get(owner.kind)
        if row is not None and row.policy_type:
            yield owner.kind, owner.controls
    yield snapshot.workload.kind, own
