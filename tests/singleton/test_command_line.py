"""The words of the commands that need no cluster."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from kubectl_kubex.cli import cli
from kubectl_kubex.cli_singleton import COMMANDS, with_value
from kubectl_kubex.core.presets import PRESETS


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner(env={"KUBECONFIG": "/nonexistent"}).invoke(cli, words, prog_name="kubectl kubex")
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(("given", "meant"), [
    (["a=1", "--dry-run"], ["a=1", "--dry-run=client"]),
    (["--dry-run", "a=1"], ["--dry-run=client", "a=1"]),
    (["--dry-run", "server"], ["--dry-run", "server"]),
    (["--dry-run=server"], ["--dry-run=server"]),
    (["--", "--dry-run"], ["--", "--dry-run"]),
])  # fmt: skip
def test_a_bare_dry_run_is_the_client_s(given: list[str], meant: list[str]) -> None:
    assert with_value(given) == meant


@pytest.mark.parametrize("words", [
    ("restore", "x", "-f", "y"), ("undo", "--demo"), ("edit", "--demo"), ("backup", "--demo"), ("create", "-f", "x"),
])  # fmt: skip
def test_files_cannot_be_written_to(words: tuple[str, ...]) -> None:
    assert run(*words) == (2, "", "error: this command works on a cluster; leave out -f and --demo\n")


def test_set_priority_on_files_only_shows() -> None:
    code, out, err = run("set-priority", "--demo", "static=91")
    assert (code, out) == (2, "")
    assert err == "error: a file has no server to write to; add --dry-run=client, or -o yaml\n"
    code, out, _ = run("set-priority", "--demo", "static=91", "--dry-run", "--impact=none")
    assert code == 0
    assert "policy-evaluation changed (dry run)" in out


def test_the_demo_s_repeated_type_is_an_error_by_name() -> None:
    code, _, err = run("set-priority", "--demo", "clusterrollback=1", "--dry-run")
    assert code == 2
    assert "ClusterRollbackPolicy is listed twice, at positions 4 and 11" in err


def test_data_and_words_go_their_own_ways() -> None:
    code, out, err = run("set-priority", "--demo", "static=91", "-o", "json", "--impact=none")
    assert (code, out[:2]) == (0, "{\n")
    assert "--- live" in err


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_help(command: object) -> None:
    code, out, _ = run(str(getattr(command, "name", "")), "--help")
    assert code == 0
    assert "Usage: kubectl kubex" in out


def test_completion_of_types_and_presets() -> None:
    def complete(*words: str) -> list[str]:
        env = {"COMP_WORDS": " ".join(("kubectl-kubex", *words)), "COMP_CWORD": str(len(words))}
        result = CliRunner(env={**env, "_KUBECTL_KUBEX_COMPLETE": "bash_complete"}).invoke(
            cli, prog_name="kubectl-kubex", complete_var="_KUBECTL_KUBEX_COMPLETE"
        )
        return [line.partition(",")[2] for line in result.stdout.splitlines()]

    assert complete("set-priority", "proa") == ["ProactivePolicy="]
    assert complete("set-priority", "--remove", "CLUSTERS") == ["ClusterStaticPolicy"]
    assert complete("set-priority", "--preset", "favor") == sorted(
        p.name for p in PRESETS if p.name.startswith("favor")
    )
