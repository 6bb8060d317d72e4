"""The commands of completion, as `cli` takes them up. Imports are late: every run of the program reads this file."""

from __future__ import annotations

import os
import sys

import click

from kubectl_kubex.errors import ExitCode
from kubectl_kubex.options import Command, kubectl_options

_SHELLS = ("bash", "zsh", "fish", "powershell")
_LOADED = {
    "bash": "source <(kubectl-kubex completion bash)",
    "zsh": "source <(kubectl-kubex completion zsh)",
    "fish": "kubectl-kubex completion fish | source",
    "powershell": "kubectl-kubex completion powershell | Out-String | Invoke-Expression",
}


class _Commands(click.Group):
    command_class = Command


@click.group(cls=_Commands)
@kubectl_options
def completion() -> None:
    """Complete commands, flags and names in the shell, for kubectl-kubex and behind kubectl.

    `completion install` is for `kubectl kubex`, where kubectl's own completion is loaded; a shell's name prints the
    script for `kubectl-kubex` itself.
    """


def _add(shell: str) -> None:
    def printed() -> ExitCode:
        from kubectl_kubex.completion.scripts import SCRIPTS  # noqa: PLC0415 - only here

        click.echo(SCRIPTS[shell], nl=False)
        return ExitCode.OK

    printed.__doc__ = f"Print the script for {shell}; to load it: {_LOADED[shell]}"
    completion.command(shell)(kubectl_options(printed))


for _shell in _SHELLS:
    _add(_shell)

_dir = click.option("--dir", "folder", metavar="FOLDER", help="Folder on PATH; else where kubectl-kubex is.")


@completion.command()
@_dir
@click.option("--force", is_flag=True, help="Replace a file that somebody else wrote.")
@kubectl_options
def install(folder: str | None, *, force: bool) -> ExitCode:
    """Write kubectl_complete-kubex, which kubectl 1.26 and newer asks to complete `kubectl kubex`."""
    from kubectl_kubex.completion import shim  # noqa: PLC0415 - only here

    target = shim.install(folder, os.environ, force=force)
    click.echo(str(target))
    if not shim.is_found(target, os.environ):
        click.echo(f"Warning: kubectl will not find it: {target.parent} is not on PATH, or stands late there", err=True)
    return ExitCode.OK


@completion.command()
@_dir
@kubectl_options
def uninstall(folder: str | None) -> ExitCode:
    """Remove what `completion install` wrote."""
    from kubectl_kubex.completion import shim  # noqa: PLC0415 - only here

    removed = shim.uninstall(folder, os.environ)
    for target in removed:
        click.echo(f"removed {target}")
    if not removed:
        click.echo("There is nothing to remove.", err=True)
    return ExitCode.OK


@click.command("__complete", hidden=True, context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def complete(ctx: click.Context, words: tuple[str, ...]) -> ExitCode:
    """Print what may stand in the place of the last word, and what the shell is to do with it."""
    if sys.stderr is sys.__stderr__:  # a process of its own, not a test's
        _be_silent()
    from kubectl_kubex.completion.engine import Completion  # noqa: PLC0415 - only here
    from kubectl_kubex.completion.engine import complete as completed  # noqa: PLC0415

    try:
        answer = completed(ctx.find_root().command, words)
    except Exception:  # noqa: BLE001 - whatever it is, nobody can do anything about it while typing
        answer = Completion()
    click.echo(str(answer), nl=False)
    sys.stdout.flush()
    if sys.stderr is sys.__stderr__:
        os._exit(0)  # a request or login plugin that still runs is not waited for
    return ExitCode.OK


def _be_silent() -> None:
    """A login plugin that is asked meanwhile must not write on the command line, nor read from it."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 2)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - for the rest of the process
