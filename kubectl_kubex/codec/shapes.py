"""Reading raw objects without trusting them: each helper answers with the right type or an empty value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def mapping(value: object) -> Mapping[str, Any]:
    """`value` when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def objects(value: object) -> list[Mapping[str, Any]]:
    """The objects in `value` when it is a list; other members are left out."""
    return [member for member in value if isinstance(member, Mapping)] if isinstance(value, list) else []


def strings(value: object) -> dict[str, str]:
    """The string members of an object: labels, annotations."""
    return {key: member for key, member in mapping(value).items() if isinstance(member, str)}


def at(value: object, *path: str) -> Any:  # noqa: ANN401 - raw JSON
    """The value at `path`, None where a step is missing or no object."""
    for step in path:
        value = mapping(value).get(step)
    return value


def text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def integer(value: object) -> int | None:
    """`value` when it is an integer; True and 1.0 are not."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def name_of(value: object) -> str:
    return text(at(value, "metadata", "name")) or ""


def namespace_of(value: object) -> str:
    return text(at(value, "metadata", "namespace")) or ""
