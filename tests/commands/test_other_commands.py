"""`schema`, `version`, `help`, and what all commands have in common."""

from __future__ import annotations

import json

import click
import pytest
import yaml

from kubectl_kubex import __version__
from kubectl_kubex.cli import cli
from kubectl_kubex.core.ranking import RULES
from kubectl_kubex.options import wants_color
from tests.render.test_schemas import validator

from .running import run

CONNECTION = """
--kubeconfig --context --cluster --user -s --server --token --as --as-group --as-uid --as-user-extra
--client-certificate --client-key --certificate-authority --tls-server-name --insecure-skip-tls-verify
--request-timeout --cache-dir --disable-compression -n --namespace -A --all-namespaces -f --filename
""".split()  # noqa: SIM905 - a list of words is read better as text
SHOWN = {name: command for name, command in cli.commands.items() if not command.hidden}
COMMANDS = {name: command for name, command in SHOWN.items() if name != "help"}


def test_version_of_the_client_needs_no_server() -> None:
    assert run("version", "--client").stdout == f"Client Version: v{__version__}\n"
    assert run("--version").stdout == f"kubectl kubex {__version__}\n"


@pytest.mark.parametrize(("output", "read"), [("json", json.loads), ("yaml", yaml.safe_load)])
def test_version_as_a_document(output: str, read: object) -> None:
    document = read(run("version", "--client", "-o", output).stdout)  # type: ignore[operator]
    validator("version").validate(document)
    assert document["clientVersion"]["version"] == f"v{__version__}"
    assert document["serverVersion"] is None


def test_version_without_a_server_still_tells_the_clients() -> None:
    result = run("version", "-s", "http://127.0.0.1:9")
    assert result.stdout == f"Client Version: v{__version__}\n"
    assert result.stderr.startswith("error: cannot reach the server")
    assert result.exit_code == 3


def test_schemas_are_listed_and_printed() -> None:
    names = run("schema").stdout.split()
    assert "why" in names
    for name in names:
        assert json.loads(run("schema", name).stdout)["$schema"]


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"], ["help"]])
def test_help_names_every_command(words: list[str]) -> None:
    result = run(*words)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: kubectl kubex [OPTIONS]")
    assert all(f"\n  {name} " in result.stdout for name in SHOWN)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str) -> None:
    asked, helped = run(name, "--help"), run("help", name)
    assert asked.stdout == helped.stdout
    assert asked.stdout.startswith(f"Usage: kubectl kubex {name} ")


def test_help_of_why_ends_with_the_rules() -> None:
    text = " ".join(run("why", "-h").stdout.split())
    places = [text.index(rule.statement) for rule in RULES]
    assert places == sorted(places)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "completion"])
def test_each_command_takes_what_kubectl_takes(name: str) -> None:
    taken = {word for parameter in COMMANDS[name].params for word in parameter.opts}
    assert taken >= set(CONNECTION)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_and_option_has_help(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.help.endswith("."), parameter.name


@pytest.mark.parametrize(
    ("choice", "environment", "is_terminal", "expected"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, False, False),
        ("auto", {"CLICOLOR_FORCE": "1", "TERM": "dumb"}, False, True),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("always", {"TERM": "dumb"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_who_wants_colour(choice: str, environment: dict[str, str], is_terminal: bool, expected: bool) -> None:
    assert wants_color(choice, environment, is_terminal=is_terminal) is expected


@pytest.mark.parametrize("output", ["table", "wide", "tree", "name", "json", "yaml", "jsonpath={.kind}"])
def test_colour_is_for_text_only(output: str) -> None:
    coloured = "\x1b[" in run("why", "web", "--demo", "-o", output, "--color", "always").stdout
    assert coloured is (output in ("table", "wide", "tree"))
