"""One state, three ways to read it: live, from its snapshot, and from the bundled capture. One answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kubex.codec.snapshot import WHY_KINDS
from kubectl_kubex.core.kinds import BY_NAME
from kubectl_kubex.offline.demo import CAPTURED_AT
from tests.apiserver.load import load
from tests.apiserver.server import ApiServer
from tests.cluster.plugin import ROOT, document, run
from tests.render.demo_scenes import scenes


def demo_objects() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted((ROOT / "kubectl_kubex" / "demo").glob("*.yaml")):
        for each in yaml.safe_load_all(path.read_text(encoding="utf-8")):
            found += each["items"] if each and each["kind"].endswith("List") else [each] if each else []
    return found


@pytest.fixture(scope="module")
def shop(api_server: ApiServer) -> Iterator[ApiServer]:
    """The server with the demo's objects in it."""
    api_server.reset()
    load(api_server, demo_objects())
    yield api_server
    api_server.reset()


def but_for_source(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "source"}


def but_for_the_server(found: dict[str, Any]) -> dict[str, Any]:
    """Without what only a server gives: the version of the singleton and who wrote its fields."""
    precedence = {**found["precedence"], "resourceVersion": None}
    precedence["managedBy"] = {**precedence["managedBy"], "fieldManagers": []}
    return {**but_for_source(found), "precedence": precedence}


@pytest.mark.parametrize(("namespace", "workload"), scenes())
def test_live_snapshot_and_demo_agree(shop: ApiServer, tmp_path: Path, namespace: str, workload: str) -> None:
    live = document(shop, "why", workload, "-n", namespace, "--at", CAPTURED_AT)
    assert live["source"]["offline"] is False
    capture = tmp_path / "capture.yaml"
    assert run(shop, "snapshot", workload, "-n", namespace, "-o", str(capture)).returncode == 0
    offline = document(shop, "why", workload, "-n", namespace, "-f", str(capture), "--at", CAPTURED_AT)
    assert offline["source"]["offline"] is True
    assert but_for_source(offline) == but_for_source(live)
    demo = document(shop, "why", workload, "-n", namespace, "--demo")
    assert but_for_the_server(demo) == but_for_the_server(live)


@pytest.mark.parametrize(("namespace", "workload"), scenes())
def test_kubectl_get_output_gives_the_same_targets(
    shop: ApiServer, tmp_path: Path, namespace: str, workload: str
) -> None:
    """A dump that plain kubectl made, all kinds in one file."""
    kinds = "deploy,sts,ds,cj,job,rs,rollouts.argoproj.io,analysisruns.argoproj.io,strimzipodsets,models.kubeai.org,pod"
    policies = ",".join(BY_NAME[name].resource for name in WHY_KINDS)
    dump = tmp_path / "dump.json"
    dump.write_text(shop.kubectl("get", f"{kinds},{policies}", "-A", "-o", "json").stdout, encoding="utf-8")
    live = document(shop, "why", workload, "-n", namespace)
    offline = document(shop, "why", workload, "-n", namespace, "-f", str(dump))
    assert json.dumps(offline["targets"], indent=1) == json.dumps(live["targets"], indent=1)
    assert offline["hooks"] == live["hooks"]


def test_a_pod_a_replicaset_and_a_job_stand_for_their_owners(shop: ApiServer) -> None:
    def names(kind: str, namespace: str) -> list[str]:
        return shop.kubectl("get", kind, "-n", namespace, "-o", "name").stdout.split()

    web = but_for_source(document(shop, "why", "deployment/web", "-n", "shop"))
    for name in (*names("rs", "shop"), *names("pod", "shop")):
        if "/web-" in name:
            short = name.removeprefix("replicaset.apps/").removeprefix("pod/")
            kind = "rs" if name.startswith("replicaset") else "po"
            assert but_for_source(document(shop, "why", f"{kind}/{short}", "-n", "shop")) == web
    report = but_for_source(document(shop, "why", "cronjob/nightly-report", "-n", "shop"))
    for name in names("job", "shop"):
        if "nightly-report" in name:
            short = name.removeprefix("job.batch/")
            assert but_for_source(document(shop, "why", "job", short, "-n", "shop")) == report
