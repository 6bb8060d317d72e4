"""RBAC for the users of a test server: granted and taken back, and in force when the call returns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from .credentials import VIEWER
from .manifests import Object
from .rest import Rest
from .waiting import wait_for

LABEL = "kubex-test"
_serial = itertools.count(1)


def rule(verbs: str, resources: str, group: str = "", *names: str) -> dict[str, list[str]]:
    """One RBAC rule: verbs and resources as words in a string, `names` to limit it to those objects."""
    limits = {"resourceNames": list(names)} if names else {}
    return {"apiGroups": [group], "resources": resources.split(), "verbs": verbs.split(), **limits}


class Rights:
    """What the users of the server that `rest` reaches, as admin, may do."""

    rest: Rest

    def grant(self, user: str, rules: Sequence[Mapping[str, Any]], *, namespace: str | None = None) -> None:
        """Give a user these RBAC rules, cluster-wide or in one namespace, and wait until they are in force."""
        name = f"{LABEL}-{user}-{next(_serial)}"
        for manifest in _role(name, user, rules, namespace):
            self.rest.request("POST", self.rest.path(manifest, named=False), manifest)
        self._await_rights(user, rules, namespace, lambda reason: name in reason)

    def revoke(self, user: str | None = None) -> None:
        """Take back everything `grant` gave to a user, or to all users but `viewer`."""
        selector = {"labelSelector": f"{LABEL},{LABEL}!={VIEWER}" if user is None else f"{LABEL}={user}"}
        for plural in ("clusterrolebindings", "rolebindings", "clusterroles", "roles"):
            path = f"/apis/rbac.authorization.k8s.io/v1/{plural}"
            for each in self.rest.request("GET", path, query=selector)["items"]:
                namespace, name = each["metadata"].get("namespace"), each["metadata"]["name"]
                scope = f"/namespaces/{namespace}" if namespace else ""
                base = path.removesuffix(plural).rstrip("/")
                self.rest.request("DELETE", f"{base}{scope}/{plural}/{name}", accept=(404,))
                if plural.endswith("roles"):
                    holder = each["metadata"]["labels"][LABEL]
                    self._await_rights(holder, each["rules"], namespace, partial(_not_through, name))

    def _await_rights(
        self, user: str, rules: Sequence[Mapping[str, Any]], namespace: str | None, expected: Callable[[str], bool]
    ) -> None:
        """Wait until the authorizer's reason for each rule is as expected: it learns of bindings with a delay."""

        def settled() -> bool:
            return all(expected(self._allowed_by(user, each, namespace)) for each in rules)

        wait_for(f"the rights of {user} to change", settled)

    def _allowed_by(self, user: str, rights: Mapping[str, Any], namespace: str | None) -> str:
        """The authorizer's reason for allowing a rule's first verb on its first resource; empty when it does not."""
        spec: dict[str, Any] = {"user": user, "groups": ["kubex-test", "system:authenticated"]}
        if rights.get("nonResourceURLs"):
            spec["nonResourceAttributes"] = {"path": rights["nonResourceURLs"][0], "verb": rights["verbs"][0]}
        else:
            resource, _, subresource = rights["resources"][0].partition("/")
            spec["resourceAttributes"] = {
                "verb": rights["verbs"][0],
                "group": rights["apiGroups"][0],
                "resource": resource,
                "subresource": subresource,
                "name": (rights.get("resourceNames") or [""])[0],
                "namespace": namespace or "",
            }
        path = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
        body = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
        status = self.rest.request("POST", path, body)["status"]
        return str(status.get("reason", "")) if status.get("allowed") else ""


def _not_through(name: str, reason: str) -> bool:
    return name not in reason


def _role(name: str, user: str, rules: Sequence[Mapping[str, Any]], namespace: str | None) -> list[Object]:
    """The (Cluster)Role and binding of one grant, labelled so that `revoke` finds them."""
    prefix = "" if namespace else "Cluster"
    metadata = {"name": name, "labels": {LABEL: user}} | ({"namespace": namespace} if namespace else {})
    group = "rbac.authorization.k8s.io"
    role = {
        "apiVersion": f"{group}/v1",
        "kind": f"{prefix}Role",
        "metadata": metadata,
        "rules": [dict(r) for r in rules],
    }
    binding = {
        "apiVersion": f"{group}/v1",
        "kind": f"{prefix}RoleBinding",
        "metadata": metadata,
        "roleRef": {"apiGroup": group, "kind": f"{prefix}Role", "name": name},
        "subjects": [{"apiGroup": group, "kind": "User", "name": user}],
    }
    return [role, binding]
