"""Raw objects to what a plan asks for: defaults, odd forms, and never an exception."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kubectl_kubex.codec.controls import CONSTRAINTS, decode_controls, decode_record, decode_rollback
from kubectl_kubex.codec.disruption import UNLIMITED, budget_allows, max_unavailable_of
from kubectl_kubex.codec.durations import parse_duration
from kubectl_kubex.codec.gathered import Objects, Subject, WorkloadReference
from kubectl_kubex.codec.limits import decode_node
from kubectl_kubex.codec.plan_facts import PLAN_KINDS, plan_facts_of
from kubectl_kubex.codec.strategies import decode_strategy
from kubectl_kubex.codec.zones import find_zone
from kubectl_kubex.core.kinds import BY_NAME
from kubectl_kubex.core.model import Gap, GapReason, PolicyRef, Target, Usage
from kubectl_kubex.core.plan.facts import Controls, PlanFacts
from kubectl_kubex.core.plan.record import Constraint
from kubectl_kubex.core.plan.strategy import Bounds, Gates, Safety, Strategy, Window
from tests.builders import raw, raw_workload
from tests.plan.scenes import Scene, a_container, a_pod, a_strategy
from tests.strategies import json_values

STRATEGY = BY_NAME["AutomationStrategy"]


def decoded(**spec: Any) -> Strategy:
    return decode_strategy(STRATEGY, a_strategy(**spec))


def test_an_empty_strategy_has_the_defaults_of_the_crd() -> None:
    found = decoded()
    assert found == Strategy(PolicyRef("AutomationStrategy", "shop", "default"))
    assert found.gates["cpu", Usage.LIMITS] == Gates(set_from_unspecified=False)
    assert found.gates["gpu", Usage.REQUESTS] == Gates(upsize=False, downsize=False, set_from_unspecified=False)
    assert found.safety == Safety()
    assert (found.safety.min_ready, found.safety.cpu_headroom) == (timedelta(seconds=10), "10%")


def test_a_cluster_strategy_has_no_namespace() -> None:
    kind = BY_NAME["ClusterAutomationStrategy"]
    assert decode_strategy(kind, a_strategy(kind.name)).ref == PolicyRef(kind.name, None, "default")


def test_every_field_is_read() -> None:
    bounds = {"floor": "100m", "ceiling": "2", "containers": {"app": {"ceiling": "1"}}}
    found = decoded(
        enablement={
            "cpu": {"limits": {"upsize": False, "setFromUnspecified": True, **bounds}},
            "overrideScheduler": "kai",
        },
        kai={"queue": "mine", "setQueueWhenSpecified": True},
        inPlaceResize={"enabled": False, "containerRestart": True},
        podEviction={"enabled": False, "retryPodDisruptionBudget": False},
        scheduling={"inclusionWindows": [{"timezone": "Europe/London", "weekdays": ["Mon", "Sunday"], "end": "09:30"}]},
        safetyChecks={"enableHpaFilter": False, "minCpuChangePercent": 0, "minReadyDuration": "1m30s",
                      "nodeMemoryHeadroom": "5%"},
    )  # fmt: skip
    gate = Gates(False, True, True, Bounds("100m", "2"), {"app": Bounds(None, "1")})
    assert found.gates["cpu", Usage.LIMITS] == gate
    assert found.gates["cpu", Usage.LIMITS].bounds_for("app") == Bounds("100m", "1")
    assert (found.scheduler.value, found.queue, found.set_queue_when_specified) == ("kai", "mine", True)
    assert (found.in_place, found.container_restart) == (False, True)
    assert (found.eviction, found.retry_disruption_budget) == (False, False)
    london = Window(0, 570, frozenset({0, 6}), ZoneInfo("Europe/London"), "Europe/London")
    assert found.scheduling.inclusions == (london,)
    assert found.safety == replace(
        Safety(), hpa=False, min_cpu_change=0, min_ready=timedelta(seconds=90), memory_headroom="5%"
    )
    assert found.problem is None


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ({"enablement": {"cpu": {"requests": {"upsize": "yes"}}}}, "spec.enablement.cpu.requests.upsize"),
        ({"enablement": {"cpu": {"requests": {"floor": "much"}}}}, "spec.enablement.cpu.requests.floor"),
        ({"enablement": {"overrideScheduler": "other"}}, "spec.enablement.overrideScheduler"),
        ({"safetyChecks": {"minCpuChangePercent": -1}}, "spec.safetyChecks.minCpuChangePercent"),
        ({"safetyChecks": {"minReadyDuration": "soon"}}, "spec.safetyChecks.minReadyDuration"),
        ({"safetyChecks": {"nodeCpuHeadroom": "ten percent"}}, "spec.safetyChecks.nodeCpuHeadroom"),
        ({"scheduling": {"inclusionWindows": {}}}, "spec.scheduling.inclusionWindows"),
        ({"scheduling": {"inclusionWindows": [{"start": "9:00"}]}}, "spec.scheduling.inclusionWindows[0]"),
        ({"scheduling": {"inclusionWindows": [{"start": "24:00"}]}}, "spec.scheduling.inclusionWindows[0]"),
        ({"scheduling": {"exclusionWindows": [{"start": "09:00", "end": "09:00"}]}},
         "spec.scheduling.exclusionWindows[0]"),
        ({"scheduling": {"exclusionWindows": [{"weekdays": ["Someday"]}]}}, "spec.scheduling.exclusionWindows[0]"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_the_problem(spec: dict[str, Any], problem: str) -> None:
    assert decoded(**spec).problem == problem


@pytest.mark.parametrize("name", ["", "Europe/Atlantis", "../etc/passwd", "/etc/passwd", "Europe", "local\0", "x" * 99])
def test_unknown_zones(name: str) -> None:
    assert find_zone(name) is None


def test_known_zones() -> None:
    assert find_zone("UTC") is not None
    assert find_zone("America/Argentina/Buenos_Aires") is not None


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("10s", 10), ("1h30m", 5400), ("500ms", 0.5), ("0", 0), ("1.5m", 90), ("", None), ("10", None), ("-1s", None),
     ("1s x", None), (None, None), (5, None), ("9" * 60 + "h", None)],
)  # fmt: skip
def test_durations(written: object, seconds: float | None) -> None:
    assert parse_duration(written) == (None if seconds is None else timedelta(seconds=seconds))


CPU = Target("app", Usage.REQUESTS, "cpu")
RAW_TARGET = {"container": "app", "usage": "requests", "resource": "cpu"}


@pytest.mark.parametrize(
    ("written", "constraints"),
    [
        ([{"reason": "hpa-resource-managed", "targets": [RAW_TARGET]}], (Constraint("hpa-resource-managed", (CPU,)),)),
        ([{"reason": "pause-active", "targets": []}], (Constraint("pause-active"),)),
        ([{"reason": "pod-not-ready"}], (Constraint("pod-not-ready"),)),
        ({"reasons": [{"reasonType": "pause-active", "targets": []}]}, (Constraint("pause-active"),)),
        ([{"name": "hpa-detected", "targets": [RAW_TARGET], "metadata": {}}], (Constraint("hpa-detected", (CPU,)),)),
        (["pause-active"], (Constraint("pause-active"),)),
        ([], ()),
    ],
)
def test_the_engines_record_in_every_form_that_its_sources_show(written: object, constraints: object) -> None:
    record = decode_record({CONSTRAINTS: json.dumps(written)})
    assert record is not None
    assert (record.constraints, record.readable) == (constraints, True)


@pytest.mark.parametrize(
    "written", ["", "{}", "null", "[1]", '[{"targets":[]}]', '[{"reason":"x","targets":[{}]}]', "[" * 9999]
)
def test_a_record_of_no_known_form_is_unreadable(written: str) -> None:
    record = decode_record({CONSTRAINTS: written})
    assert record is not None
    assert (record.readable, record.raw) == (False, written)


def test_no_record() -> None:
    assert decode_record({}) is None


def test_controls() -> None:
    assert decode_controls({}) == Controls()
    controls = decode_controls({"rightsizing.kubex.ai/pause-until": "2026-01-01T00:00:00+01:00"})
    assert controls.pause is not None
    assert controls.pause.until is not None
    assert controls.pause.until.tzinfo == timezone.utc


def test_rollback_state_that_is_no_json_has_no_mode() -> None:
    rollback = decode_rollback({"rightsizing.kubex.ai/rollback-state": "{"})
    assert rollback is not None
    assert rollback.mode is None


@pytest.mark.parametrize(
    ("kind", "spec", "limit"),
    [
        ("Deployment", {}, "25%"),
        ("Deployment", {"strategy": {"rollingUpdate": {"maxUnavailable": 2}}}, "2"),
        ("Deployment", {"strategy": {"type": "Recreate"}}, None),
        ("StatefulSet", {}, "1"),
        ("StatefulSet", {"updateStrategy": {"type": "OnDelete"}}, None),
        ("Rollout", {"strategy": {"blueGreen": {}}}, None),
        ("Job", {}, None),
    ],
)
def test_max_unavailable(kind: str, spec: dict[str, Any], limit: str | None) -> None:
    assert max_unavailable_of(raw("v1", kind, "web", "shop", spec=spec)).limit == limit


def test_budgets() -> None:
    pod = raw("v1", "Pod", "web-1", "shop", metadata={"labels": {"app": "web"}})

    def budget(selector: object, **status: object) -> dict[str, Any]:
        return raw("policy/v1", "PodDisruptionBudget", "web", "shop", spec={"selector": selector}, status=status)

    web = {"matchLabels": {"app": "web"}}
    assert budget_allows(None, [pod]) is None
    assert budget_allows([budget({"matchLabels": {"app": "db"}}, disruptionsAllowed=0)], [pod]) == UNLIMITED
    assert budget_allows([budget(web, disruptionsAllowed=2), budget({}, disruptionsAllowed=1)], [pod]) == 1
    assert budget_allows([budget(web)], [pod]) is None
    assert budget_allows([budget({"matchExpressions": [{"key": "app", "operator": "Exists"}]})], [pod]) is None


def test_a_node_counts_what_the_scheduler_counts() -> None:
    spec = {
        "nodeName": "n1", "overhead": {"cpu": "10m"}, "containers": [a_container("app", {"cpu": "100m"})],
        "initContainers": [{**a_container("proxy", {"cpu": "50m"}), "restartPolicy": "Always"},
                           a_container("migrate", {"cpu": "500m"})],
    }  # fmt: skip
    pods = [raw("v1", "Pod", "web", "shop", spec=spec), raw("v1", "Pod", "other", "shop", spec={"nodeName": "n2"})]
    node = decode_node(raw("v1", "Node", "n1", status={"allocatable": {"cpu": "4"}}), pods)
    assert node.requested == {"cpu": "0.56", "memory": "0"}


SUBJECT, READ = Scene().read()


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("LimitRange", "limit_ranges"), ("ResourceQuota", "quotas"), ("HorizontalPodAutoscaler", "hpas"),
        ("VerticalPodAutoscaler", "vpas"), ("Namespace", "namespace"), ("GlobalConfiguration", "configuration"),
    ],
)  # fmt: skip
def test_a_kind_that_was_not_read_is_none_and_never_empty(kind: str, field: str) -> None:
    assert getattr(plan_facts_of(SUBJECT, READ), field) is not None
    without = Objects({name: found for name, found in READ.by_kind.items() if name != kind})
    assert getattr(plan_facts_of(SUBJECT, without), field) is None


@pytest.mark.parametrize(("reason", "vpas"), [(GapReason.NOT_SERVED, ()), (GapReason.FORBIDDEN, None)])
def test_a_kind_that_is_not_served_has_no_objects(reason: GapReason, vpas: object) -> None:
    by_kind = {name: found for name, found in READ.by_kind.items() if name != "VerticalPodAutoscaler"}
    gap = Gap("VerticalPodAutoscaler", reason)
    assert plan_facts_of(SUBJECT, Objects(by_kind, (gap,))).vpas == vpas


def test_the_jobs_of_a_cron_job_are_owners() -> None:
    skip = "rightsizing.kubex.ai/skip-containers"
    job = raw("batch/v1", "Job", "web-1", "shop", metadata={"annotations": {skip: "app"}})
    pod = a_pod(metadata={"ownerReferences": [{"kind": "Job", "name": "web-1", "controller": True}]})
    cron = raw_workload(kind="CronJob")
    reference = WorkloadReference(None, "web")
    known = plan_facts_of(Subject(reference, cron, (pod,), between=(job,)), READ).pods["web-1"].owners
    assert known is not None
    assert [(owner.kind, owner.controls.skip) for owner in known] == [("Job", "app")]
    assert plan_facts_of(Subject(reference, cron, (pod,)), READ).pods["web-1"].owners is None


def test_nothing_read_is_nothing_known() -> None:
    facts = plan_facts_of(Subject(WorkloadReference(None, "web"), raw_workload(), None), Objects())
    assert facts.workload is not None
    assert facts == replace(PlanFacts(), workload=facts.workload)


@settings(max_examples=300, deadline=None)
@given(json_values(), json_values(), st.sampled_from(PLAN_KINDS))
def test_odd_objects_never_raise(spec: Any, status: Any, kind: str) -> None:
    odd = {"kind": kind, "metadata": {"name": "web", "namespace": "shop"}, "spec": spec, "status": status}
    name = {"GlobalConfiguration": "global-config", "Namespace": "shop", "Node": "n1"}.get(kind, "web")
    odd["metadata"]["name"] = name
    objects = Objects({**READ.by_kind, kind: (odd,)})
    plan_facts_of(SUBJECT, objects)
    plan_facts_of(replace(SUBJECT, workload={**odd, "kind": "Deployment"}, pods=(odd,)), objects)
