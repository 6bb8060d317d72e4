"""carry_out: the steps that every change of policy-evaluation takes, in their one order.

The live object was read and the new one computed before. Then: validate, show the difference, the types and ties, the
impact, what the owner will do; ask; back up; write over exactly what was read; read back; say how to undo.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TextIO

from kubectl_kubex.codec.backup import AUTOMATIC, WITH_METADATA, keepable
from kubectl_kubex.codec.comparison import FieldDifference, differences
from kubectl_kubex.codec.configuration import decode_precedence
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.ownership import decode_ownership, last_writer
from kubectl_kubex.codec.restoring import same_metadata
from kubectl_kubex.codec.shapes import at
from kubectl_kubex.commands.consent import Consent
from kubectl_kubex.commands.impact import ImpactMode, ProgressLine, measure
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.consequence import Move, consequence_of
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.validation import Purpose, Severity, Verdict, judge
from kubectl_kubex.errors import (
    Conflict,
    ExitCode,
    InvalidPrecedence,
    KubexError,
    LostFields,
    NoAnswer,
    NoRehearsal,
    StoredOtherwise,
    Unverified,
)
from kubectl_kubex.render import change as words
from kubectl_kubex.render.consequence_words import consequence_text, holders_text


class DryRun(str, Enum):
    """What `--dry-run` says."""

    NONE = "none"
    CLIENT = "client"  # sends nothing
    SERVER = "server"  # sends the change to be judged, not stored


@dataclass(frozen=True)
class Proposal:
    """A computed change. `live` is what was read, with its resourceVersion; None: there is no object, so `meant` is
    created. `command`: who asks, for the backup's reason; `done`: the word for the result; `owned`: the
    object that shows who owns it, where it is not the live one."""

    command: str
    done: str
    live: RawObject | None
    meant: RawObject
    purpose: Purpose = Purpose.EDIT
    move: Move = Move.CHANGE
    allow_unknown_types: bool = False
    owned: RawObject | None = None

    @property
    def before(self) -> Precedence:
        return decode_precedence([] if self.live is None else [self.live], None)

    @property
    def after(self) -> Precedence:
        return decode_precedence([self.meant], None)

    @property
    def reason(self) -> str:
        """Of the automatic backup."""
        whole = self.live is not None and not same_metadata(self.live, keepable(self.meant))
        return f"{AUTOMATIC} before {self.command}" + (f" {WITH_METADATA}" if whole else "")

    @property
    def is_unchanged(self) -> bool:
        return self.live is not None and not differences(self.meant, self.live)


@dataclass(frozen=True)
class Manner:
    """How a change is carried out. `output`: json or yaml, to print the new object instead of writing it."""

    dry_run: DryRun = DryRun.NONE
    impact: ImpactMode = ImpactMode.COUNT
    output: str | None = None

    @property
    def writes(self) -> bool:
        return self.dry_run is DryRun.NONE and self.output is None


def carry_out(proposal: Proposal, desk: Desk, manner: Manner, consent: Consent, terminal: Terminal) -> ExitCode:
    """Do it, or say why not. Raises KubexError: Conflict where somebody else wrote in between."""
    return _Course(proposal, desk, manner, consent, terminal).run()


class _Course:
    """One change on its way. `_report` takes what is for people: the output stream, unless the object goes there."""

    def __init__(self, proposal: Proposal, desk: Desk, manner: Manner, consent: Consent, terminal: Terminal) -> None:
        self._proposal = proposal
        self._desk = desk
        self._manner = manner
        self._consent = consent
        self._terminal = terminal
        self._report: TextIO = terminal.err if manner.output else terminal.out

    def run(self) -> ExitCode:
        if self._proposal.is_unchanged:
            return self._finish("unchanged")
        verdicts = self._validate()
        self._rehearse()
        self._show(verdicts)
        if not self._manner.writes:
            return self._finish(f"{self._proposal.done}{_DRY[self._manner.dry_run]}")
        self._ask()
        self._write()
        return ExitCode.OK

    def _finish(self, result: str) -> ExitCode:
        if self._manner.output:
            self._terminal.out.write(words.render_object(self._proposal.meant, self._manner.output))
        self._say(f"{words.OBJECT} {result}")
        return ExitCode.OK

    def _say(self, text: str) -> None:
        self._report.write(words.render_line(text, self._terminal.page))

    def _validate(self) -> tuple[Verdict, ...]:
        proposal = self._proposal
        verdicts = judge(
            proposal.before, proposal.after, proposal.purpose, allow_unknown_types=proposal.allow_unknown_types
        )
        errors = [verdict for verdict in verdicts if verdict.severity is Severity.ERROR]
        if errors:
            raise InvalidPrecedence([words.error_text(verdict) for verdict in errors])
        return verdicts

    def _rehearse(self) -> None:
        """Let the server judge first: a missing right, a conflict or a field it would drop shows before anything is
        asked or kept. `--dry-run=client` and `-o` send nothing."""
        if not (self._manner.writes or self._manner.dry_run is DryRun.SERVER):
            return
        try:
            answer = self._desk.singleton.write(self._proposal.meant, dry_run=True)
        except Conflict:
            raise self._explained() from None
        except NoRehearsal:
            if self._manner.dry_run is DryRun.SERVER:
                raise
            return
        found = differences(self._proposal.meant, answer)
        if lost := [difference.path for difference in found if difference.is_dropped]:
            raise LostFields(lost)
        for difference in found:
            self._terminal.remark(f"Warning: the API server would change it: {words.difference_text(difference)}")

    def _show(self, verdicts: tuple[Verdict, ...]) -> None:
        proposal, page = self._proposal, self._terminal.page
        old, new = proposal.before, proposal.after
        self._report.write(words.render_diff(proposal.live, proposal.meant, page, ("live", "new")))
        self._report.write("\n" + words.render_types(old, new, page))
        self._report.write(words.render_verdicts(verdicts, page))
        if self._manner.impact is not ImpactMode.NONE:
            self._show_impact(old, new)
        ownership = decode_ownership(proposal.owned or proposal.live or proposal.meant)
        self._say(f"Owner: {consequence_text(consequence_of(ownership, proposal.move))}")

    def _show_impact(self, old: Precedence, new: Precedence) -> None:
        progress = ProgressLine(self._terminal.err)
        try:
            impact = measure(self._desk.source, old, new, progress)
        finally:
            progress.clear()
        listed = self._manner.impact is ImpactMode.LIST
        self._report.write(words.render_impact(impact, self._terminal.page, listed=listed))

    def _ask(self) -> None:
        """Who thinks it over may be overtaken meanwhile, and a connection that idles may be gone: look again."""
        verb = _VERBS[self._proposal.live is None]
        if self._consent.ask(words.question_text(verb, self._desk.where), self._terminal):
            now = self._desk.singleton.read()
            if _version(now) != _version(self._proposal.live):
                raise self._explained()

    def _write(self) -> None:
        proposal, desk = self._proposal, self._desk
        saved = desk.back_up(proposal.live, proposal.reason) if proposal.live else None
        undo = desk.command("undo") if saved else desk.kubectl("delete", words.OBJECT)
        if saved:
            self._terminal.remark(f"backup of the live object: {saved}")
        stored = self._read_back(self._store(saved), undo)
        self._say(f"{words.OBJECT} {proposal.done}")
        before = decode_ownership(proposal.live).holders if proposal.live else ()
        self._say(f"Fields: {holders_text(before, decode_ownership(stored).holders)}")
        self._report.write(words.render_command("To undo", undo))

    def _store(self, saved: Path | None) -> RawObject:
        """Write. The backup of a write that surely did not happen is taken back: undo would go to it."""
        try:
            return self._desk.singleton.write(self._proposal.meant)
        except NoAnswer as failure:
            return self._settle(failure, saved)
        except KeyboardInterrupt:
            self._terminal.remark(f"interrupted while writing, so look with show; {words.saved_text(saved)}")
            raise
        except KubexError as failure:
            if saved is not None:
                self._desk.store.remove(saved)
            raise (self._explained() if isinstance(failure, Conflict) else failure) from None

    def _settle(self, failure: NoAnswer, saved: Path | None) -> RawObject:
        """Without an answer the object itself tells whether it was written."""
        try:
            now = self._desk.singleton.read()
        except KubexError:
            raise Unverified(failure.message, str(saved or "")) from None
        if _version(now) == _version(self._proposal.live):
            if saved is not None:
                self._desk.store.remove(saved)
            raise failure
        if now is not None and not differences(self._proposal.meant, now):
            return now
        raise Unverified(f"{failure.message}, and the object is another one now", str(saved or ""))

    def _read_back(self, stored: RawObject, undo: str) -> RawObject:
        try:
            now = self._desk.singleton.read()
        except KubexError as failure:
            self._terminal.remark(f"Warning: could not be read back: {failure.line}")
            now = dict(stored)
        if now is None:
            raise StoredOtherwise(["it was deleted since"], undo)
        if found := differences(self._proposal.meant, now):
            self._judge_difference(found, stored, now, undo)
        return now

    def _judge_difference(
        self, found: tuple[FieldDifference, ...], stored: RawObject, now: RawObject, undo: str
    ) -> None:
        """The server's own answer to the write tells a webhook from another writer, who came after us and had read what
        we wrote."""
        if _version(stored) != _version(now) and not differences(self._proposal.meant, stored):
            self._terminal.remark(f"Warning: {words.since_text(last_writer(now), found)}")
            return
        raise StoredOtherwise(words.first_differences(found), undo)

    def _explained(self) -> Conflict:
        """A conflict, after showing what the other writer did."""
        now = self._desk.singleton.read()
        self._report.write(
            words.render_diff(self._proposal.live, now, self._terminal.page, ("as it was read", "as it is now"))
        )
        if now is None:
            return Conflict("deleted")
        what = "created" if self._proposal.live is None else "changed"
        return Conflict(what, last_writer(now))


_DRY = {DryRun.NONE: " (not written)", DryRun.CLIENT: " (dry run)", DryRun.SERVER: " (server dry run)"}
_VERBS = {False: "Change", True: "Create"}


def _version(raw: RawObject | None) -> object:
    return at(raw, "metadata", "resourceVersion")
