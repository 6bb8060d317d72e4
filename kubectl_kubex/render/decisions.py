"""Why one candidate ranks above another, in a few words. The words follow from the rule itself."""

from __future__ import annotations

from kubectl_kubex.core.answer import HookSelection, WriteLoss
from kubectl_kubex.core.ranking import ONLY_CANDIDATE, Decision
from kubectl_kubex.render.names import short_key

# What stands before the two values. A rule without an entry is introduced by its code.
_LABELS = {"exact-target": "", "older": "", "annotation-key": "key "}
_SHORTEST = 9  # of a digest, `h` included: enough to be found by eye
ONLY_TEXT = "only candidate"


def decision_code(decision: Decision | None) -> str:
    return decision.rule.code if decision else ONLY_CANDIDATE


def decision_text(decision: Decision | None) -> str:
    """`weight 100 > 50`, `exact over "*"`, `2026-01-01T10:00:00Z before 2026-01-02T10:00:00Z`, `key cwstatic before
    static`."""
    if decision is None:
        return ONLY_TEXT
    winner, loser = decision.values
    if decision.rule.code == "annotation-key":
        winner, loser = _shortened(short_key(winner), short_key(loser))
    if decision.rule.code == "older" and winner == "none":
        winner = "no timestamp"
    return f"{_LABELS.get(decision.rule.code, decision.rule.code + ' ')}{winner} {decision.rule.between} {loser}"


def write_loss_text(loss: WriteLoss | None) -> str:
    """As `decision_text`, for the choice that the engine makes when it writes."""
    if loss is None:
        return ONLY_TEXT
    if loss.rule == "weight":
        return f"weight {loss.winner_value} > {loss.loser_value}"
    if loss.rule == "older":
        return f"{loss.winner_value} before {loss.loser_value}"
    return "equal weight and age"


def hook_decision(hook: HookSelection) -> WriteLoss | None:
    """What put the first policy of a hook kind above the second; None for an only one."""
    return hook.ranking[1].lost_by if len(hook.ranking) > 1 else None


def _shortened(winner: str, loser: str) -> tuple[str, str]:
    """Both keys cut behind what tells them apart: the prefix, else as much of the digest as it takes, and some."""
    prefixes = winner.partition("/")[0], loser.partition("/")[0]
    if prefixes[0] != prefixes[1]:
        return prefixes
    pairs = zip(winner, loser, strict=False)
    same = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(winner), len(loser)))
    return _cut(winner, same), _cut(loser, same)


def _cut(key: str, same: int) -> str:
    keep = max(same + 1, key.find("/") + 1 + _SHORTEST if "/" in key else len(key))
    return key if len(key) <= keep + 3 else f"{key[:keep]}..."
