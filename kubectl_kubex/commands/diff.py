"""diff: what was selected, or would be applied, against what the pods or the template have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from kubectl_kubex.codec.gathered import Gathered, PlanSource, RawObject, WorkloadReference
from kubectl_kubex.codec.shapes import at, name_of, namespace_of, objects, strings, text
from kubectl_kubex.codec.snapshot import ASKED_KINDS, WHY_KINDS
from kubectl_kubex.codec.surroundings import has_recommendations
from kubectl_kubex.commands.asking import findings, with_neighbours
from kubectl_kubex.commands.external_diff import run_external
from kubectl_kubex.commands.failures import exit_code_of
from kubectl_kubex.commands.moment import Moment
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.drift import Against, Drift, drift_of, planned_drift
from kubectl_kubex.core.label_query import Term
from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.errors import ExitCode, KubexError
from kubectl_kubex.render.diff import open_lines, place, render_diff, sides
from kubectl_kubex.render.formats import TABLE, Format

BATCH = 50


@dataclass(frozen=True)
class Question:
    """What is asked. Without references: all workloads that `labels` match. `external`: the user's diff program."""

    references: tuple[WorkloadReference, ...]
    moment: Moment
    namespace: str | None = None
    all_namespaces: bool = False
    labels: tuple[Term, ...] = ()
    against: Against = Against.PODS
    planned: bool = False
    external: str = ""


def run(source: PlanSource, question: Question, output: Format, terminal: Terminal) -> ExitCode:
    """Print the differences. Raises KubexError when nothing can be answered."""
    drifts, failures, gaps = _ask(source, question, terminal)
    if failures and not drifts:
        for failure in failures[1:]:
            terminal.fail(failure)
        raise failures[0]
    if output.name == TABLE and question.external:
        files = [(place(d, g), *sides(g)) for d in drifts for g in d.groups if g.differs]
        terminal.out.write(run_external(question.external, files) if files else "")
    else:
        terminal.out.write(
            render_diff(drifts, output, terminal.page, against=question.against, planned=question.planned)
        )
    for line in open_lines(drifts):
        terminal.remark(line)
    for gap in gaps:
        terminal.remark(f"Warning: {gap.kind} could not be read: {gap.detail}")
    for failure in failures:
        terminal.fail(failure)
    code = exit_code_of(failures, partial=bool(gaps) or any(drift.is_partial for drift in drifts))
    different = any(drift.differs for drift in drifts)
    return ExitCode.DIFFERENT if code is ExitCode.OK and different else code


def _ask(
    source: PlanSource, question: Question, terminal: Terminal
) -> tuple[list[Drift], list[KubexError], tuple[Gap, ...]]:
    kinds = ASKED_KINDS if question.planned else WHY_KINDS
    home = question.namespace or source.namespace
    if question.references:
        found, failed = _drifts(source, source.gather(question.references, home, kinds), question)
        return found, failed, ()
    listed = source.workloads(None if question.all_namespaces else home)
    read = source.gather((), home, kinds, all_namespaces=question.all_namespaces)
    wanted = [raw for raw in listed.workloads if _is_asked(raw, question.labels)]
    if not wanted:
        terminal.remark(f"No workloads with recommendations found in {_where(question, home)}.")
    drifts: list[Drift] = []
    failures: list[KubexError] = []
    done = 0
    for namespace, references in _batches(wanted):
        subjects = source.gather(references, namespace, ()).subjects
        found, failed = _drifts(source, Gathered(read.source, read.objects, subjects), question)
        drifts += found
        failures += failed
        done += len(references)
        _progress(terminal, done, len(wanted))
    return drifts, failures, tuple(gap for gap in listed.gaps if gap.hides_objects and not _is_file(gap))


def _drifts(source: PlanSource, read: Gathered, question: Question) -> tuple[list[Drift], list[KubexError]]:
    whole = with_neighbours(source, read) if question.planned else read
    found, failures = findings(whole, question.moment)
    if question.planned:
        return [planned_drift(each.answer, each.explained.plans) for each in found], failures
    return [drift_of(each.answer, question.against) for each in found], failures


def _is_asked(raw: RawObject, labels: Sequence[Term]) -> bool:
    """Whether something competes on the workload, and it is no one else's."""
    own: Mapping[str, str] = strings(at(raw, "metadata", "labels"))
    owners = objects(at(raw, "metadata", "ownerReferences"))
    controlled = any(owner.get("controller") is True and owner.get("kind") in WORKLOAD_BY_NAME for owner in owners)
    return not controlled and has_recommendations(raw) and all(term.matches(own) for term in labels)


def _batches(workloads: Sequence[RawObject]) -> Iterator[tuple[str, tuple[WorkloadReference, ...]]]:
    """References of one namespace each, a few at a time: what was read about them is dropped before the next."""
    ordered = sorted(workloads, key=lambda raw: (namespace_of(raw), text(raw.get("kind")) or "", name_of(raw)))
    for namespace, members in groupby(ordered, key=namespace_of):
        references = [WorkloadReference(WORKLOAD_BY_NAME[str(raw.get("kind"))], name_of(raw)) for raw in members]
        for start in range(0, len(references), BATCH):
            yield namespace, tuple(references[start : start + BATCH])


def _is_file(gap: Gap) -> bool:
    return gap.reason.value == "not-in-input"


def _where(question: Question, home: str) -> str:
    return "any namespace" if question.all_namespaces else f"namespace {home}"


def _progress(terminal: Terminal, done: int, total: int) -> None:
    """On a terminal only, and only where it takes a while."""
    if total > BATCH and terminal.err.isatty():
        terminal.err.write(f"\r{done}/{total} workloads" + ("\r\033[K" if done == total else ""))
        terminal.err.flush()
