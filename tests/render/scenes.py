"""A small shop in raw objects, and a source that answers from it: enough to see every part of an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kubectl_kubex.codec.gathered import Gathered, Objects, Subject, WorkloadList, WorkloadReference
from kubectl_kubex.core.kinds import API_VERSION, BY_NAME, DEFAULT_PRECEDENCE
from kubectl_kubex.core.model import Gap, SourceInfo
from kubectl_kubex.errors import KubexError, WorkloadNotFound

Raw = dict[str, Any]
DOMAIN = "rightsizing.kubex.ai"


def key(prefix: str, usage: str = "requests", digest: str = "") -> str:
    return f"{prefix}.{DOMAIN}/{f'h{digest}-' if digest else ''}desired-resource-{usage}"


def envelope(kind: str, name: str, containers: Raw, namespace: str = "shop", **more: Any) -> str:
    home = {"policyNamespace": namespace} if BY_NAME[kind].namespaced else {}
    return json.dumps({"policyKind": kind, **home, "policyName": name, "containers": containers, **more})


def policy(kind: str, name: str, weight: int = 0, created: str = "2026-01-01T00:00:00Z", **scope: Any) -> Raw:
    row = BY_NAME[kind]
    if not row.namespaced:
        scope.setdefault("namespaceSelector", {"operator": "In", "values": ["*"]})
    home = {"namespace": "shop"} if row.namespaced else {}
    return {
        "apiVersion": API_VERSION,
        "kind": kind,
        "metadata": {"name": name, "creationTimestamp": created, **home},
        "spec": {"weight": weight, "scope": scope},
    }


def precedence(entries: Sequence[tuple[str, Any]] = DEFAULT_PRECEDENCE, **metadata: Any) -> Raw:
    return {
        "apiVersion": API_VERSION,
        "kind": "PolicyEvaluation",
        "metadata": {"name": "policy-evaluation", "resourceVersion": "42", **metadata},
        "spec": {"precedence": [{"type": name, "priority": priority} for name, priority in entries]},
    }


def configuration(**spec: Any) -> Raw:
    labels = {"helm.sh/chart": "kubex-automation-engine-1.12.0"}
    spec = {"multiPolicyContainerRightsizingEnabled": True, **spec}
    return {
        "apiVersion": API_VERSION,
        "kind": "GlobalConfiguration",
        "metadata": {"name": "global-config", "labels": labels},
        "spec": spec,
    }


def deployment(
    name: str = "web", annotations: Mapping[str, str] | None = None, containers: Sequence[str] = ("app",), **labels: str
) -> Raw:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "shop", "labels": labels, "annotations": dict(annotations or {})},
        "spec": {"template": {"spec": {"containers": [{"name": container} for container in containers]}}},
    }


def pod(name: str, annotations: Mapping[str, str] | None = None, **requests: str) -> Raw:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "annotations": dict(annotations or {})},
        "spec": {"containers": [{"name": "app", "resources": {"requests": requests}}]},
        "status": {"phase": "Running"},
    }


@dataclass
class Memory:
    """A FactSource over objects in memory."""

    objects: Sequence[Raw]
    pods: Mapping[str, Sequence[Raw] | None] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    source: SourceInfo = SourceInfo("prod", "https://10.0.0.1:6443")
    namespace: str = "shop"

    def gather(
        self,
        references: Sequence[WorkloadReference],
        namespace: str,
        kinds: Sequence[str],
        *,
        all_namespaces: bool = False,
    ) -> Gathered:
        hidden = {gap.kind for gap in self.gaps}
        by_kind = {
            kind: tuple(raw for raw in self.objects if raw["kind"] == kind) for kind in kinds if kind not in hidden
        }
        subjects = tuple(self._subject(reference, namespace) for reference in references)
        return Gathered(self.source, Objects(by_kind, self.gaps), subjects)

    def workloads(self, namespace: str | None) -> WorkloadList:
        found = tuple(raw for raw in self.objects if raw["kind"] == "Deployment")
        return WorkloadList(tuple({k: raw[k] for k in ("apiVersion", "kind", "metadata")} for raw in found))

    def _subject(self, reference: WorkloadReference, namespace: str) -> Subject | KubexError:
        for raw in self.objects:
            kind = reference.kind.name if reference.kind else "Deployment"
            if raw["kind"] == kind and raw["metadata"]["name"] == reference.name:
                pods = self.pods.get(reference.name, ())
                return Subject(reference, raw, None if pods is None else tuple(pods))
        resource = reference.kind.resource if reference.kind else ""
        return WorkloadNotFound(resource, reference.name, namespace)
