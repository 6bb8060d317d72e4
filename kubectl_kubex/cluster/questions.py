"""Questions as values: what can be asked of the API, and the paths it has for that. Equal ones are asked once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from kubectl_kubex.core.kinds import API_VERSION, Kind
from kubectl_kubex.core.surrounding_kinds import SurroundingKind
from kubectl_kubex.core.workload_kinds import WorkloadKind
from kubectl_kubex.errors import UsageError

METADATA_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"


class Resource(NamedTuple):
    """One kind of object as the API serves it. `api_version` as objects say it: `apps/v1`, `v1`."""

    kind: str
    plural: str
    api_version: str
    namespaced: bool = True

    @property
    def name(self) -> str:
        """As RBAC and kubectl write it: `deployments.apps`."""
        group = self.api_version.rpartition("/")[0]
        return f"{self.plural}.{group}" if group else self.plural

    def path(self, namespace: str | None, name: str = "") -> str:
        """The list's path, or one object's. `namespace` None: all of them."""
        root = f"/apis/{self.api_version}" if "/" in self.api_version else f"/api/{self.api_version}"
        place = f"/namespaces/{quote(namespace, safe='')}" if self.namespaced and namespace else ""
        return f"{root}{place}/{self.plural}" + (f"/{quote(name, safe='')}" if name else "")


class One(NamedTuple):
    """Get one object."""

    resource: Resource
    namespace: str
    name: str

    def __str__(self) -> str:
        return f"get {self.resource.name} {self.name}" + _in(self.resource, self.namespace)


class All(NamedTuple):
    """List objects. `labels`: a label selector. `metadata_only`: no spec and status. `owners`: keep only what an object
    with one of these uids controls. `fields`: a field selector."""

    resource: Resource
    namespace: str | None
    labels: str = ""
    metadata_only: bool = False
    owners: frozenset[str] | None = None
    fields: str = ""

    def __str__(self) -> str:
        which = f" with {self.fields}" if self.fields else ""
        return f"list {self.resource.name}{which}" + _in(self.resource, self.namespace)


class Versions(NamedTuple):
    """Ask which versions of a group are served."""

    group: str

    def __str__(self) -> str:
        return f"get /apis/{self.group}"


Question = One | All | Versions
Found = Mapping[str, Any]
Answer = Found | tuple[Found, ...]


def engine_resource(kind: Kind) -> Resource:
    return Resource(kind.name, kind.plural, API_VERSION, kind.namespaced)


def surrounding_resource(kind: SurroundingKind) -> Resource:
    return Resource(kind.name, kind.plural, kind.api_version, kind.namespaced)


def workload_resource(kind: WorkloadKind, version: str = "") -> Resource:
    """`version`: the discovered one of an optional kind."""
    version = version or kind.versions[0]
    return Resource(kind.name, kind.plural, f"{kind.group}/{version}" if kind.group else version)


def check_name(what: str, name: str) -> None:
    """Raises UsageError for a name that no object can have and that would make another path."""
    if not name or name in {".", ".."} or "/" in name or "%" in name:
        raise UsageError(f'invalid {what} "{name}"', "it must not be empty, `.`, `..` or contain `/` or `%`")


def _in(resource: Resource, namespace: str | None) -> str:
    if not resource.namespaced:
        return ""
    return f" in namespace {namespace}" if namespace else " in all namespaces"
