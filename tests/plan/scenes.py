"""Scene: one workload with everything that its plan asks for, READY by default, so that a test says only what it is
about. All of it goes through the codec, as a command would take it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from kubectl_kubex.codec.gathered import Gathered, Objects, Subject, WorkloadReference
from kubectl_kubex.codec.plan_facts import plan_facts_of
from kubectl_kubex.codec.snapshot import WHY_KINDS, snapshot_of
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.kinds import API_VERSION, BY_NAME
from kubectl_kubex.core.model import Container, Gap, SourceInfo, Target, Usage
from kubectl_kubex.core.plan import plan_of
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import PlanFacts
from kubectl_kubex.core.plan.model import CheckResult, Outcome, Path, Plan, Result
from kubectl_kubex.core.selection import select
from tests.builders import (
    NAMESPACE,
    bare,
    envelope,
    fixed_key,
    hashed_key,
    raw,
    raw_configuration,
    raw_policy,
    raw_precedence,
    raw_workload,
    rfc3339,
)

NOW = datetime(2026, 8, 5, 12, tzinfo=timezone.utc)
"""A Wednesday."""
Values = Mapping[str, Mapping[str, str]]

REQUEST = Target("app", Usage.REQUESTS, "cpu")
LIMIT = Target("app", Usage.LIMITS, "cpu")
MEMORY = Target("app", Usage.REQUESTS, "memory")


def a_container(
    name: str = "app",
    requests: Mapping[str, str] | None = None,
    limits: Mapping[str, str] | None = None,
    **members: Any,
) -> dict[str, Any]:
    resources = {"requests": dict(requests or {}), "limits": dict(limits or {})}
    return {"name": name, "image": "registry.example/app:1", "resources": resources, **members}


def a_pod(name: str = "web-1", containers: Iterable[Mapping[str, Any]] = (), **members: Any) -> dict[str, Any]:
    """A pod that runs on node n1 and has been ready for an hour. `ready`: since when, None for unready."""
    metadata = {"annotations": members.pop("annotations", {}), "labels": members.pop("labels", {"app": "web"})}
    metadata |= members.pop("metadata", {})
    since: datetime | None = members.pop("ready", NOW - timedelta(hours=1))
    ready = {"type": "Ready", "status": "True" if since else "False", "lastTransitionTime": rfc3339(since or NOW)}
    spec = {"nodeName": "n1", "containers": [dict(container) for container in containers], **members.pop("spec", {})}
    status = {"phase": "Running", "conditions": [ready], **members.pop("status", {})}
    return raw("v1", "Pod", name, NAMESPACE, metadata=metadata, spec=spec, status=status, **members)


def a_strategy(kind: str = "AutomationStrategy", name: str = "default", **spec: Any) -> dict[str, Any]:
    return raw(API_VERSION, kind, name, NAMESPACE if BY_NAME[kind].namespaced else None, spec=spec)


def a_node(cpu: str = "16", memory: str = "64Gi", name: str = "n1") -> dict[str, Any]:
    return raw("v1", "Node", name, status={"allocatable": {"cpu": cpu, "memory": memory}})


def a_limit_range(kind: str = "Container", name: str = "range", **sides: Any) -> dict[str, Any]:
    return raw("v1", "LimitRange", name, NAMESPACE, spec={"limits": [{"type": kind, **sides}]})


def a_quota(hard: Mapping[str, str], used: Mapping[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    status = {} if used is None else {"used": dict(used)}
    return raw("v1", "ResourceQuota", "quota", NAMESPACE, spec={"hard": dict(hard), **spec}, status=status)


def an_hpa(*metrics: Mapping[str, Any], name: str = "web", kind: str = "Deployment", **metadata: Any) -> dict[str, Any]:
    spec = {"scaleTargetRef": {"kind": kind, "name": name}, "metrics": [dict(metric) for metric in metrics]}
    return raw("autoscaling/v2", "HorizontalPodAutoscaler", "web", NAMESPACE, metadata=metadata, spec=spec)


def scales_on(resource: str, container: str | None = None) -> dict[str, Any]:
    if container is None:
        return {"type": "Resource", "resource": {"name": resource}}
    return {"type": "ContainerResource", "containerResource": {"name": resource, "container": container}}


def a_vpa(mode: str | None = "Auto", recommended: Mapping[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """`recommended`: container -> resources; the condition RecommendationProvided stands where it is given."""
    update = {} if mode is None else {"updatePolicy": {"updateMode": mode}}
    found = [{"containerName": name, "target": dict(target)} for name, target in (recommended or {}).items()]
    status = {
        "conditions": [{"type": "RecommendationProvided", "status": "True" if found else "False"}],
        "recommendation": {"containerRecommendations": found},
    }
    target = {"targetRef": {"kind": "Deployment", "name": "web"}}
    return raw(
        "autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "web", NAMESPACE, spec={**target, **update, **spec},
        status=status,
    )  # fmt: skip


@dataclass(frozen=True)
class Supply:
    """One policy with its recommendation: under a fixed key, or a hashed one where there is a `digest`."""

    kind: str = "StaticPolicy"
    name: str = "policy"
    requests: Values = field(default_factory=dict)
    limits: Values = field(default_factory=dict)
    digest: str | None = None
    strategy: str = "default"
    weight: int = 0
    spec: Mapping[str, Any] = field(default_factory=dict)

    @property
    def policy(self) -> dict[str, Any]:
        named = {"automationStrategyRef": {"name": self.strategy}} if BY_NAME[self.kind].strategy_kind else {}
        return raw_policy(self.kind, self.name, weight=self.weight, **{**named, **self.spec})

    @property
    def annotations(self) -> dict[str, str]:
        found = {}
        for usage, values in (("requests", self.requests), ("limits", self.limits)):
            if values and self.digest:
                found[hashed_key(self.kind, self.digest, usage)] = envelope(
                    self.kind, self.name, values, weight=self.weight
                )
            elif values:
                found[fixed_key(self.kind, usage)] = bare(values)
        return found


@dataclass(frozen=True)
class Scene:
    """`containers` are both the template's and the default pod's. `objects` stand beside the defaults, of which
    `without` leaves kinds out. `spec` and `template` go into the workload's spec and its pod template's.
    `change`: what happens to the facts after decoding."""

    requests: Values = field(default_factory=lambda: {"app": {"cpu": "500m"}})
    limits: Values = field(default_factory=dict)
    containers: tuple[Mapping[str, Any], ...] = (
        a_container("app", {"cpu": "250m", "memory": "256Mi"}, {"cpu": "1", "memory": "1Gi"}),
    )
    strategy: Mapping[str, Any] = field(default_factory=dict)
    supplies: tuple[Supply, ...] | None = None
    pods: tuple[Mapping[str, Any], ...] | None = None
    objects: tuple[Mapping[str, Any], ...] = ()
    without: frozenset[str] = frozenset()
    gaps: tuple[Gap, ...] = ()
    workload: Mapping[str, Any] = field(default_factory=dict)
    spec: Mapping[str, Any] = field(default_factory=dict)
    template: Mapping[str, Any] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    template_annotations: Mapping[str, str] = field(default_factory=dict)
    namespace: Mapping[str, str] = field(default_factory=dict)
    configuration: Mapping[str, Any] = field(default_factory=dict)
    status: Mapping[str, Any] = field(
        default_factory=lambda: {"conditions": [{"type": "PodAdmissionWebhookHealthy", "status": "True"}]}
    )
    change: Mapping[str, Any] = field(default_factory=dict)
    now: datetime = NOW

    def having(self, **changes: Any) -> Scene:
        return replace(self, **changes)

    @property
    def policies(self) -> tuple[Supply, ...]:
        return self.supplies or (Supply(requests=self.requests, limits=self.limits),)

    def read(self) -> tuple[Subject, Objects]:
        annotations = {key: value for supply in self.policies for key, value in supply.annotations.items()}
        workload = raw_workload({**annotations, **self.annotations}, containers=self.containers, **self.workload)
        template = workload["spec"].get("template")
        if template is not None:
            template["metadata"] = {"annotations": dict(self.template_annotations)}
            template["spec"] |= dict(self.template)
        workload["spec"] |= dict(self.spec)
        pods = (a_pod(containers=self.containers),) if self.pods is None else self.pods
        defaults: list[Mapping[str, Any]] = [
            *(supply.policy for supply in self.policies),
            raw_precedence(),
            {**raw_configuration(**self.configuration), "status": dict(self.status)},
            raw("v1", "Namespace", NAMESPACE, metadata={"annotations": dict(self.namespace)}),
            a_node(),
            *pods,
        ]
        given = {(found["kind"], found["metadata"]["name"]) for found in self.objects}
        strategies = {(BY_NAME[supply.kind].strategy_kind, supply.strategy) for supply in self.policies}
        defaults += [a_strategy(kind, name, **self.strategy) for kind, name in sorted(strategies, key=str) if kind]
        whole = [
            *(found for found in defaults if (found["kind"], found["metadata"]["name"]) not in given),
            *self.objects,
        ]
        kinds = [*WHY_KINDS, "AutomationStrategy", "ClusterAutomationStrategy", "LimitRange", "ResourceQuota",
                 "HorizontalPodAutoscaler", "VerticalPodAutoscaler", "PodDisruptionBudget", "Namespace", "Node",
                 "Pod"]  # fmt: skip
        by_kind = {
            kind: tuple(found for found in whole if found["kind"] == kind) for kind in kinds if kind not in self.without
        }
        subject = Subject(WorkloadReference(None, "web"), json.loads(json.dumps(workload)), tuple(pods))
        return subject, Objects(by_kind, self.gaps)

    def answer(self) -> Answer:
        subject, objects = self.read()
        return select(snapshot_of(subject, Gathered(SourceInfo(offline=True), objects, (subject,))))

    def facts(self) -> PlanFacts:
        return replace(plan_facts_of(*self.read()), **self.change)

    def plans(self) -> tuple[Plan, ...]:
        return plan_of(self.answer(), self.facts(), self.now)

    def plan(self, path: Path = Path.CONTROLLER) -> Plan:
        """The one plan of the path."""
        found = [plan for plan in self.plans() if plan.path is path]
        assert len(found) == 1, found
        return found[0]


def results(plan: Plan, code: Code) -> list[CheckResult]:
    return [check for check in plan.checks if check.code is code]


def verdicts(plan: Plan, code: Code) -> set[Result]:
    return {check.result for check in results(plan, code)}


def resources(containers: Iterable[Container] | None, name: str = "app") -> tuple[dict[str, str], dict[str, str]]:
    """Requests and limits of one container."""
    assert containers is not None
    found = next(container for container in containers if container.name == name)
    return dict(found.requests), dict(found.limits)


def applied(plan: Plan, name: str = "app") -> tuple[dict[str, str], dict[str, str]]:
    """What the pod has after a plan that is certain."""
    assert plan.outcome is not Outcome.UNDETERMINED, [c for c in plan.checks if c.result is Result.UNKNOWN]
    return resources(plan.result, name)


def cpu_memory(cpu: str, memory: str) -> dict[str, str]:
    return {"cpu": cpu, "memory": memory}
