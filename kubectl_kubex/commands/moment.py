"""Moment: the time that a command judges by."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kubectl_kubex.codec.times import parse_time
from kubectl_kubex.core.model import SourceInfo
from kubectl_kubex.errors import UsageError


@dataclass(frozen=True)
class Moment:
    """`now` is the clock's; `at` what the user asked for."""

    now: datetime
    at: datetime | None = None

    def of(self, source: SourceInfo) -> datetime:
        """`at`; else when the source was captured; else now."""
        captured = parse_time(source.captured_at) if source.offline else None
        return self.at or captured or self.now


def parse_at(text: str | None) -> datetime | None:
    """What stands behind `--at`. Raises UsageError."""
    found = None if text is None else parse_time(text)
    if text is not None and found is None:
        raise UsageError(f'"{text}" is no time', "write it as 2026-01-31T18:00:00Z or with an offset such as +01:00")
    return found
