"""RFC3339 text to aware UTC datetimes."""

from __future__ import annotations

import re
from datetime import datetime, timezone

_RFC3339 = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-]\d\d:\d\d))", re.ASCII)


def parse_time(text: object) -> datetime | None:
    """`text` as a UTC datetime (to the microsecond), None when it is not an RFC3339 timestamp."""
    match = _RFC3339.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return None
    date, time, fraction, zulu, offset = match.groups()
    try:
        parsed = datetime.fromisoformat(f"{date}T{time}.{(fraction or '0')[:6]:0<6}{'+00:00' if zulu else offset}")
        return parsed.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None
