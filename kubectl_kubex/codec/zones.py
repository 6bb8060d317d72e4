"""Time zones by IANA name. The database is the system's, or the `tzdata` package's where the system has none."""

from __future__ import annotations

from datetime import timezone, tzinfo
from zoneinfo import ZoneInfo


def find_zone(name: str) -> tzinfo | None:
    """The zone, None when there is none of that name. `Local` is no IANA name, though some databases have the file."""
    if name == "UTC":  # the default, which has to be there where no database is
        return timezone.utc
    if not name or len(name) > 64 or not name.isascii() or name in ("Local", "localtime"):
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # a name that is no key, a folder of the database, or simply absent
        return None
