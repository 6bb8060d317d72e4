"""What leaves an action open before any check of the engine's is asked."""

from __future__ import annotations

from collections.abc import Iterator

from kubectl_kubex.core.model import Container, Target
from kubectl_kubex.core.plan.amounts import same
from kubectl_kubex.core.plan.base import COMPUTED
from kubectl_kubex.core.plan.checks.context import Context, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import CheckResult


def selection_undetermined(context: Context) -> Iterator[CheckResult]:
    """Targets whose winner holds only on an assumption, and those without even that."""
    for target, supplier in context.suppliers.items():
        if not supplier.determined:
            yield unknown(Code.SELECTION_UNDETERMINED, target, assumed=supplier.winner and supplier.winner.value)


def strategy_unresolved(context: Context) -> Iterator[CheckResult]:
    for action in context.actions:
        supplier = context.suppliers[action.target]
        if supplier.strategy is None:
            name = supplier.reference.name if supplier.reference else None
            yield unknown(Code.STRATEGY_UNRESOLVED, action.target, missing=supplier.missing, strategy=name)


def current_unknown(context: Context) -> Iterator[CheckResult]:
    for action in context.actions:
        if Code.CURRENT_UNKNOWN in action.open:
            missing = "LimitRange" if action.current is None else "quantity"
            yield unknown(Code.CURRENT_UNKNOWN, action.target, missing=missing, current=action.current)


def resize_in_progress(context: Context) -> Iterator[CheckResult]:
    """Which of the two the engine compares with is not published."""
    spec = {container.name: container for container in context.base.facts.spec_containers or ()}
    for action in context.actions:
        wanted = _wanted(spec.get(action.container), action.target, action.current)
        if not same(wanted, action.current):
            yield unknown(
                Code.RESIZE_IN_PROGRESS, action.target, spec=wanted or "unset", status=action.current or "unset"
            )


def _wanted(container: Container | None, target: Target, current: str | None) -> str | None:
    if container is None or target.resource not in COMPUTED:
        return current
    return container.value(target.usage, target.resource)
