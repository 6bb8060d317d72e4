"""why: which policy wins each target of a workload, by which rule, against whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kubectl_kubex.codec.gathered import FactSource, Subject, WorkloadReference
from kubectl_kubex.codec.snapshot import WHY_KINDS, snapshot_of
from kubectl_kubex.commands.failures import exit_code_of
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.narrowing import TargetPattern, narrow
from kubectl_kubex.core.selection import select
from kubectl_kubex.core.snapshot import Snapshot
from kubectl_kubex.errors import ExitCode, KubexError, UsageError
from kubectl_kubex.render.formats import Format
from kubectl_kubex.render.why import render_why


@dataclass(frozen=True)
class Question:
    """What is asked. `namespace` None: the source's own."""

    references: tuple[WorkloadReference, ...]
    namespace: str | None = None
    patterns: tuple[TargetPattern, ...] = ()


def run(
    source: FactSource, question: Question, output: Format, terminal: Terminal, *, headers: bool = True
) -> ExitCode:
    """Print the answer; what cannot be answered is one line on the error stream. Raises KubexError when nothing can."""
    answers, failures = ask(source, question)
    if not answers:
        for failure in failures[1:]:
            terminal.fail(failure)
        raise failures[0]
    several = len(question.references) > 1
    terminal.out.write(render_why(answers, output, terminal.page, several=several, headers=headers))
    for failure in failures:
        terminal.fail(failure)
    return exit_code_of(failures, partial=any(answer.is_partial for answer in answers))


def ask(source: FactSource, question: Question) -> tuple[list[Answer], list[KubexError]]:
    """An answer for each workload that can be had, each workload once, and a failure for each that cannot."""
    namespace = question.namespace or source.namespace
    gathered = source.gather(question.references, namespace, WHY_KINDS)
    failures = [subject for subject in gathered.subjects if isinstance(subject, KubexError)]
    found = [subject for subject in gathered.subjects if isinstance(subject, Subject)]
    snapshots: dict[tuple[str, ...], Snapshot] = {}
    for snapshot in (snapshot_of(subject, gathered) for subject in found):
        workload = snapshot.workload
        snapshots.setdefault((workload.kind, workload.namespace, workload.name), snapshot)
    answers = [select(snapshot) for snapshot in snapshots.values()]
    return _narrowed(answers, question.patterns), failures


def _narrowed(answers: Sequence[Answer], patterns: tuple[TargetPattern, ...]) -> list[Answer]:
    narrowed = [narrow(answer, patterns) for answer in answers]
    if patterns and answers and not any(answer.targets for answer in narrowed):
        there = dict.fromkeys(str(selection.target) for answer in answers for selection in answer.targets)
        raise UsageError("no target matches --target", f"there are: {', '.join(there) or 'none'}")
    return narrowed
