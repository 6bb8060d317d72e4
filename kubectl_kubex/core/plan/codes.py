"""Code: the closed set of things that can hold a winner back. The first group are the engine's own reason codes."""

from __future__ import annotations

from enum import Enum


class Code(str, Enum):
    """A reason code (engine.md section 4), or one of ours for what the engine has no code for."""

    # The engine's own words, in the order of the table in `checks/table.py`.
    LIMIT_RANGE_VIOLATED = "limit-range-violated"
    RECOMMENDATION_TOO_OLD = "recommendation-too-old"
    KUBEX_AUTOMATION_DISABLED = "kubex-automation-disabled"
    FLOOR_CLAMPED = "floor-clamped"
    CEILING_CLAMPED = "ceiling-clamped"
    NO_RESIZE_NEEDED = "no-resize-needed"
    AUTOMATION_STRATEGY_DISABLED = "automation-strategy-disabled"
    POD_TERMINATING = "pod-terminating"
    NAMESPACE_PROTECTED = "namespace-protected"
    PAUSE_ACTIVE = "pause-active"
    RESOURCE_QUOTA_EXCEEDED = "resource-quota-exceeded"
    CHANGE_BELOW_THRESHOLD = "change-below-threshold"
    CONTAINER_SKIP_ACTIVE = "container-skip-active"
    HPA_RESOURCE_MANAGED = "hpa-resource-managed"
    VPA_RESOURCE_MANAGED = "vpa-resource-managed"
    NODE_CAPACITY_INSUFFICIENT = "node-capacity-insufficient"
    POD_LIMIT_RANGE_VIOLATED = "pod-limit-range-violated"
    REQUESTS_EXCEED_LIMITS = "requests-exceed-limits"
    GPU_PLAN_CONSISTENCY = "gpu-plan-consistency"
    COMMON_RESIZE_METHOD = "common-resize-method"
    SCHEDULING_WINDOW_BLOCKED = "scheduling-window-blocked"
    MIN_READY_DURATION_NOT_MET = "min-ready-duration-not-met"
    OWNER_PODS_NOT_READY = "owner-pods-not-ready"
    MAX_UNAVAILABLE_EXCEEDED = "max-unavailable-exceeded"
    TOO_MANY_REQUESTS = "too-many-requests"

    # Ours.
    SELECTION_UNDETERMINED = "selection-undetermined"  # the winner itself is undetermined
    STRATEGY_UNRESOLVED = "strategy-unresolved"  # the winner's strategy is missing, unread or makes no sense
    CURRENT_UNKNOWN = "current-unknown"  # what the pod has, or would be created with, is not known
    RESIZE_IN_PROGRESS = "resize-in-progress"  # the pod's spec and its reported resources differ
    AUTOMATION_DISABLED = "automation-disabled"  # GlobalConfiguration.spec.automationEnabled is false
    WEBHOOK_UNHEALTHY = "webhook-unhealthy"  # an unhealthy admission webhook pauses automation
    ROLLBACK_STATE = "rollback-state"  # the owner's rollback mode leaves open what is applied
    GUARANTEED_QOS = "guaranteed-qos"  # requests follow limits, to keep the Guaranteed class
