"""From what was typed to the workload: climbing, ambiguity, and the hint for what is not there."""

from __future__ import annotations

from typing import Any

import pytest

from kubectl_kubex.errors import AmbiguousName, ExitCode, InputError, KubexError, NoOwner, WorkloadNotFound
from kubectl_kubex.offline import FileSource

from .raw import Object, an_object, ask, names, owned, source_of, subject_of, text_of


def failure_of(source: FileSource, word: str, namespace: str = "shop") -> KubexError:
    (failure,) = ask(source, word, namespace=namespace).subjects
    assert isinstance(failure, KubexError)
    return failure


def a_source(*documents: Any) -> FileSource:
    return source_of(text_of(*documents))


def family(*, uids: bool = True) -> list[Object]:
    """A deployment and a cron job, each with what hangs below it; with or without uids."""

    def uid(text: str) -> dict[str, str]:
        return {"uid": text} if uids else {}

    web = an_object("Deployment", "web", **uid("d"))
    replica_set = owned(an_object("ReplicaSet", "web-1", **uid("r")), web)
    nightly = an_object("CronJob", "nightly", **uid("c"))
    job = owned(an_object("Job", "nightly-7", **uid("j")), nightly)
    pods = [owned(an_object("Pod", "web-1-a"), replica_set), owned(an_object("Pod", "nightly-7-b"), job)]
    return [web, replica_set, nightly, job, *pods]


@pytest.mark.parametrize("uids", [True, False])
@pytest.mark.parametrize(
    ("word", "top"),
    [
        ("deploy/web", "web"),
        ("deployments.v1.apps/web", "web"),
        ("web", "web"),
        ("rs/web-1", "web"),
        ("pod/web-1-a", "web"),
        ("cj/nightly", "nightly"),
        ("job/nightly-7", "nightly"),
        ("po/nightly-7-b", "nightly"),
        ("nightly-7", "nightly"),
    ],
)
def test_climbing(word: str, top: str, uids: bool) -> None:
    subject = subject_of(a_source(*family(uids=uids)), word)
    assert subject.workload["metadata"]["name"] == top
    assert (
        str(subject.reference) in (word, f"{subject.reference.kind.singular}/{subject.reference.name}")
        if (subject.reference.kind)
        else True
    )
    assert len(subject.pods or ()) == 1
    assert len(subject.between) == 1


@pytest.mark.parametrize(
    ("pod_owner", "above", "top"),
    [
        ("StatefulSet", None, "StatefulSet"),
        ("Job", None, "Job"),
        ("Job", "AnalysisRun", "AnalysisRun"),
        ("ReplicaSet", "Rollout", "Rollout"),
    ],
)
def test_climbing_to_each_kind(pod_owner: str, above: str | None, top: str) -> None:
    low = an_object(pod_owner, "low")
    high = [an_object(above, "high")] if above else []
    if above:
        owned(low, high[0])
    subject = subject_of(a_source(low, *high, owned(an_object("Pod", "p"), low)), "pod/p")
    assert subject.workload["kind"] == top
    assert names(subject.pods) == ["p"]


def test_a_job_of_an_unknown_operator_is_its_own_workload() -> None:
    job = an_object("Job", "train")
    job["metadata"]["ownerReferences"] = [{"apiVersion": "ml.example.com/v1", "kind": "Run", "name": "r"}]
    assert subject_of(a_source(job), "job/train").workload["kind"] == "Job"


def test_pods_above_which_no_policy_reaches() -> None:
    alone = failure_of(a_source(an_object("Pod", "alone")), "pod/alone")
    assert isinstance(alone, NoOwner)
    assert alone.line.startswith("pod/alone has no owner that policies apply to; supported: deployment, ")
    static = an_object("Pod", "static")
    static["metadata"]["ownerReferences"] = [{"apiVersion": "v1", "kind": "Node", "name": "n", "controller": True}]
    assert "it is owned by Node n" in failure_of(a_source(static), "pod/static").line
    orphan = failure_of(a_source(an_object("ReplicaSet", "rs")), "rs/rs")
    assert orphan.line.startswith("replicaset/rs has no owner")


def test_an_owner_that_the_input_lacks() -> None:
    replica_set = owned(an_object("ReplicaSet", "web-1"), an_object("Deployment", "web"))
    failure = failure_of(a_source(replica_set, owned(an_object("Pod", "web-1-a"), replica_set)), "pod/web-1-a")
    assert failure.line == (
        'deployments.apps "web" not found in namespace "shop" of standard input; it owns replicaset/web-1'
    )


def test_an_owner_that_was_replaced_by_one_of_the_same_name() -> None:
    web = an_object("Deployment", "web", uid="new")
    replica_set = owned(an_object("ReplicaSet", "web-1", uid="r"), web, uid="old")
    failure = failure_of(a_source(web, replica_set), "rs/web-1")
    assert failure.line.endswith("the one that owns replicaset/web-1 is gone")


def test_references_in_a_circle_end() -> None:
    job = an_object("Job", "a")
    cron = owned(an_object("CronJob", "b"), job)
    owned(job, cron)
    assert subject_of(a_source(job, cron), "job/a").workload["kind"] == "CronJob"


def test_an_ambiguous_bare_name() -> None:
    failure = failure_of(a_source(an_object("Deployment", "web"), an_object("CronJob", "web")), "web")
    assert isinstance(failure, AmbiguousName)
    assert failure.line == '"web" is ambiguous: deployment/web, cronjob/web; say which one'


def test_a_bare_name_that_an_owner_shares_is_the_owners() -> None:
    cron = an_object("CronJob", "web", uid="c")
    assert subject_of(a_source(cron, owned(an_object("Job", "web"), cron)), "web").workload["kind"] == "CronJob"


def test_a_bare_name_is_no_pods_name() -> None:
    failure = failure_of(a_source(*family()), "web-1-a")
    assert failure.line == (
        'workload "web-1-a" not found in namespace "shop" of standard input; did you mean pod/web-1-a or '
        "replicaset/web-1 or deployment/web?"
    )


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("deploy/wbe", "did you mean deployment/web?"),
        ("nightl", "did you mean cronjob/nightly or job/nightly-7 or pod/nightly-7-b?"),
        ("sts/web", "did you mean deployment/web or replicaset/web-1 or pod/web-1-a?"),
        ("deploy/quite-another", ""),
    ],
)
def test_similar_names(word: str, hint: str) -> None:
    failure = failure_of(a_source(*family()), word)
    assert isinstance(failure, WorkloadNotFound)
    assert failure.exit_code is ExitCode.CLUSTER
    assert failure.hint == hint


def test_the_same_name_in_another_namespace() -> None:
    source = a_source(an_object("Deployment", "web", "b"), an_object("Deployment", "web", "a"))
    assert failure_of(source, "deploy/web").hint == "it is in namespace a, b: say so with -n"
    assert failure_of(source, "web").hint == "it is in namespace a, b: say so with -n"


def test_a_name_that_may_be_in_what_could_not_be_read() -> None:
    failure = failure_of(source_of(text_of(an_object("Deployment", "x")) + "---\n{"), "deploy/web")
    assert failure.hint.startswith("it may be in standard input, which could not be read: not YAML: ")


def test_a_workload_that_the_api_server_would_not_have_taken() -> None:
    failure = failure_of(a_source(an_object("Deployment", "web", annotations={"x": {"a": 1}})), "web")
    assert isinstance(failure, InputError)
    assert failure.line == (
        "Deployment shop/web cannot be used: metadata.annotations[x] is not a string but an object (in standard input)"
    )


def test_several_references_share_one_reading() -> None:
    gathered = ask(a_source(*family()), "web", "nope", "pod/nightly-7-b")
    assert [isinstance(subject, KubexError) for subject in gathered.subjects] == [False, True, False]
