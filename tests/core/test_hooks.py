"""Runtime hooks: one winner a hook kind, chosen as the engine's write side chooses, never merged."""

from __future__ import annotations

from typing import Any

import pytest

from kubectl_kubex.core.answer import Answer, HookSelection, Status
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.hooks import hook_key, write_loss
from kubectl_kubex.core.kinds import BY_NAME, HOOK_KINDS
from kubectl_kubex.core.model import GapReason
from kubectl_kubex.core.owners import is_write_tie, write_order
from kubectl_kubex.core.scope import RefusalReason
from tests.builders import ELEVEN, NOON, TEN, a_gap, a_policy, answer_to, raw_policy, raw_workload

ARGS = "ContainerArgsPolicy"
KINDS = [kind.name for kind in HOOK_KINDS]
KEYS = {kind.name: hook_key(kind) for kind in HOOK_KINDS}


def asked(kind: str, *policies: dict[str, Any], **options: Any) -> tuple[Answer, HookSelection]:
    """The hook of `kind`, published on the workload."""
    answer = answer_to(raw_workload({KEYS[kind]: "{}"}), *policies, **options)
    (hook,) = answer.hooks
    return answer, hook


def elsewhere(kind: str, name: str, **options: Any) -> dict[str, Any]:
    return raw_policy(kind, name, scope={"labelSelector": {"matchLabels": {"app": "other"}}}, **options)


def test_the_keys_are_the_published_ones() -> None:
    assert KEYS == {
        "ContainerArgsPolicy": "containerargspolicy.rightsizing.kubex.ai/pod-runtime-hook",
        "PodAffinityPolicy": "podaffinitypolicy.rightsizing.kubex.ai/pod-runtime-hook",
        "ClusterCompactionPolicy": "clustercompactionpolicy.rightsizing.kubex.ai/pod-runtime-hook",
    }


@pytest.mark.parametrize("kind", KINDS)
def test_the_only_matching_policy_wins(kind: str) -> None:
    """Its name is inferred, since the payload's shape is not published; another kind's policy is no rival."""
    other = KINDS[KINDS.index(kind) - 1]
    answer, hook = asked(
        kind, raw_policy(kind, "mine", weight=1), elsewhere(kind, "not"), raw_policy(other, "x", weight=9)
    )
    assert (hook.kind, hook.key, hook.status, hook.reasons) == (kind, KEYS[kind], Status.SELECTED, ())
    assert hook.winner is not None
    assert hook.winner.name == "mine"
    assert [(place.rank, place.policy.name, place.weight, place.lost_by) for place in hook.ranking] == [
        (1, "mine", 1, None)
    ]
    assert hook.doubts == (DoubtCode.OWNER_INFERRED,)
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.OWNER_INFERRED)
    assert (doubt.subject, doubt.affects) == (KEYS[kind], (f"pod-runtime-hook/{kind}",))
    assert doubt.detail == {"policy": f"{kind}/mine", "kind": kind}
    reasons = {refusal.policy.name: refusal.reason for refusal in answer.refusals}
    assert reasons == {"not": RefusalReason.LABEL, "x": RefusalReason.NO_RECOMMENDATION}


@pytest.mark.parametrize("kind", KINDS)
def test_the_heavier_policy_wins(kind: str) -> None:
    """Whatever the age, and whatever the order of the input."""
    policies = [raw_policy(kind, "old", weight=1, created=TEN), raw_policy(kind, "heavy", weight=2, created=NOON)]
    for order in (policies, policies[::-1]):
        answer, hook = asked(kind, *order)
        assert [place.policy.name for place in hook.ranking] == ["heavy", "old"]
        loss = hook.ranking[1].lost_by
        assert loss is not None
        assert (loss.rule, loss.to.name, loss.winner_value, loss.loser_value) == ("weight", "heavy", "2", "1")
        assert hook.status is Status.SELECTED
        assert answer.refusals == ()


@pytest.mark.parametrize("kind", [ARGS, "PodAffinityPolicy"])
def test_at_equal_weight_the_older_policy_wins(kind: str) -> None:
    policies = [
        raw_policy(kind, "a", created=ELEVEN),
        raw_policy(kind, "b", created=TEN),
        raw_policy(kind, "c", created=NOON),
    ]
    _, hook = asked(kind, *policies)
    assert [place.policy.name for place in hook.ranking] == ["b", "a", "c"]
    assert hook.winner is not None
    loss = hook.ranking[2].lost_by
    assert loss is not None
    assert loss.to.name == "b"
    assert (loss.rule, loss.winner_value, loss.loser_value) == ("older", "2026-08-01T10:00:00Z", "2026-08-01T12:00:00Z")


@pytest.mark.parametrize(
    ("second", "open_"), [(TEN, True), (None, True), (ELEVEN, False)], ids=["same", "none", "later"]
)
def test_equal_weight_and_age_leave_the_winner_open(second: Any, open_: bool) -> None:
    _, hook = asked(ARGS, raw_policy(ARGS, "a", created=TEN), raw_policy(ARGS, "b", created=second))
    assert (hook.status is Status.UNDETERMINED) is open_
    assert hook.reasons == ((DoubtCode.OWNER_UNKNOWN,) if open_ else ())
    assert (hook.winner is None) is open_
    assert hook.doubts == (() if open_ else (DoubtCode.OWNER_INFERRED,))
    assert len(hook.ranking) == 2


def test_a_tie_below_the_winner_leaves_nothing_open() -> None:
    _, hook = asked(ARGS, raw_policy(ARGS, "a", weight=1), raw_policy(ARGS, "b"), raw_policy(ARGS, "c"))
    assert hook.status is Status.SELECTED


@pytest.mark.parametrize(("weight", "status"), [(0, Status.UNDETERMINED), (1, Status.SELECTED)])
def test_compaction_compares_scopes_before_age_in_a_way_nobody_published(weight: int, status: Status) -> None:
    kind = "ClusterCompactionPolicy"
    _, hook = asked(kind, raw_policy(kind, "a", weight=weight, created=TEN), raw_policy(kind, "b", created=ELEVEN))
    assert hook.status is status


@pytest.mark.parametrize("kind", KINDS)
def test_a_hook_without_a_matching_policy_is_undetermined(kind: str) -> None:
    """Its annotation may be a leftover."""
    answer, hook = asked(kind, elsewhere(kind, "not"))
    assert (hook.status, hook.reasons, hook.winner, hook.ranking) == (
        Status.UNDETERMINED,
        (DoubtCode.POLICY_GONE,),
        None,
        (),
    )
    assert answer.is_partial
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.POLICY_GONE)
    assert (doubt.subject, doubt.detail) == (KEYS[kind], {"policy": f"{kind}/?", "kind": kind})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("reason", "code"),
    [(GapReason.FORBIDDEN, DoubtCode.POLICY_UNREADABLE), (GapReason.NOT_SERVED, DoubtCode.POLICY_GONE)],
    ids=["forbidden", "not-served"],
)
def test_a_hook_whose_kind_cannot_be_read(kind: str, reason: GapReason, code: DoubtCode) -> None:
    _, hook = asked(kind, gaps=[a_gap(kind, reason)])
    assert (hook.status, hook.reasons) == (Status.UNDETERMINED, (code,))


def test_a_policy_that_makes_no_sense_may_be_the_hooks() -> None:
    """Nobody knows its weight or whether it matches."""
    answer, hook = asked(
        ARGS, raw_policy(ARGS, "good", weight=9), raw_policy(ARGS, "bad", scope={"namespaceSelector": {}})
    )
    assert (hook.status, hook.reasons) == (Status.UNDETERMINED, (DoubtCode.POLICY_INVALID,))
    doubt = next(d for d in answer.doubts if d.code is DoubtCode.POLICY_INVALID and d.subject == KEYS[ARGS])
    assert doubt.detail["policy"] == f"{ARGS}/bad"
    assert "namespaceSelector" in doubt.detail["problem"]


def test_hooks_stand_in_the_tables_order_and_only_where_published() -> None:
    policies = [raw_policy(kind, kind.lower()) for kind in KINDS]
    both = answer_to(raw_workload({KEYS[KINDS[1]]: "", KEYS[KINDS[0]]: ""}), *policies)
    assert [hook.kind for hook in both.hooks] == KINDS[:2]
    assert answer_to(raw_workload(), *policies).hooks == ()


def test_a_hook_takes_no_target_and_no_priority() -> None:
    """The precedence has no say: there is nothing to compare it with."""
    answer, hook = asked(ARGS, raw_policy(ARGS, "a"), gaps=[a_gap("PolicyEvaluation")])
    assert hook.status is Status.SELECTED
    assert answer.targets == ()


# --- The write side --------------------------------------------------------------------------------------------------


def test_the_write_order_is_weight_then_age_then_a_stable_name() -> None:
    policies = [
        a_policy(name="d", weight=1, created=NOON),
        a_policy(name="c", weight=1, created=None),
        a_policy(name="b", weight=1, created=NOON),
        a_policy(name="a", weight=0, created=TEN),
        a_policy(name="e", weight=2, created=NOON),
    ]
    assert [policy.ref.name for policy in write_order(policies)] == ["e", "c", "b", "d", "a"]
    assert write_order(policies[::-1]) == write_order(policies)


@pytest.mark.parametrize(
    ("first", "second", "tie"),
    [
        ({"weight": 1, "created": TEN}, {"weight": 2, "created": TEN}, False),
        ({"created": TEN}, {"created": ELEVEN}, False),
        ({"created": TEN}, {"created": TEN}, True),
        ({"created": None}, {"created": TEN}, True),
        ({"created": TEN}, {"created": None}, True),
        ({"created": None}, {"created": None}, True),
        ({"weight": 1, "created": None}, {"weight": 2, "created": None}, False),
    ],
    ids=str,
)
def test_a_write_tie(first: dict[str, Any], second: dict[str, Any], tie: bool) -> None:
    """A missing creation time says nothing about age."""
    pair = a_policy(name="a", **first), a_policy(name="b", **second)
    assert is_write_tie(*pair) is tie
    assert is_write_tie(*pair[::-1]) is tie
    if tie:
        loss = write_loss(*pair)
        assert (loss.rule, loss.to, loss.winner_value, loss.loser_value) == ("tie", pair[0].ref, "", "")


def test_every_hook_kind_has_a_prefix_of_its_own() -> None:
    assert len({kind.key_prefix for kind in HOOK_KINDS}) == len(HOOK_KINDS) == 3
    assert BY_NAME["ClusterCompactionPolicy"].default_priority is None
