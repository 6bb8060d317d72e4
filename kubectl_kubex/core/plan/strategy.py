"""Strategy: how, when and how far a policy's values may be applied. Defaults are the CRD's (engine.md 1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta, timezone, tzinfo
from enum import Enum

from kubectl_kubex.core.model import PolicyRef, Usage


class Direction(str, Enum):
    """What an action does to the current value; the name of the gate that allows it."""

    UPSIZE = "upsize"
    DOWNSIZE = "downsize"
    SET_FROM_UNSPECIFIED = "setFromUnspecified"


@dataclass(frozen=True)
class Bounds:
    """Least and greatest quantity, as written; None: no bound on that side."""

    floor: str | None = None
    ceiling: str | None = None


@dataclass(frozen=True)
class Gates:
    """Which directions are open for one resource and usage, and its bounds."""

    upsize: bool = True
    downsize: bool = True
    set_from_unspecified: bool = True
    bounds: Bounds = Bounds()
    containers: Mapping[str, Bounds] = field(default_factory=dict)

    def allows(self, direction: Direction) -> bool:
        if direction is Direction.UPSIZE:
            return self.upsize
        return self.downsize if direction is Direction.DOWNSIZE else self.set_from_unspecified

    def bounds_for(self, container: str) -> Bounds:
        """The container's own bounds, each side apart falling back to the usage's."""
        own = self.containers.get(container, Bounds())
        return Bounds(own.floor or self.bounds.floor, own.ceiling or self.bounds.ceiling)


GATE_DEFAULTS: dict[tuple[str, Usage], Gates] = {
    ("cpu", Usage.REQUESTS): Gates(),
    ("cpu", Usage.LIMITS): Gates(set_from_unspecified=False),
    ("memory", Usage.REQUESTS): Gates(),
    ("memory", Usage.LIMITS): Gates(),
    ("gpu", Usage.REQUESTS): Gates(upsize=False, downsize=False, set_from_unspecified=False),
}
"""Every gate that a strategy has. A resource that is not here has none, and what then holds is not published."""


@dataclass(frozen=True)
class Window:
    """One scheduling window. `start` and `end` are minutes of the local day, end exclusive, at most 1440; a smaller end
    is the next day's. `weekdays`: 0 is Monday; empty means every day. `zone` None: no such time zone."""

    start: int = 0
    end: int = 1440
    weekdays: frozenset[int] = frozenset()
    zone: tzinfo | None = timezone.utc
    zone_name: str = "UTC"
    name: str = ""

    @property
    def is_overnight(self) -> bool:
        return self.end < self.start


@dataclass(frozen=True)
class Scheduling:
    """When changes are allowed: inside any inclusion, where there is one, and outside every exclusion."""

    inclusions: tuple[Window, ...] = ()
    exclusions: tuple[Window, ...] = ()

    @property
    def windows(self) -> tuple[Window, ...]:
        return (*self.inclusions, *self.exclusions)


@dataclass(frozen=True)
class Safety:
    """`spec.safetyChecks`. The headrooms are a percentage of the node's allocatable or a quantity."""

    pause: bool = True
    quota: bool = True
    hpa: bool = True
    vpa: bool = True
    vpa_controlled: bool = False
    limit_range: bool = True
    pod_limit_range: bool = True
    node_allocatable: bool = True
    max_unavailable: bool = True
    owner_pods_ready: bool = False
    retain_guaranteed: bool = False
    min_cpu_change: int = 5
    min_memory_change: int = 5
    min_ready: timedelta = timedelta(seconds=10)
    retry_interval: timedelta = timedelta(seconds=30)
    cpu_headroom: str = "10%"
    memory_headroom: str = "200Mi"


class Scheduler(str, Enum):
    """`spec.enablement.overrideScheduler`: how a GPU request is applied."""

    NONE = "none"
    KAI = "kai"


@dataclass(frozen=True)
class Strategy:
    """One AutomationStrategy or ClusterAutomationStrategy. `problem` names the first field that makes no sense."""

    ref: PolicyRef
    gates: Mapping[tuple[str, Usage], Gates] = field(default_factory=lambda: dict(GATE_DEFAULTS))
    scheduler: Scheduler = Scheduler.NONE
    queue: str = "kubex-unlimited-gpu-queue"
    set_queue_when_specified: bool = False
    in_place: bool = True
    container_restart: bool = False
    eviction: bool = True
    retry_disruption_budget: bool = True
    scheduling: Scheduling = Scheduling()
    safety: Safety = Safety()
    problem: str | None = None
