"""select: one snapshot in, one answer out. Per target the winner that holds under every reading, or why there is none.

A winner that a later gate or check removes still wins (reference page, Multi-policy composition): nothing here looks at
strategies, pauses or filters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kubectl_kubex.core.answer import Answer, Conditional, Ranked, Status, TargetSelection
from kubectl_kubex.core.applied import applied_values
from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.claims import claims_of
from kubectl_kubex.core.doubt_ledger import DoubtLedger
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.findings import record_findings
from kubectl_kubex.core.hooks import select_hooks
from kubectl_kubex.core.model import Generation, Target
from kubectl_kubex.core.ranking import LATE_RULES, Decision, Outlook, compare, decide, has_cycle, outlook, rank
from kubectl_kubex.core.refusals import refusals_of
from kubectl_kubex.core.snapshot import Snapshot

# Open facts for which the contract suggests an assumption, so that a conditional answer can be given.
ASSUMABLE = frozenset(
    {
        DoubtCode.PRECEDENCE_MISSING,
        DoubtCode.PRECEDENCE_UNREADABLE,
        DoubtCode.TYPE_UNLISTED,
        DoubtCode.TYPE_DUPLICATED,
        DoubtCode.PRIORITY_INVALID,
        DoubtCode.KIND_CONTRADICTS_PREFIX,
        DoubtCode.WEIGHT_CHANGED,
        DoubtCode.POLICY_GONE,
        DoubtCode.POLICY_NO_LONGER_MATCHES,
        DoubtCode.POLICY_UNREADABLE,
        DoubtCode.PAYLOAD_UNREADABLE,
        DoubtCode.VALUE_UNREADABLE,
        DoubtCode.LEGACY_PREFIX,
        DoubtCode.CREATED_UNCLEAR,
        DoubtCode.OLDER_ENGINE,
        DoubtCode.ENGINE_UNKNOWN,
    }
)

# Whether the late tie-breaks are the reference page's depends on the engine (engine.md 10 and 14.8).
_ENGINE_DOUBTS = {Generation.OLDER: DoubtCode.OLDER_ENGINE, Generation.UNKNOWN: DoubtCode.ENGINE_UNKNOWN}


def select(snapshot: Snapshot) -> Answer:
    """The answer for the snapshot's workload. Never raises for odd input: oddities become doubts."""
    claims = claims_of(snapshot)
    ledger = DoubtLedger()
    generation = generation_of(snapshot)
    targets = tuple(
        replace(
            select_target(target, candidates, generation, ledger),
            applied=applied_values(target, snapshot.pods),
        )
        for target, candidates in claims.by_target.items()
    )
    hooks = select_hooks(snapshot, ledger)
    record_findings(snapshot, claims, targets, ledger)
    doubts = ledger.doubts()
    return Answer(snapshot, targets, hooks, refusals_of(snapshot, claims, hooks), doubts)


def generation_of(snapshot: Snapshot) -> Generation:
    """The engine's generation, hashed keys on the workload counting as evidence (engine.md 14.8)."""
    if any(recommendation.digest for recommendation in snapshot.recommendations):
        return Generation.MULTI_POLICY
    return snapshot.engine.generation


def select_target(
    target: Target,
    candidates: Iterable[Candidate],
    generation: Generation = Generation.MULTI_POLICY,
    ledger: DoubtLedger | None = None,
) -> TargetSelection:
    """The answer for one target, given every claim on it. Doubts with their facts go to `ledger`."""
    ledger = ledger if ledger is not None else DoubtLedger()
    claims = tuple(candidates)
    ranking = rank(candidate for candidate in claims if not candidate.phantom)
    phantoms = sorted((c for c in claims if c.phantom), key=lambda candidate: candidate.key)
    if not ranking:
        reasons = ledger.record_claims(target, [(phantom.absence, phantom) for phantom in phantoms])
        return TargetSelection(target, Status.UNDETERMINED, (), reasons=reasons)
    winner, others = ranking[0], (*ranking[1:], *phantoms)
    outlooks = [outlook(winner, other) for other in others]
    open_facts = _open_facts(winner, others, outlooks, generation)
    reasons = ledger.record_claims(target, open_facts)
    if has_cycle(ranking):
        keys = ", ".join(sorted({candidate.key for candidate in ranking}))
        reasons = (*reasons, ledger.record(DoubtCode.CYCLIC_ORDER, keys, target))
    doubts = tuple(code for code in ledger.record_claims(target, _quiet_facts(claims, outlooks)) if code not in reasons)
    places = _places(ranking)
    decided = places[1].lost_to_winner if len(places) > 1 else None
    if reasons:
        assumable = ASSUMABLE.issuperset(reasons)
        conditional = Conditional(winner, decided, reasons) if assumable else None
        return TargetSelection(
            target, Status.UNDETERMINED, places, conditional=conditional, reasons=reasons, doubts=doubts
        )
    return TargetSelection(target, Status.SELECTED, places, winner, decided, doubts=doubts)


def _open_facts(
    winner: Candidate, others: Sequence[Candidate], outlooks: Sequence[Outlook], generation: Generation
) -> list[tuple[DoubtCode | None, Candidate]]:
    """Every fact that could make another candidate win, with the candidate it is a fact of. Within one payload a named
    container over `*` is the payload's own affair (engine.md 5.4): no rival, and no engine differs on it.
    """
    facts: list[tuple[DoubtCode | None, Candidate]] = []
    for other, look in zip(others, outlooks, strict=True):
        if not look.left_always_wins:
            facts += look.doubts
            facts.append((other.absence if other.phantom else None, other))
        if look.rules & LATE_RULES and not other.phantom and other.key != winner.key:
            facts.append((_ENGINE_DOUBTS.get(generation), winner))
    if winner.absence and any(other.key != winner.key for other in others):
        facts.append((winner.absence, winner))
    return facts


def _quiet_facts(claims: Sequence[Candidate], outlooks: Sequence[Outlook]) -> list[tuple[DoubtCode | None, Candidate]]:
    """Facts worth saying even where the winner holds: of each claim, and of each comparison on an open fact."""
    facts: list[tuple[DoubtCode | None, Candidate]] = []
    for claim in claims:
        facts += [(claim.absence, claim), (claim.identity, claim)]
        if claim.weight.doubt is DoubtCode.WEIGHT_CHANGED:
            facts.append((claim.weight.doubt, claim))
        if len(claim.kinds) != 1:
            facts.append((DoubtCode.KIND_CONTRADICTS_PREFIX if claim.kinds else DoubtCode.UNKNOWN_KIND, claim))
    for look in outlooks:
        facts += look.doubts
    return facts


def _places(ranking: Sequence[Candidate]) -> tuple[Ranked, ...]:
    first = ranking[0]
    return tuple(
        Ranked(
            index + 1,
            candidate,
            _lost(candidate, first) if index else None,
            _lost(candidate, ranking[index - 1]) if index else None,
        )
        for index, candidate in enumerate(ranking)
    )


def _lost(candidate: Candidate, to: Candidate) -> Decision | None:
    return decide(to, candidate) if compare(to, candidate) < 0 else None
