"""Which policy and which strategy supply each target of the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kubectl_kubex.core.answer import Answer, TargetSelection
from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.kinds import BY_NAME
from kubectl_kubex.core.model import PolicyRef, Target
from kubectl_kubex.core.plan.facts import PlanFacts
from kubectl_kubex.core.plan.strategy import Strategy


@dataclass(frozen=True)
class Supplier:
    """What supplies one target. `winner` None: the selection names nobody, not even on an assumption. `determined`:
    selection is sure of it. `strategy` None: `missing` says why, from a closed set."""

    target: Target
    winner: Candidate | None
    determined: bool
    strategy: Strategy | None = None
    missing: str = ""
    reference: PolicyRef | None = None

    @property
    def is_sure(self) -> bool:
        return self.determined and self.strategy is not None


def suppliers_of(answer: Answer, facts: PlanFacts) -> dict[Target, Supplier]:
    """One supplier for each target of the answer, in its order."""
    return {selection.target: _supplier(selection, answer, facts) for selection in answer.targets}


def _supplier(selection: TargetSelection, answer: Answer, facts: PlanFacts) -> Supplier:
    winner = selection.winner or (selection.conditional.winner if selection.conditional else None)
    determined = selection.winner is not None
    if winner is None or winner.value is None:
        return Supplier(selection.target, None, determined=False)
    reference, missing = _reference(winner, answer)
    if reference is None:
        return Supplier(selection.target, winner, determined, missing=missing)
    found = (facts.strategies or {}).get(reference)
    if found is None:
        unread = facts.strategies is None or facts.hides(reference.kind)
        return Supplier(selection.target, winner, determined, None, "unread" if unread else "missing", reference)
    if found.problem is not None:
        return Supplier(selection.target, winner, determined, None, "invalid", reference)
    return Supplier(selection.target, winner, determined, found, "", reference)


def _reference(winner: Candidate, answer: Answer) -> tuple[PolicyRef | None, str]:
    """The strategy that the winner's live policy names. A namespaced policy names one of its own namespace, a cluster
    policy a cluster strategy (engine.md 1.2)."""
    kind = BY_NAME.get(winner.policy.kind)
    if kind is None or winner.policy.name is None:
        return None, "policy-unknown"
    if kind.strategy_kind is None:
        return None, "kind-without-strategy"
    live = next((policy for policy in answer.snapshot.policies if policy.ref == winner.policy), None)
    if live is None:
        return None, "policy-not-found"
    if live.strategy is None:
        return None, "not-referenced"
    return PolicyRef(kind.strategy_kind, winner.policy.namespace, live.strategy), ""


def strategies_of(suppliers: dict[Target, Supplier]) -> Iterator[Strategy]:
    """Each strategy once, in the order of the targets."""
    seen: set[PolicyRef] = set()
    for supplier in suppliers.values():
        if supplier.strategy is not None and supplier.strategy.ref not in seen:
            seen.add(supplier.strategy.ref)
            yield supplier.strategy
