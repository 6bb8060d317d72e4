"""The options that commands share, as decorators, and what they gave as one value. Light: every `--help` imports it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from kubectl_kubex.errors import UsageError

if TYPE_CHECKING:
    from kubectl_kubex.commands.source import SourceChoice
    from kubectl_kubex.commands.terminal import Terminal

F = TypeVar("F", bound=Callable[..., Any])

OWN, INPUT, OUTPUT, CONNECTION = "Options", "Where to read", "How to print", "kubectl's own options"
_META = "kubectl_kubex.given"


class Process(NamedTuple):
    """What `main` found out about the process before it changed it; the context's object."""

    ascii_only: bool = False


class Flag(click.Option):
    """An option under its own heading in the help text."""

    def __init__(self, *args: Any, section: str = "", **kwargs: Any) -> None:  # noqa: ANN401 - handed through
        super().__init__(*args, **kwargs)
        self.section = section


class Command(click.Command):
    """A command whose options stand in sections, its own first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, records in sections_of(self.get_params(ctx), ctx).items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def sections_of(parameters: Iterable[click.Parameter], ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
    """Options with their help, by heading; those without one first."""
    sections: dict[str, list[tuple[str, str]]] = {OWN: []}
    for parameter in parameters:
        record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
        if record is not None:
            sections.setdefault(getattr(parameter, "section", OWN), []).append(record)
    return sections


class Given(NamedTuple):
    """What the shared options gave. `connection`: kubectl's global flags by the names of `ConnectionSettings`."""

    namespace: str | None = None
    all_namespaces: bool = False
    files: tuple[str, ...] = ()
    demo: bool = False
    output: str | None = None
    no_headers: bool = False
    color: str = "auto"
    connection: Mapping[str, Any] = {}

    def source(self) -> SourceChoice:
        """Where to read. Raises UsageError where the options contradict each other."""
        from kubectl_kubex.commands.source import SourceChoice  # noqa: PLC0415 - not for `--help`

        if self.demo and self.files:
            raise UsageError("--demo and -f exclude each other", "give one of them")
        if (self.demo or self.files) and self.connection:
            flags = ", ".join(_SPELLED.get(name, f"--{name.replace('_', '-')}") for name in self.connection)
            reads = "--demo" if self.demo else "-f"
            raise UsageError(f"{reads} asks no cluster, so {flags} would have no effect", "leave one of them out")
        return SourceChoice(self.files, self.demo, self.namespace, self.connection)


_SPELLED = {"as_user": "--as"}  # `as` is no name in Python
_NOT_CONNECTION = frozenset({"namespace", "all_namespaces", "files", "demo", "output", "no_headers", "color"})


def given(ctx: click.Context) -> Given:
    """What was given, before the command's name and after it; what stands later counts."""
    values: dict[str, Any] = ctx.meta.get(_META, {})
    own = {name: value for name, value in values.items() if name in _NOT_CONNECTION}
    return Given(**own, connection={name: value for name, value in values.items() if name not in _NOT_CONNECTION})


def _remember(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:  # noqa: ANN401 - any option's
    name = parameter.name or ""
    if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
        ctx.meta.setdefault(_META, {})[name] = value


def _flag(*names: str, section: str, **kwargs: Any) -> Flag:  # noqa: ANN401 - handed through
    return Flag(names, section=section, expose_value=False, callback=_remember, **kwargs)


_CONNECTION: tuple[Flag, ...] = (
    _flag("--kubeconfig", metavar="FILE", section=CONNECTION, help="Path to the kubeconfig file."),
    _flag("--context", metavar="NAME", section=CONNECTION, help="Context of the kubeconfig to use."),
    _flag("--cluster", metavar="NAME", section=CONNECTION, help="Cluster of the kubeconfig to use."),
    _flag("--user", metavar="NAME", section=CONNECTION, help="User of the kubeconfig to use."),
    _flag("-s", "--server", metavar="URL", section=CONNECTION, help="Address of the API server."),
    _flag("--token", metavar="TOKEN", section=CONNECTION, help="Bearer token for the API server."),
    _flag("--as", "as_user", metavar="USER", section=CONNECTION, help="User to impersonate."),
    _flag("--as-group", multiple=True, metavar="GROUP", section=CONNECTION, help="Group to impersonate; repeatable."),
    _flag("--as-uid", metavar="UID", section=CONNECTION, help="UID to impersonate."),
    _flag("--as-user-extra", multiple=True, metavar="KEY=VALUE", section=CONNECTION,
          help="User extra to impersonate; repeatable."),
    _flag("--client-certificate", metavar="FILE", section=CONNECTION, help="Client certificate for TLS."),
    _flag("--client-key", metavar="FILE", section=CONNECTION, help="Client key for TLS."),
    _flag("--certificate-authority", metavar="FILE", section=CONNECTION, help="Certificate of the authority for TLS."),
    _flag("--tls-server-name", metavar="NAME", section=CONNECTION, help="Name to expect in the server's certificate."),
    _flag("--insecure-skip-tls-verify", is_flag=True, section=CONNECTION,
          help="Do not check the server's certificate."),
    _flag("--request-timeout", metavar="TIME", section=CONNECTION,
          help="Time for one request: 1s, 2m, 3h; 0 for none."),
    _flag("--cache-dir", metavar="FOLDER", section=CONNECTION, help="Taken for kubectl's sake; nothing is cached."),
    _flag("--disable-compression", is_flag=True, section=CONNECTION, help="Ask for uncompressed answers."),
)  # fmt: skip
_INPUT: tuple[Flag, ...] = (
    _flag("-n", "--namespace", metavar="NAME", section=INPUT, help="Namespace; else the context's."),
    _flag("-A", "--all-namespaces", is_flag=True, section=INPUT, help="All namespaces, where a command can."),
    _flag("-f", "--filename", "files", multiple=True, metavar="PATH", section=INPUT,
          help="Read a file, folder or archive instead of a cluster, - for standard input; repeatable."),
    _flag("--demo", is_flag=True, section=INPUT, help="Read the bundled capture of a shop instead of a cluster."),
)  # fmt: skip
_OUTPUT: tuple[Flag, ...] = (
    _flag("--no-headers", is_flag=True, section=OUTPUT, help="Leave out the headers of tables."),
    _flag("--color", type=click.Choice(["auto", "always", "never"]), metavar="WHEN", section=OUTPUT,
          help="auto (a terminal only), always or never."),
)  # fmt: skip


def kubectl_options(function: F) -> F:
    """Everything that kubectl takes anywhere, and the inputs: for each command and for the group."""
    return _with(function, *_INPUT, *_OUTPUT, *_CONNECTION)


def output_option(forms: str) -> Callable[[F], F]:
    """`-o`, with the forms that the command can print, in words."""
    flag = _flag("-o", "--output", metavar="FORMAT", section=OUTPUT, help=f"{forms}.")
    return lambda function: _with(function, flag)


def _with(function: F, *flags: Flag) -> F:
    """`function` with `flags`, as click's own decorators leave it. Commands share the flags: to make each anew for each
    command would take a tenth of the time that `--help` takes."""
    noted: list[click.Parameter] = function.__dict__.setdefault("__click_params__", [])
    noted.extend(reversed(flags))  # click turns the list around
    return function


def terminal(ctx: click.Context) -> Terminal:
    """The streams of this process, and how to write to them."""
    from kubectl_kubex.commands.terminal import Terminal  # noqa: PLC0415 - not for `--help`
    from kubectl_kubex.render.paper import Page  # noqa: PLC0415

    process = ctx.find_object(Process) or Process()
    unicode = not process.ascii_only and can_draw(sys.stdout.encoding)
    page = Page(_width(), wants_color(given(ctx).color, os.environ, is_terminal=sys.stdout.isatty()), unicode)
    return Terminal(sys.stdout, sys.stderr, sys.stdin.buffer if sys.stdin else io.BytesIO(), page)


def can_draw(encoding: str | None) -> bool:
    """Whether the branches of a tree can be written in `encoding`."""
    try:
        "├─└│".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def wants_color(choice: str, environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """--color, else NO_COLOR, else FORCE_COLOR and CLICOLOR_FORCE, else whether a capable terminal reads along."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return is_terminal and environment.get("TERM") != "dumb"


def _width() -> int | None:
    """Of the terminal; without one only what COLUMNS says."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS", "").isdigit():
        return None
    from shutil import get_terminal_size  # noqa: PLC0415 - not for `--help`

    return get_terminal_size().columns
