"""backup: policy-evaluation as a file that plain `kubectl apply -f` takes; the list of these files; one of them."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.commands.files import refuse_existing, write_private
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.errors import ExitCode, KubexError, MissingSingleton, UsageError
from kubectl_kubex.offline.backup_store import Stored
from kubectl_kubex.offline.files import STDIN
from kubectl_kubex.render.backups import BackupRow, Live, render_backup, render_backups
from kubectl_kubex.render.change import place_text

_REASON = "asked for with backup"


@dataclass(frozen=True)
class Destination:
    """Where to. `path` None: a new file in the store, of which `keep` are kept; `-`: the output stream."""

    path: str | None = None
    force: bool = False
    keep: int | None = None


def run(desk: Desk, destination: Destination, terminal: Terminal) -> ExitCode:
    """Write one backup and print where it is."""
    if destination.path is not None and destination.keep is not None:
        raise UsageError("--keep counts the backups in the store, and -o writes elsewhere", "leave out one of them")
    if destination.path not in (None, STDIN):
        refuse_existing(str(destination.path), force=destination.force)
    raw = desk.singleton.read()
    if raw is None:
        raise MissingSingleton(place_text(desk.where))
    if destination.path is None:
        terminal.out.write(f"{desk.back_up(raw, _REASON)}\n")
        if destination.keep is not None:
            for path in desk.store.prune(destination.keep):
                terminal.remark(f"removed {path}")
        return ExitCode.OK
    content = desk.backup_text(raw, _REASON, desk.clock())
    if destination.path == STDIN:
        terminal.out.write(content)
    else:
        write_private(destination.path, content, force=destination.force)
        terminal.out.write(f"{destination.path}\n")
    return ExitCode.OK


def show_list(desk: Desk, terminal: Terminal, *, headers: bool = True) -> ExitCode:
    """Print the backups of this cluster. Without the live object the list is there, and partial."""
    live = _live(desk, terminal)
    rows = [_row(stored) for stored in desk.store.newest_first()]
    if rows:
        terminal.out.write(render_backups(rows, live, terminal.page, headers=headers))
    else:
        terminal.remark(f"No backups of this cluster in {desk.store.root}.")
    return ExitCode.OK if live.known else ExitCode.PARTIAL


def show_one(desk: Desk, reference: str, terminal: Terminal) -> ExitCode:
    """Print what a backup says of itself, and what the live object has otherwise."""
    live = _live(desk, terminal)
    found = desk.store.open(reference, terminal.stdin)
    terminal.out.write(render_backup(found.name, found.backup.origin, found.raw, live, terminal.page))
    return ExitCode.OK if live.known else ExitCode.PARTIAL


def _live(desk: Desk, terminal: Terminal) -> Live:
    try:
        return Live(desk.singleton.read())
    except KubexError as failure:
        terminal.fail(failure)
        return Live(None, known=False)


def _row(stored: Stored) -> BackupRow:
    try:
        return BackupRow(stored.name, stored.origin, stored.read().raw)
    except KubexError as failure:
        return BackupRow(stored.name, stored.origin, None, failure.message.rpartition(": ")[2])
