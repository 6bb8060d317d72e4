"""What tests do to a server besides running it: objects, namespaces, CRDs, rights. All as admin, over REST."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import manifests
from .manifests import Object
from .rest import APPLY_PATCH, MERGE_PATCH, ApiError, Resource
from .rights import Rights
from .waiting import wait_for

ENGINE_GROUP = "rightsizing.kubex.ai"
MANAGER = "kubex-test"
KEPT_NAMESPACES = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
KEPT_KINDS = frozenset({"Service", "Endpoints", "EndpointSlice"})  # in `default` the server's own
# A Job's dependents would else be orphaned by a finalizer, and no controller takes that off.
AT_ONCE = {"gracePeriodSeconds": "0", "propagationPolicy": "Background"}
Manifests = str | Path | Object | Iterable[Object]
_serial = itertools.count(1)


def objects_in(source: Manifests) -> list[Object]:
    """The objects in YAML text, in a file or folder, in one dict (a List too), or in an iterable of dicts."""
    if isinstance(source, str):
        return manifests.parse(source)
    if isinstance(source, Path):
        return manifests.read(source)
    return list(manifests.flatten([source] if isinstance(source, dict) else source))


class Fixtures(Rights):
    """Objects, namespaces, CRDs and rights of the server that `rest` reaches."""

    def apply(self, source: Manifests, *, namespace: str | None = None, manager: str = MANAGER) -> list[Object]:
        """Server-side apply, in bulk; the live objects, in the order given. `status` is not applied.

        `namespace` is for namespaced objects that name none. Namespaces and CRDs go first.
        """
        query = {"fieldManager": manager, "force": "true"}
        objects = [self._placed(found, namespace) for found in objects_in(source)]

        def patch(manifest: Object) -> Object:
            path = self.rest.path(manifest)
            answer: Object = self.rest.request("PATCH", path, manifest, query=query, content_type=APPLY_PATCH)
            return answer

        live: dict[int, Object] = {}
        for wave in (("Namespace", "CustomResourceDefinition"), None):
            picked = [i for i, found in enumerate(objects) if i not in live and (not wave or found["kind"] in wave)]
            live.update(zip(picked, self.rest.each(patch, [objects[i] for i in picked]), strict=True))
        return [live[index] for index in range(len(objects))]

    def create(self, manifest: Object, *, manager: str = MANAGER) -> Object:
        """POST one object as it is, so that the server's own defaulting and validation decide."""
        path = self.rest.path(manifest, named=False)
        answer: Object = self.rest.request("POST", path, manifest, query={"fieldManager": manager})
        return answer

    def get(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> Object | None:
        """One live object, or None when it does not exist."""
        path = self.rest.resource(api_version, kind).path(namespace, name)
        try:
            answer: Object = self.rest.request("GET", path)
        except ApiError as problem:
            if problem.status == 404:
                return None
            raise
        return answer

    def patch(self, manifest: Object, change: Mapping[str, Any], *, manager: str = MANAGER) -> Object:
        """Merge-patch the live object that `manifest` names."""
        query = {"fieldManager": manager}
        path = self.rest.path(manifest)
        answer: Object = self.rest.request("PATCH", path, change, query=query, content_type=MERGE_PATCH)
        return answer

    def set_status(self, manifest: Object, *, manager: str = MANAGER) -> Object:
        """Write the manifest's `status` through the status subresource."""
        path = self.rest.path(manifest, "status")
        query = {"fieldManager": manager}
        body = {"status": manifest["status"]}
        answer: Object = self.rest.request("PATCH", path, body, query=query, content_type=MERGE_PATCH)
        return answer

    def delete(self, *targets: Object) -> None:
        """Remove objects at once: finalizers taken off, no grace period; absent ones are fine."""
        for manifest in targets:
            path = self.rest.path(manifest)
            live = self.rest.request("GET", path, accept=(404,))
            if live.get("metadata", {}).get("finalizers"):
                self.patch(manifest, {"metadata": {"finalizers": None}})
            self.rest.request("DELETE", path, query=AT_ONCE, accept=(404,))

    def _placed(self, manifest: Object, namespace: str | None) -> Object:
        metadata = manifest["metadata"]
        if not namespace or "namespace" in metadata or manifest["kind"] == "CustomResourceDefinition":
            return manifest
        if not self.rest.resource(manifest["apiVersion"], manifest["kind"]).namespaced:
            return manifest
        return {**manifest, "metadata": {**metadata, "namespace": namespace}}

    # Namespaces. No controllers run, so this class does the namespace controller's work.

    def new_namespace(self, prefix: str = "test", labels: Mapping[str, str] | None = None) -> str:
        """A fresh namespace; its name is not used twice on a server, even by parallel processes."""
        name = f"{prefix}-{os.getpid():x}-{next(_serial)}"
        self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": dict(labels or {})}})
        return name

    def delete_namespace(self, name: str) -> None:
        """Remove a namespace with everything in it, so that `-A` does not see it again."""
        kinds = [kind for kind in self.rest.resources() if kind.namespaced and "deletecollection" in kind.verbs]
        self.rest.each(lambda kind: self._empty(kind, name), kinds)
        path = f"/api/v1/namespaces/{name}"
        self.rest.request("DELETE", path, accept=(404, 409))
        live = self.rest.request("GET", path, accept=(404,))
        if live.get("kind") == "Namespace":
            live["spec"]["finalizers"] = []
            self.rest.request("PUT", f"{path}/finalize", live, accept=(404, 409))

    def _empty(self, kind: Resource, namespace: str | None) -> None:
        """Delete every object of a kind, in one namespace or (None, a cluster-scoped kind) altogether."""
        path = kind.path(namespace)
        found = self.rest.request("GET", path, accept=(404, 405)).get("items") or []
        for each in found:
            if each["metadata"].get("finalizers"):
                named = kind.path(namespace, each["metadata"]["name"])
                change = {"metadata": {"finalizers": None}}
                self.rest.request("PATCH", named, change, content_type=MERGE_PATCH, accept=(404,))
        if found:
            self.rest.request("DELETE", path, query=AT_ONCE)

    def delete_cluster_objects(self) -> None:
        """Remove the engine's cluster-scoped objects and the Nodes, which no namespace takes away with it."""
        engine = f"/apis/{ENGINE_GROUP}/"
        kinds = [
            kind
            for kind in self.rest.resources()
            if not kind.namespaced and (kind.prefix.startswith(engine) or kind.kind == "Node")
        ]
        self.rest.each(lambda kind: self._empty(kind, None), kinds)

    def reset(self) -> None:
        """Back to a server without scenes: no test namespaces, engine objects, Nodes or granted rights."""
        found = self.rest.request("GET", "/api/v1/namespaces")["items"]
        names = {each["metadata"]["name"] for each in found}
        self.rest.each(self.delete_namespace, sorted(names - KEPT_NAMESPACES))
        own = [kind for kind in self.rest.resources() if kind.namespaced and kind.kind not in KEPT_KINDS]
        self.rest.each(lambda kind: self._empty(kind, "default"), [k for k in own if "deletecollection" in k.verbs])
        self.delete_cluster_objects()
        self.revoke()

    # CRDs

    def install_crds(self, *, workloads: bool = True, multi_policy_flag: bool = True) -> None:
        """Install the engine's CRDs and wait until they are served.

        `workloads`: those of Argo, Strimzi and KubeAI too. Without `multi_policy_flag`: as an older engine has them;
        calling it again with the other value changes a running server over.
        """
        crds = manifests.engine_crds(multi_policy_flag=multi_policy_flag)
        crds += manifests.workload_crds() if workloads else []
        self.apply(crds)
        self.rest.each(self._wait_served, crds)
        wait_for("the GlobalConfiguration schema", lambda: self._knows_flag() == multi_policy_flag)

    def remove_crds(self, *kinds: str) -> None:
        """Remove the CRDs of these kinds with their objects, and wait until they are gone."""
        crds = [*manifests.engine_crds(), *manifests.workload_crds()]
        self.rest.each(self._remove_crd, [crd for crd in crds if crd["spec"]["names"]["kind"] in kinds])

    def _remove_crd(self, crd: Object) -> None:
        path = self.rest.path(crd)
        self.rest.request("DELETE", path, accept=(404,))
        wait_for(f"{path} to go", lambda: "spec" not in self.rest.request("GET", path, accept=(404,)))

    def _wait_served(self, crd: Object) -> None:
        names, version = crd["spec"]["names"], crd["spec"]["versions"][0]["name"]
        path = f"/apis/{crd['spec']['group']}/{version}/{names['plural']}"

        def served() -> bool:
            conditions = self.rest.request("GET", self.rest.path(crd)).get("status", {}).get("conditions") or []
            established = any(each["type"] == "Established" and each["status"] == "True" for each in conditions)
            return established and "items" in self.rest.request("GET", path, accept=(404, 503))

        wait_for(f"the CRD of {names['kind']}", served)

    def _knows_flag(self) -> bool:
        """Whether the schema in force accepts the multi-policy flag, asked by a strict dry run."""
        path = f"/apis/{ENGINE_GROUP}/v1alpha1/globalconfigurations"
        body = {
            "apiVersion": f"{ENGINE_GROUP}/v1alpha1",
            "kind": "GlobalConfiguration",
            "metadata": {"name": "schema-probe"},
            "spec": {"multiPolicyContainerRightsizingEnabled": True},
        }
        query = {"dryRun": "All", "fieldValidation": "Strict"}
        return "spec" in self.rest.request("POST", path, body, query=query, accept=(400, 422, 404))
