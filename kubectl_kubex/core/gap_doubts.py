"""Gaps as doubts: the one mapping from what could not be read to what is said about it."""

from __future__ import annotations

from collections.abc import Iterable

from kubectl_kubex.core.doubts import Doubt, DoubtCode
from kubectl_kubex.core.kinds import CONFIGURATION_KIND, PRECEDENCE_KIND
from kubectl_kubex.core.model import Gap

_CODES = {
    PRECEDENCE_KIND.name: DoubtCode.PRECEDENCE_UNREADABLE,
    CONFIGURATION_KIND.name: DoubtCode.CONFIGURATION_UNREADABLE,
    "Pod": DoubtCode.PODS_UNREADABLE,
}


def gap_doubts(gaps: Iterable[Gap]) -> tuple[Doubt, ...]:
    """One doubt for each gap that may hide objects."""
    return tuple(gap_doubt(gap) for gap in dict.fromkeys(gaps) if gap.hides_objects)


def gap_doubt(gap: Gap) -> Doubt:
    """What there is to say about one gap. The doubt of a singleton or of pods needs no subject: its code names it."""
    code = _CODES.get(gap.kind)
    details = (("reason", gap.reason.value), ("detail", gap.detail), ("request", gap.request))
    return Doubt(code or DoubtCode.KIND_UNREADABLE, "" if code else gap.kind, (), details)
