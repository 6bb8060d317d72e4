"""Time and readiness: windows, ready pods, maxUnavailable, eviction's own guard (engine.md 5.3, steps 6 to 8)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR

from kubectl_kubex.core.applied import running
from kubectl_kubex.core.plan.amounts import amount
from kubectl_kubex.core.plan.checks.context import Context, failed, harmless, if_enabled, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import MaxUnavailable, PodFacts
from kubectl_kubex.core.plan.model import CheckResult, Method
from kubectl_kubex.core.plan.windows import is_open, next_open


def scheduling_window_blocked(context: Context) -> Iterator[CheckResult]:
    """One strategy that is closed closes the whole plan."""
    code, settings = Code.SCHEDULING_WINDOW_BLOCKED, context.settings
    sure = [strategy.scheduling for strategy in settings.sure]
    if is_open(sure, context.now) is False:
        opens = next_open(sure, context.now)
        closed = [strategy for strategy in settings.sure if is_open([strategy.scheduling], context.now) is False]
        first = closed[0] if closed else None
        zones = {window.zone_name for window in first.scheduling.windows} if first else set()
        yield failed(
            code,
            strategy=first.ref.name if first else None,
            zone=zones.pop() if len(zones) == 1 else None,
            next_allowed=opens.isoformat() if opens else None,
        )
    elif is_open(sure, context.now) is None:
        bad = next((w.zone_name for scheduling in sure for w in scheduling.windows if w.zone is None), None)
        yield unknown(code, open="weekdays" if bad is None else "zone", zone=bad)
    elif not settings.complete:
        yield unknown(code, missing="strategy")
    elif is_open([strategy.scheduling for strategy in settings.possible], context.now) is not True:
        yield unknown(code, open="supplier")


def min_ready_duration_not_met(context: Context) -> Iterator[CheckResult]:
    code, pod = Code.MIN_READY_DURATION_NOT_MET, context.base.facts
    least, most = context.settings.span(lambda safety: safety.min_ready)
    if context.base.pod is None:
        return
    if pod.ready is None or (pod.ready and pod.ready_since is None):
        yield unknown(code, missing="Ready")
    elif not pod.ready:
        yield failed(code, ready="false")
    elif pod.ready_since is not None:
        elapsed = context.now - pod.ready_since
        figures = {"since": pod.ready_since.isoformat(), "elapsed": f"{elapsed.total_seconds():.0f}s"}
        if least is not None and elapsed < least:
            figures["min"] = f"{least.total_seconds():.0f}s"
            yield failed(code, **figures)
        elif most is None or elapsed < most:
            yield unknown(code, missing="strategy", **figures)


def owner_pods_not_ready(context: Context) -> Iterator[CheckResult]:
    enabled = context.settings.flag(lambda safety: safety.owner_pods_ready)
    if enabled is False or context.base.pod is None:
        return
    states = {pod.name: _facts(context, pod.name).ready for pod in running(context.snapshot.pods or ())}
    unready = next((name for name, ready in states.items() if ready is False), None)
    if unready is not None:
        yield from if_enabled(enabled, failed(Code.OWNER_PODS_NOT_READY, pod=unready), "strategy")
    elif None in states.values():
        yield unknown(Code.OWNER_PODS_NOT_READY, missing="Ready")


def _facts(context: Context, name: str) -> PodFacts:
    return context.facts.pods.get(name, PodFacts())


def max_unavailable_exceeded(context: Context) -> Iterator[CheckResult]:
    """One more unavailable pod than the workload allows. Whether a percentage is rounded up or down is not published;
    where that decides, it is open."""
    enabled = context.settings.flag(lambda safety: safety.max_unavailable)
    if enabled is False or context.base.pod is None:
        return
    for found in _unavailable(context):
        yield from if_enabled(enabled, found, "strategy")


def _unavailable(context: Context) -> Iterator[CheckResult]:
    code, workload = Code.MAX_UNAVAILABLE_EXCEEDED, context.facts.workload
    most = workload.max_unavailable if workload else None
    if most is None:
        yield unknown(code, missing="maxUnavailable")
        return
    if most.limit is None:
        return
    pods = running(context.snapshot.pods or ())
    states = [_facts(context, pod.name).ready for pod in pods]
    readings = _limits(most)
    if None in states or readings is None:
        yield unknown(code, missing="Ready" if None in states else "replicas", limit=most.limit)
        return
    down = sum(1 for ready in states if not ready)
    # Whether a pod that is not there yet counts as unavailable is not published either.
    missing = max(0, (most.desired or 0) - len(pods))
    figures = {"limit": most.limit, "unavailable": down, "pods": len(pods), "desired": most.desired}
    exceeded = {away + 1 > reading for reading in readings for away in (down, down + missing)}
    if exceeded == {True}:
        yield failed(code, **figures)
    elif True in exceeded:
        yield unknown(code, open="rounding", **figures)


def _limits(most: MaxUnavailable) -> set[int] | None:
    """Every reading of the limit as a number of pods. A lone pod of a Deployment with the default 25% is resized by the
    engine (engine.md 12 and 13), so a percentage allows at least one."""
    text = most.limit or ""
    if not text.endswith("%"):
        value = amount(text)
        return None if value is None else {int(value)}
    percent = amount(text[:-1])
    if percent is None or most.desired is None:
        return None
    share = percent * most.desired / 100
    both = {int(share.to_integral_value(way)) for way in (ROUND_CEILING, ROUND_FLOOR)}
    return {max(1, reading) for reading in both} if percent else {0}


def too_many_requests(context: Context) -> Iterator[CheckResult]:
    """What the API server answers an eviction that a disruption budget forbids. Only known for certain by trying, so
    not knowing the budgets leaves the outcome as it is; while a resize in place is allowed there is no eviction."""
    methods, workload = context.settings.methods(), context.facts.workload
    if Method.IN_PLACE in methods or Method.EVICTION not in methods:
        return
    allowed = workload.disruptions_allowed if workload else None
    if allowed is None:
        yield harmless(Code.TOO_MANY_REQUESTS, missing="PodDisruptionBudget")
    elif allowed <= 0:
        retried = all(strategy.retry_disruption_budget for strategy in context.settings.sure)
        yield failed(Code.TOO_MANY_REQUESTS, disruptions_allowed=allowed, retried="true" if retried else "false")
