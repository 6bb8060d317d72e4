"""Plans as a part of a result document."""

from __future__ import annotations

from kubectl_kubex.core.model import Container, Gap, Target
from kubectl_kubex.core.plan.agreement import Agreement
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.core.plan.model import Action, CheckResult, Plan
from kubectl_kubex.core.ranking import show_time
from kubectl_kubex.render.documents import Document
from kubectl_kubex.render.plan_words import CAUSES, check_text
from kubectl_kubex.render.why_plans import gap_text


def explained_document(explained: Explained | None) -> Document:
    """`plans`, and what stands beside them."""
    if explained is None:
        return {"plans": [], "resizing": [], "records": [], "unread": []}
    return {
        "plans": [plan_document(plan) for plan in explained.plans],
        "resizing": list(explained.resizing),
        "records": [_record(agreement) for agreement in explained.agreements],
        "unread": [_gap(gap) for gap in explained.unread],
    }


def plan_document(plan: Plan) -> Document:
    return {
        "path": plan.path.value,
        "pods": list(plan.pods),
        "outcome": plan.outcome.value,
        "nextAllowed": None if plan.next_allowed is None else show_time(plan.next_allowed),
        "methods": [method.value for method in plan.methods],
        "actions": [_action(action) for action in plan.actions],
        "checks": [_check(check) for check in plan.checks],
        "result": None if plan.result is None else _containers(plan.result),
    }


def _action(action: Action) -> Document:
    return {
        **_target(action.target),
        "current": action.current,
        "desired": action.desired,
        "effective": action.effective,
        "direction": action.direction.value if action.direction else None,
        "removedBy": action.removed_by.value if action.removed_by else None,
        "openBy": [code.value for code in action.open],
    }


def _check(check: CheckResult) -> Document:
    return {
        "name": check.code.value,
        "result": check.result.value,
        "message": check_text(check),
        "targets": [_target(target) for target in check.targets],
        "metadata": check.fact,
        "decisive": check.decisive,
    }


def _target(target: Target) -> Document:
    return {"container": target.container, "usage": target.usage.value, "resource": target.resource}


def _containers(containers: tuple[Container, ...]) -> Document:
    return {
        container.name: {"requests": dict(container.requests), "limits": dict(container.limits)}
        for container in containers
    }


def _record(agreement: Agreement) -> Document:
    return {
        "pods": list(agreement.pods),
        "agrees": agreement.agrees,
        "ours": list(agreement.ours),
        "theirs": list(agreement.theirs),
        "cause": None if agreement.cause is None else agreement.cause.value,
        "message": "they agree" if agreement.cause is None else CAUSES[agreement.cause],
    }


def _gap(gap: Gap) -> Document:
    return {"kind": gap.kind, "reason": gap.reason.value, "message": gap_text(gap)}
