"""What cannot be seen never gives another winner: each kind of object withheld in turn, offline.

The same scene and the same assertion (`tests/withheld.py`) serve the real API server, where rights are withheld.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import pytest

from kubectl_kubex.codec.gathered import Gathered, Objects, Subject, WorkloadReference
from kubectl_kubex.codec.snapshot import WHY_KINDS, snapshot_of
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.selection import select
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.offline.demo import DemoSource
from kubectl_kubex.render.why_document import why_document
from tests import withheld
from tests.builders import a_gap, gathered
from tests.withheld import WITHHELD, assert_same_or_undetermined, target_name

SCENES = {"hashed": withheld.hashed_scene, "fixed": withheld.fixed_scene}
HIDING = [reason for reason in GapReason if reason is not GapReason.NOT_SERVED]


@cache
def document(scene: str, *gaps: Gap) -> dict[str, Any]:
    """The scene's WhyResult while `gaps` hide objects."""
    workload = SCENES[scene]()
    objects = [*withheld.scene_singletons(), *withheld.scene_policies()]
    return why_document(
        select(snapshot_of(*gathered(workload, objects, pods=withheld.scene_pods(workload), gaps=gaps)))
    )


def summary(found: dict[str, Any]) -> dict[str, str]:
    return {
        target_name(target): f"{target['selected']['policy']['name']} by {target['decidedBy']['rule']}"
        for target in found["targets"]
        if target["selected"]
    }


def test_the_scene_is_rich() -> None:
    """Everything is determined while all is seen, and every rule decides somewhere."""
    assert summary(document("hashed")) == {
        "app/requests/cpu": "exact by exact-target",
        "app/requests/ephemeral-storage": "cluster-static by annotation-key",
        "app/requests/gpu": "gpu by priority",
        "app/requests/memory": "older by older",
        "app/limits/memory": "older by only-candidate",
        "sidecar/requests/cpu": "cluster-rollback by annotation-key",
        "sidecar/requests/ephemeral-storage": "cluster-static by annotation-key",
        "sidecar/requests/memory": "heavy by weight",
    }
    assert summary(document("fixed")) == {
        "app/requests/cpu": "cluster-static by exact-target",
        "app/requests/memory": "cluster-static by annotation-key",
        "app/limits/memory": "rollback by only-candidate",
        "sidecar/requests/cpu": "None by only-candidate",
        "sidecar/requests/memory": "heavy by weight",
    }
    for scene in SCENES:
        found = document(scene)
        assert all(target["status"] == "selected" for target in found["targets"])
        assert {hook["kind"]: hook["status"] for hook in found["hooks"]} == (
            dict.fromkeys(("ContainerArgsPolicy", "PodAffinityPolicy", "ClusterCompactionPolicy"), "selected")
            if scene == "hashed"
            else {}
        )


@pytest.mark.parametrize("reason", HIDING, ids=[reason.value for reason in HIDING])
@pytest.mark.parametrize("kind", WITHHELD)
@pytest.mark.parametrize("scene", SCENES)
def test_with_one_kind_withheld_the_answer_is_the_same_or_undetermined(
    scene: str, kind: str, reason: GapReason
) -> None:
    """And the document names the kind, whether or not it changes anything."""
    assert_same_or_undetermined(document(scene), document(scene, a_gap(kind, reason)), [kind])


@pytest.mark.parametrize("pair", list(itertools.combinations(WITHHELD, 2)), ids="+".join)
@pytest.mark.parametrize("scene", SCENES)
def test_with_two_kinds_withheld_too(scene: str, pair: tuple[str, str]) -> None:
    """Against everything, and against either of the two alone: each fact that is taken away only adds doubt."""
    both = document(scene, *(a_gap(kind) for kind in pair))
    assert_same_or_undetermined(document(scene), both, pair)
    for kind in pair:
        assert_same_or_undetermined(document(scene, a_gap(kind)), both, pair)


@pytest.mark.parametrize("scene", SCENES)
def test_with_everything_withheld(scene: str) -> None:
    assert_same_or_undetermined(document(scene), document(scene, *(a_gap(kind) for kind in WITHHELD)), WITHHELD)


@pytest.mark.parametrize("scene", SCENES)
def test_with_one_unreadable_file_that_may_have_held_anything(scene: str) -> None:
    """A file hides every kind, its own name is all that can be said."""
    file = Gap("policies.yaml", GapReason.UNREADABLE, "line 7: not YAML")
    gaps = [a_gap(kind, GapReason.NOT_SERVED) for kind in WITHHELD if kind in WHY_KINDS]
    assert_same_or_undetermined(document(scene), document(scene, file))
    found = document(scene, file, *gaps)
    for target, full in zip(found["targets"], document(scene)["targets"], strict=True):
        if target["status"] == "selected":
            assert target["selected"]["value"] == full["selected"]["value"]


def test_withholding_does_matter() -> None:
    """Without this, the scene would prove nothing: each kind that a winner hangs on leaves something open."""
    leaves_open = {
        kind
        for kind in WITHHELD
        for scene in SCENES
        if any(target["status"] == "undetermined" for target in document(scene, a_gap(kind))["targets"])
        or any(hook["status"] == "undetermined" for hook in document(scene, a_gap(kind))["hooks"])
    }
    assert leaves_open == set(WITHHELD) - {"ClusterGpuReactivePolicy", "Pod"}


def test_pods_withheld_leave_the_selection_and_take_the_applied_values() -> None:
    found = document("hashed", a_gap("Pod"))
    assert all(target["status"] == "selected" and target["applied"] is None for target in found["targets"])
    assert all(target["applied"] for target in document("hashed")["targets"])


# --- The assertion itself --------------------------------------------------------------------------------------------


def test_the_assertion_sees_another_winner() -> None:
    """One that never fails would be worthless."""
    full = document("hashed")
    for field, value in (("value", "1"), ("annotationKey", "other")):
        changed = [{**target, "selected": {**target["selected"], field: value}} for target in full["targets"]]
        with pytest.raises(AssertionError, match="another winner"):
            assert_same_or_undetermined(full, {**full, "targets": changed})


@pytest.mark.parametrize(("field", "value"), [("kind", "StaticPolicy"), ("namespace", "other"), ("name", "other")])
def test_the_assertion_sees_another_policy(field: str, value: str) -> None:
    full = document("hashed")
    hooks = [{**hook, "selected": {**hook["selected"], field: value}} for hook in full["hooks"]]
    with pytest.raises(AssertionError, match="another policy"):
        assert_same_or_undetermined(full, {**full, "hooks": hooks})


def test_the_assertion_sees_a_missing_target_an_unnamed_kind_and_an_empty_reason() -> None:
    full = document("hashed")
    with pytest.raises(AssertionError):
        assert_same_or_undetermined(full, {**full, "targets": full["targets"][1:]})
    with pytest.raises(AssertionError, match="StaticPolicy is not named"):
        assert_same_or_undetermined(full, full, ["StaticPolicy"])
    empty: dict[str, Any] = {"status": "undetermined", "selected": None, "decidedBy": None, "reasons": []}
    with pytest.raises(AssertionError, match="for no reason"):
        assert_same_or_undetermined(full, {**full, "targets": [{**target, **empty} for target in full["targets"]]})


def test_the_assertion_sees_that_something_open_was_settled() -> None:
    full = document("hashed")
    partial = document("hashed", a_gap("PolicyEvaluation"))
    with pytest.raises(AssertionError, match="knowing less"):
        assert_same_or_undetermined(partial, full)


# --- The demo --------------------------------------------------------------------------------------------------------


@cache
def demo() -> tuple[tuple[Subject, Gathered], ...]:
    """Every workload of the bundled demo, as gathered."""
    source = DemoSource()
    found = []
    for raw in source.workloads(None).workloads:
        metadata = raw["metadata"]
        reference = WorkloadReference(WORKLOAD_BY_NAME[raw["kind"]], metadata["name"])
        answer = source.gather([reference], metadata["namespace"], WHY_KINDS)
        subject = answer.subjects[0]
        assert isinstance(subject, Subject)
        found.append((subject, answer))
    return tuple(found)


def demo_document(subject: Subject, answer: Gathered, kind: str | None = None) -> dict[str, Any]:
    """With the objects of `kind` withheld."""
    by_kind = {name: objects for name, objects in answer.objects.by_kind.items() if name != kind}
    gap = [a_gap(kind)] if kind else []
    pods, own = (None, [a_gap("Pod")]) if kind == "Pod" else (subject.pods, [])
    hidden = Subject(subject.reference, subject.workload, pods, subject.between, (*subject.gaps, *own))
    objects = Objects(by_kind, (*answer.objects.gaps, *(g for g in gap if g.kind != "Pod")))
    return why_document(select(snapshot_of(hidden, Gathered(answer.source, objects, (hidden,)))))


@pytest.mark.parametrize("kind", WITHHELD)
def test_with_one_kind_withheld_from_the_demo(kind: str) -> None:
    """For each of its workloads."""
    assert len(demo()) >= 8
    for subject, answer in demo():
        full = demo_document(subject, answer)
        assert_same_or_undetermined(full, demo_document(subject, answer, kind), [kind])
