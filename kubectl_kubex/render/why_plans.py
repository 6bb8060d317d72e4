"""The plans in the table of `why`: a row a plan, under it what changes and what is held back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kubectl_kubex.core.model import Gap, Target
from kubectl_kubex.core.plan.agreement import Agreement
from kubectl_kubex.core.plan.amounts import same
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.core.plan.model import Action, CheckResult, Outcome, Path, Plan, Result
from kubectl_kubex.core.ranking import show_time
from kubectl_kubex.render.names import UNKNOWN, count
from kubectl_kubex.render.paper import Cell, Note, Paper, Style
from kubectl_kubex.render.plan_words import CAUSES, OUTCOMES, PATHS, because_of, check_text, topic_of
from kubectl_kubex.render.words import GAPS

_CALM = frozenset({Outcome.READY, Outcome.NOTHING_TO_DO})
_OWN_NOTE = frozenset({Code.NO_RESIZE_NEEDED})
_NAMED_PODS = 2


def plans_section(explained: Explained | None, paper: Paper, *, wide: bool = False, headers: bool = True) -> None:
    """Nothing where no winner has anything to apply and no plan is in doubt."""
    if explained is None or not any(plan.actions or plan.outcome not in _CALM for plan in explained.plans):
        return
    paper.blank()
    rows = [_row(plan) for plan in explained.plans]
    notes = {index: list(_notes(plan, wide=wide)) for index, plan in enumerate(explained.plans)}
    paper.table(["PLAN", "PODS", "OUTCOME", "METHODS"] if headers else None, rows, notes)
    for line, style in (*_resizing(explained), *map(_record, explained.agreements), *_unread(explained)):
        paper.line(line, style)


def _row(plan: Plan) -> list[Cell]:
    outcome = OUTCOMES[plan.outcome]
    if plan.next_allowed is not None:
        outcome += f" until {show_time(plan.next_allowed)}"
    methods = ", ".join(method.value for method in plan.methods) or "-"
    style = Style.PLAIN if plan.outcome in _CALM else Style.ALERT
    return [Cell(PATHS[plan.path]), Cell(pods_text(plan)), Cell(outcome, style), Cell(methods)]


def pods_text(plan: Plan) -> str:
    if plan.path is Path.ADMISSION:
        return "-"
    return count(len(plan.pods), "pod") if len(plan.pods) != 1 else plan.pods[0]


def _notes(plan: Plan, *, wide: bool) -> Iterator[Note]:
    standing = [action for action in plan.actions if action.stands and not same(action.current, action.effective)]
    if standing:
        word = {Outcome.READY: "sets", Outcome.UNDETERMINED: "might set"}.get(plan.outcome, "would set")
        yield Note(f"{word} {', '.join(change_text(action) for action in standing)}", Style.PLAIN)
    shown = plan.checks if wide else tuple(check for check in plan.checks if is_worth_telling(check))
    for check, targets in _together(check for check in shown if wide or check.result is not Result.UNKNOWN):
        yield Note(f"{check.result.value}: {_where(targets)}{check_text(check)}", _style(check))
    if not wide:
        yield from _unknown([check for check in shown if check.result is Result.UNKNOWN])


def _unknown(checks: list[CheckResult]) -> Iterator[Note]:
    """A line for each reason, with all that it leaves open. What only follows from another unknown is left out."""
    roots = [check for check in checks if not _follows(check)] or checks
    by_reason: dict[str, dict[str, list[Target]]] = {}
    for check in roots:
        topics = by_reason.setdefault(because_of(check), {})
        topics.setdefault(topic_of(check), []).extend(check.targets)
    for because, topics in by_reason.items():
        named = [f"{topic}{f' ({_names(targets)})' if targets else ''}" for topic, targets in topics.items()]
        yield Note(f"unknown: {', '.join(named)}{f': {because}' if because else ''}", Style.ALERT)


def _follows(check: CheckResult) -> bool:
    return check.fact.get("missing") == "strategy" or check.fact.get("open") == "other-checks"


def change_text(action: Action) -> str:
    return f"{action.target} {action.current or 'unset'} -> {action.effective or UNKNOWN}"


def is_worth_telling(check: CheckResult) -> bool:
    """Whether it changes what is applied. An equal value is no news, nor is what decides nothing."""
    return check.result is not Result.PASSED and check.decisive and check.code not in _OWN_NOTE


def _together(checks: Iterable[CheckResult]) -> list[tuple[CheckResult, list[Target]]]:
    """Results that say the same of several targets, as one."""
    grouped: dict[tuple[str, str], tuple[CheckResult, list[Target]]] = {}
    for check in checks:
        grouped.setdefault((check_text(check), check.result.value), (check, []))[1].extend(check.targets)
    return list(grouped.values())


def _where(targets: list[Target]) -> str:
    return f"{_names(targets)}: " if targets else ""


def _names(targets: list[Target]) -> str:
    return ", ".join(dict.fromkeys(map(str, targets)))


def _style(check: CheckResult) -> Style:
    if check.result is Result.PASSED:
        return Style.FAINT
    return Style.ALERT if check.result in (Result.FAILED, Result.UNKNOWN) else Style.PLAIN


def _resizing(explained: Explained) -> list[tuple[str, Style]]:
    if not explained.resizing:
        return []
    return [(f"A resize in place is under way on {_pods(explained.resizing)}: spec and status differ.", Style.PLAIN)]


def _record(agreement: Agreement) -> tuple[str, Style]:
    where = _pods(agreement.pods)
    theirs = ", ".join(agreement.theirs) or "nothing"
    if agreement.cause is None:
        return f"The engine's own record on {where} agrees: {theirs}.", Style.FAINT
    ours = ", ".join(agreement.ours) or "nothing"
    differs = f"it says {theirs}, found here is {ours}; likely cause: {CAUSES[agreement.cause]}"
    return f"The engine's own record on {where} differs: {differs}.", Style.ALERT


def _pods(names: tuple[str, ...]) -> str:
    return ", ".join(names) if len(names) <= _NAMED_PODS else count(len(names), "pod")


def _unread(explained: Explained) -> list[tuple[str, Style]]:
    """All of it in one line."""
    if not explained.unread or not explained.is_partial:
        return []
    return [(f"Not read, so not checked: {'; '.join(_gaps(explained.unread))}.", Style.PLAIN)]


def _gaps(gaps: Iterable[Gap]) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for gap in gaps:
        by_reason.setdefault(gap_text(gap), []).append(gap.kind)
    for text, kinds in by_reason.items():
        yield f"{', '.join(dict.fromkeys(kinds))} ({text})"


def gap_text(gap: Gap) -> str:
    if gap.kind == "Node" and gap.reason.value == "not-in-input":
        return "pods of other namespaces on the same nodes may not be listed"
    return GAPS[gap.reason.value].format(request=gap.request or "read it")
