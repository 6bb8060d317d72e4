"""Drift: the values that should stand on pods, or in the template, beside those that do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.applied import running
from kubectl_kubex.core.model import Container, Target
from kubectl_kubex.core.plan.amounts import same
from kubectl_kubex.core.plan.model import Outcome, Path, Plan


class Against(str, Enum):
    """What the wanted values are compared with."""

    PODS = "pods"
    TEMPLATE = "template"


@dataclass(frozen=True)
class Line:
    """One target. `wanted` and `found` None: unset."""

    target: Target
    wanted: str | None
    found: str | None

    @property
    def differs(self) -> bool:
        return not same(self.wanted, self.found)


@dataclass(frozen=True)
class Group:
    """Pods with equal values; none for the template."""

    pods: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def differs(self) -> bool:
        return any(line.differs for line in self.lines)


@dataclass(frozen=True)
class Drift:
    """`open`: targets of which a side is not known. `unread`: the values to compare with could not be read at all."""

    answer: Answer
    groups: tuple[Group, ...]
    open: tuple[Target, ...] = ()
    unread: bool = False

    @property
    def differs(self) -> bool:
        return any(group.differs for group in self.groups)

    @property
    def is_partial(self) -> bool:
        return self.unread or bool(self.open)


def drift_of(answer: Answer, against: Against) -> Drift:
    """Selected against what stands."""
    wanted = {t.target: t.winner.value for t in answer.targets if t.winner is not None}
    open_targets = tuple(t.target for t in answer.targets if t.winner is None)
    if against is Against.TEMPLATE:
        containers = answer.snapshot.workload.containers
        groups = () if containers is None else _grouped([("", containers)], wanted)
        return Drift(answer, tuple(Group((), group.lines) for group in groups), open_targets, containers is None)
    pods = answer.snapshot.pods
    named = [(pod.name, pod.containers) for pod in running(pods or ())]
    return Drift(answer, _grouped(named, wanted), open_targets, pods is None)


def planned_drift(answer: Answer, plans: Iterable[Plan]) -> Drift:
    """What the controller's plans would apply, against what the pods have. What a plan holds back is no drift."""
    mine = [plan for plan in plans if plan.path is Path.CONTROLLER]
    names = {pod.name for pod in running(answer.snapshot.pods or ())}
    groups = [Group(tuple(pod for pod in plan.pods if pod in names), _lines(plan)) for plan in mine]
    unknown = [plan for plan in mine if plan.outcome is Outcome.UNDETERMINED]
    open_targets = tuple(dict.fromkeys(a.target for plan in unknown for a in plan.actions if a.stands))
    kept = tuple(group for group in groups if group.pods)
    return Drift(answer, kept, open_targets, answer.snapshot.pods is None or bool(unknown and not open_targets))


def _lines(plan: Plan) -> tuple[Line, ...]:
    sets = plan.outcome is Outcome.READY
    return tuple(
        Line(action.target, action.effective if sets and action.stands else action.current, action.current)
        for action in plan.actions
        if plan.outcome is not Outcome.UNDETERMINED or not action.stands
    )


def _grouped(
    named: Iterable[tuple[str, tuple[Container, ...]]], wanted: Mapping[Target, str | None]
) -> tuple[Group, ...]:
    """Pods with the same values, by value and not by spelling, together; those that differ first."""
    groups: list[Group] = []
    for name, containers in named:
        by_name = {container.name: container for container in containers}
        lines = tuple(
            Line(target, value, by_name[target.container].value(target.usage, target.resource))
            for target, value in wanted.items()
            if target.container in by_name
        )
        known = next((g for g in groups if all(same(a.found, b.found) for a, b in zip(g.lines, lines, strict=False))
                      and len(g.lines) == len(lines)), None)  # fmt: skip
        if known is None:
            groups.append(Group((name,), lines))
        else:
            groups[groups.index(known)] = Group((*known.pods, name), known.lines)
    return tuple(sorted(groups, key=lambda group: (not group.differs, -len(group.pods), group.pods)))
