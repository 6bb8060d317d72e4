"""Checks on what is left as a whole: requests and limits, GPU agreement, a method in common (engine.md 5.3, step 5)."""

from __future__ import annotations

from collections.abc import Iterator

from kubectl_kubex.core.model import Target, Usage
from kubectl_kubex.core.plan.amounts import amount
from kubectl_kubex.core.plan.base import COMPUTED, GPU
from kubectl_kubex.core.plan.checks.context import Context, failed, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Action, CheckResult
from kubectl_kubex.core.plan.proposal import is_guaranteed, proposal_of
from kubectl_kubex.core.plan.strategy import Scheduler, Strategy


def requests_exceed_limits(context: Context) -> Iterator[CheckResult]:
    """A request above the limit, with the actions that are left. Never clamped; without a limit there is no check."""
    touched = {(action.container, action.resource) for action in context.actions}
    for container in proposal_of(context.base, context.actions, context.suppliers):
        for resource in COMPUTED:
            if (container.name, resource) not in touched:
                continue
            request, limit = container.requests.get(resource), container.limits.get(resource)
            asked, most = amount(request), amount(limit)
            if asked is not None and most is not None and asked > most:
                targets = [Target(container.name, usage, resource) for usage in Usage]
                yield failed(Code.REQUESTS_EXCEED_LIMITS, *targets, request=request, limit=limit)


def gpu_plan_consistency(context: Context) -> Iterator[CheckResult]:
    """GPU actions have to agree on scheduler, container, allocation and queue. Whether plain whole devices of several
    containers have to agree as well is not published."""
    actions = [action for action in context.actions if action.resource == GPU]
    if len(actions) < 2:
        return
    targets = [action.target for action in actions]
    strategies = [context.suppliers[target].strategy for target in targets if target in context.suppliers]
    known = [strategy for strategy in strategies if strategy is not None]
    if len(known) < len(actions):
        yield unknown(Code.GPU_PLAN_CONSISTENCY, *targets, missing="strategy")
        return
    differs = _disagreement(actions, known)
    if differs is None:
        return
    if differs != "scheduler" and all(strategy.scheduler is Scheduler.NONE for strategy in known):
        yield unknown(Code.GPU_PLAN_CONSISTENCY, *targets, open="whole-devices", differs=differs)
    else:
        yield failed(Code.GPU_PLAN_CONSISTENCY, *targets, differs=differs)


def _disagreement(actions: list[Action], strategies: list[Strategy]) -> str | None:
    pairs = (
        ("scheduler", {strategy.scheduler for strategy in strategies}),
        ("container", {action.container for action in actions}),
        ("allocation", {amount(action.effective) for action in actions}),
        ("queue", {(strategy.queue, strategy.set_queue_when_specified) for strategy in strategies}),
    )
    return next((name for name, values in pairs if len(values) > 1), None)


def guaranteed_qos(context: Context) -> Iterator[CheckResult]:
    """Filters after retention may have taken one side only; what the engine then does is not published."""
    if keeps_guaranteed(context) and not is_guaranteed(proposal_of(context.base, context.actions, context.suppliers)):
        yield unknown(Code.GUARANTEED_QOS, open="one-side-filtered")


def keeps_guaranteed(context: Context) -> bool:
    """Whether the class is to be kept, or may have to be."""
    asked = context.settings.flag(lambda safety: safety.retain_guaranteed)
    return asked is not False and is_guaranteed(context.base.containers)


def shares_gpus(context: Context) -> bool:
    return sum(1 for action in context.actions if action.resource == GPU) > 1


def common_resize_method(context: Context) -> Iterator[CheckResult]:
    """What every supplying strategy allows: in place, eviction, both or neither."""
    if not context.settings.methods(every=False):
        yield failed(Code.COMMON_RESIZE_METHOD)
    elif not context.settings.methods() or not context.settings.complete:
        yield unknown(Code.COMMON_RESIZE_METHOD, missing="strategy")
