"""KUBECTL_EXTERNAL_DIFF: a diff program of the user's choice, run on two folders as kubectl runs it."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from kubectl_kubex.errors import UsageError

VARIABLE = "KUBECTL_EXTERNAL_DIFF"
_WORD = re.compile(r"[a-zA-Z0-9=-]+")


def run_external(command: str, files: Iterable[tuple[str, str, str]]) -> str:
    """What the program prints. `files`: name, what stands, what should. Raises UsageError where it cannot do its work.
    Of its arguments only words of letters, digits, `-` and `=` are kept, as kubectl does."""
    program, *words = command.split()
    with tempfile.TemporaryDirectory(prefix="LIVE-") as live, tempfile.TemporaryDirectory(prefix="MERGED-") as merged:
        for name, found, wanted in files:
            safe = re.sub(r"[^A-Za-z0-9._-]", ".", name)
            (Path(live) / safe).write_text(found, encoding="utf-8")
            (Path(merged) / safe).write_text(wanted, encoding="utf-8")
        arguments = [program, *(word for word in words if _WORD.fullmatch(word)), live, merged]
        try:
            done = subprocess.run(arguments, stdout=subprocess.PIPE, check=False)  # noqa: S603 - the user's own choice
        except OSError as error:
            raise UsageError(f'{VARIABLE}: cannot run "{program}": {error.strerror or error}') from None
    if done.returncode not in (0, 1):
        raise UsageError(f'{VARIABLE}: "{program}" ended with exit code {done.returncode}')
    return done.stdout.decode("utf-8", "replace")
