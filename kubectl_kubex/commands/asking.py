"""Asking about workloads: one reading for selection and plans, with what shares the pods' nodes where that decides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from kubectl_kubex.codec.explaining import explain, wanted_nodes, with_objects
from kubectl_kubex.codec.gathered import Gathered, PlanSource, Subject, WorkloadReference
from kubectl_kubex.codec.snapshot import ASKED_KINDS, snapshot_of
from kubectl_kubex.codec.surroundings import has_recommendations
from kubectl_kubex.commands.moment import Moment
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.core.selection import select
from kubectl_kubex.errors import KubexError


class Finding(NamedTuple):
    """One workload's answer, and what becomes of it."""

    answer: Answer
    explained: Explained


def gather(
    source: PlanSource, references: Sequence[WorkloadReference], namespace: str, *, all_namespaces: bool = False
) -> Gathered:
    """All that selection and plans need. Nodes and their pods only where a plan hangs on them."""
    read = source.gather(references, namespace, ASKED_KINDS, all_namespaces=all_namespaces)
    return with_neighbours(source, read)


def with_neighbours(source: PlanSource, read: Gathered) -> Gathered:
    subjects = [each for each in read.subjects if isinstance(each, Subject) and has_recommendations(each.workload)]
    now = datetime.fromisoformat("2000-01-01T00:00:00+00:00")  # which nodes matter does not hang on the time
    nodes = {node for subject in subjects for node in wanted_nodes(_answer(subject, read), subject, read.objects, now)}
    return with_objects(read, source.neighbours(sorted(nodes))) if nodes else read


def findings(gathered: Gathered, moment: Moment) -> tuple[list[Finding], list[KubexError]]:
    """A finding for each workload that was had, each workload once, and the failure of each that was not."""
    now = moment.of(gathered.source)
    found: dict[tuple[str, ...], Finding] = {}
    for subject in gathered.subjects:
        if isinstance(subject, Subject):
            answer = _answer(subject, gathered)
            workload = answer.snapshot.workload
            key = (workload.kind, workload.namespace, workload.name)
            if key not in found:
                found[key] = Finding(answer, explain(answer, subject, gathered.objects, now))
    return list(found.values()), [subject for subject in gathered.subjects if isinstance(subject, KubexError)]


def _answer(subject: Subject, gathered: Gathered) -> Answer:
    return select(snapshot_of(subject, gathered))
