"""Agreement: what the engine wrote on the pods (`automation-constraints`) beside what we find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Plan, Result
from kubectl_kubex.core.plan.record import Record

_TIMED = frozenset({
    Code.SCHEDULING_WINDOW_BLOCKED.value, Code.PAUSE_ACTIVE.value, Code.MIN_READY_DURATION_NOT_MET.value,
    Code.OWNER_PODS_NOT_READY.value, Code.MAX_UNAVAILABLE_EXCEEDED.value, Code.TOO_MANY_REQUESTS.value,
    Code.POD_TERMINATING.value,
})  # fmt: skip
_QUIET = frozenset({Code.NO_RESIZE_NEEDED.value, Code.FLOOR_CLAMPED.value, Code.CEILING_CLAMPED.value})
"""Codes that constrain nothing: whether the engine notes them is not published, so neither side's counts."""
_KNOWN = frozenset(code.value for code in Code)


class Cause(str, Enum):
    """Why the two most likely differ."""

    UNREADABLE = "unreadable"  # the record has no form that is known
    VERSION = "version"  # the engine uses words that are not known
    EXPIRED = "expired"  # what passes by itself: it was so when it was written, or has come since
    UNCERTAIN = "uncertain"  # what differs is unknown to us
    STALE = "stale"  # written before something else changed


@dataclass(frozen=True)
class Agreement:
    """One record, and the pods that carry it. `ours` and `theirs`: reason codes, each once, in order."""

    pods: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    cause: Cause | None = None

    @property
    def agrees(self) -> bool:
        return self.cause is None


def agreements(plans: Iterable[Plan], records: Mapping[str, Record]) -> tuple[Agreement, ...]:
    """One for each group of pods with a plan of their own and one record. Pods without a record have none."""
    found: dict[object, Agreement] = {}
    for number, plan in enumerate(plans):
        for pod in plan.pods:
            if pod in records:
                made = _agreement(plan, pod, records[pod])
                key = (number, made.theirs, made.cause)
                before = found.get(key)
                pods = (*before.pods, pod) if before else made.pods
                found[key] = Agreement(pods, made.ours, made.theirs, made.cause)
    return tuple(found.values())


def _agreement(plan: Plan, pod: str, record: Record) -> Agreement:
    stopped = [c for c in plan.checks if c.result in (Result.FAILED, Result.FILTERED)]
    ours = tuple(dict.fromkeys(c.code.value for c in stopped if c.code.value not in _QUIET))
    theirs = tuple(dict.fromkeys(c.reason for c in record.constraints if c.reason not in _QUIET))
    open_codes = {c.code.value for c in plan.checks if c.result is Result.UNKNOWN}
    return Agreement((pod,), ours, theirs, _cause(set(ours), set(theirs), open_codes, record))


def _cause(ours: set[str], theirs: set[str], uncertain: set[str], record: Record) -> Cause | None:
    differing = ours ^ theirs
    if not record.readable:
        return Cause.UNREADABLE
    if not differing:
        return None
    if theirs - _KNOWN:
        return Cause.VERSION
    if differing <= _TIMED:
        return Cause.EXPIRED
    return Cause.UNCERTAIN if differing <= uncertain | _TIMED else Cause.STALE
