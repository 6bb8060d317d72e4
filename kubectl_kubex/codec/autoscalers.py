"""HorizontalPodAutoscaler and VerticalPodAutoscaler objects, of any version, to core values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kubectl_kubex.codec.limits import quantities
from kubectl_kubex.codec.shapes import at, name_of, objects, strings, text
from kubectl_kubex.core.model import Usage
from kubectl_kubex.core.plan.facts import Hpa, Metric, Vpa, VpaPolicy

_KEDA_LABEL = "scaledobject.keda.sh/name"
_VALUES = {"RequestsOnly": (Usage.REQUESTS,), "RequestsAndLimits": (Usage.REQUESTS, Usage.LIMITS)}
_BOTH = _VALUES["RequestsAndLimits"]


def decode_hpa(raw: Mapping[str, Any]) -> Hpa:
    owners = objects(at(raw, "metadata", "ownerReferences"))
    labels = strings(at(raw, "metadata", "labels"))
    keda = _KEDA_LABEL in labels or any(owner.get("kind") == "ScaledObject" for owner in owners)
    target = at(raw, "spec", "scaleTargetRef")
    return Hpa(name_of(raw), text(at(target, "kind")) or "", text(at(target, "name")) or "", tuple(_metrics(raw)), keda)


def _metrics(raw: Mapping[str, Any]) -> Iterator[Metric]:
    """autoscaling/v1 has only a cpu target."""
    if at(raw, "spec", "targetCPUUtilizationPercentage") is not None:
        yield Metric("Resource", "cpu")
    for metric in objects(at(raw, "spec", "metrics")):
        kind = text(metric.get("type")) or ""
        source = at(metric, "containerResource" if kind == "ContainerResource" else "resource")
        yield Metric(kind, text(at(source, "name")), text(at(source, "container")))


def decode_vpa(raw: Mapping[str, Any]) -> Vpa:
    target = at(raw, "spec", "targetRef")
    conditions = objects(at(raw, "status", "conditions"))
    provided = any(c.get("type") == "RecommendationProvided" and c.get("status") == "True" for c in conditions)
    recommended = {
        text(entry.get("containerName")) or "": tuple(sorted(quantities(entry.get("target"))))
        for entry in objects(at(raw, "status", "recommendation", "containerRecommendations"))
    }
    return Vpa(
        name_of(raw),
        text(at(target, "kind")) or "",
        text(at(target, "name")) or "",
        text(at(raw, "spec", "updatePolicy", "updateMode")) or "Auto",
        provided,
        recommended,
        tuple(_policies(raw)),
    )


def _policies(raw: Mapping[str, Any]) -> Iterator[VpaPolicy]:
    for policy in objects(at(raw, "spec", "resourcePolicy", "containerPolicies")):
        listed = policy.get("controlledResources")
        resources = tuple(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else ()
        usages = _VALUES.get(text(policy.get("controlledValues")) or "", _BOTH)
        yield VpaPolicy(text(policy.get("containerName")) or "*", resources, usages)
