"""The commands that keep or change policy-evaluation: each parses, opens a desk and calls `commands`, as in `cli`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kubectl_kubex.core.presets import PRESET_BY_NAME
from kubectl_kubex.errors import ExitCode, UsageError
from kubectl_kubex.options import Command, Given, given, kubectl_options, output_option, terminal

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kubectl_kubex.commands.change import Manner
    from kubectl_kubex.commands.consent import Consent
    from kubectl_kubex.commands.singleton import Desk
    from kubectl_kubex.commands.terminal import Terminal

F = TypeVar("F", bound=Callable[..., Any])
_DRY_RUNS = ("none", "client", "server")
_IMPACTS = ("none", "count", "list")
_FORMS = ("yaml", "json")


class ChangeCommand(Command):
    """A command with kubectl's `--dry-run`: without a value it is `client`, whatever word comes next."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, with_value(args))


def with_value(args: list[str]) -> list[str]:
    """`args` with a bare `--dry-run` spelled out."""
    told = args[: args.index("--")] if "--" in args else args
    bare = {
        index
        for index, word in enumerate(told)
        if word == "--dry-run" and (index + 1 == len(told) or told[index + 1] not in _DRY_RUNS)
    }
    return ["--dry-run=client" if index in bare else word for index, word in enumerate(args)]


def _named_types(_ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only for completion

    from kubectl_kubex.core.type_names import TYPES  # noqa: PLC0415

    tail = "" if parameter.name == "removed" else "="
    return [CompletionItem(kind.name + tail) for kind in TYPES if kind.name.lower().startswith(incomplete.lower())]


def _files(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only for completion

    return [CompletionItem(incomplete, type="file")]


_dir_option = click.option("--dir", "folder", metavar="FOLDER", help="Folder of the backups, not the user's own.")
_yes_option = click.option("-y", "--yes", is_flag=True, help="Go ahead without asking.")
_force_cluster = click.option("--force-cluster", is_flag=True, help="Take a backup of another cluster.")
_helm_labels = click.option("--helm-labels", type=click.Choice(["keep", "drop"]), default="keep", show_default=True,
                            help="Of an object that is gone: bring it back with Helm's labels or without.")  # fmt: skip
_preset_option = click.option("--preset", type=click.Choice(sorted(PRESET_BY_NAME)),
                              help="The priorities of one of the reference page's configurations.")  # fmt: skip
_unknown_option = click.option("--allow-unknown-type", is_flag=True, help="Take types that are not known here.")


def _change_options(function: F) -> F:
    for option in reversed(
        (
            click.option("--dry-run", type=click.Choice(_DRY_RUNS), default="none", metavar="[client|server]",
                         help="Show everything and write nothing: client sends nothing, server lets it be judged."),
            click.option("--impact", type=click.Choice(_IMPACTS), default="count", show_default=True,
                         help="Workloads whose winner changes: how many, which, or not asked."),
            _yes_option,
            _dir_option,
            output_option("|".join(_FORMS) + ", to print the new object instead of writing it"),
            kubectl_options,
        )
    ):  # fmt: skip
        function = option(function)
    return function


def _desk(ctx: click.Context, folder: str | None) -> AbstractContextManager[Desk]:
    from kubectl_kubex.commands.singleton import open_desk  # noqa: PLC0415 - not for `--help`

    return open_desk(given(ctx).source(), terminal(ctx).stdin, lambda: datetime.now(timezone.utc), folder)


def _manner(told: Given, flags: Mapping[str, Any]) -> Manner:
    """Raises UsageError for what contradicts itself."""
    from kubectl_kubex.commands.change import DryRun, Manner  # noqa: PLC0415 - not for `--help`
    from kubectl_kubex.commands.impact import ImpactMode  # noqa: PLC0415

    if told.output not in (None, *_FORMS):
        raise UsageError(f'no output format "{told.output}"; allowed formats are: {"|".join(_FORMS)}')
    if flags["yes"] and told.output and flags["dry_run"] == "none":
        raise UsageError(
            "-o prints the new object instead of writing it, so --yes would have no effect", "leave out one"
        )
    manner = Manner(DryRun(flags["dry_run"]), ImpactMode(flags["impact"]), told.output)
    if (told.demo or told.files) and (manner.writes or manner.dry_run is DryRun.SERVER):
        raise UsageError("a file has no server to write to", "add --dry-run=client, or -o yaml")
    return manner


def _folder(ctx: click.Context, folder: str | None) -> str | None:
    """`--dir`, before the subcommand's name or after it."""
    return folder if folder is not None or ctx.parent is None else ctx.parent.params.get("folder")


def _consent(flags: Mapping[str, Any]) -> Consent:
    from kubectl_kubex.commands.consent import Consent  # noqa: PLC0415 - not for `--help`

    return Consent(flags["yes"])


def _cluster_only(ctx: click.Context) -> Terminal:
    flags = given(ctx)
    if flags.demo or flags.files:
        raise UsageError("this command works on a cluster", "leave out -f and --demo")
    return terminal(ctx)


@click.group(invoke_without_command=True)
@click.option("-o", "--output", "path", metavar="FILE",
              help="File to write, - for standard output; without it a new file in the data folder.")  # fmt: skip
@click.option("--force", is_flag=True, help="With -o: replace an existing file.")
@click.option(
    "--keep", type=click.IntRange(min=1), metavar="N", help="Remove all but the N newest backups of this cluster."
)
@_dir_option
@kubectl_options
@click.pass_context
def backup(
    ctx: click.Context, path: str | None, folder: str | None, keep: int | None, *, force: bool
) -> ExitCode | None:
    """Write policy-evaluation into a file that plain kubectl apply -f takes, and print its path.

    `backup list` lists the backups of this cluster, `backup show REF` shows one beside the live object.
    """
    if ctx.invoked_subcommand is not None:
        return None
    from kubectl_kubex.commands import backup as command  # noqa: PLC0415 - not for `--help`

    console = _cluster_only(ctx)
    with _desk(ctx, folder) as desk:
        return command.run(desk, command.Destination(path, force, keep), console)


backup.command_class = Command


@backup.command("list")
@_dir_option
@kubectl_options
@click.pass_context
def backup_list(ctx: click.Context, folder: str | None) -> ExitCode:
    """List the backups of this cluster, newest first, with what the live object has otherwise."""
    from kubectl_kubex.commands import backup as command  # noqa: PLC0415 - not for `--help`

    console = _cluster_only(ctx)
    with _desk(ctx, _folder(ctx, folder)) as desk:
        return command.show_list(desk, console, headers=not given(ctx).no_headers)


@backup.command("show")
@click.argument("reference", metavar="REF")
@_dir_option
@kubectl_options
@click.pass_context
def backup_show(ctx: click.Context, reference: str, folder: str | None) -> ExitCode:
    """Show where a backup is from, and what the live object has otherwise.

    REF is a backup's name, a beginning of it, or latest; or a file.
    """
    from kubectl_kubex.commands import backup as command  # noqa: PLC0415 - not for `--help`

    console = _cluster_only(ctx)
    with _desk(ctx, _folder(ctx, folder)) as desk:
        return command.show_one(desk, reference, console)


@click.command(cls=ChangeCommand)
@click.argument("reference", metavar="FILE|REF|-", shell_complete=_files)
@click.option("--replace-metadata", is_flag=True, help="Restore labels and annotations as well, not the spec alone.")
@_helm_labels
@_force_cluster
@_change_options
@click.pass_context
def restore(ctx: click.Context, /, reference: str, **flags: Any) -> ExitCode:  # noqa: ANN401 - options
    """Bring policy-evaluation back from a backup, or from what kubectl get -o yaml or json printed.

    REF is a backup's name, a beginning of it, or latest.
    """
    from kubectl_kubex.commands import restore as command  # noqa: PLC0415 - not for `--help`

    console, manner = _cluster_only(ctx), _manner(given(ctx), flags)
    wish = command.Wish(flags["replace_metadata"], flags["helm_labels"] == "keep", flags["force_cluster"])
    with _desk(ctx, flags["folder"]) as desk:
        return command.run(desk, reference, wish, manner, _consent(flags), console)


@click.command(cls=ChangeCommand)
@click.option("--replace-metadata", is_flag=True, help="Take labels and annotations back as well, not the spec alone.")
@_helm_labels
@_change_options
@click.pass_context
def undo(ctx: click.Context, /, **flags: Any) -> ExitCode:  # noqa: ANN401 - options
    """Go back to the newest automatic backup that differs from the live policy-evaluation.

    An undo makes an automatic backup as well, so a second one takes the first one back.
    """
    from kubectl_kubex.commands import restore as command  # noqa: PLC0415 - not for `--help`

    console, manner = _cluster_only(ctx), _manner(given(ctx), flags)
    wish = command.Wish(flags["replace_metadata"], flags["helm_labels"] == "keep")
    with _desk(ctx, flags["folder"]) as desk:
        return command.undo(desk, wish, manner, _consent(flags), console)


@click.command("set-priority", cls=ChangeCommand)
@click.argument("pairs", nargs=-1, metavar="[TYPE=N...]", shell_complete=_named_types)
@_preset_option
@click.option("--remove", "removed", multiple=True, metavar="TYPE", shell_complete=_named_types,
              help="Take a type off the list; repeatable.")  # fmt: skip
@_unknown_option
@_change_options
@click.pass_context
def set_priority(ctx: click.Context, /, pairs: tuple[str, ...], **flags: Any) -> ExitCode:  # noqa: ANN401 - options
    """Set the priorities of policy types, such as ProactivePolicy=90; what is not named stays.

    TYPE in any case, or shorter: proactive, clusterproactive, cwproactive. Pairs count over --preset.
    """
    from kubectl_kubex.commands import set_priority as command  # noqa: PLC0415 - not for `--help`

    console, manner = terminal(ctx), _manner(given(ctx), flags)
    wish = command.Wish(pairs, flags["preset"], flags["removed"], flags["allow_unknown_type"])
    with _desk(ctx, flags["folder"]) as desk:
        return command.run(desk, wish, manner, _consent(flags), console)


@click.command(cls=ChangeCommand)
@_unknown_option
@_change_options
@click.pass_context
def edit(ctx: click.Context, /, **flags: Any) -> ExitCode:  # noqa: ANN401 - options
    """Change policy-evaluation in the editor that KUBE_EDITOR or EDITOR names."""
    from kubectl_kubex.commands import edit as command  # noqa: PLC0415 - not for `--help`

    console, manner = _cluster_only(ctx), _manner(given(ctx), flags)
    with _desk(ctx, flags["folder"]) as desk:
        allowed = flags["allow_unknown_type"]
        return command.run(desk, manner, _consent(flags), console, allow_unknown_types=allowed)


@click.command(cls=ChangeCommand)
@click.argument("reference", required=False, metavar="[FILE|REF|-]", shell_complete=_files)
@_preset_option
@_helm_labels
@_force_cluster
@_change_options
@click.pass_context
def create(ctx: click.Context, /, reference: str | None, **flags: Any) -> ExitCode:  # noqa: ANN401 - options
    """Create policy-evaluation where there is none: from the chart's defaults, a preset or a backup."""
    from kubectl_kubex.commands import create as command  # noqa: PLC0415 - not for `--help`

    console, manner = _cluster_only(ctx), _manner(given(ctx), flags)
    wish = command.Wish(reference, flags["preset"], flags["helm_labels"] == "keep", flags["force_cluster"])
    with _desk(ctx, flags["folder"]) as desk:
        return command.run(desk, wish, manner, _consent(flags), console)


COMMANDS: tuple[click.Command, ...] = (backup, restore, undo, set_priority, edit, create)
