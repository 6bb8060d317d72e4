"""The command reference and the man page, made from the commands themselves. `--check` only compares.

`./build.sh package reference` writes both into docs/reference/; a test holds them to the code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

import click

from kubectl_kubex import __version__
from kubectl_kubex.cli import cli
from kubectl_kubex.errors import ExitCode
from packager.place import ROOT

FOLDER = ROOT / "docs" / "reference"
PROGRAM = "kubectl kubex"
REMEDY = "run ./build.sh package reference"
_CODES = {
    ExitCode.OK: "answered",
    ExitCode.DIFFERENT: "a negative answer: differences or findings",
    ExitCode.USAGE: "wrong usage, or input that cannot be used",
    ExitCode.CLUSTER: "the cluster, the login or a right fails, or something is not found",
    ExitCode.CONFLICT: "somebody else changed the object meanwhile",
    ExitCode.PARTIAL: "a part of what was asked has no answer",
    ExitCode.INTERRUPTED: "interrupted",
}
_ENVIRONMENT = (
    ("KUBECONFIG", "the kubeconfig files, as for kubectl"),
    ("NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE", "colour off, or on without a terminal; --color counts more"),
    ("COLUMNS", "the width of tables where there is no terminal"),
    ("KUBE_EDITOR, EDITOR", "the editor of `edit`"),
    ("HTTPS_PROXY, NO_PROXY", "the way to the API server, as for kubectl"),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "the trusted roots where the kubeconfig names none"),
)


class Row(NamedTuple):
    """One option or argument: what to type, and what it does."""

    typed: str
    words: str


class Page(NamedTuple):
    """One command. `shared` options are told once, for all commands."""

    name: str
    usage: str
    text: str
    own: tuple[Row, ...]
    takes_shared: bool


def pages() -> tuple[Page, ...]:
    """Every command that is not hidden, each group before its members."""
    root = click.Context(cli, info_name=PROGRAM)
    return tuple(_pages(cli, root, ""))


def shared() -> dict[str, tuple[Row, ...]]:
    """By heading, the options that every command takes."""
    found: dict[str, tuple[Row, ...]] = {}
    ctx = click.Context(cli, info_name=PROGRAM)
    for parameter in cli.params:
        section = getattr(parameter, "section", "")
        if section:
            found[section] = (*found.get(section, ()), _option(parameter, ctx))
    return found


def _pages(group: click.Group, ctx: click.Context, before: str) -> Iterator[Page]:
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=ctx)
        yield _page(command, inner, f"{before}{name}")
        if isinstance(command, click.Group):
            yield from _pages(command, inner, f"{before}{name} ")


def _page(command: click.Command, ctx: click.Context, name: str) -> Page:
    common = {row.typed for rows in shared().values() for row in rows}
    options = [_option(each, ctx) for each in command.params if isinstance(each, click.Option) and not each.hidden]
    usage = " ".join([PROGRAM, name, *command.collect_usage_pieces(ctx)])
    own = tuple(row for row in options if row.typed not in common)
    return Page(name, usage, _prose(command.help or ""), own, len(own) < len(options))


def _option(parameter: click.Parameter, ctx: click.Context) -> Row:
    record = parameter.get_help_record(ctx)
    assert record is not None
    return Row(record[0], " ".join(record[1].split()))


def _prose(text: str) -> str:
    """Paragraphs, each on a line of its own."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\b", "").strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def markdown() -> str:
    """The reference as one page."""
    lines = ["# Command reference", "", f"Made from the commands themselves; after a change, {REMEDY}.", ""]
    lines += ["| command | does |", "|---|---|"]
    lines += [f"| [`{page.name}`](#{_anchor(page.name)}) | {_cell(_first(page.text))} |" for page in pages()]
    for page in pages():
        lines += ["", f"## {page.name}", "", f"    {page.usage}", "", _escaped(page.text)]
        if page.own:
            lines += ["", "| option | does |", "|---|---|"]
            lines += [f"| `{_cell(row.typed)}` | {_cell(row.words)} |" for row in page.own]
        if page.takes_shared:
            lines += ["", "It takes the [shared options](#shared-options), too."]
    lines += ["", "## Shared options"]
    for section, rows in shared().items():
        lines += ["", f"### {section}", "", "| option | does |", "|---|---|"]
        lines += [f"| `{_cell(row.typed)}` | {_cell(row.words)} |" for row in rows]
    lines += ["", "## Exit codes", "", "| code | means |", "|---|---|"]
    lines += [f"| {code.value} | {words} |" for code, words in _CODES.items()]
    lines += ["", "## Environment", "", "| variable | decides |", "|---|---|"]
    lines += [f"| {name} | {words} |" for name, words in _ENVIRONMENT]
    return "\n".join(lines) + "\n"


def man_page() -> str:
    """The same for `man`, in one page; without a date, so that it changes only with the commands."""
    lines = [f'.TH KUBECTL\\-KUBEX 1 "" "kubectl\\-kubex {__version__}" "User Commands"', ".SH NAME"]
    lines += ["kubectl\\-kubex \\- " + _roff(_first(_prose(cli.help or "")).rstrip("."))]
    lines += [".SH SYNOPSIS", ".B kubectl kubex", "\\fICOMMAND\\fR [\\fIOPTION\\fR...]", ".SH COMMANDS"]
    for page in pages():
        lines += [f".SS {_roff(page.name)}", f".B {_roff(page.usage)}", ".PP"]
        lines += _roff(page.text).replace("\n\n", "\n.PP\n").split("\n")
        lines += _list(page.own)
    for section, rows in shared().items():
        lines += [f'.SH "{_roff(section.upper())}"', *_list(rows)]
    lines += [".SH EXIT STATUS", *_list(tuple(Row(str(code.value), words) for code, words in _CODES.items()))]
    lines += [".SH ENVIRONMENT", *_list(tuple(Row(*each) for each in _ENVIRONMENT))]
    lines += [".SH SEE ALSO", ".BR kubectl (1)"]
    return "\n".join(lines) + "\n"


def _list(rows: tuple[Row, ...]) -> list[str]:
    return [line for row in rows for line in (".TP", f"\\fB{_roff(row.typed)}\\fR", _roff(row.words))]


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return re.sub(r"^(['.])", r"\\&\1", escaped, flags=re.MULTILINE)


def _first(text: str) -> str:
    return text.partition("\n\n")[0]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _escaped(text: str) -> str:
    return re.sub(r"(?<!`)([*<>])(?!`)", r"\\\1", text)


def _anchor(name: str) -> str:
    return name.replace(" ", "-")


FILES = {"commands.md": markdown, "kubectl-kubex.1": man_page}


def stale() -> list[str]:
    """The files that do not say what the commands say."""
    return [
        name
        for name, made in FILES.items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text(encoding="utf-8") != made()
    ]


def main() -> int:
    if "--check" in sys.argv[1:]:
        for name in stale():
            print(f"docs/reference/{name} is not what the commands say; {REMEDY}", file=sys.stderr)
        return 1 if stale() else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, made in FILES.items():
        (FOLDER / name).write_text(made(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
