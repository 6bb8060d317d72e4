"""Which policies never entered the ranking, and why. With the candidates, these are all policies of the snapshot."""

from __future__ import annotations

from kubectl_kubex.core.answer import HookSelection
from kubectl_kubex.core.claims import Claims
from kubectl_kubex.core.doubt_ledger import policy_text
from kubectl_kubex.core.hooks import write_loss
from kubectl_kubex.core.kinds import BY_NAME, Publishes
from kubectl_kubex.core.model import Policy, PolicyRef
from kubectl_kubex.core.owners import write_order
from kubectl_kubex.core.scope import Refusal, RefusalReason, refusal
from kubectl_kubex.core.snapshot import Snapshot


def refusals_of(snapshot: Snapshot, claims: Claims, hooks: tuple[HookSelection, ...]) -> tuple[Refusal, ...]:
    """One refusal for each policy of the snapshot that is no candidate for any target or hook, in a fixed order."""
    ranked = {claim.policy for candidates in claims.by_target.values() for claim in candidates}
    ranked |= {place.policy for hook in hooks for place in hook.ranking}
    left = [policy for policy in snapshot.policies if policy.ref not in ranked]
    found = (refusal(policy, snapshot.workload) or _unpublished(policy, snapshot) for policy in left)
    return tuple(sorted(found, key=lambda item: (_kind_order(item.policy), item.policy.sort_key)))


def _kind_order(ref: PolicyRef) -> int:
    return list(BY_NAME).index(ref.kind)


def _unpublished(policy: Policy, snapshot: Snapshot) -> Refusal:
    """A policy that matches and yet has no recommendation here."""
    kind = BY_NAME[policy.ref.kind]
    fixed = [r for r in snapshot.recommendations if r.kind == kind.name and r.digest is None and r.policy_name is None]
    if kind.publishes is Publishes.RESOURCES and fixed:
        same = [p for p in snapshot.policies if p.ref.kind == kind.name and refusal(p, snapshot.workload) is None]
        first = write_order(same)[0]
        if first.ref != policy.ref:
            loss = write_loss(first, policy)
            values = (("winner", loss.winner_value), ("loser", loss.loser_value))
            details = (("to", policy_text(first.ref)), ("rule", loss.rule), *values)
            return Refusal(policy.ref, RefusalReason.OUTRANKED_AT_WRITE, details)
    return Refusal(policy.ref, RefusalReason.NO_RECOMMENDATION)
