"""Values of the field for tests: valid by default, so that a test says only what it is about.

`a_...` makes core values. `raw_...` makes objects as the API server prints them; `answer_to` takes those through the
codec and selection, as a command does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from kubectl_kubex.codec.gathered import Gathered, Objects, RawObject, Subject, WorkloadReference
from kubectl_kubex.codec.snapshot import WHY_KINDS, snapshot_of
from kubectl_kubex.core.answer import Answer, TargetSelection
from kubectl_kubex.core.candidate import OLDEST, Candidate
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import API_VERSION, BY_NAME, DEFAULT_PRECEDENCE, GROUP
from kubectl_kubex.core.model import (
    Container,
    Engine,
    Gap,
    GapReason,
    Generation,
    Policy,
    PolicyRef,
    Scope,
    SourceInfo,
    Target,
    Usage,
    Workload,
)
from kubectl_kubex.core.precedence import Entry, Precedence
from kubectl_kubex.core.reading import Reading, known
from kubectl_kubex.core.recommendation import Form, Recommendation, Timestamps, Value
from kubectl_kubex.core.selection import select
from kubectl_kubex.core.snapshot import Snapshot
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME

NAMESPACE = "shop"
TEN = datetime(2026, 8, 1, 10, tzinfo=timezone.utc)
ELEVEN = TEN + timedelta(hours=1)
NOON = TEN + timedelta(hours=2)
CPU = Target("app", Usage.REQUESTS, "cpu")

# The prefix that ClusterRollbackPolicy's keys have is not published: tests use one that the program cannot know.
PREFIXES = {name: kind.key_prefix or "cwrollbackpolicy" for name, kind in BY_NAME.items()}


def rfc3339(time: datetime) -> str:
    return time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def fixed_key(kind: str, usage: str = "requests") -> str:
    return f"{PREFIXES[kind]}.{GROUP}/desired-resource-{usage}"


def hashed_key(kind: str, digest: str = "AAAA", usage: str = "requests") -> str:
    return f"{PREFIXES[kind]}.{GROUP}/h{digest}-desired-resource-{usage}"


def reading(value: int | Reading[int]) -> Reading[int]:
    return value if isinstance(value, Reading) else known(value)


def a_ref(kind: str = "ProactivePolicy", name: str | None = "policy", namespace: str | None = NAMESPACE) -> PolicyRef:
    return PolicyRef(kind, namespace if kind in BY_NAME and BY_NAME[kind].namespaced else None, name)


def a_candidate(
    kind: str = "ProactivePolicy",
    digest: str = "AAAA",
    *,
    priority: int | Reading[int] = 70,
    weight: int | Reading[int] = 0,
    exact: bool = True,
    created: datetime | Reading[datetime] | None = None,
    **changes: Any,
) -> Candidate:
    """A claim under a hashed key. `created` None: a payload without a timestamp. `changes`: any other field."""
    key = changes.pop("key", None) or hashed_key(kind, digest)
    return Candidate(
        key,
        changes.pop("policy", a_ref(kind, f"policy-{digest.lower()}")),
        changes.pop("kinds", (kind,)),
        reading(priority),
        reading(weight),
        exact,
        created if isinstance(created, Reading) else known(OLDEST if created is None else created),
        **{"value": "100m", **changes},
    )


def a_policy(
    kind: str = "ProactivePolicy",
    name: str = "policy",
    *,
    namespace: str = NAMESPACE,
    weight: int = 0,
    created: datetime | None = TEN,
    problem: str | None = None,
    **scope: Any,
) -> Policy:
    """A policy that matches `a_workload()`. `scope`: fields of Scope."""
    return Policy(a_ref(kind, name, namespace), weight, created, Scope(**scope), "strategy", problem)


def a_workload(
    kind: str = "Deployment",
    name: str = "web",
    *,
    namespace: str = NAMESPACE,
    labels: Mapping[str, str] | None = None,
    containers: tuple[str, ...] | None = ("app",),
) -> Workload:
    found = None if containers is None else tuple(Container(container) for container in containers)
    return Workload("apps/v1", kind, namespace, name, labels or {}, {}, found)


def a_precedence(*entries: tuple[str, int | None]) -> Precedence:
    """The chart's list, or the entries given."""
    listed = entries or DEFAULT_PRECEDENCE
    return Precedence(True, tuple(Entry(i, kind, priority) for i, (kind, priority) in enumerate(listed, 1)))


def a_recommendation(
    kind: str = "ProactivePolicy",
    name: str | None = "policy",
    digest: str | None = "AAAA",
    *,
    values: Mapping[str, str | None] | None = None,
    weight: int | None = None,
    created: tuple[datetime, ...] = (),
    **changes: Any,
) -> Recommendation:
    """A readable envelope for cpu requests. `values`: container -> quantity."""
    key = hashed_key(kind, digest) if digest else fixed_key(kind)
    listed = {"app": "100m"} if values is None else values
    facts: dict[str, Any] = {
        "key": key,
        "prefix": PREFIXES[kind],
        "digest": digest,
        "usage": Usage.REQUESTS,
        "form": Form.ENVELOPE,
        "values": tuple(Value(container, "cpu", quantity, quantity or "?") for container, quantity in listed.items()),
        "policy_kind": kind,
        "policy_namespace": a_ref(kind).namespace,
        "policy_name": name,
        "weight": weight,
        "timestamps": Timestamps(tuple((f"field{index}", time) for index, time in enumerate(created))),
    }
    return Recommendation(**{**facts, **changes})


def a_snapshot(*recommendations: Recommendation, **changes: Any) -> Snapshot:
    facts: dict[str, Any] = {
        "workload": a_workload(),
        "precedence": a_precedence(),
        "engine": Engine(True, True, "1.12.0", Generation.MULTI_POLICY),
        "recommendations": recommendations,
    }
    return Snapshot(**{**facts, **changes})


# --- Raw objects, as the API server prints them ----------------------------------------------------------------------


def raw(api_version: str, kind: str, name: str, namespace: str | None = None, **members: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {}), **members.pop("metadata", {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **members}


def raw_policy(
    kind: str = "ProactivePolicy",
    name: str = "policy",
    *,
    namespace: str = NAMESPACE,
    weight: int | None = None,
    created: datetime | None = TEN,
    scope: Mapping[str, Any] | None = None,
    **spec: Any,
) -> dict[str, Any]:
    """A policy that matches `raw_workload()`. `scope`: members of `spec.scope`; `spec`: members of `spec`."""
    namespaced = BY_NAME[kind].namespaced
    whole: dict[str, Any] = {} if namespaced else {"namespaceSelector": {"operator": "In", "values": ["*"]}}
    strategy = {"automationStrategyRef": {"name": "default"}} if BY_NAME[kind].strategy_kind else {}
    return raw(
        API_VERSION,
        kind,
        name,
        namespace if namespaced else None,
        metadata={"creationTimestamp": rfc3339(created)} if created else {},
        spec={
            **strategy,
            "scope": {**whole, **(scope or {})},
            **({} if weight is None else {"weight": weight}),
            **spec,
        },
    )


def raw_precedence(*entries: tuple[str, Any], name: str = "policy-evaluation", **metadata: Any) -> dict[str, Any]:
    """The chart's list, or the entries given."""
    listed = [{"type": kind, "priority": priority} for kind, priority in entries or DEFAULT_PRECEDENCE]
    return raw(API_VERSION, "PolicyEvaluation", name, metadata=metadata, spec={"precedence": listed})


def raw_configuration(*, multi_policy: bool | None = True, **spec: Any) -> dict[str, Any]:
    """GlobalConfiguration. `multi_policy` None: an engine that does not know the flag."""
    flag = {} if multi_policy is None else {"multiPolicyContainerRightsizingEnabled": multi_policy}
    return raw(API_VERSION, "GlobalConfiguration", "global-config", spec={"automationEnabled": True, **flag, **spec})


def envelope(
    kind: str,
    name: str,
    containers: Mapping[str, Any] | None = None,
    *,
    namespace: str = NAMESPACE,
    created: datetime | None = None,
    **members: Any,
) -> str:
    """The payload under a hashed key (engine.md 3.3)."""
    identity: dict[str, Any] = {"policyKind": kind, "policyName": name}
    if kind in BY_NAME and BY_NAME[kind].namespaced:
        identity["policyNamespace"] = namespace
    if created is not None:
        identity["creationTimestamp"] = rfc3339(created)
    return json.dumps({**identity, "containers": containers or {"app": {"cpu": "100m"}}, **members})


def bare(containers: Mapping[str, Any] | None = None) -> str:
    """The payload under a fixed key (engine.md 3.3)."""
    return json.dumps(containers or {"app": {"cpu": "100m"}})


def raw_container(name: str, requests: Mapping[str, str] | None = None, **members: Any) -> dict[str, Any]:
    return {"name": name, "image": "registry.example/app:1", "resources": {"requests": dict(requests or {})}, **members}


def raw_workload(
    annotations: Mapping[str, str] | None = None,
    *,
    kind: str = "Deployment",
    name: str = "web",
    namespace: str = NAMESPACE,
    labels: Mapping[str, str] | None = None,
    containers: Iterable[str | Mapping[str, Any]] = ("app",),
    **members: Any,
) -> dict[str, Any]:
    row = WORKLOAD_BY_NAME[kind]
    version = f"{row.group}/{row.versions[0]}" if row.group else row.versions[0]
    whole = [raw_container(member) if isinstance(member, str) else dict(member) for member in containers]
    spec: Any = {"spec": {"containers": whole}}
    for step in reversed(row.template[1:]):
        spec = {step: spec}
    metadata = {"annotations": dict(annotations or {}), "labels": dict(labels or {})}
    return raw(version, kind, name, namespace, metadata=metadata, spec=spec if row.template else {}, **members)


def raw_pod(
    name: str = "web-1", *containers: Mapping[str, Any], namespace: str = NAMESPACE, **members: Any
) -> dict[str, Any]:
    metadata = {"annotations": dict(members.pop("annotations", {})), **members.pop("metadata", {})}
    status = {"phase": "Running", **members.pop("status", {})}
    spec = {"containers": [dict(container) for container in containers or (raw_container("app"),)]}
    return raw("v1", "Pod", name, namespace, metadata=metadata, spec=spec, status=status, **members)


# --- From raw objects to an answer -----------------------------------------------------------------------------------


def gathered(
    workload: RawObject,
    objects: Iterable[RawObject] = (),
    *,
    pods: Iterable[RawObject] | None = (),
    gaps: Iterable[Gap] = (),
) -> tuple[Subject, Gathered]:
    """What a command would have gathered. Objects of a kind that a gap hides are left out."""
    hidden = {gap.kind for gap in gaps}
    by_kind: dict[str, tuple[RawObject, ...]] = {kind: () for kind in WHY_KINDS if kind not in hidden}
    for member in objects:
        if member["kind"] not in hidden:
            by_kind[member["kind"]] = (*by_kind.get(member["kind"], ()), member)
    found = None if pods is None or "Pod" in hidden else tuple(pods)
    pod_gaps = tuple(gap for gap in gaps if gap.kind == "Pod")
    reference = WorkloadReference(None, str(workload["metadata"].get("name", "")))
    subject = Subject(reference, workload, found, gaps=pod_gaps)
    rest = tuple(gap for gap in gaps if gap.kind != "Pod")
    return subject, Gathered(SourceInfo(offline=True), Objects(by_kind, rest), (subject,))


def answer_to(
    workload: RawObject,
    *objects: RawObject,
    pods: Iterable[RawObject] | None = (),
    gaps: Iterable[Gap] = (),
) -> Answer:
    """Through codec and selection. The chart's PolicyEvaluation, and a GlobalConfiguration with the multi-policy flag
    on, are added where `objects` have none."""
    whole = [*objects]
    present = {member["kind"] for member in whole}
    if "PolicyEvaluation" not in present:
        whole.append(raw_precedence())
    if "GlobalConfiguration" not in present:
        whole.append(raw_configuration())
    return select(snapshot_of(*gathered(workload, whole, pods=pods, gaps=gaps)))


def a_gap(kind: str, reason: GapReason = GapReason.FORBIDDEN) -> Gap:
    return Gap(kind, reason, f"{kind} cannot be listed", f"list {kind}")


def target_of(answer: Answer, target: str = "app/requests/cpu") -> TargetSelection:
    """The selection for one target; fails the test when there is none."""
    found = [selection for selection in answer.targets if str(selection.target) == target]
    assert len(found) == 1, [str(selection.target) for selection in answer.targets]
    return found[0]


def codes(answer: Answer) -> set[DoubtCode]:
    return {doubt.code for doubt in answer.doubts}


def rule_of(selection: TargetSelection) -> str | None:
    """The deciding rule's code, `only-candidate` for a sole one, None when undetermined."""
    if selection.winner is None:
        return None
    return selection.decided_by.rule.code if selection.decided_by else "only-candidate"
