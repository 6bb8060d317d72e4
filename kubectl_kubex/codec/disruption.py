"""How many pods of a workload may be away: its own maxUnavailable, and PodDisruptionBudgets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kubectl_kubex.codec.shapes import at, integer, objects, strings, text
from kubectl_kubex.core.plan.facts import MaxUnavailable

# Where a kind writes it, and what the API server takes where nothing stands there; a kind that is not here has none.
_PATHS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "Deployment": (("spec", "strategy", "rollingUpdate", "maxUnavailable"), "25%"),
    "Rollout": (("spec", "strategy", "canary", "maxUnavailable"), "25%"),
    "StatefulSet": (("spec", "updateStrategy", "rollingUpdate", "maxUnavailable"), "1"),
    "DaemonSet": (("spec", "updateStrategy", "rollingUpdate", "maxUnavailable"), "1"),
}
UNLIMITED = 2**31 - 1
"""No budget covers the pods."""
_SWITCHED_OFF = frozenset({"Recreate", "OnDelete"})


def max_unavailable_of(raw: Mapping[str, Any]) -> MaxUnavailable:
    """The workload's limit as written, or its kind's default."""
    kind = text(raw.get("kind")) or ""
    if kind not in _PATHS:
        return MaxUnavailable(None)
    path, default = _PATHS[kind]
    written = at(raw, *path)
    blue_green = kind == "Rollout" and at(raw, "spec", "strategy", "blueGreen") is not None
    if written is None and (blue_green or at(raw, *path[:2], "type") in _SWITCHED_OFF):
        return MaxUnavailable(None)
    number = integer(written)
    limit = str(number) if number is not None else text(written) or default
    wanted = at(raw, "status", "desiredNumberScheduled") if kind == "DaemonSet" else at(raw, "spec", "replicas")
    replicas = integer(wanted)
    return MaxUnavailable(limit, 1 if replicas is None and kind != "DaemonSet" else replicas)


def budget_allows(budgets: Iterable[Mapping[str, Any]] | None, pods: Iterable[Mapping[str, Any]] | None) -> int | None:
    """How many evictions the budgets over these pods allow now; None where that is not known."""
    if budgets is None or pods is None:
        return None
    labels = [strings(at(pod, "metadata", "labels")) for pod in pods]
    allowed: list[int] = []
    for budget in budgets:
        selector = at(budget, "spec", "selector")
        wanted = strings(at(selector, "matchLabels"))
        if objects(at(selector, "matchExpressions")):
            return None
        if selector is None or not any(wanted.items() <= own.items() for own in labels):
            continue
        number = integer(at(budget, "status", "disruptionsAllowed"))
        if number is None:
            return None
        allowed.append(number)
    return min(allowed, default=UNLIMITED)
