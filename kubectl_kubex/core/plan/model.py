"""Plan: what the engine would do with the winners, and what holds them back. Values and codes, no words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from kubectl_kubex.core.model import Container, PolicyRef, Target, Usage
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.strategy import Direction


class Path(str, Enum):
    """The engine's two ways to a pod (engine.md 5.3)."""

    CONTROLLER = "controller"  # running pods: resize in place, else evict
    ADMISSION = "admission"  # a pod that is created now


class Method(str, Enum):
    """How the controller changes a running pod."""

    IN_PLACE = "in-place"
    EVICTION = "eviction"


class Outcome(str, Enum):
    """What comes of a plan."""

    READY = "READY"
    NOTHING_TO_DO = "NOTHING_TO_DO"
    BLOCKED = "BLOCKED"
    BLOCKED_RETRYING = "BLOCKED_RETRYING"  # the engine tries again by itself
    UNDETERMINED = "UNDETERMINED"


class Result(str, Enum):
    """What one check says."""

    PASSED = "passed"
    FAILED = "failed"  # blocks the plan
    FILTERED = "filtered"  # removes actions
    CLAMPED = "clamped"  # changes values
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Action:
    """One change of one target. `effective`: after bounds, GPU form and QoS; None where it cannot be said.

    `removed_by`: the filter that removes it. `open`: the codes that may remove it, or that leave its value open when
    `value_open`. `policy` and `strategy` are the supplier's.
    """

    target: Target
    current: str | None
    desired: str
    effective: str | None
    direction: Direction | None
    removed_by: Code | None = None
    open: tuple[Code, ...] = ()
    value_open: bool = False
    policy: PolicyRef | None = None
    strategy: PolicyRef | None = None

    @property
    def container(self) -> str:
        return self.target.container

    @property
    def usage(self) -> Usage:
        return self.target.usage

    @property
    def resource(self) -> str:
        return self.target.resource

    @property
    def stands(self) -> bool:
        """Whether it is still in the plan, for certain or not."""
        return self.removed_by is None

    @property
    def is_certain(self) -> bool:
        return self.stands and not self.open


@dataclass(frozen=True)
class CheckResult:
    """What one check found. `targets` empty: the whole pod. `facts`: figures for its sentence, by name.

    `decisive` False: an unknown that leaves the outcome as it is (docs/adr/0008).
    """

    code: Code
    result: Result
    targets: tuple[Target, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    decisive: bool = True

    @property
    def fact(self) -> dict[str, str]:
        return dict(self.facts)


@dataclass(frozen=True)
class Plan:
    """One plan. `pods`: those that share it; empty for admission, and where there is no pod.

    `proposal`: the containers if every action that stands were applied. `result`: what a pod has afterwards, as far as
    the outcome is known. `next_allowed`: when time alone opens the whole plan; None where it does not, or may not.
    """

    path: Path
    pods: tuple[str, ...]
    outcome: Outcome
    next_allowed: datetime | None = None
    methods: tuple[Method, ...] = ()
    actions: tuple[Action, ...] = ()
    checks: tuple[CheckResult, ...] = ()
    proposal: tuple[Container, ...] = ()
    result: tuple[Container, ...] | None = None
