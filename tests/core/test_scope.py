"""Scope matching: every refusal reason beside the nearest policy that matches (engine.md section 7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.core.kinds import SCOPED_KINDS
from kubectl_kubex.core.model import Container, LabelRequirement, NamespaceSelector, Policy, Workload
from kubectl_kubex.core.scope import RefusalReason, is_unclear, refusal, satisfies, selects_namespace
from kubectl_kubex.core.workload_kinds import DEFAULT_WORKLOAD_TYPES, WORKLOAD_KINDS
from tests.builders import (
    ELEVEN,
    NAMESPACE,
    TEN,
    a_policy,
    a_workload,
    answer_to,
    bare,
    envelope,
    fixed_key,
    hashed_key,
    raw_configuration,
    raw_policy,
    raw_workload,
    target_of,
)

CLUSTER = "ClusterProactivePolicy"
R = RefusalReason


def reason(policy: Policy, workload: Workload | None = None) -> RefusalReason | None:
    found = refusal(policy, workload or a_workload())
    assert found is None or found.policy == policy.ref
    return found.reason if found else None


def details(policy: Policy, workload: Workload | None = None) -> dict[str, str]:
    found = refusal(policy, workload or a_workload())
    assert found is not None
    return found.detail


@pytest.mark.parametrize("kind", [kind.name for kind in SCOPED_KINDS])
def test_a_plain_policy_of_each_kind_matches(kind: str) -> None:
    assert reason(a_policy(kind)) is None


def test_a_namespaced_policy_of_another_namespace_is_refused() -> None:
    elsewhere = a_policy(namespace="other")
    assert reason(elsewhere) is R.WRONG_NAMESPACE
    assert details(elsewhere) == {"namespace": "other"}
    assert reason(a_policy(namespace=NAMESPACE)) is None


def test_a_cluster_policy_has_no_namespace_to_be_wrong() -> None:
    assert reason(a_policy(CLUSTER)) is None


@pytest.mark.parametrize(
    ("operator", "values", "matches"),
    [
        ("In", ("shop",), True),
        ("In", ("other",), False),
        ("In", ("other", "shop"), True),
        ("In", ("*",), True),
        ("In", ("sh*",), True),
        ("In", ("*op",), True),
        ("In", ("s*p",), True),
        ("In", ("*s*h*o*p*",), True),
        ("In", ("sho",), False),
        ("In", ("shop-*",), False),
        ("In", ("*-shop",), False),
        ("In", ("SHOP",), False),
        ("In", ("sho?",), False),
        ("In", ("sho[p]",), False),
        ("In", ("sho[!x]",), False),
        ("In", ("",), False),
        ("NotIn", ("shop",), False),
        ("NotIn", ("other",), True),
        ("NotIn", ("other", "sh*"), False),
        ("NotIn", ("*",), False),
        ("NotIn", ("sho?",), True),
    ],
    ids=str,
)
def test_a_namespace_selector(operator: str, values: tuple[str, ...], matches: bool) -> None:
    """In and NotIn over names; `*` is the only wildcard that is documented."""
    policy = a_policy(CLUSTER, namespace_selector=NamespaceSelector(operator, values))
    assert reason(policy) is (None if matches else R.NAMESPACE_PATTERN)
    if not matches:
        assert details(policy) == {"operator": operator, "values": ", ".join(values)}


def test_a_namespace_selector_of_a_namespaced_policy_is_not_asked() -> None:
    """Only cluster kinds have one."""
    assert reason(a_policy(namespace_selector=NamespaceSelector("In", ("other",)))) is None


@pytest.mark.parametrize(
    ("pattern", "unclear"),
    [
        ("sho?", True), ("sho[p]", True), ("[s]*", True),
        ("sho?x", False), ("sh*", False), ("shop", False), ("[x]*", False),
    ],
)  # fmt: skip
def test_a_pattern_is_unclear_where_shell_wildcards_would_change_the_answer(pattern: str, unclear: bool) -> None:
    assert is_unclear(NamespaceSelector("In", (pattern,)), "shop") is unclear


@given(st.text("ab*?[]!-\\.\n", max_size=8), st.text("ab-?[]\\.\n", max_size=8))
def test_only_the_star_is_special(pattern: str, name: str) -> None:
    """Against a matcher that knows of no other wildcard."""

    def matches(parts: list[str], rest: str) -> bool:
        if len(parts) == 1:
            return parts[0] == rest
        if not rest.startswith(parts[0]):
            return False
        rest = rest[len(parts[0]) :]
        return any(matches(parts[1:], rest[i:]) for i in range(len(rest) + 1))

    assert selects_namespace(NamespaceSelector("In", (pattern,)), name) is matches(pattern.split("*"), name)
    assert selects_namespace(NamespaceSelector("NotIn", (pattern,)), name) is not matches(pattern.split("*"), name)


def test_a_pattern_full_of_stars_does_not_hang() -> None:
    assert not selects_namespace(NamespaceSelector("In", ("*a" * 60 + "b",)), "a" * 5_000)


@pytest.mark.parametrize("kind", [row.name for row in WORKLOAD_KINDS])
def test_workload_types_when_omitted_are_all_but_strimzi_pod_sets(kind: str) -> None:
    """And never the hops to an owner, which are no policy workload types."""
    optional = kind in {"StrimziPodSet", "ReplicaSet", "Pod"}
    found = reason(a_policy(), a_workload(kind))
    assert found is (R.WORKLOAD_TYPE if optional else None)
    assert (kind in DEFAULT_WORKLOAD_TYPES) is not optional


@pytest.mark.parametrize(
    ("types", "kind", "matches"),
    [
        (("StrimziPodSet",), "StrimziPodSet", True),
        (("StrimziPodSet",), "Deployment", False),
        (("Deployment", "StatefulSet"), "Deployment", True),
        (("StatefulSet",), "Deployment", False),
        (("deployment",), "Deployment", False),
        (("Job",), "CronJob", False),
    ],
)
def test_workload_types_when_given(types: tuple[str, ...], kind: str, matches: bool) -> None:
    policy, workload = a_policy(workload_types=types), a_workload(kind)
    assert reason(policy, workload) is (None if matches else R.WORKLOAD_TYPE)
    if not matches:
        assert details(policy, workload) == {"kind": kind, "types": ", ".join(types)}


LABELS = {"app": "web", "tier": "", "env": "prod"}


@pytest.mark.parametrize(
    ("requirement", "matches"),
    [
        (("app", "In", ("web",)), True),
        (("app", "In", ("api", "web")), True),
        (("app", "In", ("api",)), False),
        (("app", "In", ("WEB",)), False),
        (("gone", "In", ("web",)), False),
        (("tier", "In", ("",)), True),
        (("app", "NotIn", ("api",)), True),
        (("app", "NotIn", ("api", "web")), False),
        (("gone", "NotIn", ("web",)), True),
        (("app", "Exists", ()), True),
        (("tier", "Exists", ()), True),
        (("gone", "Exists", ()), False),
        (("gone", "DoesNotExist", ()), True),
        (("app", "DoesNotExist", ()), False),
        (("tier", "DoesNotExist", ()), False),
    ],
    ids=str,
)
def test_a_label_requirement(requirement: tuple[str, str, tuple[str, ...]], matches: bool) -> None:
    """As metav1.LabelSelector has it, over the workload object's own labels."""
    workload = a_workload(labels=LABELS)
    assert satisfies(LabelRequirement(*requirement), workload) is matches
    policy = a_policy(requirements=(LabelRequirement(*requirement),))
    assert reason(policy, workload) is (None if matches else R.LABEL)


def test_all_requirements_hold_and_the_first_that_does_not_is_named() -> None:
    good = LabelRequirement("app", "In", ("web",))
    missing, wrong = LabelRequirement("gone", "Exists"), LabelRequirement("env", "NotIn", ("prod", "test"))
    workload = a_workload(labels=LABELS)
    assert reason(a_policy(requirements=(good, good)), workload) is None
    assert details(a_policy(requirements=(good, wrong, missing)), workload) == {
        "key": "env", "operator": "NotIn", "values": "prod, test", "value": "prod",
    }  # fmt: skip
    assert details(a_policy(requirements=(good, missing, wrong)), workload) == {
        "key": "gone", "operator": "Exists", "values": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("listed", "names", "matches"),
    [
        (("app",), ("app", "sidecar"), True),
        (("other", "sidecar"), ("app", "sidecar"), True),
        (("other",), ("app", "sidecar"), False),
        (("app",), None, True),
        ((), ("app",), True),
        (("app",), (), False),
    ],
    ids=str,
)
def test_containers(listed: tuple[str, ...], names: tuple[str, ...] | None, matches: bool) -> None:
    """Exact names; an unknown one is allowed as long as another is there. No template: cannot be refused for it."""
    policy, workload = a_policy(containers=listed), a_workload(containers=names)
    assert reason(policy, workload) is (None if matches else R.CONTAINER_NOT_LISTED)
    if not matches:
        assert details(policy, workload) == {"containers": ", ".join(listed)}


def test_a_plain_init_container_is_no_container_to_list() -> None:
    workload = Workload(
        "apps/v1", "Deployment", NAMESPACE, "web", containers=(Container("app"), Container("setup", False))
    )
    assert reason(a_policy(containers=("setup",)), workload) is R.CONTAINER_NOT_LISTED
    assert reason(a_policy(containers=("app",)), workload) is None


def test_a_policy_that_makes_no_sense_is_refused_for_that() -> None:
    policy = a_policy(problem="spec.scope is missing", namespace="other")
    assert reason(policy) is R.POLICY_INVALID
    assert details(policy) == {"problem": "spec.scope is missing"}


def test_the_first_reason_counts() -> None:
    """Namespace, then type, then labels, then containers."""
    all_wrong: dict[str, Any] = {
        "namespace_selector": NamespaceSelector("In", ("other",)),
        "workload_types": ("Job",),
        "requirements": (LabelRequirement("gone", "Exists"),),
        "containers": ("other",),
    }
    order = []
    for field in tuple(all_wrong):
        order.append(reason(a_policy(CLUSTER, **all_wrong)))
        del all_wrong[field]
    assert order == [R.NAMESPACE_PATTERN, R.WORKLOAD_TYPE, R.LABEL, R.CONTAINER_NOT_LISTED]
    assert reason(a_policy(CLUSTER)) is None


# --- Refusals in the answer ------------------------------------------------------------------------------------------


def test_a_protected_namespace_is_no_refusal() -> None:
    """It blocks execution and does not alter matching."""
    payload = envelope("StaticPolicy", "s", namespace="kube-system")
    answer = answer_to(
        raw_workload({hashed_key("StaticPolicy"): payload}, namespace="kube-system"),
        raw_policy("StaticPolicy", "s", namespace="kube-system"),
        raw_configuration(protectedNamespacePatterns=["kube-*"]),
    )
    assert answer.refusals == ()
    assert target_of(answer).winner is not None


def test_a_matching_policy_that_published_nothing() -> None:
    answer = answer_to(raw_workload(), raw_policy("StaticPolicy", "s"))
    assert [(r.policy.name, r.reason) for r in answer.refusals] == [("s", R.NO_RECOMMENDATION)]


@pytest.mark.parametrize(
    ("loser", "detail"),
    [
        ({"weight": 1}, {"rule": "weight", "winner": "2", "loser": "1"}),
        (
            {"weight": 2, "created": ELEVEN},
            {"rule": "older", "winner": "2026-08-01T10:00:00Z", "loser": "2026-08-01T11:00:00Z"},
        ),
    ],
    ids=["weight", "older"],
)
def test_a_policy_outranked_when_the_engine_wrote(loser: dict[str, Any], detail: dict[str, str]) -> None:
    """Under a fixed key only one policy of a kind contributes: the other was passed over, and this is why."""
    answer = answer_to(
        raw_workload({fixed_key("ProactivePolicy"): bare()}),
        raw_policy(name="first", weight=2, created=TEN),
        raw_policy(name="second", **loser),
    )
    (found,) = answer.refusals
    assert (found.policy.name, found.reason) == ("second", R.OUTRANKED_AT_WRITE)
    assert found.detail == {"to": "ProactivePolicy/shop/first", **detail}


def test_two_policies_that_the_write_side_cannot_tell_apart_are_both_named() -> None:
    """Same weight, same age: the key may be either's, so neither is a candidate by name, and neither vanishes."""
    answer = answer_to(
        raw_workload({fixed_key("ProactivePolicy"): bare()}), raw_policy(name="first"), raw_policy(name="second")
    )
    assert [r.policy.name for r in answer.refusals] == ["first", "second"]
    second = answer.refusals[1]
    assert second.reason is R.OUTRANKED_AT_WRITE
    assert second.detail == {"to": "ProactivePolicy/shop/first", "rule": "tie", "winner": "", "loser": ""}


def test_a_policy_beside_a_hashed_key_of_its_kind_was_not_outranked() -> None:
    """Each policy has a key of its own then: it has simply published nothing."""
    answer = answer_to(
        raw_workload({hashed_key("ProactivePolicy"): envelope("ProactivePolicy", "first")}),
        raw_policy(name="first", weight=2),
        raw_policy(name="second", weight=1),
    )
    assert [(r.policy.name, r.reason) for r in answer.refusals] == [("second", R.NO_RECOMMENDATION)]


def test_refusals_stand_in_the_order_of_kinds_then_namespace_then_name() -> None:
    kinds = ("ClusterProactivePolicy", "ProactivePolicy", "StaticPolicy", "RollbackPolicy", "PodAffinityPolicy")
    policies = [raw_policy(kind, name) for kind in kinds for name in ("b", "a")]
    answer = answer_to(raw_workload(), *policies)
    assert [f"{r.policy.kind}/{r.policy.name}" for r in answer.refusals] == [
        f"{kind}/{name}"
        for kind in ("RollbackPolicy", "StaticPolicy", "ProactivePolicy", "ClusterProactivePolicy", "PodAffinityPolicy")
        for name in ("a", "b")
    ]


def test_a_fixed_key_of_another_kind_outranks_nobody() -> None:
    """Nor does a hashed one that names no policy."""
    payload = '{"containers": {"app": {"cpu": "1"}}}'
    annotations = {fixed_key("StaticPolicy"): bare(), hashed_key("ProactivePolicy"): payload}
    answer = answer_to(raw_workload(annotations), raw_policy(name="first", weight=2), raw_policy(name="second"))
    assert {r.policy.name: r.reason for r in answer.refusals} == dict.fromkeys(("first", "second"), R.NO_RECOMMENDATION)


def test_only_a_matching_policy_of_the_same_kind_outranks() -> None:
    """However heavy the others are."""
    answer = answer_to(
        raw_workload({fixed_key("ProactivePolicy"): bare()}),
        raw_policy(name="first", weight=2),
        raw_policy(name="second", weight=1),
        raw_policy(name="jobs", weight=9, scope={"workloadTypes": ["Job"]}),
        raw_policy("ClusterProactivePolicy", "wide", weight=9),
    )
    found = {r.policy.name: (r.reason, r.detail.get("to")) for r in answer.refusals}
    assert found["second"] == (R.OUTRANKED_AT_WRITE, "ProactivePolicy/shop/first")
    assert found["jobs"][0] is R.WORKLOAD_TYPE
    assert found["wide"][0] is R.NO_RECOMMENDATION
