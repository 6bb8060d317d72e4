"""Withheld facts: one rich scene, and what must hold of its answer when a part of it cannot be seen.

The scene's objects are valid for the engine's CRDs, and nothing in them hangs on a live object's creation time, so that
a real API server gives the same answers. `assert_same_or_undetermined` compares two documents as `why -o json` prints
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kubectl_kubex.codec.snapshot import WHY_KINDS
from tests.builders import (
    ELEVEN,
    NAMESPACE,
    TEN,
    bare,
    envelope,
    fixed_key,
    hashed_key,
    raw_configuration,
    raw_container,
    raw_pod,
    raw_policy,
    raw_precedence,
    raw_workload,
)

Document = Mapping[str, Any]

WITHHELD: tuple[str, ...] = (*WHY_KINDS, "Pod")
"""The kinds that are taken away, one after the other."""

_NAMING = {
    "PolicyEvaluation": "precedence-unreadable",
    "GlobalConfiguration": "configuration-unreadable",
    "Pod": "pods-unreadable",
}
_NAMELESS = {"owner-unknown", "policy-unreadable"}

_METRIC = {"metric": "gpu_used", "namespaceLabel": "namespace", "podLabel": "pod", "containerLabel": "container"}

# What the CRDs require beside the scope.
_SPECS: dict[str, dict[str, Any]] = {
    "RollbackPolicy": {"monitoringPeriod": "1h", "rollbackTarget": "manifest", "adoptionThresholdPercent": 50},
    "GpuReactivePolicy": {
        "experimental": {"gpuKaiContract": "none"},
        "metrics": {"compute": {"prometheus": _METRIC}, "memory": {"prometheus": _METRIC}},
    },
    "ContainerArgsPolicy": {"containers": {"app": {"args": [{"name": "--fast"}]}}},
    "PodAffinityPolicy": {"affinity": {"nodes": ["node-1"]}},
}


def policy(kind: str, name: str, weight: int = 0) -> dict[str, Any]:
    spec = _SPECS.get(kind.removeprefix("Cluster"), {})
    return raw_policy(kind, name, weight=weight, created=None, **spec)


def scene_policies() -> list[dict[str, Any]]:
    return [
        policy("RollbackPolicy", "rollback", 1),
        policy("ClusterRollbackPolicy", "cluster-rollback", 1),
        policy("GpuReactivePolicy", "gpu"),
        policy("ClusterGpuReactivePolicy", "cluster-gpu", 100),
        policy("StaticPolicy", "exact", 10),
        policy("StaticPolicy", "anywhere", 10),
        policy("ClusterStaticPolicy", "cluster-static", 10),
        policy("ProactivePolicy", "older", 50),
        policy("ProactivePolicy", "younger", 50),
        policy("ClusterProactivePolicy", "heavy", 60),
        policy("ClusterProactivePolicy", "light", 40),
        policy("ContainerArgsPolicy", "args", 2),
        policy("ContainerArgsPolicy", "more-args", 1),
        policy("PodAffinityPolicy", "nodes"),
        policy("ClusterCompactionPolicy", "compact"),
    ]


def scene_singletons() -> list[dict[str, Any]]:
    return [raw_precedence(), raw_configuration(multi_policy=True)]


def hashed_scene() -> dict[str, Any]:
    """Every rule decides somewhere, policies of every resource kind compete, and two fixed keys are left over."""
    annotations = {
        hashed_key("RollbackPolicy", "R1"): envelope("RollbackPolicy", "rollback", {"sidecar": {"cpu": "10m"}}),
        hashed_key("ClusterRollbackPolicy", "R2"): envelope(
            "ClusterRollbackPolicy", "cluster-rollback", {"sidecar": {"cpu": "20m"}}
        ),
        hashed_key("GpuReactivePolicy", "G1"): envelope("GpuReactivePolicy", "gpu", {"app": {"gpu": "0.5"}}),
        fixed_key("ClusterGpuReactivePolicy"): bare({"app": {"gpu": "0.7"}}),
        hashed_key("StaticPolicy", "S1"): envelope("StaticPolicy", "exact", {"app": {"cpu": "300m"}}),
        hashed_key("StaticPolicy", "S2"): envelope(
            "StaticPolicy", "anywhere", {"*": {"cpu": "200m", "ephemeral-storage": "1Gi"}}
        ),
        hashed_key("ClusterStaticPolicy", "S3"): envelope(
            "ClusterStaticPolicy", "cluster-static", {"*": {"ephemeral-storage": "2Gi"}}
        ),
        hashed_key("ProactivePolicy", "P1"): envelope(
            "ProactivePolicy", "older", {"app": {"memory": "256Mi"}, "sidecar": {"memory": "64Mi"}}, created=TEN
        ),
        hashed_key("ProactivePolicy", "P0"): envelope(
            "ProactivePolicy", "younger", {"app": {"memory": "512Mi"}}, created=ELEVEN
        ),
        fixed_key("ClusterProactivePolicy"): bare({"sidecar": {"memory": "96Mi"}}),
        hashed_key("ProactivePolicy", "P1", "limits"): envelope(
            "ProactivePolicy", "older", {"app": {"memory": "1Gi"}}, created=TEN
        ),
        "containerargspolicy.rightsizing.kubex.ai/pod-runtime-hook": "{}",
        "podaffinitypolicy.rightsizing.kubex.ai/pod-runtime-hook": "{}",
        "clustercompactionpolicy.rightsizing.kubex.ai/pod-runtime-hook": "{}",
    }
    return raw_workload(annotations, name="checkout", labels={"app": "checkout"}, containers=_containers())


def fixed_scene() -> dict[str, Any]:
    """Fixed keys only: owners are inferred, and only the configuration says which engine wrote them."""
    annotations = {
        fixed_key("StaticPolicy"): bare({"*": {"cpu": "200m"}, "app": {"memory": "1Gi"}}),
        fixed_key("ClusterStaticPolicy"): bare({"app": {"cpu": "300m", "memory": "2Gi"}}),
        fixed_key("ProactivePolicy"): bare({"sidecar": {"memory": "64Mi"}}),
        fixed_key("ClusterProactivePolicy"): bare({"sidecar": {"memory": "96Mi"}}),
        fixed_key("RollbackPolicy", "limits"): bare({"app": {"memory": "3Gi"}}),
    }
    return raw_workload(annotations, name="legacy", labels={"app": "legacy"}, containers=_containers())


def _containers() -> list[dict[str, Any]]:
    return [raw_container("app", {"cpu": "100m"}), raw_container("sidecar", {"cpu": "10m"})]


def scene_pods(workload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Two running pods of a workload, one of them resized already."""
    name = workload["metadata"]["name"]
    owner = {
        "apiVersion": workload["apiVersion"],
        "kind": workload["kind"],
        "name": name,
        "controller": True,
        "uid": "u",
    }
    resized = [raw_container("app", {"cpu": "300m", "memory": "256Mi"}), raw_container("sidecar", {"cpu": "10m"})]
    return [
        raw_pod(f"{name}-1", *_containers(), metadata={"ownerReferences": [owner]}),
        raw_pod(f"{name}-2", *resized, metadata={"ownerReferences": [owner]}),
    ]


def scene_objects() -> list[dict[str, Any]]:
    """All objects of the scene but pods: singletons, policies, and the two workloads, for a server or a file."""
    return [*scene_singletons(), *scene_policies(), hashed_scene(), fixed_scene()]


# --- The assertion ---------------------------------------------------------------------------------------------------


def target_name(target: Document) -> str:
    return f"{target['container']}/{target['usage']}/{target['resource']}"


def assert_same_or_undetermined(full: Document, partial: Document, withheld: Iterable[str] = ()) -> None:
    """`partial` is the answer where something could not be seen: per target the same as in `full`, or undetermined with
    a reason that names it; never another winner. `withheld`: kinds that the document must then name."""
    for kind in withheld:
        assert _names(partial, kind), f"{kind} is not named: {partial['doubts']}"
    expected = {target_name(target): target for target in full["targets"]}
    found = {target_name(target): target for target in partial["targets"]}
    assert list(found) == list(expected)
    for name, target in found.items():
        _compare(expected[name], target, name, partial)
    hooks = {hook["annotationKey"]: hook for hook in full["hooks"]}
    assert [hook["annotationKey"] for hook in partial["hooks"]] == list(hooks)
    for hook in partial["hooks"]:
        name = f"{hook['hook']}/{hook['kind']}"
        _compare_hook(hooks[hook["annotationKey"]], hook, name, partial)


def _names(document: Document, kind: str) -> bool:
    """Whether a doubt of the document says that objects of `kind` could not be read."""
    code = _NAMING.get(kind, "kind-unreadable")
    subject = None if kind in _NAMING else kind
    return any(doubt["code"] == code and doubt["subject"] == subject for doubt in document["doubts"])


def _compare(full: Document, partial: Document, name: str, document: Document) -> None:
    if partial["status"] == "undetermined":
        _assert_reasons(partial, name, document)
        return
    assert full["status"] == "selected", f"{name}: knowing less cannot settle what was open"
    ours, theirs = partial["selected"], full["selected"]
    for field in ("value", "annotationKey", "exact"):
        assert ours[field] == theirs[field], f"{name}: another winner"
    _assert_policy(theirs["policy"], ours["policy"], partial, name)


def _compare_hook(full: Document, partial: Document, name: str, document: Document) -> None:
    if partial["status"] == "undetermined":
        _assert_reasons(partial, name, document)
        return
    assert full["status"] == "selected", f"{name}: knowing less cannot settle what was open"
    _assert_policy(full["selected"], partial["selected"], partial, name)


def _assert_policy(full: Document, partial: Document, answer: Document, name: str) -> None:
    """The same policy; or nobody's name, and a doubt that says why."""
    assert (partial["kind"], partial["namespace"]) == (full["kind"], full["namespace"]), f"{name}: another policy"
    if partial["name"] is None and full["name"] is not None:
        assert _NAMELESS & set(answer["doubts"]), f"{name}: no name, and no doubt about it"
    else:
        assert partial["name"] == full["name"], f"{name}: another policy"


def _assert_reasons(answer: Document, name: str, document: Document) -> None:
    """Undetermined: nobody selected, and each reason is a doubt of the document that affects this target."""
    assert answer["selected"] is None
    assert answer["decidedBy"] is None
    assert answer["reasons"], f"{name}: undetermined for no reason"
    for reason in answer["reasons"]:
        doubts = [doubt for doubt in document["doubts"] if doubt["code"] == reason and name in doubt["affects"]]
        assert doubts, f"{name}: {reason} is not among the document's doubts"
        assert all(doubt["message"] for doubt in doubts)


__all__ = [
    "NAMESPACE",
    "WITHHELD",
    "assert_same_or_undetermined",
    "fixed_scene",
    "hashed_scene",
    "scene_objects",
    "scene_pods",
    "scene_policies",
    "scene_singletons",
    "target_name",
]
