"""PrecedenceResult: the precedence in force in each form that `-o` names."""

from __future__ import annotations

from kubectl_kubex.core.kinds import GROUP, PRECEDENCE_KIND, PRECEDENCE_NAME
from kubectl_kubex.core.model import SourceInfo
from kubectl_kubex.core.precedence_view import PrecedenceView, Row
from kubectl_kubex.render.custom_columns import rows_of
from kubectl_kubex.render.documents import Document, header, manager_document, problem_document, source_document
from kubectl_kubex.render.formats import DOCUMENTS, NAME, WIDE, Format
from kubectl_kubex.render.header import manager_text, source_field
from kubectl_kubex.render.names import NONE, UNKNOWN, count
from kubectl_kubex.render.paper import Cell, Page, Paper, Style
from kubectl_kubex.render.printing import print_document
from kubectl_kubex.render.problem_words import MARKS, problem_text

KIND = "PrecedenceResult"


def render_show(view: PrecedenceView, source: SourceInfo, output: Format, page: Page, *, headers: bool = True) -> str:
    if output.name in DOCUMENTS:
        document = show_document(view, source)
        return print_document(document, output, rows_of(document, "entries"), page, headers=headers)
    if output.name == NAME:
        return f"{PRECEDENCE_KIND.singular}.{GROUP}/{PRECEDENCE_NAME}\n" if view.precedence.found else ""
    paper = Paper(page)
    _table(view, source, paper, wide=output.name == WIDE, headers=headers)
    return paper.text()


def show_document(view: PrecedenceView, source: SourceInfo) -> Document:
    precedence = view.precedence
    return {
        **header(KIND),
        "source": source_document(source),
        "found": precedence.found,
        "resourceVersion": precedence.resource_version,
        "managedBy": manager_document(precedence.manager),
        "entries": [_entry(row) for row in view.rows],
        "problems": [problem_document(problem) for problem in precedence.problems()],
    }


def _entry(row: Row) -> Document:
    return {
        "type": row.type,
        "priority": row.priority,
        "default": row.default,
        "position": row.entry.position if row.entry else None,
        "changed": row.is_changed,
        "problems": [code.value for code in row.problems],
    }


def summary(view: PrecedenceView) -> str:
    """The first line: whether the precedence is the chart's, and how many types are odd."""
    if view.precedence.found is None:
        return "policy-evaluation could not be read; the chart's defaults are shown"
    if not view.precedence.found:
        return "there is no policy-evaluation, and how types rank without one is not published; the defaults are shown"
    changed = sum(row.is_changed for row in view.rows)
    odd = sum(bool(row.problems) for row in view.rows) + len(view.general)
    parts = [count(len(view.precedence.entries), "policy type")]
    parts.append(f"{changed} not as in the chart" if changed else "priorities as in the chart")
    parts += [f"{odd} to look at"] if odd else []
    return f"policy-evaluation: {', '.join(parts)}"


def _table(view: PrecedenceView, source: SourceInfo, paper: Paper, *, wide: bool, headers: bool) -> None:
    precedence = view.precedence
    paper.line(summary(view), Style.STRONG)
    paper.blank()
    fields = [source_field(source)]
    if precedence.found:
        fields.append(("Managed by", manager_text(precedence.manager) or UNKNOWN))
        if wide:
            fields.append(("Field managers", ", ".join(precedence.manager.field_managers) or UNKNOWN))
        if precedence.resource_version:
            fields.append(("Version", f"resourceVersion {precedence.resource_version}"))
    paper.fields(fields)
    paper.blank()
    titles = ["TYPE", "PRIORITY", "DEFAULT", *(["ENTRY"] if wide else []), "NOTES"]
    paper.table(titles if headers else None, [_row(row, view, wide=wide) for row in view.rows])
    if problems := precedence.problems():
        paper.blank()
        paper.line("To look at:", Style.STRONG)
        for problem in problems:
            paper.line(f"- {problem_text(problem)}", indent=2)


def _row(row: Row, view: PrecedenceView, *, wide: bool) -> list[Cell]:
    marks = [MARKS[code] for code in row.problems] + (["changed"] if row.is_changed else [])
    cells = [Cell(row.type), _priority(row, view), Cell(NONE if row.default is None else str(row.default))]
    if wide:
        cells.append(Cell(str(row.entry.position) if row.entry else NONE))
    return [*cells, Cell(", ".join(marks), Style.ALERT if row.problems else Style.PLAIN)]


def _priority(row: Row, view: PrecedenceView) -> Cell:
    if row.entry is None:
        return Cell(NONE if view.precedence.found else UNKNOWN)
    return Cell(row.entry.written, Style.ALERT) if row.priority is None else Cell(str(row.priority), Style.STRONG)
