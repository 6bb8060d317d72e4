"""The sections under the targets of `why`: hooks, what is in doubt, and which policies are not in the ranking."""

from __future__ import annotations

from kubectl_kubex.core.answer import Answer, HookSelection, Status
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.hooks import HOOK
from kubectl_kubex.core.scope import Refusal, RefusalReason
from kubectl_kubex.render.decisions import hook_decision, write_loss_text
from kubectl_kubex.render.names import UNKNOWN, count, policy_name
from kubectl_kubex.render.paper import Cell, Paper, Style
from kubectl_kubex.render.refusal_words import refusal_text
from kubectl_kubex.render.words import doubt_text, merged, short_reason

_SHOWN_REFUSALS = 10
# Shown first: these say something about a policy that matches, or may.
_NEAR = frozenset({RefusalReason.OUTRANKED_AT_WRITE, RefusalReason.NO_RECOMMENDATION, RefusalReason.POLICY_INVALID})


def hooks_section(answer: Answer, paper: Paper, *, headers: bool = True) -> None:
    """One row a hook kind that has published on the workload."""
    if not answer.hooks:
        return
    paper.blank()
    paper.table(["HOOK", "POLICY", "DECIDED BY"] if headers else None, [_hook(hook) for hook in answer.hooks])


def _hook(hook: HookSelection) -> list[Cell]:
    if hook.winner is None:
        return [Cell(hook.kind), Cell(Status.UNDETERMINED.value, Style.ALERT), Cell(short_reason(hook.reasons))]
    return [
        Cell(hook.kind),
        Cell(hook.winner.name or UNKNOWN, Style.STRONG),
        Cell(write_loss_text(hook_decision(hook))),
    ]


def doubts_section(answer: Answer, paper: Paper) -> None:
    """One line a sentence, those that leave something undetermined first."""
    lines = doubt_lines(answer)
    if not lines:
        return
    paper.blank()
    paper.line("In doubt:", Style.STRONG)
    for text, decisive in lines:
        paper.line(f"- {text}", Style.ALERT if decisive else Style.PLAIN, indent=2)


def doubt_lines(answer: Answer) -> list[tuple[str, bool]]:
    """Each sentence once, with what it concerns, and whether it leaves a part undetermined."""
    decisive = {code for selection in answer.targets for code in selection.reasons}
    decisive |= {code for hook in answer.hooks for code in hook.reasons}
    grouped: dict[tuple[str, DoubtCode], list[str]] = {}
    for doubt in merged(answer.doubts):
        grouped.setdefault((doubt_text(doubt), doubt.code), []).extend(doubt.affects)
    lines = [
        (text + _where(affects, len(answer.targets)), code in decisive) for (text, code), affects in grouped.items()
    ]
    return sorted(lines, key=lambda line: not line[1])


def _where(affects: list[str], targets: int) -> str:
    concerned = list(dict.fromkeys(name for name in affects if not name.startswith(f"{HOOK}/")))
    if not concerned or (len(concerned) == targets > 1):
        return ""
    return f" ({concerned[0]})" if len(concerned) == 1 else f" ({count(len(concerned), 'target')})"


def refusals_section(answer: Answer, paper: Paper, *, everything: bool = False) -> None:
    """One line a policy that is no candidate; a long list is cut unless `everything` is asked for."""
    if not answer.refusals:
        return
    nearest_first = sorted(answer.refusals, key=lambda refusal: refusal.reason not in _NEAR)
    shown = nearest_first if everything else nearest_first[:_SHOWN_REFUSALS]
    paper.blank()
    paper.line("Not in the ranking:", Style.STRONG)
    paper.table(None, [_refusal(refusal, answer) for refusal in shown], indent=2)
    hidden = len(answer.refusals) - len(shown)
    if hidden:
        paper.line(f"and {count(hidden, 'more policy', 'more policies')}; -o wide shows all", Style.FAINT, indent=2)


def _refusal(refusal: Refusal, answer: Answer) -> list[Cell]:
    name = policy_name(refusal.policy, answer.snapshot.workload.namespace)
    return [Cell(name), Cell(refusal_text(refusal), Style.FAINT)]
