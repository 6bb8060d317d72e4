"""retainGuaranteedQOS: in a pod that is Guaranteed now, limits are the truth and requests follow (engine.md 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kubectl_kubex.core.model import Target, Usage
from kubectl_kubex.core.plan.amounts import same
from kubectl_kubex.core.plan.base import COMPUTED, Base
from kubectl_kubex.core.plan.building import direction_of
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Action, CheckResult, Result
from kubectl_kubex.core.plan.proposal import is_guaranteed
from kubectl_kubex.core.plan.settings import Settings


def retain_guaranteed(
    base: Base, actions: Sequence[Action], settings: Settings
) -> tuple[tuple[Action, ...], tuple[CheckResult, ...]]:
    """The actions with requests following limits where the setting asks for it, and what that changed."""
    retain = settings.flag(lambda safety: safety.retain_guaranteed)
    if retain is False or not is_guaranteed(base.containers):
        return tuple(actions), ()
    followed = _followed(base, actions)
    before = {action.target: action for action in actions}
    changed = [action for action in followed if before.get(action.target) != action]
    if not changed:
        return tuple(actions), ()
    targets = tuple(action.target for action in changed)
    if retain is None:
        doubtful = {action.target for action in changed if action.target in before}
        kept = tuple(_doubted(action) if action.target in doubtful else action for action in actions)
        return kept, (CheckResult(Code.GUARANTEED_QOS, Result.UNKNOWN, targets),)
    return followed, (CheckResult(Code.GUARANTEED_QOS, Result.CLAMPED, targets),)


def _doubted(action: Action) -> Action:
    return replace(action, open=(*action.open, Code.GUARANTEED_QOS), value_open=True) if action.stands else action


def _followed(base: Base, actions: Sequence[Action]) -> tuple[Action, ...]:
    by_target = {action.target: action for action in actions}
    for container in base.containers:
        for resource in COMPUTED:
            limit = by_target.get(Target(container.name, Usage.LIMITS, resource))
            target = Target(container.name, Usage.REQUESTS, resource)
            request = by_target.get(target)
            current = container.value(Usage.REQUESTS, resource) or container.value(Usage.LIMITS, resource)
            if limit is not None and limit.stands:
                by_target[target] = _matching(limit, request, target, current)
            elif request is not None and request.stands and current is not None:
                # The limit stays, so the request, which equals it now, stays too.
                by_target[target] = replace(request, effective=current, removed_by=Code.GUARANTEED_QOS)
    return tuple(by_target.values())


def _matching(limit: Action, request: Action | None, target: Target, current: str | None) -> Action:
    if request is not None and request.stands and same(request.effective, limit.effective):
        return request
    return replace(
        limit,
        target=target,
        current=current,
        desired=request.desired if request else limit.desired,
        direction=direction_of(current, limit.effective),
    )
