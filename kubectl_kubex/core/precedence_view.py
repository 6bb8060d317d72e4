"""The precedence in force beside the chart's defaults: what `show` answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kubectl_kubex.core.kinds import DEFAULT_PRECEDENCE
from kubectl_kubex.core.precedence import Entry, Precedence, Problem, ProblemCode

_DEFAULTS = dict(DEFAULT_PRECEDENCE)
# Oddities of one entry; all others are of the object as a whole.
_OF_AN_ENTRY = frozenset(
    {
        ProblemCode.UNKNOWN_TYPE,
        ProblemCode.LEGACY_TYPE,
        ProblemCode.DUPLICATE_TYPE,
        ProblemCode.UNLISTED_TYPE,
        ProblemCode.INVALID_PRIORITY,
        ProblemCode.ZERO_PRIORITY,
    }
)


@dataclass(frozen=True)
class Row:
    """One policy type. `entry` is None where it is not listed; `default` is None where the chart does not list it."""

    type: str
    entry: Entry | None
    default: int | None
    problems: tuple[ProblemCode, ...] = ()

    @property
    def priority(self) -> int | None:
        return self.entry.priority if self.entry else None

    @property
    def is_changed(self) -> bool:
        """Whether the priority in force is another one than the chart's."""
        return self.priority is not None and self.default is not None and self.priority != self.default


@dataclass(frozen=True)
class PrecedenceView:
    """Every listed entry and every unlisted default, best priority first; without a priority last.
    `general`: oddities that belong to no row."""

    precedence: Precedence
    rows: tuple[Row, ...]
    general: tuple[Problem, ...]


def view_of(precedence: Precedence) -> PrecedenceView:
    """`precedence` beside the defaults. Equal priorities keep the order of the list, then of the reference page."""
    problems = precedence.problems()
    rows = [*_listed(precedence, problems), *_unlisted(precedence, problems)]
    ordered = sorted(rows, key=lambda row: (row.priority is None, -(row.priority or 0)))
    general = tuple(problem for problem in problems if problem.code not in _OF_AN_ENTRY)
    return PrecedenceView(precedence, tuple(ordered), general)


def _listed(precedence: Precedence, problems: tuple[Problem, ...]) -> Iterator[Row]:
    for entry in precedence.entries:
        codes = tuple(problem.code for problem in problems if _concerns(problem, entry))
        yield Row(entry.type, entry, _DEFAULTS.get(entry.type), codes)


def _unlisted(precedence: Precedence, problems: tuple[Problem, ...]) -> Iterator[Row]:
    unlisted = {problem.type for problem in problems if problem.code is ProblemCode.UNLISTED_TYPE}
    for name, default in DEFAULT_PRECEDENCE:
        if name in unlisted:
            yield Row(name, None, default, (ProblemCode.UNLISTED_TYPE,))
        elif not precedence.found:
            yield Row(name, None, default)


def _concerns(problem: Problem, entry: Entry) -> bool:
    return problem.code in _OF_AN_ENTRY and problem.type == entry.type and entry.position in problem.positions
