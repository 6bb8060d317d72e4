"""policies: all policies in rank order, with the workloads that each matches; or how each stands to one workload."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kubectl_kubex.codec.gathered import FactSource, WorkloadReference
from kubectl_kubex.codec.snapshot import WHY_KINDS, policies_of, precedence_of, snapshot_of
from kubectl_kubex.codec.workloads import decode_workload
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.gap_doubts import gap_doubts
from kubectl_kubex.core.kinds import PRECEDENCE_KIND, SCOPED_KINDS
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.policy_table import counted, standings
from kubectl_kubex.core.selection import select
from kubectl_kubex.errors import ExitCode, KubexError
from kubectl_kubex.render.formats import Format
from kubectl_kubex.render.policies import Policies, render_policies

_KINDS = (*(kind.name for kind in SCOPED_KINDS), PRECEDENCE_KIND.name)


@dataclass(frozen=True)
class Question:
    """What is asked. `namespace` None: the source's own."""

    reference: WorkloadReference | None = None
    namespace: str | None = None
    all_namespaces: bool = False


def run(
    source: FactSource, question: Question, output: Format, terminal: Terminal, *, headers: bool = True
) -> ExitCode:
    """Print the policies. Partial when some, or the workloads, could not be read."""
    ask = _of_cluster if question.reference is None else _of_workload
    found, partial = ask(source, question)
    terminal.out.write(render_policies(found, output, terminal.page, headers=headers))
    if not found.rows:
        terminal.remark(f"No policies found in {found.namespace or 'any'} namespace.")
    return ExitCode.PARTIAL if partial else ExitCode.OK


def _of_cluster(source: FactSource, question: Question) -> tuple[Policies, bool]:
    namespace = question.namespace or source.namespace
    everywhere = question.all_namespaces
    gathered = source.gather((), namespace, _KINDS, all_namespaces=everywhere)
    where = None if everywhere else namespace
    listed = source.workloads(where)
    workloads = [decode_workload(raw) for raw in listed.workloads]
    policies = policies_of(gathered.objects, where)
    unread = _lacks(listed.gaps)
    countable = bool(workloads) or not unread
    rows = counted(policies, precedence_of(gathered.objects), workloads if countable else None)
    doubts = gap_doubts((*gathered.objects.gaps, *listed.gaps))
    number = len(workloads) if countable else None
    partial = unread or _lacks(gathered.objects.gaps)
    return Policies(rows, gathered.source, where, None, number, doubts), partial


def _of_workload(source: FactSource, question: Question) -> tuple[Policies, bool]:
    assert question.reference is not None  # noqa: S101 - INVARIANT: `run` asks this only then
    namespace = question.namespace or source.namespace
    gathered = source.gather((question.reference,), namespace, WHY_KINDS, all_namespaces=question.all_namespaces)
    (subject,) = gathered.subjects
    if isinstance(subject, KubexError):
        raise subject
    answer = select(snapshot_of(subject, gathered, all_namespaces=question.all_namespaces))
    gaps = answer.snapshot.gaps
    partial = _lacks(gathered.objects.gaps)
    workload = answer.snapshot.workload
    return Policies(standings(answer), gathered.source, namespace, workload, None, gap_doubts(gaps)), partial


def _lacks(gaps: Iterable[Gap]) -> bool:
    """Whether something could not be read. That a file does not hold every kind makes no answer partial."""
    return any(gap.hides_objects and gap.reason is not GapReason.NOT_IN_INPUT for gap in gaps)
