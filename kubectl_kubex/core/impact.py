"""Whose winners would another precedence change? The same engine as `why`, run twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kubectl_kubex.core.answer import Answer, TargetSelection
from kubectl_kubex.core.kinds import BY_NAME, LEGACY_PREFIXES
from kubectl_kubex.core.model import Gap, PolicyRef, Target, Workload
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.recommendation import Recommendation
from kubectl_kubex.core.selection import select
from kubectl_kubex.core.snapshot import Snapshot


@dataclass(frozen=True)
class WinnerChange:
    """A target whose winner is another one afterwards. None: undetermined."""

    target: Target
    old: PolicyRef | None
    new: PolicyRef | None


@dataclass(frozen=True)
class WorkloadImpact:
    """A workload with at least one target whose winner changes."""

    workload: Workload
    changes: tuple[WinnerChange, ...]


@dataclass(frozen=True)
class Impact:
    """The workloads that a changed precedence concerns. `examined` of `total` workloads were looked at (`total` None:
    not even listed in the time given); `gaps`: what could not be read; `unconfirmed`: how many of `changed` were not
    held against their own containers, so that some of them may not change after all."""

    changed: tuple[WorkloadImpact, ...] = ()
    examined: int = 0
    total: int | None = None
    gaps: tuple[Gap, ...] = ()
    unconfirmed: int = 0

    @property
    def is_partial(self) -> bool:
        return self.total is None or self.examined < self.total or any(gap.hides_objects for gap in self.gaps)


def changed_types(old: Precedence, new: Precedence) -> frozenset[str]:
    """The types that rank otherwise, or less surely, under `new`."""
    names = {*BY_NAME, *old.by_type, *new.by_type}
    return frozenset(name for name in names if old.priority(name) != new.priority(name))


def may_change(recommendations: Sequence[Recommendation], changed: frozenset[str]) -> bool:
    """Whether a workload's winners can change at all: a quick no for most workloads of a large cluster. A key that may
    be of any type, or of one under its old name, can always."""
    if len(recommendations) < 2:
        return False
    return any(
        found.prefix_kind is None
        or found.prefix in LEGACY_PREFIXES
        or found.prefix_kind in changed
        or found.kind in changed
        for found in recommendations
    )


def impact_of(snapshot: Snapshot, precedence: Precedence) -> tuple[WinnerChange, ...]:
    """The targets of the snapshot's workload whose winner changes when `precedence` takes the place of its own."""
    before, after = select(snapshot), select(replace(snapshot, precedence=precedence))
    return _changes(before, after)


def _changes(before: Answer, after: Answer) -> tuple[WinnerChange, ...]:
    return tuple(
        WinnerChange(old.target, _winner(old), _winner(new))
        for old, new in zip(before.targets, after.targets, strict=True)
        if _identity(old) != _identity(new)
    )


def _winner(selection: TargetSelection) -> PolicyRef | None:
    return selection.winner.policy if selection.winner else None


def _identity(selection: TargetSelection) -> tuple[str, bool] | None:
    return (selection.winner.key, selection.winner.exact) if selection.winner else None
