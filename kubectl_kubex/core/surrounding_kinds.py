"""SURROUNDING_KINDS: what stands around a workload and may hold a winner back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SurroundingKind:
    """One kind. `on_demand`: read only where a plan turns out to need it."""

    name: str
    plural: str
    group: str = ""
    version: str = "v1"
    namespaced: bool = True
    on_demand: bool = False

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version


SURROUNDING_KINDS: tuple[SurroundingKind, ...] = (
    SurroundingKind("LimitRange", "limitranges"),
    SurroundingKind("ResourceQuota", "resourcequotas"),
    SurroundingKind("HorizontalPodAutoscaler", "horizontalpodautoscalers", "autoscaling", "v2"),
    SurroundingKind("VerticalPodAutoscaler", "verticalpodautoscalers", "autoscaling.k8s.io"),
    SurroundingKind("PodDisruptionBudget", "poddisruptionbudgets", "policy"),
    SurroundingKind("Namespace", "namespaces", namespaced=False),
    SurroundingKind("Node", "nodes", namespaced=False, on_demand=True),
)

SURROUNDING_BY_NAME: dict[str, SurroundingKind] = {kind.name: kind for kind in SURROUNDING_KINDS}
