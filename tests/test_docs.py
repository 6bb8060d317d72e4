"""README and help texts say what the program does; a message of a failing test says what should stand there."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from kubectl_kubex.cli import cli
from kubectl_kubex.core.ranking import RULES
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS
from kubectl_kubex.errors import ExitCode
from kubectl_kubex.render.formats import WHY, spelled
from tests.commands.running import ROOT, run

README = (ROOT / "README.md").read_text(encoding="utf-8")
WIDTH = "100"
BLOCKS = re.findall(r"```console\n\$ kubectl kubex (.*)\n((?:.*\n)*?)```", README)
COMMANDS = sorted(name for name, command in cli.commands.items() if not command.hidden)
OPTIONS = sorted(
    {
        word
        for command in map(cli.commands.__getitem__, COMMANDS)
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for word in parameter.opts
    }
)


def test_the_readme_shows_the_demo() -> None:
    assert BLOCKS


@pytest.mark.parametrize(("words", "shown"), BLOCKS, ids=[words for words, _ in BLOCKS])
def test_shown_output_is_real(words: str, shown: str) -> None:
    assert "--demo" in words
    assert shown == run(*words.split(), env={"COLUMNS": WIDTH}).stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_in_the_readme(name: str) -> None:
    assert re.search(rf"^\| `{name}[` ]", README, re.MULTILINE), f"README's table of commands lacks {name}"


@pytest.mark.parametrize("option", OPTIONS)
def test_each_option_is_in_the_readme(option: str) -> None:
    assert re.search(rf"`{option}[` ]", README), f"README lacks {option}"


def test_each_form_is_in_the_readme() -> None:
    for name in spelled(WHY):
        assert f"`{name}`" in README


def test_the_rules_are_in_the_readme_in_their_order() -> None:
    rows = [f"| {number} | {rule.statement} |" for number, rule in enumerate(RULES, 1)]
    assert "\n".join(rows) in README, "\n".join(["README's table of rules should read:", *rows])


def test_each_exit_code_is_in_the_readme() -> None:
    section = README.partition("## Exit codes")[2].partition("##")[0]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)] == [
        code.value for code in ExitCode
    ]


def test_each_workload_kind_is_in_the_readme() -> None:
    for kind in WORKLOAD_KINDS:
        assert kind.name in README


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#:]+)\)", README))
def test_links_lead_somewhere(target: str) -> None:
    assert Path(ROOT, target).exists()


def test_the_demo_of_the_build_script_is_the_one_shown() -> None:
    script = (ROOT / "build.sh").read_text(encoding="utf-8")
    arguments = re.search(r"^demo=\((.*)\)$", script, re.MULTILINE)
    assert arguments is not None
    assert BLOCKS[0][0] == f"why {arguments[1]}"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_terminal(name: str) -> None:
    lines = run(name, "--help", env={"COLUMNS": "80"}).stdout.splitlines()
    assert max(map(len, lines)) <= 80
