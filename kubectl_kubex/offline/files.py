"""From what stands behind `-f` to files: a file, a folder, an archive, or `-` for standard input."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from kubectl_kubex.errors import InputError
from kubectl_kubex.offline.archives import MAX_BYTES, File, TooLarge, Unreadable, is_object_file, unpack

STDIN = "-"
STDIN_NAME = "standard input"


def read_inputs(inputs: Sequence[str], stdin: BinaryIO) -> Iterator[File | Unreadable]:
    """Every file behind `inputs`, folders in name order. Raises InputError for a path that is not there; what is there
    and cannot be read is an `Unreadable`."""
    for name in dict.fromkeys(inputs):
        if name == STDIN:
            yield from _read(STDIN_NAME, stdin)
        elif Path(name).is_dir():
            yield from _read_folder(Path(name))
        elif Path(name).exists():
            yield from _read_file(Path(name))
        else:
            raise InputError(f"{name}: no such file or folder", "check the path given with -f")


def _read_folder(folder: Path) -> Iterator[File | Unreadable]:
    problems: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=problems.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if is_object_file(name):
                yield from _read_file(Path(place, name))
    for problem in problems:
        yield Unreadable(str(problem.filename), problem.strerror or "cannot be read")


def _read_file(path: Path) -> Iterator[File | Unreadable]:
    try:
        stream = path.open("rb")
    except OSError as error:
        yield Unreadable(str(path), error.strerror or "cannot be read")
        return
    with stream:
        yield from _read(str(path), stream)


def _read(name: str, stream: BinaryIO) -> Iterator[File | Unreadable]:
    try:
        content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        yield Unreadable(name, error.strerror or "cannot be read")
        return
    if len(content) > MAX_BYTES:
        yield Unreadable(name, str(TooLarge()))
        return
    yield from unpack(name, content)
