"""From a reference to its workload and pods, over a store of objects instead of a server; and in how many rounds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_kubex.cluster.failures import ApiFailure, answered
from kubectl_kubex.cluster.owners import owner_of, owner_uids, selector_text, uid_of
from kubectl_kubex.cluster.pods import MOST_JOB_NAMES
from kubectl_kubex.cluster.questions import All, Answer, One, Question, Versions
from kubectl_kubex.cluster.subjects import Place
from kubectl_kubex.codec.gathered import Subject, WorkloadReference
from kubectl_kubex.codec.shapes import name_of
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME, find_workload_kind
from kubectl_kubex.errors import AmbiguousName, Forbidden, KubexError, NoOwner, UsageError, WorkloadNotFound

Raw = dict[str, Any]
VERSIONS = {kind.name: f"{kind.group}/{kind.versions[0]}".strip("/") for kind in WORKLOAD_BY_NAME.values()}
serial = itertools.count(1)


def made(kind: str, name: str, owner: Raw | None = None, labels: Mapping[str, str] | None = None, **spec: Any) -> Raw:
    metadata: Raw = {"name": name, "namespace": "shop", "uid": f"uid-{next(serial)}", "labels": dict(labels or {})}
    if owner is not None:
        metadata["ownerReferences"] = [
            {
                "apiVersion": owner["apiVersion"],
                "kind": owner["kind"],
                "name": name_of(owner),
                "uid": uid_of(owner),
                "controller": True,
            }
        ]
    return {"apiVersion": VERSIONS.get(kind, "x/v1"), "kind": kind, "metadata": metadata, "spec": spec}


def failure(status: int, body: bytes = b"") -> ApiFailure:
    return answered(status, "application/json", body or b'{"message":"injected","details":{"name":"x"}}')


NOT_SERVED = answered(404, "text/plain", b"404 page not found\n")


class Store:
    """Objects, and what is refused: a plural, or `get plural`/`list plural`, to the failure."""

    def __init__(self, *found: Raw, refuse: Mapping[str, ApiFailure] | None = None) -> None:
        self.found = found
        self.refuse = dict(refuse or {})
        self.rounds = 0
        self.asked: list[Question] = []
        self.served = {"argoproj.io": ["v1alpha1"], "core.strimzi.io": ["v1beta2", "v1"], "kubeai.org": ["v1"]}

    def ask(self, typed: str, namespace: str = "shop") -> Subject | KubexError:
        word, _, name = typed.rpartition("/")
        kind = find_workload_kind(word) if word else None
        steps = Place(WorkloadReference(kind, name), namespace).steps()
        answers: dict[Question, Answer | KubexError] = {}
        try:
            questions = next(steps)
            while True:
                new = [question for question in dict.fromkeys(questions) if question not in answers]
                self.rounds += bool(new)
                self.asked += new
                answers |= {question: self.answer(question) for question in new}
                questions = steps.send([answers[question] for question in questions])
        except StopIteration as done:
            result: Subject | KubexError = done.value
            return result

    def subject(self, typed: str) -> Subject:
        found = self.ask(typed)
        assert isinstance(found, Subject), found
        assert self.rounds <= 3
        return found

    def answer(self, question: Question) -> Answer | KubexError:
        if isinstance(question, Versions):
            versions = self.served.get(question.group)
            if question.group in self.refuse:
                return self.refuse[question.group]
            if not versions:
                return NOT_SERVED
            listed = [{"version": version} for version in versions]
            return {"versions": listed, "preferredVersion": listed[0]}
        plural, verb = question.resource.plural, "get" if isinstance(question, One) else "list"
        refused = self.refuse.get(f"{verb} {plural}") or self.refuse.get(plural)
        group, _, version = question.resource.api_version.rpartition("/")
        if refused or (
            group in ("argoproj.io", "core.strimzi.io", "kubeai.org") and version not in self.served.get(group, [])
        ):
            return refused or NOT_SERVED
        of_kind = [raw for raw in self.found if raw["kind"] == question.resource.kind]
        if isinstance(question, One):
            return next((raw for raw in of_kind if name_of(raw) == question.name), failure(404))
        return tuple(raw for raw in of_kind if self.fits(question, raw))

    @staticmethod
    def fits(question: All, raw: Raw) -> bool:
        if question.owners is not None and not owner_uids(raw) & question.owners:
            return False
        labels = raw["metadata"]["labels"]
        if " in (" in question.labels:
            key, _, values = question.labels.rstrip(")").partition(" in (")
            return labels.get(key) in values.split(",")
        parts = [part.partition("=") for part in question.labels.split(",") if part]
        return all(key in labels and (not equals or labels[key] == value) for key, equals, value in parts)


def names(found: Any) -> list[str]:
    return [f"{raw['kind']}/{name_of(raw)}" for raw in found]


APP = {"app": "web"}


class Shop:
    """A Deployment with an old and a new ReplicaSet, and a stranger's pod with the same label."""

    def __init__(self, kind: str = "Deployment", hash_label: str = "pod-template-hash") -> None:
        self.web = made(kind, "web", selector={"matchLabels": APP})
        self.old, self.new = (
            made(
                "ReplicaSet",
                f"web-{n}",
                self.web,
                {**APP, hash_label: n},
                selector={"matchLabels": {**APP, hash_label: n}},
            )
            for n in ("1", "2")
        )
        self.pods = [made("Pod", f"web-2-{n}", self.new, {**APP, hash_label: "2"}) for n in "ab"]
        self.other = made("Deployment", "other", selector={"matchLabels": APP})
        self.others = made("ReplicaSet", "other-1", self.other, APP, selector={"matchLabels": APP})
        self.stranger = made("Pod", "other-1-x", self.others, APP)
        self.lone = made("Pod", "lone", None, APP)

    @property
    def all(self) -> list[Raw]:
        return [self.web, self.old, self.new, *self.pods, self.other, self.others, self.stranger, self.lone]


@pytest.mark.parametrize(
    ("typed", "rounds"), [("deploy/web", 2), ("web", 3), ("rs/web-2", 2), ("rs/web-1", 2), ("pod/web-2-a", 3)]
)
def test_a_deployment_and_only_its_own_pods(typed: str, rounds: int) -> None:
    shop = Shop()
    store = Store(*shop.all)
    found = store.subject(typed)
    assert names([found.workload]) == ["Deployment/web"]
    assert names(found.pods) == ["Pod/web-2-a", "Pod/web-2-b"]
    assert set(names(found.between)) == {"ReplicaSet/web-2", *(["ReplicaSet/web-1"] if typed == "rs/web-1" else [])}
    assert found.gaps == ()
    assert store.rounds <= rounds


@pytest.mark.parametrize("typed", ["rollout/web", "web", "rs/web-2", "pod/web-2-a"])
def test_a_rollout(typed: str) -> None:
    shop = Shop("Rollout", "rollouts-pod-template-hash")
    found = Store(*shop.all).subject(typed)
    assert names([found.workload]) == ["Rollout/web"]
    assert names(found.pods) == ["Pod/web-2-a", "Pod/web-2-b"]


def test_a_rollout_that_takes_its_template_from_elsewhere() -> None:
    shop = Shop("Rollout")
    shop.web["spec"] = {"workloadRef": {}}
    assert names(Store(*shop.all).subject("rollout/web").pods) == ["Pod/web-2-a", "Pod/web-2-b"]
    assert Store(shop.web).subject("rollout/web").pods == ()


@pytest.mark.parametrize("kind", ["StatefulSet", "DaemonSet", "StrimziPodSet", "Model"])
def test_kinds_that_own_their_pods(kind: str) -> None:
    spec: Raw = {} if kind == "Model" else {"selector": {"matchLabels": APP}}
    db = made(kind, "db", **spec)
    if kind == "StrimziPodSet":
        db["apiVersion"] = "core.strimzi.io/v1beta2"
    pods = [made("Pod", "db-0", db, APP), made("Pod", "stray", None, APP), made("Pod", "o", made(kind, "o"), APP)]
    for typed in (f"{kind.lower()}/db", "db", "pod/db-0"):
        found = Store(db, *pods).subject(typed)
        assert names([found.workload]) == [f"{kind}/db"]
        assert names(found.pods) == ["Pod/db-0"]
        assert found.between == ()


def jobs_of(owner: Raw, count: int = 2) -> list[Raw]:
    jobs = [made("Job", f"{name_of(owner)}-{n}", owner) for n in range(count)]
    pods = [made("Pod", f"{name_of(job)}-p", job, {"job-name": name_of(job)}) for job in jobs[:-1]]
    return [*jobs, *pods]


@pytest.mark.parametrize("kind", ["CronJob", "AnalysisRun"])
@pytest.mark.parametrize("typed", ["{kind}/night", "night", "job/night-0", "night-1", "pod/night-0-p"])
def test_kinds_that_own_jobs(kind: str, typed: str) -> None:
    night = made(kind, "night")
    stranger = made("Job", "alone")
    store = Store(night, *jobs_of(night), stranger, made("Pod", "alone-p", stranger, {"job-name": "alone"}))
    found = store.subject(typed.format(kind=kind.lower()))
    assert names([found.workload]) == [f"{kind}/night"]
    assert names(found.pods) == ["Pod/night-0-p"]
    assert "Job/night-0" in names(found.between)
    assert len(found.between) == (2 if typed == "night-1" else 1)


def test_many_jobs_are_not_named_one_by_one() -> None:
    night = made("CronJob", "night")
    store = Store(night, *jobs_of(night, MOST_JOB_NAMES + 1))
    assert len(store.subject("cj/night").pods or ()) == MOST_JOB_NAMES
    assert [
        question.labels for question in store.asked if isinstance(question, All) and question.resource.kind == "Pod"
    ] == ["job-name"]


def test_a_cron_job_without_jobs_has_no_pods() -> None:
    store = Store(made("CronJob", "night"))
    assert store.subject("cj/night").pods == ()
    assert store.rounds == 1


@pytest.mark.parametrize("owner", [None, made("Workflow", "flow")])
def test_a_job_below_no_workload_stands_for_itself(owner: Raw | None) -> None:
    job = made("Job", "once", owner, selector={"matchLabels": {"controller-uid": "1"}})
    pods = [made("Pod", "once-p", job, {"controller-uid": "1"}), made("Pod", "x", None, {"controller-uid": "1"})]
    for typed in ("job/once", "once", "pod/once-p"):
        found = Store(job, *pods).subject(typed)
        assert names([found.workload]) == ["Job/once"]
        assert names(found.pods) == ["Pod/once-p"]


# Bare names.


def test_a_name_that_several_kinds_have_is_ambiguous() -> None:
    failed = Store(made("Deployment", "x"), made("StatefulSet", "x"), made("Model", "x")).ask("x")
    assert isinstance(failed, AmbiguousName)
    assert failed.message == '"x" is ambiguous: deployment/x, statefulset/x, model/x'


def test_an_owner_goes_before_what_it_owns() -> None:
    night = made("CronJob", "x")
    assert names([Store(night, made("Job", "x", night)).subject("x").workload]) == ["CronJob/x"]


def test_a_bare_name_of_nothing() -> None:
    failed = Store().ask("x")
    assert isinstance(failed, WorkloadNotFound)
    assert failed.line == 'workload "x" not found in namespace "shop"'


def test_a_bare_name_that_may_be_hidden() -> None:
    refuse = {"cronjobs": failure(403), "core.strimzi.io": failure(500)}
    failed = Store(refuse=refuse).ask("x")
    assert isinstance(failed, WorkloadNotFound)
    assert failed.hint == "not looked at: cronjobs.batch"
    assert isinstance(Store(made("Deployment", "x", selector={"matchLabels": APP}), refuse=refuse).ask("x"), Subject)


def test_a_bare_name_without_any_right() -> None:
    plurals = ("deployments", "statefulsets", "daemonsets", "cronjobs", "jobs")
    store = Store(refuse=dict.fromkeys(plurals, failure(403)))
    store.served = {}
    failed = store.ask("x")
    assert isinstance(failed, Forbidden)
    assert failed.line == "Error from server (Forbidden): injected"


def test_no_optional_group_is_asked_further_when_it_is_not_served() -> None:
    store = Store()
    store.served = {}
    assert isinstance(store.ask("x"), WorkloadNotFound)
    assert store.rounds == 1


# What cannot be had.


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("deploy/x", 'deployments.apps "x" not found in namespace "shop"'),
        ("pod/x", 'pods "x" not found in namespace "shop"'),
        ("sps/x", 'strimzipodsets.core.strimzi.io "x" not found in namespace "shop"'),
        ("ro/x", 'rollouts.argoproj.io "x" not found in namespace "shop"'),
    ],
)
def test_what_does_not_exist(typed: str, line: str) -> None:
    failed = Store().ask(typed)
    assert isinstance(failed, WorkloadNotFound)
    assert failed.line == line


@pytest.mark.parametrize("typed", ["ro/x", "sps/x", "model/x", "analysisrun/x"])
def test_a_kind_that_is_not_served(typed: str) -> None:
    store = Store()
    store.served = {}
    failed = store.ask(typed)
    assert isinstance(failed, KubexError)
    assert failed.message.startswith("the server does not have a resource type")


def test_a_kind_that_is_served_in_a_version_of_its_own() -> None:
    model = made("Model", "m")
    store = Store(model)
    store.served["kubeai.org"] = ["v2"]
    assert isinstance(store.ask("model/m"), Subject)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "%2e"])
def test_names_that_would_lead_elsewhere_are_not_asked_for(name: str) -> None:
    store = Store()
    place = Place(WorkloadReference(WORKLOAD_BY_NAME["Deployment"], name), "shop")
    with pytest.raises(StopIteration) as done:
        next(place.steps())
    assert isinstance(done.value.value, UsageError)
    assert isinstance(store.ask("deploy/x", ".."), UsageError)


def test_a_workload_that_may_not_be_read() -> None:
    failed = Store(refuse={"get deployments": failure(403)}).ask("deploy/x")
    assert isinstance(failed, Forbidden)


def test_an_owner_that_may_not_be_read() -> None:
    shop = Shop()
    failed = Store(*shop.all, refuse={"get deployments": failure(403)}).ask("pod/web-2-a")
    assert isinstance(failed, Forbidden)
    assert failed.line == "Error from server (Forbidden): injected"


def test_an_owner_that_is_gone() -> None:
    shop = Shop()
    failed = Store(shop.new, *shop.pods).ask("pod/web-2-a")
    assert isinstance(failed, WorkloadNotFound)
    assert failed.line == 'deployments.apps "web" not found in namespace "shop"; it owns replicaset/web-2'


def test_an_owner_that_was_replaced() -> None:
    shop = Shop()
    again = made("Deployment", "web", selector={"matchLabels": APP})
    failed = Store(again, shop.new, *shop.pods).ask("rs/web-2")
    assert isinstance(failed, WorkloadNotFound)
    assert failed.hint == "the one that owns replicaset/web-2 is gone"


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (made("Pod", "x"), "pod/x has no owner that policies apply to; supported: deployment, "),
        (made("ReplicaSet", "x"), "replicaset/x has no owner that policies apply to; supported: deployment, "),
        (made("Pod", "x", made("Pod", "y")), "pod/x has no owner that policies apply to: it is owned by Pod y"),
        (
            made("Pod", "x", made("Node", "n1")),
            "pod/x has no owner that policies apply to: it is owned by Node n1; supp",
        ),
        (
            made("ReplicaSet", "x", made("Fleet", "f")),
            "replicaset/x has no owner that policies apply to: it is owned by Fleet f",
        ),
    ],
)
def test_what_hangs_below_no_workload(raw: Raw, line: str) -> None:
    failed = Store(raw).ask(f"{raw['kind'].lower()}/x")
    assert isinstance(failed, NoOwner)
    assert failed.line.startswith(line)


def test_a_kind_of_another_group_is_another_kind() -> None:
    foreign = made("Job", "j")
    foreign["apiVersion"] = "batch.volcano.sh/v1alpha1"
    assert isinstance(Store(made("Pod", "x", foreign)).ask("pod/x"), NoOwner)


def test_pods_that_may_not_be_listed() -> None:
    gap = Gap("Pod", GapReason.FORBIDDEN, "injected", "list pods in namespace shop")
    for typed, store in (
        ("deploy/web", Store(*Shop().all, refuse={"list pods": failure(403)})),
        ("sts/db", Store(made("StatefulSet", "db", selector={"matchLabels": APP}), refuse={"list pods": failure(403)})),
    ):
        found = store.subject(typed)
        assert found.pods is None
        assert found.gaps == (gap,)


def test_replica_sets_that_may_not_be_listed_leave_the_selectors_pods() -> None:
    shop = Shop()
    found = Store(*shop.all, refuse={"list replicasets": failure(403)}).subject("deploy/web")
    assert names(found.pods) == ["Pod/web-2-a", "Pod/web-2-b", "Pod/other-1-x", "Pod/lone"]
    assert found.gaps == (
        Gap("ReplicaSet", GapReason.FORBIDDEN, "injected", "list replicasets.apps in namespace shop"),
    )


def test_jobs_that_may_not_be_listed_hide_the_pods() -> None:
    night = made("CronJob", "night")
    for typed in ("cj/night", "job/night-0"):
        found = Store(night, *jobs_of(night), refuse={"list jobs": failure(500)}).subject(typed)
        assert found.pods is None
        assert [(gap.kind, gap.reason) for gap in found.gaps] == [
            ("Job", GapReason.SERVER_ERROR),
            ("Pod", GapReason.SERVER_ERROR),
        ]


# References and selectors.


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ({"matchLabels": {"b": "2", "a": "1"}}, "a=1,b=2"),
        ({"matchExpressions": [{"key": "a", "operator": "In", "values": ["1", "2"]}]}, "a in (1,2)"),
        ({"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["1"]}]}, "a notin (1)"),
        ({"matchLabels": {"b": "2"}, "matchExpressions": [{"key": "a", "operator": "Exists"}]}, "b=2,a"),
        ({"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]}, "!a"),
        ({}, ""),
        (None, None),
        ("a=b", None),
        ({"matchLabels": {"a": 1}}, None),
        ({"matchExpressions": [{"key": "a", "operator": "Gt"}]}, None),
    ],
)
def test_selectors_as_the_api_wants_them(selector: object, text: str | None) -> None:
    assert selector_text(selector) == text


def test_a_selector_without_some_labels() -> None:
    selector = {"matchLabels": {"a": "1", "h": "x"}, "matchExpressions": [{"key": "h", "operator": "Exists"}]}
    assert selector_text(selector, without=("h",)) == "a=1"


def test_the_controller_is_the_owner_then_a_kind_we_know() -> None:
    known = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "1"}
    foreign = {"apiVersion": "x/v1", "kind": "Thing", "name": "t", "uid": "2"}

    def owner(*references: object) -> str | None:
        found = owner_of({"metadata": {"ownerReferences": list(references)}})
        return found.name if found else None

    assert owner(known, {**foreign, "controller": True}) == "t"
    assert owner(foreign, known) == "db"
    assert owner(foreign) == "t"
    assert owner("nonsense", None) is None
    assert owner() is None
