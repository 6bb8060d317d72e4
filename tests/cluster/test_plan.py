"""What holds winners back, on a real API server: LimitRange, ResourceQuota, HPA, a pause, a window, pods with different
values. The same from the snapshot; and what is told where rights are missing."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.core.kinds import BY_NAME, GROUP
from kubectl_kubex.offline.demo import CAPTURED_AT
from tests.apiserver.load import load
from tests.apiserver.rights import rule
from tests.apiserver.server import ApiServer
from tests.cluster.plugin import document, run
from tests.cluster.test_live_and_offline import but_for_source, demo_objects

ORDERS = ("-n", "orders")
AT = ("--at", CAPTURED_AT)
USER = "narrow-0"
FORMS: Sequence[tuple[str, ...]] = ((), ("-o", "json"), ("-o", "yaml"), ("-o", "name"))


def _node() -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "n1"},
        "status": {"allocatable": {"cpu": "2", "memory": "8Gi", "pods": "110"}},
    }


def _neighbour() -> dict[str, Any]:
    """A pod of another namespace on the same node."""
    resources = {"requests": {"cpu": "900m"}}
    spec = {"nodeName": "n1", "containers": [{"name": "app", "image": "example.com/x:1", "resources": resources}]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "neighbour", "namespace": "shop"},
        "spec": spec,
        "status": {"phase": "Running"},
    }


def _quota() -> dict[str, Any]:
    hard = {"requests.cpu": "2"}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": "orders"},
        "spec": {"hard": hard},
        "status": {"hard": hard, "used": {"requests.cpu": "1900m"}},
    }


def _objects() -> list[dict[str, Any]]:
    """The demo, in which `returns` wants more than the quota has, and one pod of `orders` is resized already."""
    found = copy.deepcopy(demo_objects())
    for each in found:
        metadata, name = each["metadata"], each["metadata"]["name"]
        if each["kind"] in ("Deployment", "Pod") and name.startswith("returns"):
            for key, value in metadata["annotations"].items():
                metadata["annotations"][key] = value.replace('"200m"', '"700m"')
        if each["kind"] == "Pod" and name.startswith("returns"):
            each["spec"]["nodeName"] = "n1"
        if name == "orders-7d9f8c6b5-p2vdn":
            for side in (each["spec"]["containers"][1], each["status"]["containerStatuses"][1]):
                side["resources"]["requests"]["cpu"] = "150m"
    return found


@pytest.fixture(scope="module")
def scene(api_server: ApiServer) -> Iterator[ApiServer]:
    api_server.reset()
    for objects in ([_node()], [*_objects(), _neighbour()], [_quota()]):
        assert not load(api_server, objects).refused
    yield api_server
    api_server.reset()


def plans(found: dict[str, Any], path: str = "controller") -> list[dict[str, Any]]:
    return [plan for plan in found["plans"] if plan["path"] == path]


def said(plan: dict[str, Any], *results: str) -> dict[str, str]:
    return {check["name"]: check["message"] for check in plan["checks"] if check["result"] in results}


def test_two_pods_with_different_values_have_a_plan_each(scene: ApiServer) -> None:
    found = document(scene, "why", "deploy/orders", *ORDERS, *AT)
    waiting, resized = sorted(plans(found), key=lambda plan: plan["outcome"])
    assert (waiting["outcome"], waiting["pods"]) == ("BLOCKED_RETRYING", ["orders-7d9f8c6b5-4m8sk"])
    assert waiting["nextAllowed"] == "2026-11-30T20:00:00Z"
    assert said(waiting, "failed", "filtered") == {
        "limit-range-violated": "2Gi is outside LimitRange sizes (max 1536Mi)",
        "change-below-threshold": "2.3% < 5%",
        "hpa-resource-managed": "HPA orders scales on cpu",
        "scheduling-window-blocked": "closed until 2026-11-30 20:00 Europe/London by strategy evenings",
    }
    assert (resized["outcome"], resized["pods"]) == ("NOTHING_TO_DO", ["orders-7d9f8c6b5-p2vdn"])
    (admission,) = plans(found, "admission")
    assert admission["outcome"] == "BLOCKED"  # a new pod counts as a whole; windows do not
    assert list(said(admission, "failed")) == ["resource-quota-exceeded"]
    agreeing = [record for record in found["records"] if record["agrees"]]
    assert [record["pods"] for record in agreeing] == [["orders-7d9f8c6b5-4m8sk"]]


def test_the_clock_can_be_moved_into_the_window(scene: ApiServer) -> None:
    found = document(scene, "why", "deploy/orders", *ORDERS, "--at", "2026-11-30T20:00:00Z")
    assert {plan["outcome"] for plan in plans(found)} == {"READY", "NOTHING_TO_DO"}


def test_a_pause_and_a_quota_while_the_node_has_room(scene: ApiServer) -> None:
    (plan,) = plans(document(scene, "why", "deploy/returns", *ORDERS, *AT))
    assert plan["outcome"] == "BLOCKED"
    assert said(plan, "failed")["pause-active"] == "pod paused until 2026-12-02T00:00:00Z (load test)"
    assert said(plan, "failed")["resource-quota-exceeded"] == "requests.cpu of ResourceQuota team: used 1900m + 0.3 > 2"
    (room,) = [check for check in plan["checks"] if check["name"] == "node-capacity-insufficient"]
    assert room["result"] == "passed"  # 2 - 900m - 400m - 10% leaves 500m


@pytest.mark.parametrize("workload", ["deploy/orders", "deploy/returns"])
def test_the_snapshot_gives_the_same(scene: ApiServer, tmp_path: Path, workload: str) -> None:
    capture = tmp_path / "capture.yaml"
    assert run(scene, "snapshot", workload, *ORDERS, "-o", str(capture)).returncode == 0
    for words in (("why", workload), ("diff", workload), ("diff", workload, "--plan")):
        live = document(scene, *words, *ORDERS, *AT)
        offline = document(scene, *words, *ORDERS, *AT, "-f", str(capture))
        assert but_for_source(offline) == but_for_source(live)


def test_diff(scene: ApiServer) -> None:
    found = run(scene, "diff", "deploy/orders", *ORDERS)
    assert found.returncode == 1
    assert found.stdout.count("+++ orders/deployment/orders") == 2
    assert "-worker/requests/cpu: 250m" in found.stdout
    held = run(scene, "diff", *ORDERS, "--plan", *AT)
    assert (held.returncode, held.stdout) == (0, "")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form) or "default")
def test_the_exit_codes_of_diff(scene: ApiServer, form: tuple[str, ...]) -> None:
    def code(*words: str, user: str = "admin") -> int:
        return run(scene, "diff", *words, *form, user=user).returncode

    assert code("cronjob/nightly-report", "-n", "shop") == 0
    assert code("deploy/orders", *ORDERS) == 1
    assert code("deploy/nope", *ORDERS) == 3
    assert code("deploy/orders", *ORDERS, user="nobody") == 3
    assert code("deploy/orders", *ORDERS, "-s", "https://127.0.0.1:1") == 3
    assert code("deploy/orders", *ORDERS, "--against", "nothing") == 2


def test_what_may_not_be_read_is_a_gap_and_no_failure(scene: ApiServer) -> None:
    """Of what only plans need nothing: the winners stand, the plan is undetermined, one line says why."""
    policies = " ".join(row.plural for row in BY_NAME.values() if "Strategy" not in row.name)
    apps = rule("get list", "deployments replicasets", "apps")
    scene.revoke(USER)
    scene.grant(USER, [rule("get list", "pods"), apps, rule("get list", policies, GROUP)])
    full = document(scene, "why", "deploy/orders", *ORDERS, *AT)
    narrow = document(scene, "why", "deploy/orders", *ORDERS, *AT, user=USER)
    assert json.dumps(narrow["targets"]) == json.dumps(full["targets"])
    assert narrow["doubts"] == full["doubts"]
    assert {plan["outcome"] for plan in narrow["plans"]} == {"UNDETERMINED"}
    unread = {gap["kind"] for gap in narrow["unread"]}
    assert unread >= {"AutomationStrategy", "LimitRange", "ResourceQuota", "HorizontalPodAutoscaler", "Namespace"}
    table = run(scene, "why", "deploy/orders", *ORDERS, *AT, user=USER)
    assert table.returncode == 5
    assert table.stdout.count("Not read, so not checked") == 1
