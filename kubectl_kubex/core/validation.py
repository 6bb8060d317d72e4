"""Which oddities of a new precedence stop a write, and which are only said. The CRD accepts almost all of them, and the
engine's webhook fails open, so nobody else checks (engine.md 1 and 1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.core.precedence import Precedence, Problem
from kubectl_kubex.core.precedence import ProblemCode as Code


class Severity(str, Enum):
    """What an oddity does to a write."""

    ERROR = "error"  # refused
    WARNING = "warning"  # said before asking
    NOTE = "note"  # said


class Purpose(str, Enum):
    """What a write is for: an edit may not make things worse, a restore brings back what was there."""

    EDIT = "edit"
    RESTORE = "restore"
    UNDO = "undo"


@dataclass(frozen=True)
class Verdict:
    """One oddity of the new list. `inherited`: the old list has it as well."""

    problem: Problem
    severity: Severity
    inherited: bool = False


_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

SEVERITIES: dict[Code, dict[Purpose, Severity]] = {
    Code.EMPTY: {Purpose.EDIT: _E, Purpose.RESTORE: _E, Purpose.UNDO: _W},
    Code.MALFORMED: dict.fromkeys(Purpose, _E),
    Code.INVALID_PRIORITY: dict.fromkeys(Purpose, _E),
    Code.UNKNOWN_TYPE: {Purpose.EDIT: _E, Purpose.RESTORE: _W, Purpose.UNDO: _W},
    Code.LEGACY_TYPE: {Purpose.EDIT: _E, Purpose.RESTORE: _W, Purpose.UNDO: _W},
    Code.DUPLICATE_TYPE: {Purpose.EDIT: _E, Purpose.RESTORE: _W, Purpose.UNDO: _W},
    Code.UNLISTED_TYPE: dict.fromkeys(Purpose, _W),
    Code.ZERO_PRIORITY: dict.fromkeys(Purpose, _N),
}
"""How severe each oddity of a list is for each purpose. What is not here is none of the list: missing, unreadable,
another object."""

_CURABLE = frozenset({Code.UNKNOWN_TYPE, Code.LEGACY_TYPE})
_NEVER_STORED = frozenset({Code.MALFORMED, Code.INVALID_PRIORITY})


def judge(
    old: Precedence, new: Precedence, purpose: Purpose, *, allow_unknown_types: bool = False
) -> tuple[Verdict, ...]:
    """Every oddity of `new`, errors first. An error that the live list has as well is a warning: the write does not
    bring it in. `allow_unknown_types`: as told with --allow-unknown-type."""
    had = {(problem.code, problem.type) for problem in old.problems()} if old.found else set()
    verdicts = []
    for problem in new.problems():
        severity = SEVERITIES.get(problem.code, {}).get(purpose)
        if severity is None:
            continue
        inherited = (problem.code, problem.type) in had
        excused = inherited and problem.code not in _NEVER_STORED and problem.code is not Code.EMPTY
        if severity is _E and (excused or (allow_unknown_types and problem.code in _CURABLE)):
            severity = _W
        verdicts.append(Verdict(problem, severity, inherited))
    order = list(Severity)
    return tuple(sorted(verdicts, key=lambda verdict: order.index(verdict.severity)))
