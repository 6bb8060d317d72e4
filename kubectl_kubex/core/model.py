"""The central types: what was read (Snapshot and its parts). Frozen values; times are aware UTC datetimes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum


class Usage(str, Enum):
    """Which side of a container's resources. The engine's own word (automation-constraints annotation)."""

    REQUESTS = "requests"
    LIMITS = "limits"


@dataclass(frozen=True, order=True)
class Target:
    """What one policy wins: a resource of a container, as request or limit."""

    container: str
    usage: Usage
    resource: str

    def __str__(self) -> str:
        return f"{self.container}/{self.usage.value}/{self.resource}"


@dataclass(frozen=True)
class PolicyRef:
    """Identity of a policy. `namespace` is None for cluster kinds, `name` None when no source names the policy."""

    kind: str
    namespace: str | None
    name: str | None

    @property
    def sort_key(self) -> tuple[str, str, str]:
        return (self.kind, self.namespace or "", self.name or "")


@dataclass(frozen=True)
class LabelRequirement:
    """One requirement of a label selector. `operator`: In, NotIn, Exists, DoesNotExist."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamespaceSelector:
    """`operator`: In or NotIn over namespace names; `*` in a value matches any run of characters."""

    operator: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Scope:
    """`spec.scope` of a policy (engine.md 1.2 and 7). `workload_types` None: omitted. `containers` empty: all."""

    namespace_selector: NamespaceSelector | None = None
    requirements: tuple[LabelRequirement, ...] = ()
    workload_types: tuple[str, ...] | None = None
    containers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Policy:
    """A live policy object, as far as matching and ranking need it.

    `weight` is `spec.weight`, default 0; `created` its creationTimestamp. `problem` names the first field that makes no
    sense (then `scope` or `weight` holds what could be read and must not be trusted).
    """

    ref: PolicyRef
    weight: int = 0
    created: datetime | None = None
    scope: Scope = Scope()
    strategy: str | None = None
    problem: str | None = None


@dataclass(frozen=True)
class Container:
    """A container of a workload's template or of a pod. `resizable`: an app container or a native sidecar (an init
    container with restartPolicy Always); plain init containers are never targets (engine.md 5.4)."""

    name: str
    resizable: bool = True
    requests: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)

    def value(self, usage: Usage, resource: str) -> str | None:
        """The quantity as written, None where unset."""
        return (self.requests if usage is Usage.REQUESTS else self.limits).get(resource)


@dataclass(frozen=True)
class Pod:
    """A pod of the workload with the resources that apply to it (status where the cluster reports it, else spec)."""

    name: str
    annotations: Mapping[str, str]
    containers: tuple[Container, ...]
    phase: str = "Running"
    terminating: bool = False


@dataclass(frozen=True)
class Workload:
    """The object that was asked about, after climbing to the owner that carries recommendations.

    `containers` come from its template; None where the kind has no template.
    """

    api_version: str
    kind: str
    namespace: str
    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    containers: tuple[Container, ...] | None = None


class GapReason(str, Enum):
    """Why objects of a kind are not in the snapshot."""

    FORBIDDEN = "forbidden"  # 401/403 on this kind
    NOT_SERVED = "not-served"  # the API server does not know the kind: there are none
    SERVER_ERROR = "server-error"  # 5xx, or an answer that makes no sense
    NOT_IN_INPUT = "not-in-input"  # an offline input without one object of the kind
    UNREADABLE = "unreadable"  # an input file, or one object in it, could not be read


@dataclass(frozen=True)
class Gap:
    """Objects of `kind` (a kind's name, `Pod`, or a file's name when UNREADABLE) that could not be read.

    `detail`: the server's or parser's own message. `request`: what was asked, as `list staticpolicies.rightsizing...`.
    """

    kind: str
    reason: GapReason
    detail: str = ""
    request: str = ""

    @property
    def hides_objects(self) -> bool:
        """Whether objects may exist that we did not see. A kind that is not served has none."""
        return self.reason is not GapReason.NOT_SERVED


class Generation(str, Enum):
    """Which engine is at work, by evidence on the cluster (engine.md 14.8)."""

    MULTI_POLICY = "multi-policy"  # knows the flag, or hashed keys were seen: follows the reference page
    OLDER = "older"  # its CRD lacks the flag
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Engine:
    """What GlobalConfiguration says. None where it could not be read."""

    multi_policy: bool | None = None
    automation_enabled: bool | None = None
    version: str | None = None
    generation: Generation = Generation.UNKNOWN


@dataclass(frozen=True)
class SourceInfo:
    """Where the facts come from. `captured_at`: None for a live cluster; RFC3339 for a capture that says its time."""

    context: str | None = None
    server: str | None = None
    offline: bool = False
    captured_at: str | None = None
    inputs: tuple[str, ...] = ()
