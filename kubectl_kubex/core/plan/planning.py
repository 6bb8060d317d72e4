"""plan_of: one answer and its facts in, the engine's plans out. Pure; the clock is an argument."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.model import Container, Target
from kubectl_kubex.core.plan.amounts import amount
from kubectl_kubex.core.plan.base import Base, pod_base, template_base
from kubectl_kubex.core.plan.building import build_actions
from kubectl_kubex.core.plan.checks.context import Context
from kubectl_kubex.core.plan.checks.context import unknown as unknown_result
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import PlanFacts
from kubectl_kubex.core.plan.model import Outcome, Path, Plan
from kubectl_kubex.core.plan.opening import next_allowed
from kubectl_kubex.core.plan.pipeline import run
from kubectl_kubex.core.plan.proposal import proposal_of
from kubectl_kubex.core.plan.suppliers import Supplier, suppliers_of

_ENDED = frozenset({"Succeeded", "Failed"})
_UNCHANGED = frozenset({Outcome.NOTHING_TO_DO, Outcome.BLOCKED, Outcome.BLOCKED_RETRYING})


def plan_of(answer: Answer, facts: PlanFacts, now: datetime) -> tuple[Plan, ...]:
    """The controller's plans, one for each group of pods that are in the same case, largest first; then admission's.
    Without pods the controller's plan starts from the template; where pods could not be read it is undetermined."""
    suppliers = suppliers_of(answer, facts)
    return (*_controller(answer, facts, now, suppliers), _from_template(Path.ADMISSION, answer, facts, now, suppliers))


def _controller(answer: Answer, facts: PlanFacts, now: datetime, suppliers: dict[Target, Supplier]) -> tuple[Plan, ...]:
    if answer.snapshot.pods is None:
        return (_unknown(Path.CONTROLLER, "Pod"),)
    pods = sorted((pod for pod in answer.snapshot.pods if pod.phase not in _ENDED), key=lambda pod: pod.name)
    if not pods:
        return (_from_template(Path.CONTROLLER, answer, facts, now, suppliers),)
    return grouped(_plan(pod_base(pod, facts), answer, facts, now, suppliers) for pod in pods)


def _from_template(
    path: Path, answer: Answer, facts: PlanFacts, now: datetime, suppliers: dict[Target, Supplier]
) -> Plan:
    base = template_base(path, answer.snapshot, facts)
    return _unknown(path, "template") if base is None else _plan(base, answer, facts, now, suppliers)


def _unknown(path: Path, missing: str) -> Plan:
    return Plan(path, (), Outcome.UNDETERMINED, checks=(unknown_result(Code.CURRENT_UNKNOWN, missing=missing),))


def _plan(base: Base, answer: Answer, facts: PlanFacts, now: datetime, suppliers: dict[Target, Supplier]) -> Plan:
    actions = build_actions(base, suppliers)
    done = run(Context(answer.snapshot, facts, now, base, suppliers, actions))
    standing = tuple(action for action in done.actions if action.stands)
    proposal = proposal_of(base, standing, suppliers)
    outcome = done.outcome
    return Plan(
        base.path,
        (base.pod.name,) if base.pod else (),
        outcome,
        next_allowed(done, outcome, now),
        done.settings.methods() if base.path is Path.CONTROLLER and standing else (),
        done.actions,
        done.checks,
        proposal,
        proposal if outcome is Outcome.READY else base.containers if outcome in _UNCHANGED else None,
    )


def grouped(plans: Iterable[Plan]) -> tuple[Plan, ...]:
    """Plans that differ only in the pod, or in how a quantity is written, as one."""
    groups: dict[object, Plan] = {}
    for plan in plans:
        key = _key(plan)
        first = groups.get(key)
        groups[key] = plan if first is None else replace(first, pods=(*first.pods, *plan.pods))
    return tuple(sorted(groups.values(), key=lambda plan: (-len(plan.pods), plan.pods)))


def _key(plan: Plan) -> object:
    actions = tuple(
        (a.target, _value(a.current), _value(a.effective), a.removed_by, a.open, a.direction) for a in plan.actions
    )
    checks = tuple(
        (c.code, c.result, c.targets, tuple((name, _value(figure)) for name, figure in c.facts)) for c in plan.checks
    )
    return plan.outcome, plan.next_allowed, plan.methods, actions, checks, tuple(map(_resources, plan.proposal))


def _resources(container: Container) -> object:
    sides = (container.requests, container.limits)
    return container.name, tuple(
        tuple(sorted((name, str(_value(text))) for name, text in side.items())) for side in sides
    )


def _value(text: str | None) -> object:
    value = amount(text)
    return text if value is None else value.normalize()
