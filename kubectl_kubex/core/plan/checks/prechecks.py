"""Prechecks: what holds the whole pod back before any filter (engine.md 5.3, step 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from kubectl_kubex.core.kinds import CONFIGURATION_KIND
from kubectl_kubex.core.model import Container, NamespaceSelector, Usage
from kubectl_kubex.core.plan.amounts import amount, plain, total
from kubectl_kubex.core.plan.base import GPU_DEVICES
from kubectl_kubex.core.plan.checks.context import Context, failed, if_enabled, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import Controls, Pause, Quota
from kubectl_kubex.core.plan.model import CheckResult
from kubectl_kubex.core.plan.proposal import proposal_of
from kubectl_kubex.core.scope import is_unclear, selects_namespace

_COUNTED: tuple[tuple[str, Usage, str], ...] = (
    ("cpu", Usage.REQUESTS, "cpu"),
    ("memory", Usage.REQUESTS, "memory"),
    ("requests.cpu", Usage.REQUESTS, "cpu"),
    ("requests.memory", Usage.REQUESTS, "memory"),
    ("limits.cpu", Usage.LIMITS, "cpu"),
    ("limits.memory", Usage.LIMITS, "memory"),
    (f"requests.{GPU_DEVICES}", Usage.REQUESTS, GPU_DEVICES),
)
"""What a ResourceQuota counts, by its key in `hard`."""


def pod_terminating(context: Context) -> Iterator[CheckResult]:
    if context.base.pod is not None and context.base.pod.terminating:
        yield failed(Code.POD_TERMINATING)


def namespace_protected(context: Context) -> Iterator[CheckResult]:
    """Only `*` is documented as a wildcard; a pattern that another reading would match differently leaves it open."""
    configuration, namespace = context.facts.configuration, context.snapshot.workload.namespace
    if configuration is None or configuration.protected is None:
        yield unknown(Code.NAMESPACE_PROTECTED, missing=CONFIGURATION_KIND.name)
        return
    for pattern in configuration.protected:
        selector = NamespaceSelector("In", (pattern,))
        if is_unclear(selector, namespace):
            yield unknown(Code.NAMESPACE_PROTECTED, open="pattern", pattern=pattern, namespace=namespace)
        elif selects_namespace(selector, namespace):
            yield failed(Code.NAMESPACE_PROTECTED, pattern=pattern, namespace=namespace)
            return


def pause_active(context: Context) -> Iterable[CheckResult]:
    """The pod's pause takes precedence over the namespace's. That of the owner holds once it was copied to the pod."""
    found = _pause(context)
    return () if found is None else if_enabled(context.settings.flag(lambda safety: safety.pause), found, "strategy")


def _pause(context: Context) -> CheckResult | None:
    controls = context.base.controls
    if controls is None:
        return unknown(Code.PAUSE_ACTIVE, missing="pod-annotations")
    if controls.pause is not None:
        return _pod_pause(controls.pause, context, inherited=controls.inherited)
    if context.facts.namespace is None:
        return unknown(Code.PAUSE_ACTIVE, missing="Namespace")
    pause = context.facts.namespace.pause
    if pause is None or _is_active(pause, context) is False:
        return _owner_pause(context)
    if _is_active(pause, context):
        return failed(Code.PAUSE_ACTIVE, scope="namespace", **_figures(pause), ends=_end(pause, Controls()))
    return unknown(Code.PAUSE_ACTIVE, open="unreadable", scope="namespace", **_figures(pause))


def _pod_pause(pause: Pause, context: Context, *, inherited: bool) -> CheckResult | None:
    """An expired one beside a namespace that is paused: the contract says which value comes first, not what results."""
    code, namespace, state = Code.PAUSE_ACTIVE, context.facts.namespace, _is_active(pause, context)
    figures = {"scope": "pod", "inherited": "true" if inherited else None, **_figures(pause)}
    if state:
        return failed(code, **figures, ends=_end(pause, namespace))
    if state is None:
        return unknown(code, open="unreadable", **figures)
    if namespace is None:
        return unknown(code, missing="Namespace", **figures)
    if namespace.pause is None or _is_active(namespace.pause, context) is False:
        return None
    return unknown(code, open="expired-pod-pause", **figures, namespace_until=namespace.pause.written)


def _owner_pause(context: Context) -> CheckResult | None:
    if context.facts.workload is None:
        return unknown(Code.PAUSE_ACTIVE, missing="workload-annotations")
    pause = context.facts.workload.controls.pause
    if pause is None or _is_active(pause, context) is False:
        return None
    return unknown(Code.PAUSE_ACTIVE, open="not-copied-yet", scope="owner", **_figures(pause))


def _is_active(pause: Pause, context: Context) -> bool | None:
    """A pause ends at its time."""
    if pause.infinite:
        return True
    return None if pause.until is None else pause.until > context.now


def _end(pause: Pause, namespace: Controls | None) -> str | None:
    """When it is over for certain: not while the namespace may hold on to it."""
    if pause.until is None or namespace is None:
        return None
    other = namespace.pause
    over = other is None or (other.until is not None and other.until <= pause.until)
    return pause.until.isoformat() if over else None


def _figures(pause: Pause) -> dict[str, object]:
    return {"until": pause.written, "reason": pause.reason}


def resource_quota_exceeded(context: Context) -> Iterator[CheckResult]:
    """The namespace's use with this pod's change, against each hard limit. A pod that asks no more is never held."""
    enabled = context.settings.flag(lambda safety: safety.quota)
    if enabled is False:
        return
    if context.facts.quotas is None:
        yield unknown(Code.RESOURCE_QUOTA_EXCEEDED, missing="ResourceQuota")
        return
    before = () if context.base.pod is None else context.base.containers
    after = proposal_of(context.base, context.actions, context.suppliers)
    for quota in context.facts.quotas:
        for found in _exceeded(quota, before, after):
            yield from if_enabled(enabled, found, "strategy")


def _exceeded(quota: Quota, before: tuple[Container, ...], after: tuple[Container, ...]) -> Iterator[CheckResult]:
    code = Code.RESOURCE_QUOTA_EXCEEDED
    for key, usage, resource in _COUNTED:
        hard = amount(quota.hard.get(key))
        if hard is None:
            continue
        old, new = _sum(before, usage, resource), _sum(after, usage, resource)
        if new <= old:
            continue
        used = amount((quota.used or {}).get(key))
        figures = {"name": quota.name, "resource": key, "hard": quota.hard[key], "delta": plain(new - old)}
        if used is None:
            yield unknown(code, missing="used", **figures)
        elif used + new - old > hard:
            figures["used"] = (quota.used or {})[key]
            yield unknown(code, open="scopes", **figures) if quota.scoped else failed(code, **figures)


def _sum(containers: Iterable[Container], usage: Usage, resource: str) -> Decimal:
    return total(container.value(usage, resource) for container in containers if container.resizable)
