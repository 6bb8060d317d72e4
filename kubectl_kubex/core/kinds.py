"""KINDS: one row for each custom resource kind of the engine. Every loop over kinds anywhere is a loop over this table.

Sources: scopes and plurals, engine.md section 1; key prefixes, section 3.1; default priorities, the reference page's
"Default Behavior". What no public source states is `None` here, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

GROUP = "rightsizing.kubex.ai"
VERSION = "v1alpha1"
API_VERSION = f"{GROUP}/{VERSION}"


class Publishes(str, Enum):
    """What a kind writes on the workloads it matches."""

    RESOURCES = "resources"
    HOOK = "hook"
    NOTHING = "nothing"


class Certainty(str, Enum):
    """How well a key prefix is known: stated by a public source, deduced from a pattern, or not at all."""

    DOCUMENTED = "documented"
    INFERRED = "inferred"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Kind:
    """One custom resource kind.

    `key_prefix` is the first label of its annotation keys (`None`: publishes nothing, or unknown as
    `prefix_certainty` says). `default_priority` is the chart's (`None`: not in the chart's list).
    `scoped`: has `spec.scope` and so matches workloads.
    """

    name: str
    plural: str
    namespaced: bool
    publishes: Publishes = Publishes.NOTHING
    key_prefix: str | None = None
    prefix_certainty: Certainty = Certainty.UNKNOWN
    strategy_kind: str | None = None
    default_priority: int | None = None
    scoped: bool = False

    @property
    def singular(self) -> str:
        return self.name.lower()

    @property
    def resource(self) -> str:
        """The full resource name as RBAC and kubectl write it: `staticpolicies.rightsizing.kubex.ai`."""
        return f"{self.plural}.{GROUP}"


def _pair(
    stem: str,
    plural: str,
    prefixes: tuple[tuple[str | None, Certainty], tuple[str | None, Certainty]],
    priorities: tuple[int, int],
    *,
    strategies: bool,
) -> tuple[Kind, Kind]:
    """The namespaced and the cluster-scoped kind of one family that publishes resource recommendations."""
    (prefix, certainty), (cluster_prefix, cluster_certainty) = prefixes
    return (
        Kind(
            stem, plural, True, Publishes.RESOURCES, prefix, certainty,
            "AutomationStrategy" if strategies else None, priorities[0], scoped=True,
        ),
        Kind(
            f"Cluster{stem}", f"cluster{plural}", False, Publishes.RESOURCES, cluster_prefix, cluster_certainty,
            "ClusterAutomationStrategy" if strategies else None, priorities[1], scoped=True,
        ),
    )  # fmt: skip


_DOCUMENTED = Certainty.DOCUMENTED

KINDS: tuple[Kind, ...] = (
    *_pair(
        "RollbackPolicy", "rollbackpolicies",
        (("rollbackpolicy", _DOCUMENTED), (None, Certainty.UNKNOWN)), (130, 130), strategies=False,
    ),
    *_pair(
        "GpuReactivePolicy", "gpureactivepolicies",
        (("gpureactive", _DOCUMENTED), ("cwgpureactive", Certainty.INFERRED)), (120, 110), strategies=True,
    ),
    *_pair(
        "StaticPolicy", "staticpolicies",
        (("static", _DOCUMENTED), ("cwstatic", _DOCUMENTED)), (90, 90), strategies=True,
    ),
    *_pair(
        "ProactivePolicy", "proactivepolicies",
        (("proactive", _DOCUMENTED), ("cwproactive", _DOCUMENTED)), (70, 70), strategies=True,
    ),
    Kind(
        "ContainerArgsPolicy", "containerargspolicies", False, Publishes.HOOK, "containerargspolicy", _DOCUMENTED,
        default_priority=100, scoped=True,
    ),
    Kind(
        "PodAffinityPolicy", "podaffinitypolicies", False, Publishes.HOOK, "podaffinitypolicy", _DOCUMENTED,
        default_priority=100, scoped=True,
    ),
    Kind(
        "ClusterCompactionPolicy", "clustercompactionpolicies", False, Publishes.HOOK, "clustercompactionpolicy",
        _DOCUMENTED, scoped=True,
    ),
    Kind("GpuConsolidationPolicy", "gpuconsolidationpolicies", False),
    Kind("ObjectPatch", "objectpatches", True),
    Kind("ClusterObjectPatch", "clusterobjectpatches", False),
    Kind("AutomationStrategy", "automationstrategies", True),
    Kind("ClusterAutomationStrategy", "clusterautomationstrategies", False),
    Kind("PolicyEvaluation", "policyevaluations", False),
    Kind("GlobalConfiguration", "globalconfigurations", False),
)  # fmt: skip

BY_NAME: dict[str, Kind] = {kind.name: kind for kind in KINDS}
BY_PREFIX: dict[str, Kind] = {kind.key_prefix: kind for kind in KINDS if kind.key_prefix}

RESOURCE_KINDS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind.publishes is Publishes.RESOURCES)
HOOK_KINDS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind.publishes is Publishes.HOOK)
SCOPED_KINDS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind.scoped)

PRECEDENCE_KIND = BY_NAME["PolicyEvaluation"]
PRECEDENCE_NAME = "policy-evaluation"
CONFIGURATION_KIND = BY_NAME["GlobalConfiguration"]
CONFIGURATION_NAME = "global-config"

# Kinds that a release before 1.9.0 used (engine.md sections 2 and 3.4). Dead weight in a precedence list; their keys
# may be left on workloads. Old name or prefix -> the kind that took its place.
LEGACY_TYPES: dict[str, str] = {
    "GpuRebalancingPolicy": "GpuReactivePolicy",
    "ClusterGpuRebalancingPolicy": "ClusterGpuReactivePolicy",
    "ClusterWideGpuRebalancingPolicy": "ClusterGpuReactivePolicy",
}
LEGACY_PREFIXES: dict[str, str] = {
    "gpurebalancing": "GpuReactivePolicy",
    "cwgpurebalancing": "ClusterGpuReactivePolicy",
}

DEFAULT_PRECEDENCE: tuple[tuple[str, int], ...] = tuple(
    (kind.name, kind.default_priority) for kind in KINDS if kind.default_priority is not None
)
