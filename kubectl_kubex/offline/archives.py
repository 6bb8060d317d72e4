"""Unpacking in memory: gzip, tar and zip, bounded and without writing anything."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

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


def unpack(name: str, content: bytes) -> Iterator[File | Unreadable]:
    """The text files in `content`: itself, when it is no archive. What cannot be read is named; nothing is raised."""
    try:
        if content.startswith(_GZIP):
            content = _gunzip(content)
        if content.startswith(_ZIP):
            yield from _zip_members(name, content)
        elif content[_TAR_MAGIC] == b"ustar":
            yield from _tar_members(name, content)
        else:
            yield File(name, content)
    except _BROKEN as error:
        yield Unreadable(name, _reason(error))


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, TooLarge) else f"a broken archive: {error}"


def _gunzip(content: bytes, allowed: int | None = None) -> bytes:
    allowed = MAX_BYTES if allowed is None else allowed
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
        unpacked = stream.read(allowed + 1)
    if len(unpacked) > allowed:
        raise TooLarge
    return unpacked


def _tar_members(name: str, content: bytes) -> Iterator[File | Unreadable]:
    left = MAX_BYTES
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for number, member in enumerate(archive):
            if number >= MAX_ENTRIES:
                raise ValueError(f"more than {MAX_ENTRIES} entries")
            if not (member.isreg() or member.islnk()) or not is_object_file(member.name):
                continue
            if _leaves(member.name):
                yield Unreadable(f"{name}:{member.name}", "its path leads out of the archive")
                continue
            left -= member.size
            stream = archive.extractfile(member) if left >= 0 else None
            if stream is None:
                raise TooLarge
            yield from _member(f"{name}:{member.name}", stream.read())


def _zip_members(name: str, content: bytes) -> Iterator[File | Unreadable]:
    left = MAX_BYTES
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if len(archive.infolist()) > MAX_ENTRIES:
            raise ValueError(f"more than {MAX_ENTRIES} entries")
        for member in archive.infolist():
            if member.is_dir() or not is_object_file(member.filename):
                continue
            if _leaves(member.filename):
                yield Unreadable(f"{name}:{member.filename}", "its path leads out of the archive")
                continue
            with archive.open(member) as stream:
                unpacked = stream.read(left + 1)
            left -= len(unpacked)
            if left < 0:
                raise TooLarge
            yield from _member(f"{name}:{member.filename}", unpacked)


def _member(name: str, content: bytes) -> Iterator[File | Unreadable]:
    """A file of an archive: gzip in it is unpacked, an archive in it is not."""
    try:
        yield File(name, _gunzip(content) if content.startswith(_GZIP) else content)
    except _BROKEN as error:
        yield Unreadable(name, _reason(error))


def _leaves(path: str) -> bool:
    """Whether an entry's path tries to leave the archive. Nothing is written: it is a sign of a forged one."""
    plain = path.replace("\\", "/")
    return plain.startswith("/") or ".." in PurePosixPath(plain).parts or plain[1:2] == ":"
