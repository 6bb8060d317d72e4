"""Payloads whose policyKind contradicts their key's prefix, and the circles they can make (docs/adr/0003)."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given

from kubectl_kubex.core.answer import Answer, Status
from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import BY_PREFIX, RESOURCE_KINDS
from kubectl_kubex.core.ranking import compare, has_cycle, rank
from kubectl_kubex.core.selection import select_target
from tests import oracle
from tests.builders import (
    CPU,
    ELEVEN,
    TEN,
    a_candidate,
    answer_to,
    codes,
    envelope,
    hashed_key,
    raw_policy,
    raw_precedence,
    raw_workload,
    target_of,
)
from tests.strategies import Scene, contradicting_scenes, core_scene, scene, scenes

# The table of the ADR. `A` contradicts its prefix.
A = a_candidate("ProactivePolicy", key=hashed_key("StaticPolicy", "B"), priority=80, created=TEN)
B = a_candidate("ProactivePolicy", key=hashed_key("ProactivePolicy", "A"), priority=80, created=ELEVEN)
C = a_candidate("StaticPolicy", key=hashed_key("StaticPolicy", "A"), priority=80, created=TEN)


def circle(**changes: object) -> Answer:
    """The table of the ADR through the whole path. `changes`: precedence entries."""
    policies = [
        raw_policy("ProactivePolicy", "a"),
        raw_policy("ProactivePolicy", "b"),
        raw_policy("StaticPolicy", "c"),
    ]
    annotations = {
        A.key: envelope("ProactivePolicy", "a", created=TEN),
        B.key: envelope("ProactivePolicy", "b", created=ELEVEN),
        C.key: envelope("StaticPolicy", "c", created=TEN),
    }
    priorities = {"ProactivePolicy": 80, "StaticPolicy": 80, **changes}
    return answer_to(raw_workload(annotations), *policies, raw_precedence(*priorities.items()))


@pytest.mark.parametrize("order", list(itertools.permutations((A, B, C))))
def test_the_rules_lead_around_in_a_circle(order: tuple[Candidate, ...]) -> None:
    """Each of the three beats the next, whatever the order of the input."""
    assert (compare(A, B), compare(B, C), compare(C, A)) == (-1, -1, -1)
    assert has_cycle(rank(order))
    assert rank(order) == rank((A, B, C))
    selection = select_target(CPU, order)
    assert selection.status is Status.UNDETERMINED
    assert DoubtCode.CYCLIC_ORDER in selection.reasons
    assert selection.winner is None
    assert selection.conditional is None


def test_a_circle_is_undetermined_and_names_the_payload() -> None:
    """No winner, no conditional answer, and the annotation key of the payload that contradicts its prefix."""
    answer = circle()
    selection = target_of(answer)
    assert selection.status is Status.UNDETERMINED
    assert selection.winner is None
    assert selection.conditional is None
    assert {DoubtCode.CYCLIC_ORDER, DoubtCode.KIND_CONTRADICTS_PREFIX} <= set(selection.reasons)
    subjects = {doubt.code: doubt.subject for doubt in answer.doubts}
    assert subjects[DoubtCode.KIND_CONTRADICTS_PREFIX] == A.key
    assert subjects[DoubtCode.CYCLIC_ORDER] == ", ".join(sorted((A.key, B.key, C.key)))
    assert all(doubt.affects == ("app/requests/cpu",) for doubt in answer.doubts if doubt.code in selection.reasons)


def test_without_the_contradiction_there_is_no_circle() -> None:
    """The nearest case: the same ages and weights, each kind under its own prefix."""
    keys = {
        hashed_key("ProactivePolicy", "B"): envelope("ProactivePolicy", "a", created=TEN),
        B.key: envelope("ProactivePolicy", "b", created=ELEVEN),
        C.key: envelope("StaticPolicy", "c", created=TEN),
    }
    policies = [raw_policy("ProactivePolicy", "a"), raw_policy("ProactivePolicy", "b"), raw_policy("StaticPolicy", "c")]
    precedence = raw_precedence(("ProactivePolicy", 80), ("StaticPolicy", 80))
    answer = answer_to(raw_workload(keys), *policies, precedence)
    selection = target_of(answer)
    assert selection.status is Status.SELECTED
    assert selection.winner is not None
    assert selection.winner.policy.name == "a"
    assert not codes(answer) & {DoubtCode.CYCLIC_ORDER, DoubtCode.KIND_CONTRADICTS_PREFIX}


def test_a_contradiction_that_no_reading_can_turn_into_another_winner_leaves_the_answer() -> None:
    """Both kinds that the payload may have rank below a third: it is said, and the winner holds."""
    annotations = {
        hashed_key("RollbackPolicy", "A"): envelope("RollbackPolicy", "r"),
        A.key: envelope("ProactivePolicy", "a", created=TEN),
    }
    policies = [raw_policy("RollbackPolicy", "r"), raw_policy("ProactivePolicy", "a")]
    answer = answer_to(raw_workload(annotations), *policies)
    selection = target_of(answer)
    assert selection.winner is not None
    assert selection.winner.policy.name == "r"
    assert selection.doubts == (DoubtCode.KIND_CONTRADICTS_PREFIX,)


@pytest.mark.parametrize(("static", "status"), [(90, Status.UNDETERMINED), (70, Status.SELECTED)])
def test_a_contradiction_matters_where_the_two_kinds_have_different_ranks(static: int, status: Status) -> None:
    """Policy `a` is a Proactive one under `static.`; a cluster-wide one competes at 80, or at 75 for the second."""
    annotations = {
        A.key: envelope("ProactivePolicy", "a"),
        hashed_key("ClusterProactivePolicy"): envelope("ClusterProactivePolicy", "wide"),
    }
    policies = [raw_policy("ProactivePolicy", "a"), raw_policy("ClusterProactivePolicy", "wide")]
    precedence = raw_precedence(("StaticPolicy", static), ("ProactivePolicy", 70), ("ClusterProactivePolicy", 80))
    selection = target_of(answer_to(raw_workload(annotations), *policies, precedence))
    assert selection.status is status
    conditional = selection.conditional.winner if selection.conditional else selection.winner
    assert conditional is not None
    assert conditional.policy.name == "wide"


def test_a_kind_with_an_unpublished_prefix_can_make_a_circle_without_contradicting_anything() -> None:
    """Two keys of ClusterRollbackPolicy under two prefixes, and another kind between them."""
    one = a_candidate("ClusterRollbackPolicy", key="z.rightsizing.kubex.ai/hA-desired-resource-requests", created=TEN)
    two = a_candidate(
        "ClusterRollbackPolicy", key="a.rightsizing.kubex.ai/hA-desired-resource-requests", created=ELEVEN
    )
    between = a_candidate("ProactivePolicy", created=TEN)
    assert has_cycle(rank([one, two, between]))
    assert select_target(CPU, [one, two, between]).reasons == (DoubtCode.CYCLIC_ORDER,)


@given(scenes(most=6))
def test_no_circle_while_each_kind_keeps_its_prefix(found: Scene) -> None:
    assert not has_cycle(rank(core_scene(found)))


def test_no_circle_in_many_scenes_either() -> None:
    rng = random.Random(3)
    assert not any(has_cycle(rank(core_scene(scene(rng, 6)))) for _ in range(3_000))


@given(contradicting_scenes())
def test_a_circle_is_found_exactly_where_the_oracle_finds_no_order(found: Scene) -> None:
    """And where there is none, the ranking is the oracle's order."""
    order = oracle.oracle_order(found)
    ranking = rank(core_scene(found))
    assert has_cycle(ranking) is (order is None)
    if order is not None:
        assert [candidate.key for candidate in ranking] == [claim.key for claim in order]


def test_circles_do_occur_among_generated_contradictions() -> None:
    """Without this, the property above might never see one."""
    rng = random.Random(5)
    found = 0
    for _ in range(3_000):
        claims = scene(rng, 6)
        keys = [claim.key for claim in claims]
        rng.shuffle(keys)
        crossed = [
            claim._replace(key=key, priority=0, weight=0, exact=True) for claim, key in zip(claims, keys, strict=True)
        ]
        if len(set(keys)) == len(keys):
            assert has_cycle(rank(core_scene(crossed))) is (oracle.oracle_order(crossed) is None)
            found += oracle.oracle_order(crossed) is None
    assert found > 20


def test_every_known_prefix_belongs_to_one_kind_and_is_no_beginning_of_another_up_to_its_dot() -> None:
    """What step 2 of the argument needs of the table of kinds."""
    prefixes = [f"{prefix}." for prefix in BY_PREFIX]
    assert len(set(prefixes)) == len(prefixes)
    assert not [(a, b) for a, b in itertools.permutations(prefixes, 2) if b.startswith(a)]
    assert {kind.name for kind in RESOURCE_KINDS if kind.key_prefix is None} == {"ClusterRollbackPolicy"}
