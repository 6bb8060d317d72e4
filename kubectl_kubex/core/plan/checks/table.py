"""CHECKS: one row a reason code, in the engine's order (engine.md 5.3). It evaluates, explains, documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.core.plan.checks import autoscalers, build, capacity, doubtful, engine, prechecks, timing, whole
from kubectl_kubex.core.plan.checks.context import Context, Judge
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Path


class Effect(Enum):
    """What a finding does."""

    BLOCKS = "blocks"  # the whole plan
    REMOVES = "removes"  # the actions it names
    NOTES = "notes"  # nothing: the value was already made so


class Reads(Enum):
    """On what a judgement depends: no action, an action's target, also its value, or all actions at once."""

    NOTHING = "nothing"
    TARGET = "target"
    VALUE = "value"
    TOGETHER = "together"


BOTH = frozenset(Path)
CONTROLLER = frozenset({Path.CONTROLLER})


class Stage(Enum):
    """The engine's steps. `BUILD` ends with the direction gates; Guaranteed QoS is kept between it and the rest."""

    BUILD = "build"
    GUARD = "guard"


@dataclass(frozen=True)
class Check:
    """One row. `retries`: the engine tries again by itself after a failure. `concerns`: whether a judgement of all
    actions together could turn out otherwise if open values were other ones."""

    code: Code
    judge: Judge
    effect: Effect
    reads: Reads
    stage: Stage = Stage.GUARD
    paths: frozenset[Path] = BOTH
    retries: bool = False
    concerns: Callable[[Context], bool] = lambda _: True


_REMOVES, _BLOCKS, _NOTES = Effect.REMOVES, Effect.BLOCKS, Effect.NOTES
_NOTHING, _TARGET, _VALUE, _TOGETHER = Reads.NOTHING, Reads.TARGET, Reads.VALUE, Reads.TOGETHER
_BUILD, _GUARD = Stage.BUILD, Stage.GUARD

CHECKS: tuple[Check, ...] = (
    # What is open before the engine's own first step.
    Check(Code.SELECTION_UNDETERMINED, doubtful.selection_undetermined, _NOTES, _TARGET, _BUILD),
    Check(Code.STRATEGY_UNRESOLVED, doubtful.strategy_unresolved, _NOTES, _TARGET, _BUILD),
    Check(Code.CURRENT_UNKNOWN, doubtful.current_unknown, _NOTES, _TARGET, _BUILD),
    Check(Code.RESIZE_IN_PROGRESS, doubtful.resize_in_progress, _REMOVES, _TARGET, _BUILD),
    # Before selection, when recommendations are written (5.2).
    Check(Code.RECOMMENDATION_TOO_OLD, build.recommendation_too_old, _REMOVES, _TARGET, _BUILD),
    Check(Code.KUBEX_AUTOMATION_DISABLED, build.kubex_automation_disabled, _REMOVES, _TARGET, _BUILD),
    Check(Code.LIMIT_RANGE_VIOLATED, build.limit_range_violated, _REMOVES, _VALUE, _BUILD),
    # 1 build, 2 gates.
    Check(Code.FLOOR_CLAMPED, build.floor_clamped, _NOTES, _VALUE, _BUILD),
    Check(Code.CEILING_CLAMPED, build.ceiling_clamped, _NOTES, _VALUE, _BUILD),
    Check(Code.NO_RESIZE_NEEDED, build.no_resize_needed, _REMOVES, _VALUE, _BUILD),
    Check(Code.AUTOMATION_STRATEGY_DISABLED, build.automation_strategy_disabled, _REMOVES, _VALUE, _BUILD),
    # The engine as a whole.
    Check(Code.AUTOMATION_DISABLED, engine.automation_disabled, _BLOCKS, _NOTHING),
    Check(Code.WEBHOOK_UNHEALTHY, engine.webhook_unhealthy, _BLOCKS, _NOTHING, retries=True),
    Check(Code.ROLLBACK_STATE, engine.rollback_state, _BLOCKS, _NOTHING),
    # 3 prechecks.
    Check(Code.POD_TERMINATING, prechecks.pod_terminating, _BLOCKS, _NOTHING, paths=CONTROLLER),
    Check(Code.NAMESPACE_PROTECTED, prechecks.namespace_protected, _BLOCKS, _NOTHING),
    Check(Code.PAUSE_ACTIVE, prechecks.pause_active, _BLOCKS, _NOTHING),
    Check(Code.RESOURCE_QUOTA_EXCEEDED, prechecks.resource_quota_exceeded, _BLOCKS, _TOGETHER,
          concerns=lambda context: bool(context.facts.quotas)),
    # 4 filters.
    Check(Code.CHANGE_BELOW_THRESHOLD, capacity.change_below_threshold, _REMOVES, _VALUE),
    Check(Code.CONTAINER_SKIP_ACTIVE, autoscalers.container_skip_active, _REMOVES, _TARGET),
    Check(Code.HPA_RESOURCE_MANAGED, autoscalers.hpa_resource_managed, _REMOVES, _TARGET),
    Check(Code.VPA_RESOURCE_MANAGED, autoscalers.vpa_resource_managed, _REMOVES, _TARGET),
    Check(
        Code.NODE_CAPACITY_INSUFFICIENT, capacity.node_capacity_insufficient, _REMOVES, _VALUE, paths=CONTROLLER
    ),
    Check(Code.POD_LIMIT_RANGE_VIOLATED, capacity.pod_limit_range_violated, _REMOVES, _TOGETHER,
          concerns=capacity.has_pod_range),
    # 5 what is left as a whole.
    Check(Code.REQUESTS_EXCEED_LIMITS, whole.requests_exceed_limits, _BLOCKS, _TOGETHER),
    Check(Code.GPU_PLAN_CONSISTENCY, whole.gpu_plan_consistency, _BLOCKS, _TOGETHER, concerns=whole.shares_gpus),
    Check(Code.GUARANTEED_QOS, whole.guaranteed_qos, _BLOCKS, _TOGETHER, concerns=whole.keeps_guaranteed),
    Check(Code.COMMON_RESIZE_METHOD, whole.common_resize_method, _BLOCKS, _NOTHING, paths=CONTROLLER),
    # 6 windows.
    Check(
        Code.SCHEDULING_WINDOW_BLOCKED, timing.scheduling_window_blocked, _BLOCKS, _NOTHING, paths=CONTROLLER,
        retries=True,
    ),
    # 7 health, 8 execution.
    Check(
        Code.MIN_READY_DURATION_NOT_MET, timing.min_ready_duration_not_met, _BLOCKS, _NOTHING, paths=CONTROLLER,
        retries=True,
    ),
    Check(Code.OWNER_PODS_NOT_READY, timing.owner_pods_not_ready, _BLOCKS, _NOTHING, paths=CONTROLLER, retries=True),
    Check(
        Code.MAX_UNAVAILABLE_EXCEEDED, timing.max_unavailable_exceeded, _BLOCKS, _NOTHING, paths=CONTROLLER,
        retries=True,
    ),
    Check(Code.TOO_MANY_REQUESTS, timing.too_many_requests, _BLOCKS, _NOTHING, paths=CONTROLLER, retries=True),
)  # fmt: skip

BY_CODE: dict[Code, Check] = {check.code: check for check in CHECKS}
