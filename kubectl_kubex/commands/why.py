"""why: which policy wins each target of a workload, by which rule, against whom; and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kubectl_kubex.commands.moment import Moment
from kubectl_kubex.errors import ExitCode, KubexError, UsageError

if TYPE_CHECKING:
    from kubectl_kubex.codec.gathered import PlanSource, WorkloadReference
    from kubectl_kubex.commands.asking import Finding
    from kubectl_kubex.commands.terminal import Terminal
    from kubectl_kubex.core.narrowing import TargetPattern
    from kubectl_kubex.render.formats import Format


@dataclass(frozen=True)
class Question:
    """What is asked. `namespace` None: the source's own. `moment`: when plans are judged."""

    references: tuple[WorkloadReference, ...]
    moment: Moment
    namespace: str | None = None
    patterns: tuple[TargetPattern, ...] = ()


def preload(output: Format) -> None:
    """Import now what an answer will need, so that it does not have to be awaited after the server's own."""
    from kubectl_kubex.commands import asking  # noqa: F401, PLC0415
    from kubectl_kubex.render import printing, why  # noqa: F401, PLC0415

    printing.preload(output)


def run(
    source: PlanSource, question: Question, output: Format, terminal: Terminal, *, headers: bool = True
) -> ExitCode:
    """Print the answer; what cannot be answered is one line on the error stream. Raises KubexError when nothing can."""
    from kubectl_kubex.commands.failures import exit_code_of  # noqa: PLC0415 - see `preload`
    from kubectl_kubex.render.why import render_why  # noqa: PLC0415

    found, failures = ask(source, question)
    if not found:
        for failure in failures[1:]:
            terminal.fail(failure)
        raise failures[0]
    several = len(question.references) > 1
    terminal.out.write(render_why(found, output, terminal.page, several=several, headers=headers))
    for failure in failures:
        terminal.fail(failure)
    return exit_code_of(failures, partial=any(_is_partial(finding, question) for finding in found))


def _is_partial(finding: Finding, question: Question) -> bool:
    """Plans are of whole pods: they do not count for somebody who asks for single targets."""
    return finding.answer.is_partial or (not question.patterns and finding.explained.is_partial)


def ask(source: PlanSource, question: Question) -> tuple[list[Finding], list[KubexError]]:
    """A finding for each workload that can be had, each workload once, and a failure for each that cannot."""
    from kubectl_kubex.commands.asking import findings, gather  # noqa: PLC0415 - see `preload`

    namespace = question.namespace or source.namespace
    found, failures = findings(gather(source, question.references, namespace), question.moment)
    return _narrowed(found, question.patterns), failures


def _narrowed(found: Sequence[Finding], patterns: tuple[TargetPattern, ...]) -> list[Finding]:
    """Plans are of whole pods: they stay as they are."""
    from kubectl_kubex.core.narrowing import narrow  # noqa: PLC0415 - see `preload`

    narrowed = [finding._replace(answer=narrow(finding.answer, patterns)) for finding in found]
    if patterns and found and not any(finding.answer.targets for finding in narrowed):
        there = dict.fromkeys(str(selection.target) for each in found for selection in each.answer.targets)
        raise UsageError("no target matches --target", f"there are: {', '.join(there) or 'none'}")
    return narrowed
