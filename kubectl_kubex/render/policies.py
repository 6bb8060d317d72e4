"""PoliciesResult: all policies in rank order, in each form that `-o` names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kubectl_kubex.core.doubts import Doubt
from kubectl_kubex.core.model import SourceInfo, Workload
from kubectl_kubex.core.policy_table import PolicyRow, Standing
from kubectl_kubex.core.ranking import show_time
from kubectl_kubex.render.custom_columns import rows_of
from kubectl_kubex.render.documents import (
    Document,
    doubts_document,
    header,
    policy_document,
    reading_document,
    source_document,
    workload_document,
)
from kubectl_kubex.render.formats import DOCUMENTS, NAME, WIDE, Format
from kubectl_kubex.render.header import source_field
from kubectl_kubex.render.names import NONE, UNKNOWN, count, policy_resource, workload_name
from kubectl_kubex.render.paper import Cell, Page, Paper, Style
from kubectl_kubex.render.printing import print_document
from kubectl_kubex.render.refusal_words import refusal_text
from kubectl_kubex.render.words import doubt_text, merged

KIND = "PoliciesResult"


@dataclass(frozen=True)
class Policies:
    """What was asked and found. `namespace` None: all; `workload`: the one that was named, if one was."""

    rows: tuple[PolicyRow, ...]
    source: SourceInfo
    namespace: str | None
    workload: Workload | None = None
    workloads: int | None = None
    doubts: tuple[Doubt, ...] = ()


def render_policies(found: Policies, output: Format, page: Page, *, headers: bool = True) -> str:
    if output.name in DOCUMENTS:
        document = policies_document(found)
        return print_document(document, output, rows_of(document, "policies"), page, headers=headers)
    if output.name == NAME:
        return "".join(f"{policy_resource(row.ref)}\n" for row in found.rows)
    paper = Paper(page)
    _table(found, paper, wide=output.name == WIDE, headers=headers)
    return paper.text()


def policies_document(found: Policies) -> Document:
    return {
        **header(KIND),
        "source": source_document(found.source),
        "namespace": found.namespace,
        "workload": None if found.workload is None else workload_document(found.workload),
        "workloads": found.workloads,
        "policies": [_policy(row) for row in found.rows],
        "doubts": doubts_document(found.doubts),
    }


def _policy(row: PolicyRow) -> Document:
    return {
        "rank": row.rank,
        "policy": policy_document(row.ref),
        "priority": reading_document(row.priority),
        "weight": None if row.problem else row.weight,
        "created": None if row.created is None else show_time(row.created),
        "matchedWorkloads": row.matched,
        "matchedAtMost": row.at_most,
        "problem": row.problem,
        "standing": None if row.standing is None else _standing(row.standing),
    }


def _standing(standing: Standing) -> Document:
    refused = standing.refusal
    return {
        "matches": standing.matches,
        "ranked": standing.ranked,
        "wins": standing.wins,
        "reason": None if refused is None else refused.reason.value,
        "text": standing_text(standing),
    }


def standing_text(standing: Standing) -> str:
    """`wins 3 of its 4 targets`, `label team is "b", needs In (a)`."""
    if standing.refusal is not None:
        return refusal_text(standing.refusal)
    if not standing.ranked:
        return "wins its hook" if standing.wins else "is outranked or undetermined for its hook"
    return f"wins {standing.wins} of the {count(standing.ranked, 'target')} it recommends for"


def summary(found: Policies) -> str:
    """The first line: how many policies there are, and how many of them matter."""
    total = count(len(found.rows), "policy", "policies")
    if found.workload is not None:
        matching = sum(row.standing is not None and row.standing.matches is True for row in found.rows)
        return f"{workload_name(found.workload)}: {matching} of {total} match"
    where = f"in namespace {found.namespace}" if found.namespace else "in all namespaces"
    if found.workloads is None:
        return f"{total} {where}; workloads could not be counted"
    idle = sum(row.matched == 0 for row in found.rows)
    unused = f"; {idle} match no workload" if idle else ""
    return f"{total} for {count(found.workloads, 'workload')} {where}{unused}"


def _table(found: Policies, paper: Paper, *, wide: bool, headers: bool) -> None:
    paper.line(summary(found), Style.STRONG)
    paper.blank()
    paper.fields([source_field(found.source)])
    if found.rows:
        paper.blank()
        titles = ["RANK", "KIND", "NAMESPACE", "NAME", "PRIORITY", "WEIGHT"]
        titles += [*(["CREATED"] if wide else []), "MATCHES", *(["WHY"] if found.workload else [])]
        paper.table(titles if headers else None, [_row(row, wide=wide) for row in found.rows])
    _doubts(found.doubts, paper)


def _row(row: PolicyRow, *, wide: bool) -> list[Cell]:
    created = [Cell(UNKNOWN if row.created is None else show_time(row.created))] if wide else []
    why = [] if row.standing is None else [Cell(standing_text(row.standing))]
    return [
        Cell(str(row.rank)),
        Cell(row.ref.kind),
        Cell(row.ref.namespace or NONE),
        Cell(row.ref.name or UNKNOWN),
        Cell(UNKNOWN if row.priority.is_open else str(row.priority.assumed)),
        Cell(UNKNOWN if row.problem else str(row.weight)),
        *created,
        _matches(row),
        *why,
    ]


def _matches(row: PolicyRow) -> Cell:
    if row.standing is not None:
        words = {True: "yes", False: "no", None: UNKNOWN}
        return Cell(words[row.standing.matches], Style.STRONG if row.standing.matches else Style.FAINT)
    if row.matched is None:
        return Cell(UNKNOWN, Style.ALERT)
    return Cell(
        f"{'<=' if row.at_most and row.matched else ''}{row.matched}", Style.PLAIN if row.matched else Style.ALERT
    )


def _doubts(doubts: Sequence[Doubt], paper: Paper) -> None:
    if doubts:
        paper.blank()
        paper.line("In doubt:", Style.STRONG)
        for text in dict.fromkeys(doubt_text(doubt) for doubt in merged(doubts)):
            paper.line(f"- {text}", indent=2)
