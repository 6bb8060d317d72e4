"""Facts about the whole answer that change no winner: disagreements, gaps, confidence. They go to the doubt ledger."""

from __future__ import annotations

from kubectl_kubex.core.answer import TargetSelection
from kubectl_kubex.core.applied import running
from kubectl_kubex.core.claims import Claims
from kubectl_kubex.core.doubt_ledger import DoubtLedger, policy_text
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.gap_doubts import gap_doubt
from kubectl_kubex.core.recommendation import Form
from kubectl_kubex.core.scope import is_unclear
from kubectl_kubex.core.snapshot import Snapshot


def record_findings(
    snapshot: Snapshot, claims: Claims, targets: tuple[TargetSelection, ...], ledger: DoubtLedger
) -> None:
    """Note every fact about `snapshot` and the selections made from it that a reader should know."""
    _payloads(snapshot, claims, ledger)
    _late_rules(targets, ledger)
    _mixes(snapshot, targets, ledger)
    _pods(snapshot, ledger)
    _policies(snapshot, ledger)
    for gap in snapshot.gaps:
        if gap.hides_objects:
            doubt = gap_doubt(gap)
            ledger.record(doubt.code, doubt.subject, None, **doubt.detail)
    for name in snapshot.precedence.other_objects:
        ledger.record(DoubtCode.OTHER_PRECEDENCE, name)


def _payloads(snapshot: Snapshot, claims: Claims, ledger: DoubtLedger) -> None:
    for recommendation in snapshot.recommendations:
        if recommendation.form is Form.UNREADABLE:
            ledger.record(DoubtCode.PAYLOAD_UNREADABLE, recommendation.key, problem=recommendation.problem)
    for name, key in claims.unknown_containers:
        ledger.record(DoubtCode.CONTAINER_UNKNOWN, key, container=name)
    for name, key in claims.not_resizable:
        ledger.record(DoubtCode.CONTAINER_NOT_RESIZABLE, key, container=name)
    if not claims.containers_known and claims.by_target:
        ledger.record(DoubtCode.CONTAINERS_UNKNOWN, snapshot.workload.kind)


def _late_rules(targets: tuple[TargetSelection, ...], ledger: DoubtLedger) -> None:
    for selection in targets:
        decision = selection.decided_by
        if decision is None:
            continue
        if decision.rule.code == "annotation-key" and decision.winner.key.lower() > decision.loser.key.lower():
            ledger.record(DoubtCode.BYTE_ORDER, decision.winner.key, selection.target)
        if decision.rule.code == "older" and decision.winner.created_field:
            ledger.record(DoubtCode.CREATED_FIELD, decision.winner.created_field, selection.target)


def _mixes(snapshot: Snapshot, targets: tuple[TargetSelection, ...], ledger: DoubtLedger) -> None:
    forms: dict[str, set[bool]] = {}
    for recommendation in snapshot.recommendations:
        forms.setdefault(recommendation.kind or recommendation.prefix, set()).add(recommendation.digest is not None)
    for kind in sorted(kind for kind, found in forms.items() if len(found) > 1):
        ledger.record(DoubtCode.MIXED_FORMS, kind)
    if any(True in found for found in forms.values()):
        return
    winners = [selection for selection in targets if selection.winner is not None]
    if len({selection.winner.kinds for selection in winners if selection.winner}) > 1:
        for selection in winners:
            ledger.record(DoubtCode.CROSS_KIND_MIX, "", selection.target)


def _pods(snapshot: Snapshot, ledger: DoubtLedger) -> None:
    if snapshot.pods is None:
        return
    pods = running(snapshot.pods)
    if not pods:
        ledger.record(DoubtCode.NO_PODS)
    keys = {recommendation.key for recommendation in snapshot.recommendations}
    lagging: dict[str, list[str]] = {}
    for pod in pods:
        copies = {key for key in pod.annotations if "desired-resource-" in key}
        for key in sorted(keys | copies):
            if pod.annotations.get(key) != snapshot.workload.annotations.get(key):
                lagging.setdefault(key, []).append(pod.name)
    for key, names in lagging.items():
        ledger.record(DoubtCode.POD_COPY_DIFFERS, key, pods=", ".join(names), count=str(len(names)), of=str(len(pods)))


def _policies(snapshot: Snapshot, ledger: DoubtLedger) -> None:
    for policy in snapshot.policies:
        if policy.problem is not None:
            ledger.record(DoubtCode.POLICY_INVALID, policy_text(policy.ref), problem=policy.problem)
        selector = policy.scope.namespace_selector
        if selector is not None and is_unclear(selector, snapshot.workload.namespace):
            ledger.record(DoubtCode.PATTERN_UNCLEAR, policy_text(policy.ref), values=", ".join(selector.values))
