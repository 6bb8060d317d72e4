"""ClusterSource on a real API server: what it reads, in how many rounds, and what becomes of what cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from kubectl_kubex.cluster.settings import ConnectionSettings
from kubectl_kubex.cluster.source import ClusterSource
from kubectl_kubex.codec.gathered import Gathered, Subject, WorkloadReference
from kubectl_kubex.codec.shapes import name_of
from kubectl_kubex.codec.snapshot import WHY_KINDS
from kubectl_kubex.core.kinds import BY_NAME, KINDS
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS, find_workload_kind
from kubectl_kubex.errors import (
    AmbiguousName,
    Forbidden,
    KubexError,
    NoOwner,
    NotInstalled,
    Unreachable,
    WorkloadNotFound,
)
from tests.apiserver.credentials import ADMIN, NOBODY, VIEWER
from tests.apiserver.rights import rule
from tests.apiserver.server import ApiServer
from tests.apiserver.shim import Shim
from tests.apiserver.traffic import rounds

GROUP = "rightsizing.kubex.ai"
ENGINE = f"{GROUP}/v1alpha1"
TOKEN = "bm90IGEgdG9rZW4"
EXPIRED = json.dumps({"kind": "Status", "metadata": {"continue": TOKEN}, "reason": "Expired", "code": 410})
Raw = dict[str, Any]


def source(server: ApiServer, user: str = ADMIN, through: Shim | None = None, **flags: Any) -> ClusterSource:
    return ClusterSource(ConnectionSettings(kubeconfig=str(server.kubeconfig(user, through=through)), **flags))


def reference(typed: str) -> WorkloadReference:
    word, _, name = typed.rpartition("/")
    return WorkloadReference(find_workload_kind(word) if word else None, name)


def ask(found: ClusterSource, namespace: str, *typed: str, kinds: tuple[str, ...] = WHY_KINDS, **more: Any) -> Gathered:
    return found.gather([reference(each) for each in typed], namespace, kinds, **more)


def names(found: Any) -> list[str]:
    return [f"{raw['kind']}/{name_of(raw)}" for raw in found]


def container(image: str = "x") -> Raw:
    return {"name": "app", "image": image, "resources": {"requests": {"cpu": "100m"}}}


def template(app: str) -> Raw:
    return {"metadata": {"labels": {"app": app}}, "spec": {"containers": [container()], "restartPolicy": "Always"}}


def workload(kind: str, api_version: str, name: str, **spec: Any) -> Raw:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec}


def selecting(kind: str, name: str, app: str, **more: Any) -> Raw:
    return workload(kind, "apps/v1", name, selector={"matchLabels": {"app": app}}, template=template(app), **more)


def owned(child: Raw, owner: Raw, labels: dict[str, str] | None = None) -> Raw:
    """`child`, controlled by the live object `owner`."""
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": name_of(owner),
        "uid": owner["metadata"]["uid"],
    }
    child["metadata"] |= {"ownerReferences": [{**reference, "controller": True}], "labels": labels or {}}
    return child


def pod(name: str) -> Raw:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container()]}}


class Shop:
    """Workloads in one namespace, with all that stands between them and their pods."""

    def __init__(self, server: ApiServer, namespace: str) -> None:
        self.server = server
        self.namespace = namespace

    def make(self, *manifests: Raw) -> list[Raw]:
        return self.server.apply(list(manifests), namespace=self.namespace)

    def deployment(self, name: str = "web", app: str = "web", kind: str = "Deployment") -> Raw:
        if kind == "Deployment":
            (web,) = self.make(selecting("Deployment", name, app))
            label = "pod-template-hash"
        else:
            spec = {"selector": {"matchLabels": {"app": app}}, "template": template(app)}
            (web,) = self.make(workload("Rollout", "argoproj.io/v1alpha1", name, **spec))
            label = "rollouts-pod-template-hash"
        for number, pods in ((1, 0), (2, 2)):
            labels = {"app": app, label: str(number)}
            replica_set = selecting("ReplicaSet", f"{name}-{number}", app)
            replica_set["spec"]["selector"]["matchLabels"] = labels
            replica_set["spec"]["template"]["metadata"]["labels"] = labels
            (live,) = self.make(owned(replica_set, web, labels))
            self.make(*(owned(pod(f"{name}-{number}-{n}"), live, labels) for n in range(pods)))
        return web

    def stateful(self, name: str = "db", kind: str = "StatefulSet") -> Raw:
        more = {"serviceName": name} if kind == "StatefulSet" else {}
        (db,) = self.make(selecting(kind, name, name, **more))
        self.make(owned(pod(f"{name}-0"), db, {"app": name}))
        return db

    def job(self, name: str, owner: Raw | None = None) -> Raw:
        spec = {"template": {"spec": {"containers": [container()], "restartPolicy": "Never"}}}
        manifest = workload("Job", "batch/v1", name, **spec)
        (job,) = self.make(owned(manifest, owner) if owner else manifest)
        labels = {
            "job-name": name,
            "controller-uid": job["metadata"]["uid"],
            "batch.kubernetes.io/controller-uid": job["metadata"]["uid"],
        }
        self.make(owned(pod(f"{name}-p"), job, labels))
        return job

    def cron_job(self, name: str = "night") -> Raw:
        job = {"spec": {"template": {"spec": {"containers": [container()], "restartPolicy": "Never"}}}}
        (cron,) = self.make(workload("CronJob", "batch/v1", name, schedule="0 0 * * *", jobTemplate=job))
        self.job(f"{name}-1", cron)
        self.job(f"{name}-2", cron)
        return cron


@pytest.fixture
def shop(api_server: ApiServer, namespace: str) -> Shop:
    return Shop(api_server, namespace)


@pytest.fixture
def shim(api_server: ApiServer) -> Iterator[Shim]:
    with api_server.shim() as opened:
        yield opened


@pytest.fixture
def slow(api_server: ApiServer) -> Iterator[Shim]:
    """Each answer takes so long that requests of one round overlap for certain."""
    with api_server.shim(latency=0.3) as opened:
        yield opened


def subject(server: ApiServer, namespace: str, typed: str, through: Shim | None = None) -> Subject:
    with source(server, through=through) as opened:
        (found,) = ask(opened, namespace, typed).subjects
    assert isinstance(found, Subject), found
    return found


def failure(server: ApiServer, namespace: str, typed: str, user: str = ADMIN) -> KubexError:
    with source(server, user) as opened:
        (found,) = ask(opened, namespace, typed).subjects
    assert isinstance(found, KubexError), found
    return found


# From what is typed to the workload and its pods.


@pytest.mark.parametrize("kind", ["Deployment", "Rollout"])
def test_a_deployment_or_rollout_and_what_stands_below(api_server: ApiServer, shop: Shop, kind: str) -> None:
    shop.deployment(kind=kind)
    shop.deployment("other", "web", kind="Deployment")
    shop.make({**pod("lone"), "metadata": {"name": "lone", "labels": {"app": "web"}}})
    for typed in (f"{kind.lower()}/web", "web", "rs/web-2", "pod/web-2-0"):
        found = subject(api_server, shop.namespace, typed)
        assert names([found.workload]) == [f"{kind}/web"]
        assert names(found.pods) == ["Pod/web-2-0", "Pod/web-2-1"]
        assert names(found.between) == ["ReplicaSet/web-2"]
        assert found.gaps == ()


@pytest.mark.parametrize("kind", ["StatefulSet", "DaemonSet"])
def test_kinds_that_own_their_pods(api_server: ApiServer, shop: Shop, kind: str) -> None:
    shop.stateful("db", kind)
    shop.make({**pod("stray"), "metadata": {"name": "stray", "labels": {"app": "db"}}})
    for typed in (f"{kind.lower()}/db", "db", "pod/db-0"):
        found = subject(api_server, shop.namespace, typed)
        assert (names([found.workload]), names(found.pods), found.between) == ([f"{kind}/db"], ["Pod/db-0"], ())


@pytest.mark.parametrize(
    ("kind", "version", "spec"),
    [
        ("StrimziPodSet", "core.strimzi.io/v1beta2", {"selector": {"matchLabels": {"app": "k"}}, "pods": []}),
        ("Model", "kubeai.org/v1", {}),
    ],
)
def test_optional_kinds_that_own_their_pods(
    api_server: ApiServer, shop: Shop, kind: str, version: str, spec: Raw
) -> None:
    (owner,) = shop.make(workload(kind, version, "k", **spec))
    shop.make(owned(pod("k-0"), owner, {"app": "k"}))
    for typed in (f"{kind.lower()}/k", "k", "pod/k-0"):
        found = subject(api_server, shop.namespace, typed)
        assert (names([found.workload]), names(found.pods)) == ([f"{kind}/k"], ["Pod/k-0"])


def test_a_cron_job_with_its_jobs(api_server: ApiServer, shop: Shop) -> None:
    shop.cron_job()
    shop.job("alone")
    for typed in ("cj/night", "night", "job/night-1", "night-2", "pod/night-1-p"):
        found = subject(api_server, shop.namespace, typed)
        assert names([found.workload]) == ["CronJob/night"]
        assert names(found.pods) == ["Pod/night-1-p", "Pod/night-2-p"]
        assert sorted(names(found.between)) == ["Job/night-1", "Job/night-2"]


def test_a_job_of_nobody(api_server: ApiServer, shop: Shop) -> None:
    shop.job("alone")
    for typed in ("job/alone", "alone", "pod/alone-p"):
        found = subject(api_server, shop.namespace, typed)
        assert (names([found.workload]), names(found.pods)) == (["Job/alone"], ["Pod/alone-p"])


def test_a_job_of_an_analysis_run(api_server: ApiServer, shop: Shop) -> None:
    (run,) = shop.make(workload("AnalysisRun", "argoproj.io/v1alpha1", "check", metrics=[]))
    shop.job("check-1", run)
    for typed in ("analysisrun/check", "check", "job/check-1", "pod/check-1-p"):
        found = subject(api_server, shop.namespace, typed)
        assert (names([found.workload]), names(found.pods)) == (["AnalysisRun/check"], ["Pod/check-1-p"])


def test_every_spelling_reaches_its_kind(api_server: ApiServer, shop: Shop) -> None:
    shop.stateful()
    for typed in ("sts/db", "statefulset/db", "statefulsets/db", "statefulsets.apps/db", "StatefulSets.v1.apps/db"):
        assert names([subject(api_server, shop.namespace, typed).workload]) == ["StatefulSet/db"]


def test_a_name_of_two_kinds(api_server: ApiServer, shop: Shop) -> None:
    shop.deployment("x", "x")
    shop.stateful("x")
    failed = failure(api_server, shop.namespace, "x")
    assert isinstance(failed, AmbiguousName)
    assert failed.line == '"x" is ambiguous: deployment/x, statefulset/x; say which one'


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("deploy/gone", 'deployments.apps "gone" not found in namespace "{}"'),
        ("gone", 'workload "gone" not found in namespace "{}"'),
        ("rollout/gone", 'rollouts.argoproj.io "gone" not found in namespace "{}"'),
        ("strimzipodset/gone", 'strimzipodsets.core.strimzi.io "gone" not found in namespace "{}"'),
        ("pod/gone", 'pods "gone" not found in namespace "{}"'),
    ],
)
def test_what_is_not_there(api_server: ApiServer, namespace: str, typed: str, line: str) -> None:
    failed = failure(api_server, namespace, typed)
    assert isinstance(failed, WorkloadNotFound)
    assert failed.line == line.format(namespace)


def test_a_namespace_that_is_not_there(api_server: ApiServer) -> None:
    assert isinstance(failure(api_server, "no-such-namespace", "deploy/x"), WorkloadNotFound)


def test_a_pod_of_nobody(api_server: ApiServer, shop: Shop) -> None:
    shop.make(pod("lone"))
    assert isinstance(failure(api_server, shop.namespace, "pod/lone"), NoOwner)


def test_several_references_share_one_reading(api_server: ApiServer, shop: Shop, shim: Shim) -> None:
    shop.deployment()
    shop.stateful()
    with shim.recording() as seen, source(api_server, through=shim) as opened:
        found = ask(opened, shop.namespace, "deploy/web", "nope", "sts/db", "pod/db-0")
    kinds = [
        type(each).__name__ if isinstance(each, KubexError) else names([each.workload])[0] for each in found.subjects
    ]
    assert kinds == ["Deployment/web", "WorkloadNotFound", "StatefulSet/db", "StatefulSet/db"]
    lines = [request.line for request in seen]
    assert len(lines) == len(set(lines))
    assert sum("policyevaluations" in line for line in lines) == 1


# Rounds.


@pytest.mark.parametrize(
    ("typed", "most"),
    [
        ("deploy/web", 2), ("rs/web-2", 2), ("pod/web-2-0", 3), ("web", 3), ("sts/db", 2), ("pod/db-0", 3),
        ("cj/night", 2), ("job/night-1", 2), ("pod/night-1-p", 3), ("night", 3), ("night-1", 3),
        ("gone", 2), ("deploy/gone", 1),
    ],
)  # fmt: skip
def test_no_question_takes_more_than_three_rounds(
    api_server: ApiServer, namespace: str, slow: Shim, typed: str, most: int
) -> None:
    shop = Shop(api_server, namespace)
    if "web" in typed:
        shop.deployment()
    if "db" in typed:
        shop.stateful()
    if "night" in typed:
        shop.cron_job()
    with slow.recording() as seen, source(api_server, through=slow) as opened:
        ask(opened, namespace, typed)
    assert rounds(seen) <= most
    assert {request.method for request in seen} == {"GET"}


# The engine's kinds.


def policy(kind: str, name: str) -> Raw:
    row = BY_NAME[kind]
    scope: Raw = {} if row.namespaced else {"namespaceSelector": {"operator": "In", "values": ["*"]}}
    resources = {"containers": {"*": {"requests": {"cpu": "1"}}}}
    return workload(kind, ENGINE, name, scope=scope, automationStrategyRef={"name": "s"}, resources=resources)


def test_policies_of_one_namespace_and_of_all(clean: ApiServer) -> None:
    here, there = clean.new_namespace(), clean.new_namespace()
    clean.apply([policy("StaticPolicy", "a")], namespace=here)
    clean.apply([policy("StaticPolicy", "b")], namespace=there)
    clean.apply([policy("ClusterStaticPolicy", "c")])
    with source(clean) as opened:
        one = ask(opened, here).objects
        everywhere = ask(opened, here, all_namespaces=True).objects
    assert (names(one.by_kind["StaticPolicy"]), names(one.by_kind["ClusterStaticPolicy"])) == (
        ["StaticPolicy/a"],
        ["ClusterStaticPolicy/c"],
    )
    assert names(everywhere.by_kind["StaticPolicy"]) == ["StaticPolicy/a", "StaticPolicy/b"]
    assert all(raw["apiVersion"] == ENGINE for raw in one.by_kind["StaticPolicy"])
    assert (set(one.by_kind), one.gaps) == (set(WHY_KINDS), ())


def test_all_kinds_of_the_engine(clean: ApiServer, namespace: str) -> None:
    with source(clean) as opened:
        found = ask(opened, namespace, kinds=tuple(kind.name for kind in KINDS)).objects
    assert (len(found.by_kind), found.gaps) == (len(KINDS), ())


@pytest.mark.parametrize(
    "kind", [name for name in WHY_KINDS if name not in {"PolicyEvaluation", "GlobalConfiguration"}]
)
def test_one_kind_without_rights_is_a_gap(clean: ApiServer, namespace: str, kind: str) -> None:
    """B15. The server's own sentence is kept."""
    others = " ".join(row.plural for row in KINDS if row.name != kind)
    clean.grant("narrow-0", [rule("list", others, GROUP)])
    with source(clean, "narrow-0") as opened:
        found = ask(opened, namespace).objects
    (gap,) = found.gaps
    row = BY_NAME[kind]
    assert (gap.kind, gap.reason) == (kind, GapReason.FORBIDDEN)
    assert gap.request == f"list {row.resource}" + (f" in namespace {namespace}" if row.namespaced else "")
    assert f'User "narrow-0" cannot list resource "{row.plural}" in API group "{GROUP}"' in gap.detail
    assert set(found.by_kind) == set(WHY_KINDS) - {kind}


def test_a_singleton_that_may_only_be_got_by_name(clean: ApiServer, namespace: str) -> None:
    clean.apply([workload("PolicyEvaluation", ENGINE, "policy-evaluation", precedence=[])])
    clean.grant("narrow-1", [rule("get", "policyevaluations", GROUP, "policy-evaluation")])
    with source(clean, "narrow-1") as opened:
        found = ask(opened, namespace).objects
    assert names(found.by_kind["PolicyEvaluation"]) == ["PolicyEvaluation/policy-evaluation"]
    assert "PolicyEvaluation" not in [gap.kind for gap in found.gaps]
    assert "GlobalConfiguration" in [gap.kind for gap in found.gaps]


def test_no_rights_at_all(api_server: ApiServer, shop: Shop) -> None:
    shop.deployment()
    for typed in ("deploy/web", "web", "pod/web-2-0"):
        failed = failure(api_server, shop.namespace, typed, NOBODY)
        assert isinstance(failed, Forbidden)
        assert failed.line.startswith("Error from server (Forbidden): ")
        assert 'User "nobody" cannot get resource' in failed.line


def test_an_owner_without_rights(api_server: ApiServer, shop: Shop) -> None:
    shop.deployment()
    api_server.grant("narrow-2", [rule("get list", "pods"), rule("get list", "replicasets", "apps")])
    failed = failure(api_server, shop.namespace, "pod/web-2-0", "narrow-2")
    api_server.revoke("narrow-2")
    assert isinstance(failed, Forbidden)
    assert 'cannot get resource "deployments" in API group "apps"' in failed.line


def test_pods_without_rights(api_server: ApiServer, shop: Shop) -> None:
    shop.deployment()
    api_server.grant("narrow-3", [rule("get", "deployments", "apps"), rule("list", "replicasets", "apps")])
    with source(api_server, "narrow-3") as opened:
        (found,) = ask(opened, shop.namespace, "deploy/web").subjects
    api_server.revoke("narrow-3")
    assert isinstance(found, Subject)
    assert found.pods is None
    (gap,) = found.gaps
    assert (gap.kind, gap.reason, gap.request) == (
        "Pod",
        GapReason.FORBIDDEN,
        f"list pods in namespace {shop.namespace}",
    )


def test_a_viewer_sees_what_an_admin_sees(api_server: ApiServer, shop: Shop) -> None:
    shop.deployment()
    seen = []
    for user in (ADMIN, VIEWER):
        with source(api_server, user) as opened:
            found = ask(opened, shop.namespace, "deploy/web")
            seen.append((found.objects, found.subjects))
    assert seen[0] == seen[1]


# Servers that misbehave.


@pytest.mark.parametrize(
    ("spoil", "reason", "detail"),
    [
        (lambda shim: shim.fault("/staticpolicies", 500), GapReason.SERVER_ERROR, "injected"),
        (lambda shim: shim.fault("/staticpolicies", 403), GapReason.FORBIDDEN, "injected"),
        (
            lambda shim: shim.fault("/staticpolicies", 404, "404 page not found\n", content_type="text/plain"),
            GapReason.NOT_SERVED, "the server could not find the requested resource",
        ),
        (
            lambda shim: shim.fault("/staticpolicies", 503, "no\nbackend", content_type="text/plain"),
            GapReason.SERVER_ERROR, "no backend",
        ),
        (
            lambda shim: shim.fault("/staticpolicies", 200, "<html>login</html>", content_type="text/html"),
            GapReason.SERVER_ERROR, "the server answered with an HTML page: a proxy or a login page?",
        ),
        (lambda shim: shim.fault("/staticpolicies", 200, '{"items": ['), GapReason.SERVER_ERROR, "not readable as"),
        (lambda shim: shim.truncate("/staticpolicies"), GapReason.SERVER_ERROR, "the connection broke before"),
        (lambda shim: shim.drop("/staticpolicies"), GapReason.SERVER_ERROR, "the connection broke before"),
        (lambda shim: shim.hang("/staticpolicies"), GapReason.SERVER_ERROR, "timed out after 2 s"),
    ],
)  # fmt: skip
def test_one_kind_that_the_server_spoils_is_a_gap(
    api_server: ApiServer, shop: Shop, shim: Shim, spoil: Any, reason: GapReason, detail: str
) -> None:
    """B13, B14: the rest is read, and the workload answered."""
    shop.stateful()
    spoil(shim)
    with source(api_server, through=shim, request_timeout="2s") as opened:
        found = ask(opened, shop.namespace, "sts/db")
    (gap,) = found.objects.gaps
    assert (gap.kind, gap.reason) == ("StaticPolicy", reason)
    assert detail in gap.detail
    assert isinstance(found.subjects[0], Subject)


def test_a_connection_that_breaks_once_is_made_again(api_server: ApiServer, namespace: str, shim: Shim) -> None:
    shim.drop("/staticpolicies", times=1)
    with source(api_server, through=shim) as opened:
        assert ask(opened, namespace).objects.gaps == ()


def test_a_busy_server_is_asked_again(api_server: ApiServer, namespace: str, shim: Shim) -> None:
    shim.fault("/staticpolicies", 429, headers={"Retry-After": "1"}, times=1)
    with source(api_server, through=shim) as opened:
        assert ask(opened, namespace).objects.gaps == ()


def test_a_group_that_cannot_be_reached_does_not_stop_a_name(api_server: ApiServer, shop: Shop, shim: Shim) -> None:
    """B14: an aggregated API whose server is gone answers 503."""
    shop.deployment()
    shim.fault("GET /apis/argoproj.io", 503, "service unavailable", content_type="text/plain")
    with source(api_server, through=shim) as opened:
        (found,) = ask(opened, shop.namespace, "web").subjects
        listed = opened.workloads(shop.namespace)
    assert isinstance(found, Subject)
    assert {gap.kind for gap in listed.gaps} == {"Rollout", "AnalysisRun"}


def test_a_dead_server(api_server: ApiServer, namespace: str, shim: Shim) -> None:
    shim.drop("GET")
    with source(api_server, through=shim) as opened, pytest.raises(Unreachable, match="the connection broke"):
        ask(opened, namespace, "web")


def test_an_engine_that_is_not_installed(api_server: ApiServer, namespace: str, shim: Shim) -> None:
    shim.fault(f"/apis/{GROUP}", 404, "404 page not found\n", content_type="text/plain")
    with source(api_server, through=shim) as opened:
        with pytest.raises(NotInstalled):
            ask(opened, namespace, "web")
        assert opened.crd_version() is None


def test_optional_kinds_that_are_not_installed(api_server: ApiServer, shop: Shop, shim: Shim) -> None:
    shop.deployment()
    shim.fault("/apis/(argoproj.io|core.strimzi.io|kubeai.org)", 404, "404 page not found\n", content_type="text/plain")
    with source(api_server, through=shim) as opened:
        found = ask(opened, shop.namespace, "web", "rollout/web", "sps/web").subjects
        listed = opened.workloads(shop.namespace)
    assert isinstance(found[0], Subject)
    assert [each.message for each in found[1:] if isinstance(each, KubexError)] == [
        'the server does not have a resource type "rollouts.argoproj.io"',
        'the server does not have a resource type "strimzipodsets.core.strimzi.io"',
    ]
    assert listed.gaps == ()


# Long lists (B18).


@pytest.fixture
def many(api_server: ApiServer, namespace: str) -> str:
    """1,300 Deployments: three pages."""
    api_server.apply([selecting("Deployment", f"d{number:04}", "x") for number in range(1300)], namespace=namespace)
    return namespace


@pytest.mark.slow
def test_a_list_whose_state_expires_is_read_whole_and_once(api_server: ApiServer, many: str, shim: Shim) -> None:
    wanted = [f"Deployment/d{number:04}" for number in range(1300)]
    for body, skip, times, pages in ((None, 1, 1, 3), (EXPIRED, 1, 1, 3), (EXPIRED, 0, None, 1)):
        shim.clear()
        shim.fault("deployments.*continue=", 410, body, skip=skip, times=times)
        with source(api_server, through=shim) as opened:
            found = opened.workloads(many)
        assert names(found.workloads) == wanted
        assert found.gaps == ()
        queries = [request.query for request in shim.matching("/deployments")]
        begun = max(number for number, query in enumerate(queries) if "continue=" not in query)
        assert len(queries[begun:]) == pages
        assert ("limit=500" in queries[begun]) == (pages > 1)
        assert not any(TOKEN in query for query in queries)


# All workloads.


def test_the_metadata_of_all_workloads(api_server: ApiServer, shop: Shop, shim: Shim) -> None:
    shop.deployment()
    shop.deployment("ro", "ro", kind="Rollout")
    shop.stateful()
    shop.cron_job()
    with source(api_server, through=shim) as opened:
        found = opened.workloads(shop.namespace)
        everywhere = opened.workloads(None)
    wanted = ["Deployment/web", "StatefulSet/db", "CronJob/night", "Job/night-1", "Job/night-2", "Rollout/ro"]
    assert names(found.workloads) == wanted
    assert found.gaps == ()
    versions = {kind.name: f"{kind.group}/{kind.versions[0]}" for kind in WORKLOAD_KINDS}
    assert all(raw["apiVersion"] == versions[raw["kind"]] for raw in found.workloads)
    assert all(set(raw) == {"apiVersion", "kind", "metadata"} for raw in found.workloads)
    assert all("managedFields" not in raw["metadata"] for raw in found.workloads)
    assert {raw["metadata"]["uid"] for raw in found.workloads} <= {
        raw["metadata"]["uid"] for raw in everywhere.workloads
    }


def test_workloads_without_rights_on_one_kind(api_server: ApiServer, namespace: str) -> None:
    rules = [
        rule("list", "deployments daemonsets", "apps"),
        rule("list", "jobs cronjobs", "batch"),
        rule("list", "*", "argoproj.io"),
    ]
    api_server.grant(
        "narrow-4", [*rules, rule("list", "*", "core.strimzi.io"), rule("list", "*", "kubeai.org")], namespace=namespace
    )
    with source(api_server, "narrow-4") as opened:
        found = opened.workloads(namespace)
    api_server.revoke("narrow-4")
    assert found.gaps == (
        Gap(
            "StatefulSet", GapReason.FORBIDDEN, found.gaps[0].detail, f"list statefulsets.apps in namespace {namespace}"
        ),
    )
