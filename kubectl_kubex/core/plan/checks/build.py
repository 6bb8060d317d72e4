"""Checks on single values: published limits, age, bounds, equality, direction (engine.md 5.2; 5.3 steps 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator

from kubectl_kubex.core.model import Target
from kubectl_kubex.core.plan.amounts import amount, notes, same
from kubectl_kubex.core.plan.building import bounds_of, changes_gpu_form, clamped
from kubectl_kubex.core.plan.checks.context import Context, filtered, harmless, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import DEFAULT_MAX_AGE, LimitRange
from kubectl_kubex.core.plan.model import Action, CheckResult, Result

_PROACTIVE = frozenset({"ProactivePolicy", "ClusterProactivePolicy"})


def limit_range_violated(context: Context) -> Iterator[CheckResult]:
    """Container LimitRange, each value by itself. The engine asks when it writes the annotation, so of the value as
    published; a bound that moves it in or out of the range leaves open what happens."""
    for action in context.actions:
        strategy = context.suppliers[action.target].strategy
        if strategy is not None and not strategy.safety.limit_range:
            continue
        if context.facts.limit_ranges is None:
            yield unknown(Code.LIMIT_RANGE_VIOLATED, action.target, missing="LimitRange")
            continue
        ranges = [found for found in context.facts.limit_ranges if found.type == "Container"]
        published = _violation(action.target, action.desired, ranges)
        applied = _violation(action.target, action.effective, ranges)
        if published and applied:
            yield filtered(Code.LIMIT_RANGE_VIOLATED, action.target, **published)
        elif published or applied:
            yield unknown(
                Code.LIMIT_RANGE_VIOLATED, action.target, open="clamped-value", **(published or applied or {})
            )


def _violation(target: Target, text: str | None, ranges: list[LimitRange]) -> dict[str, str] | None:
    value = amount(text)
    for found in ranges:
        least, most = found.minimum.get(target.resource), found.maximum.get(target.resource)
        bottom, top = amount(least), amount(most)
        if value is not None and bottom is not None and value < bottom:
            return {"name": found.name, "value": text or "", "min": least or ""}
        if value is not None and top is not None and value > top:
            return {"name": found.name, "value": text or "", "max": most or ""}
    return None


def recommendation_too_old(context: Context) -> Iterator[CheckResult]:
    """Of proactive winners only. The analysis time stands nowhere on the cluster, and a recommendation that is there
    was young enough when it was written: not knowing it leaves the outcome as it is."""
    for action in context.actions:
        supplier = context.suppliers[action.target]
        if supplier.winner is None or supplier.winner.policy.kind not in _PROACTIVE:
            continue
        analysed = (context.facts.analysed or {}).get(supplier.winner.key)
        if analysed is None:
            yield harmless(Code.RECOMMENDATION_TOO_OLD, action.target, missing="analysis-time")
            continue
        limit = context.facts.max_ages.get(supplier.winner.policy, DEFAULT_MAX_AGE)
        if context.now - analysed > limit:
            yield filtered(
                Code.RECOMMENDATION_TOO_OLD, action.target, analysed=analysed.isoformat(), max_days=limit.days
            )


def kubex_automation_disabled(context: Context) -> Iterator[CheckResult]:
    """As `recommendation_too_old`: the flag is in the recommendation of the Kubex service, not on the cluster."""
    configuration = context.facts.configuration
    if configuration is not None and configuration.respect_kubex_automation is False:
        return
    for action in context.actions:
        supplier = context.suppliers[action.target]
        if supplier.winner is None or supplier.winner.policy.kind not in _PROACTIVE:
            continue
        flag = (context.facts.kubex_automation or {}).get(action.container)
        if flag is None:
            yield harmless(Code.KUBEX_AUTOMATION_DISABLED, action.target, missing="KubexAutomation")
        elif not flag and configuration is None:
            yield unknown(Code.KUBEX_AUTOMATION_DISABLED, action.target, missing="GlobalConfiguration")
        elif not flag:
            yield filtered(Code.KUBEX_AUTOMATION_DISABLED, action.target)


def floor_clamped(context: Context) -> Iterator[CheckResult]:
    return _clamps(context, Code.FLOOR_CLAMPED)


def ceiling_clamped(context: Context) -> Iterator[CheckResult]:
    return _clamps(context, Code.CEILING_CLAMPED)


def _clamps(context: Context, code: Code) -> Iterator[CheckResult]:
    for action in context.actions:
        strategy = context.suppliers[action.target].strategy
        if strategy is None:
            yield unknown(code, action.target, missing="strategy")
            continue
        bounds = bounds_of(action.target, strategy)
        floor, ceiling = amount(bounds.floor), amount(bounds.ceiling)
        if floor is not None and ceiling is not None and floor > ceiling:
            yield unknown(code, action.target, open="floor-above-ceiling", floor=bounds.floor, ceiling=bounds.ceiling)
            continue
        value, moved_by = clamped(action.desired, bounds)
        if moved_by is code:
            rule = bounds.floor if code is Code.FLOOR_CLAMPED else bounds.ceiling
            figures = notes(desired=action.desired, clamped=value, bound=rule)
            yield CheckResult(code, Result.CLAMPED, (action.target,), figures)


def no_resize_needed(context: Context) -> Iterator[CheckResult]:
    """Equal by value. A GPU in the other form than the strategy's is not the same even where the figure is."""
    for action in context.actions:
        if not same(action.effective, action.current):
            continue
        if changes_gpu_form(action, context.base, context.suppliers[action.target].strategy):
            yield unknown(Code.NO_RESIZE_NEEDED, action.target, open="gpu-form", current=action.current)
        else:
            yield filtered(Code.NO_RESIZE_NEEDED, action.target, current=action.current)


def automation_strategy_disabled(context: Context) -> Iterator[CheckResult]:
    """The direction's gate in the winner's own strategy."""
    for action in context.actions:
        yield from _gate(action, context)


def _gate(action: Action, context: Context) -> Iterator[CheckResult]:
    code, strategy = Code.AUTOMATION_STRATEGY_DISABLED, context.suppliers[action.target].strategy
    if strategy is None:
        yield unknown(code, action.target, missing="strategy")
        return
    gates = strategy.gates.get((action.resource, action.usage))
    if gates is None:
        yield unknown(code, action.target, open="no-gate")
    elif action.direction is not None and not gates.allows(action.direction):
        yield filtered(code, action.target, direction=action.direction.value, strategy=strategy.ref.name)
