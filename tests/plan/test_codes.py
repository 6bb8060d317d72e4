"""Each reason code of the engine: a case where it fires, the nearest one where it does not, and one where the facts
that it asks for are withheld, so that it is unknown and nothing is assumed in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from kubectl_kubex.core.plan.checks.table import BY_CODE, CHECKS
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import Configuration
from kubectl_kubex.core.plan.model import Outcome, Path, Result
from tests.plan.scenes import (
    NOW,
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
    cpu_memory,
    results,
    scales_on,
    verdicts,
)

GROUP = "rightsizing.kubex.ai"
PAUSE, SKIP = f"{GROUP}/pause-until", f"{GROUP}/skip-containers"
FUTURE, PAST = "2026-08-05T12:00:01Z", "2026-08-05T12:00:00Z"

OURS = frozenset(
    {
        Code.SELECTION_UNDETERMINED, Code.STRATEGY_UNRESOLVED, Code.CURRENT_UNKNOWN, Code.RESIZE_IN_PROGRESS,
        Code.AUTOMATION_DISABLED, Code.WEBHOOK_UNHEALTHY, Code.ROLLBACK_STATE, Code.GUARANTEED_QOS,
    }
)  # fmt: skip

APP = a_container("app", cpu_memory("250m", "256Mi"), cpu_memory("1", "1Gi"))
TWO = (APP, a_container("sidecar", cpu_memory("250m", "256Mi")))
GPU_GATES = {"requests": {"upsize": True, "downsize": True, "setFromUnspecified": True}}
PROACTIVE = Supply("ProactivePolicy", requests={"app": {"cpu": "500m"}})
KEY = next(iter(PROACTIVE.annotations))


def safety(**checks: Any) -> dict[str, Any]:
    return {"safetyChecks": checks}


def bounds(**sides: str) -> dict[str, Any]:
    return {"enablement": {"cpu": {"requests": sides}}}


def gates(**directions: bool) -> dict[str, Any]:
    return {"enablement": {"cpu": {"requests": directions}}}


def pod(**members: Any) -> tuple[Mapping[str, Any], ...]:
    return (a_pod(containers=(APP,), **members),)


def pods(*ready: bool) -> tuple[Mapping[str, Any], ...]:
    return tuple(
        a_pod(f"web-{i}", (APP,), ready=NOW - timedelta(hours=1) if up else None) for i, up in enumerate(ready)
    )


def gpus(first: str, second: str, container: str = "app", scheduler: str = "kai") -> Scene:
    """One strategy, two GPU actions: the first on `app`, the other on `container` through a second policy."""
    enablement = {"gpu": GPU_GATES, "overrideScheduler": scheduler}
    targets = {"app": {"gpu": first}, container: {"gpu": second}}
    return Scene(
        requests=targets, containers=(a_container("app"), a_container("sidecar")), strategy={"enablement": enablement}
    )


def two_strategies(other: Mapping[str, Any], **changes: Any) -> Scene:
    """Two policies, cpu and memory, each with a strategy of its own."""
    return Scene(
        supplies=(
            Supply(name="cpu", requests={"app": {"cpu": "500m"}}, digest="AAAA"),
            Supply(name="memory", requests={"app": {"memory": "512Mi"}}, digest="BBBB", strategy="other"),
        ),
        objects=(a_strategy(name="other", **other),),
        **changes,
    )


@dataclass(frozen=True)
class Case:
    """`withheld`: the scene, or what is taken from the facts of the one that fires."""

    code: Code
    fires: Scene
    near: Scene
    withheld: Scene | Mapping[str, Any]
    path: Path = Path.CONTROLLER

    @property
    def unknown(self) -> Scene:
        if isinstance(self.withheld, Scene):
            return self.withheld
        return self.fires.having(change={**self.fires.change, **self.withheld})


NO_STRATEGIES = {"strategies": None}
RANGE = a_limit_range(max={"cpu": "400m"})
HOUR = {"start": "11:00", "end": "12:00"}
EVICTS = {"inPlaceResize": {"enabled": False}}
BUDGET = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web", "namespace": "shop"},
          "spec": {"selector": {"matchLabels": {"app": "web"}}}}  # fmt: skip

CASES = (
    Case(
        Code.LIMIT_RANGE_VIOLATED,
        Scene(objects=(RANGE,)),
        Scene(objects=(a_limit_range(max={"cpu": "500m"}),)),
        {"limit_ranges": None},
    ),
    Case(
        Code.RECOMMENDATION_TOO_OLD,
        Scene(supplies=(PROACTIVE,), change={"analysed": {KEY: NOW - timedelta(days=5, seconds=1)}}),
        Scene(supplies=(PROACTIVE,), change={"analysed": {KEY: NOW - timedelta(days=5)}}),
        {"analysed": None},
    ),
    Case(
        Code.KUBEX_AUTOMATION_DISABLED,
        Scene(supplies=(PROACTIVE,), change={"kubex_automation": {"app": False}}),
        Scene(supplies=(PROACTIVE,), change={"kubex_automation": {"app": True}}),
        {"kubex_automation": None},
    ),
    Case(
        Code.FLOOR_CLAMPED,
        Scene(strategy=bounds(floor="501m")),
        Scene(strategy=bounds(floor="500m")),
        NO_STRATEGIES,
    ),
    Case(
        Code.CEILING_CLAMPED,
        Scene(strategy=bounds(ceiling="499m")),
        Scene(strategy=bounds(ceiling="0.5")),
        NO_STRATEGIES,
    ),
    Case(
        Code.NO_RESIZE_NEEDED,
        Scene(requests={"app": {"cpu": "0.25"}}),
        Scene(requests={"app": {"cpu": "251m"}}),
        NO_STRATEGIES,
    ),
    Case(
        Code.AUTOMATION_STRATEGY_DISABLED,
        Scene(strategy=gates(upsize=False)),
        Scene(strategy=gates(downsize=False, setFromUnspecified=False)),
        NO_STRATEGIES,
    ),
    Case(
        Code.POD_TERMINATING,
        Scene(pods=pod(metadata={"deletionTimestamp": "2026-08-05T11:59:00Z"})),
        Scene(pods=pod()),
        Scene(pods=None),
    ),
    Case(
        Code.NAMESPACE_PROTECTED,
        Scene(configuration={"protectedNamespacePatterns": ["sh*"]}),
        Scene(configuration={"protectedNamespacePatterns": ["sho", "*shops"]}),
        {"configuration": None},
    ),
    Case(
        Code.PAUSE_ACTIVE,
        Scene(pods=pod(annotations={PAUSE: FUTURE})),
        Scene(pods=pod(annotations={PAUSE: PAST})),
        Scene(without=frozenset({"Namespace"})),
    ),
    Case(
        Code.RESOURCE_QUOTA_EXCEEDED,
        Scene(objects=(a_quota({"requests.cpu": "1"}, {"requests.cpu": "751m"}),)),
        Scene(objects=(a_quota({"requests.cpu": "1"}, {"requests.cpu": "750m"}),)),
        {"quotas": None},
    ),
    Case(
        Code.CHANGE_BELOW_THRESHOLD,
        Scene(requests={"app": {"cpu": "261m"}}),
        Scene(requests={"app": {"cpu": "263m"}}),
        NO_STRATEGIES,
    ),
    Case(
        Code.CONTAINER_SKIP_ACTIVE,
        Scene(annotations={SKIP: " app"}),
        Scene(annotations={SKIP: "apps"}),
        {"workload": None},
    ),
    Case(
        Code.HPA_RESOURCE_MANAGED,
        Scene(objects=(an_hpa(scales_on("cpu"), kind="deployment"),)),
        Scene(objects=(an_hpa(scales_on("memory")),)),
        {"hpas": None},
    ),
    Case(
        Code.VPA_RESOURCE_MANAGED,
        Scene(objects=(a_vpa(recommended={"app": {"cpu": "1"}}),)),
        Scene(objects=(a_vpa("Off", {"app": {"cpu": "1"}}),)),
        {"vpas": None},
    ),
    Case(
        Code.NODE_CAPACITY_INSUFFICIENT,
        Scene(objects=(a_node("554m"),)),
        Scene(objects=(a_node("556m"),)),
        {"nodes": {}},
    ),
    Case(
        Code.POD_LIMIT_RANGE_VIOLATED,
        Scene(containers=TWO, objects=(a_limit_range("Pod", max={"cpu": "749m"}),)),
        Scene(containers=TWO, objects=(a_limit_range("Pod", max={"cpu": "750m"}),)),
        {"limit_ranges": None},
    ),
    Case(
        Code.REQUESTS_EXCEED_LIMITS,
        Scene(requests={"app": {"cpu": "1001m"}}),
        Scene(requests={"app": {"cpu": "1000m"}}),
        # What a second action would be depends on a strategy that is not there.
        two_strategies({}, change={}).having(
            supplies=(
                Supply(name="cpu", requests={"app": {"cpu": "1001m"}}, digest="AAAA"),
                Supply(name="limit", limits={"app": {"cpu": "2"}}, digest="BBBB", strategy="other"),
            ),
            objects=(a_strategy(name="other", enablement={"overrideScheduler": "martian"}),),
        ),
    ),
    Case(
        Code.GPU_PLAN_CONSISTENCY,
        gpus("0.5", "0.5", "sidecar"),
        Scene(requests={"app": {"gpu": "0.5"}}, containers=(a_container("app"),),
              strategy={"enablement": {"gpu": GPU_GATES, "overrideScheduler": "kai"}}),
        NO_STRATEGIES,
    ),
    Case(
        Code.COMMON_RESIZE_METHOD,
        two_strategies({"podEviction": {"enabled": False}}, strategy=EVICTS),
        two_strategies({"podEviction": {"enabled": False}}),
        two_strategies({"podEviction": {"enabled": "perhaps"}}, strategy=EVICTS),
    ),
    Case(
        Code.SCHEDULING_WINDOW_BLOCKED,
        Scene(strategy={"scheduling": {"inclusionWindows": [HOUR]}}),
        Scene(strategy={"scheduling": {"exclusionWindows": [HOUR]}}),
        Scene(strategy={"scheduling": {"inclusionWindows": [{**HOUR, "timezone": "Europe/Atlantis"}]}}),
    ),
    Case(
        Code.MIN_READY_DURATION_NOT_MET,
        Scene(pods=pod(ready=NOW - timedelta(seconds=9))),
        Scene(pods=pod(ready=NOW - timedelta(seconds=10))),
        Scene(pods=pod(status={"conditions": []})),
    ),
    Case(
        Code.OWNER_PODS_NOT_READY,
        Scene(pods=pods(True, False), strategy=safety(requireOwnerPodsReady=True)),
        Scene(pods=pods(True, True), strategy=safety(requireOwnerPodsReady=True)),
        Scene(pods=pod(status={"conditions": []}), strategy=safety(requireOwnerPodsReady=True)),
    ),
    Case(
        Code.MAX_UNAVAILABLE_EXCEEDED,
        Scene(pods=pods(True, False), workload={}, change={}).having(objects=()),
        Scene(pods=pods(True, True)),
        {"workload": None},
    ),
    Case(
        Code.TOO_MANY_REQUESTS,
        Scene(strategy=EVICTS, objects=({**BUDGET, "status": {"disruptionsAllowed": 0}},)),
        Scene(strategy=EVICTS, objects=({**BUDGET, "status": {"disruptionsAllowed": 1}},)),
        Scene(strategy=EVICTS, objects=(BUDGET,)),
    ),
)  # fmt: skip

FIRED = {
    **dict.fromkeys((check.code for check in CHECKS), Result.FAILED),
    **dict.fromkeys((check.code for check in CHECKS if check.effect.value == "removes"), Result.FILTERED),
    Code.FLOOR_CLAMPED: Result.CLAMPED,
    Code.CEILING_CLAMPED: Result.CLAMPED,
}


def seen(case: Case, scene: Scene) -> set[Result]:
    """What the check says in any of the path's plans."""
    plans = [plan for plan in scene.plans() if plan.path is case.path]
    return {verdict for plan in plans for verdict in verdicts(plan, case.code)}


def test_every_code_of_the_engine_has_its_cases() -> None:
    assert {case.code for case in CASES} | OURS == set(Code)


def test_every_code_has_one_row() -> None:
    assert len(BY_CODE) == len(CHECKS)
    assert set(BY_CODE) == set(Code)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code.value)
def test_fires(case: Case) -> None:
    assert FIRED[case.code] in seen(case, case.fires)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code.value)
def test_nearest_does_not(case: Case) -> None:
    assert seen(case, case.near) == {Result.PASSED}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code.value)
def test_withheld_is_unknown(case: Case) -> None:
    if case.code is Code.POD_TERMINATING:  # a pod that was read says it: withheld are the pods as a whole
        blind = replace(case.fires.answer(), snapshot=replace(case.fires.answer().snapshot, pods=None))
        from kubectl_kubex.core.plan import plan_of  # noqa: PLC0415

        assert plan_of(blind, case.fires.facts(), NOW)[0].outcome is Outcome.UNDETERMINED
        return
    found = seen(case, case.unknown)
    assert Result.UNKNOWN in found
    assert FIRED[case.code] not in found


HARMLESS = {Code.RECOMMENDATION_TOO_OLD, Code.KUBEX_AUTOMATION_DISABLED, Code.TOO_MANY_REQUESTS}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code.value)
def test_unknown_decides_nothing_for_certain(case: Case) -> None:
    outcomes = {plan.outcome for plan in case.unknown.plans() if plan.path is case.path}
    if case.code in HARMLESS:
        assert outcomes == {Outcome.READY}
    elif case.code is not Code.POD_TERMINATING:
        assert outcomes <= {Outcome.UNDETERMINED}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code.value)
def test_paths(case: Case) -> None:
    """Admission asks only its own checks (engine.md 5.3)."""
    admission = case.fires.plan(Path.ADMISSION)
    asked = {check.code for check in admission.checks}
    assert {code for code in asked if Path.ADMISSION not in BY_CODE[code].paths} == set()


def test_withheld_configuration_hides_the_whole_engine() -> None:
    plan = Scene(change={"configuration": None}).plan()
    assert plan.outcome is Outcome.UNDETERMINED
    for code in (Code.AUTOMATION_DISABLED, Code.WEBHOOK_UNHEALTHY, Code.NAMESPACE_PROTECTED):
        assert verdicts(plan, code) == {Result.UNKNOWN}


def test_unhealthy_webhook_pauses_the_controller_and_opens_admission() -> None:
    scene = Scene(change={"configuration": Configuration(webhook_healthy=False)})
    assert scene.plan().outcome is Outcome.BLOCKED_RETRYING
    assert scene.plan(Path.ADMISSION).outcome is Outcome.UNDETERMINED


def test_engine_without_the_webhook_condition_goes_on() -> None:
    plan = Scene(status={}).plan()
    assert plan.outcome is Outcome.READY
    (check,) = results(plan, Code.WEBHOOK_UNHEALTHY)
    assert (check.result, check.decisive) == (Result.UNKNOWN, False)
