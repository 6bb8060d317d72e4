"""ClusterSource over a stub: gaps instead of aborts, and aborts where nothing can be answered."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.cluster.settings import ConnectionSettings
from kubectl_kubex.cluster.source import ClusterSource
from kubectl_kubex.codec.gathered import Gathered, Subject, WorkloadReference
from kubectl_kubex.codec.shapes import name_of
from kubectl_kubex.codec.snapshot import WHY_KINDS
from kubectl_kubex.core.kinds import KINDS
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.errors import ConfigError, KubexError, NotInstalled, Unauthorized, Unreachable, UsageError
from tests.unit_cluster.stub import NO_PAGE, Reply, Seen, Stub, status

ENGINE = "/apis/rightsizing.kubex.ai/v1alpha1"
WEB = WorkloadReference(WORKLOAD_BY_NAME["Deployment"], "web")


@pytest.fixture
def source(stub: Stub) -> Iterator[ClusterSource]:
    with ClusterSource(ConnectionSettings(server=stub.url)) as made:
        yield made


@pytest.fixture
def engine(stub: Stub) -> Stub:
    """All of the engine's kinds are served and have no objects."""
    for kind in KINDS:
        stub.answers[path(kind.name)] = Reply({"kind": f"{kind.name}List", "items": []})
    return stub


def path(name: str, namespace: str | None = "shop") -> str:
    kind = next(kind for kind in KINDS if kind.name == name)
    place = f"/namespaces/{namespace}" if kind.namespaced and namespace else ""
    return f"{ENGINE}{place}/{kind.plural}"


def kinds(source: ClusterSource, *names: str, **more: Any) -> Gathered:
    return source.gather([], "shop", names or WHY_KINDS, **more)


def test_kinds_are_read_and_told_what_they_are(engine: Stub, source: ClusterSource) -> None:
    engine.answers[path("StaticPolicy")] = Reply({"items": [{"metadata": {"name": "a"}}]})
    found = kinds(source)
    assert found.objects.gaps == ()
    assert set(found.objects.by_kind) == set(WHY_KINDS)
    assert found.objects.by_kind["StaticPolicy"] == (
        {"apiVersion": "rightsizing.kubex.ai/v1alpha1", "kind": "StaticPolicy", "metadata": {"name": "a"}},
    )
    assert found.objects.by_kind["ProactivePolicy"] == ()
    assert (found.source.server, found.source.context, found.source.offline) == (engine.url, None, False)


def test_all_namespaces_or_one(engine: Stub, source: ClusterSource) -> None:
    engine.answers[path("StaticPolicy", None)] = Reply({"items": []})
    kinds(source, "StaticPolicy")
    kinds(source, "StaticPolicy", all_namespaces=True)
    assert engine.paths == [path("StaticPolicy"), path("StaticPolicy", None)]


@pytest.mark.parametrize(
    ("reply", "reason", "detail"),
    [
        (status(403, "no rights", "Forbidden"), GapReason.FORBIDDEN, "no rights"),
        (NO_PAGE, GapReason.NOT_SERVED, "the server could not find the requested resource"),
        (status(500, "boom"), GapReason.SERVER_ERROR, "boom"),
        (Reply("down", 503, "text/plain"), GapReason.SERVER_ERROR, "down"),
        (
            Reply("<html>", 200, "text/html"),
            GapReason.SERVER_ERROR,
            "the server answered with an HTML page: a proxy or a login page?",
        ),
        (Reply({"items": "x" * 100}, cut=True), GapReason.SERVER_ERROR, "broke before the answer was complete"),
        (Reply({"kind": "Pod"}), GapReason.SERVER_ERROR, "the server answered a list request with something else"),
    ],
)
def test_one_kind_that_cannot_be_read_is_a_gap(
    engine: Stub, source: ClusterSource, reply: Reply, reason: GapReason, detail: str
) -> None:
    engine.answers[path("ClusterProactivePolicy")] = reply
    found = kinds(source).objects
    (gap,) = found.gaps
    assert (gap.kind, gap.reason) == ("ClusterProactivePolicy", reason)
    assert detail in gap.detail
    assert gap.request == "list clusterproactivepolicies.rightsizing.kubex.ai"
    assert "ClusterProactivePolicy" not in found.by_kind
    assert len(found.by_kind) == len(WHY_KINDS) - 1


def test_a_gaps_request_names_the_namespace(engine: Stub, source: ClusterSource) -> None:
    engine.answers[path("StaticPolicy")] = status(403)
    engine.answers[path("StaticPolicy", None)] = status(403)
    one, all_of_them = kinds(source).objects, kinds(source, "StaticPolicy", all_namespaces=True).objects
    assert one.gaps[0].request == "list staticpolicies.rightsizing.kubex.ai in namespace shop"
    assert all_of_them.gaps[0].request == "list staticpolicies.rightsizing.kubex.ai in all namespaces"


def test_one_kind_that_never_answers_is_a_gap(engine: Stub) -> None:
    engine.answers[path("PolicyEvaluation")] = Reply(seconds=5)
    with ClusterSource(ConnectionSettings(server=engine.url, request_timeout="300ms")) as source:
        (gap,) = kinds(source).objects.gaps
    assert (gap.kind, gap.reason) == ("PolicyEvaluation", GapReason.SERVER_ERROR)
    assert "timed out after 0.3 s" in gap.detail


def test_nothing_served_means_not_installed(stub: Stub, source: ClusterSource) -> None:
    with pytest.raises(NotInstalled, match=stub.url):
        source.gather([WEB], "shop", WHY_KINDS)


def test_without_kinds_nothing_is_missed(stub: Stub, source: ClusterSource) -> None:
    found = source.gather([WEB], "shop", [])
    assert isinstance(found.subjects[0], KubexError)


def test_an_old_engine_lacks_some_kinds(engine: Stub, source: ClusterSource) -> None:
    engine.answers[path("GpuReactivePolicy")] = NO_PAGE
    (gap,) = kinds(source).objects.gaps
    assert not gap.hides_objects


@pytest.mark.parametrize(
    ("kind", "name"), [("PolicyEvaluation", "policy-evaluation"), ("GlobalConfiguration", "global-config")]
)
def test_a_singleton_that_may_not_be_listed_is_read_by_name(
    engine: Stub, source: ClusterSource, kind: str, name: str
) -> None:
    engine.answers[path(kind)] = status(403, "no list")
    engine.answers[f"{path(kind)}/{name}"] = Reply({"metadata": {"name": name}})
    found = kinds(source).objects
    assert found.gaps == ()
    assert [name_of(raw) for raw in found.by_kind[kind]] == [name]
    engine.answers[f"{path(kind)}/{name}"] = status(404, "not found", "NotFound", name=name)
    found = kinds(source).objects
    assert (found.by_kind[kind], found.gaps) == ((), ())
    engine.answers[f"{path(kind)}/{name}"] = status(403, "no get")
    found = kinds(source).objects
    assert found.gaps == (Gap(kind, GapReason.FORBIDDEN, "no list", f"list {kind.lower()}s.rightsizing.kubex.ai"),)


def test_a_refused_login_ends_everything(engine: Stub, source: ClusterSource) -> None:
    engine.default = status(401, "Unauthorized")
    with pytest.raises(Unauthorized):
        source.gather([WEB], "shop", WHY_KINDS)


def test_a_server_that_is_not_there_ends_everything() -> None:
    with (
        ClusterSource(ConnectionSettings(server="http://127.0.0.1:9")) as source,
        pytest.raises(Unreachable, match="refused"),
    ):
        source.gather([WEB], "shop", WHY_KINDS)


def test_what_has_failed_once_fails_for_one_reference_only(engine: Stub, source: ClusterSource) -> None:
    uid = {"name": "web", "namespace": "shop", "uid": "u"}
    engine.answers["/apis/apps/v1/namespaces/shop/deployments/web"] = Reply(
        {"metadata": uid, "spec": {"selector": {"matchLabels": {"a": "b"}}}}
    )
    engine.answers["/api/v1/namespaces/shop/pods"] = Reply({"items": []})
    engine.answers["/apis/apps/v1/namespaces/shop/replicasets"] = Reply({"items": []})
    engine.answers["/apis/apps/v1/namespaces/shop/deployments/gone"] = status(404, "not found", "NotFound", name="gone")
    gone = WorkloadReference(WORKLOAD_BY_NAME["Deployment"], "gone")
    first, second, third = source.gather([WEB, gone, WEB], "shop", WHY_KINDS).subjects
    assert isinstance(first, Subject)
    assert isinstance(second, KubexError)
    assert isinstance(third, Subject)
    assert (first.workload["apiVersion"], first.workload["kind"]) == ("apps/v1", "Deployment")
    assert engine.paths.count("/apis/apps/v1/namespaces/shop/deployments/web") == 1


@pytest.mark.parametrize("namespace", ["", ".", "..", "a/b"])
def test_a_namespace_that_cannot_be(source: ClusterSource, namespace: str) -> None:
    with pytest.raises(UsageError, match="invalid namespace"):
        source.gather([], namespace, WHY_KINDS)
    with pytest.raises(UsageError, match="invalid namespace"):
        source.workloads(namespace)


# workloads


def served(stub: Stub, plural: str, group: str = "apps/v1", *names: str, namespace: str | None = "shop") -> None:
    place = f"/namespaces/{namespace}" if namespace else ""
    items = [{"kind": "PartialObjectMetadata", "metadata": {"name": name, "managedFields": [{}]}} for name in names]
    stub.answers[f"/apis/{group}{place}/{plural}"] = Reply({"items": items})


def test_workloads_are_metadata_of_every_policy_kind(stub: Stub, source: ClusterSource) -> None:
    for plural, group in (("deployments", "apps/v1"), ("statefulsets", "apps/v1"), ("daemonsets", "apps/v1")):
        served(stub, plural, group, plural[:2])
    served(stub, "cronjobs", "batch/v1", "cr")
    served(stub, "jobs", "batch/v1")
    stub.answers["/apis/argoproj.io"] = Reply({"versions": [{"version": "v1alpha1"}]})
    served(stub, "rollouts", "argoproj.io/v1alpha1", "ro")
    found = source.workloads("shop")
    assert [(raw["apiVersion"], raw["kind"], raw["metadata"]) for raw in found.workloads] == [
        ("apps/v1", "Deployment", {"name": "de"}),
        ("apps/v1", "StatefulSet", {"name": "st"}),
        ("apps/v1", "DaemonSet", {"name": "da"}),
        ("batch/v1", "CronJob", {"name": "cr"}),
        ("argoproj.io/v1alpha1", "Rollout", {"name": "ro"}),
    ]
    assert found.gaps == ()
    listed = next(seen for seen in stub.seen if seen.path.endswith("/deployments"))
    assert (
        listed.header("Accept") == "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"
    )


def test_workloads_that_cannot_be_listed_are_gaps(stub: Stub, source: ClusterSource) -> None:
    for plural in ("statefulsets", "daemonsets"):
        served(stub, plural, namespace=None)
    served(stub, "cronjobs", "batch/v1", namespace=None)
    stub.answers["/apis/apps/v1/deployments"] = status(403, "no list")
    stub.answers["/apis/argoproj.io"] = status(503, "down")
    found = source.workloads(None)
    assert [(gap.kind, gap.reason, gap.request) for gap in found.gaps] == [
        ("Deployment", GapReason.FORBIDDEN, "list deployments.apps in all namespaces"),
        ("Job", GapReason.NOT_SERVED, "list jobs.batch in all namespaces"),
        ("Rollout", GapReason.SERVER_ERROR, "get /apis/argoproj.io"),
        ("AnalysisRun", GapReason.SERVER_ERROR, "get /apis/argoproj.io"),
    ]


# The rest


def test_versions(stub: Stub, source: ClusterSource) -> None:
    stub.answers["/version"] = Reply({"gitVersion": "v1.36.3"})
    assert source.server_version() == "v1.36.3"
    assert source.crd_version() is None
    stub.answers["/apis/rightsizing.kubex.ai"] = Reply(
        {"preferredVersion": {"groupVersion": "rightsizing.kubex.ai/v1alpha1"}}
    )
    assert source.crd_version() == "rightsizing.kubex.ai/v1alpha1"
    stub.answers["/version"] = status(403, "no way")
    with pytest.raises(KubexError, match=r"Error from server \(Forbidden\): no way"):
        source.server_version()


def test_the_namespace_needs_no_server(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text(
        json.dumps({"current-context": "c", "contexts": [{"name": "c", "context": {"namespace": "shop"}}]})
    )
    assert ClusterSource(ConnectionSettings(kubeconfig=str(config))).namespace == "shop"
    assert ClusterSource(ConnectionSettings(kubeconfig=str(config), namespace="x")).namespace == "x"
    with pytest.raises(ConfigError):
        assert ClusterSource(ConnectionSettings(context="nope")).namespace


def test_meanwhile_runs_once(engine: Stub) -> None:
    runs: list[int] = []
    with ClusterSource(ConnectionSettings(server=engine.url), meanwhile=lambda: runs.append(1)) as source:
        kinds(source)
        kinds(source)
    assert runs == [1]


def test_a_closed_source_can_be_asked_again(engine: Stub, source: ClusterSource) -> None:
    kinds(source)
    source.close()
    assert kinds(source).objects.gaps == ()


def run(script: str, stub: Stub) -> subprocess.Popen[str]:
    prelude = (
        "import sys\n"
        "from kubectl_kubex.cluster.settings import ConnectionSettings\n"
        "from kubectl_kubex.cluster.source import ClusterSource\n"
        "from kubectl_kubex.codec.gathered import WorkloadReference\n"
        "from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME\n"
        f"source = ClusterSource(ConnectionSettings(server={stub.url!r}))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", prelude + script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_an_interrupt_ends_at_once(stub: Stub) -> None:
    stub.default = Reply(seconds=30)
    process = run("with source:\n    source.gather([], 'shop', ['StaticPolicy', 'ProactivePolicy'])\n", stub)
    while len(stub.seen) < 2:
        time.sleep(0.02)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert time.monotonic() - started < 2
    assert process.returncode == -signal.SIGINT
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert said.count("Traceback") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak in KiB")
def test_many_pods_are_never_all_in_memory(stub: Stub) -> None:
    """20,000 pods of 4 KB, of which three are the workload's own (B20)."""
    pages = 40
    uid = {"name": "db", "namespace": "shop", "uid": "u"}
    stub.answers["/apis/apps/v1/namespaces/shop/statefulsets/db"] = Reply({"metadata": uid})

    def pod(number: int) -> dict[str, Any]:
        owner = "u" if number in (7, 10_000, 19_999) else "other"
        metadata = {"name": f"p{number}", "ownerReferences": [{"uid": owner}], "annotations": {"a": "x" * 4000}}
        return {"metadata": metadata}

    def page(seen: Seen) -> Reply:
        number = int(seen.query.get("continue", "0"))
        more = {"continue": str(number + 1)} if number + 1 < pages else {}
        return Reply({"metadata": more, "items": [pod(500 * number + n) for n in range(500)]})

    stub.answers["/api/v1/namespaces/shop/pods"] = page
    script = (
        "reference = WorkloadReference(WORKLOAD_BY_NAME['StatefulSet'], 'db')\n"
        "with source:\n"
        "    (found,) = source.gather([reference], 'shop', []).subjects\n"
        # not ru_maxrss: that is inherited from the process that started this one
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(len(found.pods), peak.split()[1])\n"
    )
    process = run(script, stub)
    said, errors = process.communicate(timeout=60)
    assert errors == ""
    pods, peak = map(int, said.split())
    assert pods == 3
    assert peak < 70_000
