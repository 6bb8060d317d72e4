"""Which pods are a workload's, and when that cannot be told."""

from __future__ import annotations

from typing import Any

import pytest

from kubectl_kubex.core.model import Gap, GapReason

from .raw import Object, a_list, a_selector, an_object, names, owned, source_of, subject_of, text_of


def pods_of(*documents: Any, word: str = "deploy/web", more: str = "") -> tuple[list[str] | None, list[Gap]]:
    subject = subject_of(source_of(text_of(*documents) + more), word)
    return names(subject.pods), list(subject.gaps)


def a_pod(name: str, template_hash: str, label: str = "pod-template-hash") -> Object:
    return an_object("Pod", name, labels={"app": "web", label: template_hash})


def test_pods_of_every_replica_set_in_name_order() -> None:
    web = an_object("Deployment", "web", uid="d")
    sets = [owned(an_object("ReplicaSet", f"web-{n}", uid=f"r{n}"), web) for n in (2, 1)]
    pods = [owned(an_object("Pod", f"{found['metadata']['name']}-x"), found) for found in sets]
    other = owned(
        an_object("Pod", "other-0"), owned(an_object("ReplicaSet", "other-1"), an_object("Deployment", "other"))
    )
    assert pods_of(web, *sets, *pods, other) == (["web-1-x", "web-2-x"], [])


def test_pods_of_a_former_workload_of_that_name_are_not_its_own() -> None:
    web = an_object("StatefulSet", "web", uid="new")
    pod = owned(an_object("Pod", "web-0"), web, uid="old")
    assert pods_of(web, pod, word="sts/web") == ([], [])


def test_pods_of_another_namespace_are_not_its_own() -> None:
    web = an_object("StatefulSet", "web")
    pod = owned(an_object("Pod", "web-0", "payments"), web)
    assert pods_of(web, pod, word="sts/web") == ([], [])


@pytest.mark.parametrize(
    ("kind", "label"), [("Deployment", "pod-template-hash"), ("Rollout", "rollouts-pod-template-hash")]
)
def test_replica_sets_may_be_left_out(kind: str, label: str) -> None:
    """`kubectl get deploy,pods -o yaml` has none; their names are their owner's and the pods' template hash."""
    web = a_selector(an_object(kind, "web"), app="web")
    pod = owned(a_pod("web-5d-x", "5d", label), an_object("ReplicaSet", "web-5d"))
    foreign = owned(a_pod("web-x-5d-x", "5d", label), an_object("ReplicaSet", "web-x-5d"))
    foreign["metadata"]["labels"]["app"] = "web-x"
    assert pods_of(web, pod, word=f"{kind}/web") == (["web-5d-x"], [])
    assert subject_of(source_of(text_of(web, pod)), "pod/web-5d-x").workload["metadata"]["name"] == "web"


def test_a_replica_set_that_may_be_its_own_and_is_not_there() -> None:
    web = an_object("Deployment", "web")
    pod = owned(an_object("Pod", "web-5d-x"), an_object("ReplicaSet", "web-5d"))
    detail = "pods are owned by ReplicaSet web-5d, which is not in the input"
    assert pods_of(web, pod) == (None, [Gap("Pod", GapReason.NOT_IN_INPUT, detail)])
    stranger = owned(an_object("Pod", "x"), an_object("ReplicaSet", "other-5d"))
    assert pods_of(web, stranger) == ([], [])


def test_a_job_that_may_be_its_own_and_is_not_there() -> None:
    pod = owned(an_object("Pod", "nightly-7-x"), an_object("Job", "nightly-7"))
    pods, gaps = pods_of(an_object("CronJob", "nightly"), pod, word="cj/nightly")
    assert pods is None
    assert gaps[0].detail == "pods are owned by Job nightly-7, which is not in the input"
    assert pods_of(an_object("Deployment", "nightly"), pod, word="deploy/nightly") == ([], [])


def test_a_pod_without_owners_is_of_the_one_that_would_adopt_it() -> None:
    web = a_selector(an_object("Deployment", "web"), app="web")
    pod = an_object("Pod", "web-x", labels={"app": "web", "more": "x"})
    assert pods_of(web, pod) == (["web-x"], [])
    rival = a_selector(an_object("StatefulSet", "web2"), more="x")
    assert pods_of(web, pod, rival) == ([], [])
    everyone = an_object("Deployment", "web")
    everyone["spec"] = {"selector": {}}
    assert pods_of(everyone, pod) == ([], [])


def test_expressions_in_a_selector_are_not_guessed_at() -> None:
    web = a_selector(an_object("Deployment", "web"), app="web")
    web["spec"]["selector"]["matchExpressions"] = [{"key": "x", "operator": "Exists"}]
    assert pods_of(web, an_object("Pod", "web-x", labels={"app": "web"})) == ([], [])


def test_no_pods_in_the_input() -> None:
    web = an_object("Deployment", "web")
    assert pods_of(web) == (None, [Gap("Pod", GapReason.NOT_IN_INPUT, "no pods in the input")])
    assert pods_of(web, a_list(kind="PodList")) == ([], [])
    assert pods_of(web, a_list()) == (None, [Gap("Pod", GapReason.NOT_IN_INPUT, "no pods in the input")])


def test_no_pods_but_a_file_that_may_hide_some() -> None:
    pods, gaps = pods_of(an_object("Deployment", "web"), an_object("Pod", "other"), more="---\n{")
    assert pods is None
    assert gaps == [Gap("Pod", GapReason.UNREADABLE, "they may be in standard input")]


def test_a_pod_that_cannot_be_used_is_named_beside_the_others() -> None:
    web = an_object("StatefulSet", "web")
    pods = [owned(an_object("Pod", f"web-{n}", labels={"n": n}), web) for n in (0, "1")]
    found, gaps = pods_of(web, *pods, word="sts/web")
    assert found == ["web-1"]
    detail = "Pod shop/web-0: metadata.labels[n] is not a string but the number 0 (in standard input)"
    assert gaps == [Gap("Pod", GapReason.UNREADABLE, detail)]
