"""restore and undo: an object from a file, or from the newest automatic backup, back into its place."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kubectl_kubex.codec.comparison import differences
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.ownership import without_helm_marks
from kubectl_kubex.codec.restoring import restored, same_metadata
from kubectl_kubex.commands.change import Manner, Proposal, carry_out
from kubectl_kubex.commands.consent import Consent
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.consequence import Move
from kubectl_kubex.core.validation import Purpose
from kubectl_kubex.errors import ExitCode, KubexError, NothingToUndo, OtherCluster
from kubectl_kubex.offline.backup_file import Restorable
from kubectl_kubex.offline.backup_store import Stored
from kubectl_kubex.render.backups import elsewhere_text
from kubectl_kubex.render.change import render_line

_REPLACE = "--replace-metadata"


@dataclass(frozen=True)
class Wish:
    """How to restore. `keep_helm_labels`: of an object that is gone."""

    replace_metadata: bool = False
    keep_helm_labels: bool = True
    force_cluster: bool = False


def run(desk: Desk, word: str, wish: Wish, manner: Manner, consent: Consent, terminal: Terminal) -> ExitCode:
    """Restore what `word` names. Raises KubexError for what cannot be restored here."""
    found = desk.store.open(word, terminal.stdin)
    if not wish.force_cluster and desk.cluster.is_foreign(found.backup.origin):
        raise OtherCluster(found.name, found.backup.origin.cluster, desk.cluster.uid)
    if found.backup.format is not None and not desk.cluster.owns(found.backup.origin):
        terminal.remark(f"Warning: {elsewhere_text(found.backup.origin.server)}")
    live = desk.singleton.read()
    if live is not None and not wish.replace_metadata and not same_metadata(live, found.raw):
        terminal.remark(f"labels and annotations stay as they are live; {_REPLACE} restores them as well")
    return carry_out(_proposal("restore", live, found.raw, wish, Purpose.RESTORE), desk, manner, consent, terminal)


def undo(desk: Desk, wish: Wish, manner: Manner, consent: Consent, terminal: Terminal) -> ExitCode:
    """Back to the newest automatic backup that differs from the live object. Raises NothingToUndo."""
    live = desk.singleton.read()
    stored, found, wish = _newest_different(desk, live, wish, terminal)
    report = terminal.err if manner.output else terminal.out
    report.write(render_line(f"Undo: back to {stored.name} ({stored.origin.reason})", terminal.page))
    return carry_out(_proposal("undo", live, found.raw, wish, Purpose.UNDO), desk, manner, consent, terminal)


def _newest_different(
    desk: Desk, live: RawObject | None, wish: Wish, terminal: Terminal
) -> tuple[Stored, Restorable, Wish]:
    automatic = [stored for stored in desk.store.newest_first() if stored.origin.is_automatic]
    for stored in automatic:
        try:
            found = stored.read()
        except KubexError as failure:
            terminal.fail(failure)
            continue
        whole = replace(wish, replace_metadata=wish.replace_metadata or stored.origin.covers_metadata)
        meant = restored(live, found.raw, replace_metadata=whole.replace_metadata)
        if live is None or differences(meant, live):
            return stored, found, whole
    raise NothingToUndo(len(automatic), str(desk.store.root))


def _proposal(command: str, live: RawObject | None, kept: RawObject, wish: Wish, purpose: Purpose) -> Proposal:
    move = Move.CHANGE
    if live is None:
        move = Move.RECREATE_MARKED if wish.keep_helm_labels else Move.RECREATE_UNMARKED
    meant = restored(live, kept, replace_metadata=wish.replace_metadata)
    if move is Move.RECREATE_UNMARKED:
        meant = without_helm_marks(meant)
    return Proposal(command, "restored", live, meant, purpose, move, owned=None if live else kept)
