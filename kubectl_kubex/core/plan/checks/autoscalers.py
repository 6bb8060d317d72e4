"""Autoscalers and skips: filters on the target, whatever its value (engine.md 5.4)."""

from __future__ import annotations

from collections.abc import Iterator

from kubectl_kubex.core.plan.base import COMPUTED
from kubectl_kubex.core.plan.checks.context import Context, filtered, if_enabled, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import Hpa, Vpa
from kubectl_kubex.core.plan.model import Action, CheckResult
from kubectl_kubex.core.plan.skips import skip_of

_AWAKE = frozenset({"Auto", "Recreate", "Initial", "InPlaceOrRecreate"})


def container_skip_active(context: Context) -> Iterator[CheckResult]:
    skip = skip_of(context.base, context.snapshot, context.facts)
    for action in context.actions:
        if skip.missing:
            yield unknown(Code.CONTAINER_SKIP_ACTIVE, action.target, missing=skip.missing)
        elif action.container in skip.containers and skip.open:
            yield unknown(Code.CONTAINER_SKIP_ACTIVE, action.target, open=skip.open, source=skip.source)
        elif action.container in skip.containers:
            yield filtered(Code.CONTAINER_SKIP_ACTIVE, action.target, source=skip.source)


def hpa_resource_managed(context: Context) -> Iterator[CheckResult]:
    """Requests and limits of what an HPA on the workload scales on. Kinds are compared without regard to case."""
    enabled = context.settings.flag(lambda safety: safety.hpa)
    for action in context.actions:
        if action.resource not in COMPUTED or enabled is False:
            continue
        if context.facts.hpas is None:
            yield unknown(Code.HPA_RESOURCE_MANAGED, action.target, missing="HorizontalPodAutoscaler")
            continue
        for hpa in context.facts.hpas:
            mode = _hpa_mode(hpa, action) if _targets(hpa, context) else None
            if mode is not None:
                found = filtered(Code.HPA_RESOURCE_MANAGED, action.target, name=hpa.name, mode=mode)
                yield from if_enabled(enabled, found, "strategy")
                break


def _targets(scaler: Hpa | Vpa, context: Context) -> bool:
    workload = context.snapshot.workload
    return (scaler.target_kind.casefold(), scaler.target_name) == (workload.kind.casefold(), workload.name)


def _hpa_mode(hpa: Hpa, action: Action) -> str | None:
    for metric in hpa.metrics:
        whole = metric.type == "Resource"
        own = metric.type == "ContainerResource" and metric.container == action.container
        if metric.resource == action.resource and (whole or own):
            return metric.type
    if hpa.keda and any(metric.type not in ("Resource", "ContainerResource") for metric in hpa.metrics):
        return "KEDA"
    return None


def vpa_resource_managed(context: Context) -> Iterator[CheckResult]:
    """Stage 1: a VPA that acts and recommends the resource. Stage 2, where switched on: one that merely lists it."""
    enabled = context.settings.flag(lambda safety: safety.vpa)
    declared = context.settings.flag(lambda safety: safety.vpa_controlled)
    for action in context.actions:
        if action.resource not in COMPUTED or enabled is False:
            continue
        if context.facts.vpas is None:
            yield unknown(Code.VPA_RESOURCE_MANAGED, action.target, missing="VerticalPodAutoscaler")
            continue
        vpas = [vpa for vpa in context.facts.vpas if _targets(vpa, context)]
        yield from _vpa(action, vpas, enabled=enabled, declared=declared)


def _vpa(action: Action, vpas: list[Vpa], *, enabled: bool | None, declared: bool | None) -> Iterator[CheckResult]:
    code = Code.VPA_RESOURCE_MANAGED
    for vpa in vpas:
        if vpa.mode != "Off" and vpa.provided and action.resource in vpa.recommended.get(action.container, ()):
            if vpa.mode in _AWAKE:
                found = filtered(code, action.target, name=vpa.name, mode=vpa.mode, stage=1)
            else:
                found = unknown(code, action.target, open="update-mode", name=vpa.name, mode=vpa.mode)
            yield from if_enabled(enabled, found, "strategy")
            return
    if declared is False:
        return
    for vpa in vpas:
        if _lists(vpa, action):
            found = filtered(code, action.target, name=vpa.name, mode=vpa.mode, stage=2)
            yield from if_enabled(enabled and declared, found, "strategy")
            return


def _lists(vpa: Vpa, action: Action) -> bool:
    own = [policy for policy in vpa.policies if policy.container == action.container]
    shared = [policy for policy in vpa.policies if policy.container == "*"]
    return any(action.resource in policy.resources and action.usage in policy.usages for policy in own or shared)
