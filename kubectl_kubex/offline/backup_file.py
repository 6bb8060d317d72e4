"""Reading a file that is to be restored: ours, or what `kubectl get -o yaml|json` printed. Small, whole, one object."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from kubectl_kubex.codec.backup import FORMAT, Backup, decode_backup
from kubectl_kubex.codec.restoring import the_singleton
from kubectl_kubex.errors import BrokenBackup, NewerBackup, UnusableBackup
from kubectl_kubex.offline.archives import File, Unreadable
from kubectl_kubex.offline.documents import documents
from kubectl_kubex.offline.files import STDIN, STDIN_NAME

MAX_BYTES = 8 * 2**20
"""An API server takes no object beyond 3 MB."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Restorable:
    """What a file holds: the object, and what its header says."""

    name: str
    raw: dict[str, Any]
    backup: Backup


def read_backup(path: str, stdin: BinaryIO) -> Restorable:
    """The object in a file, or `-`. Raises UnusableBackup."""
    if path == STDIN:
        return parse_backup(STDIN_NAME, stdin.read(MAX_BYTES + 1))
    return parse_backup(path, _bytes(Path(path), path))


def parse_backup(name: str, content: bytes) -> Restorable:
    """The object in `content`. A backup of ours has to be what was written; anything else has to look whole."""
    if len(content) > MAX_BYTES:
        raise UnusableBackup(name, f"it is larger than {MAX_BYTES // 2**20} MiB, so it is no single object")
    backup = decode_backup(_text(name, content))
    if backup.format is not None and backup.format > FORMAT:
        raise NewerBackup(name, backup.format, FORMAT)
    if backup.checksum is False:
        raise BrokenBackup(name)
    document = backup.document
    if backup.checksum is None and document.lstrip()[:1] not in ("{", "[", "") and not document.endswith("\n"):
        raise UnusableBackup(name, "it ends in the middle of a line", "is it cut off? End it with a line break if not")
    return Restorable(name, the_singleton(_documents(name, document), name), backup)


def _bytes(path: Path, name: str) -> bytes:
    try:
        if path.is_dir():
            raise UnusableBackup(name, "it is a folder", "name a file in it")
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnusableBackup(name, (error.strerror or "cannot be read").lower()) from None


def _text(name: str, content: bytes) -> str:
    if content.startswith(_UTF_16) or content[1:2] == b"\0" or content[:1] == b"\0":
        raise UnusableBackup(name, "it is UTF-16, which kubectl does not read either", "save it as UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnusableBackup(name, f"it is no UTF-8 text: byte {error.start + 1} makes no sense") from None


def _documents(name: str, document: str) -> list[Any]:
    found = list(documents(File(name, document.encode("utf-8"))))
    for member in found:
        if isinstance(member, Unreadable):
            raise UnusableBackup(name, member.reason)
    return found
