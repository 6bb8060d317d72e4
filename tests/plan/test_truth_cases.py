"""The engine's own end-to-end scenarios that state inputs and an outcome (engine.md section 12), each by its name.

Left out are those that the digest calls vacuous or weak (QoS, HPA in test_example_behavior), those without an assertion
or figures (complex/mixed), and those about hooks, compaction and the API server's own refusals, which no plan decides.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from kubectl_kubex.codec.controls import decode_record
from kubectl_kubex.core.model import Target, Usage
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Outcome, Path, Plan, Result
from tests.builders import ELEVEN, TEN
from tests.plan.scenes import (
    NOW,
    Scene,
    Supply,
    a_container,
    a_limit_range,
    a_node,
    a_pod,
    a_vpa,
    applied,
    cpu_memory,
    resources,
    results,
    verdicts,
)

ALL = {"namespaceSelector": {"operator": "In", "values": ["*"]}}
HAVE = a_container("app", cpu_memory("100m", "128Mi"), cpu_memory("1", "2Gi"))


def want(cpu: str, memory: str, container: str = "*") -> dict[str, dict[str, str]]:
    return {container: cpu_memory(cpu, memory)}


def namespaced_and_cluster(weights: tuple[int, int] = (0, 0)) -> Scene:
    return Scene(
        containers=(HAVE,),
        supplies=(
            Supply(requests=want("200m", "256Mi"), limits=want("400m", "512Mi"), weight=weights[0],
                   spec={"created": TEN}),
            Supply("ClusterStaticPolicy", "cluster", want("200m", "296Mi"), want("400m", "596Mi"), weight=weights[1],
                   spec={"created": ELEVEN, "scope": ALL}),
        ),
    )  # fmt: skip


def test_namespaced_and_cluster() -> None:
    assert applied(namespaced_and_cluster().plan()) == (cpu_memory("200m", "296Mi"), cpu_memory("400m", "596Mi"))


def test_namespaced_and_cluster_namespace_wins() -> None:
    scene = namespaced_and_cluster((10, 0))
    assert applied(scene.plan()) == (cpu_memory("200m", "256Mi"), cpu_memory("400m", "512Mi"))
    elsewhere = scene.having(supplies=scene.policies[1:])
    assert applied(elsewhere.plan()) == (cpu_memory("200m", "296Mi"), cpu_memory("400m", "596Mi"))


def test_namespaced_and_cluster_same_weight() -> None:
    assert applied(namespaced_and_cluster((5, 5)).plan()) == (
        cpu_memory("200m", "296Mi"),
        cpu_memory("400m", "596Mi"),
    )


def test_limit_range_filter() -> None:
    plan = Scene(
        requests=want("100m", "128Mi"),
        limits=want("800m", "1024Mi"),
        containers=(a_container("app", cpu_memory("300m", "384Mi"), cpu_memory("600m", "768Mi")),),
        objects=(a_limit_range(max=cpu_memory("700m", "900Mi")),),
    ).plan()
    assert applied(plan) == (cpu_memory("100m", "128Mi"), cpu_memory("600m", "768Mi"))
    assert {action.removed_by for action in plan.actions} == {None, Code.LIMIT_RANGE_VIOLATED}


def test_pod_limit_range_filter() -> None:
    have = [a_container(name, cpu_memory("300m", "256Mi"), cpu_memory("500m", "512Mi")) for name in ("app", "sidecar")]
    plan = Scene(
        requests=want("200m", "128Mi"),
        limits=want("900m", "768Mi"),
        containers=tuple(have),
        objects=(a_limit_range("Pod", min=cpu_memory("600m", "512Mi"), max=cpu_memory("1500m", "1Gi")),),
    ).plan()
    assert plan.outcome is Outcome.NOTHING_TO_DO
    assert {action.removed_by for action in plan.actions} == {Code.POD_LIMIT_RANGE_VIOLATED}
    assert applied(plan) == (cpu_memory("300m", "256Mi"), cpu_memory("500m", "512Mi"))


def test_min_change_thresholds() -> None:
    plan = Scene(
        requests=want("110m", "144Mi"),
        limits=want("1100m", "2304Mi"),
        containers=(HAVE,),
        strategy={"safetyChecks": {"minCpuChangePercent": 20, "minMemoryChangePercent": 25}},
    ).plan()
    assert plan.outcome is Outcome.NOTHING_TO_DO
    assert {check.fact["percent"] for check in results(plan, Code.CHANGE_BELOW_THRESHOLD)} == {"10.0", "12.5"}


def test_min_ready_seconds() -> None:
    scene = Scene(
        requests=want("300m", "384Mi"),
        limits=want("800m", "768Mi"),
        containers=(HAVE,),
        strategy={"safetyChecks": {"minReadyDuration": "1m"}},
        pods=(a_pod(containers=(HAVE,), ready=NOW - timedelta(seconds=5)),),
    )
    assert applied(scene.plan(Path.ADMISSION)) == (cpu_memory("300m", "384Mi"), cpu_memory("800m", "768Mi"))
    assert scene.plan().outcome is Outcome.BLOCKED_RETRYING


def test_node_allocatable_headroom() -> None:
    scene = Scene(
        requests=want("8", "16Gi"), containers=(a_container("app", cpu_memory("100m", "128Mi")),),
        objects=(a_node("4", "8Gi"),),
    )  # fmt: skip
    assert applied(scene.plan(Path.ADMISSION))[0] == cpu_memory("8", "16Gi")
    assert scene.plan().outcome is Outcome.NOTHING_TO_DO


def test_vpa_filter_default() -> None:
    vpa = a_vpa(recommended={"app": cpu_memory("50m", "64Mi")})
    plan = Scene(requests=want("200m", "256Mi"), limits=want("2", "4Gi"), containers=(HAVE,), objects=(vpa,)).plan()
    assert plan.outcome is Outcome.NOTHING_TO_DO
    assert {action.removed_by for action in plan.actions} == {Code.VPA_RESOURCE_MANAGED}


@pytest.mark.parametrize("kind", ["StaticPolicy", "ProactivePolicy"])
def test_multi_policy_container_scope(kind: str) -> None:
    old = [a_container(name, cpu_memory("1", "1Gi"), cpu_memory("2", "2Gi")) for name in ("app", "sidecar", "metrics")]
    app = Supply(kind, "app", want("250m", "256Mi", "app"), want("500m", "512Mi", "app"), "AAAA",
                 spec={"scope": {"containers": ["app"]}})  # fmt: skip
    sidecar = Supply(kind, "sidecar", want("150m", "192Mi", "sidecar"), want("300m", "384Mi", "sidecar"), "BBBB",
                     spec={"scope": {"containers": ["sidecar"]}})  # fmt: skip
    plan = Scene(containers=tuple(old), supplies=(app, sidecar)).plan()
    assert applied(plan, "app") == (cpu_memory("250m", "256Mi"), cpu_memory("500m", "512Mi"))
    assert applied(plan, "sidecar") == (cpu_memory("150m", "192Mi"), cpu_memory("300m", "384Mi"))
    assert applied(plan, "metrics") == (cpu_memory("1", "1Gi"), cpu_memory("2", "2Gi"))


@pytest.mark.parametrize("kind", ["StaticPolicy", "ProactivePolicy"])
def test_weighted_container_exclusion(kind: str) -> None:
    closed = {"upsize": False, "downsize": False, "setFromUnspecified": False}
    whole = {resource: {"requests": closed, "limits": closed} for resource in ("cpu", "memory")}
    have = [a_container(name, cpu_memory("1", "1Gi"), cpu_memory("2", "2Gi")) for name in ("app", "sidecar")]
    scene = Scene(
        containers=tuple(have),
        supplies=(
            Supply(kind, "all", {**want("250m", "256Mi", "app"), **want("250m", "256Mi", "sidecar")}, {}, "AAAA",
                   weight=10),
            Supply(kind, "sidecar", want("200m", "200Mi", "sidecar"), {}, "BBBB", "held", 20),
        ),
        objects=({"apiVersion": "rightsizing.kubex.ai/v1alpha1", "kind": "AutomationStrategy",
                  "metadata": {"name": "held", "namespace": "shop"}, "spec": {"enablement": whole}},),
    )  # fmt: skip
    plan = scene.plan()
    assert applied(plan, "app")[0] == cpu_memory("250m", "256Mi")
    assert applied(plan, "sidecar")[0] == cpu_memory("1", "1Gi")


def test_wildcard_weight_precedence() -> None:
    scene = Scene(
        containers=(HAVE,),
        supplies=(
            Supply(name="heavy", requests=want("250m", "256Mi"), digest="AAAA", weight=50),
            Supply(name="light", requests=want("700m", "700Mi", "app"), digest="BBBB", weight=10),
        ),
    )
    assert applied(scene.plan())[0] == cpu_memory("250m", "256Mi")


def test_weights_precedence() -> None:
    scene = Scene(
        containers=(HAVE,),
        supplies=(
            Supply(name="heavy", requests=want("250m", "256Mi"), digest="BBBB", weight=50),
            Supply(name="light", requests=want("700m", "700Mi"), digest="AAAA", weight=10),
        ),
    )
    assert applied(scene.plan())[0] == cpu_memory("250m", "256Mi")


def test_same_order_weight_precedence() -> None:
    scene = Scene(
        containers=(HAVE,),
        supplies=(
            Supply(requests=want("200m", "200Mi"), limits=want("400m", "400Mi"), weight=51),
            Supply("ClusterStaticPolicy", "cluster", want("300m", "300Mi"), want("600m", "600Mi"), weight=50,
                   spec={"scope": ALL}),
        ),
    )  # fmt: skip
    assert applied(scene.plan()) == (cpu_memory("200m", "200Mi"), cpu_memory("400m", "400Mi"))


DIRECTIONS: dict[str, Any] = {
    "cpu": {
        "requests": {"upsize": True, "downsize": False, "setFromUnspecified": False},
        "limits": {"upsize": False, "downsize": True, "setFromUnspecified": True},
    },
    "memory": {
        "requests": {"upsize": False, "downsize": True, "setFromUnspecified": True},
        "limits": {"upsize": True, "downsize": False, "setFromUnspecified": False},
    },
}


def test_enablement_directions() -> None:
    plan = Scene(
        requests=want("500m", "512Mi"),
        limits=want("800m", "1Gi"),
        containers=(
            a_container("allow", cpu_memory("400m", "640Mi"), cpu_memory("900m", "768Mi")),
            a_container("block", cpu_memory("600m", "256Mi"), cpu_memory("700m", "2Gi")),
            a_container("unset"),
        ),
        strategy={"enablement": DIRECTIONS},
    ).plan()
    assert applied(plan, "allow") == (cpu_memory("500m", "512Mi"), cpu_memory("800m", "1Gi"))
    assert applied(plan, "block") == (cpu_memory("600m", "256Mi"), cpu_memory("700m", "2Gi"))
    assert applied(plan, "unset") == (cpu_memory("800m", "512Mi"), {"cpu": "800m"})


def test_recommendation_behavior() -> None:
    supply = Supply("ProactivePolicy", requests=want("250m", "256Mi", "demo"), limits=want("400m", "512Mi", "demo"))
    have = a_container("demo", cpu_memory("100m", "128Mi"), cpu_memory("200m", "256Mi"))
    plan = Scene(supplies=(supply,), containers=(have,)).plan()
    assert applied(plan, "demo") == (cpu_memory("250m", "256Mi"), cpu_memory("400m", "512Mi"))


def test_recommendation_behavior_kubex_automation_false() -> None:
    requests = {**want("500m", "512Mi", "api"), **want("250m", "192Mi", "worker")}
    limits = {**want("900m", "900Mi", "api"), **want("450m", "384Mi", "worker")}
    have = tuple(
        a_container(name, cpu_memory("100m", "128Mi"), cpu_memory("200m", "256Mi")) for name in ("api", "worker")
    )
    scene = Scene(
        supplies=(Supply("ProactivePolicy", requests=requests, limits=limits),),
        containers=have,
        change={"kubex_automation": {"api": False, "worker": True}},
    )
    plan = scene.plan()
    assert applied(plan, "api") == (cpu_memory("100m", "128Mi"), cpu_memory("200m", "256Mi"))
    assert applied(plan, "worker") == (cpu_memory("250m", "192Mi"), cpu_memory("450m", "384Mi"))
    ignored = scene.having(configuration={"respectKubexAutomation": False}).plan()
    assert applied(ignored, "api")[0] == cpu_memory("500m", "512Mi")


def test_policies_stale() -> None:
    supply = Supply(
        "ProactivePolicy", requests=want("500m", "512Mi", "app"), spec={"safetyChecks": {"maxAnalysisAgeDays": 1}}
    )
    key = next(iter(supply.annotations))
    stale = Scene(supplies=(supply,), change={"analysed": {key: NOW - timedelta(days=2)}}).plan()
    assert stale.outcome is Outcome.NOTHING_TO_DO
    assert {action.removed_by for action in stale.actions} == {Code.RECOMMENDATION_TOO_OLD}
    fresh = Scene(supplies=(supply,), change={"analysed": {key: NOW - timedelta(hours=20)}}).plan()
    assert fresh.outcome is Outcome.READY


def test_global_config_disabled() -> None:
    off, on = (Scene(configuration={"automationEnabled": enabled}) for enabled in (False, True))
    for path in Path:
        assert off.plan(path).outcome is Outcome.BLOCKED
        assert applied(off.plan(path))[0] == cpu_memory("250m", "256Mi")
        assert on.plan(path).outcome is Outcome.READY


def test_request_exceeds_limit() -> None:
    plan = Scene(
        requests={"app": {"cpu": "300m"}},
        limits={"app": {"cpu": "700m"}},
        containers=(a_container("app", {"cpu": "100m"}, {"cpu": "200m"}),),
        objects=(a_limit_range("Pod", max={"cpu": "600m"}),),
    ).plan()
    assert plan.outcome is Outcome.BLOCKED
    assert [action.removed_by for action in plan.actions] == [None, Code.POD_LIMIT_RANGE_VIOLATED]
    (check,) = results(plan, Code.REQUESTS_EXCEED_LIMITS)
    assert (check.fact["request"], check.fact["limit"]) == ("300m", "200m")


def test_multi_container_bounds() -> None:
    bounds = {"floor": "300Mi", "containers": {"api": {"floor": "256Mi"}, "worker": {"ceiling": "400Mi"}}}
    plan = Scene(
        requests={"api": {"memory": "128Mi"}, "worker": {"memory": "1256Mi"}},
        containers=tuple(a_container(name, {"memory": "1Gi"}) for name in ("api", "worker")),
        strategy={"enablement": {"memory": {"requests": bounds}}},
    ).plan()
    assert applied(plan, "api")[0] == {"memory": "256Mi"}
    assert applied(plan, "worker")[0] == {"memory": "400Mi"}


def test_with_resource_bounds() -> None:
    enablement = {
        "cpu": {"requests": {"floor": "250m"}, "limits": {"ceiling": "1000m"}},
        "memory": {"requests": {"floor": "128Mi"}, "limits": {"ceiling": "1Gi"}},
    }
    plan = Scene(
        requests=want("100m", "64Mi"),
        limits=want("4", "8Gi"),
        containers=(a_container("app", cpu_memory("500m", "512Mi"), cpu_memory("2", "4Gi")),),
        strategy={"enablement": enablement},
    ).plan()
    assert applied(plan) == (cpu_memory("250m", "128Mi"), cpu_memory("1000m", "1Gi"))
    assert verdicts(plan, Code.FLOOR_CLAMPED) == verdicts(plan, Code.CEILING_CLAMPED) == {Result.CLAMPED}


def test_per_container() -> None:
    plan = Scene(
        requests={"*": cpu_memory("200m", "256Mi"), "app": {"cpu": "500m"}, "sidecar": {"memory": "64Mi"}},
        containers=tuple(a_container(name, cpu_memory("1", "1Gi")) for name in ("app", "sidecar", "other")),
    ).plan()
    assert applied(plan, "app")[0] == cpu_memory("500m", "256Mi")
    assert applied(plan, "sidecar")[0] == cpu_memory("200m", "64Mi")
    assert applied(plan, "other")[0] == cpu_memory("200m", "256Mi")


SKIP = "rightsizing.kubex.ai/skip-containers"


@pytest.mark.parametrize(
    ("owner", "pod", "skipped"),
    [
        ("app", None, {"app"}),
        (None, " app, sidecar, app ", {"app", "sidecar"}),
        ("app", "sidecar", {"sidecar"}),
        ("app", " , ", set()),
    ],
    ids=["owner", "pod-trimmed-and-once", "pod-over-owner", "blank-pod-stops"],
)
def test_with_skip_containers(owner: str | None, pod: str | None, skipped: set[str]) -> None:
    have = tuple(a_container(name, cpu_memory("100m", "128Mi")) for name in ("app", "sidecar"))
    plan = Scene(
        requests=want("200m", "256Mi"),
        containers=have,
        annotations={} if owner is None else {SKIP: owner},
        pods=(a_pod(containers=have, annotations={} if pod is None else {SKIP: pod}),),
    ).plan()
    removed = {action.container for action in plan.actions if action.removed_by is Code.CONTAINER_SKIP_ACTIVE}
    assert removed == skipped


KAI = {"enablement": {"gpu": {"requests": {"upsize": True, "downsize": True, "setFromUnspecified": True}}}}
KAI_ON = {"enablement": {**KAI["enablement"], "overrideScheduler": "kai"}}


@pytest.mark.parametrize("have", [{}, {"nvidia.com/gpu": "1"}], ids=["unset", "vanilla-to-kai"])
def test_gpu_kai(have: dict[str, str]) -> None:
    plan = Scene(requests={"app": {"gpu": "0.7"}}, containers=(a_container("app", have, have),), strategy=KAI_ON).plan()
    assert applied(plan) == ({"gpu": "0.7"}, {})


def test_gpu_kai_whole_gpu() -> None:
    plan = Scene(requests={"app": {"gpu": "0.7"}}, containers=(a_container("app"),), strategy=KAI).plan()
    whole = {"gpu": "1", "nvidia.com/gpu": "1"}
    assert applied(plan) == (whole, whole)


def test_kubex_mock_fractional_gpu() -> None:
    supply = Supply("ProactivePolicy", requests={"app": {"gpu": "0.25"}})
    plan = Scene(supplies=(supply,), containers=(a_container("app"),), strategy=KAI_ON).plan()
    assert applied(plan) == ({"gpu": "0.25"}, {})


def blockers_plan() -> Plan:
    closed = {"cpu": {"requests": {"upsize": False, "downsize": False}}}
    have = a_container("app", cpu_memory("100m", "128Mi"), cpu_memory("200m", "200Mi"))
    return Scene(requests={"app": {"cpu": "800m"}}, containers=(have,), strategy={"enablement": closed}).plan()


def test_kubex_mock_blockers_annotation() -> None:
    plan = blockers_plan()
    target = {"container": "app", "usage": "requests", "resource": "cpu"}
    written = json.dumps([{"reason": "automation-strategy-disabled", "targets": [target]}])
    record = decode_record({"rightsizing.kubex.ai/automation-constraints": written})
    assert record is not None
    assert record.readable
    ours = [(check.code.value, check.targets) for check in plan.checks if check.result is Result.FILTERED]
    assert ours == [(constraint.reason, constraint.targets) for constraint in record.constraints]
    assert ours == [("automation-strategy-disabled", (Target("app", Usage.REQUESTS, "cpu"),))]


@pytest.mark.parametrize("mode", ["monitoring", "monitoringSucceeded", "backedOff", "idle"])
def test_rollback_behavior_quiet_modes(mode: str) -> None:
    state = {"rightsizing.kubex.ai/rollback-state": f'{{"mode":"{mode}","turn":1}}'}
    assert Scene(annotations=state).plan().outcome is Outcome.READY


@pytest.mark.parametrize("mode", ["rollingBack", "backingOff", "failedPermanent"])
def test_rollback_behavior_loud_modes(mode: str) -> None:
    state = {"rightsizing.kubex.ai/rollback-state": f'{{"mode":"{mode}","turn":2,"failureReason":"oomKilled"}}'}
    plan = Scene(annotations=state).plan()
    assert plan.outcome is Outcome.UNDETERMINED
    (check,) = results(plan, Code.ROLLBACK_STATE)
    assert (check.fact["mode"], check.fact["turn"], check.fact["failure"]) == (mode, "2", "oomKilled")


def test_crd_validation_floor_above_ceiling_is_not_guessed() -> None:
    bounds = {"floor": "2", "ceiling": "1"}
    plan = Scene(strategy={"enablement": {"cpu": {"requests": bounds}}}).plan()
    assert plan.outcome is Outcome.UNDETERMINED
    assert resources(plan.proposal)[0]["cpu"] == "2"
    assert plan.result is None


def test_crd_validation_missing_reference() -> None:
    scene = Scene()
    supplies = (replace(scene.policies[0], strategy="gone"),)
    plan = scene.having(supplies=supplies, change={"strategies": {}}).plan()
    assert plan.outcome is Outcome.UNDETERMINED
    (check,) = results(plan, Code.STRATEGY_UNRESOLVED)
    assert (check.fact["missing"], check.fact["strategy"]) == ("missing", "gone")
