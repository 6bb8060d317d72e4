"""Durations as Go and the CRDs write them."""

from __future__ import annotations

import re
from datetime import timedelta

_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_duration(text: object) -> timedelta | None:
    """`10s`, `1h30m`, `0`; None when it is not one, or is negative."""
    if not isinstance(text, str) or len(text) > 64:
        return None
    if text == "0":
        return timedelta()
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    try:
        return timedelta(seconds=sum(float(number) * _SECONDS[unit] for number, unit in parts))
    except OverflowError:
        return None
