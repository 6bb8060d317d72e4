"""PlanFacts: what a plan needs beside the snapshot. None anywhere means not read, never that there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from kubectl_kubex.core.model import Container, Gap, PolicyRef, Usage
from kubectl_kubex.core.plan.strategy import Strategy

DEFAULT_MAX_AGE = timedelta(days=5)
"""`safetyChecks.maxAnalysisAgeDays` of the proactive kinds (engine.md 1.3)."""
PROTECTED_BY_DEFAULT = ("kube-*", "openshift-*", "gmp-*")


@dataclass(frozen=True)
class LimitRange:
    """One entry of a LimitRange's `spec.limits`. `type`: Container or Pod."""

    name: str
    type: str
    minimum: Mapping[str, str] = field(default_factory=dict)
    maximum: Mapping[str, str] = field(default_factory=dict)
    default: Mapping[str, str] = field(default_factory=dict)
    default_request: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Quota:
    """One ResourceQuota. `used` None: the quota controller has not filled it in. `scoped`: it counts only some pods."""

    name: str
    hard: Mapping[str, str]
    used: Mapping[str, str] | None = None
    scoped: bool = False


@dataclass(frozen=True)
class Metric:
    """One metric of a HorizontalPodAutoscaler. `type`: Resource, ContainerResource, External, Object, Pods."""

    type: str
    resource: str | None = None
    container: str | None = None


@dataclass(frozen=True)
class Hpa:
    """A HorizontalPodAutoscaler. `keda`: a ScaledObject manages it."""

    name: str
    target_kind: str
    target_name: str
    metrics: tuple[Metric, ...] = ()
    keda: bool = False


@dataclass(frozen=True)
class VpaPolicy:
    """One entry of a VPA's `resourcePolicy.containerPolicies`. `container` may be `*`; `resources`: those listed."""

    container: str
    resources: tuple[str, ...] = ()
    usages: tuple[Usage, ...] = (Usage.REQUESTS, Usage.LIMITS)


@dataclass(frozen=True)
class Vpa:
    """A VerticalPodAutoscaler. `provided`: its condition of that name. `recommended`: container -> resources."""

    name: str
    target_kind: str
    target_name: str
    mode: str = "Auto"
    provided: bool = False
    recommended: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    policies: tuple[VpaPolicy, ...] = ()


@dataclass(frozen=True)
class Node:
    """A node of the pods. `requested`: the sum of the requests of all pods on it; None: they were not read."""

    name: str
    allocatable: Mapping[str, str]
    requested: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Pause:
    """One `pause-until`. `until` None: without end when `infinite`, else its value makes no sense."""

    written: str
    until: datetime | None = None
    infinite: bool = False
    reason: str | None = None


@dataclass(frozen=True)
class Controls:
    """The control annotations of one object (engine.md section 4). `skip`: `skip-containers` as written, None where the
    key is absent. `inherited`: the marker that a pod's pause came from its owner."""

    pause: Pause | None = None
    skip: str | None = None
    inherited: bool = False


@dataclass(frozen=True)
class Owner:
    """One supported owner between a pod and the workload, such as the Job of a CronJob."""

    kind: str
    name: str
    controls: Controls = Controls()


@dataclass(frozen=True)
class PodFacts:
    """What a plan asks of a pod beside its resources. `spec_containers`: its spec where status reports resources of its
    own, else None. `owners`: nearest first, below the workload."""

    controls: Controls | None = None
    node: str | None = None
    ready: bool | None = None
    ready_since: datetime | None = None
    owners: tuple[Owner, ...] | None = None
    spec_containers: tuple[Container, ...] | None = None
    queue: str | None = None


@dataclass(frozen=True)
class Rollback:
    """The owner's rollback-state. `mode` None: the annotation makes no sense. `expires`: as written."""

    mode: str | None
    turn: int | None = None
    failure: str | None = None
    expires: datetime | None = None


@dataclass(frozen=True)
class MaxUnavailable:
    """`limit`: an integer or a percentage as written; None: the kind has none. `desired`: replicas wanted."""

    limit: str | None
    desired: int | None = None


@dataclass(frozen=True)
class WorkloadFacts:
    """What a plan asks of the workload. `controls`: its own. `owners`: those that a new pod will have below it."""

    controls: Controls = Controls()
    template_controls: Controls | None = None
    owners: tuple[Owner, ...] | None = None
    rollback: Rollback | None = None
    max_unavailable: MaxUnavailable | None = None
    disruptions_allowed: int | None = None


@dataclass(frozen=True)
class Configuration:
    """What GlobalConfiguration says (engine.md 1.5). `webhook_healthy` None: no such condition."""

    automation_enabled: bool | None = True
    protected: tuple[str, ...] | None = PROTECTED_BY_DEFAULT
    webhook_healthy: bool | None = None
    respect_kubex_automation: bool | None = True
    kai_scheduler: str = "kai-scheduler"


@dataclass(frozen=True)
class PlanFacts:
    """`analysed`: annotation key -> time of the analysis behind it. `kubex_automation`: container -> the flag in the
    recommendation. Neither is published on the cluster."""

    strategies: Mapping[PolicyRef, Strategy] | None = None
    max_ages: Mapping[PolicyRef, timedelta] = field(default_factory=dict)
    limit_ranges: tuple[LimitRange, ...] | None = None
    quotas: tuple[Quota, ...] | None = None
    hpas: tuple[Hpa, ...] | None = None
    vpas: tuple[Vpa, ...] | None = None
    nodes: Mapping[str, Node] = field(default_factory=dict)
    pods: Mapping[str, PodFacts] = field(default_factory=dict)
    namespace: Controls | None = None
    workload: WorkloadFacts | None = None
    configuration: Configuration | None = None
    analysed: Mapping[str, datetime] | None = None
    kubex_automation: Mapping[str, bool] | None = None
    gaps: tuple[Gap, ...] = ()

    def hides(self, kind: str) -> bool:
        """Whether objects of `kind` may exist that are not among the facts."""
        return any(gap.hides_objects and gap.kind == kind for gap in self.gaps)
