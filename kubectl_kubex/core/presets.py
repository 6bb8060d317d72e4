"""PRESETS: the precedence lists that the reference page prints, by name."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.core.kinds import DEFAULT_PRECEDENCE


@dataclass(frozen=True)
class Preset:
    """A full list of (type, priority), as the reference page's recipe gives it: the defaults, then its own changes."""

    name: str
    statement: str
    source: str
    changes: tuple[tuple[str, int], ...] = ()

    @property
    def priorities(self) -> dict[str, int]:
        return {**dict(DEFAULT_PRECEDENCE), **dict(self.changes)}


PRESETS: tuple[Preset, ...] = (
    Preset("default", "the chart's own list", "Policy Evaluation Reference, Default Behavior"),
    Preset(
        "favor-rollback",
        "rollback policies (130) over proactive policies (70)",
        "Policy Evaluation Reference, Favor Rollback Policies Over Proactive Policies",
        (
            ("RollbackPolicy", 130),
            ("ClusterRollbackPolicy", 130),
            ("ProactivePolicy", 70),
            ("ClusterProactivePolicy", 70),
        ),
    ),
    Preset(
        "favor-namespace",
        "namespaced proactive policies (90) over cluster-wide ones (70)",
        "Policy Evaluation Reference, Favor Namespace Policies Over Cluster Policies",
        (("ProactivePolicy", 90), ("ClusterProactivePolicy", 70)),
    ),
)

PRESET_BY_NAME: dict[str, Preset] = {preset.name: preset for preset in PRESETS}
