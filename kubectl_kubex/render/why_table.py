"""`why` for people: the answer in the first line, where it comes from, a row a target, then what stays open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kubectl_kubex.core.answer import Answer, Applied, Conditional, Status, TargetSelection
from kubectl_kubex.core.candidate import OLDEST
from kubectl_kubex.core.model import PolicyRef
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.core.ranking import show_time
from kubectl_kubex.render.decisions import decision_text
from kubectl_kubex.render.header import engine_text, precedence_text, source_field
from kubectl_kubex.render.names import NONE, UNKNOWN, all_of, count, policy_name, value_of, workload_name
from kubectl_kubex.render.paper import Cell, Note, Paper, Style
from kubectl_kubex.render.why_plans import plans_section
from kubectl_kubex.render.why_sections import doubts_section, hooks_section, refusals_section
from kubectl_kubex.render.words import assumption, short_reason

_UNDETERMINED = Status.UNDETERMINED.value
_NAMED_WINNERS = 3  # in the first line; more of them are only counted


def why_table(
    answer: Answer, paper: Paper, explained: Explained | None = None, *, wide: bool = False, headers: bool = True
) -> None:
    """The default and the wide form."""
    why_heading(answer, paper)
    if answer.targets:
        paper.blank()
        _targets(answer, paper, wide=wide, headers=headers)
    plans_section(explained, paper, wide=wide, headers=headers)
    hooks_section(answer, paper, headers=headers)
    doubts_section(answer, paper)
    refusals_section(answer, paper, everything=wide)


def why_heading(answer: Answer, paper: Paper) -> None:
    """The first line answers; the fields below say from what."""
    snapshot = answer.snapshot
    paper.line(f"{workload_name(snapshot.workload)}: {summary(answer)}", Style.STRONG)
    paper.blank()
    paper.fields(
        [
            ("Namespace", snapshot.workload.namespace or NONE),
            source_field(snapshot.source),
            ("Engine", engine_text(snapshot.engine)),
            ("Precedence", precedence_text(snapshot.precedence)),
        ]
    )


def summary(answer: Answer) -> str:
    """`ProactivePolicy/web wins 3 of 4 targets, StaticPolicy/floor 1`; what is undetermined comes last."""
    if not answer.targets:
        return _nothing_to_win(answer)
    home = answer.snapshot.workload.namespace
    winners = Counter(policy_name(t.winner.policy, home) for t in answer.targets if t.winner)
    total, open_targets = len(answer.targets), sum(t.status is Status.UNDETERMINED for t in answer.targets)
    if not winners:
        return f"undetermined for {all_of(total, 'target')}"
    (first, wins), *others = winners.most_common()
    if len(winners) > _NAMED_WINNERS:
        won = f"{total - open_targets} of {total} targets" if open_targets else all_of(total, "target")
        parts = [f"{count(len(winners), 'policy', 'policies')} win {won}"]
    elif wins == total:
        parts = [f"{first} wins {all_of(total, 'target')}"]
    else:
        parts = [f"{first} wins {wins} of {total} targets", *(f"{name} wins {number}" for name, number in others)]
    return ", ".join([*parts, *([f"{open_targets} undetermined"] if open_targets else [])])


def _nothing_to_win(answer: Answer) -> str:
    matching = sum(r.reason.value in ("no-recommendation", "outranked-at-write") for r in answer.refusals)
    return f"no policy has a recommendation here; {count(matching, 'policy', 'policies')} would match"


def _targets(answer: Answer, paper: Paper, *, wide: bool, headers: bool) -> None:
    home = answer.snapshot.workload.namespace
    layouts = [_wide] if wide else [_full, _compact, _stacked]
    for layout in layouts:
        titles, rows, notes = layout(answer.targets, home)
        if layout is layouts[-1] or paper.fits(paper.grid(titles, rows)):
            paper.table(titles if headers else None, rows, notes)
            return


_Table = tuple[list[str], list[list[Cell]], dict[int, list[Note]]]


def _full(targets: Sequence[TargetSelection], home: str) -> _Table:
    """Every column by itself: in a pipe, and where the terminal is wide enough."""
    titles = ["CONTAINER", "USAGE", "RESOURCE", "SELECTED", "APPLIED", "POLICY", "DECIDED BY"]
    rows = [[*_place(t), *_values(t), _policy(t, home), _decided(t)] for t in targets]
    return titles, rows, _conditions(targets, home)


def _compact(targets: Sequence[TargetSelection], home: str) -> _Table:
    """The target in one column, spelled as --target takes it."""
    titles = ["TARGET", "SELECTED", "APPLIED", "POLICY", "DECIDED BY"]
    rows = [[Cell(str(t.target)), *_values(t), _policy(t, home), _decided(t)] for t in targets]
    return titles, rows, _conditions(targets, home)


def _stacked(targets: Sequence[TargetSelection], home: str) -> _Table:
    """The policy on a line of its own under each target."""
    rows = [[Cell(str(t.target)), *_values(t)] for t in targets]
    notes = _conditions(targets, home)
    for index, target in enumerate(targets):
        policy, decided = _policy(target, home), _decided(target)
        line = decided.text if target.winner is None else f"{policy.text}, {decided.text}"
        notes[index] = [Note(line, decided.style), *notes.get(index, [])]
    return ["TARGET", "SELECTED", "APPLIED"], rows, notes


def _wide(targets: Sequence[TargetSelection], home: str) -> _Table:
    titles, rows, notes = _full(targets, home)
    for row, target in zip(rows, targets, strict=True):
        winner = target.winner
        facts = [UNKNOWN] * 4
        if winner is not None:
            created = NONE if winner.created.assumed == OLDEST else show_time(winner.created.assumed)
            facts = [
                UNKNOWN if winner.priority.is_open else str(winner.priority.assumed),
                UNKNOWN if winner.weight.is_open else str(winner.weight.assumed),
                UNKNOWN if winner.created.is_open else created,
                winner.key,
            ]
        row += [Cell(str(len(target.ranking))), *map(Cell, facts)]
    return [*titles, "CANDIDATES", "PRIORITY", "WEIGHT", "CREATED", "ANNOTATION KEY"], rows, notes


def _place(selection: TargetSelection) -> list[Cell]:
    target = selection.target
    return [Cell(target.container), Cell(target.usage.value), Cell(target.resource)]


def _values(selection: TargetSelection) -> list[Cell]:
    if selection.winner is None:
        return [Cell(_UNDETERMINED, Style.ALERT), Cell(applied_text(selection.applied))]
    return [Cell(value_of(selection.winner), Style.STRONG), Cell(applied_text(selection.applied))]


def _policy(selection: TargetSelection, home: str) -> Cell:
    return Cell(policy_name(selection.winner.policy, home) if selection.winner else "-")


def _decided(selection: TargetSelection) -> Cell:
    if selection.winner is None:
        return Cell(short_reason(selection.reasons), Style.ALERT)
    return Cell(decision_text(selection.decided_by))


def _conditions(targets: Sequence[TargetSelection], home: str) -> dict[int, list[Note]]:
    return {
        index: [Note(condition_text(target.conditional, home), Style.FAINT)]
        for index, target in enumerate(targets)
        if target.conditional is not None
    }


def condition_text(conditional: Conditional, home: str) -> str:
    """`if unlisted types rank as 0: 250m by StaticPolicy/web, priority 90 > 0`."""
    policy: PolicyRef = conditional.winner.policy
    decided = decision_text(conditional.decided_by)
    value = value_of(conditional.winner)
    return f"if {assumption(conditional.assuming)}: {value} by {policy_name(policy, home)}, {decided}"


def applied_text(applied: tuple[Applied, ...] | None) -> str:
    """`200m`; with numbers of pods where they differ."""
    if applied is None:
        return UNKNOWN
    if not applied:
        return "<no pods>"
    texts = ["<unset>" if found.value is None else found.value for found in applied]
    if len(applied) == 1:
        return texts[0]
    return ", ".join(f"{text} ({found.pods})" for text, found in zip(texts, applied, strict=True))
