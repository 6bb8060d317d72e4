"""A sentence for each check and each thing that it may say. One entry a code; a test says so.

Names in braces are the figures of a result (`core/plan/checks`); an absent one is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import NamedTuple

from kubectl_kubex.codec.zones import find_zone
from kubectl_kubex.core.plan.agreement import Cause
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import CheckResult, Outcome, Path, Result
from kubectl_kubex.core.ranking import show_time


class Words(NamedTuple):
    """`passed`: nothing was found. `found`: it failed, removes an action or changes a value. `topic`: what it is that
    cannot be said."""

    passed: str
    found: str
    topic: str


CHECKS: dict[Code, Words] = {
    Code.LIMIT_RANGE_VIOLATED: Words(
        "within the LimitRange", "{value} is outside LimitRange {name} ({side} {bound})", "what LimitRange allows"
    ),
    Code.RECOMMENDATION_TOO_OLD: Words(
        "the recommendation is young enough", "analysed {analysed}, older than {max-days} days",
        "the age of the recommendation",
    ),
    Code.KUBEX_AUTOMATION_DISABLED: Words(
        "KubexAutomation is on", "KubexAutomation is off for the container", "the KubexAutomation flag"
    ),
    Code.FLOOR_CLAMPED: Words("not below the floor", "{desired} raised to the floor {bound}", "the floor"),
    Code.CEILING_CLAMPED: Words("not above the ceiling", "{desired} cut to the ceiling {bound}", "the ceiling"),
    Code.NO_RESIZE_NEEDED: Words("values differ", "already {current}", "whether the GPU is in the form asked for"),
    Code.AUTOMATION_STRATEGY_DISABLED: Words(
        "strategies allow it", "strategy {strategy} does not allow {direction}", "whether the strategy allows it"
    ),
    Code.POD_TERMINATING: Words("not terminating", "the pod is terminating", "whether the pod is terminating"),
    Code.NAMESPACE_PROTECTED: Words(
        "the namespace is not protected", "namespace {namespace} is protected by {pattern}",
        "whether the namespace is protected",
    ),
    Code.PAUSE_ACTIVE: Words("not paused", "{scope} paused{until_text}{reason_text}", "whether a pause holds"),
    Code.RESOURCE_QUOTA_EXCEEDED: Words(
        "within the quota", "{resource} of ResourceQuota {name}: used {used} + {delta} > {hard}", "the quota"
    ),
    Code.CHANGE_BELOW_THRESHOLD: Words(
        "the change is large enough", "{percent}% < {min}%", "whether a change of {percent}% is large enough"
    ),
    Code.CONTAINER_SKIP_ACTIVE: Words(
        "no container is skipped", "the container is skipped by {source}", "which containers are skipped"
    ),
    Code.HPA_RESOURCE_MANAGED: Words(
        "no HPA scales on it", "HPA {name} scales on {resources}{mode_text}", "whether an HPA scales on it"
    ),
    Code.VPA_RESOURCE_MANAGED: Words(
        "no VPA sets it", "VPA {name} sets {resources} (mode {mode})", "whether a VPA sets it"
    ),
    Code.NODE_CAPACITY_INSUFFICIENT: Words(
        "the node has room", "{delta} more than node {node} has room for ({remaining} left)", "the room on the node"
    ),
    Code.POD_LIMIT_RANGE_VIOLATED: Words(
        "the pod is within the LimitRange", "pod total {total} is outside LimitRange {name} ({side} {bound})",
        "what LimitRange allows the pod",
    ),
    Code.REQUESTS_EXCEED_LIMITS: Words(
        "no request above its limit", "request {request} > limit {limit}", "whether requests stay below limits"
    ),
    Code.GPU_PLAN_CONSISTENCY: Words(
        "GPU actions agree", "GPU actions differ in {differs}", "whether GPU actions have to agree"
    ),
    Code.COMMON_RESIZE_METHOD: Words(
        "a resize method in common", "the strategies have no resize method in common", "the resize methods in common"
    ),
    Code.SCHEDULING_WINDOW_BLOCKED: Words(
        "inside the scheduling windows", "closed{closed_text}{strategy_text}", "whether the scheduling window is open"
    ),
    Code.MIN_READY_DURATION_NOT_MET: Words(
        "ready for long enough", "{ready_text}", "for how long the pod has been ready"
    ),
    Code.OWNER_PODS_NOT_READY: Words("all pods are ready", "pod {pod} is not ready", "whether all pods are ready"),
    Code.MAX_UNAVAILABLE_EXCEEDED: Words(
        "maxUnavailable allows it", "{unavailable} of {pods} pods unavailable, maxUnavailable {limit}",
        "whether maxUnavailable allows it",
    ),
    Code.TOO_MANY_REQUESTS: Words(
        "disruption budgets allow it", "a PodDisruptionBudget allows no eviction now", "what a disruption budget allows"
    ),
    Code.SELECTION_UNDETERMINED: Words("all winners are known", "the winner is undetermined", "the winner"),
    Code.STRATEGY_UNRESOLVED: Words(
        "all strategies are known", "the strategy cannot be used", "the strategy {strategy}"
    ),
    Code.CURRENT_UNKNOWN: Words("current values are known", "the current value is unknown", "the current value"),
    Code.RESIZE_IN_PROGRESS: Words(
        "no resize is under way", "a resize is under way", "a resize under way from {status} to {spec}"
    ),
    Code.AUTOMATION_DISABLED: Words(
        "automation is on", "automation is off in GlobalConfiguration", "whether automation is on"
    ),
    Code.WEBHOOK_UNHEALTHY: Words(
        "the webhook is healthy", "the engine's webhook is unhealthy, which pauses automation", "the webhook's health"
    ),
    Code.ROLLBACK_STATE: Words(
        "no rollback is in the way", "a rollback is under way", "the rollback state {mode}"
    ),
    Code.GUARANTEED_QOS: Words(
        "QoS class is kept", "set with its limit, to stay Guaranteed", "whether the pod stays Guaranteed"
    ),
}  # fmt: skip

# What was not read, where it is no kind of object.
MISSING: dict[str, str] = {
    "strategy": "its strategy is not known",
    "unread": "strategies could not be read",
    "missing": "it does not exist",
    "invalid": "it makes no sense",
    "policy-unknown": "its policy is not known",
    "policy-not-found": "its policy could not be found",
    "kind-without-strategy": "policies of that kind have none",
    "not-referenced": "its policy names none",
    "analysis-time": "not on the cluster",
    "KubexAutomation": "not on the cluster",
    "Node": "the pod's node could not be read",
    "Pod": "not all pods on the node could be read",
    "Ready": "the pod does not say",
    "quantity": "what stands there is no quantity",
    "template": "there is no pod template",
    "used": "the quota's use is not counted yet",
    "maxUnavailable": "the workload does not say",
    "PodAdmissionWebhookHealthy": "GlobalConfiguration does not say",
}
# Questions that no public source answers.
OPEN: dict[str, str] = {
    "boundary": "equality and rounding are not published",
    "rounding": "rounding is not published",
    "weekdays": "of which day the weekdays of an overnight window are is not published",
    "zone": 'unknown time zone "{zone}"',
    "other-checks": "it hangs on what else is unknown",
    "clamped-value": "whether the published or the clamped value counts is not published",
    "together": "each increase fits, not all of them",
    "expired-pod-pause": "the pod's pause has expired, its namespace's has not",
    "not-copied-yet": "the owner's is not copied to the pod yet",
    "unreadable": 'its end "{until}" makes no sense',
    "no-gate": "strategies have no gate for this resource",
    "gpu-form": "the value is equal, the form is not",
    "scopes": "the quota counts only some pods",
    "current-zero": "the current value is 0",
    "supplier": "it hangs on a strategy that may not count",
}
OUTCOMES: dict[Outcome, str] = {
    Outcome.READY: "ready",
    Outcome.NOTHING_TO_DO: "nothing to do",
    Outcome.BLOCKED: "blocked",
    Outcome.BLOCKED_RETRYING: "blocked, retried",
    Outcome.UNDETERMINED: "undetermined",
}
PATHS: dict[Path, str] = {Path.CONTROLLER: "running", Path.ADMISSION: "new"}
CAUSES: dict[Cause, str] = {
    Cause.UNREADABLE: "the record has no known form",
    Cause.VERSION: "another version of the engine",
    Cause.EXPIRED: "what differs passes by itself, and the record was written at another time",
    Cause.UNCERTAIN: "what differs is not known here",
    Cause.STALE: "the record is stale",
}


class _Facts(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


def check_text(check: CheckResult) -> str:
    """The sentence of one result."""
    words, facts = CHECKS[check.code], _facts(check)
    if check.result is Result.PASSED:
        return words.passed.format_map(facts)
    if check.result is not Result.UNKNOWN:
        return words.found.format_map(facts)
    because = because_of(check)
    return f"not known is {topic_of(check)}{': ' + because if because else ''}"


def topic_of(check: CheckResult) -> str:
    """What an unknown result leaves open."""
    return CHECKS[check.code].topic.format_map(_facts(check)).strip()


def because_of(check: CheckResult) -> str:
    """Why it is left open; empty where nothing says so."""
    return _because(_facts(check))


def _because(facts: _Facts) -> str:
    if facts["open"]:
        return OPEN.get(facts["open"], f"{facts['open'].replace('-', ' ')} is not published").format_map(facts)
    if facts["missing"]:
        return MISSING.get(facts["missing"], f"{facts['missing']} objects could not be read")
    return ""


def _facts(check: CheckResult) -> _Facts:
    facts = _Facts(check.fact)
    facts["resources"] = ", ".join(dict.fromkeys(target.resource for target in check.targets))
    facts["side"] = "max" if "max" in facts else "min"
    facts["bound"] = facts["bound"] or facts[facts["side"]]
    for name, derive in _DERIVED.items():
        facts[name] = derive(facts)
    return facts


def _until(facts: Mapping[str, str]) -> str:
    until = facts["until"]
    return "" if not until else " without end" if until == "infinite" else f" until {until}"


def _reason(facts: Mapping[str, str]) -> str:
    return f" ({facts['reason']})" if facts["reason"] else ""


def _mode(facts: Mapping[str, str]) -> str:
    return " (KEDA)" if facts["mode"] == "KEDA" else ""


def _closed(facts: Mapping[str, str]) -> str:
    opens = facts["next-allowed"]
    return f" until {local_time(datetime.fromisoformat(opens), facts['zone'])}" if opens else ""


def _strategy(facts: Mapping[str, str]) -> str:
    return f" by strategy {facts['strategy']}" if facts["strategy"] else ""


def _ready(facts: Mapping[str, str]) -> str:
    return f"ready for {facts['elapsed']} < {facts['min']}" if facts["elapsed"] else "the pod is not ready"


_DERIVED: dict[str, Callable[[_Facts], str]] = {
    "until_text": _until,
    "reason_text": _reason,
    "mode_text": _mode,
    "closed_text": _closed,
    "strategy_text": _strategy,
    "ready_text": _ready,
}


def local_time(at: datetime, zone_name: str) -> str:
    """`2026-11-30 20:00 Europe/London`; in UTC where no zone is given."""
    zone = find_zone(zone_name) if zone_name else None
    if zone is None or zone_name == "UTC":
        return show_time(at.astimezone(timezone.utc))
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M} {zone_name}"
