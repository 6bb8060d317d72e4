"""The pod's containers as they would be after the actions that stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kubectl_kubex.core.model import Container, Target, Usage
from kubectl_kubex.core.plan.amounts import same
from kubectl_kubex.core.plan.base import COMPUTED, GPU, GPU_DEVICES, Base, with_request_defaults
from kubectl_kubex.core.plan.model import Action
from kubectl_kubex.core.plan.strategy import Scheduler
from kubectl_kubex.core.plan.suppliers import Supplier


def proposal_of(base: Base, actions: Iterable[Action], suppliers: Mapping[Target, Supplier]) -> tuple[Container, ...]:
    """Every container, changed by the actions given; the API server then fills unset requests from limits."""
    containers = {container.name: container for container in base.containers}
    for action in actions:
        if action.effective is not None and action.container in containers:
            supplier = suppliers.get(action.target)
            strategy = supplier.strategy if supplier else None
            kai = strategy is not None and strategy.scheduler is Scheduler.KAI
            containers[action.container] = _applied(containers[action.container], action, action.effective, kai=kai)
    return tuple(with_request_defaults(container) for container in containers.values())


def _applied(container: Container, action: Action, value: str, *, kai: bool) -> Container:
    requests, limits = dict(container.requests), dict(container.limits)
    (requests if action.usage is Usage.REQUESTS else limits)[action.resource] = value
    if action.resource == GPU and kai:
        for side in (requests, limits):
            side.pop(GPU_DEVICES, None)
        limits.pop(GPU, None)
    elif action.resource == GPU:
        for side in (requests, limits):
            side.update({GPU: value, GPU_DEVICES: value})
    return replace(container, requests=requests, limits=limits)


def is_guaranteed(containers: Iterable[Container]) -> bool:
    """Whether these make a Guaranteed pod: both resources of every container limited, and requested as such."""
    whole = list(containers)
    return bool(whole) and all(
        container.limits.get(resource) is not None
        and same(container.requests.get(resource, container.limits[resource]), container.limits[resource])
        for container in whole
        for resource in COMPUTED
    )
