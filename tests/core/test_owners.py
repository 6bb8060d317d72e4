"""Whose recommendation is it? From an annotation to the policy behind it, by name or by inference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kubectl_kubex.core.answer import Status
from kubectl_kubex.core.candidate import OLDEST, Candidate
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import GROUP
from kubectl_kubex.core.model import PolicyRef
from kubectl_kubex.core.owners import candidate_of
from kubectl_kubex.core.reading import Reading
from kubectl_kubex.core.recommendation import Form, Recommendation, Timestamps
from tests.builders import (
    ELEVEN,
    TEN,
    a_gap,
    a_policy,
    a_precedence,
    a_recommendation,
    a_snapshot,
    answer_to,
    bare,
    envelope,
    fixed_key,
    hashed_key,
    raw_policy,
    raw_workload,
    target_of,
)

P, W, S = "ProactivePolicy", "ClusterProactivePolicy", "StaticPolicy"


def claim(recommendation: Recommendation, *policies: Any, **changes: Any) -> Candidate:
    return candidate_of(recommendation, a_snapshot(recommendation, policies=policies, **changes))


def fixed(kind: str = P, **changes: Any) -> Recommendation:
    """A bare payload under the kind's fixed key."""
    nameless = {"form": Form.BARE, "policy_kind": None, "policy_namespace": None}
    return a_recommendation(kind, None, None, **{**nameless, **changes})


def options(reading: Reading[Any]) -> set[Any] | None:
    """Every value that a fact may have; None: any."""
    return None if reading.possible is None else set(reading.possible)


# --- Named -----------------------------------------------------------------------------------------------------------


def test_a_payload_names_its_policy_and_the_live_object_gives_the_weight() -> None:
    found = claim(a_recommendation(), a_policy(weight=7), a_policy(name="other", weight=9), a_policy(S, weight=8))
    assert found.policy == PolicyRef(P, "shop", "policy")
    assert (found.weight.assumed, found.weight.is_open) == (7, False)
    assert (found.priority.assumed, found.kinds, found.kind) == (70, (P,), P)
    assert (found.absence, found.identity, found.phantom, found.details) == (None, None, False, ())
    assert (found.created.assumed, found.created_field) == (OLDEST, None)


def test_a_cluster_policy_has_no_namespace_whatever_the_payload_says() -> None:
    found = claim(a_recommendation(W, policy_namespace="shop"), a_policy(W, weight=7))
    assert (found.policy, found.weight.assumed) == (PolicyRef(W, None, "policy"), 7)


def test_a_namespaced_policy_without_a_namespace_is_of_the_workloads() -> None:
    assert claim(a_recommendation(policy_namespace=None), a_policy(weight=7)).weight.assumed == 7


def test_a_creation_time_is_the_payloads_and_not_the_live_objects() -> None:
    """Legacy payloads rank as the oldest, whatever the policy's own age."""
    found = claim(a_recommendation(created=(ELEVEN,)), a_policy(created=TEN))
    assert (found.created.assumed, found.created_field) == (ELEVEN, "field0")
    assert claim(a_recommendation(), a_policy(created=TEN)).created.assumed == OLDEST


def test_an_unclear_time_is_assumed_to_be_the_first_that_can_be_read() -> None:
    times = Timestamps((("createdAt", ELEVEN),), ("creationTimestamp",))
    found = claim(a_recommendation(timestamps=times), a_policy())
    assert (found.created.assumed, options(found.created), found.created_field) == (ELEVEN, None, None)
    nothing = claim(a_recommendation(timestamps=Timestamps((), ("createdAt",))), a_policy())
    assert (nothing.created.assumed, nothing.created.doubt) == (OLDEST, DoubtCode.CREATED_UNCLEAR)


def test_two_times_are_both_possible() -> None:
    found = claim(a_recommendation(created=(ELEVEN, TEN)), a_policy())
    assert (found.created.assumed, options(found.created)) == (ELEVEN, {TEN, ELEVEN})


def test_a_policy_that_is_gone_has_the_payloads_weight_if_any() -> None:
    unknown, stated = claim(a_recommendation()), claim(a_recommendation(weight=5))
    assert (unknown.absence, options(unknown.weight)) == (DoubtCode.POLICY_GONE, None)
    assert unknown.weight.doubt is DoubtCode.WEIGHT_UNKNOWN
    assert (stated.absence, options(stated.weight)) == (DoubtCode.POLICY_GONE, {5})


def test_a_policy_that_makes_no_sense_has_no_weight_and_may_not_compete() -> None:
    found = claim(a_recommendation(), a_policy(weight=9, problem="spec.scope is missing"))
    assert (found.absence, options(found.weight), found.weight.doubt) == (
        DoubtCode.POLICY_INVALID, None, DoubtCode.POLICY_INVALID,
    )  # fmt: skip
    assert found.details == (("problem", "spec.scope is missing"),)


def test_an_unknown_kinds_policy_is_nobody_that_could_be_looked_up() -> None:
    key = f"future.{GROUP}/hA-desired-resource-requests"
    found = claim(a_recommendation(policy_kind="FuturePolicy", prefix="future", key=key, weight=3))
    assert (found.policy, found.kinds, found.kind) == (PolicyRef("FuturePolicy", "shop", "policy"), (), None)
    assert (options(found.weight), found.absence) == ({3}, None)
    assert (options(found.priority), found.priority.doubt) == (None, DoubtCode.UNKNOWN_KIND)


def test_a_hashed_key_without_a_name_is_nobodys() -> None:
    """A hashed key is one policy's own: which one, only the payload could say."""
    found = claim(a_recommendation(name=None), a_policy(weight=7))
    assert (found.policy, found.identity) == (PolicyRef(P, "shop", None), DoubtCode.OWNER_UNKNOWN)
    assert options(found.weight) is None
    assert claim(a_recommendation(W, None), a_policy(W)).policy == PolicyRef(W, None, None)


# --- Inferred --------------------------------------------------------------------------------------------------------


def test_a_fixed_keys_owner_is_the_one_that_the_write_side_prefers() -> None:
    """Heaviest of its kind that matches; others of the kind, of other kinds, and elsewhere do not count."""
    found = claim(
        fixed(), a_policy(name="light", weight=1), a_policy(name="heavy", weight=2), a_policy(S, "static", weight=9),
        a_policy(name="there", namespace="other", weight=9), a_policy(name="jobs", weight=9, workload_types=("Job",)),
    )  # fmt: skip
    assert (found.policy, found.identity) == (PolicyRef(P, "shop", "heavy"), DoubtCode.OWNER_INFERRED)
    assert (options(found.weight), found.absence) == ({2}, None)


def test_of_two_equally_heavy_ones_it_is_the_older() -> None:
    policies = [a_policy(name="young", created=ELEVEN), a_policy(name="old", created=TEN)]
    assert claim(fixed(), *policies).policy.name == "old"


def test_of_two_alike_it_is_nobody_with_a_known_weight() -> None:
    found = claim(fixed(), a_policy(name="a", weight=4), a_policy(name="b", weight=4), a_policy(name="c"))
    assert (found.policy.name, found.identity) == (None, DoubtCode.OWNER_UNKNOWN)
    assert (options(found.weight), found.absence) == ({4}, None)


@pytest.mark.parametrize(("kind", "namespace"), [(P, "shop"), (W, None)])
def test_where_no_policy_of_the_kind_matches_the_key_may_be_a_leftover(kind: str, namespace: str | None) -> None:
    found = claim(fixed(kind), a_policy(kind, name="jobs", workload_types=("Job",)))
    assert (found.policy, found.absence) == (PolicyRef(kind, namespace, None), DoubtCode.POLICY_GONE)
    assert found.weight.doubt is DoubtCode.WEIGHT_UNKNOWN


@pytest.mark.parametrize(("kind", "namespace"), [(P, "shop"), (W, None)])
def test_where_the_kind_cannot_be_read_the_owner_is_nobody(kind: str, namespace: str | None) -> None:
    found = claim(fixed(kind), a_policy(kind), gaps=(a_gap(kind),))
    assert (found.policy, found.absence) == (PolicyRef(kind, namespace, None), DoubtCode.POLICY_UNREADABLE)
    assert options(found.weight) is None


@pytest.mark.parametrize(("kind", "namespace"), [(P, "shop"), (W, None)])
def test_one_policy_of_the_kind_that_makes_no_sense_makes_the_owner_unknown(kind: str, namespace: str | None) -> None:
    """It may match, and be the heavier one."""
    found = claim(fixed(kind), a_policy(kind, "good", weight=2), a_policy(kind, "bad", problem="spec.weight is odd"))
    assert found.policy == PolicyRef(kind, namespace, None)
    assert (options(found.weight), found.weight.doubt) == (None, DoubtCode.POLICY_INVALID)
    assert dict(found.details) == {"problem": "spec.weight is odd", "invalid": "bad"}


def test_one_that_makes_no_sense_in_another_namespace_does_not_matter() -> None:
    bad = a_policy(name="bad", namespace="other", problem="spec.weight is odd")
    assert claim(fixed(), a_policy(name="good", weight=2), bad).policy.name == "good"


def test_where_only_a_policy_that_makes_no_sense_is_left_the_key_may_be_a_leftover() -> None:
    """As for a payload that names that policy: whether it matches is not known."""
    assert claim(fixed(), a_policy(problem="spec.scope is odd")).absence is DoubtCode.POLICY_INVALID


def test_and_so_it_is_no_sure_winner() -> None:
    annotations = {fixed_key(S): bare(), hashed_key(P): envelope(P, "p")}
    odd = raw_policy(S, "s", scope={"workloadTypes": "Job"})
    assert target_of(answer_to(raw_workload(annotations), odd, raw_policy(P, "p"))).status is Status.UNDETERMINED


@pytest.mark.parametrize("alike", [False, True])
def test_a_weight_that_the_payload_states_and_the_inferred_owners(alike: bool) -> None:
    """Both are possible, and the facts are kept, also where two policies are alike."""
    others = [a_policy(name="b", weight=1)] if alike else []
    found = claim(fixed(form=Form.ENVELOPE, policy_kind=P, weight=5), a_policy(name="a", weight=1), *others)
    assert (found.weight.assumed, options(found.weight)) == (5, {5, 1})
    assert found.weight.doubt is DoubtCode.WEIGHT_CHANGED
    assert dict(found.details) == {"payload-weight": "5", "live-weight": "1"}
    same = claim(fixed(form=Form.ENVELOPE, policy_kind=P, weight=1), a_policy(name="a", weight=1), *others)
    assert (same.weight.is_open, same.details) == (False, ())


def test_an_inferred_owner_that_no_longer_lists_the_container_may_not_compete() -> None:
    annotations = {
        fixed_key(P): bare({"app": {"cpu": "1"}, "sidecar": {"cpu": "1"}}),
        fixed_key(W): bare({"app": {"cpu": "2"}}),
    }
    policies = [raw_policy(P, "p", weight=1, scope={"containers": ["sidecar"]}), raw_policy(W, "w")]
    answer = answer_to(raw_workload(annotations, containers=["app", "sidecar"]), *policies)
    assert target_of(answer).reasons == (DoubtCode.POLICY_NO_LONGER_MATCHES,)
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.POLICY_NO_LONGER_MATCHES)
    assert (doubt.detail["reason"], doubt.detail["containers"]) == ("container-not-listed", "sidecar")


# --- Unreadable and legacy payloads ----------------------------------------------------------------------------------


@pytest.mark.parametrize("digest", [None, "AAAA"])
def test_an_unreadable_payload_is_a_phantom_with_nothing_known_but_its_kind(digest: str | None) -> None:
    bad = a_recommendation(
        P, None, digest, form=Form.UNREADABLE, values={}, policy_kind=None, policy_namespace=None, problem="not JSON"
    )
    found = claim(bad, a_policy(weight=3))
    assert (found.phantom, found.absence, found.policy) == (
        True,
        DoubtCode.PAYLOAD_UNREADABLE,
        PolicyRef(P, "shop", None),
    )
    assert (options(found.priority), options(found.weight), options(found.created)) == ({70}, None, None)
    assert (found.weight.doubt, found.created.doubt) == (DoubtCode.PAYLOAD_UNREADABLE,) * 2
    assert (found.details, found.value, found.exact) == ((("problem", "not JSON"),), None, False)


@pytest.mark.parametrize(
    ("listed", "possible"),
    [
        ((), {120}),
        ((("GpuRebalancingPolicy", 200),), {120, 200}),
        ((("ClusterGpuRebalancingPolicy", 200),), {120}),
        ((("GpuRebalancingPolicy", 120),), {120}),
    ],
    ids=["unlisted", "listed", "its-twin-listed", "alike"],
)
def test_a_key_from_before_1_9_may_rank_as_its_old_type_where_that_is_listed(listed: Any, possible: set[int]) -> None:
    old = fixed("GpuReactivePolicy", prefix="gpurebalancing", key=f"gpurebalancing.{GROUP}/desired-resource-requests")
    found = claim(old, a_policy("GpuReactivePolicy"), precedence=a_precedence(("GpuReactivePolicy", 120), *listed))
    assert (found.phantom, found.absence, found.kinds) == (True, DoubtCode.LEGACY_PREFIX, ("GpuReactivePolicy",))
    assert options(found.priority) == possible


# --- Contradictions --------------------------------------------------------------------------------------------------


def contradicting(**changes: Any) -> Recommendation:
    """Says ProactivePolicy under `static.`."""
    return a_recommendation(P, "p", "A", key=hashed_key(S, "A"), prefix="static", **changes)


def test_a_contradicting_payload_may_be_either_kinds() -> None:
    found = claim(contradicting(), a_policy(name="p", weight=7))
    assert (found.kinds, found.kind, found.policy) == ((P, S), P, PolicyRef(P, "shop", "p"))
    assert (found.priority.assumed, options(found.priority)) == (70, {70, 90})
    assert found.priority.doubt is DoubtCode.KIND_CONTRADICTS_PREFIX
    assert (found.weight.assumed, options(found.weight)) == (7, None)
    assert found.absence is DoubtCode.KIND_CONTRADICTS_PREFIX


def test_its_priority_is_open_even_further_where_one_of_the_kinds_has_none() -> None:
    found = claim(contradicting(weight=2), a_policy(name="p", weight=2), precedence=a_precedence((P, 70)))
    assert (found.priority.assumed, options(found.priority)) == (70, None)
    assert found.priority.doubt is DoubtCode.KIND_CONTRADICTS_PREFIX
    assert (found.weight.assumed, options(found.weight)) == (2, None)


def test_two_claims_share_a_policy_only_where_both_name_it_for_sure() -> None:
    plain = claim(a_recommendation(P, "p"), a_policy(name="p"))
    same = replace(plain, key="other")
    assert plain.shares_policy(same)
    assert not plain.shares_policy(replace(same, policy=PolicyRef(P, "shop", "q")))
    assert not plain.shares_policy(replace(same, kinds=(P, S)))
    nobody = PolicyRef(P, "shop", None)
    assert not replace(plain, policy=nobody).shares_policy(replace(same, policy=nobody))
    assert plain.shares_policy(replace(plain, policy=nobody, kinds=()))
