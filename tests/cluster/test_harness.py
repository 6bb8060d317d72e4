"""The test server does what the other tests in this folder take for granted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.apiserver import binaries, manifests
from tests.apiserver.credentials import CERTIFICATE_USER, USERS
from tests.apiserver.load import LoadError, load
from tests.apiserver.rest import ApiError
from tests.apiserver.rights import rule
from tests.apiserver.server import ApiServer
from tests.apiserver.traffic import rounds

ENGINE = "rightsizing.kubex.ai/v1alpha1"
ROOT = Path(__file__).resolve().parents[2]


def config_maps(count: int) -> list[dict[str, Any]]:
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"map-{n:03}"}} for n in range(count)]


def evaluation(*precedence: dict[str, Any]) -> dict[str, Any]:
    spec = {"precedence": list(precedence)}
    return {"apiVersion": ENGINE, "kind": "PolicyEvaluation", "metadata": {"name": "policy-evaluation"}, "spec": spec}


def gone(pid: int) -> bool:
    """Whether a process is no more, within a short time; a zombie counts as gone."""
    stat = Path(f"/proc/{pid}/stat")
    for _ in range(100):
        try:
            os.kill(pid, 0)
            if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_server_is_ready_and_of_the_pinned_version(api_server: ApiServer) -> None:
    assert api_server.kubectl("get", "--raw", "/readyz").stdout == "ok"
    assert f"Server Version: {binaries.kubernetes_version()}" in api_server.kubectl("version").stdout


@pytest.mark.parametrize("user", USERS)
def test_every_user_is_known_by_name(api_server: ApiServer, user: str) -> None:
    who = api_server.kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}", user=user)
    assert who.stdout == user


def test_tls_is_verified(api_server: ApiServer) -> None:
    with api_server.shim() as shim:
        wrong = {"certificate-authority": str(api_server.certificate_authority)}
        refused = api_server.kubectl(
            "get", "ns", kubeconfig=api_server.kubeconfig(through=shim, cluster=wrong), check=False
        )
    assert "certificate" in refused.stderr


def test_rights_are_granted_and_taken_back_at_once(api_server: ApiServer, namespace: str) -> None:
    def may_list(user: str) -> bool:
        done = api_server.kubectl("get", "configmaps", user=user, namespace=namespace, check=False)
        assert done.returncode == 0 or "forbidden" in done.stderr
        return done.returncode == 0

    assert not may_list("narrow-0")
    api_server.grant("narrow-0", [rule("get list", "configmaps")], namespace=namespace)
    api_server.grant(CERTIFICATE_USER, [rule("list", "configmaps")])
    assert may_list("narrow-0")
    assert may_list(CERTIFICATE_USER)
    assert may_list("viewer")
    assert not may_list("narrow-1")
    api_server.revoke()
    assert not may_list("narrow-0")
    assert not may_list(CERTIFICATE_USER)
    assert may_list("viewer")


def test_all_engine_kinds_are_served(api_server: ApiServer) -> None:
    rows = api_server.kubectl("api-resources", "--api-group=rightsizing.kubex.ai", "--no-headers").stdout.splitlines()
    kinds = {crd["spec"]["names"]["kind"] for crd in manifests.engine_crds()}
    assert len(kinds) == 18
    assert {row.split()[-1] for row in rows} == kinds


def test_crds_are_structural_and_prune(clean: ApiServer) -> None:
    crds = clean.rest.request("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")["items"]
    assert not [c for each in crds for c in each["status"]["conditions"] if c["type"] == "NonStructuralSchema"]
    live = clean.create(evaluation({"type": "StaticPolicy", "priority": 1, "note": "x"}))
    assert live["spec"]["precedence"] == [{"type": "StaticPolicy", "priority": 1}]


def test_policy_evaluation_accepts_odd_lists(clean: ApiServer) -> None:
    odd = [("StaticPolicy", 90), ("StaticPolicy", 10), ("NoSuchPolicy", 5), ("ProactivePolicy", 0)]
    live = clean.apply(evaluation(*({"type": kind, "priority": priority} for kind, priority in odd)))[0]
    assert [(each["type"], each["priority"]) for each in live["spec"]["precedence"]] == odd


@pytest.mark.parametrize("priority", ["90", -1, 2**31, None])
def test_policy_evaluation_refuses_bad_priorities(clean: ApiServer, priority: Any) -> None:
    with pytest.raises(ApiError) as refused:
        clean.create(evaluation({"type": "StaticPolicy", "priority": priority}))
    assert refused.value.status == 422


def test_strategy_defaults_come_from_the_schema(clean: ApiServer) -> None:
    live = clean.create(
        {"apiVersion": ENGINE, "kind": "ClusterAutomationStrategy", "metadata": {"name": "plain"}, "spec": {}}
    )
    enablement = live["spec"]["enablement"]
    assert enablement["cpu"]["limits"] == {"upsize": True, "downsize": True, "setFromUnspecified": False}
    assert enablement["gpu"]["requests"] == {"upsize": False, "downsize": False, "setFromUnspecified": False}
    assert live["spec"]["safetyChecks"]["minCpuChangePercent"] == 5
    with pytest.raises(ApiError, match="floor must be less than or equal to ceiling"):
        clean.patch(live, {"spec": {"enablement": {"cpu": {"requests": {"floor": "2", "ceiling": "1500m"}}}}})


def test_older_engine_drops_the_flag(clean: ApiServer) -> None:
    name = {"name": "global-config"}
    spec = {"multiPolicyContainerRightsizingEnabled": True}
    manifest = {"apiVersion": ENGINE, "kind": "GlobalConfiguration", "metadata": name, "spec": spec}
    try:
        clean.install_crds(multi_policy_flag=False)
        assert "multiPolicyContainerRightsizingEnabled" not in clean.create(manifest)["spec"]
        clean.delete(manifest)
    finally:
        clean.install_crds()
    assert clean.create(manifest)["spec"]["multiPolicyContainerRightsizingEnabled"] is True


def test_hundred_objects_are_applied_quickly_and_paged(api_server: ApiServer, namespace: str) -> None:
    started = time.monotonic()
    api_server.apply(config_maps(100), namespace=namespace)
    assert time.monotonic() - started < 5
    path, following = f"/api/v1/namespaces/{namespace}/configmaps", ""
    pages: list[list[str]] = []
    while following or not pages:
        answer = api_server.rest.request("GET", path, query={"limit": "30", "continue": following})
        pages.append([each["metadata"]["name"] for each in answer["items"]])
        following = answer["metadata"].get("continue", "")
    assert [len(page) for page in pages] == [30, 30, 30, 10]
    assert len({name for page in pages for name in page}) == 100


def test_status_needs_the_subresource(api_server: ApiServer, namespace: str) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {"containers": [{"name": "app", "image": "app:1"}]},
    }
    live = api_server.apply({**pod, "status": {"phase": "Running"}})[0]
    assert live["status"]["phase"] == "Pending"
    assert api_server.set_status({**pod, "status": {"phase": "Running"}})["status"]["phase"] == "Running"


def test_deleted_namespace_is_gone_with_its_objects(api_server: ApiServer) -> None:
    name = api_server.new_namespace()
    held = config_maps(1)[0]
    held["metadata"]["finalizers"] = ["kubex-test/hold"]
    api_server.apply(held, namespace=name)
    api_server.delete_namespace(name)
    assert api_server.get("v1", "Namespace", name) is None
    assert api_server.get("v1", "ConfigMap", "map-000", name) is None


def test_kubectl_leaves_the_caller_alone(
    api_server: ApiServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "absent"))
    api_server.kubectl("get", "ns")
    assert list(tmp_path.iterdir()) == []


def test_shim_adds_latency_and_counts_rounds(api_server: ApiServer) -> None:
    with api_server.shim(latency=0.05) as shim:
        config = api_server.kubeconfig(through=shim)
        api_server.kubectl("get", "ns", kubeconfig=config)  # fills kubectl's discovery cache
        with shim.recording() as seen:
            started = time.monotonic()
            api_server.kubectl("get", "ns,cm", kubeconfig=config)
            assert time.monotonic() - started >= 0.1
        assert [each.status for each in seen] == [200, 200]
        assert len({each.connection for each in seen}) == 1
        assert seen[0].headers["Authorization"].startswith("Bearer ")
        assert rounds(seen) == 2


def test_shim_serves_in_parallel(api_server: ApiServer) -> None:
    with api_server.shim(latency=0.2) as shim:
        config = api_server.kubeconfig(through=shim)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: api_server.kubectl("get", "--raw", "/readyz", kubeconfig=config), range(4)))
        assert len(shim.requests) == 4
        assert rounds(shim.requests) < 4


def test_shim_injects_faults(api_server: ApiServer, namespace: str) -> None:
    api_server.apply(config_maps(30), namespace=namespace)
    with api_server.shim() as shim:
        config = api_server.kubeconfig(namespace=namespace, through=shim)

        def stderr(*more: str) -> str:
            done = api_server.kubectl("get", "configmaps", *more, kubeconfig=config, check=False)
            assert done.returncode
            shim.clear()
            return done.stderr

        api_server.kubectl("get", "configmaps", kubeconfig=config)
        shim.fault("configmaps", 401)
        assert "logged in" in stderr()
        shim.fault("configmaps", 503, "no healthy upstream", content_type="text/plain")
        assert "unable to handle the request" in stderr()
        shim.fault("configmaps", 200, "<html>login</html>", content_type="text/html")
        assert "text/html" in stderr()
        shim.drop("configmaps")
        assert "EOF" in stderr()
        shim.truncate("configmaps")
        assert "EOF" in stderr()
        shim.hang("configmaps", times=1)
        assert "exceeded" in stderr("--request-timeout=500ms")
        expired = shim.fault("continue=", 410, skip=1, times=1)
        assert "injected" in stderr("--chunk-size=10")
        assert expired.hits == 2


def test_load_relinks_owners_and_restores_status(clean: ApiServer) -> None:
    container = {"name": "app", "image": "app:1", "resources": {"requests": {"cpu": "100m"}}}
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}

    def made(
        api: str, kind: str, name: str, uid: str, owner: dict[str, Any] | None = None, **more: Any
    ) -> dict[str, Any]:
        metadata: dict[str, Any] = {
            "name": name,
            "namespace": "shop",
            "uid": uid,
            "resourceVersion": "7",
            "labels": labels,
        }
        if owner:
            reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "controller": True}
            metadata["ownerReferences"] = [{**reference, **{k: owner["metadata"][k] for k in ("name", "uid")}}]
        return {"apiVersion": api, "kind": kind, "metadata": metadata, **more}

    spec = {"selector": {"matchLabels": labels}, "template": template}
    deployment = made(
        "apps/v1", "Deployment", "web", "old-1", spec=spec, status={"replicas": 1, "observedGeneration": 4}
    )
    deployment["metadata"]["generation"] = 5
    replica_set = made("apps/v1", "ReplicaSet", "web-1", "old-2", deployment, spec=spec, status={"replicas": 1})
    pod_spec = {"containers": [container], "nodeName": "node-a", "priority": 0}
    pod_status = {
        "phase": "Running",
        "containerStatuses": [{"name": "app", "ready": True, "restartCount": 0, "image": "a"}],
    }
    pod = made("v1", "Pod", "web-1-x", "old-3", replica_set, spec=pod_spec, status=pod_status)
    quota = made("v1", "ResourceQuota", "none", "old-4", spec={"hard": {"pods": "0"}})
    policies = evaluation({"type": "StaticPolicy", "priority": 1})
    policies["metadata"]["managedFields"] = [{"manager": "helm", "operation": "Update"}]

    done = load(clean, [{"kind": "List", "items": [pod, quota, replica_set, deployment, policies]}])

    live = {each["kind"]: each for each in done.objects}
    assert done.namespaces == ["shop"]
    assert live["Pod"]["metadata"]["ownerReferences"][0]["uid"] == live["ReplicaSet"]["metadata"]["uid"]
    assert live["ReplicaSet"]["metadata"]["ownerReferences"][0]["uid"] == live["Deployment"]["metadata"]["uid"]
    assert live["Pod"]["status"]["containerStatuses"][0]["ready"] is True
    assert live["Deployment"]["status"].get("observedGeneration", 0) == live["Deployment"]["metadata"]["generation"] - 1
    assert live["PolicyEvaluation"]["metadata"]["managedFields"][0]["manager"] == "helm"
    with pytest.raises(LoadError, match="already exists"):
        load(clean, [deployment])


CAPTURE = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Event, metadata: {name: seen, namespace: shop}, reason: R, type: Warning,
   involvedObject: {kind: Pod, name: nightly-1-x, namespace: shop, uid: pod-1}}
- {apiVersion: v1, kind: Node, metadata: {name: node-a, uid: node-1}, spec: {taints: [{key: gpu, effect: NoSchedule}]}}
- apiVersion: batch/v1
  kind: Job
  metadata: {name: nightly-1, namespace: shop, uid: job-1, labels: {controller-uid: job-1}}
  spec:
    selector: {matchLabels: {batch.kubernetes.io/controller-uid: job-1}}
    template:
      metadata: {labels: {batch.kubernetes.io/controller-uid: job-1}}
      spec: {restartPolicy: Never, containers: [{name: a, image: a}]}
  status: {active: 1, startTime: 2026-11-30T01:00:00Z}
- apiVersion: v1
  kind: Pod
  metadata:
    name: nightly-1-x
    namespace: shop
    uid: pod-1
    creationTimestamp: 2026-11-30T01:00:00Z
    deletionTimestamp: 2026-11-30T02:00:00Z
    labels: {batch.kubernetes.io/controller-uid: job-1}
    ownerReferences: [{apiVersion: batch/v1, kind: Job, name: nightly-1, uid: job-1, controller: true}]
  spec: {restartPolicy: Never, containers: [{name: a, image: a}]}
- {apiVersion: nosuch.io/v1, kind: Thing, metadata: {name: odd, namespace: shop}}
"""


def test_load_carries_uids_taints_and_deletions_over(clean: ApiServer) -> None:
    done = load(clean, manifests.parse(CAPTURE), strict=False)

    live = {each["kind"]: each for each in done.objects}
    job, pod = live["Job"]["metadata"]["uid"], live["Pod"]["metadata"]
    assert live["Job"]["spec"]["selector"]["matchLabels"] == {"batch.kubernetes.io/controller-uid": job}
    assert live["Job"]["status"]["active"] == 1
    assert pod["labels"]["batch.kubernetes.io/controller-uid"] == job
    assert "deletionTimestamp" in pod
    assert live["Event"]["involvedObject"]["uid"] == pod["uid"]
    assert [taint["key"] for taint in live["Node"]["spec"]["taints"]] == ["gpu"]
    assert [(each["kind"], "no kind Thing" in reason) for each, reason in done.refused] == [("Thing", True)]
    clean.reset()
    assert clean.get("v1", "Namespace", "shop") is None
    assert clean.get("v1", "Node", "node-a") is None


def test_stop_leaves_no_processes_and_no_files(tmp_path: Path) -> None:
    with ApiServer() as server:
        pids, folder = server.pids, server.folder
        assert len(pids) == 3
    assert [pid for pid in pids if not gone(pid)] == []
    assert not folder.exists()


def test_killed_run_leaves_no_processes_and_no_files() -> None:
    script = (
        "import os, signal; from tests.apiserver.server import ApiServer\n"
        "server = ApiServer().start(); print(server.folder, *server.pids, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    folder, *pids = done.stdout.split()
    assert len(pids) == 3
    assert [pid for pid in pids if not gone(int(pid))] == []
    assert not Path(folder).exists()


def test_failed_start_shows_the_logs(tmp_path: Path) -> None:
    real = binaries.find()
    for name in ("etcd", "kubectl"):
        (tmp_path / name).symlink_to(real.folder / name)
    broken = tmp_path / "kube-apiserver"
    broken.write_text("#!/bin/sh\necho cannot do that\nexit 3\n")
    broken.chmod(0o755)
    server = ApiServer(binaries.Binaries(tmp_path))
    with pytest.raises(RuntimeError, match=r"kube-apiserver ended(.|\n)*exit code 3(.|\n)*cannot do that"):
        server.start()
    assert server.pids == []


def test_missing_programs_are_named(tmp_path: Path) -> None:
    (tmp_path / "etcd").touch(mode=0o755)
    environ = {"KUBEBUILDER_ASSETS": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": str(tmp_path)}
    with pytest.raises(binaries.Unavailable, match=r"lacks kube-apiserver, kubectl.*no `go` on PATH.*Install Go"):
        binaries.find(environ)
