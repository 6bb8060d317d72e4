"""Backups as text: the list, and one of them beside the live object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kubectl_kubex.codec.backup import Origin
from kubectl_kubex.codec.comparison import differences
from kubectl_kubex.codec.configuration import decode_precedence
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.core.precedence_change import TypeChange, type_changes
from kubectl_kubex.render.change import render_diff
from kubectl_kubex.render.names import NONE, UNKNOWN, count
from kubectl_kubex.render.paper import Cell, Page, Paper, Style

_SHOWN = 3


@dataclass(frozen=True)
class BackupRow:
    """One backup. `raw` None: it cannot be used, and `problem` says why."""

    name: str
    origin: Origin
    raw: RawObject | None
    problem: str = ""


@dataclass(frozen=True)
class Live:
    """The live object to compare with: None where there is none, and not `known` where it could not be read."""

    raw: RawObject | None
    known: bool = True


def render_backups(rows: Sequence[BackupRow], live: Live, page: Page, *, headers: bool = True) -> str:
    """Newest first, as given, each with what differs from the live object."""
    cells = [
        [Cell(row.name), Cell(row.origin.reason or UNKNOWN), Cell(row.origin.context or NONE), _difference(row, live)]
        for row in rows
    ]
    paper = Paper(page)
    paper.table(["NAME", "REASON", "CONTEXT", "LIVE OBJECT"] if headers else None, cells)
    return paper.text()


def _difference(row: BackupRow, live: Live) -> Cell:
    if row.raw is None:
        return Cell(row.problem, Style.ALERT)
    if not live.known:
        return Cell(UNKNOWN)
    return Cell(difference_summary(row.raw, live.raw))


def elsewhere_text(server: str) -> str:
    return f"the backup was made through another server ({server}); whether it is this cluster's is not known"


def difference_summary(kept: RawObject, live: RawObject | None) -> str:
    """What the live object has otherwise than the backup: `same`, `ProactivePolicy 90 (70 here)`, `labels`."""
    if live is None:
        return "does not exist"
    found = differences(kept, live)
    if not found:
        return "same"
    parts = [f"{change.type} {_number(change.new)} (here {_number(change.old)})" for change in _types(kept, live)]
    if len(parts) > _SHOWN:
        parts = [*parts[:_SHOWN], f"{len(parts) - _SHOWN} more"]
    if not parts and any(difference.path.startswith("spec.precedence") for difference in found):
        parts = ["another order of entries"]
    others = sorted({_place(d.path) for d in found if not d.path.startswith("spec.precedence")})
    return ", ".join([*parts, *others]) or count(len(found), "field")


def _types(kept: RawObject, live: RawObject) -> list[TypeChange]:
    changes = type_changes(decode_precedence([kept], None), decode_precedence([live], None))
    return [change for change in changes if change.is_changed]


def _place(path: str) -> str:
    parts = path.split(".")
    return (
        parts[1] if parts[0] == "metadata" and len(parts) > 1 else parts[0] if len(parts) == 1 else ".".join(parts[:2])
    )


def _number(priority: int | None) -> str:
    return NONE if priority is None else str(priority)


def render_backup(name: str, origin: Origin, raw: RawObject, live: Live, page: Page) -> str:
    """What the header says, then the difference from the live object to the backup."""
    paper = Paper(page)
    paper.fields(
        [
            ("Backup", name),
            ("Time", origin.time or UNKNOWN),
            ("Reason", origin.reason or UNKNOWN),
            ("Context", origin.context or NONE),
            ("Server", origin.server or UNKNOWN),
            ("Cluster", origin.cluster or UNKNOWN),
            ("Owner", origin.owner or NONE),
            ("Live object", difference_summary(raw, live.raw) if live.known else UNKNOWN),
        ]
    )
    if not live.known:
        return paper.text()
    difference = render_diff(live.raw, raw, page, ("live", "backup"))
    return paper.text() + ("\n" + difference if difference else "")
