"""Properties of every plan (issue 5, acceptance 3), over generated scenes that go through the codec."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kubectl_kubex.core.model import Container, Target, Usage
from kubectl_kubex.core.plan import plan_of
from kubectl_kubex.core.plan.amounts import amount
from kubectl_kubex.core.plan.checks.table import BY_CODE
from kubectl_kubex.core.plan.model import Outcome, Path, Plan, Result
from tests.plan.scenes import (
    NOW,
    Scene,
    Supply,
    a_container,
    a_limit_range,
    a_pod,
    a_quota,
    a_strategy,
    a_vpa,
    an_hpa,
    scales_on,
)

CPUS = ("100m", "250m", "256m", "500m", "1", "2")
MEMORIES = ("128Mi", "256Mi", "260Mi", "512Mi", "1Gi", "2Gi")
NAMES = ("app", "sidecar")
SPELLINGS = {
    "100m": "0.1", "250m": "0.25", "256m": "256e-3", "500m": ".5", "1": "1000m", "2": "2000m", "128Mi": "134217728",
    "256Mi": "262144Ki", "260Mi": "266240Ki", "512Mi": "0.5Gi", "1Gi": "1024Mi", "2Gi": "2147483648", "750m": "0.75",
    "1500m": "1.5", "600m": "0.6",
}  # fmt: skip
SWITCHES = ("enableHpaFilter", "enableVpaFilter", "enableLimitRangeFilter")
PLENTY = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])

pytestmark = pytest.mark.slow

flags = st.booleans()
resources = st.fixed_dictionaries({}, optional={"cpu": st.sampled_from(CPUS), "memory": st.sampled_from(MEMORIES)})


@st.composite
def running_containers(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Requests are set, and no request is above its limit, as the API server has it."""
    found = []
    for name in NAMES:
        requests = {"cpu": draw(st.sampled_from(CPUS)), "memory": draw(st.sampled_from(MEMORIES))}
        limits = {r: v for r, v in draw(resources).items() if amount(v) >= amount(requests[r])}  # type: ignore[operator]
        found.append(a_container(name, requests, limits))
    return found


def a_gate() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {}, optional={"upsize": flags, "downsize": flags, "floor": st.just("250m"), "ceiling": st.just("1")}
    )


@st.composite
def strategies(draw: st.DrawFn) -> dict[str, Any]:
    gate = draw(a_gate())
    safety: dict[str, Any] = {}
    for switch in (*SWITCHES, "retainGuaranteedQOS", "enablePodLimitRangeFilter", "requireOwnerPodsReady"):
        if draw(st.integers(0, 3)) == 0:
            safety[switch] = draw(flags)
    safety["minCpuChangePercent"] = draw(st.sampled_from((0, 5, 20)))
    window = {"start": draw(st.sampled_from(("11:00", "13:00"))), "end": "18:00"}
    scheduling = {"inclusionWindows": [window]} if draw(st.integers(0, 4)) == 0 else {}
    return {"enablement": {"cpu": {"requests": gate}}, "safetyChecks": safety, "scheduling": scheduling}


@st.composite
def objects(draw: st.DrawFn) -> list[dict[str, Any]]:
    choices = (
        an_hpa(scales_on("cpu")),
        an_hpa(scales_on("memory", "app")),
        a_vpa(recommended={"app": {"memory": "1Gi"}}),
        a_limit_range(max={"cpu": "1500m"}),
        a_limit_range("Pod", "pod-range", max={"cpu": "2"}),
        a_quota({"requests.cpu": "2"}, {"requests.cpu": "1500m"}),
    )
    return [choice for choice in choices if draw(st.integers(0, 4)) == 0]


@st.composite
def scenes(draw: st.DrawFn, *, one_mind: bool = False) -> Scene:
    """`one_mind`: both strategies have the same safety checks and windows."""
    template = draw(running_containers())
    supplies = []
    for index, digest in enumerate(("AAAA", "BBBB")):
        values = [{name: wanted for name in NAMES if (wanted := draw(resources))} for _ in Usage]
        kind = draw(st.sampled_from(("StaticPolicy", "ProactivePolicy")))
        supplies.append(Supply(kind, f"policy-{index}", values[0], values[1], digest, f"strategy-{index}", index))
    notes = {"rightsizing.kubex.ai/skip-containers": "sidecar"}
    pods = [
        a_pod(f"web-{index}", draw(running_containers()) if draw(flags) else template,
              annotations=notes if draw(st.integers(0, 4)) == 0 else {})
        for index in range(draw(st.integers(1, 3)))
    ]  # fmt: skip
    specs = [draw(strategies()) for _ in range(2)]
    if one_mind:
        specs[1] = {**specs[0], "enablement": specs[1]["enablement"]}
    found = [a_strategy(name=f"strategy-{index}", **spec) for index, spec in enumerate(specs)]
    return Scene(
        containers=tuple(template), supplies=tuple(supplies), pods=tuple(pods), objects=(*found, *draw(objects()))
    )


def excess(containers: tuple[Container, ...]) -> list[tuple[str, str]]:
    found = []
    for container in containers:
        for resource in ("cpu", "memory"):
            request, limit = (amount(container.value(usage, resource)) for usage in Usage)
            if request is not None and limit is not None and request > limit:
                found.append((container.name, resource))
    return found


@PLENTY
@given(scenes())
def test_a_ready_plan_leaves_no_request_above_its_limit(scene: Scene) -> None:
    for plan in scene.plans():
        assert plan.result is None or excess(plan.result) == []


def with_resources(scene: Scene, plan: Plan) -> Scene:
    """The scene with one pod, as the plan leaves it."""
    assert plan.result is not None
    after = [a_container(found.name, found.requests, found.limits) for found in plan.result]
    return scene.having(pods=(a_pod("web-0", after),), containers=tuple(after))


def outcomes_after(scene: Scene) -> list[Outcome]:
    """What comes of each ready plan once it is applied. Which pod a plan was of, and so what that pod skips, is lost in
    the new one: such plans are left out."""
    skips = any("skip-containers" in str(pod) for pod in scene.pods or ())
    return [
        again.outcome
        for plan in scene.plans()
        if plan.outcome is Outcome.READY and not (plan.path is Path.CONTROLLER and skips)
        for again in with_resources(scene, plan).plans()
        if again.path is plan.path
    ]


@PLENTY
@given(scenes(one_mind=True))
def test_applying_a_ready_plan_leaves_nothing_to_do(scene: Scene) -> None:
    assert set(outcomes_after(scene)) <= {Outcome.NOTHING_TO_DO}


@PLENTY
@given(scenes())
def test_applying_a_ready_plan_never_leaves_another_one(scene: Scene) -> None:
    """With strategies that differ it may be open whether one of them still counts once its values are applied."""
    assert set(outcomes_after(scene)) <= {Outcome.NOTHING_TO_DO, Outcome.UNDETERMINED}


def removed(plan: Plan) -> set[Target]:
    return {action.target for action in plan.actions if not action.stands}


def possibly_removed(plan: Plan) -> set[Target]:
    """Where strategies differ it may be open whether one of them still counts, and so what its filters remove."""
    return {action.target for action in plan.actions if not action.is_certain}


@PLENTY
@given(scenes(), st.sampled_from(SWITCHES), st.data())
def test_switching_a_filter_off_removes_no_further_target(scene: Scene, switch: str, data: st.DataObject) -> None:
    """Pod totals are left out: an action more can push a total over, as it should."""
    kept = [found for found in scene.objects if found["kind"] not in ("LimitRange", "ResourceQuota")]
    name = data.draw(st.sampled_from(("strategy-0", "strategy-1")))
    off = [json.loads(json.dumps(found)) for found in kept]
    for found in off:
        if found["metadata"]["name"] == name:
            found["spec"]["safetyChecks"][switch] = False
    path = Path.ADMISSION
    before, after = (scene.having(objects=tuple(listed)).plan(path) for listed in (kept, off))
    assert removed(after) <= possibly_removed(before)


@PLENTY
@given(scenes(), st.data())
def test_taking_an_autoscaler_away_removes_no_further_target(scene: Scene, data: st.DataObject) -> None:
    kept = [found for found in scene.objects if found["kind"] not in ("LimitRange", "ResourceQuota")]
    scalers = [found for found in kept if found["kind"].endswith("PodAutoscaler")]
    if scalers:
        gone = data.draw(st.sampled_from(scalers))
        before = scene.having(objects=tuple(kept)).plan(Path.ADMISSION)
        after = scene.having(objects=tuple(found for found in kept if found is not gone)).plan(Path.ADMISSION)
        assert removed(after) <= possibly_removed(before)


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same document with the keys of every object in another order."""
    if isinstance(value, Mapping):
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(value[key], rng) for key in keys}
    return [shuffled(member, rng) for member in value] if isinstance(value, list) else value


@PLENTY
@given(scenes(), st.randoms(use_true_random=False))
def test_order_of_pods_policies_and_keys_never_matters(scene: Scene, rng: random.Random) -> None:
    pods, supplies, found = list(scene.pods or ()), list(scene.policies), list(scene.objects)
    for members in (pods, supplies, found):
        rng.shuffle(members)
    again = scene.having(pods=tuple(shuffled(pods, rng)), supplies=tuple(supplies), objects=tuple(shuffled(found, rng)))
    assert again.plans() == scene.plans()


def respelled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: value[key] if key == "metadata" else respelled(value[key]) for key in value}
    if isinstance(value, list | tuple):
        return [respelled(member) for member in value]
    return SPELLINGS.get(value, value) if isinstance(value, str) else value


def by_value(plan: Plan) -> object:
    def figure(text: str | None) -> Decimal | str | None:
        return text if amount(text) is None else amount(text)

    actions = [
        (a.target, figure(a.current), figure(a.desired), figure(a.effective), a.direction, a.removed_by, a.open)
        for a in plan.actions
    ]
    checks = [(c.code, c.result, c.targets) for c in plan.checks]
    return plan.path, plan.pods, plan.outcome, plan.next_allowed, plan.methods, actions, checks


@PLENTY
@given(scenes())
def test_quantities_spelled_otherwise_change_nothing(scene: Scene) -> None:
    supplies = [
        replace(supply, requests=respelled(supply.requests), limits=respelled(supply.limits))
        for supply in scene.policies
    ]
    again = scene.having(
        pods=tuple(respelled(scene.pods)), containers=tuple(respelled(scene.containers)), supplies=tuple(supplies),
        objects=tuple(respelled(scene.objects)),
    )  # fmt: skip
    assert [by_value(plan) for plan in again.plans()] == [by_value(plan) for plan in scene.plans()]


WITHHELD = ("strategies", "limit_ranges", "quotas", "hpas", "vpas", "namespace", "workload", "configuration")


@PLENTY
@given(scenes(), st.sampled_from(WITHHELD))
def test_withholding_a_fact_never_makes_the_answer_another_certain_one(scene: Scene, fact: str) -> None:
    """It stays as it is, or becomes undetermined; and blocked stays blocked, whatever else may block it as well."""
    for path in Path:
        full = plan_of(scene.answer(), scene.facts(), NOW)
        less = plan_of(scene.answer(), replace(scene.facts(), **{fact: None}), NOW)  # type: ignore[arg-type]
        by_pod = {pod: plan for plan in full for pod in plan.pods or (plan.path.value,)}
        for plan in less:
            for pod in plan.pods or (plan.path.value,):
                if plan.path is path and plan.outcome is not Outcome.UNDETERMINED:
                    assert plan.outcome.value[:7] == by_pod[pod].outcome.value[:7]


@PLENTY
@given(scenes())
def test_checks_stand_in_the_order_of_the_table(scene: Scene) -> None:
    order = list(BY_CODE)
    for plan in scene.plans():
        places = [order.index(check.code) for check in plan.checks if check.result is not Result.CLAMPED]
        qos = order.index(next(code for code in order if code.value == "guaranteed-qos"))
        assert [place for place in places if place != qos] == sorted(place for place in places if place != qos)
