"""What a plan turns out to need beyond what every plan is given: the nodes of pods that would grow."""

from __future__ import annotations

from collections.abc import Iterable

from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import PlanFacts
from kubectl_kubex.core.plan.model import Plan, Result


def nodes_wanted(plans: Iterable[Plan], facts: PlanFacts) -> tuple[str, ...]:
    """The nodes whose room decides something, by name."""
    pods = {name for plan in plans if _asks_for_nodes(plan) for name in plan.pods}
    nodes = (facts.pods[name].node for name in pods if name in facts.pods)
    return tuple(sorted({node for node in nodes if node}))


def _asks_for_nodes(plan: Plan) -> bool:
    return any(c.code is Code.NODE_CAPACITY_INSUFFICIENT and c.result is Result.UNKNOWN for c in plan.checks)
