"""set-priority: the priorities of types, by name or by a preset. All that is not named stays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kubectl_kubex.codec.configuration import decode_precedence
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.precedence_edit import EditError, with_priorities
from kubectl_kubex.commands.change import Manner, Proposal, carry_out
from kubectl_kubex.commands.consent import Consent
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.precedence import MAX_PRIORITY
from kubectl_kubex.core.presets import PRESET_BY_NAME
from kubectl_kubex.core.type_names import find_type, suggest_types
from kubectl_kubex.errors import ExitCode, InvalidPrecedence, MissingSingleton, UnknownType, UsageError
from kubectl_kubex.render.change import collapsed_text, place_text

_PAIR = re.compile(r"([^=\s]+)=(\S*)")


@dataclass(frozen=True)
class Wish:
    """What is to be set, as typed."""

    pairs: tuple[str, ...] = ()
    preset: str | None = None
    removed: tuple[str, ...] = ()
    allow_unknown_type: bool = False


@dataclass(frozen=True)
class Priorities:
    """What is to be set, as types. `collapsed`: those of a preset, of which the first entry counts."""

    priorities: Mapping[str, int] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    collapsed: frozenset[str] = frozenset()


def run(desk: Desk, wish: Wish, manner: Manner, consent: Consent, terminal: Terminal) -> ExitCode:
    """Set and write them. Raises KubexError."""
    named = parse_pairs(wish.pairs, allow_unknown=wish.allow_unknown_type)  # wrong words before any request
    if not (named or wish.preset or wish.removed):
        raise UsageError("nothing to set", "give TYPE=N, --preset or --remove")
    live = desk.singleton.read()
    if live is None:
        raise MissingSingleton(place_text(desk.where))
    preset = PRESET_BY_NAME[wish.preset].priorities if wish.preset else {}
    priorities = Priorities({**preset, **named}, _removed(wish.removed, live), frozenset(preset.keys() - named.keys()))
    for name, entries in decode_precedence([live], None).by_type.items():
        if name in priorities.collapsed and len(entries) > 1:
            terminal.remark(f"Warning: {collapsed_text(name, [entry.position for entry in entries])}")
    meant = _edited(live, priorities, named)
    proposal = Proposal("set-priority", "changed", live, meant, allow_unknown_types=wish.allow_unknown_type)
    return carry_out(proposal, desk, manner, consent, terminal)


def parse_pairs(pairs: Sequence[str], *, allow_unknown: bool) -> dict[str, int]:
    """`TYPE=N` texts as types and priorities. Raises UsageError."""
    found: dict[str, int] = {}
    for pair in pairs:
        match = _PAIR.fullmatch(pair)
        if match is None:
            raise UsageError(f'"{pair}" is not of the form TYPE=N', "such as ProactivePolicy=90")
        name, priority = _type(match[1], allow_unknown=allow_unknown), _priority(pair, match[2])
        if found.setdefault(name, priority) != priority:
            raise UsageError(f"{name} is given two priorities, {found[name]} and {priority}")
    return found


def _type(word: str, *, allow_unknown: bool) -> str:
    kind = find_type(word)
    if kind is not None:
        return kind.name
    if not allow_unknown:
        raise UnknownType(word, suggest_types(word))
    return word


def _priority(pair: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text, re.ASCII) or int(text) > MAX_PRIORITY:
        raise UsageError(f'"{pair}": a priority is a whole number from 0 to {MAX_PRIORITY}')
    return int(text)


def _removed(words: Sequence[str], live: RawObject) -> frozenset[str]:
    """The listed types that `words` name; of a type that is not known any more the name as it is listed."""
    listed = decode_precedence([live], None).by_type
    by_spelling = {name.lower(): name for name in listed}
    found = set()
    for word in words:
        kind = find_type(word)
        name = by_spelling.get(word.lower()) or (kind.name if kind else None)
        if name is None:
            raise UnknownType(word, suggest_types(word), can_allow=False)
        if name not in listed:
            raise UsageError(f"{name} is not listed, so it cannot be removed")
        found.add(name)
    return frozenset(found)


def _edited(live: RawObject, priorities: Priorities, named: Mapping[str, int]) -> dict[str, object]:
    both = sorted(priorities.removed & named.keys())
    if both:
        raise UsageError(f"{both[0]} is to be set and to be removed", "leave out one of them")
    kept = {name: number for name, number in priorities.priorities.items() if name not in priorities.removed}
    try:
        return with_priorities(live, kept, priorities.removed, priorities.collapsed)
    except EditError as problem:
        raise InvalidPrecedence([str(problem)]) from None
