"""schema: the published form of the result documents."""

from __future__ import annotations

import difflib
from importlib.resources import files

from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.errors import ExitCode, UsageError

_SUFFIX = ".json"


def names() -> tuple[str, ...]:
    """The commands whose documents have a schema."""
    entries = files("kubectl_kubex").joinpath("schemas").iterdir()
    return tuple(sorted(entry.name.removesuffix(_SUFFIX) for entry in entries if entry.name.endswith(_SUFFIX)))


def text(name: str) -> str:
    """The JSON Schema of `name`'s documents. Raises UsageError for a name that has none."""
    known = names()
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        meant = f'did you mean "{close[0]}"? ' if close else ""
        raise UsageError(f'no schema "{name}"', f"{meant}there are: {', '.join(known)}")
    return files("kubectl_kubex").joinpath("schemas").joinpath(name + _SUFFIX).read_text(encoding="utf-8")


def run(name: str | None, terminal: Terminal) -> ExitCode:
    """Print one schema, or the names of all."""
    terminal.out.write(text(name) if name is not None else "".join(f"{known}\n" for known in names()))
    return ExitCode.OK
