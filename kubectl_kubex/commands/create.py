"""create: policy-evaluation where there is none, from the defaults, a preset or a backup."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.codec.ownership import without_helm_marks
from kubectl_kubex.codec.precedence_edit import default_object, with_priorities
from kubectl_kubex.commands.change import Manner, Proposal, carry_out
from kubectl_kubex.commands.consent import Consent
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.consequence import Move
from kubectl_kubex.core.presets import PRESET_BY_NAME
from kubectl_kubex.core.validation import Purpose
from kubectl_kubex.errors import AlreadyThere, ExitCode, OtherCluster, UsageError


@dataclass(frozen=True)
class Wish:
    """From what. `word`: a file, a backup's name, `-`; None: the chart's defaults with `preset`."""

    word: str | None = None
    preset: str | None = None
    keep_helm_labels: bool = True
    force_cluster: bool = False


def run(desk: Desk, wish: Wish, manner: Manner, consent: Consent, terminal: Terminal) -> ExitCode:
    """Create it. Raises AlreadyThere."""
    if wish.word is not None and wish.preset is not None:
        raise UsageError("a backup and --preset exclude each other", "give one of them")
    proposal = _from_preset(wish.preset) if wish.word is None else _from_backup(desk, wish.word, wish, terminal)
    if desk.singleton.read() is not None:
        raise AlreadyThere
    return carry_out(proposal, desk, manner, consent, terminal)


def _from_preset(preset: str | None) -> Proposal:
    meant = with_priorities(default_object(), PRESET_BY_NAME[preset].priorities if preset else {})
    return Proposal("create", "created", None, meant, move=Move.RECREATE_MARKED)


def _from_backup(desk: Desk, word: str, wish: Wish, terminal: Terminal) -> Proposal:
    found = desk.store.open(word, terminal.stdin)
    if not wish.force_cluster and desk.cluster.is_foreign(found.backup.origin):
        raise OtherCluster(found.name, found.backup.origin.cluster, desk.cluster.uid)
    if wish.keep_helm_labels:
        return Proposal("create", "created", None, found.raw, Purpose.RESTORE, Move.RECREATE_MARKED)
    bare = without_helm_marks(found.raw)
    return Proposal("create", "created", None, bare, Purpose.RESTORE, Move.RECREATE_UNMARKED, owned=found.raw)
