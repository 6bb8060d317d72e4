"""What a document may be at most, so that a small hostile file cannot take the machine."""

from __future__ import annotations

from typing import Any

MAX_DEPTH = 100
"""Objects of Kubernetes stay below 60 levels, JSON schemas in CRDs included."""
SPARE_VALUES = 100_000
"""How many values aliases may add to a document, beyond one for each of its characters."""


class BadDocument(ValueError):
    """A document that cannot be read. `line` counts from 1 within the text given, 0 when not known."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def check_depth(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Raises BadDocument when `value` is nested deeper than `MAX_DEPTH`."""
    level, depth = [value], 0
    while level:
        if depth > MAX_DEPTH:
            raise BadDocument("nested too deeply")
        level = [member for parent in level for member in _members(parent)]
        depth += 1


def _members(value: Any) -> list[Any]:  # noqa: ANN401 - any JSON value
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [member for member in members if isinstance(member, dict | list)]
