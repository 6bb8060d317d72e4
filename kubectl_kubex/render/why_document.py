"""WhyResult: the answer of `why` as a document. Its published form is `schemas/why.json`."""

from __future__ import annotations

from kubectl_kubex.core.answer import (
    Answer,
    Applied,
    Conditional,
    HookRanked,
    HookSelection,
    Ranked,
    TargetSelection,
    WriteLoss,
)
from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.hooks import HOOK
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.core.ranking import Decision
from kubectl_kubex.core.scope import Refusal
from kubectl_kubex.render.decisions import decision_code, decision_text, hook_decision, write_loss_text
from kubectl_kubex.render.documents import (
    Document,
    doubts_document,
    engine_document,
    header,
    policy_document,
    precedence_document,
    reading_document,
    source_document,
    time_document,
    workload_document,
)
from kubectl_kubex.render.plan_document import explained_document
from kubectl_kubex.render.refusal_words import refusal_text
from kubectl_kubex.render.words import assumption

KIND = "WhyResult"


def why_document(answer: Answer, explained: Explained | None = None) -> Document:
    """The whole answer. The same facts as the table, and the same for a cluster and a capture but for `source`."""
    snapshot = answer.snapshot
    return {
        **header(KIND),
        "workload": workload_document(snapshot.workload),
        "source": source_document(snapshot.source),
        "engine": engine_document(snapshot.engine),
        "precedence": precedence_document(snapshot.precedence),
        "targets": [_target(selection) for selection in answer.targets],
        "hooks": [_hook(hook) for hook in answer.hooks],
        **explained_document(explained),
        "refusals": [_refusal(refusal) for refusal in answer.refusals],
        "doubts": doubts_document(answer.doubts),
    }


def _target(selection: TargetSelection) -> Document:
    decided = None
    if selection.winner is not None:
        decided = {"rule": decision_code(selection.decided_by), "text": decision_text(selection.decided_by)}
    return {
        "container": selection.target.container,
        "usage": selection.target.usage.value,
        "resource": selection.target.resource,
        "status": selection.status.value,
        "selected": None if selection.winner is None else _candidate(selection.winner),
        "decidedBy": decided,
        "ranking": [_place(place, selection.ranking) for place in selection.ranking],
        "conditional": _conditional(selection.conditional),
        "applied": _applied(selection.applied),
        "reasons": [code.value for code in selection.reasons],
        "doubts": [code.value for code in selection.doubts],
    }


def _candidate(candidate: Candidate) -> Document:
    return {
        "policy": policy_document(candidate.policy),
        "value": candidate.value,
        "annotationKey": candidate.key,
        "priority": reading_document(candidate.priority),
        "weight": reading_document(candidate.weight),
        "exact": candidate.exact,
        "created": time_document(candidate.created),
    }


def _place(place: Ranked, ranking: tuple[Ranked, ...]) -> Document:
    above = ranking[place.rank - 2].candidate if place.rank > 1 else None
    return {
        "rank": place.rank,
        **_candidate(place.candidate),
        "lostBy": _loss(place.lost_to_winner, ranking[0].candidate),
        "next": _loss(place.lost_to_next, above),
    }


def _loss(decision: Decision | None, to: Candidate | None) -> Document | None:
    if decision is None or to is None:
        return None
    return {"rule": decision.rule.code, "text": decision_text(decision), "to": policy_document(to.policy)}


def _conditional(conditional: Conditional | None) -> Document | None:
    if conditional is None:
        return None
    decision = conditional.decided_by
    return {
        **_candidate(conditional.winner),
        "decidedBy": {"rule": decision_code(decision), "text": decision_text(decision)},
        "assuming": assumption(conditional.assuming),
    }


def _applied(applied: tuple[Applied, ...] | None) -> list[Document] | None:
    return None if applied is None else [{"value": found.value, "pods": found.pods} for found in applied]


def _hook(hook: HookSelection) -> Document:
    loss = hook_decision(hook)
    rule = loss.rule if loss else decision_code(None)
    return {
        "hook": HOOK,
        "kind": hook.kind,
        "annotationKey": hook.key,
        "status": hook.status.value,
        "selected": None if hook.winner is None else policy_document(hook.winner),
        "decidedBy": None if hook.winner is None else {"rule": rule, "text": write_loss_text(loss)},
        "ranking": [_hook_place(place) for place in hook.ranking],
        "reasons": [code.value for code in hook.reasons],
        "doubts": [code.value for code in hook.doubts],
    }


def _hook_place(place: HookRanked) -> Document:
    return {
        "rank": place.rank,
        "policy": policy_document(place.policy),
        "weight": place.weight,
        "lostBy": _write_loss(place.lost_by),
    }


def _write_loss(loss: WriteLoss | None) -> Document | None:
    if loss is None:
        return None
    return {"rule": loss.rule, "text": write_loss_text(loss), "to": policy_document(loss.to)}


def _refusal(refusal: Refusal) -> Document:
    return {
        "policy": policy_document(refusal.policy),
        "reason": refusal.reason.value,
        "text": refusal_text(refusal),
    }
