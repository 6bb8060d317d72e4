"""From payloads to targets and candidates, what runs on the pods beside them, and that no policy vanishes."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.core.answer import Answer, Applied
from kubectl_kubex.core.applied import applied_values, running
from kubectl_kubex.core.claims import claims_of, containers_of
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import RESOURCE_KINDS, SCOPED_KINDS
from kubectl_kubex.core.model import Container, Pod, PolicyRef, Target, Usage
from tests.builders import (
    CPU,
    TEN,
    a_policy,
    a_recommendation,
    a_snapshot,
    a_workload,
    answer_to,
    bare,
    codes,
    envelope,
    fixed_key,
    hashed_key,
    raw_container,
    raw_pod,
    raw_policy,
    raw_workload,
    rule_of,
    target_of,
)

P, S = "ProactivePolicy", "StaticPolicy"


def targets(answer: Answer) -> list[str]:
    return [str(selection.target) for selection in answer.targets]


def of(
    payload: dict[str, Any], *containers: str, limits: dict[str, Any] | None = None, kind: str = "Deployment"
) -> Answer:
    """One Static policy's answer for a workload with `containers`."""
    annotations = {hashed_key(S): envelope(S, "s", payload)}
    if limits:
        annotations[hashed_key(S, usage="limits")] = envelope(S, "s", limits)
    return answer_to(raw_workload(annotations, kind=kind, containers=containers or ("app",)), raw_policy(S, "s"))


# --- Targets ---------------------------------------------------------------------------------------------------------


def test_targets_stand_in_the_order_of_containers_then_usage_then_resource() -> None:
    answer = of(
        {"b": {"memory": "1Gi", "cpu": "1"}, "a": {"cpu": "1"}}, "b", "a", limits={"a": {"cpu": "2"}, "b": {"cpu": "2"}}
    )
    assert targets(answer) == [
        "b/requests/cpu", "b/requests/memory", "b/limits/cpu", "a/requests/cpu", "a/limits/cpu",
    ]  # fmt: skip


def test_a_wildcard_stands_for_every_container_that_can_be_resized() -> None:
    workload = raw_workload({hashed_key(S): envelope(S, "s", {"*": {"cpu": "1"}})}, containers=["app", "sidecar"])
    workload["spec"]["template"]["spec"]["initContainers"] = [
        {"name": "setup"}, {"name": "proxy", "restartPolicy": "Always"},
    ]  # fmt: skip
    answer = answer_to(workload, raw_policy(S, "s"))
    assert targets(answer) == ["app/requests/cpu", "sidecar/requests/cpu", "proxy/requests/cpu"]
    assert all(not place.candidate.exact for selection in answer.targets for place in selection.ranking)


def test_a_named_container_and_the_wildcard_compete_only_for_that_container() -> None:
    answer = of({"app": {"cpu": "2"}, "*": {"cpu": "1", "memory": "1Gi"}}, "app", "sidecar")
    assert [len(selection.ranking) for selection in answer.targets] == [2, 1, 1, 1]
    values = {str(s.target): s.winner.value for s in answer.targets if s.winner}
    assert values == {
        "app/requests/cpu": "2", "app/requests/memory": "1Gi",
        "sidecar/requests/cpu": "1", "sidecar/requests/memory": "1Gi",
    }  # fmt: skip
    assert rule_of(target_of(answer)) == "exact-target"


def test_requests_and_limits_are_selected_apart() -> None:
    answer = of({"app": {"cpu": "1"}}, limits={"app": {"cpu": "2"}})
    assert {str(s.target): s.winner.value for s in answer.targets if s.winner} == {
        "app/requests/cpu": "1", "app/limits/cpu": "2",
    }  # fmt: skip


def test_a_container_that_the_workload_does_not_have_is_no_target() -> None:
    answer = of({"gone": {"cpu": "1"}, "app": {"cpu": "1"}})
    assert targets(answer) == ["app/requests/cpu"]
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.CONTAINER_UNKNOWN)
    assert (doubt.subject, doubt.detail["container"]) == (hashed_key(S), "gone")


def test_containers_come_from_pods_where_the_kind_has_no_template() -> None:
    """Each once, in the order met."""
    annotations = {hashed_key(S): envelope(S, "s", {"*": {"cpu": "1"}})}
    pods = [
        raw_pod("a", raw_container("app"), raw_container("x")),
        raw_pod("b", raw_container("y"), raw_container("app")),
    ]
    answer = answer_to(raw_workload(annotations, kind="Model"), raw_policy(S, "s"), pods=pods)
    assert targets(answer) == ["app/requests/cpu", "x/requests/cpu", "y/requests/cpu"]
    assert DoubtCode.CONTAINERS_UNKNOWN not in codes(answer)


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({"b": {"cpu": "1"}, "a": {"cpu": "1"}}, ["a/requests/cpu", "b/requests/cpu"]),
        ({"*": {"cpu": "1"}}, ["*/requests/cpu"]),
        ({"*": {"cpu": "1"}, "a": {"memory": "1"}}, ["a/requests/cpu", "a/requests/memory", "*/requests/cpu"]),
    ],
    ids=["named", "wildcard", "both"],
)
def test_where_nobody_knows_the_containers_the_payloads_names_have_to_do(payload: Any, expected: list[str]) -> None:
    answer = of(payload, kind="Model")
    assert targets(answer) == expected
    doubts = [doubt for doubt in answer.doubts if doubt.code is DoubtCode.CONTAINERS_UNKNOWN]
    assert [doubt.subject for doubt in doubts] == ["Model"]
    assert DoubtCode.CONTAINER_UNKNOWN not in codes(answer)


def test_no_doubt_about_containers_where_nothing_is_claimed() -> None:
    assert DoubtCode.CONTAINERS_UNKNOWN not in codes(answer_to(raw_workload(kind="Model")))


def test_the_template_counts_before_the_pods() -> None:
    pods = (Pod("p", {}, (Container("other"),)),)
    assert containers_of(a_snapshot(pods=pods)) == (Container("app"),)
    assert containers_of(a_snapshot(pods=pods, workload=a_workload(containers=None))) == (Container("other"),)
    assert containers_of(a_snapshot(pods=None, workload=a_workload(containers=None))) is None
    assert containers_of(a_snapshot(workload=a_workload(containers=None))) is None


def test_one_claim_for_each_annotation_and_form() -> None:
    snapshot = a_snapshot(
        a_recommendation(S, "s", "A", values={"app": "1", "*": "2"}),
        a_recommendation(S, "t", "B", values={"*": "3"}),
        a_recommendation(S, "u", "C", values={"app": "4"}, usage=Usage.LIMITS, key=hashed_key(S, "C", "limits")),
    )
    claims = claims_of(snapshot).by_target
    assert [(c.policy.name, c.value, c.exact) for c in claims[CPU]] == [
        ("s", "1", True),
        ("s", "2", False),
        ("t", "3", False),
    ]
    assert [c.policy.name for c in claims[Target("app", Usage.LIMITS, "cpu")]] == ["u"]


# --- Applied values --------------------------------------------------------------------------------------------------


def pod(name: str, cpu: str | None, **members: Any) -> Pod:
    return Pod(
        name,
        {},
        (Container("other", requests={"cpu": "9"}), Container("app", requests={"cpu": cpu} if cpu else {})),
        **members,
    )


def test_applied_values_are_counted_by_value_most_pods_first() -> None:
    """As written on the first pod by name."""
    pods = (pod("d", "1"), pod("c", "1000m"), pod("b", "2"), pod("a", None), pod("e", "1.0"))
    assert applied_values(CPU, pods) == (Applied("1000m", 3), Applied(None, 1), Applied("2", 1))
    assert applied_values(Target("app", Usage.LIMITS, "cpu"), pods) == (Applied(None, 5),)
    assert applied_values(Target("gone", Usage.REQUESTS, "cpu"), pods) == ()


def test_a_value_that_is_no_quantity_is_counted_as_written() -> None:
    assert applied_values(CPU, (pod("a", "lots"), pod("b", "lots"), pod("c", "1"))) == (
        Applied("lots", 2),
        Applied("1", 1),
    )


def test_applied_values_are_unknown_where_pods_are() -> None:
    assert applied_values(CPU, None) is None
    assert applied_values(CPU, ()) == ()


def test_pods_that_ended_or_leave_do_not_count() -> None:
    pods = (
        pod("b", "1"), pod("a", "1", phase="Pending"), pod("c", "1", phase="Succeeded"), pod("d", "1", phase="Failed"),
        pod("e", "1", terminating=True), pod("f", "1", phase="Unknown"),
    )  # fmt: skip
    assert [found.name for found in running(pods)] == ["a", "b", "f"]


@given(st.permutations([("a", "1"), ("b", "1000m"), ("c", "2"), ("d", "2"), ("e", None)]))
def test_the_order_of_pods_does_not_matter(order: list[tuple[str, str | None]]) -> None:
    assert applied_values(CPU, tuple(pod(name, cpu) for name, cpu in order)) == (
        Applied("1", 2), Applied("2", 2), Applied(None, 1),
    )  # fmt: skip


# --- Spellings -------------------------------------------------------------------------------------------------------

SPELLINGS = [("1", "1000m"), ("1Gi", "1024Mi"), ("0.5", "500m"), ("129e6", "129M"), ("1", "+1.0")]


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_another_spelling_of_a_quantity_changes_nothing_but_the_text(one: str, other: str) -> None:
    """Winner, rule, order and counts of applied values."""

    def answer(value: str) -> Answer:
        annotations = {
            hashed_key(S): envelope(S, "s", {"app": {"cpu": value}}),
            hashed_key(P): envelope(P, "p", {"app": {"cpu": value}}),
        }
        pods = [
            raw_pod(name, raw_container("app", {"cpu": text})) for name, text in (("a", one), ("b", value), ("c", "7"))
        ]
        return answer_to(raw_workload(annotations), raw_policy(S, "s"), raw_policy(P, "p"), pods=pods)

    first, second = target_of(answer(one)), target_of(answer(other))
    assert first.winner is not None
    assert second.winner is not None
    assert (first.winner.value, second.winner.value) == (one, other)
    assert [p.candidate.key for p in first.ranking] == [p.candidate.key for p in second.ranking]
    assert rule_of(first) == rule_of(second)
    assert first.applied == second.applied == (Applied(one, 2), Applied("7", 1))


# --- No policy vanishes ----------------------------------------------------------------------------------------------


def accounted(answer: Answer) -> list[PolicyRef]:
    """Every policy that the answer speaks of as a candidate, a hook's candidate or a refusal; and as a doubt's subject
    for a claim whose value could not be read."""
    ranked = {place.candidate.policy for selection in answer.targets for place in selection.ranking}
    ranked |= {place.policy for hook in answer.hooks for place in hook.ranking}
    refused = [refusal.policy for refusal in answer.refusals]
    assert len(set(refused)) == len(refused)
    assert not ranked & set(refused)
    return [*ranked, *refused]


def random_answer(rng: random.Random) -> Answer:
    """Policies of all kinds, of which some match, some publish, and some are odd."""
    policies, annotations = [], {}
    for kind in rng.sample(SCOPED_KINDS, rng.randint(1, 6)):
        for name in rng.sample("abc", rng.randint(1, 3)):
            scope: dict[str, Any] = {}
            if rng.random() < 0.3:
                scope["labelSelector"] = {"matchLabels": {"app": rng.choice(("web", "api"))}}
            if rng.random() < 0.2:
                scope["containers"] = [rng.choice(("app", "other", "sidecar"))]
            if rng.random() < 0.1:
                scope["workloadTypes"] = rng.choice((["Job"], "Job"))
            policies.append(
                raw_policy(kind.name, name, weight=rng.randint(0, 2), created=rng.choice((TEN, None)), scope=scope)
            )
            if kind in RESOURCE_KINDS and rng.random() < 0.5:
                container = rng.choice(("app", "*", "gone"))
                payload = envelope(kind.name, name, {container: {"cpu": rng.choice(("1", "2"))}})
                annotations[hashed_key(kind.name, name)] = payload
        if rng.random() < 0.3:
            key = (
                fixed_key(kind.name)
                if kind in RESOURCE_KINDS
                else f"{kind.key_prefix}.rightsizing.kubex.ai/pod-runtime-hook"
            )
            annotations[key] = bare() if rng.random() < 0.9 else "{"
    workload = raw_workload(annotations, labels={"app": "web"}, containers=["app", "sidecar"])
    return answer_to(workload, *policies)


def test_winner_losers_and_refusals_are_all_policies_of_the_snapshot() -> None:
    rng = random.Random(11)
    for _ in range(600):
        answer = random_answer(rng)
        named = [ref for ref in accounted(answer) if ref.name is not None]
        assert {policy.ref for policy in answer.snapshot.policies} == set(named) & {
            p.ref for p in answer.snapshot.policies
        }


def test_a_policy_whose_only_value_is_no_quantity_does_not_vanish() -> None:
    """It is neither ranked nor refused: a doubt names it."""
    answer = answer_to(raw_workload({hashed_key(S): envelope(S, "s", {"app": {"cpu": "lots"}})}), raw_policy(S, "s"))
    assert accounted(answer) == []
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.VALUE_UNREADABLE)
    assert doubt.detail["policy"] == "StaticPolicy/shop/s"


def test_the_order_of_objects_does_not_matter() -> None:
    policies = [raw_policy(kind, name, weight=w) for kind in (S, P) for w, name in enumerate("ba")]
    annotations = {hashed_key(kind, name): envelope(kind, name) for kind in (S, P) for name in "ab"}
    first = answer_to(raw_workload(annotations), *policies)
    for _ in range(10):
        random.Random(1).shuffle(policies)
        again = answer_to(raw_workload(dict(reversed(annotations.items()))), *policies)
        assert (again.targets, again.doubts, again.refusals) == (first.targets, first.doubts, first.refusals)


def test_an_owner_in_another_namespace_can_match_nothing_here() -> None:
    answer = answer_to(
        raw_workload({hashed_key(S): envelope(S, "s", namespace="other")}),
        raw_policy(S, "s"),
        raw_policy(S, "s", namespace="other"),
    )
    selection = target_of(answer)
    assert selection.doubts[0] is DoubtCode.POLICY_NO_LONGER_MATCHES
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.POLICY_NO_LONGER_MATCHES)
    assert (doubt.detail["reason"], doubt.detail["namespace"]) == ("wrong-namespace", "other")
    assert a_policy(S).ref.namespace == "shop"


def test_a_wildcard_is_never_exact() -> None:
    """Also where it stands for containers that nobody knows."""
    selection = target_of(of({"*": {"cpu": "1"}}, kind="Model"), "*/requests/cpu")
    assert [place.candidate.exact for place in selection.ranking] == [False]
