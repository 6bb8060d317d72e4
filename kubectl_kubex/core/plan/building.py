"""Actions from winners: what each winner asks of the pod, clamped, with its direction. Nothing is removed here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kubectl_kubex.core.model import Container, Target
from kubectl_kubex.core.plan.amounts import amount, whole_devices
from kubectl_kubex.core.plan.base import COMPUTED, GPU, GPU_DEVICES, Base, by_fraction
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Action
from kubectl_kubex.core.plan.strategy import Bounds, Direction, Scheduler, Strategy
from kubectl_kubex.core.plan.suppliers import Supplier


def build_actions(base: Base, suppliers: Mapping[Target, Supplier]) -> tuple[Action, ...]:
    """One action for each target that has a value and whose container the pod has and can resize."""
    return tuple(_actions(base, suppliers))


def _actions(base: Base, suppliers: Mapping[Target, Supplier]) -> Iterator[Action]:
    for target, supplier in suppliers.items():
        container = base.container(target.container)
        if container is not None and container.resizable and supplier.winner is not None:
            yield _action(base, container, supplier)


def _action(base: Base, container: Container, supplier: Supplier) -> Action:
    target, winner = supplier.target, supplier.winner
    desired = (winner.value if winner else None) or "0"
    current = container.value(target.usage, target.resource)
    doubts = _doubts(base, supplier, current)
    effective = desired
    if supplier.strategy is not None:
        effective = effective_value(target, desired, supplier.strategy)
    return Action(
        target,
        current,
        desired,
        effective,
        direction_of(current, effective),
        open=doubts,
        value_open=bool(doubts),
        policy=winner.policy if winner else None,
        strategy=supplier.reference,
    )


def _doubts(base: Base, supplier: Supplier, current: str | None) -> tuple[Code, ...]:
    target = supplier.target
    found = []
    if not supplier.determined:
        found.append(Code.SELECTION_UNDETERMINED)
    if supplier.strategy is None:
        found.append(Code.STRATEGY_UNRESOLVED)
    if current is None and target.resource in COMPUTED and not base.defaults_known:
        found.append(Code.CURRENT_UNKNOWN)
    if current is not None and amount(current) is None:
        found.append(Code.CURRENT_UNKNOWN)
    return tuple(found)


def bounds_of(target: Target, strategy: Strategy) -> Bounds:
    gates = strategy.gates.get((target.resource, target.usage))
    return gates.bounds_for(target.container) if gates else Bounds()


def clamped(desired: str, bounds: Bounds) -> tuple[str, Code | None]:
    """The value inside the bounds, and which of them moved it."""
    value, floor, ceiling = amount(desired), amount(bounds.floor), amount(bounds.ceiling)
    if value is not None and floor is not None and value < floor:
        return bounds.floor or desired, Code.FLOOR_CLAMPED
    if value is not None and ceiling is not None and value > ceiling:
        return bounds.ceiling or desired, Code.CEILING_CLAMPED
    return desired, None


def effective_value(target: Target, desired: str, strategy: Strategy) -> str:
    value, _ = clamped(desired, bounds_of(target, strategy))
    if target.resource == GPU and strategy.scheduler is Scheduler.NONE:
        return whole_devices(value)
    return value


def direction_of(current: str | None, effective: str | None) -> Direction | None:
    """None where the values are equal or cannot be compared."""
    new, old = amount(effective), amount(current)
    if new is None or (current is not None and old is None):
        return None
    if old is None:
        return Direction.SET_FROM_UNSPECIFIED
    return Direction.UPSIZE if new > old else Direction.DOWNSIZE if new < old else None


def changes_gpu_form(action: Action, base: Base, strategy: Strategy | None) -> bool:
    """Whether the pod has its GPU in the other form than the strategy would give it."""
    if action.resource != GPU or strategy is None or action.current is None:
        return False
    container = base.container(action.container)
    devices = container is not None and GPU_DEVICES in {**container.requests, **container.limits}
    if strategy.scheduler is Scheduler.KAI:
        return devices
    return by_fraction(base) and not devices
