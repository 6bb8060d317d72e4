"""RULES: the five rules of the reference page as one tuple that sorts, explains and documents.

Age is compared only within a kind, so the rules are an order only as long as all keys of one kind lie together in key
order, which one prefix a kind gives (docs/adr/0003). `has_cycle` finds the payloads that break this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cmp_to_key

from kubectl_kubex.core.candidate import OLDEST, Candidate
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.reading import ANY_ORDER, EQUAL, Reading, sign, signs


@dataclass(frozen=True)
class Rule:
    """One rule. `compare` and `outcomes` answer -1 when the left candidate wins, 1 when the right one does, 0 for a
    tie:
    `compare` under the assumed reading, `outcomes` under every reading. `show` gives a candidate's side of it as text;
    `open_facts` the doubts that make `outcomes` more than one. `between` stands between the two sides in a sentence,
    winner first: `weight 100 > 50`.
    """

    code: str
    statement: str
    source: str
    between: str
    compare: Callable[[Candidate, Candidate], int]
    outcomes: Callable[[Candidate, Candidate], frozenset[int]]
    show: Callable[[Candidate], str]
    open_facts: Callable[[Candidate], DoubtCode | None]


@dataclass(frozen=True)
class Decision:
    """Why one candidate ranks above another: the first rule that tells them apart, with both values."""

    rule: Rule
    winner: Candidate
    loser: Candidate

    @property
    def values(self) -> tuple[str, str]:
        return self.rule.show(self.winner), self.rule.show(self.loser)


@dataclass(frozen=True)
class Outlook:
    """Who of two candidates can win, over every reading. `rules`: the codes of the rules that may decide;
    `doubts`: the open facts that the comparison passed, each with the candidate it is a fact of."""

    wins: frozenset[int]
    rules: frozenset[str]
    doubts: tuple[tuple[DoubtCode, Candidate], ...]

    @property
    def left_always_wins(self) -> bool:
        return self.wins == {-1}


def _descending(left: Reading[int], right: Reading[int]) -> int:
    return sign(right.assumed, left.assumed)


def _priority_outcomes(left: Candidate, right: Candidate) -> frozenset[int]:
    one_kind = len(left.kinds) == len(right.kinds) == 1 and left.kinds == right.kinds
    return EQUAL if one_kind or left.shares_policy(right) else signs(right.priority, left.priority)


def _weight_outcomes(left: Candidate, right: Candidate) -> frozenset[int]:
    return EQUAL if left.shares_policy(right) and left.weight == right.weight else signs(right.weight, left.weight)


def _exact(left: Candidate, right: Candidate) -> int:
    return sign(not left.exact, not right.exact)


def _exact_outcomes(left: Candidate, right: Candidate) -> frozenset[int]:
    return ANY_ORDER if left.phantom or right.phantom else frozenset({_exact(left, right)})


def _older(left: Candidate, right: Candidate) -> int:
    same_kind = left.kind is not None and left.kind == right.kind
    return sign(left.created.assumed, right.created.assumed) if same_kind else 0


def _older_outcomes(left: Candidate, right: Candidate) -> frozenset[int]:
    if not left.kinds or not right.kinds:
        return ANY_ORDER
    if not set(left.kinds) & set(right.kinds):
        return EQUAL
    outcomes = signs(left.created, right.created)
    return outcomes if left.kinds == right.kinds and len(left.kinds) == 1 else outcomes | EQUAL


def _key(left: Candidate, right: Candidate) -> int:
    return sign(left.key.encode("utf-8", "surrogatepass"), right.key.encode("utf-8", "surrogatepass"))


def _kind_doubt(candidate: Candidate) -> DoubtCode | None:
    contradicts = len(candidate.kinds) > 1 or candidate.absence is DoubtCode.KIND_CONTRADICTS_PREFIX
    if contradicts:
        return DoubtCode.KIND_CONTRADICTS_PREFIX
    return None if candidate.kinds else DoubtCode.UNKNOWN_KIND


def _phantom_doubt(candidate: Candidate) -> DoubtCode | None:
    return candidate.absence if candidate.phantom else None


def show_time(created: datetime) -> str:
    """RFC3339 in UTC, as the API server prints it; `none` for a payload without a timestamp."""
    return "none" if created == OLDEST else created.strftime("%Y-%m-%dT%H:%M:%SZ")


RULES: tuple[Rule, ...] = (
    Rule(
        "priority",
        "The policy type with the higher priority in PolicyEvaluation wins.",
        "Policy Evaluation Reference, Default Behavior",
        ">",
        lambda left, right: _descending(left.priority, right.priority),
        _priority_outcomes,
        lambda candidate: str(candidate.priority.assumed),
        lambda candidate: candidate.priority.doubt or _kind_doubt(candidate),
    ),
    Rule(
        "weight",
        "At equal priority, the policy with the higher spec.weight wins.",
        "Policy Evaluation Reference, Default Behavior",
        ">",
        lambda left, right: _descending(left.weight, right.weight),
        _weight_outcomes,
        lambda candidate: str(candidate.weight.assumed),
        lambda candidate: candidate.weight.doubt,
    ),
    Rule(
        "exact-target",
        'At equal weight, a recommendation for the container by name wins over one for "*".',
        "Policy Evaluation Reference, Default Behavior",
        "over",
        _exact,
        _exact_outcomes,
        lambda candidate: "exact" if candidate.exact else '"*"',
        _phantom_doubt,
    ),
    Rule(
        "older",
        "Between policies of the same kind, the older one wins; a payload without a timestamp is the oldest.",
        "Policy Evaluation Reference, Example 4",
        "before",
        _older,
        _older_outcomes,
        lambda candidate: show_time(candidate.created.assumed),
        lambda candidate: candidate.created.doubt or _kind_doubt(candidate),
    ),
    Rule(
        "annotation-key",
        "Whatever is still equal, the smaller annotation key wins, byte by byte.",
        "Policy Evaluation Reference, Default Behavior",
        "before",
        _key,
        lambda left, right: frozenset({_key(left, right)}),
        lambda candidate: candidate.key,
        lambda _: None,
    ),
)

ONLY_CANDIDATE = "only-candidate"
LATE_RULES = frozenset({"exact-target", "older", "annotation-key"})
"""The rules on which the documentation of charts up to 1.11 differs from the reference page (engine.md section 10)."""


def compare(left: Candidate, right: Candidate) -> int:
    """-1 when `left` ranks above `right` under the assumed reading, 1 when below. 0 only for claims that no rule tells
    apart: the same key naming one container twice, which no decoder yields."""
    return next((result for rule in RULES if (result := rule.compare(left, right))), 0)


def decide(winner: Candidate, loser: Candidate) -> Decision:
    """The first rule that puts `winner` above `loser`; raises ValueError when the rules do not."""
    for rule in RULES:
        result = rule.compare(winner, loser)
        if result < 0:
            return Decision(rule, winner, loser)
        if result > 0:
            break
    raise ValueError(f"{winner.key} does not rank above {loser.key}")


def outlook(left: Candidate, right: Candidate) -> Outlook:
    """Who can win between the two over every reading, and on what that hangs."""
    wins: set[int] = set()
    rules: set[str] = set()
    doubts: list[tuple[DoubtCode, Candidate]] = []
    for rule in RULES:
        outcomes = rule.outcomes(left, right)
        if decided := outcomes - EQUAL:
            wins |= decided
            rules.add(rule.code)
        if len(outcomes) > 1:
            doubts += [(doubt, side) for side in (left, right) if (doubt := rule.open_facts(side))]
        if 0 not in outcomes:
            break
    return Outlook(frozenset(wins), frozenset(rules), tuple(doubts))


def rank(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates, best first, under the assumed reading. Independent of the order given.

    Where the rules are cyclic (`has_cycle`) the result is merely some stable order.
    """
    by_key = sorted(candidates, key=lambda candidate: (candidate.key, not candidate.exact))
    return tuple(sorted(by_key, key=cmp_to_key(compare)))


def has_cycle(ranking: Sequence[Candidate]) -> bool:
    """Whether the rules contradict themselves over `ranking`, as returned by `rank`: some candidate does not rank above
    one that stands below it."""
    return any(compare(above, below) > 0 for above, below in _pairs(ranking))


def _pairs(ranking: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    for index, above in enumerate(ranking):
        for below in ranking[index + 1 :]:
            yield above, below
