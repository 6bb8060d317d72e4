"""What a capture keeps of an object: lists of what may stay, so that a field nobody thought of is left out.

Never kept: the environment, commands and arguments, probes, volumes, annotations of other tools (all may hold
credentials), the field managers' bookkeeping, and what policies write into args or patch into objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import mapping, objects, strings, text
from kubectl_kubex.core.kinds import BY_NAME, PRECEDENCE_KIND

_METADATA = (
    "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "labels",
)  # fmt: skip
_DOMAINS = ("kubex.ai", "helm.sh", "argocd.argoproj.io", "fluxcd.io")
_KEYS = ("gpu-fraction",)
_NOT_ARGS = "containerargspolicy.rightsizing.kubex.ai/pod-runtime-hook"
_CONTAINER = ("name", "image", "resources", "resizePolicy", "restartPolicy")
_CONTAINER_STATUS = ("name", "ready", "started", "restartCount", "resources", "allocatedResources")
_POD_SPEC = (
    "nodeName", "schedulerName", "priorityClassName", "restartPolicy", "nodeSelector", "terminationGracePeriodSeconds",
    "resources", "overhead",
)  # fmt: skip
_POD_STATUS = ("phase", "qosClass", "startTime", "resize")
_WORKLOAD_SPEC = (
    "replicas", "minReplicas", "maxReplicas", "selector", "strategy", "updateStrategy", "minReadySeconds", "paused",
    "suspend", "schedule", "timeZone", "concurrencyPolicy", "parallelism", "completions", "backoffLimit", "serviceName",
    "podManagementPolicy", "revisionHistoryLimit", "workloadRef",
)  # fmt: skip
_SURROUNDING_SPEC: dict[str, tuple[str, ...]] = {
    "LimitRange": ("limits",),
    "ResourceQuota": ("hard", "scopes", "scopeSelector"),
    "HorizontalPodAutoscaler": ("scaleTargetRef", "minReplicas", "maxReplicas", "targetCPUUtilizationPercentage"),
    "VerticalPodAutoscaler": ("targetRef", "updatePolicy", "resourcePolicy"),
    "PodDisruptionBudget": ("selector", "minAvailable", "maxUnavailable"),
    "Namespace": (),
    "Node": (),
}
_SURROUNDING_STATUS: dict[str, tuple[str, ...]] = {
    "ResourceQuota": ("hard", "used"),
    "VerticalPodAutoscaler": ("recommendation",),
    "Node": ("allocatable",),
}
_CONDITION = ("type", "status", "reason", "lastTransitionTime", "observedGeneration")


def kept(raw: RawObject) -> dict[str, Any]:
    """`raw` without what no answer needs or what may be secret. Keeps the order of its fields."""
    kind = text(raw.get("kind")) or ""
    found: dict[str, Any] = {name: raw[name] for name in ("apiVersion", "kind") if name in raw}
    found["metadata"] = _metadata(mapping(raw.get("metadata")), managers=kind == PRECEDENCE_KIND.name)
    if "spec" in raw:
        found["spec"] = _spec(kind, raw["spec"])
    if isinstance(raw.get("status"), Mapping):
        found["status"] = _pod_status(raw["status"]) if kind == "Pod" else _status(kind, raw["status"])
    return found


def _metadata(metadata: Mapping[str, Any], *, managers: bool) -> dict[str, Any]:
    found = _chosen(metadata, _METADATA)
    if "annotations" in metadata:
        found["annotations"] = {
            key: "" if key == _NOT_ARGS else value
            for key, value in strings(metadata["annotations"]).items()
            if _is_ours(key)
        }
    if "ownerReferences" in metadata:
        found["ownerReferences"] = metadata["ownerReferences"]
    if managers and "managedFields" in metadata:  # who manages the precedence is a part of the answer
        entries = objects(metadata["managedFields"])
        found["managedFields"] = [_chosen(entry, ("manager", "operation", "time")) for entry in entries]
    return found


def _is_ours(key: str) -> bool:
    domain = key.rpartition("/")[0]
    return key in _KEYS or any(domain == known or domain.endswith(f".{known}") for known in _DOMAINS)


def _spec(kind: str, spec: object) -> Any:  # noqa: ANN401 - a spec that is no object stays what it is
    if not isinstance(spec, Mapping):
        return spec
    if kind in BY_NAME:
        return _engine_spec(kind, spec)
    if kind == "Pod":
        return _pod_spec(spec)
    if kind in _SURROUNDING_SPEC:
        return _surrounding_spec(kind, spec)
    found = _chosen(spec, _WORKLOAD_SPEC)
    if "template" in spec:
        found["template"] = _template(spec["template"])
    if isinstance(spec.get("jobTemplate"), Mapping):
        template = spec["jobTemplate"]
        metadata = (
            {"metadata": _metadata(mapping(template["metadata"]), managers=False)} if "metadata" in template else {}
        )
        found["jobTemplate"] = {**metadata, "spec": _spec("Job", template.get("spec"))}
    return found


def _surrounding_spec(kind: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Of a metric only what it measures: selectors of outside metrics may say anything."""
    found = _chosen(spec, _SURROUNDING_SPEC[kind])
    if kind == "HorizontalPodAutoscaler" and isinstance(spec.get("metrics"), list):
        found["metrics"] = [_metric(metric) for metric in objects(spec["metrics"])]
    return found


def _metric(metric: Mapping[str, Any]) -> dict[str, Any]:
    sources = {name: metric[name] for name in ("resource", "containerResource") if name in metric}
    return {**_chosen(metric, ("type",)), **{n: _chosen(mapping(s), ("name", "container")) for n, s in sources.items()}}


def _engine_spec(kind: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """Policies stay whole but for what they would write into containers and objects."""
    found = dict(spec)
    if kind == "ContainerArgsPolicy" and isinstance(spec.get("containers"), Mapping):
        containers = spec["containers"].items()
        found["containers"] = {name: {"args": _argument_names(container)} for name, container in containers}
    if kind in ("ObjectPatch", "ClusterObjectPatch"):
        found.pop("patch", None)
    return found


def _argument_names(container: object) -> list[dict[str, Any]]:
    return [_chosen(argument, ("name", "operation")) for argument in objects(mapping(container).get("args"))]


def _template(template: object) -> Any:  # noqa: ANN401 - a template that is no object stays what it is
    if not isinstance(template, Mapping):
        return template
    found: dict[str, Any] = {}
    if "metadata" in template:
        found["metadata"] = _metadata(mapping(template["metadata"]), managers=False)
    if "spec" in template:
        found["spec"] = _pod_spec(template["spec"])
    return found


def _pod_spec(spec: object) -> Any:  # noqa: ANN401 - a spec that is no object stays what it is
    if not isinstance(spec, Mapping):
        return spec
    lists = ("initContainers", "containers")
    found = {name: _each(spec[name], _CONTAINER) for name in lists if name in spec}
    return {**_chosen(spec, _POD_SPEC), **found}


def _pod_status(status: Mapping[str, Any]) -> dict[str, Any]:
    lists = ("initContainerStatuses", "containerStatuses")
    found = {name: _each(status[name], _CONTAINER_STATUS) for name in lists if name in status}
    return {**_chosen(status, _POD_STATUS), **found, **_conditions(status)}


def _status(kind: str, status: Mapping[str, Any]) -> dict[str, Any]:
    """Counts and conditions; messages may quote anything."""
    more = _chosen(status, _SURROUNDING_STATUS.get(kind, ()))
    counts = {name: value for name, value in status.items() if isinstance(value, int)}
    return {**more, **counts, **_conditions(status)}


def _conditions(status: Mapping[str, Any]) -> dict[str, Any]:
    return {"conditions": _each(status["conditions"], _CONDITION)} if "conditions" in status else {}


def _each(value: object, names: tuple[str, ...]) -> Any:  # noqa: ANN401 - what is no list stays what it is
    return [_chosen(member, names) for member in objects(value)] if isinstance(value, list) else value


def _chosen(found: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: found[name] for name in names if name in found}
