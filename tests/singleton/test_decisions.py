"""Severity of oddities, the owner's move, ties, names of types: pure tables."""

from __future__ import annotations

import itertools

import pytest

from kubectl_kubex.codec.comparison import MISSING, differences
from kubectl_kubex.codec.ownership import decode_ownership, last_writer, without_helm_marks
from kubectl_kubex.core.consequence import Consequence, Move, Owner, Ownership, consequence_of
from kubectl_kubex.core.precedence import Entry, Manager, Precedence, ProblemCode
from kubectl_kubex.core.precedence_change import DEFAULTS, NewTie, new_ties
from kubectl_kubex.core.validation import SEVERITIES, Purpose, Severity, judge
from kubectl_kubex.render.consequence_words import SENTENCES, consequence_text
from tests.builders import a_precedence

OF_A_LIST = set(ProblemCode) - {ProblemCode.MISSING, ProblemCode.UNREADABLE, ProblemCode.OTHER_OBJECT}


def severities(
    new: Precedence, purpose: Purpose, old: Precedence = DEFAULTS, **more: bool
) -> dict[ProblemCode, Severity]:
    return {verdict.problem.code: verdict.severity for verdict in judge(old, new, purpose, **more)}


def test_each_oddity_of_a_list_has_a_severity_for_each_purpose() -> None:
    assert set(SEVERITIES) == OF_A_LIST
    assert all(set(row) == set(Purpose) for row in SEVERITIES.values())


@pytest.mark.parametrize(("purpose", "severity"), [
    (Purpose.EDIT, Severity.ERROR), (Purpose.RESTORE, Severity.WARNING), (Purpose.UNDO, Severity.WARNING),
])  # fmt: skip
def test_an_edit_brings_nothing_odd_in_and_a_restore_brings_back_what_was(purpose: Purpose, severity: Severity) -> None:
    for odd, code in (
        (("FuturePolicy", 1), ProblemCode.UNKNOWN_TYPE),
        (("GpuRebalancingPolicy", 1), ProblemCode.LEGACY_TYPE),
        (("StaticPolicy", 1), ProblemCode.DUPLICATE_TYPE),
    ):
        listed = [(entry.type, entry.priority) for entry in DEFAULTS.entries]
        new = a_precedence(*listed, odd)
        assert severities(new, purpose)[code] is severity
        assert severities(new, purpose, old=new)[code] is Severity.WARNING


def test_told_to_take_unknown_types() -> None:
    listed = [(entry.type, entry.priority) for entry in DEFAULTS.entries]
    new = a_precedence(*listed, ("FuturePolicy", 1), ("StaticPolicy", 3))
    found = severities(new, Purpose.EDIT, allow_unknown_types=True)
    assert found[ProblemCode.UNKNOWN_TYPE] is Severity.WARNING
    assert found[ProblemCode.DUPLICATE_TYPE] is Severity.ERROR


def test_empty_and_invalid_lists() -> None:
    empty = Precedence(True)
    assert [severities(empty, purpose, old=empty)[ProblemCode.EMPTY] for purpose in Purpose] == [
        Severity.ERROR, Severity.ERROR, Severity.WARNING,
    ]  # fmt: skip
    invalid = Precedence(True, (Entry(1, "StaticPolicy", None, "-1"),))
    for purpose in Purpose:
        assert severities(invalid, purpose, old=invalid)[ProblemCode.INVALID_PRIORITY] is Severity.ERROR


def test_ties_of_the_reference_page_s_recipe() -> None:
    listed = {**{entry.type: entry.priority for entry in DEFAULTS.entries}, "ProactivePolicy": 90}
    assert new_ties(DEFAULTS, a_precedence(*listed.items())) == (
        NewTie(90, ("ClusterStaticPolicy", "ProactivePolicy", "StaticPolicy")),
    )
    assert new_ties(DEFAULTS, DEFAULTS) == ()
    hooks = {**{entry.type: entry.priority for entry in DEFAULTS.entries}, "ContainerArgsPolicy": 90}
    assert new_ties(DEFAULTS, a_precedence(*hooks.items())) == ()  # a hook never meets a resource


HELM = Manager(helm_release="kubex", helm_namespace="ns")


@pytest.mark.parametrize(("ownership", "owner"), [
    (Ownership(), Owner.NOBODY),
    (Ownership(HELM), Owner.HELM_3),
    (Ownership(HELM, ("helm",)), Owner.HELM_4),
    (Ownership(Manager(), ("kubectl",)), Owner.APPLIER),
    (Ownership(Manager(helm_release="kubex", argocd="app"), ("argocd",)), Owner.ARGO_CD),
    (Ownership(Manager(flux="app"), ("kustomize-controller",)), Owner.FLUX_KUSTOMIZE),
    (Ownership(Manager(helm_release="kubex", flux="app"), flux_helm=True), Owner.FLUX_HELM),
])  # fmt: skip
def test_who_moves_first_decides(ownership: Ownership, owner: Owner) -> None:
    assert consequence_of(ownership).owner is owner


def test_every_owner_and_move_has_one_line() -> None:
    assert set(SENTENCES) == set(itertools.product(Owner, Move))
    for owner, move in SENTENCES:
        text = consequence_text(Consequence(owner, "NAME", "SPACE", move))
        assert "\n" not in text
        assert "{" not in text
        assert ("NAME" in text) is (owner is not Owner.NOBODY and (owner is not Owner.APPLIER or move is Move.CHANGE))


def test_ownership_from_managed_fields() -> None:
    def entry(manager: str, operation: str, spec: bool, **more: str) -> dict[str, object]:
        fields: dict[str, object] = {"f:spec": {"f:precedence": {}}} if spec else {"f:metadata": {"f:labels": {}}}
        return {"manager": manager, "operation": operation, "fieldsV1": fields, **more}

    raw = {"metadata": {"managedFields": [
        entry("helm", "Apply", False, time="2026-01-01T00:00:00Z"),
        entry("kubectl-kubex", "Update", True, time="2026-01-02T00:00:00Z"),
        entry("engine", "Update", True, subresource="status", time="2025-01-01T00:00:00Z"),
    ]}}  # fmt: skip
    found = decode_ownership(raw)
    assert (found.appliers, found.holders) == (("helm",), ("kubectl-kubex",))
    assert last_writer(raw) == "kubectl-kubex"
    assert (decode_ownership({}), last_writer({})) == (Ownership(), "")


def test_helm_s_marks_come_off() -> None:
    raw = {"metadata": {"name": "x", "labels": {"app.kubernetes.io/managed-by": "Helm", "a": "b"},
                        "annotations": {"meta.helm.sh/release-name": "r"}}}  # fmt: skip
    assert without_helm_marks(raw) == {"metadata": {"name": "x", "labels": {"a": "b"}}}


@pytest.mark.parametrize(("meant", "stored", "paths"), [
    ({"spec": {"a": 1}}, {"spec": {"a": 1}, "status": {}}, []),
    ({"spec": {"a": True}}, {"spec": {"a": 1}}, ["spec.a"]),
    ({"spec": {"a": [1, {"b": 2}]}}, {"spec": {"a": [1, {"b": 3}, 4]}}, ["spec.a[2].b", "spec.a[3]"]),
    ({"metadata": {"labels": {}}}, {"metadata": {}}, []),
    ({"spec": {"a": None}}, {"spec": {}}, []),
    ({"spec": {"a": []}}, {"spec": {}}, ["spec.a"]),
    ({"metadata": {"uid": "1", "resourceVersion": "2"}}, {"metadata": {"uid": "3"}}, []),
])  # fmt: skip
def test_differences(meant: dict[str, object], stored: dict[str, object], paths: list[str]) -> None:
    assert [difference.path for difference in differences(meant, stored)] == paths


def test_dropped() -> None:
    (found,) = differences({"spec": {"a": 1}}, {"spec": {}})
    assert found.is_dropped
    assert found.stored is MISSING
