"""Workload and pod objects to core values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kubectl_kubex.codec.shapes import at, mapping, name_of, namespace_of, objects, strings, text
from kubectl_kubex.core.model import Container, Pod, Workload
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME

# How the engine's resource `gpu` shows on a pod (engine.md 5.4): whole devices, or a fraction under KAI, which gives it
# to one container of the pod: the one that an annotation names, else the first (KAI Scheduler's docs on GPU sharing).
GPU, GPU_DEVICES = "gpu", "nvidia.com/gpu"
GPU_FRACTION, GPU_FRACTION_CONTAINER = "gpu-fraction", "gpu-fraction-container-name"


def decode_workload(raw: Mapping[str, Any]) -> Workload:
    """One workload object, whatever is missing in it."""
    kind = text(raw.get("kind")) or ""
    return Workload(
        text(raw.get("apiVersion")) or "",
        kind,
        namespace_of(raw),
        name_of(raw),
        strings(at(raw, "metadata", "labels")),
        strings(at(raw, "metadata", "annotations")),
        _template_containers(raw, kind),
    )


def decode_pod(raw: Mapping[str, Any]) -> Pod:
    """One pod. Resources are those in status where the cluster reports them, else the spec's."""
    annotations = strings(at(raw, "metadata", "annotations"))
    reported = {
        text(status.get("name")): status["resources"]
        for field in ("containerStatuses", "initContainerStatuses")
        for status in objects(at(raw, "status", field))
        if isinstance(status.get("resources"), Mapping)
    }
    specs = _pod_containers(at(raw, "spec"))
    shares = annotations.get(GPU_FRACTION_CONTAINER) or (text(specs[0][0].get("name")) if specs else None)
    fractions = {shares: annotations[GPU_FRACTION]} if GPU_FRACTION in annotations else {}
    containers = tuple(
        _container(spec, reported.get(name), fractions.get(name), resizable=resizable)
        for spec, resizable in specs
        for name in [text(spec.get("name"))]
    )
    terminating = at(raw, "metadata", "deletionTimestamp") is not None
    return Pod(name_of(raw), annotations, containers, text(at(raw, "status", "phase")) or "Unknown", terminating)


def _template_containers(raw: Mapping[str, Any], kind: str) -> tuple[Container, ...] | None:
    row = WORKLOAD_BY_NAME.get(kind)
    if row is None or not row.template:
        return None
    spec = at(raw, *row.template, "spec")
    if not isinstance(at(spec, "containers"), list):
        return None
    return tuple(
        _container(container, None, None, resizable=resizable) for container, resizable in _pod_containers(spec)
    )


def _pod_containers(spec: object) -> list[tuple[Mapping[str, Any], bool]]:
    """Containers of a pod spec, app containers first, each with whether it can be resized. A native sidecar is an init
    container that restarts always (engine.md 5.4)."""
    found = [(container, True) for container in objects(at(spec, "containers"))]
    found += [
        (container, container.get("restartPolicy") == "Always") for container in objects(at(spec, "initContainers"))
    ]
    return [(container, resizable) for container, resizable in found if text(container.get("name"))]


def _container(
    spec: Mapping[str, Any], reported: Mapping[str, Any] | None, fraction: str | None, *, resizable: bool
) -> Container:
    resources = reported if reported is not None else mapping(spec.get("resources"))
    requests, limits = _quantities(resources.get("requests")), _quantities(resources.get("limits"))
    if GPU not in requests and fraction is not None:
        requests[GPU] = fraction
    return Container(text(spec.get("name")) or "", resizable, requests, limits)


def _quantities(value: object) -> dict[str, str]:
    """Resource -> quantity as written. The API allows bare numbers; `gpu` stands for whole devices."""
    found = {
        name: str(amount)
        for name, amount in mapping(value).items()
        if isinstance(amount, str | int | float) and not isinstance(amount, bool)
    }
    if GPU_DEVICES in found:
        found.setdefault(GPU, found[GPU_DEVICES])
    return found
