"""Causes of undetermined that need a cluster of their own: one small capture each, beside one that lacks nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from kubectl_kubex.codec.snapshot import snapshot_of
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.selection import select

from ..offline.raw import ask, source_at, subject_of

CASES = Path(__file__).parent / "cases"

# case -> why, and who would win if assumed as the doubts tell
UNDETERMINED: dict[str, tuple[tuple[DoubtCode, ...], str]] = {
    "missing-singleton": ((DoubtCode.PRECEDENCE_MISSING,), "floor"),
    "singleton-forbidden": ((DoubtCode.PRECEDENCE_UNREADABLE,), "floor"),
    "priority-as-text": ((DoubtCode.PRIORITY_INVALID,), "fleet"),
    "older-engine": ((DoubtCode.OLDER_ENGINE,), "org-floor"),
    "engine-unknown": ((DoubtCode.ENGINE_UNKNOWN,), "org-floor"),
    "policies-forbidden": ((DoubtCode.POLICY_UNREADABLE,), "floor"),
    "owner-forbidden": ((DoubtCode.POLICY_UNREADABLE,), "None"),
    "server-error": ((DoubtCode.POLICY_UNREADABLE,), "floor"),
    "policy-invalid": ((DoubtCode.POLICY_INVALID,), "None"),
}


def answer_of(case: str) -> Answer:
    source = source_at(CASES / f"{case}.yaml")
    return select(snapshot_of(subject_of(source, "deploy/web"), ask(source, "deploy/web")))


def test_all_cases_are_tested() -> None:
    assert {path.stem for path in CASES.iterdir()} == {"determined", *UNDETERMINED}


def test_nothing_missing() -> None:
    (selection,) = answer_of("determined").targets
    assert selection.winner is not None
    assert selection.decided_by is not None
    assert (selection.winner.policy.name, selection.decided_by.rule.code) == ("floor", "priority")
    assert answer_of("determined").snapshot.gaps == ()


@pytest.mark.parametrize("case", UNDETERMINED)
def test_undetermined(case: str) -> None:
    (selection,) = answer_of(case).targets
    reasons, winner = UNDETERMINED[case]
    assert selection.winner is None
    assert selection.reasons == reasons
    assert (str(selection.conditional.winner.policy.name) if selection.conditional else "None") == winner
