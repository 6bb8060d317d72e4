"""Raw objects, as `kubectl get -o json` prints them, small."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kubectl_kubex.codec.gathered import Gathered, Subject, WorkloadReference
from kubectl_kubex.codec.snapshot import WHY_KINDS
from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.workload_kinds import find_workload_kind
from kubectl_kubex.offline import FileSource

Object = dict[str, Any]
ENGINE = "rightsizing.kubex.ai/v1alpha1"
VERSIONS = {
    "Deployment": "apps/v1", "StatefulSet": "apps/v1", "ReplicaSet": "apps/v1", "CronJob": "batch/v1",
    "Job": "batch/v1", "Rollout": "argoproj.io/v1alpha1", "AnalysisRun": "argoproj.io/v1alpha1", "Pod": "v1",
}  # fmt: skip


def an_object(kind: str, name: str, namespace: str = "shop", **metadata: Any) -> Object:
    version = VERSIONS.get(kind, ENGINE)
    found: Object = {"apiVersion": version, "kind": kind, "metadata": {"name": name, **metadata}}
    if not kind.startswith("Cluster") and kind not in ("PolicyEvaluation", "GlobalConfiguration", "PodAffinityPolicy"):
        found["metadata"]["namespace"] = namespace
    return found


def owned(child: Object, owner: Object, *, uid: str | None = None) -> Object:
    """`child` with `owner` as its controller."""
    uid = uid if uid is not None else owner["metadata"].get("uid")
    reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"]}
    child["metadata"]["ownerReferences"] = [{**reference, "controller": True, **({"uid": uid} if uid else {})}]
    return child


def a_selector(found: Object, **labels: str) -> Object:
    found["spec"] = {"selector": {"matchLabels": labels}}
    return found


def a_list(*members: Object, kind: str = "List", version: str = "v1") -> Object:
    return {"apiVersion": version, "kind": kind, "items": list(members)}


def web_and_policies() -> list[Object]:
    """A deployment with a pod, a policy and both singletons."""
    web, policy = an_object("Deployment", "web", uid="w"), an_object("StaticPolicy", "floor")
    replica_set = owned(an_object("ReplicaSet", "web-1", uid="r"), web)
    evaluation = an_object("PolicyEvaluation", "policy-evaluation")
    configuration = an_object("GlobalConfiguration", "global-config")
    return [web, replica_set, owned(an_object("Pod", "web-1-a"), replica_set), policy, evaluation, configuration]


def text_of(*documents: Any) -> str:
    """A YAML stream of JSON documents."""
    return "".join(f"---\n{json.dumps(document)}\n" for document in documents)


def source_of(text: str | bytes, *more: str, namespace: str | None = None) -> FileSource:
    """A FileSource over `text` on standard input, and `more` inputs."""
    content = text.encode() if isinstance(text, str) else text
    return FileSource(["-", *more], io.BytesIO(content), namespace)


def source_at(*paths: Path, namespace: str | None = None) -> FileSource:
    return FileSource([str(path) for path in paths], io.BytesIO(), namespace)


def ask(source: FileSource, *words: str, namespace: str = "shop", kinds: Sequence[str] = WHY_KINDS) -> Gathered:
    """What `words` (`deploy/web` or `web`) gather."""
    return source.gather([reference_of(word) for word in words], namespace, kinds)


def reference_of(word: str) -> WorkloadReference:
    kind, slash, name = word.partition("/")
    return WorkloadReference(find_workload_kind(kind), name) if slash else WorkloadReference(None, kind)


def subject_of(source: FileSource, word: str, namespace: str = "shop") -> Subject:
    (subject,) = ask(source, word, namespace=namespace).subjects
    assert isinstance(subject, Subject), subject
    return subject


def names(found: Sequence[Any] | None) -> list[str] | None:
    return None if found is None else [each["metadata"]["name"] for each in found]


def gap(gaps: Sequence[Gap], kind: str) -> Gap:
    return next(each for each in gaps if each.kind == kind)
