"""main: the entry point of `kubectl-kubex`, `python -m kubectl_kubex` and the frozen binary."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path, PurePath
from typing import NoReturn, TextIO

from kubectl_kubex import frozen


def main() -> NoReturn:
    """Run the command line; ends the process with one of `ExitCode`'s codes."""
    try:
        frozen.start()
        run()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        leave_quietly()


def run() -> NoReturn:
    """As `main`, where the environment is already what child processes should see."""
    from kubectl_kubex.cli import COMPLETE_VARIABLE, cli  # noqa: PLC0415 - the environment first
    from kubectl_kubex.options import Process, can_draw  # noqa: PLC0415

    give_streams()
    process = Process(ascii_only=not can_draw(sys.stdout.encoding))
    use_utf8(sys.stdout)
    use_utf8(sys.stderr)
    cli.main(prog_name=program_name(sys.argv[0]), complete_var=COMPLETE_VARIABLE, obj=process)


def program_name(argv0: str) -> str:
    """What the user typed: `kubectl kubex` when kubectl, or the name that kubectl looks for, started us."""
    name = PurePath(argv0).name.removesuffix(".exe")
    return "kubectl kubex" if name.startswith("kubectl-") else "kubectl-kubex" if name == "__main__.py" else name


def give_streams() -> None:
    """A process that was started without an output stream still has one: what is written there is lost."""
    if sys.stdout is None or sys.stderr is None:
        sink = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open as long as the process
        sys.stdout, sys.stderr = sys.stdout or sink, sys.stderr or sink


def use_utf8(stream: TextIO) -> None:
    """Write UTF-8 whatever the locale says: a redirected stream on Windows is cp1252 and fails on the first tree."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def leave_quietly() -> None:
    """Flush now; where the reader has gone, let the interpreter's own flush at the end find a sink."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            _flush(stream)


def _flush(stream: TextIO) -> None:
    try:
        stream.flush()
    except (OSError, ValueError):
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, stream.fileno())


if __name__ == "__main__":
    main()
