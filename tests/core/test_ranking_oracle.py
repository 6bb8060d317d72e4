"""Ranking against the independent oracle, and the laws that an order of policies must obey."""

from __future__ import annotations

import itertools
import random
from datetime import timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.core import ranking
from kubectl_kubex.core.answer import Status
from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.ranking import RULES, Rule, compare, decide, has_cycle, rank
from kubectl_kubex.core.reading import anything
from kubectl_kubex.core.selection import select_target
from tests import oracle
from tests.builders import CPU, ELEVEN, TEN, a_candidate, rule_of
from tests.strategies import KINDS, RULE_CODES, Scene, core_of, core_scene, moved, scene, scenes, zones

SCENES = 12_000


def told(candidates: list[Candidate]) -> tuple[str, bool, str] | None:
    """Winner (key and form) and rule as the program says; None where its rules do not tell two claims apart."""
    order = rank(candidates)
    if len(order) == 1:
        return order[0].key, order[0].exact, "only-candidate"
    try:
        return order[0].key, order[0].exact, decide(order[0], order[1]).rule.code
    except ValueError:
        return None


def expected(found: Scene) -> tuple[str, bool, str]:
    """Winner and rule as the oracle says."""
    answer = oracle.oracle_winner_and_rule(found)
    assert answer is not None, found
    winner, rule = answer
    return winner.key, winner.exact, RULE_CODES[rule]


def test_ranking_agrees_with_the_oracle_on_winner_and_rule_over_many_scenes() -> None:
    """12,000 scenes; each rule decides in hundreds of them."""
    rng = random.Random(20260801)
    decided: dict[str, int] = dict.fromkeys(RULE_CODES.values(), 0)
    for _ in range(SCENES):
        found = scene(rng)
        said = told(core_scene(found))
        assert said == expected(found), found
        assert said is not None
        decided[said[2]] += 1
    assert min(decided.values()) > 300, decided


def test_selection_agrees_with_the_oracle_too() -> None:
    """Where every fact is known, nothing is undetermined, and the answer is the oracle's down to the whole order."""
    rng = random.Random(4)
    for _ in range(3_000):
        found = scene(rng)
        selection = select_target(CPU, core_scene(found))
        assert selection.status is Status.SELECTED, found
        assert selection.winner is not None
        assert (selection.winner.key, selection.winner.exact, rule_of(selection)) == expected(found), found
        order = oracle.oracle_order(found)
        assert order is not None
        assert [(place.candidate.key, place.candidate.exact) for place in selection.ranking] == [
            (claim.key, claim.exact) for claim in order
        ]


@given(scenes(least=2))
def test_every_loser_knows_the_rule_and_both_values(found: Scene) -> None:
    """Against the winner, and against the one directly above it."""
    places = select_target(CPU, core_scene(found)).ranking
    claims = {(claim.key, claim.exact): claim for claim in found}
    assert places[0].lost_to_winner is None
    assert places[0].lost_to_next is None
    for above, place in itertools.pairwise(places):
        for loss, to in ((place.lost_to_winner, places[0]), (place.lost_to_next, above)):
            assert loss is not None
            assert (loss.winner, loss.loser) == (to.candidate, place.candidate)
            pair = [claims[c.key, c.exact] for c in (loss.winner, loss.loser)]
            better, rule = oracle.better_of(*pair)
            assert better is pair[0]
            assert loss.rule.code == RULE_CODES[rule]
            assert loss.values == (loss.rule.show(loss.winner), loss.rule.show(loss.loser))
            assert loss.values[0] != loss.values[1]
    assert [place.rank for place in places] == list(range(1, len(found) + 1))


@given(scenes(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(found: Scene, rng: random.Random) -> None:
    shuffled = rng.sample(found, len(found))
    assert rank(core_scene(found)) == rank(core_scene(shuffled))
    assert select_target(CPU, core_scene(found)) == select_target(CPU, core_scene(shuffled))


@given(scenes(most=6))
def test_the_order_is_total_antisymmetric_and_transitive(found: Scene) -> None:
    """While no kind contradicts its prefix: exactly one of two wins, and winning carries over."""
    candidates = core_scene(found)
    for left, right in itertools.combinations(candidates, 2):
        assert compare(left, right) in (-1, 1)
        assert compare(left, right) == -compare(right, left)
        assert sum(_decides(*pair) for pair in ((left, right), (right, left))) == 1
    for a, b, c in itertools.permutations(candidates, 3):
        if compare(a, b) < 0 and compare(b, c) < 0:
            assert compare(a, c) < 0
    assert not has_cycle(rank(candidates))


def _decides(winner: Candidate, loser: Candidate) -> bool:
    try:
        decide(winner, loser)
    except ValueError:
        return False
    return True


def test_a_claim_does_not_rank_above_itself() -> None:
    same = a_candidate()
    assert compare(same, same) == 0
    with pytest.raises(ValueError, match="does not rank above"):
        decide(same, same)


@given(scenes(least=2, most=6))
def test_adding_a_loser_keeps_the_winner_and_removing_one_keeps_the_order(found: Scene) -> None:
    order = rank(core_scene(found))
    for index, gone in enumerate(order):
        left = [candidate for candidate in order if candidate is not gone]
        assert rank(left) == tuple(left)
        if index:
            assert rank(left)[0] == order[0]


@given(scenes(), st.integers(1, 3))
def test_raising_the_winners_weight_or_its_kinds_priority_keeps_it_the_winner(found: Scene, more: int) -> None:
    first = rank(core_scene(found))[0]
    heavier = [claim._replace(weight=claim.weight + more) if claim.key == first.key else claim for claim in found]
    higher = [claim._replace(priority=claim.priority + more) if claim.kind == first.kind else claim for claim in found]
    for raised in (heavier, higher):
        winner = rank(core_scene(raised))[0]
        assert (winner.key, winner.exact) == (first.key, first.exact)


@given(scenes(), st.timedeltas(timedelta(days=-9000), timedelta(days=9000)))
def test_shifting_all_times_by_one_amount_changes_nothing(found: Scene, shift: timedelta) -> None:
    shifted = [moved(claim, lambda time: time + shift) for claim in found]
    assert [c.key for c in rank(core_scene(shifted))] == [c.key for c in rank(core_scene(found))]
    assert told(core_scene(shifted)) == told(core_scene(found))


@given(scenes(), zones())
def test_the_same_instants_in_another_time_zone_change_nothing(found: Scene, zone: timezone) -> None:
    elsewhere = [moved(claim, lambda time: time.astimezone(zone)) for claim in found]
    assert rank(core_scene(elsewhere)) == rank(core_scene(found))


def test_one_instant_written_in_two_zones_is_a_tie_of_ages() -> None:
    """No policy gets older by being written in another zone: the key decides."""
    tokyo = TEN.astimezone(timezone(timedelta(hours=9)))
    pair = [a_candidate(digest="B", created=TEN), a_candidate(digest="A", created=tokyo)]
    assert decide(*rank(pair)).rule.code == "annotation-key"


# --- The order of the rules ------------------------------------------------------------------------------------------

CODES = tuple(rule.code for rule in RULES)
BY_CODE = {rule.code: rule for rule in RULES}
WRONG_ORDERS = [order for order in itertools.permutations(CODES) if order != CODES]
DELETIONS = [tuple(code for code in CODES if code != gone) for gone in CODES]
SAMPLE = [scene(random.Random(seed), 4) for seed in range(3_000)]


def reordered(order: tuple[str, ...]) -> tuple[Rule, ...]:
    return tuple(BY_CODE[code] for code in order)


def is_caught() -> bool:
    """Whether some scene shows that the rules in force are not the page's."""
    return any(told(core_scene(found)) != expected(found) for found in SAMPLE)


def test_the_rules_as_they_are_pass_the_sample() -> None:
    """Without this, the tests below would prove nothing."""
    assert CODES == ("priority", "weight", "exact-target", "older", "annotation-key")
    assert not is_caught()


@pytest.mark.parametrize("order", WRONG_ORDERS + DELETIONS, ids=">".join)
def test_a_wrong_order_or_a_missing_rule_is_caught(order: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """All 119 wrong orders (the four neighbour swaps among them) and all five deletions."""
    monkeypatch.setattr(ranking, "RULES", reordered(order))
    assert is_caught()


@pytest.mark.parametrize("code", CODES)
def test_a_rule_in_the_wrong_direction_is_caught(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = BY_CODE[code]
    turned = Rule(
        rule.code, rule.statement, rule.source, rule.between, lambda left, right: rule.compare(right, left),
        rule.outcomes, rule.show, rule.open_facts,
    )  # fmt: skip
    monkeypatch.setattr(ranking, "RULES", tuple(turned if r is rule else r for r in RULES))
    assert is_caught()


@given(scenes(least=2))
def test_what_holds_under_every_reading_is_what_compare_says_when_nothing_is_open(found: Scene) -> None:
    """`outcomes` and `compare` of a rule are two functions: with known facts they agree."""
    for left, right in itertools.permutations(core_scene(found), 2):
        for rule in RULES:
            assert rule.outcomes(left, right) == {rule.compare(left, right)}
        look = ranking.outlook(left, right)
        assert look.wins == {compare(left, right)}
        assert look.doubts == ()


def test_every_kind_of_the_alphabet_gets_candidates() -> None:
    """The generator reaches every kind, both target forms, both key forms and missing times."""
    claims = [claim for found in SAMPLE for claim in found]
    assert {claim.kind for claim in claims} == set(KINDS)
    assert {claim.exact for claim in claims} == {True, False}
    assert None in {claim.created for claim in claims}
    assert any("/h" not in claim.key for claim in claims)
    assert all(core_of(claim).kind == claim.kind for claim in claims[:50])


# --- What is open about a claim --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({}, None),
        ({"kinds": ("ProactivePolicy", "StaticPolicy")}, DoubtCode.KIND_CONTRADICTS_PREFIX),
        ({"kinds": (), "absence": DoubtCode.KIND_CONTRADICTS_PREFIX}, DoubtCode.KIND_CONTRADICTS_PREFIX),
        ({"kinds": ()}, DoubtCode.UNKNOWN_KIND),
    ],
    ids=["plain", "two-kinds", "an-unknown-one-of-two", "unknown"],
)
def test_an_open_kind_is_an_open_fact_of_priority_and_of_age(changes: dict[str, Any], doubt: DoubtCode | None) -> None:
    claim = a_candidate(**changes)
    assert {rule.code for rule in RULES if rule.open_facts(claim) is not None} == (
        {"priority", "older"} if doubt else set()
    )
    assert BY_CODE["priority"].open_facts(claim) is doubt
    assert BY_CODE["older"].open_facts(claim) is doubt


def test_an_open_fact_has_its_own_doubt_before_the_kinds() -> None:
    claim = a_candidate(
        priority=anything(0, DoubtCode.TYPE_UNLISTED),
        weight=anything(0, DoubtCode.WEIGHT_UNKNOWN),
        created=anything(TEN, DoubtCode.CREATED_UNCLEAR),
        kinds=(),
    )
    facts = [rule.open_facts(claim) for rule in RULES]
    assert facts == [DoubtCode.TYPE_UNLISTED, DoubtCode.WEIGHT_UNKNOWN, None, DoubtCode.CREATED_UNCLEAR, None]


def test_one_key_that_names_a_container_twice_breaks_nothing() -> None:
    """No decoder yields it; there is still an answer, and no rule that says why."""
    twice = [a_candidate(value="1"), a_candidate(value="1")]
    selection = select_target(CPU, twice)
    assert selection.status is Status.SELECTED
    assert [place.lost_to_winner for place in selection.ranking] == [None, None]


def test_keys_are_compared_byte_by_byte_whatever_they_hold() -> None:
    """Upper case before lower, no locale, and no key that cannot be compared."""
    keys = ["", "-", "A", "B", "Z", "_", "a", "b", "é", "\ud800", "\uffff", "\U0001f600"]
    for seed in range(5):
        claims = [a_candidate(key=key or " ") for key in random.Random(seed).sample(keys, len(keys))]
        assert [claim.key for claim in rank(claims)] == [key or " " for key in keys]


ONE, TWO = "ProactivePolicy", "StaticPolicy"


@pytest.mark.parametrize(
    ("left", "right", "outcomes"),
    [
        ((ONE,), (ONE,), {-1}),
        ((ONE,), (TWO,), {0}),
        ((ONE,), (ONE, TWO), {-1, 0}),
        ((ONE, TWO), (ONE,), {-1, 0}),
        ((ONE, TWO), (ONE, TWO), {-1, 0}),
        ((ONE, TWO), ("RollbackPolicy",), {0}),
        ((), (ONE,), {-1, 0, 1}),
        ((ONE,), (), {-1, 0, 1}),
        ((), (), {-1, 0, 1}),
    ],
    ids=str,
)
def test_age_decides_only_where_both_may_be_of_one_kind(
    left: tuple[str, ...], right: tuple[str, ...], outcomes: set[int]
) -> None:
    """The left one is older. Where its kind, or the other's, is open, age may have no say."""
    pair = a_candidate(kinds=left, created=TEN), a_candidate(kinds=right, created=ELEVEN)
    assert BY_CODE["older"].outcomes(*pair) == outcomes
