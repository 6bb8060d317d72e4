"""Unpacking in memory: gzip, tar and zip, bounded and without writing anything."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import IO

SUFFIXES = (".yaml", ".yml", ".json", ".yaml.gz", ".yml.gz", ".json.gz")
MAX_BYTES = 512 * 2**20
"""How much one input may unpack to. More is a bomb, or a dump that should be narrowed first."""
MAX_ENTRIES = 200_000

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_TAR_MAGIC = slice(257, 262)
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


@dataclass(frozen=True)
class File:
    """One file with text in it. `name` as the user would point at it: `dump.tar.gz:shop/web.yaml`."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Unreadable:
    """A file, or a part of one, that could not be read, and why."""

    name: str
    reason: str


class TooLarge(ValueError):
    """Unpacking went past `MAX_BYTES`."""

    def __init__(self) -> None:
        super().__init__(f"unpacks to more than {MAX_BYTES // 2**20} MiB")


def is_object_file(path: str) -> bool:
    """Whether a file found in a folder or archive may hold objects. Hidden ones (`._web.yaml`) are a tool's own."""
    parts = PurePosixPath(path).parts
    hidden = any(part.startswith(".") and not part.startswith("..") for part in parts)
    return path.lower().endswith(SUFFIXES) and not hidden and "__MACOSX" not in parts


class _Budget:
    """How much one input may still unpack to."""

    def __init__(self) -> None:
        self._left = MAX_BYTES

    def read(self, stream: IO[bytes] | gzip.GzipFile) -> bytes:
        """All of `stream`. Raises TooLarge before it is in memory."""
        content = stream.read(self._left + 1)
        self._left -= len(content)
        if self._left < 0:
            raise TooLarge
        return content

    def unzipped(self, content: bytes) -> bytes:
        """`content` itself, unless it is gzip."""
        if not content.startswith(_GZIP):
            return content
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            return self.read(stream)


def unpack(name: str, content: bytes) -> Iterator[File | Unreadable]:
    """The text files in `content`: itself, when it is no archive. What cannot be read is named; nothing is raised."""
    budget = _Budget()
    try:
        content = budget.unzipped(content)
        if content.startswith(_ZIP):
            yield from _members(name, _zip_entries(content), budget)
        elif content[_TAR_MAGIC] == b"ustar":
            yield from _members(name, _tar_entries(content), budget)
        else:
            yield File(name, content)
    except _BROKEN as error:
        yield Unreadable(name, _reason(error))


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, TooLarge) else f"a broken archive: {error}"


Entry = tuple[str, Callable[[], IO[bytes] | None]]
"""A file in an archive: its path there, and how to open it."""


def _tar_entries(content: bytes) -> Iterator[Entry]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            if member.isreg() or member.islnk():
                yield member.name, partial(archive.extractfile, member)


def _zip_entries(content: bytes) -> Iterator[Entry]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for member in archive.infolist():
            yield member.filename, partial(archive.open, member)


def _members(name: str, entries: Iterable[Entry], budget: _Budget) -> Iterator[File | Unreadable]:
    """The object files among `entries`. A gzip in an archive is unpacked, an archive in it is not."""
    for number, (path, opened) in enumerate(entries):
        if number >= MAX_ENTRIES:
            raise ValueError(f"more than {MAX_ENTRIES} entries")
        if is_object_file(path):
            yield _refused(f"{name}:{path}") if _leaves(path) else _member(f"{name}:{path}", opened, budget)


def _refused(name: str) -> Unreadable:
    return Unreadable(name, "its path leads out of the archive")


def _member(name: str, opened: Callable[[], IO[bytes] | None], budget: _Budget) -> File | Unreadable:
    try:
        stream = opened()
        if stream is None:
            return Unreadable(name, "a link to nothing")
        with stream:
            return File(name, budget.unzipped(budget.read(stream)))
    except TooLarge:
        raise
    except KeyError:
        return Unreadable(name, "a link to nothing")
    except _BROKEN as error:
        return Unreadable(name, _reason(error))


def _leaves(path: str) -> bool:
    """Whether an entry's path tries to leave the archive. Nothing is written: it is a sign of a forged one."""
    plain = path.replace("\\", "/")
    return plain.startswith("/") or ".." in PurePosixPath(plain).parts or plain[1:2] == ":"
