"""The steps of a change, in their order, on one object in memory."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.commands import create, restore, set_priority
from kubectl_kubex.commands.change import DryRun, Manner
from kubectl_kubex.commands.consent import Consent
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.errors import (
    AlreadyThere,
    Cancelled,
    Conflict,
    ExitCode,
    Forbidden,
    Invalid,
    KubexError,
    LostFields,
    NoAnswer,
    NoRehearsal,
    NotConfirmed,
    NothingToUndo,
    StoredOtherwise,
    Unverified,
)
from kubectl_kubex.render.change import question_text

from .desk import OneObject, Typed, a_desk, a_terminal, chart, said

WISH = set_priority.Wish(("proactive=90",))
YES = Consent(given=True)


def change(singleton: OneObject, folder: Path, consent: Consent = YES, manner: Manner = Manner(), **more: Any) -> str:  # noqa: B008
    terminal = more.pop("terminal", a_terminal())
    assert set_priority.run(a_desk(singleton, folder), WISH, manner, consent, terminal) is ExitCode.OK
    return "".join(said(terminal))


def backups(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.yaml"), key=lambda path: path.name)


def test_backup_comes_before_the_write(tmp_path: Path) -> None:
    singleton = OneObject()
    singleton.meddle = lambda raw: None if singleton.rehearsed == 0 else seen.extend(backups(tmp_path))
    seen: list[Path] = []
    change(singleton, tmp_path)
    assert len(seen) == 1
    assert '  - type: "ProactivePolicy"\n    priority: 70\n' in seen[0].read_text()


def test_answers_to_the_question(tmp_path: Path) -> None:
    for answer in (b"y\n", b"YES\n", b" yes \n"):
        singleton = OneObject()
        change(singleton, tmp_path, Consent(), terminal=a_terminal(answer))
        assert len(singleton.written) == 1
    for answer in (b"\n", b"n\n", b"", b"yep\n", b"\xff\n"):
        singleton, terminal = OneObject(), a_terminal(answer)
        with pytest.raises(Cancelled) as caught:
            change(singleton, tmp_path, Consent(), terminal=terminal)
        assert caught.value.exit_code == ExitCode.DIFFERENT
        assert singleton.written == []
        assert said(terminal)[1] == "Change policy-evaluation in context prod (https://one:6443)? (y/N): "


def test_overtaken_while_thinking(tmp_path: Path) -> None:
    class Slow(Typed):
        def readline(self, size: int | None = -1) -> bytes:
            assert singleton.raw
            singleton.raw["metadata"]["resourceVersion"] = "9"
            return super().readline(size)

    singleton = OneObject()
    terminal = Terminal(io.StringIO(), io.StringIO(), Slow(b"y\n"))
    with pytest.raises(Conflict):
        change(singleton, tmp_path, Consent(), terminal=terminal)
    assert (singleton.written, backups(tmp_path)) == ([], [])


def test_nobody_to_ask(tmp_path: Path) -> None:
    singleton, terminal = OneObject(), a_terminal()
    with pytest.raises(NotConfirmed) as caught:
        change(singleton, tmp_path, Consent(), terminal=terminal)
    assert caught.value.exit_code == ExitCode.USAGE
    assert "+    priority: 90" in said(terminal)[0]  # shown all the same
    assert (singleton.written, backups(tmp_path)) == ([], [])


@pytest.mark.parametrize("step", ["rehearse", "write"])
@pytest.mark.parametrize("failure", [Forbidden("no"), Conflict("changed"), Invalid("no"), LostFields(["spec.x"])])
def test_a_refused_write_leaves_no_backup(tmp_path: Path, step: str, failure: KubexError) -> None:
    singleton = OneObject(fail={step: failure})
    with pytest.raises(type(failure)) as caught:
        change(singleton, tmp_path)
    assert caught.value.exit_code == failure.exit_code
    assert backups(tmp_path) == []


def test_a_server_without_dry_runs_is_written_to_all_the_same(tmp_path: Path) -> None:
    singleton = OneObject(fail={"rehearse": NoRehearsal("no dry run")})
    change(singleton, tmp_path)
    assert len(singleton.written) == 1
    with pytest.raises(NoRehearsal):
        change(OneObject(fail=singleton.fail), tmp_path, manner=Manner(DryRun.SERVER))


def test_a_field_dropped_in_the_rehearsal_stops_it(tmp_path: Path) -> None:
    singleton = OneObject(meddle=lambda raw: raw["spec"]["precedence"].pop())
    with pytest.raises(LostFields, match=r"would drop spec.precedence\[10\]"):
        change(singleton, tmp_path)
    assert singleton.written == []


def test_stored_otherwise(tmp_path: Path) -> None:
    def meddle(raw: dict[str, Any]) -> None:
        if singleton.rehearsed:
            raw["spec"]["precedence"][0]["priority"] = 1

    singleton = OneObject()
    singleton.meddle = meddle
    with pytest.raises(StoredOtherwise) as caught:
        change(singleton, tmp_path)
    assert "spec.precedence[1].priority is 1, not 130; to undo: kubectl kubex undo" in caught.value.line
    assert caught.value.exit_code == ExitCode.PARTIAL
    assert len(backups(tmp_path)) == 1


def test_no_answer_and_no_reading(tmp_path: Path) -> None:
    singleton = OneObject(fail={"write": NoAnswer("broken"), "read": Forbidden("no")})
    with pytest.raises(Unverified) as caught:
        change(singleton, tmp_path)
    assert "may or may not have happened: broken; the former object is in " in caught.value.line
    assert str(backups(tmp_path)[0]) in caught.value.line


def test_no_answer_and_nothing_stored(tmp_path: Path) -> None:
    with pytest.raises(NoAnswer):
        change(OneObject(fail={"write": NoAnswer("broken")}), tmp_path)
    assert backups(tmp_path) == []


def test_interrupted_while_writing(tmp_path: Path) -> None:
    singleton, terminal = OneObject(), a_terminal()

    def interrupt(raw: dict[str, Any]) -> None:
        if singleton.rehearsed:
            raise KeyboardInterrupt

    singleton.meddle = interrupt
    with pytest.raises(KeyboardInterrupt):
        change(singleton, tmp_path, terminal=terminal)
    assert f"the former object is in {backups(tmp_path)[0]}" in said(terminal)[1]


@pytest.mark.parametrize("manner", [Manner(DryRun.CLIENT), Manner(output="yaml"), Manner(output="json")])
def test_manners_that_write_nothing_ask_nobody(tmp_path: Path, manner: Manner) -> None:
    singleton = OneObject()
    change(singleton, tmp_path, Consent(), manner)
    assert (singleton.written, singleton.rehearsed, backups(tmp_path)) == ([], 0, [])


def test_undo_goes_back_and_forth_and_never_to_what_is_live(tmp_path: Path) -> None:
    singleton = OneObject()
    desk = a_desk(singleton, tmp_path)

    def proactive() -> int:
        assert singleton.raw
        return int(singleton.raw["spec"]["precedence"][6]["priority"])

    set_priority.run(desk, WISH, Manner(), YES, a_terminal())
    set_priority.run(desk, set_priority.Wish(("proactive=95",)), Manner(), YES, a_terminal())
    for expected in (90, 95, 90):
        desk = a_desk(singleton, tmp_path)
        desk.clock.now = desk.clock.now.replace(hour=10 + len(singleton.written))  # type: ignore[attr-defined]
        restore.undo(desk, restore.Wish(), Manner(), YES, a_terminal())
        assert proactive() == expected


def test_undo_passes_over_broken_backups(tmp_path: Path) -> None:
    singleton = OneObject()
    change(singleton, tmp_path)
    (path,) = backups(tmp_path)
    path.write_text(path.read_text().replace("110", "111"))
    terminal = a_terminal()
    with pytest.raises(NothingToUndo):
        restore.undo(a_desk(singleton, tmp_path), restore.Wish(), Manner(), YES, terminal)
    assert "checksum" in said(terminal)[1]


def test_undo_leaves_the_labels_that_another_writer_set(tmp_path: Path) -> None:
    singleton = OneObject(chart(labels={"helm.sh/chart": "x-1"}))
    change(singleton, tmp_path)
    assert singleton.raw
    singleton.raw["metadata"]["labels"]["helm.sh/chart"] = "x-2"
    restore.undo(a_desk(singleton, tmp_path), restore.Wish(), Manner(), YES, a_terminal())
    assert singleton.raw["metadata"]["labels"] == {"helm.sh/chart": "x-2"}
    assert singleton.raw["spec"] == chart()["spec"]


def test_create_never_over_an_object(tmp_path: Path) -> None:
    with pytest.raises(AlreadyThere):
        create.run(a_desk(OneObject(), tmp_path), create.Wish(), Manner(), YES, a_terminal())


def test_the_question_names_the_place(tmp_path: Path) -> None:
    assert question_text("Create", a_desk(OneObject(), tmp_path).where).startswith(
        "Create policy-evaluation in context prod"
    )


def test_printed_commands_say_which_cluster_and_nothing_secret(tmp_path: Path) -> None:
    from kubectl_kubex.commands.singleton import flags_of  # noqa: PLC0415

    given = {"context": "a b", "as_user": "x", "as_group": ("g", "h"), "token": "secret", "disable_compression": True}
    assert flags_of(given) == (
        "--context", "a b", "--as", "x", "--as-group", "g", "--as-group", "h", "--disable-compression",
    )  # fmt: skip
