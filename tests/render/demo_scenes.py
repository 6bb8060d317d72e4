"""The demo's workloads, each with its answer. Read once a process."""

from __future__ import annotations

from functools import cache
from typing import Any

from kubectl_kubex.codec.gathered import Subject, WorkloadReference
from kubectl_kubex.codec.snapshot import WHY_KINDS, snapshot_of
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.selection import select
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.offline import DemoSource


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


@cache
def answer(namespace: str, name: str) -> Answer:
    word, _, workload = name.partition("/")
    kind = next(kind for kind in WORKLOAD_BY_NAME.values() if kind.singular == word)
    gathered = source().gather([WorkloadReference(kind, workload)], namespace, WHY_KINDS)
    (subject,) = gathered.subjects
    assert isinstance(subject, Subject)
    return select(snapshot_of(subject, gathered))
