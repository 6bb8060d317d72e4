"""What the input does not show is a gap, never "there are none"; two copies of one object are not just picked from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.codec.gathered import Objects
from kubectl_kubex.codec.snapshot import WHY_KINDS
from kubectl_kubex.core.kinds import KINDS
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.errors import InputError

from .raw import ENGINE, Object, a_list, an_object, ask, names, source_at, source_of, text_of

WEB = an_object("Deployment", "web")


def objects_of(*documents: Any, kinds: Any = WHY_KINDS, more: str = "") -> Objects:
    return ask(source_of(text_of(WEB, *documents) + more), kinds=kinds).objects


def test_every_kind_without_an_object_is_a_gap() -> None:
    found = objects_of(kinds=[kind.name for kind in KINDS])
    assert found.by_kind == {}
    assert found.gaps == tuple(
        Gap(kind.name, GapReason.NOT_IN_INPUT, f"no {kind.name} objects in the input") for kind in KINDS
    )


def test_an_object_or_a_list_of_nothing_shows_that_a_kind_was_read() -> None:
    elsewhere = an_object("StaticPolicy", "p", "payments")
    empty = a_list(kind="ProactivePolicyList", version=ENGINE)
    found = objects_of(elsewhere, empty, kinds=["StaticPolicy", "ProactivePolicy", "RollbackPolicy"])
    assert found.by_kind == {"StaticPolicy": (), "ProactivePolicy": ()}
    assert [gap.kind for gap in found.gaps] == ["RollbackPolicy"]


def test_a_list_of_another_group_shows_nothing() -> None:
    assert objects_of(a_list(kind="StaticPolicyList", version="example.com/v1"), kinds=["StaticPolicy"]).by_kind == {}


def test_namespaces() -> None:
    documents = [an_object("StaticPolicy", name, home) for name, home in (("b", "shop"), ("a", "shop"), ("c", "x"))]
    source = source_of(text_of(*documents))
    here = source.gather([], "shop", ["StaticPolicy"]).objects.by_kind["StaticPolicy"]
    everywhere = source.gather([], "shop", ["StaticPolicy"], all_namespaces=True).objects.by_kind["StaticPolicy"]
    assert (names(here), names(everywhere)) == (["a", "b"], ["a", "b", "c"])


def test_an_unreadable_file_may_hide_every_kind_but_the_singletons_that_are_there() -> None:
    singleton = an_object("PolicyEvaluation", "policy-evaluation")
    found = objects_of(singleton, an_object("StaticPolicy", "p"), more="---\n{")
    hidden = {gap.kind for gap in found.gaps if gap.reason is GapReason.UNREADABLE}
    assert hidden == {*WHY_KINDS, "standard input"} - {"PolicyEvaluation"}
    assert "GlobalConfiguration" in hidden


def test_another_singleton_is_not_the_singleton() -> None:
    found = objects_of(an_object("PolicyEvaluation", "mine"), more="---\n{", kinds=["PolicyEvaluation"])
    assert "PolicyEvaluation" in {gap.kind for gap in found.gaps}


# Two copies of one object.


def copies(folder: Path, first: Object, second: Object) -> Objects:
    (folder / "a.yaml").write_text(text_of(first))
    (folder / "b.yaml").write_text(text_of(second))
    return ask(source_at(folder), kinds=["StaticPolicy"]).objects


def a_policy(weight: int, **metadata: Any) -> Object:
    return {**an_object("StaticPolicy", "p", **metadata), "spec": {"weight": weight}}


def test_copies_that_say_the_same(tmp_path: Path) -> None:
    plain = a_policy(1)
    busy = a_policy(
        1,
        managedFields=[{"manager": "x"}],
        annotations={"kubectl.kubernetes.io/last-applied-configuration": "{"},
    )
    plain["metadata"]["annotations"] = {}
    found = copies(tmp_path, plain, busy)
    assert found.by_kind == {"StaticPolicy": (plain,)}
    assert found.gaps == ()


@pytest.mark.parametrize(("first", "second", "kept", "older"), [("9", "10", 2, "a.yaml"), ("10", "9", 1, "b.yaml")])
def test_the_newer_copy_is_used_and_the_older_one_named(
    first: str, second: str, kept: int, older: str, tmp_path: Path
) -> None:
    found = copies(tmp_path, a_policy(1, resourceVersion=first), a_policy(2, resourceVersion=second, uid="u"))
    assert [policy["spec"]["weight"] for policy in found.by_kind["StaticPolicy"]] == [kept]
    detail = "holds an older copy of StaticPolicy shop/p, which is not used"
    assert found.gaps == (Gap(str(tmp_path / older), GapReason.UNREADABLE, detail),)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({}, {}),
        ({"resourceVersion": "9"}, {}),
        ({"resourceVersion": "9"}, {"resourceVersion": "9"}),
        ({"resourceVersion": "9"}, {"resourceVersion": "x"}),
        ({"resourceVersion": "9", "uid": "a"}, {"resourceVersion": "10", "uid": "b"}),
        ({"resourceVersion": "9"}, {"resourceVersion": "9" * 30}),
    ],
)
def test_copies_of_which_none_is_newer_are_not_used(first: Object, second: Object, tmp_path: Path) -> None:
    found = copies(tmp_path, a_policy(1, **first), a_policy(2, **second))
    assert found.by_kind == {"StaticPolicy": ()}
    a, b = tmp_path / "a.yaml", tmp_path / "b.yaml"
    detail = f"StaticPolicy shop/p: {a} and {b} differ on it, and no resourceVersion says which is newer"
    assert found.gaps == (Gap("StaticPolicy", GapReason.UNREADABLE, detail),)


def test_a_third_copy_does_not_bring_it_back(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(text_of(a_policy(1)))
    assert copies(tmp_path, a_policy(1), a_policy(2)).by_kind == {"StaticPolicy": ()}


def test_a_contested_workload_is_an_error_for_it() -> None:
    other = {**WEB, "spec": {"replicas": 3}}
    (failure,) = ask(source_of(text_of(WEB, other)), "deploy/web").subjects
    assert isinstance(failure, InputError)
    assert "standard input and standard input differ on it" in failure.line


# Lists of workloads.


def test_workloads_are_those_of_the_policy_kinds() -> None:
    documents = [WEB, an_object("Job", "j", "x"), an_object("Pod", "p"), an_object("ReplicaSet", "r")]
    source = source_of(text_of(*documents))
    assert names(source.workloads(None).workloads) == ["web", "j"]
    assert names(source.workloads("shop").workloads) == ["web"]


def test_workload_kinds_that_the_input_lacks() -> None:
    """A kind from a CRD that is not there is one that the cluster did not have."""
    found = source_of(text_of(WEB, an_object("Job", "bad", labels={"x": 1}))).workloads(None)
    assert [(gap.kind, gap.reason) for gap in found.gaps] == [
        ("StatefulSet", GapReason.NOT_IN_INPUT),
        ("DaemonSet", GapReason.NOT_IN_INPUT),
        ("CronJob", GapReason.NOT_IN_INPUT),
        ("Job", GapReason.UNREADABLE),
    ]


def test_unreadable_files_are_named_with_the_workloads() -> None:
    found = source_of(text_of(WEB) + "---\n{").workloads(None)
    assert found.gaps[-1].kind == "standard input"
