"""Every doubt code: a case in which it is recorded, and the nearest one in which it is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from kubectl_kubex.core.answer import Answer, Status
from kubectl_kubex.core.doubt_ledger import DoubtLedger, policy_text
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import GROUP
from kubectl_kubex.core.model import GapReason, PolicyRef
from tests.builders import (
    CPU,
    ELEVEN,
    TEN,
    a_candidate,
    a_gap,
    answer_to,
    bare,
    codes,
    envelope,
    fixed_key,
    hashed_key,
    raw_configuration,
    raw_pod,
    raw_policy,
    raw_precedence,
    raw_workload,
    target_of,
)

S, P, W, R = "StaticPolicy", "ProactivePolicy", "ClusterProactivePolicy", "RollbackPolicy"
EQUAL = raw_precedence((S, 80), (P, 80), (W, 80))
CASE_BLIND = {"matchLabels": {"app": "other"}}


def two(*objects: dict[str, Any], first: str | None = None, second: str | None = None, **options: Any) -> Answer:
    """Static `s` and Proactive `p` of equal priority, hashed. `first` and `second`: their payloads."""
    annotations = {
        hashed_key(S): first or envelope(S, "s", created=TEN),
        hashed_key(P): second or envelope(P, "p", created=TEN),
    }
    return answer_to(raw_workload(annotations), *objects, **options)


def both(*objects: dict[str, Any], **options: Any) -> Answer:
    return two(raw_policy(S, "s"), raw_policy(P, "p"), *objects, **options)


def fixed(*objects: dict[str, Any], annotations: dict[str, str] | None = None, **options: Any) -> Answer:
    return answer_to(raw_workload(annotations or {fixed_key(P): bare()}), *objects, **options)


def aged(times: dict[str, Any], field: str = "creationTimestamp") -> Answer:
    """Two Proactive policies, `a` with `times` and `b` created at 11:00, nothing else between them."""
    later: dict[str, Any] = {field: "2026-08-01T11:00:00Z"}
    annotations = {
        hashed_key(P, "A"): envelope(P, "a", **times),
        hashed_key(P, "B"): envelope(P, "b", **later),
    }
    return answer_to(raw_workload(annotations), raw_policy(P, "a"), raw_policy(P, "b"))


def by_key(first: str, second: str) -> Answer:
    """Two Proactive policies of one age under two digests: the key decides."""
    annotations = {hashed_key(P, digest): envelope(P, name) for digest, name in ((first, "a"), (second, "b"))}
    return answer_to(raw_workload(annotations), raw_policy(P, "a"), raw_policy(P, "b"))


def pattern(value: str) -> Answer:
    selector = {"namespaceSelector": {"operator": "In", "values": [value]}}
    return answer_to(raw_workload(), raw_policy(W, "w", scope=selector))


def copied(**changes: str) -> Answer:
    annotations = {fixed_key(P): bare()}
    pod = raw_pod(annotations={**annotations, **changes})
    return answer_to(raw_workload(annotations), raw_policy(P, "p"), pods=[pod])


def circle(kind: str) -> Answer:
    """ADR 0003's table, with one Static key whose payload says `kind`."""
    annotations = {
        hashed_key(S, "B"): envelope(kind, "a", created=TEN),
        hashed_key(P, "A"): envelope(P, "b", created=ELEVEN),
        hashed_key(S, "A"): envelope(S, "c", created=TEN),
    }
    policies = [raw_policy(kind, "a"), raw_policy(P, "b"), raw_policy(S, "c")]
    return answer_to(raw_workload(annotations), *policies, EQUAL)


def owner(kind: str, *containers: str, model: bool = False) -> Answer:
    workload = raw_workload({fixed_key(P): bare()}, kind=kind, containers=containers)
    return answer_to(workload, raw_policy(P, "p"), pods=[raw_pod()] if model else [])


def sidecar(**members: str) -> Answer:
    workload = raw_workload({fixed_key(P): bare({"app": {"cpu": "1"}, "setup": {"cpu": "1"}})})
    workload["spec"]["template"]["spec"]["initContainers"] = [{"name": "setup", **members}]
    return answer_to(workload, raw_policy(P, "p"))


class Case(NamedTuple):
    """`subject`: what the doubt is about; None: asserted elsewhere, or the whole answer."""

    given: Callable[[], Answer]
    nearest: Callable[[], Answer]
    subject: str = ""


OTHER = raw_policy(S, "s", scope={"labelSelector": CASE_BLIND})
D = DoubtCode
CASES: dict[DoubtCode, Case] = {
    D.PRECEDENCE_MISSING: Case(lambda: both(raw_precedence(name="other")), both),
    D.PRECEDENCE_UNREADABLE: Case(
        lambda: both(gaps=[a_gap("PolicyEvaluation")]),
        lambda: both(gaps=[a_gap("PolicyEvaluation", GapReason.NOT_SERVED)]),
    ),
    D.TYPE_UNLISTED: Case(lambda: both(raw_precedence((S, 90))), lambda: both(raw_precedence((S, 90), (P, 70))), P),
    D.TYPE_DUPLICATED: Case(
        lambda: both(raw_precedence((S, 90), (P, 80), (S, 70))),
        lambda: both(raw_precedence((S, 90), (P, 80), (S, 90))),
        S,
    ),
    D.PRIORITY_INVALID: Case(
        lambda: both(raw_precedence((S, "90"), (P, 70))), lambda: both(raw_precedence((S, 90), (P, 70))), S
    ),
    D.UNKNOWN_KIND: Case(
        lambda: fixed(annotations={f"future.{GROUP}/desired-resource-limits": bare()}),
        lambda: fixed(annotations={f"proactive.{GROUP}/desired-resource-limits": bare()}),
        f"future.{GROUP}/desired-resource-limits",
    ),
    D.KIND_CONTRADICTS_PREFIX: Case(
        lambda: two(raw_policy(P, "s"), raw_policy(P, "p"), first=envelope(P, "s")), both, hashed_key(S)
    ),
    D.CYCLIC_ORDER: Case(
        lambda: circle(P), lambda: circle(S), ", ".join((hashed_key(P, "A"), hashed_key(S, "A"), hashed_key(S, "B")))
    ),
    D.WEIGHT_UNKNOWN: Case(
        lambda: two(raw_policy(P, "p"), EQUAL),
        lambda: two(raw_policy(S, "s"), raw_policy(P, "p"), EQUAL),
        hashed_key(S),
    ),
    D.WEIGHT_CHANGED: Case(
        lambda: both(first=envelope(S, "s", weight=1)), lambda: both(first=envelope(S, "s", weight=0)), hashed_key(S)
    ),
    D.CREATED_UNCLEAR: Case(
        lambda: aged({"createdAt": "today"}), lambda: aged({"createdAt": "2026-08-01T10:00:00Z"}), hashed_key(P, "A")
    ),
    D.POLICY_GONE: Case(lambda: two(raw_policy(P, "p")), both, hashed_key(S)),
    D.POLICY_NO_LONGER_MATCHES: Case(lambda: two(OTHER, raw_policy(P, "p")), both, hashed_key(S)),
    D.POLICY_UNREADABLE: Case(
        lambda: both(gaps=[a_gap(S)]), lambda: both(gaps=[a_gap("ClusterStaticPolicy")]), hashed_key(S)
    ),
    D.POLICY_INVALID: Case(
        lambda: both(raw_policy(W, "w", scope={"namespaceSelector": None})), lambda: both(raw_policy(W, "w")), f"{W}/w"
    ),
    D.PAYLOAD_UNREADABLE: Case(lambda: both(first="{"), lambda: both(first="{}"), hashed_key(S)),
    D.VALUE_UNREADABLE: Case(
        lambda: both(first=envelope(S, "s", {"app": {"cpu": "1K"}})),
        lambda: both(first=envelope(S, "s", {"app": {"cpu": "1k"}})),
        hashed_key(S),
    ),
    D.OLDER_ENGINE: Case(
        lambda: fixed(
            raw_policy(P, "p"), raw_policy(W, "w"), raw_configuration(multi_policy=None),
            annotations={fixed_key(P): bare(), fixed_key(W): bare()},
        ),
        lambda: fixed(
            raw_policy(P, "p"), raw_policy(W, "w"), raw_configuration(multi_policy=False),
            annotations={fixed_key(P): bare(), fixed_key(W): bare()},
        ),
    ),
    D.ENGINE_UNKNOWN: Case(
        lambda: fixed(
            raw_policy(P, "p"), raw_policy(W, "w"), gaps=[a_gap("GlobalConfiguration")],
            annotations={fixed_key(P): bare(), fixed_key(W): bare()},
        ),
        lambda: fixed(
            raw_policy(P, "p", weight=1), raw_policy(W, "w"), gaps=[a_gap("GlobalConfiguration")],
            annotations={fixed_key(P): bare(), fixed_key(W): bare()},
        ),
    ),
    D.OWNER_INFERRED: Case(
        lambda: fixed(raw_policy(P, "p")),
        lambda: fixed(raw_policy(P, "p"), annotations={fixed_key(P): envelope(P, "p")}),
        fixed_key(P),
    ),
    D.OWNER_UNKNOWN: Case(
        lambda: fixed(raw_policy(P, "p", created=TEN), raw_policy(P, "q", created=TEN)),
        lambda: fixed(raw_policy(P, "p", created=TEN), raw_policy(P, "q", created=ELEVEN)),
        fixed_key(P),
    ),
    D.POD_COPY_DIFFERS: Case(
        lambda: copied(**{fixed_key(P): bare({"app": {"cpu": "2"}})}), lambda: copied(unrelated="x"), fixed_key(P)
    ),
    D.CROSS_KIND_MIX: Case(
        lambda: fixed(
            raw_policy(P, "p"), raw_policy(S, "s"),
            annotations={fixed_key(P): bare({"app": {"cpu": "1"}}), fixed_key(S): bare({"app": {"memory": "1Gi"}})},
        ),
        lambda: fixed(
            raw_policy(P, "p"), raw_policy(S, "s"),
            annotations={fixed_key(P): bare({"app": {"cpu": "1"}}), fixed_key(S): bare({"app": {"cpu": "2"}})},
        ),
    ),
    D.BYTE_ORDER: Case(lambda: by_key("B", "a"), lambda: by_key("A", "b"), hashed_key(P, "B")),
    D.CREATED_FIELD: Case(
        lambda: aged({"createdAt": "2026-08-01T10:00:00Z"}), lambda: aged({}), "createdAt"
    ),
    D.MIXED_FORMS: Case(
        lambda: fixed(raw_policy(P, "p"), annotations={fixed_key(P): bare(), hashed_key(P): envelope(P, "p")}),
        lambda: fixed(raw_policy(P, "p"), annotations={fixed_key(W): bare(), hashed_key(P): envelope(P, "p")}),
        P,
    ),
    D.LEGACY_PREFIX: Case(
        lambda: fixed(annotations={f"gpurebalancing.{GROUP}/desired-resource-requests": bare()}),
        lambda: fixed(annotations={f"gpureactive.{GROUP}/desired-resource-requests": bare()}),
        f"gpurebalancing.{GROUP}/desired-resource-requests",
    ),
    D.CONTAINERS_UNKNOWN: Case(lambda: owner("Model"), lambda: owner("Model", model=True), "Model"),
    D.CONTAINER_UNKNOWN: Case(
        lambda: fixed(raw_policy(P, "p"), annotations={fixed_key(P): bare({"app": {"cpu": "1"}, "old": {"cpu": "1"}})}),
        lambda: fixed(raw_policy(P, "p"), annotations={fixed_key(P): bare({"app": {"cpu": "1"}, "*": {"cpu": "1"}})}),
        fixed_key(P),
    ),
    D.CONTAINER_NOT_RESIZABLE: Case(sidecar, lambda: sidecar(restartPolicy="Always"), fixed_key(P)),
    D.PATTERN_UNCLEAR: Case(lambda: pattern("sho?"), lambda: pattern("sho*"), f"{W}/w"),
    D.OTHER_PRECEDENCE: Case(
        lambda: both(raw_precedence(), raw_precedence(name="second")), lambda: both(raw_precedence()), "second"
    ),
    D.CONFIGURATION_UNREADABLE: Case(lambda: both(gaps=[a_gap("GlobalConfiguration")]), both),
    D.KIND_UNREADABLE: Case(lambda: both(gaps=[a_gap(W)]), lambda: both(gaps=[a_gap(W, GapReason.NOT_SERVED)]), W),
    D.PODS_UNREADABLE: Case(lambda: both(pods=None, gaps=[a_gap("Pod")]), lambda: both(pods=[raw_pod()])),
    D.NO_PODS: Case(both, lambda: both(pods=[raw_pod()])),
}  # fmt: skip


def test_every_code_has_a_case() -> None:
    assert set(CASES) == set(DoubtCode)


@pytest.mark.parametrize("code", CASES, ids=[code.value for code in CASES])
def test_a_doubt_is_recorded_in_its_case_and_not_in_the_nearest_one(code: DoubtCode) -> None:
    """Once, about the right thing."""
    case = CASES[code]
    answer = case.given()
    assert [doubt.subject for doubt in answer.doubts if doubt.code is code] == [case.subject]
    assert code not in codes(case.nearest())


@pytest.mark.parametrize("code", CASES, ids=[code.value for code in CASES])
def test_what_a_target_is_in_doubt_about_stands_in_the_list(code: DoubtCode) -> None:
    """Every code of a selection is among the answer's doubts with that target; codes are not both reason and doubt."""
    answer = CASES[code].given()
    affected = {(doubt.code, target) for doubt in answer.doubts for target in doubt.affects}
    for selection in answer.targets:
        assert not set(selection.reasons) & set(selection.doubts)
        assert {(found, str(selection.target)) for found in (*selection.reasons, *selection.doubts)} <= affected
        assert (selection.status is Status.UNDETERMINED) is bool(selection.reasons) is (selection.winner is None)
    assert answer.is_partial is (
        any(selection.status is Status.UNDETERMINED for selection in answer.targets) or answer.snapshot.pods is None
    )


def test_the_details_of_a_claims_doubt_name_its_policy() -> None:
    answer = CASES[DoubtCode.POLICY_NO_LONGER_MATCHES].given()
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.POLICY_NO_LONGER_MATCHES)
    assert doubt.detail == {
        "policy": "StaticPolicy/shop/s",
        "kind": S,
        "reason": "label",
        "key": "app",
        "operator": "In",
        "values": "other",
    }
    assert doubt.affects == ("app/requests/cpu",)


def test_the_details_of_an_unreadable_payload_and_value_say_what_stands_there() -> None:
    payload = next(d for d in both(first="{").doubts if d.code is DoubtCode.PAYLOAD_UNREADABLE)
    assert payload.detail["problem"].startswith("not JSON")
    value = next(
        d for d in CASES[DoubtCode.VALUE_UNREADABLE].given().doubts if d.code is DoubtCode.VALUE_UNREADABLE
    )  # fmt: skip
    assert value.detail["written"] == "1K"


def test_the_details_of_a_gap_are_the_servers() -> None:
    answer = both(gaps=[a_gap(W), a_gap("GlobalConfiguration")])
    details = {doubt.code: doubt.detail for doubt in answer.doubts if doubt.code is not DoubtCode.NO_PODS}
    assert details == {
        code: {"reason": "forbidden", "detail": f"{kind} cannot be listed", "request": f"list {kind}"}
        for code, kind in (
            (DoubtCode.KIND_UNREADABLE, W),
            (DoubtCode.CONFIGURATION_UNREADABLE, "GlobalConfiguration"),
        )
    }


def test_pods_that_lag_are_counted_and_named() -> None:
    annotations = {fixed_key(P): bare()}
    pods = [
        raw_pod("a", annotations=annotations),
        raw_pod("b", annotations={fixed_key(P): "{}"}),
        raw_pod("c"),
        raw_pod("done", status={"phase": "Succeeded"}),
        raw_pod("leaving", metadata={"deletionTimestamp": "2026-08-01T10:00:00Z"}),
    ]
    answer = answer_to(raw_workload(annotations), raw_policy(P, "p"), pods=pods)
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.POD_COPY_DIFFERS)
    assert doubt.detail == {"pods": "b, c", "count": "2", "of": "3"}


def test_a_key_on_pods_that_the_owner_has_no_more_is_a_difference() -> None:
    answer = answer_to(raw_workload(), pods=[raw_pod(annotations={fixed_key(P): bare()})])
    assert [d.subject for d in answer.doubts if d.code is DoubtCode.POD_COPY_DIFFERS] == [fixed_key(P)]


def test_an_answer_without_targets_and_hooks() -> None:
    """Nothing published: an answer all the same."""
    answer = answer_to(raw_workload(), pods=[raw_pod()])
    assert (answer.targets, answer.hooks, answer.doubts, answer.refusals) == ((), (), (), ())
    assert not answer.is_partial


def test_a_workload_with_nothing_but_an_unreadable_payload_has_a_partial_answer() -> None:
    answer = answer_to(raw_workload({fixed_key(P): "{"}), raw_policy(P, "p"), pods=[raw_pod()])
    assert DoubtCode.PAYLOAD_UNREADABLE in codes(answer)
    assert answer.is_partial


# --- The ledger ------------------------------------------------------------------------------------------------------


def test_the_ledger_keeps_one_row_a_fact() -> None:
    """However often it is recorded; new details are added, and a contradicting one is another fact."""
    ledger = DoubtLedger()
    assert ledger.record(DoubtCode.WEIGHT_CHANGED, "key", CPU, live="1") is DoubtCode.WEIGHT_CHANGED
    ledger.record(DoubtCode.WEIGHT_CHANGED, "key", CPU, live="1", payload="3")
    ledger.record(DoubtCode.WEIGHT_CHANGED, "key", "app/limits/cpu")
    ledger.record(DoubtCode.WEIGHT_CHANGED, "key", CPU, live="2")
    ledger.record(DoubtCode.WEIGHT_CHANGED, "other")
    first, contradicting, second = ledger.doubts()
    assert (first.subject, first.affects) == ("key", ("app/requests/cpu", "app/limits/cpu"))
    assert first.detail == {"live": "1", "payload": "3"}
    assert (contradicting.affects, contradicting.detail) == (("app/requests/cpu",), {"live": "2"})
    assert (second.subject, second.affects, second.details) == ("other", (), ())


@pytest.mark.parametrize(
    ("ref", "text"),
    [
        (PolicyRef(P, "shop", "web"), "ProactivePolicy/shop/web"),
        (PolicyRef(W, None, "web"), "ClusterProactivePolicy/web"),
        (PolicyRef(P, "shop", None), "ProactivePolicy/shop/?"),
    ],
)
def test_a_policy_in_words(ref: PolicyRef, text: str) -> None:
    assert policy_text(ref) == text


def test_a_claim_of_an_unlisted_type_and_a_contradiction_say_both_kinds() -> None:
    """Two unlisted types are two facts."""
    answer = both(raw_precedence((R, 130)))
    assert {d.subject for d in answer.doubts if d.code is DoubtCode.TYPE_UNLISTED} == {S, P}
    assert json.loads(envelope(S, "s"))["policyKind"] == S
    assert target_of(answer).conditional is not None


def test_a_gap_of_pods_is_told_with_the_servers_words() -> None:
    answer = both(pods=None, gaps=[a_gap("Pod")])
    doubt = next(doubt for doubt in answer.doubts if doubt.code is DoubtCode.PODS_UNREADABLE)
    assert doubt.detail == {"reason": "forbidden", "detail": "Pod cannot be listed", "request": "list Pod"}


def test_a_doubt_about_a_type_is_about_the_kind_that_ranks() -> None:
    """Not about what the payload calls its policy, where the two differ."""
    ledger = DoubtLedger()
    odd = a_candidate(S, policy=PolicyRef("Other", None, "x"))
    nameless = a_candidate(kinds=(), policy=PolicyRef("Other", None, "x"))
    ledger.record_claims(CPU, [(DoubtCode.TYPE_UNLISTED, odd), (DoubtCode.TYPE_DUPLICATED, nameless), (None, odd)])
    assert [(doubt.code.value, doubt.subject) for doubt in ledger.doubts()] == [
        ("type-unlisted", S), ("type-duplicated", "Other"),
    ]  # fmt: skip
