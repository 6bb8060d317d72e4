"""The engine's record beside ours: agreement, and the likely cause of each difference."""

from __future__ import annotations

import pytest

from kubectl_kubex.core.plan.agreement import Cause, agreements
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import CheckResult, Outcome, Path, Plan, Result
from kubectl_kubex.core.plan.record import Constraint, Record

PAUSED = CheckResult(Code.PAUSE_ACTIVE, Result.FAILED)
SMALL = CheckResult(Code.CHANGE_BELOW_THRESHOLD, Result.FILTERED)
EQUAL = CheckResult(Code.NO_RESIZE_NEEDED, Result.FILTERED)
UNSURE = CheckResult(Code.RESOURCE_QUOTA_EXCEEDED, Result.UNKNOWN)


def a_plan(*checks: CheckResult, pods: tuple[str, ...] = ("web-1",)) -> Plan:
    return Plan(Path.CONTROLLER, pods, Outcome.BLOCKED, checks=checks)


def a_record(*reasons: str, readable: bool = True) -> Record:
    return Record(tuple(map(Constraint, reasons)), readable)


@pytest.mark.parametrize(
    ("checks", "record", "cause"),
    [
        ((PAUSED,), a_record("pause-active"), None),
        ((PAUSED, SMALL), a_record("change-below-threshold", "pause-active"), None),
        ((EQUAL,), a_record(), None),
        ((), a_record("no-resize-needed"), None),
        ((PAUSED,), a_record(), Cause.EXPIRED),
        ((), a_record("scheduling-window-blocked"), Cause.EXPIRED),
        ((SMALL,), a_record(), Cause.STALE),
        ((), a_record("hpa-detected"), Cause.VERSION),
        ((UNSURE,), a_record("resource-quota-exceeded"), Cause.UNCERTAIN),
        ((PAUSED,), a_record("pause-active", readable=False), Cause.UNREADABLE),
    ],
)
def test_the_cause(checks: tuple[CheckResult, ...], record: Record, cause: Cause | None) -> None:
    (found,) = agreements([a_plan(*checks)], {"web-1": record})
    assert found.cause is cause
    assert found.agrees is (cause is None)


def test_pods_with_one_plan_and_one_record_are_one() -> None:
    plan = a_plan(PAUSED, pods=("web-1", "web-2", "web-3"))
    found = agreements([plan], {"web-1": a_record("pause-active"), "web-2": a_record("pause-active")})
    assert [each.pods for each in found] == [("web-1", "web-2")]


def test_a_pod_without_a_record_has_none() -> None:
    assert agreements([a_plan(PAUSED)], {}) == ()
