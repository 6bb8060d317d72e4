"""plan_facts_of: raw objects, live or offline, to what a plan needs beside the snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from kubectl_kubex.codec.autoscalers import decode_hpa, decode_vpa
from kubectl_kubex.codec.controls import decode_controls, decode_rollback
from kubectl_kubex.codec.disruption import budget_allows, max_unavailable_of
from kubectl_kubex.codec.gathered import Objects, RawObject, Subject
from kubectl_kubex.codec.limits import decode_limit_ranges, decode_node, decode_quota
from kubectl_kubex.codec.shapes import at, integer, mapping, name_of, namespace_of, objects, strings, text
from kubectl_kubex.codec.strategies import decode_strategy
from kubectl_kubex.codec.times import parse_time
from kubectl_kubex.codec.workloads import decode_pod
from kubectl_kubex.core.kinds import BY_NAME, CONFIGURATION_KIND, CONFIGURATION_NAME
from kubectl_kubex.core.model import Gap, GapReason, PolicyRef
from kubectl_kubex.core.plan.facts import (
    PROTECTED_BY_DEFAULT,
    Configuration,
    Controls,
    Node,
    Owner,
    PlanFacts,
    PodFacts,
    WorkloadFacts,
)
from kubectl_kubex.core.plan.strategy import Strategy
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME

STRATEGY_KINDS = ("AutomationStrategy", "ClusterAutomationStrategy")
PLAN_KINDS = (
    *STRATEGY_KINDS, CONFIGURATION_KIND.name, "LimitRange", "ResourceQuota", "HorizontalPodAutoscaler",
    "VerticalPodAutoscaler", "PodDisruptionBudget", "Namespace", "Node", "Pod",
)  # fmt: skip
"""The kinds that `plan_facts_of` looks for in `Objects.by_kind`. A kind that is absent there was not read. `Node`:
those of the workload's pods. `Pod`: all pods on these nodes, of every namespace; its own are in the subject."""

_PROACTIVE = ("ProactivePolicy", "ClusterProactivePolicy")
_NAMES_JOBS = frozenset({"CronJob", "AnalysisRun"})
"""Workload kinds between which and their pods a supported owner stands: a Job."""
_QUEUE = "kai.scheduler/queue"
T = TypeVar("T")


def plan_facts_of(subject: Subject, read: Objects) -> PlanFacts:
    """The facts for one subject. Objects of other namespaces are left out."""
    namespace = namespace_of(subject.workload)
    pods = [pod for pod in subject.pods or () if name_of(pod)]
    between = {(text(raw.get("kind")) or "", name_of(raw)): raw for raw in subject.between}

    def all_of(kind: str, decode: Callable[[RawObject], T]) -> tuple[T, ...] | None:
        found = _objects(read, kind, namespace)
        return None if found is None else tuple(decode(raw) for raw in found)

    ranges = all_of("LimitRange", lambda raw: tuple(decode_limit_ranges(raw)))
    return PlanFacts(
        strategies=_strategies(read, namespace),
        max_ages=_max_ages(read),
        limit_ranges=None if ranges is None else tuple(entry for entries in ranges for entry in entries),
        quotas=all_of("ResourceQuota", decode_quota),
        hpas=all_of("HorizontalPodAutoscaler", decode_hpa),
        vpas=all_of("VerticalPodAutoscaler", decode_vpa),
        nodes=_nodes(read, pods),
        pods={name_of(pod): _pod(pod, subject, between) for pod in pods},
        namespace=_namespace(read, namespace),
        workload=_workload(subject, read),
        configuration=_configuration(read),
        gaps=tuple(dict.fromkeys((*read.gaps, *subject.gaps))),
    )


def _objects(read: Objects, kind: str, namespace: str | None) -> list[RawObject] | None:
    """The objects of a kind, by name; None where they were not, or not all, read. A kind that the server does not know
    has none."""
    gap = _gap(read, kind)
    if kind not in read.by_kind or (gap is not None and gap.hides_objects):
        return [] if gap is not None and gap.reason is GapReason.NOT_SERVED else None
    found = read.by_kind[kind]
    here = [raw for raw in found if namespace is None or namespace_of(raw) in ("", namespace)]
    return sorted(here, key=lambda raw: (namespace_of(raw), name_of(raw)))


def _gap(read: Objects, kind: str) -> Gap | None:
    return next((gap for gap in read.gaps if gap.kind == kind), None)


def _strategies(read: Objects, namespace: str) -> dict[PolicyRef, Strategy] | None:
    """Those of both kinds that were read; what is hidden of one kind, `PlanFacts.gaps` says."""
    found = {kind: _objects(read, kind, namespace) for kind in STRATEGY_KINDS}
    if all(listed is None for listed in found.values()):
        return None
    decoded = [decode_strategy(BY_NAME[kind], raw) for kind, listed in found.items() for raw in listed or ()]
    return {strategy.ref: strategy for strategy in decoded}


def _max_ages(read: Objects) -> dict[PolicyRef, timedelta]:
    found: dict[PolicyRef, timedelta] = {}
    for kind in _PROACTIVE:
        for raw in read.by_kind.get(kind, ()):
            days = integer(at(raw, "spec", "safetyChecks", "maxAnalysisAgeDays"))
            if days is not None and 0 < days < 2**31:
                ref = PolicyRef(kind, namespace_of(raw) if BY_NAME[kind].namespaced else None, name_of(raw))
                found[ref] = timedelta(days=min(days, 999_999))
    return found


def _nodes(read: Objects, pods: Iterable[RawObject]) -> dict[str, Node]:
    wanted = {at(pod, "spec", "nodeName") for pod in pods}
    neighbours = _objects(read, "Pod", None)
    listed = _objects(read, "Node", None) or ()
    return {name_of(raw): decode_node(raw, neighbours) for raw in listed if name_of(raw) in wanted}


def _pod(raw: RawObject, subject: Subject, between: Mapping[tuple[str, str], RawObject]) -> PodFacts:
    conditions = objects(at(raw, "status", "conditions"))
    ready = next((c for c in conditions if c.get("type") == "Ready"), None)
    is_ready = ready.get("status") == "True" if ready is not None else None
    since = parse_time(ready.get("lastTransitionTime")) if ready is not None else None
    spec = decode_pod({**raw, "status": {}}).containers
    return PodFacts(
        decode_controls(strings(at(raw, "metadata", "annotations"))),
        text(at(raw, "spec", "nodeName")),
        is_ready,
        since if is_ready else None,
        _owners(raw, subject, between),
        spec if spec != decode_pod(raw).containers else None,
        strings(at(raw, "metadata", "labels")).get(_QUEUE),
    )


def _owners(raw: RawObject, subject: Subject, between: Mapping[tuple[str, str], RawObject]) -> tuple[Owner, ...] | None:
    """Supported owners below the workload. Only a Job can stand there; None where it was not read."""
    if subject.workload.get("kind") not in _NAMES_JOBS:
        return ()
    controller = next((o for o in objects(at(raw, "metadata", "ownerReferences")) if o.get("controller") is True), None)
    kind, name = text(at(controller, "kind")) or "", text(at(controller, "name")) or ""
    found = between.get((kind, name))
    if found is None:
        return () if kind == subject.workload.get("kind") else None
    return (_owner(kind, name, at(found, "metadata", "annotations")),)


def _owner(kind: str, name: str, annotations: object) -> Owner:
    return Owner(kind, name, decode_controls(strings(annotations)))


def _workload(subject: Subject, read: Objects) -> WorkloadFacts:
    raw = subject.workload
    kind = text(raw.get("kind")) or ""
    row = WORKLOAD_BY_NAME.get(kind)
    template = at(raw, *row.template) if row is not None and row.template else None
    annotations = strings(at(raw, "metadata", "annotations"))
    owners: tuple[Owner, ...] | None = ()
    if kind == "CronJob":
        owners = (_owner("Job", "", at(raw, "spec", "jobTemplate", "metadata", "annotations")),)
    elif kind in _NAMES_JOBS:
        owners = None
    return WorkloadFacts(
        decode_controls(annotations),
        decode_controls(strings(at(template, "metadata", "annotations"))) if mapping(template) else None,
        owners,
        decode_rollback(annotations),
        max_unavailable_of(raw),
        budget_allows(_objects(read, "PodDisruptionBudget", namespace_of(raw)), subject.pods),
    )


def _namespace(read: Objects, namespace: str) -> Controls | None:
    found = next((raw for raw in read.by_kind.get("Namespace", ()) if name_of(raw) == namespace), None)
    return None if found is None else decode_controls(strings(at(found, "metadata", "annotations")))


def _configuration(read: Objects) -> Configuration | None:
    listed = read.by_kind.get(CONFIGURATION_KIND.name, ())
    raw: Mapping[str, Any] | None = next((found for found in listed if name_of(found) == CONFIGURATION_NAME), None)
    if raw is None:
        return None
    patterns = at(raw, "spec", "protectedNamespacePatterns")
    named = isinstance(patterns, list) and all(isinstance(pattern, str) for pattern in patterns)
    conditions = objects(at(raw, "status", "conditions"))
    webhook = next((c.get("status") for c in conditions if c.get("type") == "PodAdmissionWebhookHealthy"), None)
    return Configuration(
        _flag(at(raw, "spec", "automationEnabled")),
        PROTECTED_BY_DEFAULT if patterns is None else tuple(patterns) if named else None,
        {"True": True, "False": False}.get(webhook) if isinstance(webhook, str) else None,
        _flag(at(raw, "spec", "respectKubexAutomation")),
        text(at(raw, "spec", "kai", "schedulerName")) or "kai-scheduler",
    )


def _flag(value: object) -> bool | None:
    """A flag whose default is true; None where it makes no sense."""
    return True if value is None else value if isinstance(value, bool) else None
