"""All policies in rank order, with how many workloads each matches, or how each stands to one workload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from kubectl_kubex.core.answer import Answer, HookSelection
from kubectl_kubex.core.candidate import OLDEST
from kubectl_kubex.core.kinds import BY_NAME
from kubectl_kubex.core.model import Policy, PolicyRef, Workload
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.reading import Reading
from kubectl_kubex.core.scope import Refusal, refusal


@dataclass(frozen=True)
class Standing:
    """How a policy stands to one workload. `matches` None: its spec makes no sense, so nobody can say. `ranked`: the
    targets on which it is a candidate, `wins` those of them that it wins; `hook`: the one for which it is a candidate;
    `refusal`: why it is no candidate."""

    matches: bool | None
    ranked: int = 0
    wins: int = 0
    hook: HookSelection | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class PolicyRow:
    """One policy. `matched`: number of workloads, None where they could not be counted; `at_most`: the true number may
    be lower, since the policy also asks for containers, which the list of workloads does not show."""

    rank: int
    ref: PolicyRef
    priority: Reading[int]
    weight: int
    created: datetime | None
    problem: str | None = None
    matched: int | None = None
    at_most: bool = False
    standing: Standing | None = None


def counted(
    policies: Sequence[Policy], precedence: Precedence, workloads: Sequence[Workload] | None
) -> tuple[PolicyRow, ...]:
    """Every policy with the number of `workloads` that it matches; None: they could not be read."""
    return _rows(policies, precedence, _matches(policies, workloads), {})


def standings(answer: Answer) -> tuple[PolicyRow, ...]:
    """Every policy of the answer's snapshot with its standing to the workload."""
    refusals = {found.policy: found for found in answer.refusals}
    found = {policy.ref: _standing(policy, answer, refusals.get(policy.ref)) for policy in answer.snapshot.policies}
    return _rows(answer.snapshot.policies, answer.snapshot.precedence, {}, found)


def rank_order(policies: Iterable[Policy], precedence: Precedence) -> list[Policy]:
    """As the five rules order recommendations for the same container: priority, weight, and, within a kind, age. Kinds
    follow their annotation keys; what has no known priority stands last."""

    def place(policy: Policy) -> tuple[bool, int, int, str, datetime, tuple[str, str, str]]:
        priority = precedence.priority(policy.ref.kind)
        prefix = BY_NAME[policy.ref.kind].key_prefix or policy.ref.kind.lower()
        created = policy.created or OLDEST
        return (priority.is_open, -priority.assumed, -policy.weight, prefix, created, policy.ref.sort_key)

    return sorted(policies, key=place)


def _rows(
    policies: Sequence[Policy],
    precedence: Precedence,
    matches: dict[PolicyRef, int],
    standing: dict[PolicyRef, Standing],
) -> tuple[PolicyRow, ...]:
    return tuple(
        PolicyRow(
            rank,
            policy.ref,
            precedence.priority(policy.ref.kind),
            policy.weight,
            policy.created,
            policy.problem,
            matches.get(policy.ref),
            bool(policy.scope.containers),
            standing.get(policy.ref),
        )
        for rank, policy in enumerate(rank_order(policies, precedence), 1)
    )


def _matches(policies: Sequence[Policy], workloads: Sequence[Workload] | None) -> dict[PolicyRef, int]:
    if workloads is None:
        return {}
    by_namespace: dict[str, list[Workload]] = {}
    for workload in workloads:
        by_namespace.setdefault(workload.namespace, []).append(workload)
    return {
        policy.ref: sum(
            refusal(policy, workload) is None
            for workload in (workloads if policy.ref.namespace is None else by_namespace.get(policy.ref.namespace, ()))
        )
        for policy in policies
        if policy.problem is None
    }


def _standing(policy: Policy, answer: Answer, refused: Refusal | None) -> Standing:
    ranked = sum(any(place.candidate.policy == policy.ref for place in t.ranking) for t in answer.targets)
    wins = sum(t.winner is not None and t.winner.policy == policy.ref for t in answer.targets)
    hook = next((h for h in answer.hooks if any(place.policy == policy.ref for place in h.ranking)), None)
    matches = None if policy.problem is not None else refusal(policy, answer.snapshot.workload) is None
    return Standing(matches, ranked, wins, hook, refused)
