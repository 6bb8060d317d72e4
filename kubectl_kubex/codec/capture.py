"""The capture file: all that one question read, for asking it again without a cluster.

A stream of documents. The first one, of kind `Capture`, says what was read and what could not be, so that an empty kind
is told from an unread one; the objects follow, with all that the answer does not need left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from kubectl_kubex.codec.capture_fields import kept
from kubectl_kubex.codec.capture_text import json_text, yaml_text
from kubectl_kubex.codec.gathered import Gathered, RawObject, Subject
from kubectl_kubex.codec.shapes import at, name_of, namespace_of, objects, text
from kubectl_kubex.core.kinds import API_VERSION as ENGINE_VERSION
from kubectl_kubex.core.model import Gap, GapReason

API_VERSION = "kubectl-kubex/v1"
KIND = "Capture"
_BY_NODE = ("Node", "Pod")
"""Kinds of which a capture holds only what stands on its `nodes`."""


@dataclass(frozen=True)
class CapturedSubject:
    """One workload that was asked about: its identity, and the names of its pods (None: they could not be read)."""

    kind: str
    namespace: str
    name: str
    pods: tuple[str, ...] | None
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True)
class Capture:
    """The header: `kinds` of the engine that were read, in `namespace` (None: everywhere), and the gaps. `whole`: the
    subjects are all workloads of that place. `nodes`: those of which all pods were read."""

    captured_at: str
    context: str | None = None
    server: str | None = None
    tool_version: str = ""
    namespace: str | None = None
    kinds: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()
    subjects: tuple[CapturedSubject, ...] = ()
    whole: bool = False
    nodes: tuple[str, ...] = ()


def capture(
    gathered: Gathered, at_time: datetime, tool_version: str, *, namespace: str | None, whole: bool = False
) -> list[dict[str, Any]]:
    """The documents of a capture file. `namespace`: where namespaced kinds were read, None for everywhere;
    `whole`: the subjects are all workloads there. Subjects that could not be had are left out: the caller has told of
    them. What was read from a capture keeps that one's time. The same input gives the same documents."""
    subjects = [subject for subject in gathered.subjects if isinstance(subject, Subject)]
    once: dict[tuple[str, str, str], dict[str, Any]] = {}
    for raw in (*_members(subjects), *_engine_objects(gathered)):
        once.setdefault(_identity(raw), kept(raw))
    header = {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "capturedAt": gathered.source.captured_at or at_time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "toolVersion": tool_version,
        "source": {"context": gathered.source.context, "server": gathered.source.server},
        "namespace": namespace,
        "whole": whole,
        "kinds": sorted(kind for kind in gathered.objects.by_kind if kind not in _BY_NODE),
        "nodes": _nodes(gathered),
        "gaps": list(_gaps(gathered.objects.gaps)),
        "subjects": [_subject(subject) for subject in subjects],
    }
    return [header, *once.values()]


def capture_yaml(documents: Iterable[Mapping[str, Any]]) -> str:
    """The file's text: documents that kubectl, too, reads as they were."""
    return "".join(f"---\n{yaml_text(document)}" for document in documents)


def capture_json(documents: Sequence[Mapping[str, Any]]) -> str:
    """The same as one JSON `List`: larger, and many times faster to read."""
    return json_text({"apiVersion": "v1", "kind": "List", "items": documents})


def is_capture(raw: RawObject) -> bool:
    version = text(raw.get("apiVersion")) or ""
    return raw.get("kind") == KIND and version.partition("/")[0] == API_VERSION.partition("/")[0]


def read_capture(raw: RawObject) -> Capture:
    """The header read back. Raises ValueError, with a sentence, for one that a newer version wrote or that makes no
    sense."""
    if raw.get("apiVersion") != API_VERSION:
        raise ValueError(f"a capture of {raw.get('apiVersion')}, which this version does not know")
    taken = text(raw.get("capturedAt"))
    if taken is None:
        raise ValueError("a capture that does not say when it was made")
    return Capture(
        taken,
        text(at(raw, "source", "context")),
        text(at(raw, "source", "server")),
        text(raw.get("toolVersion")) or "",
        text(raw.get("namespace")),
        tuple(kind for kind in raw.get("kinds") or () if isinstance(kind, str)),
        _read_gaps(raw),
        tuple(_read_subject(subject) for subject in objects(raw.get("subjects"))),
        raw.get("whole") is True,
        tuple(node for node in raw.get("nodes") or () if isinstance(node, str)),
    )


def _members(subjects: Iterable[Subject]) -> Iterator[RawObject]:
    for subject in subjects:
        yield from (subject.workload, *subject.between)
        yield from (_named(pod, "v1", "Pod") for pod in subject.pods or ())


def _engine_objects(gathered: Gathered) -> Iterator[RawObject]:
    for kind in sorted(gathered.objects.by_kind):
        yield from (_named(raw, ENGINE_VERSION, kind) for raw in gathered.objects.by_kind[kind])


def _nodes(gathered: Gathered) -> list[str]:
    by_kind = gathered.objects.by_kind
    return sorted(name_of(node) for node in by_kind.get("Node", ())) if "Pod" in by_kind else []


def _named(raw: RawObject, version: str, kind: str) -> RawObject:
    """`raw` with what the API server leaves out of the members of a list."""
    return {"apiVersion": version, "kind": kind, **raw}


def _subject(subject: Subject) -> dict[str, Any]:
    return {
        "kind": text(subject.workload.get("kind")) or "",
        "namespace": namespace_of(subject.workload),
        "name": name_of(subject.workload),
        "pods": None if subject.pods is None else [name_of(pod) for pod in subject.pods],
        "gaps": list(_gaps(subject.gaps)),
    }


def _gaps(gaps: tuple[Gap, ...]) -> Iterator[dict[str, str]]:
    for gap in gaps:
        yield {"kind": gap.kind, "reason": gap.reason.value, "detail": gap.detail, "request": gap.request}


def _read_gaps(raw: RawObject) -> tuple[Gap, ...]:
    def word(gap: RawObject, name: str) -> str:
        return text(gap.get(name)) or ""

    return tuple(
        Gap(word(gap, "kind"), GapReason(gap["reason"]), word(gap, "detail"), word(gap, "request"))
        for gap in objects(raw.get("gaps"))
    )


def _read_subject(raw: RawObject) -> CapturedSubject:
    pods = raw.get("pods")
    names = tuple(name for name in pods if isinstance(name, str)) if isinstance(pods, list) else None
    kind, namespace, name = (text(raw.get(field)) or "" for field in ("kind", "namespace", "name"))
    return CapturedSubject(kind, namespace, name, names, _read_gaps(raw))


def _identity(raw: RawObject) -> tuple[str, str, str]:
    return text(raw.get("kind")) or "", namespace_of(raw), name_of(raw)
