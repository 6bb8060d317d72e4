"""BackupStore: the backups of this user, in one folder a cluster. Each file appears whole or not at all."""

from __future__ import annotations

import hashlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from kubectl_kubex.codec.backup import Origin, decode_backup
from kubectl_kubex.errors import AmbiguousBackup, InputError, NoBackup
from kubectl_kubex.offline.backup_file import Restorable, read_backup
from kubectl_kubex.offline.files import STDIN

LATEST = "latest"
SUFFIX = ".yaml"
_NAME = re.compile(r"\d{8}T\d{6}\.\d{6}Z-[0-9a-f]{8}\.yaml", re.ASCII)
_HEADER_BYTES = 16 * 1024


@dataclass(frozen=True)
class Cluster:
    """Which cluster: by the uid of its kube-system where that may be read, else by its server's URL."""

    server: str
    uid: str = ""

    @property
    def folder(self) -> str:
        if re.fullmatch(r"[0-9A-Za-z-]{1,64}", self.uid):
            return self.uid
        digest = hashlib.sha256(self.server.encode()).hexdigest()[:8]
        return re.sub(r"[^0-9A-Za-z.-]+", "_", self.server).strip("_.")[:64] + f"-{digest}"

    def owns(self, origin: Origin) -> bool:
        """Whether a backup is of this cluster, as far as both sides know."""
        if self.uid and origin.cluster:
            return self.uid == origin.cluster
        return self.server == origin.server

    def is_foreign(self, origin: Origin) -> bool:
        """Whether a backup is surely of another cluster."""
        return bool(self.uid and origin.cluster and self.uid != origin.cluster)


@dataclass(frozen=True)
class Stored:
    """One backup in the store, known by its header; what is below it is read when asked for."""

    path: Path
    origin: Origin

    @property
    def name(self) -> str:
        return self.path.name

    def read(self) -> Restorable:
        """Raises UnusableBackup."""
        return read_backup(str(self.path), io.BytesIO())


class BackupStore:
    """The backups of one cluster below `root` (None: the user's data folder)."""

    def __init__(self, cluster: Cluster, root: Path | None = None) -> None:
        self.cluster = cluster
        self.root = root if root is not None else default_root()

    @property
    def folder(self) -> Path:
        """Where this cluster's new backups go."""
        return self.root / self.cluster.folder

    def add(self, content: str, time: datetime) -> Path:
        """A new file with `content`, on the disk when this returns. Raises InputError."""
        digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:8]
        target = self.folder / f"{time:%Y%m%dT%H%M%S.%fZ}-{digest}{SUFFIX}"
        try:
            _make_private(self.folder)
            _write(target, content)
        except OSError as error:
            reason = f"cannot write the backup {target}: {error.strerror or error}"
            raise InputError(reason, "--dir names another folder for backups") from None
        return target

    def remove(self, path: Path) -> None:
        """Take back a backup for a write that did not happen."""
        with suppress(OSError):
            path.unlink()

    def prune(self, keep: int) -> list[Path]:
        """Remove all but the `keep` newest backups of this cluster and its newest automatic one. What was removed."""
        found = self.newest_first()
        spared = next((stored for stored in found if stored.origin.is_automatic), None)
        gone = [stored.path for stored in found[keep:] if stored is not spared]
        for path in gone:
            self.remove(path)
        return gone

    def newest_first(self) -> list[Stored]:
        """The backups of this cluster, newest first, whatever folder they are in: a login that may not read
        kube-system names it by its server. Files without a readable header are left out."""
        found = [stored for stored in self._all if self.cluster.owns(stored.origin)]
        return sorted(found, key=lambda stored: stored.name, reverse=True)

    def find(self, reference: str) -> Stored:
        """A backup by its name, a beginning of it that only it has, or `latest`. Raises NoBackup or AmbiguousBackup."""
        found = self.newest_first()
        if reference == LATEST:
            found = found[:1]
        else:
            exact = [stored for stored in found if stored.name in (reference, reference + SUFFIX)]
            found = exact or [stored for stored in found if reference and stored.name.startswith(reference)]
        if len(found) > 1:
            raise AmbiguousBackup(reference, [stored.name for stored in found])
        if not found:
            raise NoBackup(reference, str(self.root))
        return found[0]

    def open(self, word: str, stdin: BinaryIO) -> Restorable:
        """What `word` names: `-`, a file, or a backup of this store. Raises KubexError."""
        if word == STDIN or (word != LATEST and Path(word).exists()):
            return read_backup(word, stdin)
        if os.sep in word or word.endswith((".json", ".yml")) or Path(word).is_symlink():
            return read_backup(word, stdin)
        return self.find(word).read()

    @cached_property
    def _all(self) -> tuple[Stored, ...]:
        return tuple(_stored(self.root))


def default_root() -> Path:
    """The per-user data folder of this platform."""
    from platformdirs import user_data_path  # noqa: PLC0415 - only writes and restores need it

    return user_data_path("kubectl-kubex", appauthor=False) / "backups"


def _stored(root: Path) -> Iterator[Stored]:
    with suppress(OSError):
        for path in root.glob(f"*/*{SUFFIX}"):
            if _NAME.fullmatch(path.name):
                origin = _origin(path)
                if origin is not None:
                    yield Stored(path, origin)


def _origin(path: Path) -> Origin | None:
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEADER_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    backup = decode_backup(head)
    return backup.origin if backup.format is not None else None


def _make_private(folder: Path) -> None:
    """For its owner only, however it came into being. Missing parents are made the same way; existing ones are left as
    they are: they may be anybody's."""
    for place in reversed([place for place in folder.parents if not place.exists()]):
        place.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)


def _write(target: Path, content: str) -> None:
    if not _write_unnamed(target, content):
        _write_renamed(target, content)
    _sync_folder(target.parent)


def _write_unnamed(target: Path, content: str) -> bool:
    """Where the system can: a file without a name until it is whole, so not even kill -9 leaves a part of it."""
    if not hasattr(os, "O_TMPFILE"):
        return False
    try:
        handle = os.open(target.parent, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except OSError:
        return False
    with os.fdopen(handle, "wb") as stream:
        _fill(stream, content)
        try:
            os.link(f"/proc/self/fd/{handle}", target, follow_symlinks=True)
        except FileExistsError:  # of the same moment and with the same digest
            return True
        except OSError:
            return False
    return True


def _write_renamed(target: Path, content: str) -> None:
    handle, name = tempfile.mkstemp(prefix=".unfinished-", dir=target.parent)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as stream:
            _fill(stream, content)
        Path(name).replace(target)
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()


def _fill(stream: BinaryIO, content: str) -> None:
    stream.write(content.encode("utf-8"))
    stream.flush()
    os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
