"""Where two raw objects differ, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kubectl_kubex.codec.backup import keepable
from kubectl_kubex.codec.gathered import RawObject

MISSING = object()


@dataclass(frozen=True)
class FieldDifference:
    """One field that is not the same. `meant` and `stored` are MISSING where the field is not there."""

    path: str
    meant: Any
    stored: Any

    @property
    def is_dropped(self) -> bool:
        return self.stored is MISSING


def differences(meant: RawObject, stored: RawObject) -> tuple[FieldDifference, ...]:
    """What is stored otherwise than meant, apart from what the server owns."""
    return tuple(_differences("", keepable(meant), keepable(stored)))


def _differences(path: str, meant: Any, stored: Any) -> Iterator[FieldDifference]:  # noqa: ANN401 - raw JSON
    if isinstance(meant, Mapping) and isinstance(stored, Mapping):
        for name in dict.fromkeys([*meant, *stored]):
            place = f"{path}.{name}" if path else name
            yield from _differences(place, meant.get(name, MISSING), stored.get(name, MISSING))
    elif isinstance(meant, list) and isinstance(stored, list):
        for index in range(max(len(meant), len(stored))):
            yield from _differences(f"{path}[{index + 1}]", _member(meant, index), _member(stored, index))
    elif not _same(meant, stored):
        yield FieldDifference(path, meant, stored)


def _member(listed: list[Any], index: int) -> Any:  # noqa: ANN401 - raw JSON
    return listed[index] if index < len(listed) else MISSING


def _same(meant: Any, stored: Any) -> bool:  # noqa: ANN401 - raw JSON
    """True is not 1; an empty object, and nothing, are the same to the API server."""
    if (meant is MISSING or meant is None or meant == {}) and (stored is MISSING or stored is None or stored == {}):
        return True
    return isinstance(meant, bool) == isinstance(stored, bool) and bool(meant == stored)
