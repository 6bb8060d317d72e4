"""Precedence: policy type -> priority, as the PolicyEvaluation singleton lists it, with everything odd about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import BY_NAME, DEFAULT_PRECEDENCE, LEGACY_TYPES
from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.reading import Reading, anything, known, one_of

MAX_PRIORITY = 2**31 - 1
_DEFAULTS = dict(DEFAULT_PRECEDENCE)


class ProblemCode(str, Enum):
    """What can be wrong with a precedence. The CRD accepts all of these but the invalid ones (engine.md 1.1)."""

    MISSING = "missing"  # no object named policy-evaluation
    UNREADABLE = "unreadable"  # forbidden, or a server error
    EMPTY = "empty"  # no spec, no precedence, or an empty list
    MALFORMED = "malformed"  # precedence is not a list, or an entry is not an object with a type
    UNKNOWN_TYPE = "unknown-type"
    LEGACY_TYPE = "legacy-type"
    DUPLICATE_TYPE = "duplicate-type"
    UNLISTED_TYPE = "unlisted-type"  # a type of the chart's defaults that the list leaves out
    INVALID_PRIORITY = "invalid-priority"
    ZERO_PRIORITY = "zero-priority"  # the reference says positive; the CRD admits 0
    OTHER_OBJECT = "other-object"  # a PolicyEvaluation with another name


@dataclass(frozen=True)
class Entry:
    """One entry as listed. `priority` is None unless it is an int32 >= 0; `written` is what stands there instead."""

    position: int
    type: str
    priority: int | None
    written: str = ""


@dataclass(frozen=True)
class Problem:
    """One oddity. `type`: the policy type concerned; `positions`: where in the list, from 1; `detail`: as written."""

    code: ProblemCode
    type: str = ""
    positions: tuple[int, ...] = ()
    detail: str = ""


@dataclass(frozen=True)
class Manager:
    """Who manages the object, by its labels, annotations and managedFields."""

    helm_release: str | None = None
    helm_namespace: str | None = None
    argocd: str | None = None
    flux: str | None = None
    field_managers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Precedence:
    """The list in force. `found` is None when it could not be read (`gap` says why), False when there is none."""

    found: bool | None
    entries: tuple[Entry, ...] = ()
    malformed: tuple[Problem, ...] = ()
    resource_version: str | None = None
    manager: Manager = field(default_factory=Manager)
    other_objects: tuple[str, ...] = ()
    gap: Gap | None = None

    @cached_property
    def by_type(self) -> dict[str, tuple[Entry, ...]]:
        grouped: dict[str, tuple[Entry, ...]] = {}
        for entry in self.entries:
            grouped[entry.type] = (*grouped.get(entry.type, ()), entry)
        return grouped

    def priority(self, kind: str) -> Reading[int]:
        """The priority of a policy kind under every reading that the contract allows (engine.md sections 2, 14.4).

        A missing or unreadable singleton is assumed to hold the chart's defaults, an unlisted type or an entry without
        a valid priority to rank as 0, and the last of several entries of one type to count.
        """
        if not self.found:
            code = DoubtCode.PRECEDENCE_MISSING if self.found is False else DoubtCode.PRECEDENCE_UNREADABLE
            return anything(_DEFAULTS.get(kind, 0), code)
        if any(problem.code is ProblemCode.MALFORMED for problem in self.malformed):
            return anything(_DEFAULTS.get(kind, 0), DoubtCode.PRIORITY_INVALID)
        entries = self.by_type.get(kind)
        if not entries:
            return anything(0, DoubtCode.TYPE_UNLISTED)
        priorities = [entry.priority for entry in entries if entry.priority is not None]
        if len(priorities) < len(entries):
            return anything(priorities[-1] if priorities else 0, DoubtCode.PRIORITY_INVALID)
        if len(priorities) == 1:
            return known(priorities[0])
        return one_of(priorities[-1], priorities, DoubtCode.TYPE_DUPLICATED)

    def problems(self) -> tuple[Problem, ...]:
        """Everything odd about the list, in a fixed order."""
        if not self.found:
            code = ProblemCode.MISSING if self.found is False else ProblemCode.UNREADABLE
            return (Problem(code, detail=self.gap.detail if self.gap else ""), *self._other_problems())
        problems = [*self.malformed]
        if not self.entries and not self.malformed:
            problems.append(Problem(ProblemCode.EMPTY))
        for name, entries in self.by_type.items():
            problems += _type_problems(name, entries)
        problems += [
            Problem(ProblemCode.UNLISTED_TYPE, name) for name, _ in DEFAULT_PRECEDENCE if name not in self.by_type
        ]
        return (*problems, *self._other_problems())

    def _other_problems(self) -> tuple[Problem, ...]:
        return tuple(Problem(ProblemCode.OTHER_OBJECT, detail=name) for name in self.other_objects)


def _type_problems(name: str, entries: tuple[Entry, ...]) -> list[Problem]:
    positions = tuple(entry.position for entry in entries)
    problems = []
    if name in LEGACY_TYPES:
        problems.append(Problem(ProblemCode.LEGACY_TYPE, name, positions, LEGACY_TYPES[name]))
    elif name not in BY_NAME:
        problems.append(Problem(ProblemCode.UNKNOWN_TYPE, name, positions))
    if len(entries) > 1:
        problems.append(Problem(ProblemCode.DUPLICATE_TYPE, name, positions))
    for entry in entries:
        if entry.priority is None:
            problems.append(Problem(ProblemCode.INVALID_PRIORITY, name, (entry.position,), entry.written))
        elif entry.priority == 0:
            problems.append(Problem(ProblemCode.ZERO_PRIORITY, name, (entry.position,)))
    return problems
