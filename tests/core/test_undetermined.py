"""When there is no winner, why, and who would win if: each case beside its nearest determined one."""

from __future__ import annotations

from typing import Any

import pytest

from kubectl_kubex.core.answer import Answer, Status, TargetSelection
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import GROUP
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.selection import ASSUMABLE
from tests.builders import (
    ELEVEN,
    TEN,
    a_gap,
    answer_to,
    bare,
    codes,
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

STATIC, PROACTIVE, WIDE = "StaticPolicy", "ProactivePolicy", "ClusterProactivePolicy"


def duel(*objects: dict[str, Any], gaps: tuple[Gap, ...] = (), **payloads: str) -> Answer:
    """Static `s` against Proactive `p`, each publishing under a hashed key. `objects` come on top of the two policies,
    or replace them. `payloads`: s= and p= for other texts."""
    annotations = {
        hashed_key(STATIC): payloads.get("s", envelope(STATIC, "s", created=TEN)),
        hashed_key(PROACTIVE): payloads.get("p", envelope(PROACTIVE, "p", created=ELEVEN)),
    }
    given = {member["metadata"]["name"] for member in objects}
    standing = [raw_policy(kind, name) for kind, name in ((STATIC, "s"), (PROACTIVE, "p")) if name not in given]
    return answer_to(raw_workload(annotations), *standing, *objects, gaps=gaps)


def gone(name: str) -> dict[str, Any]:
    """In place of policy `name`: an object of a kind that selection does not look at."""
    return {"kind": "ObjectPatch", "metadata": {"name": name}}


def assert_undetermined(answer: Answer, *reasons: DoubtCode, conditional: str | None) -> TargetSelection:
    """No winner, for exactly these reasons, each of them in the list of doubts, and the conditional winner."""
    selection = target_of(answer)
    assert selection.status is Status.UNDETERMINED
    assert selection.winner is None
    assert selection.decided_by is None
    assert set(selection.reasons) == set(reasons)
    assert len(set(selection.reasons)) == len(selection.reasons)
    assert not set(selection.reasons) & set(selection.doubts)
    for reason in reasons:
        assert any("app/requests/cpu" in doubt.affects for doubt in answer.doubts if doubt.code is reason), reason
    named = selection.conditional.winner.policy.name if selection.conditional else None
    assert named == conditional
    if selection.conditional:
        assert selection.conditional.assuming == selection.reasons
        assert set(reasons) <= ASSUMABLE
    assert answer.is_partial
    return selection


def assert_selected(answer: Answer, name: str, rule: str = "priority") -> TargetSelection:
    selection = target_of(answer)
    assert selection.status is Status.SELECTED, selection.reasons
    assert selection.winner is not None
    assert (selection.winner.policy.name, rule_of(selection)) == (name, rule)
    assert selection.reasons == ()
    assert selection.conditional is None
    return selection


def test_the_duel_is_determined_when_all_is_known() -> None:
    """The nearest case of all those below."""
    answer = duel()
    assert_selected(answer, "s")
    assert codes(answer) == {DoubtCode.NO_PODS}


# --- The precedence --------------------------------------------------------------------------------------------------


def test_the_singleton_is_missing() -> None:
    """Conditional answer: the chart's defaults."""
    answer = duel(raw_precedence(name="other"))
    assert_undetermined(answer, DoubtCode.PRECEDENCE_MISSING, conditional="s")
    assert [doubt.subject for doubt in answer.doubts if doubt.code is DoubtCode.OTHER_PRECEDENCE] == ["other"]


def test_the_kind_of_the_singleton_is_not_served() -> None:
    """Not served means that there is none: missing, not unreadable."""
    answer = duel(gaps=(a_gap("PolicyEvaluation", GapReason.NOT_SERVED),))
    assert_undetermined(answer, DoubtCode.PRECEDENCE_MISSING, conditional="s")


@pytest.mark.parametrize("reason", [r for r in GapReason if r is not GapReason.NOT_SERVED])
def test_the_singleton_cannot_be_read(reason: GapReason) -> None:
    answer = duel(gaps=(a_gap("PolicyEvaluation", reason),))
    assert_undetermined(answer, DoubtCode.PRECEDENCE_UNREADABLE, conditional="s")
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.PRECEDENCE_UNREADABLE)
    assert doubt.detail["reason"] == reason.value
    assert doubt.detail["request"] == "list PolicyEvaluation"


@pytest.mark.parametrize(
    ("listed", "conditional"), [((PROACTIVE, 70), "p"), ((STATIC, 90), "s"), ((STATIC, 0), "p")],
    ids=["the winner's", "the loser's", "the loser's, against priority 0"],
)  # fmt: skip
def test_a_type_is_unlisted(listed: tuple[str, int], conditional: str) -> None:
    """Conditional answer: unlisted types rank as 0."""
    assert_undetermined(duel(raw_precedence(listed)), DoubtCode.TYPE_UNLISTED, conditional=conditional)


def test_both_types_are_unlisted() -> None:
    """Both as 0, so weights and, last, keys would decide."""
    assert_undetermined(duel(raw_precedence(("RollbackPolicy", 130))), DoubtCode.TYPE_UNLISTED, conditional="p")


def test_all_candidates_of_one_unlisted_type_are_determined() -> None:
    """Whatever the type's priority, it is the same for all of them."""
    annotations = {
        hashed_key(STATIC, "A"): envelope(STATIC, "light"),
        hashed_key(STATIC, "B"): envelope(STATIC, "heavy"),
    }
    policies = [raw_policy(STATIC, "light", weight=1), raw_policy(STATIC, "heavy", weight=2)]
    for precedence in (raw_precedence((PROACTIVE, 70)), raw_precedence(name="other")):
        assert_selected(answer_to(raw_workload(annotations), *policies, precedence), "heavy", "weight")


@pytest.mark.parametrize(
    ("priorities", "winner"), [((60, 90), None), ((90, 60), None), ((80, 90), "s"), ((90, 90), "s"), ((50, 60), "p")],
    ids=str,
)  # fmt: skip
def test_a_type_is_listed_twice(priorities: tuple[int, int], winner: str | None) -> None:
    """It matters only where the other type's priority lies between. Conditional answer: the last entry counts."""
    answer = duel(raw_precedence((STATIC, priorities[0]), (PROACTIVE, 70), (STATIC, priorities[1])))
    if winner is None:
        assert_undetermined(answer, DoubtCode.TYPE_DUPLICATED, conditional="s" if priorities[1] > 70 else "p")
        assert [doubt.subject for doubt in answer.doubts if doubt.code is DoubtCode.TYPE_DUPLICATED] == [STATIC]
    else:
        assert assert_selected(answer, winner).doubts == ()


@pytest.mark.parametrize("priority", ["90", -1, 2**31, 2**63, True, None, 1.5, [], {}], ids=repr)
def test_a_priority_that_is_none(priority: object) -> None:
    """Conditional answer: as 0."""
    assert_undetermined(
        duel(raw_precedence((STATIC, priority), (PROACTIVE, 70))), DoubtCode.PRIORITY_INVALID, conditional="p"
    )


@pytest.mark.parametrize(
    "precedence", ["high", 7, {"type": STATIC}, [{"priority": 90}], ["StaticPolicy"], [{"type": 5, "priority": 1}]],
    ids=repr,
)  # fmt: skip
def test_a_malformed_list(precedence: object) -> None:
    """Nothing in it can be trusted. Conditional answer: the chart's defaults."""
    answer = duel({**raw_precedence(), "spec": {"precedence": precedence}})
    assert_undetermined(answer, DoubtCode.PRIORITY_INVALID, conditional="s")


@pytest.mark.parametrize("spec", [{}, None, {"precedence": None}, {"precedence": []}, "", 3], ids=repr)
def test_an_empty_list(spec: object) -> None:
    """Every type is unlisted."""
    answer = duel({**raw_precedence(), "spec": spec})
    assert_undetermined(answer, DoubtCode.TYPE_UNLISTED, conditional="p")


# --- The payload -----------------------------------------------------------------------------------------------------


def test_an_unknown_kind_has_no_conditional_answer() -> None:
    """Nobody has published what it would rank as."""
    key = f"future.{GROUP}/hA-desired-resource-requests"
    annotations = {key: envelope("FuturePolicy", "f"), hashed_key(STATIC): envelope(STATIC, "s")}
    answer = answer_to(raw_workload(annotations), raw_policy(STATIC, "s"))
    assert_undetermined(answer, DoubtCode.UNKNOWN_KIND, DoubtCode.WEIGHT_UNKNOWN, conditional=None)
    assert {doubt.subject for doubt in answer.doubts if doubt.code is DoubtCode.UNKNOWN_KIND} == {key}


def test_an_unpublished_prefix_of_a_kind_that_the_payload_names_is_determined() -> None:
    """ClusterRollbackPolicy's prefix is not published; its policyKind is enough."""
    annotations = {
        hashed_key("ClusterRollbackPolicy"): envelope("ClusterRollbackPolicy", "r"),
        hashed_key(STATIC): envelope(STATIC, "s"),
    }
    policies = [raw_policy("ClusterRollbackPolicy", "r"), raw_policy(STATIC, "s")]
    selection = assert_selected(answer_to(raw_workload(annotations), *policies), "r")
    assert selection.doubts == ()


def test_an_unpublished_prefix_under_a_fixed_key_is_not() -> None:
    """A bare map names no kind, and nobody knows the prefix."""
    annotations = {fixed_key("ClusterRollbackPolicy"): bare(), hashed_key(STATIC): envelope(STATIC, "s")}
    policies = [raw_policy("ClusterRollbackPolicy", "r"), raw_policy(STATIC, "s")]
    answer = answer_to(raw_workload(annotations), *policies)
    assert_undetermined(answer, DoubtCode.UNKNOWN_KIND, DoubtCode.WEIGHT_UNKNOWN, conditional=None)


@pytest.mark.parametrize(
    ("payload", "live", "winner"), [(5, 1, None), (1, 5, None), (5, 4, "s"), (1, 2, "p"), (5, 5, "s")], ids=str
)
def test_a_changed_weight(payload: int, live: int, winner: str | None) -> None:
    """`s` says one weight, its live object has another; `p` weighs 3. Conditional answer: the payload's."""
    answer = duel(
        raw_policy(STATIC, "s", weight=live),
        raw_policy(PROACTIVE, "p", weight=3),
        raw_precedence((STATIC, 80), (PROACTIVE, 80)),
        s=envelope(STATIC, "s", weight=payload),
    )
    if winner is None:
        assert_undetermined(answer, DoubtCode.WEIGHT_CHANGED, conditional="s" if payload > 3 else "p")
    else:
        selection = assert_selected(answer, winner, "weight")
        assert (DoubtCode.WEIGHT_CHANGED in selection.doubts) is (payload != live)
    changed = [doubt.detail for doubt in answer.doubts if doubt.code is DoubtCode.WEIGHT_CHANGED]
    expected = {
        "payload-weight": str(payload),
        "live-weight": str(live),
        "policy": "StaticPolicy/shop/s",
        "kind": STATIC,
    }
    assert changed == ([expected] if payload != live else [])


def test_a_changed_weight_does_not_matter_at_another_priority() -> None:
    selection = assert_selected(duel(raw_policy(STATIC, "s", weight=1), s=envelope(STATIC, "s", weight=5)), "s")
    assert selection.doubts == (DoubtCode.WEIGHT_CHANGED,)


def test_an_unknown_weight_has_no_conditional_answer() -> None:
    """The policy is gone and the payload gives no weight; at equal priority any weight may win."""
    answer = duel(gone("s"), raw_precedence((STATIC, 80), (PROACTIVE, 80)))
    assert_undetermined(answer, DoubtCode.WEIGHT_UNKNOWN, conditional=None)


def test_an_unknown_weight_of_a_loser_by_priority_does_not_matter() -> None:
    selection = assert_selected(duel(gone("p")), "s")
    assert set(selection.doubts) == {DoubtCode.POLICY_GONE}


TWO_TIMES = {"creationTimestamp": "2026-08-01T09:00:00Z", "createdAt": "2026-08-01T11:00:00Z"}


@pytest.mark.parametrize(
    ("times", "rival", "winner"),
    [
        (TWO_TIMES, "2026-08-01T10:00:00Z", None),
        (TWO_TIMES, "2026-08-01T12:00:00Z", "a"),
        (TWO_TIMES, "2026-08-01T08:00:00Z", "b"),
        ({"creationTimestamp": "yesterday"}, "2026-08-01T10:00:00Z", None),
        ({"creationTimestamp": 1754042400}, "2026-08-01T10:00:00Z", None),
        ({"createdAt": "2026-08-01T09:00:00Z"}, "2026-08-01T10:00:00Z", "a"),
    ],
    ids=["between", "after-both", "before-both", "nonsense", "a-number", "one-time"],
)
def test_an_unclear_creation_time(times: dict[str, Any], rival: str, winner: str | None) -> None:
    """Two timestamps in one payload, or one that is none, matter where the age rule would decide by them."""
    annotations = {
        hashed_key(PROACTIVE, "A"): envelope(PROACTIVE, "a", **times),
        hashed_key(PROACTIVE, "B"): envelope(PROACTIVE, "b", creationTimestamp=rival),
    }
    answer = answer_to(raw_workload(annotations), raw_policy(PROACTIVE, "a"), raw_policy(PROACTIVE, "b"))
    if winner is None:
        conditional = "a"  # by the first field, or as the oldest where there is none
        assert_undetermined(answer, DoubtCode.CREATED_UNCLEAR, conditional=conditional)
    else:
        assert_selected(answer, winner, "older")


def test_an_unclear_creation_time_does_not_matter_between_kinds() -> None:
    selection = assert_selected(duel(s=envelope(STATIC, "s", creationTimestamp="yesterday")), "s")
    assert selection.doubts == ()


def test_an_unreadable_payload_unsettles_what_it_could_win() -> None:
    """A static one may hold anything, also for this target. Conditional answer: it does not compete."""
    assert_undetermined(duel(s="{"), DoubtCode.PAYLOAD_UNREADABLE, conditional="p")


def test_an_unreadable_payload_of_a_lower_type_unsettles_nothing() -> None:
    selection = assert_selected(duel(p="{"), "s", "only-candidate")
    assert selection.doubts == (DoubtCode.PAYLOAD_UNREADABLE,)


def test_an_unreadable_value_unsettles_what_it_could_win() -> None:
    answer = duel(s=envelope(STATIC, "s", {"app": {"cpu": "lots"}}))
    assert_undetermined(answer, DoubtCode.VALUE_UNREADABLE, conditional="p")


def test_an_unreadable_value_beside_a_good_one_puts_the_payload_in_doubt() -> None:
    """A strict decoder takes none of it. Conditional answer: the good value counts."""
    answer = duel(s=envelope(STATIC, "s", {"app": {"cpu": "100m", "memory": "lots"}}))
    assert_undetermined(answer, DoubtCode.VALUE_UNREADABLE, conditional="s")
    sole = target_of(answer, "app/requests/memory")
    assert sole.status is Status.UNDETERMINED
    assert sole.reasons == (DoubtCode.VALUE_UNREADABLE,)
    assert sole.ranking == ()
    assert sole.conditional is None


def test_an_unreadable_value_of_a_lower_type_unsettles_nothing() -> None:
    selection = assert_selected(duel(p=envelope(PROACTIVE, "p", {"app": {"cpu": "lots"}})), "s", "only-candidate")
    assert selection.doubts == (DoubtCode.VALUE_UNREADABLE,)


@pytest.mark.parametrize(
    ("rival", "status"), [("GpuReactivePolicy", Status.UNDETERMINED), ("RollbackPolicy", Status.SELECTED)]
)
def test_a_key_from_before_1_9_may_still_count(rival: str, status: Status) -> None:
    """`gpurebalancing.` was the prefix of what is GpuReactivePolicy now. It matters where that could win."""
    annotations = {
        f"gpurebalancing.{GROUP}/desired-resource-requests": bare({"app": {"cpu": "900m"}}),
        hashed_key(rival): envelope(rival, "r"),
    }
    policies = [raw_policy("GpuReactivePolicy", "g", weight=5), raw_policy(rival, "r")]
    answer = answer_to(raw_workload(annotations), *policies)
    assert DoubtCode.LEGACY_PREFIX in codes(answer)
    if status is Status.SELECTED:
        assert_selected(answer, "r", "only-candidate")
    else:
        selection = target_of(answer)
        assert DoubtCode.LEGACY_PREFIX in selection.reasons
        assert selection.conditional is not None
        assert selection.conditional.winner.policy.name == "r"


def test_a_key_from_before_1_9_may_rank_as_its_old_type() -> None:
    """The list still names GpuRebalancingPolicy, at 200: an engine that reads the key may well use that."""
    annotations = {
        f"gpurebalancing.{GROUP}/desired-resource-requests": bare({"app": {"cpu": "900m"}}),
        hashed_key("RollbackPolicy"): envelope("RollbackPolicy", "r"),
    }
    precedence = raw_precedence(("RollbackPolicy", 130), ("GpuReactivePolicy", 120), ("GpuRebalancingPolicy", 200))
    answer = answer_to(raw_workload(annotations), raw_policy("RollbackPolicy", "r"), precedence)
    assert target_of(answer).status is Status.UNDETERMINED


# --- The live objects ------------------------------------------------------------------------------------------------


def elsewhere(kind: str, name: str) -> dict[str, Any]:
    """The policy, with a scope that excludes the workload."""
    return raw_policy(kind, name, scope={"labelSelector": {"matchLabels": {"app": "other"}}})


def broken(kind: str, name: str) -> dict[str, Any]:
    return raw_policy(kind, name, scope={"workloadTypes": "Deployment"})


def test_the_winners_policy_is_gone() -> None:
    """Its annotation may be a leftover. Conditional answer: it competes."""
    answer = duel(gone("s"))
    assert_undetermined(answer, DoubtCode.POLICY_GONE, conditional="s")


def test_the_winners_policy_no_longer_matches() -> None:
    answer = duel(elsewhere(STATIC, "s"))
    assert_undetermined(answer, DoubtCode.POLICY_NO_LONGER_MATCHES, conditional="s")
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.POLICY_NO_LONGER_MATCHES)
    assert (doubt.detail["reason"], doubt.detail["key"]) == ("label", "app")


def test_the_winners_policy_does_not_list_the_container_any_more() -> None:
    workload = raw_workload(
        {
            hashed_key(STATIC): envelope(STATIC, "s", {"app": {"cpu": "1"}, "sidecar": {"cpu": "1"}}),
            hashed_key(PROACTIVE): envelope(PROACTIVE, "p", {"app": {"cpu": "2"}, "sidecar": {"cpu": "2"}}),
        },
        containers=["app", "sidecar"],
    )
    policies = [raw_policy(STATIC, "s", scope={"containers": ["sidecar"]}), raw_policy(PROACTIVE, "p")]
    answer = answer_to(workload, *policies)
    assert_undetermined(answer, DoubtCode.POLICY_NO_LONGER_MATCHES, conditional="s")
    assert target_of(answer, "sidecar/requests/cpu").status is Status.SELECTED


def test_the_winners_kind_cannot_be_read() -> None:
    """The policy may be gone. At another priority its weight does not matter."""
    answer = duel(gaps=(a_gap(STATIC),))
    assert_undetermined(answer, DoubtCode.POLICY_UNREADABLE, conditional="s")
    unreadable = [doubt.subject for doubt in answer.doubts if doubt.code is DoubtCode.KIND_UNREADABLE]
    assert unreadable == [STATIC]


def test_the_winners_kind_is_not_served() -> None:
    """Then the policy is gone, not unreadable."""
    assert_undetermined(duel(gaps=(a_gap(STATIC, GapReason.NOT_SERVED),)), DoubtCode.POLICY_GONE, conditional="s")


def test_the_winners_policy_makes_no_sense() -> None:
    """Neither weight nor scope of such an object can be trusted; there is no conditional answer."""
    assert_undetermined(duel(broken(STATIC, "s")), DoubtCode.POLICY_INVALID, conditional=None)


@pytest.mark.parametrize(
    ("other", "gaps", "doubt"),
    [
        (gone("p"), (), DoubtCode.POLICY_GONE),
        (elsewhere(PROACTIVE, "p"), (), DoubtCode.POLICY_NO_LONGER_MATCHES),
        (gone("p"), (a_gap(PROACTIVE),), DoubtCode.POLICY_UNREADABLE),
        (broken(PROACTIVE, "p"), (), DoubtCode.POLICY_INVALID),
    ],
    ids=["gone", "elsewhere", "unreadable", "invalid"],
)
def test_a_losers_policy_in_doubt_unsettles_nothing(
    other: dict[str, Any], gaps: tuple[Gap, ...], doubt: DoubtCode
) -> None:
    """It loses either way; the doubt is said."""
    selection = assert_selected(duel(other, gaps=gaps), "s")
    assert doubt in selection.doubts


@pytest.mark.parametrize(
    "objects", [(), (elsewhere(STATIC, "s"),), (broken(STATIC, "s"),)], ids=["gone", "elsewhere", "invalid"]
)
@pytest.mark.parametrize(
    "precedence", [raw_precedence(), raw_precedence((PROACTIVE, 70)), raw_precedence(name="other")]
)
def test_a_sole_candidate_is_determined_whatever_else_is_in_doubt(
    objects: tuple[dict[str, Any], ...], precedence: dict[str, Any]
) -> None:
    answer = answer_to(raw_workload({hashed_key(STATIC): envelope(STATIC, "s")}), *objects, precedence)
    assert_selected(answer, "s", "only-candidate")


def test_a_sole_candidate_of_an_unknown_kind_is_determined() -> None:
    key = f"future.{GROUP}/desired-resource-requests"
    answer = answer_to(raw_workload({key: bare()}))
    selection = target_of(answer)
    assert selection.status is Status.SELECTED
    assert DoubtCode.UNKNOWN_KIND in selection.doubts


# --- Fixed keys ------------------------------------------------------------------------------------------------------


def test_the_weight_behind_a_fixed_key_is_its_inferred_owners() -> None:
    annotations = {fixed_key(PROACTIVE): bare(), fixed_key(WIDE): bare()}
    policies = [raw_policy(PROACTIVE, "p", weight=2), raw_policy(PROACTIVE, "light"), raw_policy(WIDE, "w", weight=1)]
    answer = answer_to(raw_workload(annotations), *policies)
    selection = assert_selected(answer, "p", "weight")
    assert selection.doubts == (DoubtCode.OWNER_INFERRED,)


def test_a_fixed_key_whose_kind_may_not_be_listed_has_no_weight() -> None:
    annotations = {fixed_key(PROACTIVE): bare(), fixed_key(WIDE): bare()}
    answer = answer_to(raw_workload(annotations), raw_policy(WIDE, "w", weight=1), gaps=[a_gap(PROACTIVE)])
    selection = target_of(answer)
    assert selection.status is Status.UNDETERMINED
    assert DoubtCode.WEIGHT_UNKNOWN in selection.reasons


def test_two_equal_policies_of_a_kind_leave_the_owner_open_and_not_the_winner() -> None:
    """Same weight, same age: nobody can say whose the fixed key is, but its weight is plain."""
    annotations = {fixed_key(PROACTIVE): bare(), fixed_key(WIDE): bare()}
    policies = [
        raw_policy(PROACTIVE, "one", weight=2, created=TEN),
        raw_policy(PROACTIVE, "two", weight=2, created=TEN),
        raw_policy(WIDE, "w", weight=1),
    ]
    selection = target_of(answer_to(raw_workload(annotations), *policies))
    assert selection.winner is not None
    assert (selection.winner.policy.kind, selection.winner.policy.name) == (PROACTIVE, None)
    assert DoubtCode.OWNER_UNKNOWN in selection.doubts


def test_a_weight_in_a_payload_without_a_name_counts_too() -> None:
    """Payload 5, inferred owner 1, rival 3."""
    payload = '{"policyKind": "ProactivePolicy", "weight": 5, "containers": {"app": {"cpu": "1"}}}'
    annotations = {fixed_key(PROACTIVE): payload, fixed_key(WIDE): bare()}
    policies = [raw_policy(PROACTIVE, "p", weight=1), raw_policy(WIDE, "w", weight=3)]
    assert_undetermined(answer_to(raw_workload(annotations), *policies), DoubtCode.WEIGHT_CHANGED, conditional="p")


# --- Inputs that could not be read -----------------------------------------------------------------------------------


def test_an_unreadable_file_may_hold_the_heavier_policy() -> None:
    """Two fixed keys of equal priority; a file that could not be read may hold a heavier Proactive one."""
    annotations = {fixed_key(PROACTIVE): bare(), fixed_key(WIDE): bare()}
    policies = [raw_policy(PROACTIVE, "p", weight=1), raw_policy(WIDE, "w", weight=3)]
    answer = answer_to(
        raw_workload(annotations), *policies, gaps=[Gap("policies.yaml", GapReason.UNREADABLE, "bad yaml")]
    )
    assert target_of(answer).status is Status.UNDETERMINED


def test_an_unreadable_file_may_hold_the_policy_that_seems_gone() -> None:
    answer = duel(gone("s"), gaps=(Gap("policies.yaml", GapReason.UNREADABLE, "bad yaml"),))
    assert_undetermined(answer, DoubtCode.POLICY_UNREADABLE, conditional="s")


# --- Which engine ----------------------------------------------------------------------------------------------------

LATE = [
    ("exact-target", {STATIC: {"app": {"cpu": "1"}}, "ClusterStaticPolicy": {"*": {"cpu": "1"}}}),
    ("annotation-key", {STATIC: {"app": {"cpu": "1"}}, "ClusterStaticPolicy": {"app": {"cpu": "1"}}}),
]


@pytest.mark.parametrize(("rule", "payloads"), LATE, ids=[rule for rule, _ in LATE])
@pytest.mark.parametrize(
    ("objects", "gaps", "reason"),
    [
        ((raw_configuration(multi_policy=None),), (), DoubtCode.OLDER_ENGINE),
        ((), (a_gap("GlobalConfiguration"),), DoubtCode.ENGINE_UNKNOWN),
        ((raw_configuration(multi_policy=False),), (), None),
    ],
    ids=["older", "unknown", "known"],
)
def test_late_tie_breaks_hang_on_the_engine(
    rule: str, payloads: dict[str, Any], objects: tuple[Any, ...], gaps: tuple[Gap, ...], reason: DoubtCode | None
) -> None:
    """Charts up to 1.11 document other ones. Conditional answer: the reference page's."""
    annotations = {fixed_key(kind): bare(containers) for kind, containers in payloads.items()}
    policies = [raw_policy(kind, kind.lower()) for kind in payloads]
    answer = answer_to(raw_workload(annotations), *policies, *objects, gaps=gaps)
    winner = "staticpolicy" if rule == "exact-target" else "clusterstaticpolicy"
    if reason is None:
        assert_selected(answer, winner, rule)
    else:
        assert_undetermined(answer, reason, conditional=winner)


def test_priority_and_weight_are_every_engines() -> None:
    annotations = {fixed_key(STATIC): bare(), fixed_key(PROACTIVE): bare(), fixed_key("ClusterStaticPolicy"): bare()}
    policies = [
        raw_policy(STATIC, "s", weight=2), raw_policy("ClusterStaticPolicy", "c", weight=1), raw_policy(PROACTIVE, "p"),
    ]  # fmt: skip
    assert_selected(
        answer_to(raw_workload(annotations), *policies, raw_configuration(multi_policy=None)), "s", "weight"
    )


def test_a_hashed_key_is_evidence_of_an_engine_that_follows_the_page() -> None:
    annotations = {
        hashed_key(STATIC): envelope(STATIC, "s"),
        hashed_key("ClusterStaticPolicy"): envelope("ClusterStaticPolicy", "c"),
    }
    policies = [raw_policy(STATIC, "s"), raw_policy("ClusterStaticPolicy", "c")]
    answer = answer_to(raw_workload(annotations), *policies, gaps=[a_gap("GlobalConfiguration")])
    assert_selected(answer, "c", "annotation-key")


BOTH_FORMS = {"app": {"cpu": "200m"}, "*": {"cpu": "100m"}}


def test_a_container_by_name_and_the_wildcard_in_one_payload() -> None:
    """Within one policy the name counts, whatever the policy."""
    answer = answer_to(raw_workload({hashed_key(STATIC): envelope(STATIC, "s", BOTH_FORMS)}), raw_policy(STATIC, "s"))
    selection = assert_selected(answer, "s", "exact-target")
    assert selection.winner is not None
    assert selection.winner.value == "200m"


def test_within_one_payload_the_engine_does_not_matter() -> None:
    """Named values override `*` inside one policy on every engine (engine.md 5.4)."""
    answer = answer_to(
        raw_workload({fixed_key(STATIC): bare(BOTH_FORMS)}),
        raw_policy(STATIC, "s"),
        raw_configuration(multi_policy=None),
    )
    assert_selected(answer, "s", "exact-target")


def test_a_sole_policy_with_both_forms_is_determined_though_it_is_gone() -> None:
    answer = answer_to(raw_workload({hashed_key(STATIC): envelope(STATIC, "s", BOTH_FORMS)}))
    assert_selected(answer, "s", "exact-target")
