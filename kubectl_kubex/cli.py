"""The command line: one function a command, which parses, opens a source and calls `commands`. Nothing else."""

from __future__ import annotations

import sys
from datetime import datetime, timezone
from functools import partial
from typing import Any, NoReturn

import click

from kubectl_kubex import __version__
from kubectl_kubex.cli_singleton import COMMANDS
from kubectl_kubex.completion.commands import complete, completion
from kubectl_kubex.errors import ExitCode, KubexError, UsageError
from kubectl_kubex.options import OWN, Command, given, kubectl_options, output_option, sections_of, terminal
from kubectl_kubex.render.formats import DIFF, LISTS, VERSION, WHY, one_of, parse_format

COMPLETE_VARIABLE = "_KUBECTL_KUBEX_COMPLETE"


class Failure(click.ClickException):
    """A KubexError on its way out: one line, its own exit code."""

    def __init__(self, error: KubexError) -> None:
        super().__init__(error.line)
        self.error = error

    def show(self, file: Any = None) -> None:  # noqa: ANN401 - the overridden signature
        from kubectl_kubex.commands.terminal import error_line  # noqa: PLC0415 - only for failures

        click.echo(error_line(self.error), file=file or sys.stderr)


class Group(click.Group):
    """Turns errors and interruptions into one line and a code, for the shell and for tests alike."""

    command_class = Command

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:  # noqa: ANN401 - the overridden signature
        """Never returns. Exit codes are those of `ExitCode`; a closed pipe is a quiet 0."""
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
        except click.UsageError as error:
            click.echo(usage_line(error), file=sys.stderr)
            code = ExitCode.USAGE
        except Failure as failure:
            failure.show()
            code = failure.error.exit_code
        except click.Abort:
            code = ExitCode.INTERRUPTED
        except BrokenPipeError:
            code = ExitCode.OK
        except OSError as error:  # a full disk, mostly
            Failure(KubexError(f"cannot go on: {error.strerror or error}")).show()
            code = ExitCode.CLUSTER
        sys.exit(int(code) if isinstance(code, int) else ExitCode.OK)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Commands first. The options that all of them take stand in their own help texts."""
        self.format_commands(ctx, formatter)
        with formatter.section(OWN):
            formatter.write_dl(sections_of(self.get_params(ctx), ctx)[OWN])

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:  # noqa: ANN401 - the overridden signature
        try:
            return super().make_context(*args, **kwargs)
        except BrokenPipeError:  # while help was printed; click's own answer is 1
            raise click.exceptions.Exit(ExitCode.OK) from None

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - the overridden signature
        try:
            return super().invoke(ctx)
        except KubexError as error:
            raise Failure(error) from None
        except BrokenPipeError:
            raise click.exceptions.Exit(ExitCode.OK) from None


def usage_line(error: click.UsageError) -> str:
    """click's three lines about wrong words as one."""
    from kubectl_kubex.render.visible import visible  # noqa: PLC0415 - only for failures

    message = error.format_message().rstrip(".")
    where = f"; see {error.ctx.command_path} --help" if error.ctx else ""
    return f"error: {visible(message[:1].lower() + message[1:])}{where}"


class RuledCommand(Command):
    """A command whose help ends with the five rules, taken from where they are applied."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from kubectl_kubex.core.ranking import RULES  # noqa: PLC0415 - only for this help

        with formatter.section("Rules, in order"):
            formatter.write_dl([(str(number), rule.statement) for number, rule in enumerate(RULES, 1)])
        super().format_epilog(ctx, formatter)


@click.group(
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Every command takes kubectl's own options, such as -n and --context: `help COMMAND` lists them.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@kubectl_options
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Explain which Kubex rightsizing policy wins on a workload, and why."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@cli.command(cls=RuledCommand)
@click.argument("workload", nargs=-1, metavar="TYPE/NAME...")
@click.option("--target", "targets", multiple=True, metavar="CONTAINER[/USAGE[/RESOURCE]]",
              help="Only these targets, such as app/requests/cpu; parts may be *; repeatable.")  # fmt: skip
@click.option("--at", metavar="TIME", help="Judge pauses, windows and ages at this time, as 2026-01-31T18:00:00Z; "
              "else now, or when a file was captured.")  # fmt: skip
@click.option("--tree", is_flag=True, help="Draw each target's candidates as a ladder; the same as -o tree.")
@output_option(one_of(WHY))
@kubectl_options
@click.pass_context
def why(
    ctx: click.Context, workload: tuple[str, ...], targets: tuple[str, ...], at: str | None, *, tree: bool
) -> ExitCode:
    """Show for each container and resource which policy wins, by which rule, and what is applied.

    Below that: what the engine does with the winners, and what holds them back.

    WORKLOAD is TYPE/NAME, TYPE NAME or NAME alone; a pod, ReplicaSet or Job stands for its owner. With -o
    custom-columns each target is a row.
    """
    from kubectl_kubex.commands import why as command  # noqa: PLC0415 - not for `--help`
    from kubectl_kubex.commands.arguments import parse_patterns, parse_references  # noqa: PLC0415
    from kubectl_kubex.commands.moment import Moment, parse_at  # noqa: PLC0415
    from kubectl_kubex.commands.source import open_source  # noqa: PLC0415

    flags, console = given(ctx), terminal(ctx)
    if tree and flags.output not in (None, "tree"):
        raise UsageError(f"--tree and -o {flags.output} exclude each other", "give one of them")
    output = parse_format("tree" if tree else flags.output, WHY)
    if flags.all_namespaces:
        raise UsageError(
            "a workload cannot be named across all namespaces", "leave out -A, or name a namespace with -n"
        )
    moment = Moment(datetime.now(timezone.utc), parse_at(at))
    question = command.Question(parse_references(workload), moment, flags.namespace, parse_patterns(targets))
    with open_source(flags.source(), console.stdin, partial(command.preload, output)) as source:
        return command.run(source, question, output, console, headers=not flags.no_headers)


@cli.command()
@click.argument("workload", nargs=-1, metavar="[TYPE/NAME...]")
@click.option("-l", "--selector", metavar="QUERY", help="Only workloads with these labels, as kubectl's -l.")
@click.option("--against", type=click.Choice(["pods", "template"]), default="pods", metavar="WHAT",
              help="Compare with the running pods (default), or with the workload's template.")  # fmt: skip
@click.option("--plan", is_flag=True, help="Compare with what the engine would apply: what is held back is no drift.")
@click.option("--at", metavar="TIME", help="With --plan: judge pauses, windows and ages at this time.")
@output_option(one_of(DIFF))
@kubectl_options
@click.pass_context
def diff(
    ctx: click.Context, workload: tuple[str, ...], selector: str | None, against: str, at: str | None, *, plan: bool
) -> ExitCode:
    """Compare the selected values with what pods have, folding pods with equal values.

    Without names: all workloads of the namespace, or with -A of all. Exits with 0 where nothing differs, with 1 where
    something does, with more for errors. KUBECTL_EXTERNAL_DIFF names another diff program.
    """
    import os  # noqa: PLC0415 - only for this command

    from kubectl_kubex.commands import diff as command  # noqa: PLC0415 - not for `--help`
    from kubectl_kubex.commands.arguments import parse_labels, parse_references  # noqa: PLC0415
    from kubectl_kubex.commands.external_diff import VARIABLE  # noqa: PLC0415
    from kubectl_kubex.commands.moment import Moment, parse_at  # noqa: PLC0415
    from kubectl_kubex.commands.source import open_source  # noqa: PLC0415
    from kubectl_kubex.core.drift import Against  # noqa: PLC0415

    flags, console = given(ctx), terminal(ctx)
    if workload and (selector is not None or flags.all_namespaces):
        raise UsageError("names cannot be combined with -l or -A", "give one of them")
    if plan and against == "template":
        raise UsageError("--plan is about pods, so --against template has no meaning with it", "leave one of them out")
    output = parse_format(flags.output, DIFF)
    question = command.Question(
        parse_references(workload) if workload else (),
        Moment(datetime.now(timezone.utc), parse_at(at)),
        flags.namespace,
        flags.all_namespaces,
        parse_labels(selector),
        Against(against),
        plan,
        os.environ.get(VARIABLE, "").strip(),
    )
    with open_source(flags.source(), console.stdin) as source:
        return command.run(source, question, output, console)


@cli.command()
@output_option(one_of(LISTS))
@kubectl_options
@click.pass_context
def show(ctx: click.Context) -> ExitCode:
    """Show the precedence of policy types in force, beside the chart's defaults, and who manages it.

    With -o custom-columns each policy type is a row.
    """
    from kubectl_kubex.commands import show as command  # noqa: PLC0415 - not for `--help`
    from kubectl_kubex.commands.source import open_source  # noqa: PLC0415

    flags, console = given(ctx), terminal(ctx)
    output = parse_format(flags.output, LISTS)
    with open_source(flags.source(), console.stdin) as source:
        return command.run(source, output, console, headers=not flags.no_headers)


@cli.command()
@click.argument("workload", nargs=-1, metavar="[TYPE/NAME]")
@output_option(one_of(LISTS))
@kubectl_options
@click.pass_context
def policies(ctx: click.Context, workload: tuple[str, ...]) -> ExitCode:
    """List all policies in rank order, with the number of workloads that each matches.

    For a workload: whether each policy matches it, and why not. With -o custom-columns each policy is a row.
    """
    from kubectl_kubex.commands import policies as command  # noqa: PLC0415 - not for `--help`
    from kubectl_kubex.commands.arguments import parse_references  # noqa: PLC0415
    from kubectl_kubex.commands.source import open_source  # noqa: PLC0415

    flags, console = given(ctx), terminal(ctx)
    output = parse_format(flags.output, LISTS)
    references = parse_references(workload) if workload else ()
    if len(references) > 1:
        raise UsageError("policies takes one workload", "name one, or none for all policies")
    reference = references[0] if references else None
    question = command.Question(reference, flags.namespace, flags.all_namespaces)
    with open_source(flags.source(), console.stdin) as source:
        return command.run(source, question, output, console, headers=not flags.no_headers)


@cli.command()
@click.argument("workload", nargs=-1, metavar="[TYPE/NAME...]")
@click.option("-o", "--output", "path", metavar="FILE", required=True, help="File to write, - for standard "
              "output; a name in .json makes it JSON, which is larger and faster to read.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace an existing file.")
@kubectl_options
@click.pass_context
def snapshot(ctx: click.Context, workload: tuple[str, ...], path: str, *, force: bool) -> ExitCode:
    """Write all that the named workloads need, or with -A the whole cluster, into a file for -f.

    Secrets are never read; environment values and arguments of containers are left out.
    """
    from kubectl_kubex.commands import snapshot as command  # noqa: PLC0415 - not for `--help`
    from kubectl_kubex.commands.arguments import parse_references  # noqa: PLC0415
    from kubectl_kubex.commands.source import open_source  # noqa: PLC0415

    flags, console = given(ctx), terminal(ctx)
    references = parse_references(workload) if workload else ()
    question = command.Question(references, flags.namespace, flags.all_namespaces)
    with open_source(flags.source(), console.stdin) as source:
        now = datetime.now(timezone.utc)
        return command.run(source, question, command.Destination(path, force), console, now)


@cli.command()
@click.argument("name", required=False, metavar="[COMMAND]")
@kubectl_options
@click.pass_context
def schema(ctx: click.Context, name: str | None) -> ExitCode:
    """Print the JSON Schema of a command's -o json document; without a name, list those that there are."""
    from kubectl_kubex.commands import schema as command  # noqa: PLC0415 - not for `--help`

    return command.run(name, terminal(ctx))


@cli.command()
@click.option("--client", is_flag=True, help="Only the version of this program; asks no server.")
@output_option(one_of(VERSION))
@kubectl_options
@click.pass_context
def version(ctx: click.Context, *, client: bool) -> ExitCode:
    """Print the version of this program, the API server and the engine's resources."""
    from kubectl_kubex.commands import version as command  # noqa: PLC0415 - not for `--help`

    flags = given(ctx)
    return command.run(flags.source(), parse_format(flags.output, VERSION), terminal(ctx), client_only=client)


for _command in (*COMMANDS, completion, complete):
    cli.add_command(_command)


@cli.command("help")
@click.argument("name", required=False, metavar="[COMMAND]")
@click.pass_context
def show_help(ctx: click.Context, name: str | None) -> None:
    """Print the help of this program or of one command."""
    parent = ctx.parent
    assert parent is not None  # noqa: S101 - INVARIANT: a command of a group
    if name is None:
        click.echo(parent.get_help())
        return
    command = cli.get_command(parent, name)
    if command is None:
        raise UsageError(f'no command "{name}"', f"there are: {', '.join(cli.list_commands(parent))}")
    with click.Context(command, info_name=name, parent=parent) as asked:
        click.echo(command.get_help(asked))
