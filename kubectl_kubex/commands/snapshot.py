"""snapshot: all that a question, or a whole cluster, needs, in one file for `-f`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from kubectl_kubex import __version__
from kubectl_kubex.codec.capture import capture, capture_json, capture_yaml
from kubectl_kubex.codec.gathered import Gathered, PlanSource, RawObject, WorkloadList, WorkloadReference
from kubectl_kubex.codec.shapes import at, name_of, namespace_of, objects, text
from kubectl_kubex.codec.snapshot import ASKED_KINDS
from kubectl_kubex.commands.asking import gather, with_neighbours
from kubectl_kubex.commands.failures import exit_code_of
from kubectl_kubex.commands.files import refuse_existing, write_private
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.errors import ExitCode, KubexError, UsageError

STDOUT = "-"


@dataclass(frozen=True)
class Question:
    """What to capture: the named workloads, or, without names, all. `all_namespaces`: policies of all namespaces."""

    references: tuple[WorkloadReference, ...] = ()
    namespace: str | None = None
    all_namespaces: bool = False


@dataclass(frozen=True)
class Destination:
    """Where to. `path` may be `-` for the output stream."""

    path: str
    force: bool = False


def run(
    source: PlanSource, question: Question, destination: Destination, terminal: Terminal, now: datetime
) -> ExitCode:
    """Write the capture. A workload that cannot be had is one line on the error stream, and left out."""
    if not question.references and not question.all_namespaces:
        raise UsageError("nothing to capture", "name workloads, or -A for the whole cluster")
    refuse_existing(destination.path, force=destination.force or destination.path == STDOUT)
    namespace = question.namespace or source.namespace
    gathered = _gather(source, question, namespace)
    failures = [subject for subject in gathered.subjects if isinstance(subject, KubexError)]
    if failures and len(failures) == len(gathered.subjects):
        raise failures[0]
    where = None if question.all_namespaces else namespace
    documents = capture(gathered, now, __version__, namespace=where)
    _write(
        capture_json(documents) if destination.path.endswith(".json") else capture_yaml(documents),
        destination,
        terminal,
    )
    for failure in failures:
        terminal.fail(failure)
    gaps = any(gap.hides_objects for gap in gathered.objects.gaps)
    return exit_code_of(failures, partial=gaps)


def _write(content: str, destination: Destination, terminal: Terminal) -> None:
    if destination.path == STDOUT:
        terminal.out.write(content)
        return
    write_private(destination.path, content, force=destination.force)
    terminal.remark(f"snapshot written to {destination.path}")


def _gather(source: PlanSource, question: Question, namespace: str) -> Gathered:
    everywhere = question.all_namespaces
    if question.references:
        return gather(source, question.references, namespace, all_namespaces=everywhere)
    found = source.gather((), namespace, ASKED_KINDS, all_namespaces=True)
    listed = source.workloads(None)
    parts = [
        source.gather(references, home, (), all_namespaces=False).subjects for home, references in _by_namespace(listed)
    ]
    gaps = tuple(dict.fromkeys((*found.objects.gaps, *listed.gaps)))
    objects_found = replace(found.objects, gaps=gaps)
    read = Gathered(found.source, objects_found, tuple(chain.from_iterable(parts)))
    return with_neighbours(source, read)


def _by_namespace(listed: WorkloadList) -> Sequence[tuple[str, tuple[WorkloadReference, ...]]]:
    """References to the workloads that carry recommendations, by namespace. What others control is left out."""
    grouped: dict[str, list[WorkloadReference]] = {}
    for raw in listed.workloads:
        kind = WORKLOAD_BY_NAME.get(text(raw.get("kind")) or "")
        if kind is not None and not _is_controlled(raw):
            grouped.setdefault(namespace_of(raw), []).append(WorkloadReference(kind, name_of(raw)))
    return [(namespace, tuple(grouped[namespace])) for namespace in sorted(grouped)]


def _is_controlled(raw: RawObject) -> bool:
    owners = objects(at(raw, "metadata", "ownerReferences"))
    return any(owner.get("controller") is True and owner.get("kind") in WORKLOAD_BY_NAME for owner in owners)
