"""When does time alone open the whole plan?"""

from __future__ import annotations

from datetime import datetime

from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import CheckResult, Outcome, Result
from kubectl_kubex.core.plan.pipeline import Run
from kubectl_kubex.core.plan.windows import next_open

_BY_TIME = frozenset({Code.SCHEDULING_WINDOW_BLOCKED, Code.PAUSE_ACTIVE, Code.MIN_READY_DURATION_NOT_MET})
"""Failures that pass by themselves."""


def next_allowed(done: Run, outcome: Outcome, now: datetime) -> datetime | None:
    """The earliest time at which nothing that fails now fails any more. None where something else than time has to
    change, where a pause has no end, where anything is unknown, or where the plan is not blocked."""
    failures = [result for result in done.checks if result.result is Result.FAILED]
    if outcome not in (Outcome.BLOCKED, Outcome.BLOCKED_RETRYING) or done.open or not done.settings.complete:
        return None
    if any(result.code not in _BY_TIME for result in failures):
        return None
    ends = [_end(result, done) for result in failures if result.code is not Code.SCHEDULING_WINDOW_BLOCKED]
    earliest = now
    for end in ends:
        if end is None:
            return None
        earliest = max(earliest, end)
    sure = [strategy.scheduling for strategy in done.settings.sure]
    possible = [strategy.scheduling for strategy in done.settings.possible]
    opens = next_open(sure, earliest)
    return opens if not possible or next_open([*sure, *possible], earliest) == opens else None


def _end(result: CheckResult, done: Run) -> datetime | None:
    """When a pause, or the wait for a pod to have been ready long enough, is over. None: not by time."""
    if result.code is Code.PAUSE_ACTIVE:
        return _time(result.fact.get("ends"))
    since, (_, most) = _time(result.fact.get("since")), done.settings.span(lambda safety: safety.min_ready)
    return None if since is None or most is None else since + most


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
