"""A change of the precedence as text: the difference, the types, the ties, the impact, what the owner does next."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from kubectl_kubex.codec.backup import keepable, quoted_yaml
from kubectl_kubex.codec.comparison import MISSING, FieldDifference
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.core.impact import Impact, WinnerChange
from kubectl_kubex.core.kinds import GROUP, PRECEDENCE_KIND, PRECEDENCE_NAME
from kubectl_kubex.core.model import Gap, PolicyRef, SourceInfo
from kubectl_kubex.core.precedence import Precedence, ProblemCode
from kubectl_kubex.core.precedence_change import DEFAULTS, NewTie, TypeChange, new_ties, type_changes
from kubectl_kubex.core.type_names import suggest_types
from kubectl_kubex.core.validation import Severity, Verdict
from kubectl_kubex.render.machine import to_json, to_yaml
from kubectl_kubex.render.names import NONE, count, policy_name, workload_name
from kubectl_kubex.render.paper import Cell, Page, Paper, Style
from kubectl_kubex.render.problem_words import entries_text, problem_text
from kubectl_kubex.render.visible import visible

OBJECT = f"{PRECEDENCE_KIND.singular}.{GROUP}/{PRECEDENCE_NAME}"
_MARKS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_LONGEST_CONTEXT = 200
_SHOWN_REASONS = 3
_SHOWN_DIFFERENCES = 5


def render_object(raw: RawObject, form: str) -> str:
    """The object as `-o` asks, ready for `kubectl apply -f -`: without what the server owns."""
    kept = keepable(raw)
    return to_json(kept) if form == "json" else quoted_yaml(kept)


def render_line(text: str, page: Page) -> str:
    """One sentence."""
    paper = Paper(page)
    paper.line(text)
    return paper.text()


def render_command(what: str, command: str) -> str:
    """A command line to be copied: never wrapped."""
    return f"{visible(what)}: {visible(command)}\n"


def render_diff(old: RawObject | None, new: RawObject | None, page: Page, names: tuple[str, str]) -> str:
    """A unified diff, empty for equal objects."""
    before, after = ([] if raw is None else to_yaml(keepable(raw)).splitlines() for raw in (old, new))
    paper = Paper(page)
    for line in difflib.unified_diff(before, after, *names, lineterm=""):
        paper.raw(_shortened(line), _style(line))
    return paper.text()


def _shortened(line: str) -> str:
    """A line that only stands around a change need not be whole: an annotation may have 256 KiB."""
    return line if line[:1] != " " or len(line) <= _LONGEST_CONTEXT else f"{line[:_LONGEST_CONTEXT]}..."


def _style(line: str) -> Style:
    if line.startswith(("---", "+++")):
        return Style.STRONG
    return {"+": Style.ADDED, "-": Style.REMOVED, "@": Style.FAINT}.get(line[:1], Style.PLAIN)


def render_types(old: Precedence, new: Precedence, page: Page) -> str:
    """Every type with its old and new priority in the new order, then the ties that the change makes."""
    changes, ties = type_changes(old, new), new_ties(old if old.found else DEFAULTS, new)
    tied = {name: tie for tie in ties for name in tie.types}
    places = sorted({change.new for change in changes if change.new is not None}, reverse=True)
    rows = [_row(change, (old, new), places, tied.get(change.type)) for change in changes]
    paper = Paper(page)
    paper.table(["PLACE", "TYPE", "OLD", "NEW", "NOTES"], rows)
    for tie in ties:
        paper.line(tie_text(tie), Style.ALERT)
    return paper.text()


def _row(
    change: TypeChange, lists: tuple[Precedence, Precedence], places: Sequence[int], tie: NewTie | None
) -> list[Cell]:
    old, new = lists
    style = Style.STRONG if change.is_changed else Style.PLAIN
    others = [name for name in tie.types if name != change.type] if tie else []
    notes = [_what(change, old)] if change.is_changed and old.found else []
    notes += [f"ties with {', '.join(others)}"] if others else []
    place = "-" if change.new is None else str(places.index(change.new) + 1)
    return [
        Cell(place),
        Cell(change.type, style),
        Cell(_priorities(old, change.type)),
        Cell(_priorities(new, change.type), style),
        Cell(", ".join(notes), Style.ALERT if others else Style.PLAIN),
    ]


def _what(change: TypeChange, old: Precedence) -> str:
    if change.type not in old.by_type:
        return "added"
    if change.new is None:
        return "removed"
    return "changed" if change.old is None else "raised" if change.new > change.old else "lowered"


def _priorities(precedence: Precedence, name: str) -> str:
    """As listed; all of them where a type is listed more than once."""
    entries = precedence.by_type.get(name, ())
    numbers = dict.fromkeys(entry.written if entry.priority is None else str(entry.priority) for entry in entries)
    return ", ".join(numbers) or NONE


def tie_text(tie: NewTie) -> str:
    return (
        f"New tie at {tie.priority}: {', '.join(tie.types)}; between them the weight decides, then an exact target "
        "over *, then the annotation key"
    )


def verdict_text(verdict: Verdict) -> str:
    """`warning: ...`; an oddity that the live list has as well says so."""
    inherited = " (as in the live object)" if verdict.inherited else ""
    return f"{_MARKS[verdict.severity]}: {problem_text(verdict.problem)}{inherited}"


def error_text(verdict: Verdict) -> str:
    """Why a list must not be written; a slip of a type's name with what it may be."""
    problem = verdict.problem
    close = suggest_types(problem.type) if problem.code is ProblemCode.UNKNOWN_TYPE else ()
    return problem_text(problem) + (f" (did you mean {' or '.join(close)}?)" if close else "")


def render_verdicts(verdicts: Iterable[Verdict], page: Page) -> str:
    paper = Paper(page)
    for verdict in verdicts:
        paper.line(verdict_text(verdict), Style.PLAIN if verdict.severity is Severity.NOTE else Style.ALERT)
    return paper.text()


def render_impact(impact: Impact, page: Page, *, listed: bool) -> str:
    """How many workloads change a winner; with `listed`, which, by target."""
    paper = Paper(page)
    paper.line(impact_text(impact), Style.ALERT if impact.is_partial else Style.PLAIN)
    if listed and impact.changed:
        rows = [
            [Cell(found.workload.namespace), Cell(workload_name(found.workload)), *_change_cells(change)]
            for found in impact.changed
            for change in found.changes
        ]
        paper.table(["NAMESPACE", "WORKLOAD", "TARGET", "OLD WINNER", "NEW WINNER"], rows)
    return paper.text()


def _change_cells(change: WinnerChange) -> list[Cell]:
    return [Cell(str(change.target)), Cell(_winner(change.old)), Cell(_winner(change.new))]


def _winner(ref: PolicyRef | None) -> str:
    return "undetermined" if ref is None else policy_name(ref)


def impact_text(impact: Impact) -> str:
    """`Impact: 3 of 120 workloads change a winner`; a partial count is called partial, with the reason."""
    if impact.total is None:
        return f"Impact: not known{_reasons(impact.gaps) or ', the workloads could not be listed in time'}"
    number = len(impact.changed)
    what = f"{number} of {count(impact.examined, 'workload')} {'changes' if number == 1 else 'change'} a winner"
    if impact.unconfirmed:
        what += f" ({impact.unconfirmed} of them by their annotations alone)"
    if not impact.is_partial:
        return f"Impact: {what}"
    rest = f", {impact.total - impact.examined} not examined in time" if impact.examined < impact.total else ""
    return f"Impact (partial): {what}{rest}{_reasons(impact.gaps)}"


def _reasons(gaps: Sequence[Gap]) -> str:
    hidden = [gap for gap in gaps if gap.hides_objects]
    if not hidden:
        return ""
    kinds = ", ".join(dict.fromkeys(gap.kind for gap in hidden[:_SHOWN_REASONS]))
    more = f" and {len(hidden) - _SHOWN_REASONS} more" if len(hidden) > _SHOWN_REASONS else ""
    return f"; could not be read: {kinds}{more} ({hidden[0].detail or hidden[0].reason.value})"


def difference_text(difference: FieldDifference) -> str:
    """`spec.precedence[3].priority is 70, not 90`."""
    if difference.stored is MISSING:
        return f"{difference.path} is missing"
    return f"{difference.path} is {_value(difference.stored)}, not {_value(difference.meant)}"


def first_differences(found: Sequence[FieldDifference]) -> list[str]:
    said = [difference_text(difference) for difference in found[:_SHOWN_DIFFERENCES]]
    more = len(found) - _SHOWN_DIFFERENCES
    return [*said, f"{more} more"] if more > 0 else said


def since_text(writer: str, found: Sequence[FieldDifference]) -> str:
    """Somebody wrote after us."""
    return f"{writer or 'somebody else'} has written since: {'; '.join(first_differences(found))}"


def _value(value: Any) -> str:  # noqa: ANN401 - raw JSON
    return "there" if value is MISSING else json.dumps(value, ensure_ascii=False)[:80]


def collapsed_text(name: str, positions: Sequence[int]) -> str:
    return f"{name} is listed {len(positions)} times ({entries_text(positions)}): the preset keeps the first"


def saved_text(saved: object) -> str:
    return f"the former object is in {saved}" if saved else "there was no object before"


def place_text(source: SourceInfo) -> str:
    """`context prod (https://10.0.0.1:6443)`."""
    context = f"context {source.context}" if source.context else "this cluster"
    return f"{context} ({source.server})" if source.server else context


def question_text(verb: str, source: SourceInfo) -> str:
    return f"{verb} {PRECEDENCE_NAME} in {place_text(source)}? (y/N): "
