"""complete: from the words typed so far to what may come next. click knows the place, `candidates` what there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem, ShellComplete

from kubectl_kubex.completion import candidates
from kubectl_kubex.errors import KubexError
from kubectl_kubex.options import given

# What a shell is to do with the candidates; cobra's numbers, which kubectl's own scripts read.
NO_SPACE, NO_FILES, ONLY_FOLDERS = 2, 4, 16
_FORM = r"[a-z-]+(?:=[A-Z]+)?"
_FORMATS = re.compile(rf"{_FORM}(?:(?:, | or |\|){_FORM})*(?=[.,]|$)")


class Completion(NamedTuple):
    """`lines`: candidates, each with a description behind a tab where there is one."""

    lines: tuple[str, ...] = ()
    directive: int = NO_FILES

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in (*self.lines, f":{self.directive}"))


def complete(root: click.Command, words: Sequence[str]) -> Completion:
    """What the last of `words` may become; it may be empty. The others are complete words behind the program's name."""
    *typed, current = words or ("",)
    items = _Items(root, {}, "kubectl-kubex", "").get_completions(list(typed), current)
    kinds = {item.type for item in items}
    if kinds & {"file", "dir"}:
        return Completion(directive=ONLY_FOLDERS if kinds == {"dir"} else 0)
    lines = [_line(item) for item in items]
    joined = bool(items) and all(item.value.endswith(("/", "=")) for item in items)
    return Completion(tuple(lines), NO_FILES | (NO_SPACE if joined else 0))


def _line(item: CompletionItem[str]) -> str:
    words = " ".join((item.help or "").split())
    return f"{item.value}\t{words}" if words else item.value


class _Items(ShellComplete):
    """click's own finding of the place, and our values in places that click knows nothing about."""

    name = "kubex"
    source_template = ""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        from click.shell_completion import _resolve_context, _resolve_incomplete  # noqa: PLC0415

        ctx = _resolve_context(self.cli, self.ctx_args, self.prog_name, args)
        found, incomplete = _resolve_incomplete(ctx, args, incomplete)
        if isinstance(found, click.Parameter):
            source = _SOURCES.get(found.name or "")
            if source is not None:
                return _plain(source(ctx, found, args, incomplete), incomplete)
        return found.shell_complete(ctx, incomplete)


Words = Iterable[str]
Source = Callable[[click.Context, click.Parameter, Sequence[str], str], Words | None]


def _plain(words: Words | None, incomplete: str) -> list[CompletionItem[str]]:
    """The words that fit, in order, each once. None: a file."""
    if words is None:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(word) for word in dict.fromkeys(words) if word.startswith(incomplete)]


def _entries(listed: str) -> Source:
    def of_kubeconfig(ctx: click.Context, _parameter: click.Parameter, _typed: Sequence[str], _current: str) -> Words:
        return candidates.kubeconfig_entries(listed, given(ctx).connection.get("kubeconfig"))

    return of_kubeconfig


def _namespaces(ctx: click.Context, _parameter: click.Parameter, _typed: Sequence[str], _current: str) -> Words:
    try:
        return candidates.namespaces(given(ctx).source())
    except KubexError:
        return ()


def _workloads(ctx: click.Context, parameter: click.Parameter, typed: Sequence[str], current: str) -> Words:
    named = ctx.params.get(parameter.name or "") or ()
    first = next((word for word in named if isinstance(word, str)), "")
    try:
        return candidates.workloads(given(ctx).source(), first if first in typed else "", current)
    except KubexError:
        return ()


def _formats(_ctx: click.Context, parameter: click.Parameter, _typed: Sequence[str], _current: str) -> Words | None:
    """The forms stand at the beginning of the option's help text. An `-o` without them names a file."""
    found = _FORMATS.match(parameter.help or "") if isinstance(parameter, click.Option) else None
    return re.findall(r"[a-z-]{3,}=?", found.group()) if found else None


def _backups(ctx: click.Context, parameter: click.Parameter, _typed: Sequence[str], current: str) -> Words | None:
    """Stored backups; a file where none fits and the command takes files, too."""
    folder = ctx.params.get("folder") or (ctx.parent.params.get("folder") if ctx.parent else None)
    try:
        found = [name for name in candidates.backups(given(ctx).source(), folder) if name.startswith(current)]
    except KubexError:
        found = []
    return found or (None if "FILE" in (parameter.metavar or "") else ())


def _names(ctx: click.Context, _parameter: click.Parameter, _typed: Sequence[str], _current: str) -> Words:
    if ctx.info_name == "schema":
        return candidates.schemas()
    parent = ctx.parent
    group = parent.command if parent is not None else None
    return group.list_commands(parent) if isinstance(group, click.Group) and parent is not None else ()


def _file(_ctx: click.Context, _parameter: click.Parameter, _typed: Sequence[str], _current: str) -> None:
    return None


_SOURCES: dict[str, Source] = {
    "context": _entries("contexts"),
    "cluster": _entries("clusters"),
    "user": _entries("users"),
    "namespace": _namespaces,
    "workload": _workloads,
    "output": _formats,
    "reference": _backups,
    "name": _names,
    **dict.fromkeys(
        ("cache_dir", "certificate_authority", "client_certificate", "client_key", "files", "kubeconfig", "path"), _file
    ),
}
"""Where values come from, by the name of the parameter. A parameter that is not here answers for itself."""
