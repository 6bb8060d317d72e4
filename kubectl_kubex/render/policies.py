"""PoliciesResult: all policies in rank order, in each form that `-o` names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kubectl_kubex.core.answer import HookSelection
from kubectl_kubex.core.doubts import Doubt
from kubectl_kubex.core.model import SourceInfo, Workload
from kubectl_kubex.core.policy_table import PolicyRow, Standing
from kubectl_kubex.core.ranking import show_time
from kubectl_kubex.render.custom_columns import rows_of
from kubectl_kubex.render.decisions import write_loss_text
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
from kubectl_kubex.render.names import NONE, UNKNOWN, count, policy_name, policy_resource, workload_name
from kubectl_kubex.render.paper import Cell, Page, Paper, Style
from kubectl_kubex.render.printing import print_document
from kubectl_kubex.render.refusal_words import refusal_text
from kubectl_kubex.render.words import doubt_text, merged, short_reason

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
        "standing": None if row.standing is None else _standing(row, row.standing),
    }


def _standing(row: PolicyRow, standing: Standing) -> Document:
    refused = standing.refusal
    return {
        "matches": standing.matches,
        "ranked": standing.ranked,
        "wins": standing.wins,
        "winsHook": None if standing.hook is None else standing.hook.winner == row.ref,
        "reason": None if refused is None else refused.reason.value,
        "text": standing_text(row, standing),
    }


def standing_text(row: PolicyRow, standing: Standing) -> str:
    """`wins 3 of the 4 targets it recommends for`, `label team is "b", needs In (a)`."""
    if standing.refusal is not None:
        return refusal_text(standing.refusal)
    if standing.hook is not None:
        return _hook_text(row, standing.hook)
    return f"wins {standing.wins} of the {count(standing.ranked, 'target')} it recommends for"


def _hook_text(row: PolicyRow, hook: HookSelection) -> str:
    if hook.winner is None:
        return f"hook undetermined: {short_reason(hook.reasons)}"
    loss = next((place.lost_by for place in hook.ranking if place.policy == row.ref), None)
    if loss is None:
        return "wins the hook"
    return f"loses the hook to {policy_name(loss.to)}: {write_loss_text(loss)}"


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
        layouts = [_workload_layout(found, wide=wide)] if found.workload else [_layout(found, wide=wide, split=True)]
        layouts += [] if wide or found.workload else [_layout(found, wide=False, split=False)]
        titles, rows = next((each for each in layouts if paper.fits(paper.grid(*each))), layouts[-1])
        paper.table(titles if headers else None, rows)
    _doubts(found.doubts, paper)


def _layout(found: Policies, *, wide: bool, split: bool) -> tuple[list[str], list[list[Cell]]]:
    """All policies; `split`: kind, namespace and name in columns of their own."""
    titles = ["RANK", *(["KIND", "NAMESPACE", "NAME"] if split else ["POLICY"]), "PRIORITY", "WEIGHT"]
    titles += [*(["CREATED"] if wide else []), "MATCHES"]
    rows = [
        [Cell(str(row.rank)), *_identity(row, split=split), *_rank(row, wide=wide), _matches(row)] for row in found.rows
    ]
    return titles, rows


def _workload_layout(found: Policies, *, wide: bool) -> tuple[list[str], list[list[Cell]]]:
    """How each policy stands to the workload, in rank order."""
    titles = ["POLICY", *(["PRIORITY", "WEIGHT", "CREATED"] if wide else []), "MATCHES", "WHY"]
    home = found.workload.namespace if found.workload else None
    rows = [
        [Cell(policy_name(row.ref, home)), *(_rank(row, wide=True) if wide else []), _matches(row), _why(row)]
        for row in found.rows
    ]
    return titles, rows


def _identity(row: PolicyRow, *, split: bool) -> list[Cell]:
    if not split:
        return [Cell(policy_name(row.ref))]
    return [Cell(row.ref.kind), Cell(row.ref.namespace or NONE), Cell(row.ref.name or UNKNOWN)]


def _rank(row: PolicyRow, *, wide: bool) -> list[Cell]:
    """What the rules look at."""
    priority = UNKNOWN if row.priority.is_open else str(row.priority.assumed)
    created = UNKNOWN if row.created is None else show_time(row.created)
    return [Cell(priority), Cell(UNKNOWN if row.problem else str(row.weight)), *([Cell(created)] if wide else [])]


def _why(row: PolicyRow) -> Cell:
    return Cell("" if row.standing is None else standing_text(row, row.standing))


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
