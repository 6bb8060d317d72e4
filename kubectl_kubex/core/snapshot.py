"""Snapshot: all that one question about one workload needs. The single argument of the core."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.core.model import Engine, Gap, GapReason, Pod, Policy, SourceInfo, Workload
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.recommendation import Hook, Recommendation


@dataclass(frozen=True)
class Snapshot:
    """What was read. `gaps`: what could not be. `pods` are the workload's own; None when they could not be read."""

    workload: Workload
    precedence: Precedence
    engine: Engine = Engine()
    policies: tuple[Policy, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()
    hooks: tuple[Hook, ...] = ()
    pods: tuple[Pod, ...] | None = ()
    gaps: tuple[Gap, ...] = ()
    source: SourceInfo = SourceInfo()

    def hides(self, kind: str) -> bool:
        """Whether objects of `kind` may exist that are not in the snapshot. An unreadable input may hold any kind."""
        return any(gap.hides_objects and (gap.kind == kind or gap.reason is GapReason.UNREADABLE) for gap in self.gaps)
