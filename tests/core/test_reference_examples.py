"""The examples of the Policy Evaluation Reference, by their titles: each asserts the winner and the rule that decided.

Each case runs twice: from raw objects through codec and selection, and as bare candidates through ranking alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from kubectl_kubex.core.answer import Status
from kubectl_kubex.core.kinds import DEFAULT_PRECEDENCE
from kubectl_kubex.core.ranking import ONLY_CANDIDATE, decide, has_cycle, rank
from tests.builders import (
    ELEVEN,
    TEN,
    a_candidate,
    answer_to,
    bare,
    envelope,
    fixed_key,
    hashed_key,
    raw_configuration,
    raw_policy,
    raw_precedence,
    raw_workload,
    rule_of,
    target_of,
)


@dataclass(frozen=True)
class Publisher:
    """A policy that has published a recommendation for the target."""

    kind: str
    name: str
    weight: int = 0
    created: datetime | None = None
    container: str = "app"


@dataclass(frozen=True)
class Case:
    title: str
    winner: str
    rule: str
    publishers: tuple[Publisher, ...]
    precedence: Mapping[str, int] = field(default_factory=lambda: dict(DEFAULT_PRECEDENCE))


def changed(**priorities: int) -> dict[str, int]:
    """The Default Behavior's list with some priorities changed."""
    return {**dict(DEFAULT_PRECEDENCE), **priorities}


CASES = (
    Case(
        "Default Behavior", "RollbackPolicy/rollback", "priority",
        tuple(Publisher(kind, name, weight) for kind, name, weight in (
            ("RollbackPolicy", "rollback", 0), ("GpuReactivePolicy", "gpu", 100),
            ("ClusterGpuReactivePolicy", "cluster-gpu", 100), ("StaticPolicy", "static", 100),
            ("ClusterStaticPolicy", "cluster-static", 100), ("ProactivePolicy", "proactive", 100),
            ("ClusterProactivePolicy", "cluster-proactive", 100))),
    ),
    Case(
        "Favor Rollback Policies Over Proactive Policies", "ClusterRollbackPolicy/cluster-rollback", "priority",
        (Publisher("ProactivePolicy", "proactive", 100), Publisher("ClusterProactivePolicy", "cluster-proactive", 100),
         Publisher("ClusterRollbackPolicy", "cluster-rollback", 1)),
        changed(RollbackPolicy=130, ClusterRollbackPolicy=130, ProactivePolicy=70, ClusterProactivePolicy=70),
    ),
    Case(
        "Favor Namespace Policies Over Cluster Policies", "ProactivePolicy/proactive", "priority",
        (Publisher("ClusterProactivePolicy", "cluster-proactive", 100), Publisher("ProactivePolicy", "proactive", 1)),
        changed(ProactivePolicy=90, ClusterProactivePolicy=70),
    ),
    Case(
        "Example 1 - Default precedence", "RollbackPolicy/rollback", "priority",
        (Publisher("RollbackPolicy", "rollback", 50), Publisher("GpuReactivePolicy", "gpu", 10),
         Publisher("ClusterProactivePolicy", "cluster-proactive", 50), Publisher("ProactivePolicy", "proactive", 100)),
    ),
    Case(
        "Example 2 - Same policy type, different weights", "ProactivePolicy/policy-b", "weight",
        (Publisher("ProactivePolicy", "policy-a", 50), Publisher("ProactivePolicy", "policy-b", 100)),
    ),
    Case(
        "Example 3 - Equal priority (custom configuration)", "ProactivePolicy/proactive", "weight",
        (Publisher("ClusterProactivePolicy", "cluster-proactive", 50), Publisher("ProactivePolicy", "proactive", 100)),
        {"ClusterProactivePolicy": 80, "ProactivePolicy": 80},
    ),
    Case(
        "Example 4 - Same policy kind, equal priority and equal weight", "ProactivePolicy/policy-a", "older",
        (Publisher("ProactivePolicy", "policy-b", 80, ELEVEN), Publisher("ProactivePolicy", "policy-a", 80, TEN)),
    ),
    Case(
        "Example 4 - Legacy payloads without a timestamp rank as older", "ProactivePolicy/legacy", "older",
        (Publisher("ProactivePolicy", "policy-a", 80, TEN), Publisher("ProactivePolicy", "legacy", 80, None)),
    ),
    Case(
        "Example 4 - Recommendations from different policy kinds use the annotation key",
        "ClusterProactivePolicy/cluster", "annotation-key",
        (Publisher("ProactivePolicy", "older", 80, TEN), Publisher("ClusterProactivePolicy", "cluster", 80, ELEVEN)),
    ),
    Case(
        "Multi-policy composition - exact container target over the wildcard", "ProactivePolicy/exact", "exact-target",
        (Publisher("ProactivePolicy", "wildcard", 80, TEN, "*"), Publisher("ProactivePolicy", "exact", 80, ELEVEN)),
    ),
    Case(
        "Multi-policy composition - the lexically smaller annotation key", "ProactivePolicy/first", "annotation-key",
        (Publisher("ProactivePolicy", "second", 80, TEN), Publisher("ProactivePolicy", "first", 80, TEN)),
    ),
    Case(
        "Multi-policy composition - a single policy needs no rule", "ProactivePolicy/alone", ONLY_CANDIDATE,
        (Publisher("ProactivePolicy", "alone", 1, TEN),),
    ),
)  # fmt: skip

by_title = pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
in_either_order = pytest.mark.parametrize("backwards", [False, True], ids=["as-listed", "backwards"])


def digests(case: Case) -> dict[Publisher, str]:
    """A digest for each publisher that sorts as the names do, so that the key rule can be read off the case."""
    names = sorted(publisher.name for publisher in case.publishers)
    return {publisher: f"D{names.index(publisher.name)}" for publisher in case.publishers}


@by_title
@in_either_order
def test_an_example_from_annotations_to_answer(case: Case, backwards: bool) -> None:
    """Raw annotations and objects, in any order, give the page's winner by the page's rule."""
    publishers = case.publishers[::-1] if backwards else case.publishers
    annotations = {
        hashed_key(publisher.kind, digests(case)[publisher]): envelope(
            publisher.kind, publisher.name, {publisher.container: {"cpu": "100m"}}, created=publisher.created
        )
        for publisher in publishers
    }
    policies = [raw_policy(p.kind, p.name, weight=p.weight, created=p.created) for p in publishers]
    selection = target_of(answer_to(raw_workload(annotations), *policies, raw_precedence(*case.precedence.items())))
    assert selection.status is Status.SELECTED, selection.reasons
    assert selection.winner is not None
    assert f"{selection.winner.policy.kind}/{selection.winner.policy.name}" == case.winner
    assert rule_of(selection) == case.rule
    assert len(selection.ranking) == len(case.publishers)


@by_title
@in_either_order
def test_an_example_in_ranking_alone(case: Case, backwards: bool) -> None:
    """The same winner and rule from candidates."""
    publishers = case.publishers[::-1] if backwards else case.publishers
    candidates = [
        a_candidate(
            publisher.kind,
            digests(case)[publisher],
            priority=case.precedence[publisher.kind],
            weight=publisher.weight,
            exact=publisher.container != "*",
            created=publisher.created,
            value=f"{publisher.kind}/{publisher.name}",
        )
        for publisher in publishers
    ]
    ranking = rank(candidates)
    assert ranking[0].value == case.winner
    assert not has_cycle(ranking)
    if len(ranking) > 1:
        assert decide(*ranking[:2]).rule.code == case.rule


def test_the_default_behavior_is_the_pages_list() -> None:
    """The chart-generated reference, row by row."""
    assert dict(DEFAULT_PRECEDENCE) == {
        "ContainerArgsPolicy": 100, "PodAffinityPolicy": 100, "RollbackPolicy": 130, "ClusterRollbackPolicy": 130,
        "GpuReactivePolicy": 120, "ClusterGpuReactivePolicy": 110, "StaticPolicy": 90, "ClusterStaticPolicy": 90,
        "ProactivePolicy": 70, "ClusterProactivePolicy": 70,
    }  # fmt: skip


def test_the_default_behavior_ranks_the_types() -> None:
    """One policy of each type, all else equal: the page's priorities in order, equal ones by annotation key."""
    candidates = [a_candidate(kind, priority=priority) for kind, priority in DEFAULT_PRECEDENCE]
    assert [candidate.kind for candidate in rank(candidates)] == [
        "ClusterRollbackPolicy", "RollbackPolicy", "GpuReactivePolicy", "ClusterGpuReactivePolicy",
        "ContainerArgsPolicy", "PodAffinityPolicy", "ClusterStaticPolicy", "StaticPolicy", "ClusterProactivePolicy",
        "ProactivePolicy",
    ]  # fmt: skip


def test_multi_policy_composition_selects_each_target_independently() -> None:
    """Same-kind policies contribute separate targets; CPU, memory and GPU of one plan come from different policies."""
    contributions: dict[str, tuple[str, dict[str, Any]]] = {
        "cpu": ("ProactivePolicy", {"app": {"cpu": "250m"}}),
        "memory": ("ProactivePolicy", {"app": {"memory": "256Mi"}, "sidecar": {"memory": "64Mi"}}),
        "gpu": ("GpuReactivePolicy", {"app": {"gpu": "0.5", "cpu": "300m"}}),
    }
    annotations = {
        hashed_key(kind, name): envelope(kind, name, containers) for name, (kind, containers) in contributions.items()
    }
    limits = envelope("ProactivePolicy", "cpu", {"app": {"cpu": "500m"}})
    annotations[hashed_key("ProactivePolicy", "cpu", "limits")] = limits
    policies = [raw_policy(kind, name) for name, (kind, _) in contributions.items()]
    answer = answer_to(raw_workload(annotations, containers=["app", "sidecar"]), *policies)
    found = {str(s.target): (s.winner and s.winner.policy.name, s.winner and s.winner.value) for s in answer.targets}
    assert found == {
        "app/requests/cpu": ("gpu", "300m"),
        "app/requests/gpu": ("gpu", "0.5"),
        "app/requests/memory": ("memory", "256Mi"),
        "app/limits/cpu": ("cpu", "500m"),
        "sidecar/requests/memory": ("memory", "64Mi"),
    }
    assert rule_of(target_of(answer, "app/requests/cpu")) == "priority"


def test_with_the_default_setting_policies_of_one_kind_share_a_key() -> None:
    """Only one of a kind contributes: the fixed key's owner, chosen by weight; the other is refused, not lost."""
    workload = raw_workload({fixed_key("ProactivePolicy"): bare()})
    answer = answer_to(
        workload,
        raw_policy("ProactivePolicy", "light", weight=1),
        raw_policy("ProactivePolicy", "heavy", weight=2),
        raw_configuration(multi_policy=False),
    )
    selection = target_of(answer)
    assert selection.winner is not None
    assert selection.winner.policy.name == "heavy"
    assert rule_of(selection) == ONLY_CANDIDATE
    assert [(r.policy.name, r.reason.value, r.detail["rule"]) for r in answer.refusals] == [
        ("light", "outranked-at-write", "weight")
    ]
