"""Label queries as kubectl's -l takes them: `a=b,c!=d,e in (f,g),h notin (i),j,!k`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_NAME = r"[A-Za-z0-9][A-Za-z0-9._/-]*"
_TERM = re.compile(
    rf"\s*(?:(?P<key>{_NAME})(?:\s*(?P<equals>==?|!=)\s*(?P<value>[A-Za-z0-9._-]*)"
    rf"|\s+(?P<set>in|notin)\s*\((?P<values>[^()]*)\))?|!\s*(?P<absent>{_NAME}))\s*",
    re.ASCII,
)


@dataclass(frozen=True)
class Term:
    """One requirement. `values` None: only whether the label is there counts."""

    key: str
    values: frozenset[str] | None
    negated: bool = False

    def matches(self, labels: Mapping[str, str]) -> bool:
        there = self.key in labels if self.values is None else labels.get(self.key) in self.values
        return there is not self.negated


def parse_label_query(text: str) -> tuple[Term, ...] | None:
    """None where it makes no sense."""
    terms: list[Term] = []
    position = 0
    while True:
        found = _TERM.match(text, position)
        if found is None:
            return None
        terms.append(_term(found))
        position = found.end()
        if position == len(text):
            return tuple(terms)
        if text[position] != ",":
            return None
        position += 1


def _term(found: re.Match[str]) -> Term:
    if found["absent"]:
        return Term(found["absent"], None, negated=True)
    if found["equals"]:
        return Term(found["key"], frozenset({found["value"]}), found["equals"] == "!=")
    if found["set"]:
        values = frozenset(value.strip() for value in found["values"].split(","))
        return Term(found["key"], values, found["set"] == "notin")
    return Term(found["key"], None)
