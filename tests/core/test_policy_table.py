from __future__ import annotations

import random

import pytest

from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.policy_table import counted, rank_order, standings
from kubectl_kubex.core.scope import RefusalReason
from tests.builders import (
    ELEVEN,
    TEN,
    a_policy,
    a_precedence,
    a_workload,
    answer_to,
    fixed_key,
    hashed_key,
    raw_policy,
    raw_workload,
)
from tests.builders import envelope as payload

PRECEDENCE = a_precedence()
IN_ORDER = [
    a_policy("RollbackPolicy", "by-priority"),
    a_policy("ClusterStaticPolicy", "by-weight", weight=2),
    a_policy("ClusterStaticPolicy", "by-key"),
    a_policy("StaticPolicy", "without-a-time", created=None),
    a_policy("StaticPolicy", "older", created=TEN),
    a_policy("StaticPolicy", "younger", created=ELEVEN),
    a_policy("StaticPolicy", "younger-2", created=ELEVEN),
    a_policy("ClusterCompactionPolicy", "without-a-priority", weight=100),
]


def test_policies_rank_as_their_recommendations_would() -> None:
    for seed in range(20):
        shuffled = random.Random(seed).sample(IN_ORDER, len(IN_ORDER))
        assert rank_order(shuffled, PRECEDENCE) == IN_ORDER


def test_kinds_of_one_priority_follow_their_annotation_keys() -> None:
    in_order = ["ClusterCompactionPolicy", "ClusterRollbackPolicy", "ContainerArgsPolicy", "ClusterStaticPolicy"]
    precedence = a_precedence(*((kind, 5) for kind in in_order))
    policies = [a_policy(kind) for kind in reversed(in_order)]
    assert [policy.ref.kind for policy in rank_order(policies, precedence)] == in_order


def test_a_row_says_what_the_rules_look_at() -> None:
    (row,) = counted([a_policy("StaticPolicy", weight=3, problem="spec is odd")], PRECEDENCE, ())
    assert (row.rank, row.priority.assumed, row.weight, row.created, row.problem) == (1, 90, 3, TEN, "spec is odd")


def test_matches_are_counted_where_they_can_be() -> None:
    policies = [
        a_policy("StaticPolicy", "here", weight=3),
        a_policy("StaticPolicy", "there", weight=2, namespace="other"),
        a_policy("ClusterStaticPolicy", "everywhere", weight=1),
        a_policy("StaticPolicy", "invalid", problem="spec is odd"),
    ]
    workloads = [a_workload(name="a"), a_workload(name="b"), a_workload(name="c", namespace="other")]
    rows = {row.ref.name: row.matched for row in counted(policies, PRECEDENCE, workloads)}
    assert rows == {"here": 2, "there": 1, "everywhere": 3, "invalid": None}


def test_no_workloads_are_zero_and_unread_ones_unknown() -> None:
    assert counted([a_policy()], PRECEDENCE, ())[0].matched == 0
    assert counted([a_policy()], PRECEDENCE, None)[0].matched is None


def test_a_container_list_makes_the_count_a_bound() -> None:
    rows = counted([a_policy(containers=("app",))], PRECEDENCE, [a_workload(containers=None)])
    assert (rows[0].matched, rows[0].at_most) == (1, True)


def an_answer() -> Answer:
    annotations = {
        hashed_key("StaticPolicy"): payload("StaticPolicy", "winner", {"app": {"cpu": "1", "memory": "1Gi"}}),
        hashed_key("ProactivePolicy"): payload("ProactivePolicy", "loser", {"app": {"cpu": "1"}}),
        fixed_key("ContainerArgsPolicy").replace("desired-resource-requests", "pod-runtime-hook"): "{}",
    }
    return answer_to(
        raw_workload(annotations),
        raw_policy("StaticPolicy", "winner"),
        raw_policy("ProactivePolicy", "loser"),
        raw_policy("ProactivePolicy", "silent"),
        raw_policy("ProactivePolicy", "elsewhere", scope={"labelSelector": {"matchLabels": {"a": "b"}}}),
        raw_policy("ProactivePolicy", "invalid", weight=-1),
        raw_policy("ContainerArgsPolicy", "args", weight=2),
        raw_policy("ContainerArgsPolicy", "other-args", weight=1),
    )


@pytest.mark.parametrize(
    ("name", "matches", "ranked", "wins", "wins_hook", "reason"),
    [
        ("winner", True, 2, 2, None, None),
        ("loser", True, 1, 0, None, None),
        ("silent", True, 0, 0, None, RefusalReason.NO_RECOMMENDATION),
        ("elsewhere", False, 0, 0, None, RefusalReason.LABEL),
        ("invalid", None, 0, 0, None, RefusalReason.POLICY_INVALID),
        ("args", True, 0, 0, True, None),
        ("other-args", True, 0, 0, False, None),
    ],
)
def test_how_a_policy_stands_to_a_workload(
    name: str, matches: bool | None, ranked: int, wins: int, wins_hook: bool | None, reason: RefusalReason | None
) -> None:
    row = next(row for row in standings(an_answer()) if row.ref.name == name)
    standing = row.standing
    assert standing is not None
    assert (standing.matches, standing.ranked, standing.wins) == (matches, ranked, wins)
    assert (standing.refusal.reason if standing.refusal else None) == reason
    assert (standing.hook.winner == row.ref if standing.hook else None) == wins_hook


def test_a_standing_is_no_count() -> None:
    assert all(row.matched is None for row in standings(an_answer()))
