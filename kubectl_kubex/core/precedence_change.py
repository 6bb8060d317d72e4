"""What a change of the precedence does to its list: old and new priority of each type, and new ties."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.core.kinds import DEFAULT_PRECEDENCE, RESOURCE_KINDS
from kubectl_kubex.core.precedence import Entry, Precedence

DEFAULTS = Precedence(True, tuple(Entry(i, name, number) for i, (name, number) in enumerate(DEFAULT_PRECEDENCE, 1)))
"""The chart's list: what a new object is held against."""
_COMPETING = frozenset(kind.name for kind in RESOURCE_KINDS)


@dataclass(frozen=True)
class TypeChange:
    """One type's priorities before and after, as a single number where the list gives one. None: not listed, or no
    single valid number."""

    type: str
    old: int | None
    new: int | None

    @property
    def is_changed(self) -> bool:
        return self.old != self.new


@dataclass(frozen=True)
class NewTie:
    """Types of resource policies that share a priority now and did not before: weight decides between them."""

    priority: int
    types: tuple[str, ...]


def type_changes(old: Precedence, new: Precedence) -> tuple[TypeChange, ...]:
    """Every type of either list, by its new priority, highest first; types that are gone come last."""
    before, after = _priorities(old), _priorities(new)
    changes = [TypeChange(name, before.get(name), after.get(name)) for name in dict.fromkeys([*after, *before])]
    return tuple(sorted(changes, key=lambda change: (change.new is None, -(change.new or 0), change.type)))


def new_ties(old: Precedence, new: Precedence) -> tuple[NewTie, ...]:
    """Ties that the change makes, highest priority first. Only resource kinds compete for the same targets."""
    before, after = _priorities(old), _priorities(new)
    ties = []
    for priority in sorted({value for value in after.values() if value is not None}, reverse=True):
        names = [name for name, value in after.items() if value == priority and name in _COMPETING]
        had = {before.get(name) for name in names}
        if len(names) > 1 and (len(had) > 1 or None in had):
            ties.append(NewTie(priority, tuple(sorted(names))))
    return tuple(ties)


def _priorities(precedence: Precedence) -> dict[str, int | None]:
    return {
        name: entries[0].priority if len({entry.priority for entry in entries}) == 1 else None
        for name, entries in precedence.by_type.items()
    }
