"""Runtime hooks: one winner a hook kind, never merged, chosen when the engine writes (engine.md 5.1)."""

from __future__ import annotations

from kubectl_kubex.core.answer import HookRanked, HookSelection, Status, WriteLoss
from kubectl_kubex.core.candidate import OLDEST
from kubectl_kubex.core.doubt_ledger import DoubtLedger, policy_text
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import GROUP, HOOK_KINDS, Kind
from kubectl_kubex.core.model import Policy, PolicyRef
from kubectl_kubex.core.owners import is_write_tie, write_order
from kubectl_kubex.core.ranking import show_time
from kubectl_kubex.core.scope import refusal
from kubectl_kubex.core.snapshot import Snapshot

HOOK = "pod-runtime-hook"


def hook_key(kind: Kind) -> str:
    return f"{kind.key_prefix}.{GROUP}/{HOOK}"


def write_loss(winner: Policy, loser: Policy) -> WriteLoss:
    """Why `winner` stands before `loser` in `write_order`."""
    if winner.weight != loser.weight:
        return WriteLoss("weight", winner.ref, str(winner.weight), str(loser.weight))
    if is_write_tie(winner, loser):
        return WriteLoss("tie", winner.ref, "", "")
    times = (show_time(winner.created or OLDEST), show_time(loser.created or OLDEST))
    return WriteLoss("older", winner.ref, *times)


def select_hooks(snapshot: Snapshot, ledger: DoubtLedger) -> tuple[HookSelection, ...]:
    """One selection for each hook kind that has published on the workload."""
    selections = (_select_hook(kind, snapshot, ledger) for kind in HOOK_KINDS)
    return tuple(selection for selection in selections if selection is not None)


def _select_hook(kind: Kind, snapshot: Snapshot, ledger: DoubtLedger) -> HookSelection | None:
    key = hook_key(kind)
    if all(hook.key != key for hook in snapshot.hooks):
        return None
    of_kind = [policy for policy in snapshot.policies if policy.ref.kind == kind.name]
    matching = write_order([policy for policy in of_kind if refusal(policy, snapshot.workload) is None])
    reasons, details = _reasons(kind, of_kind, matching, snapshot)
    for code in reasons:
        ledger.record(code, key, f"{HOOK}/{kind.name}", **details)
    ranking = tuple(
        HookRanked(index + 1, policy.ref, policy.weight, write_loss(matching[0], policy) if index else None)
        for index, policy in enumerate(matching)
    )
    winner = matching[0].ref if matching and not reasons else None
    doubts: tuple[DoubtCode, ...] = ()
    if winner is not None:
        facts = {"policy": policy_text(winner), "kind": kind.name}
        doubts = (ledger.record(DoubtCode.OWNER_INFERRED, key, f"{HOOK}/{kind.name}", **facts),)
    status = Status.UNDETERMINED if reasons else Status.SELECTED
    return HookSelection(kind.name, key, status, winner, ranking, reasons, doubts)


def _reasons(
    kind: Kind, of_kind: list[Policy], matching: tuple[Policy, ...], snapshot: Snapshot
) -> tuple[tuple[DoubtCode, ...], dict[str, str]]:
    details = {"kind": kind.name, "policy": policy_text(PolicyRef(kind.name, None, None))}
    if snapshot.hides(kind.name):
        return (DoubtCode.POLICY_UNREADABLE,), details
    invalid = next((policy for policy in of_kind if policy.problem), None)
    if invalid is not None:
        return (DoubtCode.POLICY_INVALID,), {
            **details,
            "policy": policy_text(invalid.ref),
            "problem": invalid.problem or "",
        }
    if not matching:
        return (DoubtCode.POLICY_GONE,), details
    if len(matching) > 1 and _is_open(kind, matching):
        return (DoubtCode.OWNER_UNKNOWN,), details
    return (), details


def _is_open(kind: Kind, matching: tuple[Policy, ...]) -> bool:
    """Compaction policies compare "scope specificity" before age, which no public source defines (engine.md 1.3)."""
    first, second = matching[:2]
    if kind.default_priority is None and first.weight == second.weight:
        return True
    return is_write_tie(first, second)
