"""The plan: what the engine does with the winners, and what holds them back. The one entry is `plan_of`."""

from kubectl_kubex.core.plan.planning import plan_of

__all__ = ["plan_of"]
