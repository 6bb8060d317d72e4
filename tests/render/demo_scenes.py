"""The demo's workloads, each with its answer. Read once a process."""

from __future__ import annotations

from functools import cache
from typing import Any

from kubectl_kubex.codec.explaining import explain
from kubectl_kubex.codec.gathered import Subject, WorkloadReference
from kubectl_kubex.codec.snapshot import ASKED_KINDS, snapshot_of
from kubectl_kubex.codec.times import parse_time
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.core.selection import select
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.offline import DemoSource
from kubectl_kubex.offline.demo import CAPTURED_AT


@cache
def source() -> DemoSource:
    return DemoSource()


@cache
def scenes() -> tuple[tuple[str, str], ...]:
    """(namespace, TYPE/NAME) of every workload that owns itself."""
    found = []
    for raw in source().workloads(None).workloads:
        metadata: dict[str, Any] = raw["metadata"]
        if not metadata.get("ownerReferences"):
            found.append((metadata["namespace"], f"{raw['kind'].lower()}/{metadata['name']}"))
    return tuple(sorted(found))


def answer(namespace: str, name: str) -> Answer:
    return finding(namespace, name)[0]


@cache
def finding(namespace: str, name: str) -> tuple[Answer, Explained]:
    word, _, workload = name.partition("/")
    kind = next(kind for kind in WORKLOAD_BY_NAME.values() if kind.singular == word)
    gathered = source().gather([WorkloadReference(kind, workload)], namespace, ASKED_KINDS)
    (subject,) = gathered.subjects
    assert isinstance(subject, Subject)
    found = select(snapshot_of(subject, gathered))
    now = parse_time(CAPTURED_AT)
    assert now is not None
    return found, explain(found, subject, gathered.objects, now)
