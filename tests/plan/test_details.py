"""What the digest says of single checks (engine.md 5.4), beyond one case a code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from kubectl_kubex.core.model import PolicyRef, Target, Usage
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import Controls, Owner
from kubectl_kubex.core.plan.model import Method, Outcome, Path, Result
from kubectl_kubex.core.plan.settings import settings_of
from kubectl_kubex.core.plan.strategy import Safety, Strategy
from tests.builders import raw
from tests.plan.scenes import (
    LIMIT,
    MEMORY,
    NOW,
    REQUEST,
    Scene,
    Supply,
    a_container,
    a_limit_range,
    a_node,
    a_pod,
    a_quota,
    a_strategy,
    a_vpa,
    an_hpa,
    applied,
    cpu_memory,
    resources,
    results,
    scales_on,
    verdicts,
)

GROUP = "rightsizing.kubex.ai"
UNTIL, REASON, SKIP = f"{GROUP}/pause-until", f"{GROUP}/pause-reason", f"{GROUP}/skip-containers"
INHERITED = f"{GROUP}/inherited-control-state"
FUTURE, PAST = "2026-08-05T20:00:00Z", "2026-08-05T08:00:00Z"
APP = a_container("app", cpu_memory("250m", "256Mi"), cpu_memory("1", "1Gi"))


def removed_by(scene: Scene, path: Path = Path.CONTROLLER) -> dict[Target, Code | None]:
    return {action.target: action.removed_by for action in scene.plan(path).actions}


# --- Pauses ---


@pytest.mark.parametrize(
    ("pod", "namespace", "owner", "outcome"),
    [
        ({}, {}, {}, Outcome.READY),
        ({UNTIL: "infinite"}, {}, {}, Outcome.BLOCKED),
        ({UNTIL: FUTURE}, {UNTIL: PAST}, {}, Outcome.BLOCKED),
        ({UNTIL: PAST}, {}, {}, Outcome.READY),
        ({UNTIL: PAST}, {UNTIL: PAST}, {}, Outcome.READY),
        ({UNTIL: PAST}, {UNTIL: FUTURE}, {}, Outcome.UNDETERMINED),
        ({UNTIL: PAST}, {UNTIL: "infinite"}, {}, Outcome.UNDETERMINED),
        ({UNTIL: "soon"}, {}, {}, Outcome.UNDETERMINED),
        ({}, {UNTIL: FUTURE}, {}, Outcome.BLOCKED),
        ({}, {UNTIL: "next week"}, {}, Outcome.UNDETERMINED),
        ({}, {UNTIL: PAST}, {}, Outcome.READY),
        ({}, {}, {UNTIL: FUTURE}, Outcome.UNDETERMINED),
        ({}, {}, {UNTIL: PAST}, Outcome.READY),
    ],
)
def test_pause(pod: dict[str, str], namespace: dict[str, str], owner: dict[str, str], outcome: Outcome) -> None:
    scene = Scene(pods=(a_pod(containers=(APP,), annotations=pod),), namespace=namespace, annotations=owner)
    assert scene.plan().outcome is outcome


def test_pause_says_where_from_why_and_until() -> None:
    pause = {UNTIL: FUTURE, REASON: "release freeze", INHERITED: "{}"}
    plan = Scene(pods=(a_pod(containers=(APP,), annotations=pause),)).plan()
    (check,) = results(plan, Code.PAUSE_ACTIVE)
    assert check.fact["scope"] == "pod"
    assert check.fact["inherited"] == "true"
    assert (check.fact["reason"], check.fact["until"]) == ("release freeze", FUTURE)
    assert plan.next_allowed == NOW.replace(hour=20)


def test_pause_without_end_has_no_next_time() -> None:
    assert Scene(namespace={UNTIL: "infinite"}).plan().next_allowed is None


def test_pause_check_switched_off() -> None:
    off = {"safetyChecks": {"enablePauseUntilAnnotationCheck": False}}
    assert Scene(namespace={UNTIL: "infinite"}, strategy=off).plan().outcome is Outcome.READY


# --- Settings: strictest of the strategies that supply ---


def both(first: Mapping[str, Any], second: Mapping[str, Any], **changes: Any) -> Scene:
    """Two policies that change cpu and memory, each with a strategy of its own."""
    return Scene(
        supplies=(
            Supply(name="cpu", requests={"app": {"cpu": "500m"}}, digest="AAAA"),
            Supply(name="memory", requests={"app": {"memory": "512Mi"}}, digest="BBBB", strategy="other"),
        ),
        strategy=first,
        objects=(a_strategy(name="other", **second),),
        **changes,
    )


def test_booleans_are_or() -> None:
    paused = {UNTIL: "infinite"}
    off = {"safetyChecks": {"enablePauseUntilAnnotationCheck": False}}
    assert both(off, {}, namespace=paused).plan().outcome is Outcome.BLOCKED
    assert both(off, off, namespace=paused).plan().outcome is Outcome.READY


def test_percentages_are_the_greatest() -> None:
    high = {"safetyChecks": {"minCpuChangePercent": 101}}
    assert removed_by(both({}, high))[REQUEST] is Code.CHANGE_BELOW_THRESHOLD
    assert removed_by(both({}, {}))[REQUEST] is None


def test_durations_are_the_greatest() -> None:
    pods = (a_pod(containers=(APP,), ready=NOW - timedelta(seconds=30)),)
    assert both({}, {"safetyChecks": {"minReadyDuration": "1m"}}, pods=pods).plan().outcome is Outcome.BLOCKED_RETRYING
    assert both({}, {"safetyChecks": {"minReadyDuration": "30s"}}, pods=pods).plan().outcome is Outcome.READY


def test_methods_are_what_all_allow() -> None:
    assert both({"inPlaceResize": {"enabled": False}}, {}).plan().methods == (Method.EVICTION,)
    assert both({}, {"podEviction": {"enabled": False}}).plan().methods == (Method.IN_PLACE,)


def test_losers_do_not_contribute() -> None:
    scene = Scene(
        supplies=(
            Supply(name="winner", requests={"app": {"cpu": "500m"}}, digest="AAAA", weight=10),
            Supply(name="loser", requests={"app": {"cpu": "700m"}}, digest="BBBB", strategy="other"),
        ),
        objects=(a_strategy(name="other", scheduling={"exclusionWindows": [{}]}, podEviction={"enabled": False}),),
    )
    plan = scene.plan()
    assert plan.outcome is Outcome.READY
    assert plan.methods == (Method.IN_PLACE, Method.EVICTION)


def test_whether_a_strategy_without_a_change_counts_is_open() -> None:
    closed: dict[str, Any] = {"scheduling": {"exclusionWindows": [{}]}}
    scene = both({}, closed)
    assert scene.plan().outcome is Outcome.BLOCKED_RETRYING
    same = scene.having(containers=(a_container("app", cpu_memory("250m", "512Mi"), cpu_memory("1", "1Gi")),))
    plan = same.plan()
    assert plan.outcome is Outcome.UNDETERMINED
    (check,) = results(plan, Code.SCHEDULING_WINDOW_BLOCKED)
    assert check.fact == {"open": "supplier"}


def test_a_strategy_whose_only_action_is_uncertain_may_count_and_may_not() -> None:
    scene = both({}, {"scheduling": {"exclusionWindows": [{}]}}).having(
        containers=(a_container("app", cpu_memory("250m", "489Mi"), cpu_memory("1", "1Gi")),)
    )
    plan = scene.plan()
    assert verdicts(plan, Code.CHANGE_BELOW_THRESHOLD) == {Result.UNKNOWN}
    assert verdicts(plan, Code.SCHEDULING_WINDOW_BLOCKED) == {Result.UNKNOWN}
    assert plan.outcome is Outcome.UNDETERMINED


# --- Windows and the next time ---


def test_next_allowed_is_when_the_last_of_all_opens() -> None:
    window = {"start": "20:00", "end": "23:00", "timezone": "Europe/London"}
    late = {"start": "21:30", "end": "22:30"}
    plan = both({"scheduling": {"inclusionWindows": [window]}}, {"scheduling": {"inclusionWindows": [late]}}).plan()
    assert plan.outcome is Outcome.BLOCKED_RETRYING
    assert plan.next_allowed == NOW.replace(hour=21, minute=30)
    (check,) = results(plan, Code.SCHEDULING_WINDOW_BLOCKED)
    assert check.fact["zone"] == "Europe/London"


def test_next_allowed_waits_for_the_pause_and_then_the_window() -> None:
    scheduling = {"scheduling": {"inclusionWindows": [{"start": "18:00", "end": "20:00"}]}}
    plan = Scene(namespace={UNTIL: FUTURE}, strategy=scheduling).plan()
    assert plan.next_allowed == (NOW + timedelta(days=1)).replace(hour=18)


def test_next_allowed_is_unknown_where_more_than_time_holds() -> None:
    scheduling = {"scheduling": {"inclusionWindows": [{"start": "18:00", "end": "20:00"}]}}
    plan = Scene(strategy=scheduling, configuration={"automationEnabled": False}).plan()
    assert (plan.outcome, plan.next_allowed) == (Outcome.BLOCKED, None)


def test_never_open() -> None:
    plan = Scene(strategy={"scheduling": {"exclusionWindows": [{"start": "00:00", "end": "24:00"}]}}).plan()
    assert (plan.outcome, plan.next_allowed) == (Outcome.BLOCKED_RETRYING, None)


def test_overnight_weekdays_that_can_be_read_two_ways_are_open() -> None:
    window = {"start": "22:00", "end": "06:00", "weekdays": ["Wed"]}
    pods = (a_pod(containers=(APP,), ready=NOW - timedelta(days=1)),)
    scene = Scene(strategy={"scheduling": {"inclusionWindows": [window]}}, pods=pods)
    assert scene.having(now=NOW.replace(hour=5)).plan().outcome is Outcome.UNDETERMINED
    assert scene.having(now=NOW.replace(hour=23)).plan().outcome is Outcome.READY
    assert scene.having(now=NOW.replace(hour=21)).plan().outcome is Outcome.BLOCKED_RETRYING


def test_admission_knows_no_windows() -> None:
    scene = Scene(strategy={"scheduling": {"exclusionWindows": [{}]}})
    assert scene.plan(Path.ADMISSION).outcome is Outcome.READY


# --- Thresholds ---


@pytest.mark.parametrize(
    ("wanted", "result"),
    [
        ("261m", Result.FILTERED),
        ("261250u", Result.UNKNOWN),
        ("262m", Result.UNKNOWN),
        ("262500u", Result.UNKNOWN),
        ("263m", Result.PASSED),
    ],
    ids=["4.4", "4.5-rounds", "4.8-rounds", "5.0-equal", "5.2"],
)
def test_threshold_boundary(wanted: str, result: Result) -> None:
    plan = Scene(requests={"app": {"cpu": wanted}}).plan()
    assert verdicts(plan, Code.CHANGE_BELOW_THRESHOLD) == {result}


def test_threshold_is_of_the_clamped_value() -> None:
    floor = {"enablement": {"cpu": {"requests": {"floor": "255m"}}}}
    plan = Scene(requests={"app": {"cpu": "100m"}}, strategy=floor).plan()
    assert plan.actions[0].removed_by is Code.CHANGE_BELOW_THRESHOLD
    (check,) = results(plan, Code.CHANGE_BELOW_THRESHOLD)
    assert (check.fact["percent"], check.fact["min"]) == ("2.0", "5")


def test_unset_is_not_thresholded_and_gpu_neither() -> None:
    all_directions = {"upsize": True, "downsize": True, "setFromUnspecified": True}
    gpu = {"gpu": {"requests": all_directions}, "overrideScheduler": "kai"}
    pods = (a_pod(containers=(a_container("app"),), annotations={"gpu-fraction": "0.50"}),)
    scene = Scene(
        requests={"app": {"gpu": "0.51", "cpu": "1m"}}, containers=(a_container("app"),), pods=pods,
        strategy={"enablement": gpu},
    )  # fmt: skip
    assert verdicts(scene.plan(), Code.CHANGE_BELOW_THRESHOLD) == {Result.PASSED}


# --- Bounds ---


def test_each_side_of_a_container_bound_falls_back_by_itself() -> None:
    bounds = {"floor": "100m", "ceiling": "400m", "containers": {"app": {"floor": "200m"}}}
    gate = {"enablement": {"cpu": {"requests": bounds}}}
    low, high = (Scene(requests={"app": {"cpu": cpu}}, strategy=gate).plan() for cpu in ("50m", "2"))
    assert low.actions[0].effective == "200m"
    assert high.actions[0].effective == "400m"


def test_clamped_to_the_current_value_is_nothing_to_do() -> None:
    gate = {"enablement": {"cpu": {"requests": {"ceiling": "0.25"}}}}
    plan = Scene(strategy=gate).plan()
    assert (plan.outcome, plan.actions[0].removed_by) == (Outcome.NOTHING_TO_DO, Code.NO_RESIZE_NEEDED)


def test_limit_range_of_a_value_that_a_bound_moves_inside_is_open() -> None:
    gate = {"enablement": {"cpu": {"requests": {"ceiling": "400m"}}}}
    plan = Scene(strategy=gate, objects=(a_limit_range(max={"cpu": "450m"}),)).plan()
    assert plan.outcome is Outcome.UNDETERMINED


# --- QoS, sidecars, defaults ---

GUARANTEED = a_container("demo", cpu_memory("400m", "256Mi"), cpu_memory("400m", "256Mi"))
RETAIN: dict[str, Any] = {"safetyChecks": {"retainGuaranteedQOS": True}}


def test_guaranteed_requests_follow_limits() -> None:
    plan = Scene(limits={"demo": cpu_memory("300m", "200Mi")}, containers=(GUARANTEED,), strategy=RETAIN).plan()
    assert applied(plan, "demo") == (cpu_memory("300m", "200Mi"), cpu_memory("300m", "200Mi"))
    assert len(plan.actions) == 4


def test_guaranteed_request_without_a_limit_action_stays() -> None:
    plan = Scene(requests={"demo": {"cpu": "300m"}}, containers=(GUARANTEED,), strategy=RETAIN).plan()
    assert plan.outcome is Outcome.NOTHING_TO_DO


def test_without_the_setting_a_guaranteed_pod_may_become_burstable() -> None:
    plan = Scene(requests={"demo": {"cpu": "300m"}}, containers=(GUARANTEED,)).plan()
    assert applied(plan, "demo")[0]["cpu"] == "300m"


def test_burstable_pods_are_left_alone_by_the_setting() -> None:
    plan = Scene(requests={}, limits={"app": {"cpu": "900m"}}, strategy=RETAIN).plan()
    assert applied(plan) == (cpu_memory("250m", "256Mi"), cpu_memory("900m", "1Gi"))


def test_only_native_sidecars_among_init_containers_are_resized() -> None:
    init = [
        {**a_container("proxy", {"cpu": "100m"}), "restartPolicy": "Always"},
        a_container("migrate", {"cpu": "100m"}),
    ]
    pods = (a_pod(containers=(APP,), spec={"initContainers": init}),)
    plan = Scene(requests={"*": {"cpu": "500m"}}, pods=pods, template={"initContainers": init}).plan()
    assert {action.container for action in plan.actions} == {"app", "proxy"}
    assert resources(plan.result, "migrate")[0] == {"cpu": "100m"}


def test_admission_starts_from_the_defaults_of_the_limit_range() -> None:
    scene = Scene(
        containers=(a_container("app"),),
        objects=(a_limit_range(default={"cpu": "2"}, defaultRequest={"cpu": "300m"}),),
    )
    assert scene.plan(Path.ADMISSION).actions[0].current == "300m"
    unread = scene.having(change={"limit_ranges": None}).plan(Path.ADMISSION)
    assert unread.outcome is Outcome.UNDETERMINED
    assert Result.UNKNOWN in verdicts(unread, Code.CURRENT_UNKNOWN)


def test_admission_takes_an_unset_request_from_the_limit() -> None:
    plan = Scene(containers=(a_container("app", {}, {"cpu": "1"}),)).plan(Path.ADMISSION)
    assert plan.actions[0].current == "1"


# --- Autoscalers ---


def test_hpa_resource_holds_all_containers_and_both_usages() -> None:
    scene = Scene(
        requests={"*": cpu_memory("500m", "512Mi")}, limits={"app": {"cpu": "2"}},
        containers=(APP, a_container("sidecar", cpu_memory("250m", "256Mi"))), objects=(an_hpa(scales_on("cpu")),),
    )  # fmt: skip
    held = {target for target, code in removed_by(scene).items() if code is Code.HPA_RESOURCE_MANAGED}
    assert held == {REQUEST, LIMIT, Target("sidecar", Usage.REQUESTS, "cpu")}


def test_hpa_container_resource_holds_its_container() -> None:
    scene = Scene(
        requests={"*": {"cpu": "500m"}}, containers=(APP, a_container("sidecar", {"cpu": "250m"})),
        objects=(an_hpa(scales_on("cpu", "sidecar")),),
    )  # fmt: skip
    held = {target for target, code in removed_by(scene).items() if code is Code.HPA_RESOURCE_MANAGED}
    assert held == {Target("sidecar", Usage.REQUESTS, "cpu")}


@pytest.mark.parametrize(
    "managed", [{"labels": {"scaledobject.keda.sh/name": "web"}}, {"ownerReferences": [{"kind": "ScaledObject"}]}]
)
def test_keda_with_other_metrics_holds_cpu_and_memory(managed: dict[str, Any]) -> None:
    external = {"type": "External", "external": {"metric": {"name": "queue"}}}
    scene = Scene(requests={"app": cpu_memory("500m", "512Mi")}, objects=(an_hpa(external, **managed),))
    assert set(removed_by(scene).values()) == {Code.HPA_RESOURCE_MANAGED}
    assert set(removed_by(scene.having(objects=(an_hpa(external),))).values()) == {None}


def test_hpa_of_autoscaling_v1_scales_on_cpu() -> None:
    hpa = an_hpa()
    hpa["spec"]["targetCPUUtilizationPercentage"] = 80
    assert set(removed_by(Scene(objects=(hpa,))).values()) == {Code.HPA_RESOURCE_MANAGED}


def test_hpa_of_another_workload_or_switched_off_holds_nothing() -> None:
    assert set(removed_by(Scene(objects=(an_hpa(scales_on("cpu"), name="other"),))).values()) == {None}
    off = {"safetyChecks": {"enableHpaFilter": False}}
    assert set(removed_by(Scene(objects=(an_hpa(scales_on("cpu")),), strategy=off)).values()) == {None}


def test_vpa_second_stage_ignores_the_mode_and_minds_the_usage() -> None:
    policy = {"containerPolicies": [
        {"containerName": "app", "controlledResources": ["cpu"], "controlledValues": "RequestsOnly"}
    ]}  # fmt: skip
    vpa = a_vpa("Off", resourcePolicy=policy)
    on = {"safetyChecks": {"blockResizeOnVpaControlledResources": True}}
    scene = Scene(
        requests={"app": cpu_memory("500m", "512Mi")}, limits={"app": {"cpu": "2"}}, objects=(vpa,), strategy=on
    )
    assert removed_by(scene) == {REQUEST: Code.VPA_RESOURCE_MANAGED, MEMORY: None, LIMIT: None}
    off = {"safetyChecks": {"blockResizeOnVpaControlledResources": True, "enableVpaFilter": False}}
    assert set(removed_by(scene.having(strategy=off)).values()) == {None}
    assert set(removed_by(scene.having(strategy={})).values()) == {None}


def test_vpa_without_update_mode_is_auto() -> None:
    scene = Scene(objects=(a_vpa(None, {"app": {"cpu": "1"}}),))
    assert set(removed_by(scene).values()) == {Code.VPA_RESOURCE_MANAGED}


# --- Capacity, quota, pod range ---


def test_node_headroom_is_a_percentage_of_allocatable_or_a_quantity() -> None:
    scene = Scene(objects=(a_node("556m"),))
    assert removed_by(scene)[REQUEST] is None  # 556m - 55.6m - 250m > 250m
    fixed = {"safetyChecks": {"nodeCpuHeadroom": "57m"}}
    assert removed_by(scene.having(strategy=fixed))[REQUEST] is Code.NODE_CAPACITY_INSUFFICIENT


def test_node_counts_all_its_pods() -> None:
    spec = {"nodeName": "n1", "containers": [a_container("x", {"cpu": "15"})]}
    neighbour = raw("v1", "Pod", "big", "elsewhere", spec=spec, status={"phase": "Running"})
    assert removed_by(Scene(objects=(neighbour,)))[REQUEST] is Code.NODE_CAPACITY_INSUFFICIENT
    ended = {**neighbour, "status": {"phase": "Succeeded"}}
    assert removed_by(Scene(objects=(ended,)))[REQUEST] is None


def test_increases_that_fit_only_one_by_one_are_open() -> None:
    scene = Scene(
        requests={"*": {"cpu": "500m"}},
        containers=(a_container("app", {"cpu": "250m"}), a_container("sidecar", {"cpu": "250m"})),
        objects=(a_node("900m"),),
    )
    plan = scene.plan()
    assert verdicts(plan, Code.NODE_CAPACITY_INSUFFICIENT) == {Result.UNKNOWN}
    assert plan.outcome is Outcome.UNDETERMINED


def test_decreases_need_no_room() -> None:
    scene = Scene(requests={"app": {"cpu": "100m"}}, objects=(a_node("1m"),), without=frozenset({"Pod"}))
    assert removed_by(scene)[REQUEST] is None


@pytest.mark.parametrize(
    ("quota", "outcome"),
    [
        (a_quota({"limits.cpu": "1"}, {"limits.cpu": "1"}), Outcome.READY),
        (a_quota({"cpu": "1"}, {"cpu": "900m"}), Outcome.BLOCKED),
        (a_quota({"requests.cpu": "1"}), Outcome.UNDETERMINED),
        (a_quota({"requests.cpu": "1"}, {"requests.cpu": "1"}, scopes=["BestEffort"]), Outcome.UNDETERMINED),
        (a_quota({"pods": "1"}, {"pods": "1"}), Outcome.READY),
    ],
    ids=["not-asked-for", "short-name", "not-counted-yet", "scoped", "other-resource"],
)
def test_quota(quota: dict[str, Any], outcome: Outcome) -> None:
    assert Scene(objects=(quota,)).plan().outcome is outcome


def test_quota_counts_a_new_pod_as_a_whole() -> None:
    scene = Scene(
        requests={"app": {"cpu": "200m"}}, objects=(a_quota({"requests.cpu": "1"}, {"requests.cpu": "900m"}),)
    )
    assert scene.plan().outcome is Outcome.READY
    assert scene.plan(Path.ADMISSION).outcome is Outcome.BLOCKED


# --- GPU ---

GPU_GATES = {"requests": {"upsize": True, "downsize": True, "setFromUnspecified": True}}


def test_gpu_is_off_by_default() -> None:
    scene = Scene(requests={"app": {"gpu": "1"}}, containers=(a_container("app"),))
    assert set(removed_by(scene).values()) == {Code.AUTOMATION_STRATEGY_DISABLED}


def test_whole_devices_of_several_containers_are_open() -> None:
    scene = Scene(
        requests={"app": {"gpu": "1"}, "sidecar": {"gpu": "2"}},
        containers=(a_container("app"), a_container("sidecar")),
        strategy={"enablement": {"gpu": GPU_GATES}},
    )
    assert verdicts(scene.plan(), Code.GPU_PLAN_CONSISTENCY) == {Result.UNKNOWN}


def test_resources_without_a_gate_are_open() -> None:
    plan = Scene(requests={"app": {"ephemeral-storage": "1Gi"}}).plan()
    (check,) = results(plan, Code.AUTOMATION_STRATEGY_DISABLED)
    assert (check.result, check.fact["open"]) == (Result.UNKNOWN, "no-gate")


# --- Pods, groups, paths ---


def test_pods_in_the_same_case_share_a_plan_whatever_the_spelling() -> None:
    other = a_container("app", cpu_memory("0.25", "268435456"), cpu_memory("1000m", "1024Mi"))
    big = a_container("app", cpu_memory("500m", "256Mi"), cpu_memory("1", "1Gi"))
    pods = (a_pod("web-3", (big,)), a_pod("web-2", (other,)), a_pod("web-1", (APP,)))
    plans = [plan for plan in Scene(pods=pods).plans() if plan.path is Path.CONTROLLER]
    assert [(plan.pods, plan.outcome) for plan in plans] == [
        (("web-1", "web-2"), Outcome.READY),
        (("web-3",), Outcome.NOTHING_TO_DO),
    ]


def test_ended_pods_have_no_plan() -> None:
    pods = (a_pod("web-1", (APP,)), a_pod("web-0", (APP,), status={"phase": "Succeeded"}))
    assert Scene(pods=pods).plan().pods == ("web-1",)


def test_without_pods_the_template_stands_in() -> None:
    plan = Scene(pods=()).plan()
    assert (plan.pods, plan.outcome) == ((), Outcome.READY)


def test_without_a_template_admission_is_undetermined() -> None:
    scene = Scene(workload={"kind": "Model"})
    plan = scene.plan(Path.ADMISSION)
    assert plan.outcome is Outcome.UNDETERMINED
    assert plan.result is None


def test_blocked_pods_keep_what_they_have() -> None:
    plan = Scene(configuration={"automationEnabled": False}).plan()
    assert resources(plan.result)[0]["cpu"] == "250m"
    assert resources(plan.proposal)[0]["cpu"] == "500m"


def test_a_resize_under_way_is_open_and_shown() -> None:
    pod = a_pod(containers=(a_container("app", {"cpu": "500m"}),), status={
        "containerStatuses": [{"name": "app", "resources": {"requests": {"cpu": "250m"}}}],
    })  # fmt: skip
    plan = Scene(pods=(pod,)).plan()
    (check,) = results(plan, Code.RESIZE_IN_PROGRESS)
    assert (check.fact["spec"], check.fact["status"]) == ("500m", "250m")
    assert plan.outcome is Outcome.UNDETERMINED


# --- Undetermined winners and unresolved strategies ---


def test_undetermined_winner_leaves_the_plan_open() -> None:
    supplies = (
        Supply("StaticPolicy", "one", {"app": {"cpu": "500m"}}, digest="AAAA"),
        Supply("ProactivePolicy", "two", {"app": {"cpu": "600m"}}, digest="BBBB"),
    )
    unlisted = raw(f"{GROUP}/v1alpha1", "PolicyEvaluation", "policy-evaluation", spec={"precedence": []})
    scene = Scene(supplies=supplies, objects=(unlisted,))
    plan = scene.plan()
    assert plan.outcome is Outcome.UNDETERMINED
    assert verdicts(plan, Code.SELECTION_UNDETERMINED) == {Result.UNKNOWN}
    assert plan.actions[0].value_open


def test_target_filters_are_certain_of_an_undetermined_winner_too() -> None:
    """Whoever wins cpu, the container is skipped; memory, which is determined, is what is left."""
    supplies = (
        Supply("StaticPolicy", "one", {"app": {"cpu": "500m"}, "sidecar": {"cpu": "500m"}}, digest="AAAA"),
        Supply("ProactivePolicy", "two", {"app": {"cpu": "600m"}}, digest="BBBB"),
    )
    unlisted = raw(f"{GROUP}/v1alpha1", "PolicyEvaluation", "policy-evaluation", spec={"precedence": []})
    scene = Scene(
        supplies=supplies, objects=(unlisted,), annotations={SKIP: "app"},
        containers=(APP, a_container("sidecar", {"cpu": "100m"})),
    )  # fmt: skip
    assert removed_by(scene)[REQUEST] is Code.CONTAINER_SKIP_ACTIVE


def test_certain_block_beats_what_is_open() -> None:
    scene = both({}, {"podEviction": {"enabled": "perhaps"}}, configuration={"automationEnabled": False})
    assert scene.plan().outcome is Outcome.BLOCKED


@pytest.mark.parametrize(
    ("change", "missing"),
    [({"strategies": {}}, "missing"), ({"strategies": None}, "unread")],
)
def test_unresolved_strategy_says_why(change: dict[str, Any], missing: str) -> None:
    (check,) = results(Scene(change=change).plan(), Code.STRATEGY_UNRESOLVED)
    assert (check.fact["missing"], check.fact["strategy"]) == (missing, "default")


def test_cluster_policy_takes_the_cluster_strategy() -> None:
    everywhere = {"namespaceSelector": {"operator": "In", "values": ["*"]}}
    supply = Supply("ClusterStaticPolicy", requests={"app": {"cpu": "500m"}}, spec={"scope": everywhere})
    plan = Scene(supplies=(supply,)).plan()
    assert plan.outcome is Outcome.READY
    strategy = plan.actions[0].strategy
    assert strategy is not None
    assert (strategy.kind, strategy.namespace) == ("ClusterAutomationStrategy", None)


def test_rollback_policies_have_no_strategy() -> None:
    supply = Supply("RollbackPolicy", requests={"app": {"cpu": "500m"}})
    (check,) = results(Scene(supplies=(supply,)).plan(), Code.STRATEGY_UNRESOLVED)
    assert check.fact["missing"] == "kind-without-strategy"


# --- maxUnavailable and disruption budgets ---


@pytest.mark.parametrize(
    ("limit", "ready", "down", "result"),
    [
        ("25%", 1, 0, Result.PASSED),
        (0, 3, 0, Result.FAILED),
        (1, 3, 0, Result.PASSED),
        (1, 2, 1, Result.FAILED),
        ("30%", 4, 1, Result.UNKNOWN),
        ("50%", 3, 1, Result.PASSED),
        ("0%", 3, 0, Result.FAILED),
    ],
)
def test_max_unavailable(limit: int | str, ready: int, down: int, result: Result) -> None:
    pods = [a_pod(f"web-{i}", (APP,)) for i in range(ready)]
    pods += [a_pod(f"web-{ready + i}", (APP,), ready=None) for i in range(down)]
    spec = {"replicas": ready + down, "strategy": {"rollingUpdate": {"maxUnavailable": limit}}}
    plan = Scene(pods=tuple(pods), spec=spec).plans()[0]
    assert verdicts(plan, Code.MAX_UNAVAILABLE_EXCEEDED) == {result}


def test_eviction_that_is_not_retried_is_blocked_for_good() -> None:
    budget = {
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}}, "status": {"disruptionsAllowed": 0},
    }  # fmt: skip
    for retry, outcome in ((True, Outcome.BLOCKED_RETRYING), (False, Outcome.BLOCKED)):
        eviction = {"inPlaceResize": {"enabled": False}, "podEviction": {"retryPodDisruptionBudget": retry}}
        assert Scene(strategy=eviction, objects=(budget,)).plan().outcome is outcome


# --- Worlds: checks of all actions together, where it is not certain which are left ---


def worlds(limit: str, request: str = "500m") -> Scene:
    """A limit that may or may not be below the threshold, beside a request that certainly is not."""
    return Scene(
        requests={"app": {"cpu": request}},
        limits={"app": {"cpu": limit}},
        containers=(a_container("app", {"cpu": "250m"}, {"cpu": "1"}),),
    )


def test_a_block_in_one_world_only_is_open() -> None:
    plan = worlds("1048m", "1010m").plan()
    assert verdicts(plan, Code.CHANGE_BELOW_THRESHOLD) == {Result.UNKNOWN}
    assert verdicts(plan, Code.REQUESTS_EXCEED_LIMITS) == {Result.UNKNOWN}
    assert plan.outcome is Outcome.UNDETERMINED


def test_a_block_in_every_world_is_certain() -> None:
    plan = worlds("1048m", "1100m").plan()
    assert verdicts(plan, Code.REQUESTS_EXCEED_LIMITS) == {Result.FAILED}
    assert plan.outcome is Outcome.BLOCKED


def test_a_check_that_passes_in_every_world_passes() -> None:
    plan = worlds("1048m").plan()
    assert verdicts(plan, Code.REQUESTS_EXCEED_LIMITS) == {Result.PASSED}
    assert plan.outcome is Outcome.UNDETERMINED


def test_a_pod_total_that_is_out_of_range_in_one_world_only_is_open() -> None:
    scene = Scene(
        requests={"app": {"cpu": "262m"}, "sidecar": {"cpu": "500m"}},
        containers=(a_container("app", {"cpu": "250m"}), a_container("sidecar", {"cpu": "100m"})),
        objects=(a_limit_range("Pod", max={"cpu": "755m"}),),
    )
    plan = scene.plan()
    assert verdicts(plan, Code.POD_LIMIT_RANGE_VIOLATED) == {Result.FILTERED, Result.UNKNOWN}
    certain = scene.having(objects=(a_limit_range("Pod", max={"cpu": "700m"}),)).plan()
    assert verdicts(certain, Code.POD_LIMIT_RANGE_VIOLATED) == {Result.FILTERED}
    assert certain.outcome is Outcome.NOTHING_TO_DO


def test_open_values_leave_checks_alone_that_they_do_not_concern() -> None:
    plan = Scene(change={"strategies": None}).plan()
    assert verdicts(plan, Code.RESOURCE_QUOTA_EXCEEDED) == {Result.PASSED}
    assert verdicts(plan, Code.GPU_PLAN_CONSISTENCY) == {Result.PASSED}
    assert verdicts(plan, Code.REQUESTS_EXCEED_LIMITS) == {Result.UNKNOWN}


def test_more_uncertain_actions_than_can_be_counted_out_are_open() -> None:
    names = [f"c{index}" for index in range(5)]
    scene = Scene(
        requests={"*": {"cpu": "262m"}},
        containers=tuple(a_container(name, {"cpu": "250m"}) for name in names),
    )
    assert verdicts(scene.plan(), Code.REQUESTS_EXCEED_LIMITS) == {Result.UNKNOWN}


def test_a_pod_that_is_not_there_yet_may_count_as_unavailable() -> None:
    spec = {"replicas": 3, "strategy": {"rollingUpdate": {"maxUnavailable": 1}}}
    pods = tuple(a_pod(f"web-{index}", (APP,)) for index in range(2))
    plan = Scene(pods=pods, spec=spec).plan()
    assert verdicts(plan, Code.MAX_UNAVAILABLE_EXCEEDED) == {Result.UNKNOWN}


# --- Edges ---


def test_a_node_with_exactly_the_room_is_enough() -> None:
    exact = {"safetyChecks": {"nodeCpuHeadroom": "56m"}}
    assert removed_by(Scene(objects=(a_node("556m"),), strategy=exact))[REQUEST] is None


def test_ranges_include_their_ends() -> None:
    ranges = [a_limit_range(kind, kind, min={"cpu": "500m"}, max={"cpu": "500m"}) for kind in ("Container", "Pod")]
    assert removed_by(Scene(objects=tuple(ranges)))[REQUEST] is None


def test_a_quota_that_is_exceeded_already_holds_nobody_who_asks_no_more() -> None:
    quota = a_quota({"limits.cpu": "1", "requests.memory": "1"}, {"limits.cpu": "2", "requests.memory": "2"})
    assert Scene(objects=(quota,)).plan().outcome is Outcome.READY
    less = Scene(requests={"app": {"cpu": "100m"}}, objects=(a_quota({"cpu": "1"}, {"cpu": "2"}),))
    assert less.plan().outcome is Outcome.READY


def test_a_vpa_policy_of_the_container_hides_the_one_of_all() -> None:
    policies = [
        {"containerName": "*", "controlledResources": ["cpu"]},
        {"containerName": "app", "controlledResources": ["memory"]},
    ]
    on = {"safetyChecks": {"blockResizeOnVpaControlledResources": True}}
    vpa = a_vpa("Off", resourcePolicy={"containerPolicies": policies})
    assert removed_by(Scene(objects=(vpa,), strategy=on))[REQUEST] is None


def test_a_default_request_fills_only_what_is_unset() -> None:
    scene = Scene(objects=(a_limit_range(default={"cpu": "9"}, defaultRequest={"cpu": "9"}),))
    assert scene.plan(Path.ADMISSION).actions[0].current == "250m"


def test_a_blank_skip_of_the_nearer_owner_is_open() -> None:
    facts = Scene().facts()
    job = Owner("Job", "web-1", Controls(skip=" , "))
    assert facts.workload is not None
    pods = {"web-1": replace(facts.pods["web-1"], owners=(job,))}
    scene = Scene(change={"pods": pods, "workload": replace(facts.workload, controls=Controls(skip="app"))})
    (check,) = results(scene.plan(), Code.CONTAINER_SKIP_ACTIVE)
    assert (check.result, check.fact["open"]) == (Result.UNKNOWN, "blank-nearer-owner")
    blank = replace(facts.pods["web-1"], owners=(Owner("ReplicaSet", "web-1", Controls(skip=" , ")),))
    hop = scene.having(change={**scene.change, "pods": {"web-1": blank}})
    assert removed_by(hop)[REQUEST] is Code.CONTAINER_SKIP_ACTIVE


def test_the_latest_of_all_ends_counts() -> None:
    pods = (a_pod(containers=(APP,), ready=NOW - timedelta(seconds=5)),)
    assert Scene(pods=pods, namespace={UNTIL: FUTURE}).plan().next_allowed == NOW.replace(hour=20)
    assert Scene(pods=pods).plan().next_allowed == NOW + timedelta(seconds=5)


def test_no_next_time_where_a_strategy_that_may_count_opens_later() -> None:
    early, late = ({"scheduling": {"inclusionWindows": [{"start": start}]}} for start in ("20:00", "21:00"))
    same = (a_container("app", cpu_memory("250m", "512Mi"), cpu_memory("1", "1Gi")),)
    assert both(early, late, containers=same).plan().next_allowed is None
    assert both(early, early, containers=same).plan().next_allowed == NOW.replace(hour=20)


def test_guaranteed_or_not_is_open_where_the_setting_is() -> None:
    """The strategy of memory, which changes nothing, may count, and only it asks to keep the class."""
    scene = Scene(
        supplies=(
            Supply(name="cpu", limits={"demo": {"cpu": "300m"}}, digest="AAAA"),
            Supply(name="memory", requests={"demo": {"memory": "256Mi"}}, digest="BBBB", strategy="other"),
        ),
        containers=(GUARANTEED,),
        objects=(a_strategy(name="other", **RETAIN),),
    )
    plan = scene.plan()
    assert Result.UNKNOWN in verdicts(plan, Code.GUARANTEED_QOS)


@pytest.mark.parametrize(
    ("scheduler", "annotations", "have"),
    [("kai", {}, {"nvidia.com/gpu": "1"}), ("none", {"gpu-fraction": "1"}, {})],
)
def test_the_same_figure_in_the_other_gpu_form_is_open(
    scheduler: str, annotations: dict[str, str], have: dict[str, str]
) -> None:
    container = a_container("app", have, have)
    scene = Scene(
        requests={"app": {"gpu": "1"}}, containers=(container,),
        pods=(a_pod(containers=(container,), annotations=annotations),),
        strategy={"enablement": {"gpu": GPU_GATES, "overrideScheduler": scheduler}},
    )  # fmt: skip
    (check,) = results(scene.plan(), Code.NO_RESIZE_NEEDED)
    assert (check.result, check.fact["open"]) == (Result.UNKNOWN, "gpu-form")


def test_a_payload_whose_policy_cannot_be_named_has_no_strategy() -> None:
    one = Supply(name="one", requests={"app": {"cpu": "500m"}})
    twin = Supply(name="two", requests={"app": {"cpu": "500m"}})
    (check,) = results(Scene(supplies=(one, twin)).plan(), Code.STRATEGY_UNRESOLVED)
    assert check.fact["missing"] == "policy-unknown"


def test_a_policy_that_is_gone_leaves_its_strategy_unknown() -> None:
    hashed = Supply(name="gone", requests={"app": {"cpu": "500m"}}, digest="AAAA")
    scene = Scene(supplies=(hashed,), without=frozenset({"StaticPolicy"}))
    (check,) = results(scene.plan(), Code.STRATEGY_UNRESOLVED)
    assert check.fact["missing"] == "policy-not-found"


def test_settings_of_strategies_none_of_which_surely_counts() -> None:
    on, off = (
        Strategy(PolicyRef("AutomationStrategy", "shop", name), safety=Safety(pause=name == "on"))
        for name in ("on", "off")
    )

    def pause(*possible: Strategy, complete: bool = True) -> bool | None:
        return settings_of((), possible, complete=complete).flag(lambda safety: safety.pause)

    assert pause(on) is True
    assert pause(off) is False
    assert pause(on, off) is None
    assert pause(on, complete=False) is None


def test_rollback_that_wins_while_rolling_back_is_in_order() -> None:
    state = {f"{GROUP}/rollback-state": '{"mode":"rollingBack"}'}
    supply = Supply("RollbackPolicy", requests={"app": {"cpu": "500m"}})
    assert verdicts(Scene(supplies=(supply,), annotations=state).plan(), Code.ROLLBACK_STATE) == {Result.PASSED}
