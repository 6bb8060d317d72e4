"""Size filters: thresholds, the node's capacity, pod-wide LimitRange (engine.md 5.4)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import partial

from kubectl_kubex.core.model import Target, Usage
from kubectl_kubex.core.plan.amounts import amount, plain, total
from kubectl_kubex.core.plan.base import COMPUTED
from kubectl_kubex.core.plan.checks.context import Context, filtered, if_enabled, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import LimitRange
from kubectl_kubex.core.plan.model import Action, CheckResult
from kubectl_kubex.core.plan.proposal import proposal_of
from kubectl_kubex.core.plan.strategy import Safety

_ROUNDING = Decimal("0.5")
"""Neither equality nor rounding of the percentage is published: within half a percent below the minimum it is open."""


def _min_change(safety: Safety, resource: str) -> int:
    return safety.min_cpu_change if resource == "cpu" else safety.min_memory_change


def _headroom(safety: Safety, resource: str) -> str:
    return safety.cpu_headroom if resource == "cpu" else safety.memory_headroom


def change_below_threshold(context: Context) -> Iterator[CheckResult]:
    """cpu and memory only; a value that was not set before is no change of so many percent."""
    for action in context.actions:
        old, new = amount(action.current), amount(action.effective)
        if action.resource not in COMPUTED or old is None or new is None:
            continue
        least, most = context.settings.span(partial(_min_change, resource=action.resource))
        yield from _threshold(action, old, new, least, most)


def _threshold(
    action: Action, old: Decimal, new: Decimal, least: int | None, most: int | None
) -> Iterator[CheckResult]:
    code = Code.CHANGE_BELOW_THRESHOLD
    if most == 0:
        return
    if not old:
        yield unknown(code, action.target, open="current-zero")
        return
    percent = abs(new - old) / old * 100
    figures = {"percent": f"{percent:.1f}", "min": most if most is not None else least}
    if least is not None and percent < least - _ROUNDING:
        yield filtered(code, action.target, **figures)
    elif most is None:
        yield unknown(code, action.target, missing="strategy", **figures)
    elif percent <= most:
        why = {"open": "boundary"} if least == most else {"missing": "strategy"}
        yield unknown(code, action.target, **why, **figures)


def node_capacity_insufficient(context: Context) -> Iterator[CheckResult]:
    """Request increases against what the node has left beside its headroom. Each increase is judged by itself; where
    each fits but not all of them together, it is open."""
    enabled = context.settings.flag(lambda safety: safety.node_allocatable)
    if enabled is False or context.base.pod is None:
        return
    for resource in COMPUTED:
        increases = [
            (action, rise)
            for action in context.actions
            if action.usage is Usage.REQUESTS and action.resource == resource and (rise := _rise(action)) > 0
        ]
        for found in _crowded(context, resource, increases):
            yield from if_enabled(enabled, found, "strategy")


def _rise(action: Action) -> Decimal:
    return (amount(action.effective) or Decimal(0)) - (amount(action.current) or Decimal(0))


def _crowded(context: Context, resource: str, increases: list[tuple[Action, Decimal]]) -> Iterator[CheckResult]:
    code, node = Code.NODE_CAPACITY_INSUFFICIENT, context.facts.nodes.get(context.base.facts.node or "")
    allocatable = amount(node.allocatable.get(resource)) if node else None
    if node is None or allocatable is None or node.requested is None:
        for action, _ in increases:
            yield unknown(code, action.target, missing="Node" if node is None or allocatable is None else "Pod")
        return
    free = allocatable - (amount(node.requested.get(resource)) or Decimal(0))
    low, high = context.settings.headroom(partial(_headroom, resource=resource), allocatable)
    everything = sum((rise for _, rise in increases), Decimal(0))
    for action, rise in increases:
        figures = {"node": node.name, "delta": plain(rise)}
        if low is not None and free - low < rise:
            yield filtered(code, action.target, remaining=plain(free - low), **figures)
        elif high is None or free - high < rise:
            yield unknown(code, action.target, missing="strategy", **figures)
        elif free - high < everything:
            yield unknown(code, action.target, open="together", remaining=plain(free - high), **figures)


def pod_limit_range_violated(context: Context) -> Iterator[CheckResult]:
    """The pod's totals of one usage and resource against LimitRange type Pod; all actions of that total fall."""
    enabled = context.settings.flag(lambda safety: safety.pod_limit_range)
    if enabled is False:
        return
    if context.facts.limit_ranges is None:
        for action in context.actions:
            yield unknown(Code.POD_LIMIT_RANGE_VIOLATED, action.target, missing="LimitRange")
        return
    after = [c for c in proposal_of(context.base, context.actions, context.suppliers) if c.resizable]
    for limit_range in context.facts.limit_ranges:
        if limit_range.type != "Pod":
            continue
        for action in context.actions:
            whole = total(container.value(action.usage, action.resource) for container in after)
            found = _outside(action.target, whole, limit_range)
            if found is not None:
                yield from if_enabled(enabled, found, "strategy")


def has_pod_range(context: Context) -> bool:
    return any(limit_range.type == "Pod" for limit_range in context.facts.limit_ranges or ())


def _outside(target: Target, whole: Decimal, limit_range: LimitRange) -> CheckResult | None:
    least, most = limit_range.minimum.get(target.resource), limit_range.maximum.get(target.resource)
    bottom, top = amount(least), amount(most)
    figures = {"name": limit_range.name, "total": plain(whole)}
    if bottom is not None and whole < bottom:
        return filtered(Code.POD_LIMIT_RANGE_VIOLATED, target, **figures, min=least)
    if top is not None and whole > top:
        return filtered(Code.POD_LIMIT_RANGE_VIOLATED, target, **figures, max=most)
    return None
