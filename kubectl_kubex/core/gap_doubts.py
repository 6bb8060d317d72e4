"""Gaps as doubts, for the commands that list objects and select nothing."""

from __future__ import annotations

from collections.abc import Iterable

from kubectl_kubex.core.doubts import Doubt, DoubtCode
from kubectl_kubex.core.kinds import CONFIGURATION_KIND, PRECEDENCE_KIND
from kubectl_kubex.core.model import Gap

_CODES = {
    PRECEDENCE_KIND.name: DoubtCode.PRECEDENCE_UNREADABLE,
    CONFIGURATION_KIND.name: DoubtCode.CONFIGURATION_UNREADABLE,
}


def gap_doubts(gaps: Iterable[Gap]) -> tuple[Doubt, ...]:
    """One doubt for each gap that may hide objects."""
    return tuple(_doubt(gap) for gap in dict.fromkeys(gaps) if gap.hides_objects)


def _doubt(gap: Gap) -> Doubt:
    code = _CODES.get(gap.kind)
    details = (("reason", gap.reason.value), ("detail", gap.detail), ("request", gap.request))
    return Doubt(code or DoubtCode.KIND_UNREADABLE, "" if code else gap.kind, (), details)
