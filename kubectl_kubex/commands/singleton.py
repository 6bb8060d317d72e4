"""Desk: what a command about the singleton works with: the object's reader and writer, the backups, who and where."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from kubectl_kubex import __version__
from kubectl_kubex.codec.backup import Origin, encode_backup
from kubectl_kubex.codec.configuration import decode_manager
from kubectl_kubex.codec.gathered import FactSource, RawObject
from kubectl_kubex.codec.shapes import name_of, text
from kubectl_kubex.codec.snapshot import precedence_of
from kubectl_kubex.commands.source import SourceChoice, open_source
from kubectl_kubex.core.kinds import PRECEDENCE_KIND, PRECEDENCE_NAME
from kubectl_kubex.core.model import SourceInfo
from kubectl_kubex.errors import InputError, KubexError, UsageError
from kubectl_kubex.offline.backup_store import BackupStore, Cluster
from kubectl_kubex.render.header import manager_text

Clock = Callable[[], datetime]
_SECRET = frozenset({"token", "password", "username"})
_SPELLED = {"as_user": "--as"}


class Singleton(Protocol):
    """policy-evaluation, somewhere."""

    def read(self) -> dict[str, Any] | None:
        """The live object; None when there is none."""

    def write(self, raw: RawObject, *, dry_run: bool = False) -> dict[str, Any]:
        """See `cluster.writer.SingletonWriter.write`."""

    def cluster_uid(self) -> str:
        """The cluster's identity; empty where it is not known."""


@dataclass(frozen=True)
class Desk:
    """`flags`: how to say again which cluster, for commands that are printed."""

    source: FactSource
    singleton: Singleton
    where: SourceInfo
    clock: Clock
    folder: Path | None = None
    flags: tuple[str, ...] = ()

    @cached_property
    def cluster(self) -> Cluster:
        """Asked once, and late: only backups need to know. They can be had without an answer."""
        try:
            uid = self.singleton.cluster_uid()
        except KubexError:
            uid = ""
        return Cluster(self.where.server or "", uid)

    @cached_property
    def store(self) -> BackupStore:
        return BackupStore(self.cluster, self.folder)

    def backup_text(self, raw: RawObject, reason: str, time: datetime) -> str:
        """The file for one object."""
        return encode_backup(raw, self._origin(raw, reason, time))

    def back_up(self, raw: RawObject, reason: str) -> Path:
        """A new file in the store."""
        time = self.clock().astimezone(timezone.utc)
        return self.store.add(self.backup_text(raw, reason, time), time)

    def command(self, *words: str) -> str:
        """A command line of ours for this cluster, to be copied."""
        return shlex.join(("kubectl", "kubex", *words, *self.flags))

    def kubectl(self, *words: str) -> str:
        """The same for kubectl."""
        own = ("--dir", str(self.folder)) if self.folder is not None else ()
        return shlex.join(("kubectl", *words, *self.flags[: len(self.flags) - len(own)]))

    def _origin(self, raw: RawObject, reason: str, time: datetime) -> Origin:
        return Origin(
            tool=f"kubectl-kubex v{__version__}",
            time=f"{time:%Y-%m-%dT%H:%M:%S.%fZ}",
            context=self.where.context or "",
            server=self.where.server or "",
            cluster=self.cluster.uid,
            crd=text(raw.get("apiVersion")) or "",
            owner=manager_text(replace(decode_manager(raw), field_managers=())),
            reason=reason,
        )


@dataclass(frozen=True)
class _InFiles:
    """The object in files: to be read only."""

    source: FactSource

    def read(self) -> dict[str, Any] | None:
        objects = self.source.gather((), self.source.namespace, [PRECEDENCE_KIND.name]).objects
        found = objects.by_kind.get(PRECEDENCE_KIND.name, ())
        raw = next((raw for raw in found if name_of(raw) == PRECEDENCE_NAME), None)
        if raw is None and precedence_of(objects).found is None:
            raise InputError("the files hold no policy-evaluation that can be read")
        return None if raw is None else dict(raw)

    def write(self, raw: RawObject, *, dry_run: bool = False) -> dict[str, Any]:  # noqa: ARG002 - the protocol's
        raise UsageError("a file has no server to write to")

    def cluster_uid(self) -> str:
        return ""


@contextmanager
def open_desk(choice: SourceChoice, stdin: BinaryIO, clock: Clock, folder: str | None = None) -> Iterator[Desk]:
    """The desk for a cluster, or for files, where only what writes nothing works."""
    root = Path(folder) if folder is not None else None
    flags = (*flags_of(choice.connection), *(("--dir", folder) if folder is not None else ()))
    with open_source(choice, stdin) as source:
        if choice.demo or choice.files:
            yield Desk(source, _InFiles(source), SourceInfo(offline=True), clock, root, flags)
            return
        from kubectl_kubex.cluster.source import ClusterSource  # noqa: PLC0415 - not for files
        from kubectl_kubex.cluster.writer import SingletonWriter  # noqa: PLC0415

        assert isinstance(source, ClusterSource)  # noqa: S101 - INVARIANT: of open_source
        yield Desk(source, SingletonWriter(source.connection), source.source, clock, root, flags)


def flags_of(connection: Mapping[str, Any]) -> tuple[str, ...]:
    """kubectl's global flags as given, without what is secret."""
    words: list[str] = []
    for name, value in connection.items():
        flag = _SPELLED.get(name, f"--{name.replace('_', '-')}")
        if name in _SECRET or value in (None, False, "", ()):
            continue
        if value is True:
            words.append(flag)
        else:
            for each in value if isinstance(value, tuple) else (value,):
                words += [flag, str(each)]
    return tuple(words)
