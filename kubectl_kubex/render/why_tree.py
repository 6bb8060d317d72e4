"""`why --tree`: for each target the ladder of candidates, with the rule that separates each from the one above."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.core.answer import Answer, HookSelection, Ranked, TargetSelection
from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.render.decisions import decision_text, write_loss_text
from kubectl_kubex.render.names import policy_name, value_of
from kubectl_kubex.render.paper import Paper, Style
from kubectl_kubex.render.why_plans import plans_section
from kubectl_kubex.render.why_sections import doubts_section, refusals_section
from kubectl_kubex.render.why_table import applied_text, condition_text, why_heading
from kubectl_kubex.render.words import short_reason


@dataclass(frozen=True)
class _Branches:
    """How a tree is drawn."""

    fork: str
    last: str
    trunk: str


_UNICODE, _ASCII = _Branches("├─ ", "└─ ", "│  "), _Branches("|- ", "`- ", "|  ")


def why_tree(answer: Answer, paper: Paper, explained: Explained | None = None) -> None:
    """Heading and sections as in the table; the targets as ladders."""
    branches = _UNICODE if paper.page.unicode else _ASCII
    why_heading(answer, paper)
    for selection in answer.targets:
        paper.blank()
        _ladder(selection, answer.snapshot.workload.namespace, branches, paper)
    for hook in answer.hooks:
        paper.blank()
        _hook_ladder(hook, branches, paper)
    plans_section(explained, paper)
    doubts_section(answer, paper)
    refusals_section(answer, paper, everything=True)


def _ladder(selection: TargetSelection, home: str, branches: _Branches, paper: Paper) -> None:
    applied = applied_text(selection.applied)
    if selection.winner is not None:
        paper.line(f"{selection.target}  {value_of(selection.winner)}  (applied: {applied})", Style.STRONG)
    else:
        paper.line(
            f"{selection.target}  undetermined: {short_reason(selection.reasons)}  (applied: {applied})", Style.ALERT
        )
        if selection.conditional is not None:
            paper.line(condition_text(selection.conditional, home), Style.FAINT, indent=2)
    for place in selection.ranking:
        _rung(place, len(selection.ranking), home, branches, paper)


def _rung(place: Ranked, size: int, home: str, branches: _Branches, paper: Paper) -> None:
    if place.rank > 1:
        reason = decision_text(place.lost_to_next) if place.lost_to_next else "no order known"
        paper.raw(f"{branches.trunk}   {reason}", Style.FAINT)
    branch = branches.last if place.rank == size else branches.fork
    candidate = place.candidate
    paper.raw(f"{branch}{place.rank}. {policy_name(candidate.policy, home)}  {_facts(candidate)}")


def _facts(candidate: Candidate) -> str:
    """What the rules look at: value, priority, weight, exactness."""
    priority = "?" if candidate.priority.is_open else str(candidate.priority.assumed)
    weight = "?" if candidate.weight.is_open else str(candidate.weight.assumed)
    target = "exact" if candidate.exact else '"*"'
    return f"{value_of(candidate)}  priority {priority}, weight {weight}, {target}"


def _hook_ladder(hook: HookSelection, branches: _Branches, paper: Paper) -> None:
    if hook.winner is not None:
        paper.line(f"hook {hook.kind}  {policy_name(hook.winner)}", Style.STRONG)
    else:
        paper.line(f"hook {hook.kind}  undetermined: {short_reason(hook.reasons)}", Style.ALERT)
    for place in hook.ranking:
        if place.lost_by is not None:
            paper.raw(f"{branches.trunk}   {write_loss_text(place.lost_by)}", Style.FAINT)
        branch = branches.last if place.rank == len(hook.ranking) else branches.fork
        paper.raw(f"{branch}{place.rank}. {policy_name(place.policy)}  weight {place.weight}")
