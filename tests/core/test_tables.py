"""The tables of the field: kinds, workload kinds, rules; and what is odd about a precedence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import (
    BY_NAME,
    BY_PREFIX,
    DEFAULT_PRECEDENCE,
    HOOK_KINDS,
    KINDS,
    LEGACY_PREFIXES,
    LEGACY_TYPES,
    RESOURCE_KINDS,
    SCOPED_KINDS,
    Certainty,
    Publishes,
)
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.precedence import Entry, Precedence, Problem, ProblemCode
from kubectl_kubex.core.ranking import RULES, decide, rank, show_time
from kubectl_kubex.core.reading import ANY_ORDER, anything, known, one_of, signs
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS, find_workload_kind
from tests.builders import ELEVEN, TEN, a_candidate, a_precedence

C = ProblemCode


def test_the_table_of_kinds() -> None:
    """All of the engine's, with what nobody has published marked unknown."""
    rows = {
        kind.name: (
            kind.plural,
            kind.namespaced,
            kind.publishes.value,
            kind.key_prefix,
            kind.default_priority,
            kind.scoped,
        )
        for kind in KINDS
    }
    assert rows == {
        "RollbackPolicy": ("rollbackpolicies", True, "resources", "rollbackpolicy", 130, True),
        "ClusterRollbackPolicy": ("clusterrollbackpolicies", False, "resources", None, 130, True),
        "GpuReactivePolicy": ("gpureactivepolicies", True, "resources", "gpureactive", 120, True),
        "ClusterGpuReactivePolicy": ("clustergpureactivepolicies", False, "resources", "cwgpureactive", 110, True),
        "StaticPolicy": ("staticpolicies", True, "resources", "static", 90, True),
        "ClusterStaticPolicy": ("clusterstaticpolicies", False, "resources", "cwstatic", 90, True),
        "ProactivePolicy": ("proactivepolicies", True, "resources", "proactive", 70, True),
        "ClusterProactivePolicy": ("clusterproactivepolicies", False, "resources", "cwproactive", 70, True),
        "ContainerArgsPolicy": ("containerargspolicies", False, "hook", "containerargspolicy", 100, True),
        "PodAffinityPolicy": ("podaffinitypolicies", False, "hook", "podaffinitypolicy", 100, True),
        "ClusterCompactionPolicy": ("clustercompactionpolicies", False, "hook", "clustercompactionpolicy", None, True),
        "GpuConsolidationPolicy": ("gpuconsolidationpolicies", False, "nothing", None, None, False),
        "ObjectPatch": ("objectpatches", True, "nothing", None, None, False),
        "ClusterObjectPatch": ("clusterobjectpatches", False, "nothing", None, None, False),
        "AutomationStrategy": ("automationstrategies", True, "nothing", None, None, False),
        "ClusterAutomationStrategy": ("clusterautomationstrategies", False, "nothing", None, None, False),
        "PolicyEvaluation": ("policyevaluations", False, "nothing", None, None, False),
        "GlobalConfiguration": ("globalconfigurations", False, "nothing", None, None, False),
    }  # fmt: skip


def test_the_derived_tables() -> None:
    assert {kind.name for kind in RESOURCE_KINDS} | {kind.name for kind in HOOK_KINDS} == {k.name for k in SCOPED_KINDS}
    assert set(BY_NAME) == {kind.name for kind in KINDS}
    assert BY_PREFIX["cwstatic"].name == "ClusterStaticPolicy"
    assert set(LEGACY_TYPES.values()) | set(LEGACY_PREFIXES.values()) <= set(BY_NAME)
    assert not set(LEGACY_TYPES) & set(BY_NAME)
    assert len(DEFAULT_PRECEDENCE) == 10
    certainties = {kind.name: kind.prefix_certainty for kind in RESOURCE_KINDS}
    assert certainties.pop("ClusterRollbackPolicy") is Certainty.UNKNOWN
    assert certainties.pop("ClusterGpuReactivePolicy") is Certainty.INFERRED
    assert set(certainties.values()) == {Certainty.DOCUMENTED}


def test_how_a_kind_is_written() -> None:
    kind = BY_NAME["ClusterStaticPolicy"]
    assert (kind.singular, kind.resource) == ("clusterstaticpolicy", "clusterstaticpolicies.rightsizing.kubex.ai")
    assert kind.publishes is Publishes.RESOURCES


@pytest.mark.parametrize(
    ("kind", "strategy"),
    [
        ("StaticPolicy", "AutomationStrategy"), ("ClusterStaticPolicy", "ClusterAutomationStrategy"),
        ("ProactivePolicy", "AutomationStrategy"), ("ClusterGpuReactivePolicy", "ClusterAutomationStrategy"),
        ("RollbackPolicy", None), ("ClusterRollbackPolicy", None), ("ContainerArgsPolicy", None),
    ],
)  # fmt: skip
def test_the_strategy_a_kind_refers_to(kind: str, strategy: str | None) -> None:
    assert BY_NAME[kind].strategy_kind == strategy


WORDS = {
    "Deployment": ["deploy", "deployment", "deployments", "Deployment", "DEPLOYMENTS.apps", "deployments.v1.apps"],
    "StatefulSet": ["sts", "statefulset", "statefulsets.apps"],
    "DaemonSet": ["ds", "daemonsets"],
    "CronJob": ["cj", "cronjob", "cronjobs.batch", "cronjobs.v1.batch"],
    "Job": ["job", "jobs.batch"],
    "Rollout": ["ro", "rollouts", "rollouts.argoproj.io", "rollouts.v1alpha1.argoproj.io"],
    "AnalysisRun": ["ar", "analysisrun"],
    "StrimziPodSet": ["sps", "strimzipodsets.core.strimzi.io", "strimzipodset.v1beta2.core.strimzi.io"],
    "Model": ["model", "models.kubeai.org"],
    "ReplicaSet": ["rs", "replicasets"],
    "Pod": ["po", "pod", "pods", "pods.v1."],
}  # fmt: skip


@pytest.mark.parametrize("kind", WORDS)
def test_every_spelling_of_a_workload_kind_that_kubectl_takes(kind: str) -> None:
    for word in WORDS[kind]:
        found = find_workload_kind(word)
        assert found is not None, word
        assert found.name == kind


@pytest.mark.parametrize(
    "word",
    [
        "",
        "svc",
        "deployments.batch",
        "deploy.v1beta1.apps",
        "deployments.apps.v1",
        "deployments.",
        "d",
        "deployments.v1",
        "pods.apps",
    ],
)
def test_a_word_that_is_no_workload_kind(word: str) -> None:
    """`deployments.` has an empty suffix, which is none."""
    found = find_workload_kind(word)
    assert found is None or (word == "deployments." and found.name == "Deployment")


def test_how_a_workload_kind_is_written() -> None:
    rows = {kind.name: kind for kind in WORKLOAD_KINDS}
    assert rows["Deployment"].resource == "deployments.apps"
    assert rows["Pod"].resource == "pods"
    assert rows["CronJob"].template == ("spec", "jobTemplate", "spec", "template")
    assert {kind.name for kind in WORKLOAD_KINDS if kind.optional} == {
        "Rollout",
        "AnalysisRun",
        "StrimziPodSet",
        "Model",
    }
    assert {kind.name for kind in WORKLOAD_KINDS if not kind.policy_type} == {"ReplicaSet", "Pod"}


# --- The precedence --------------------------------------------------------------------------------------------------


def test_nothing_is_odd_about_the_charts_list() -> None:
    assert a_precedence().problems() == ()


def whole(*entries: tuple[str, int | None]) -> Precedence:
    """The chart's list with entries on top."""
    return a_precedence(*DEFAULT_PRECEDENCE, *entries)


@pytest.mark.parametrize(
    ("precedence", "problems"),
    [
        (whole(("NewPolicy", 5)), [Problem(C.UNKNOWN_TYPE, "NewPolicy", (11,))]),
        (
            whole(("GpuRebalancingPolicy", 5)),
            [Problem(C.LEGACY_TYPE, "GpuRebalancingPolicy", (11,), "GpuReactivePolicy")],
        ),
        (whole(("StaticPolicy", 90)), [Problem(C.DUPLICATE_TYPE, "StaticPolicy", (5, 11))]),
        (whole(("ClusterCompactionPolicy", 5)), []),
        (
            a_precedence(*[(kind, 0 if kind == "StaticPolicy" else p) for kind, p in DEFAULT_PRECEDENCE]),
            [Problem(C.ZERO_PRIORITY, "StaticPolicy", (5,))],
        ),
        (
            a_precedence(*[(kind, None if kind == "StaticPolicy" else p) for kind, p in DEFAULT_PRECEDENCE]),
            [Problem(C.INVALID_PRIORITY, "StaticPolicy", (5,))],
        ),
        (a_precedence(*DEFAULT_PRECEDENCE[1:]), [Problem(C.UNLISTED_TYPE, "RollbackPolicy")]),
        (
            Precedence(True, tuple(a_precedence().entries), other_objects=("a", "b")),
            [Problem(C.OTHER_OBJECT, detail="a"), Problem(C.OTHER_OBJECT, detail="b")],
        ),
        (Precedence(False, other_objects=("a",)), [Problem(C.MISSING), Problem(C.OTHER_OBJECT, detail="a")]),
        (
            Precedence(None, gap=Gap("PolicyEvaluation", GapReason.FORBIDDEN, "no")),
            [Problem(C.UNREADABLE, detail="no")],
        ),
        (Precedence(None), [Problem(C.UNREADABLE)]),
    ],
    ids=[
        "unknown", "legacy", "duplicate", "known-without-default", "zero", "invalid", "unlisted", "other", "missing",
        "unreadable", "unreadable-without-words",
    ],
)  # fmt: skip
def test_what_is_odd_about_a_list(precedence: Precedence, problems: list[Problem]) -> None:
    assert [*precedence.problems()] == problems


def test_an_invalid_priority_is_told_as_written() -> None:
    first, *others = a_precedence().entries
    listed = (replace(first, priority=None, written='"90"'), *others)
    assert [*Precedence(True, listed).problems()] == [Problem(C.INVALID_PRIORITY, "RollbackPolicy", (1,), '"90"')]


def test_an_empty_list_and_a_malformed_one() -> None:
    unlisted = [Problem(C.UNLISTED_TYPE, kind) for kind, _ in DEFAULT_PRECEDENCE]
    assert [*Precedence(True).problems()] == [Problem(C.EMPTY), *unlisted]
    malformed = Problem(C.MALFORMED, positions=(1,))
    assert [*Precedence(True, malformed=(malformed,)).problems()] == [malformed, *unlisted]


@pytest.mark.parametrize(
    ("precedence", "assumed", "possible", "doubt"),
    [
        (a_precedence(), 90, {90}, None),
        (a_precedence(("StaticPolicy", 0)), 0, {0}, None),
        (a_precedence(("StaticPolicy", 1), ("StaticPolicy", 2)), 2, {1, 2}, DoubtCode.TYPE_DUPLICATED),
        (a_precedence(("StaticPolicy", 2), ("StaticPolicy", 2)), 2, {2}, None),
        (a_precedence(("StaticPolicy", None)), 0, None, DoubtCode.PRIORITY_INVALID),
        (a_precedence(("StaticPolicy", 7), ("StaticPolicy", None)), 7, None, DoubtCode.PRIORITY_INVALID),
        (a_precedence(("ProactivePolicy", 7)), 0, None, DoubtCode.TYPE_UNLISTED),
        (Precedence(True), 0, None, DoubtCode.TYPE_UNLISTED),
        (Precedence(False), 90, None, DoubtCode.PRECEDENCE_MISSING),
        (Precedence(None), 90, None, DoubtCode.PRECEDENCE_UNREADABLE),
        (
            Precedence(True, (Entry(1, "StaticPolicy", 5),), (Problem(C.MALFORMED),)),
            90, None, DoubtCode.PRIORITY_INVALID,
        ),
    ],
)  # fmt: skip
def test_the_priority_of_a_kind(
    precedence: Precedence, assumed: int, possible: set[int] | None, doubt: DoubtCode | None
) -> None:
    reading = precedence.priority("StaticPolicy")
    assert (reading.assumed, reading.possible, reading.doubt) == (assumed, possible, doubt)
    assert reading.is_open is (doubt is not None)


def test_a_kind_without_a_default_is_assumed_to_rank_as_zero_where_the_list_is_missing() -> None:
    assert Precedence(False).priority("ClusterCompactionPolicy").assumed == 0


# --- Readings --------------------------------------------------------------------------------------------------------


def test_readings_and_their_signs() -> None:
    assert signs(known(1), known(2)) == {-1}
    assert signs(known(2), known(2)) == {0}
    assert signs(one_of(1, (3,), DoubtCode.WEIGHT_CHANGED), known(2)) == {-1, 1}
    assert (
        signs(anything(0, DoubtCode.WEIGHT_UNKNOWN), known(2))
        == ANY_ORDER
        == signs(known(2), anything(0, DoubtCode.WEIGHT_UNKNOWN))
    )
    assert not known(1).is_open
    assert not one_of(1, (1, 1), DoubtCode.WEIGHT_CHANGED).is_open
    assert one_of(1, (1, 1), DoubtCode.WEIGHT_CHANGED).doubt is None
    assert one_of(1, (2,), DoubtCode.WEIGHT_CHANGED).doubt is DoubtCode.WEIGHT_CHANGED
    assert anything(1, DoubtCode.WEIGHT_CHANGED).is_open


# --- The rules in words ----------------------------------------------------------------------------------------------


def test_each_rule_shows_both_sides() -> None:
    """What stands in a sentence: `weight 100 > 50`."""
    pairs = {
        "priority": (a_candidate(priority=90), a_candidate(priority=70), (">", "90", "70")),
        "weight": (a_candidate(weight=100), a_candidate(weight=50), (">", "100", "50")),
        "exact-target": (a_candidate(exact=True), a_candidate(exact=False), ("over", "exact", '"*"')),
        "older": (
            a_candidate(created=TEN), a_candidate(created=ELEVEN),
            ("before", "2026-08-01T10:00:00Z", "2026-08-01T11:00:00Z"),
        ),
        "annotation-key": (a_candidate(key="a"), a_candidate(key="b"), ("before", "a", "b")),
    }  # fmt: skip
    assert list(pairs) == [rule.code for rule in RULES]
    for code, (winner, loser, words) in pairs.items():
        decision = decide(*rank([loser, winner]))
        assert (decision.rule.code, decision.winner, decision.loser) == (code, winner, loser)
        assert (decision.rule.between, *decision.values) == words
        assert decision.rule.statement.endswith(".")
        assert decision.rule.source.startswith("Policy Evaluation Reference, ")


def test_a_missing_time_in_words() -> None:
    assert decide(*rank([a_candidate(created=TEN), a_candidate(created=None)])).values == (
        "none",
        "2026-08-01T10:00:00Z",
    )
    assert show_time(TEN.astimezone()) == "2026-08-01T10:00:00Z"
