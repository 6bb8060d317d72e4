"""A desk over one object in memory: enough to walk the steps of a change. Servers are for tests/cluster."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from kubectl_kubex.codec.gathered import Gathered, Objects, WorkloadList
from kubectl_kubex.codec.precedence_edit import default_object
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.model import SourceInfo
from kubectl_kubex.errors import Conflict, KubexError

START = datetime(2026, 12, 1, 10, tzinfo=timezone.utc)


def chart(**metadata: Any) -> dict[str, Any]:
    raw = default_object()
    raw["metadata"] |= {"uid": "u", "resourceVersion": "1", **metadata}
    return raw


@dataclass
class OneObject:
    """Stores what is written if it was read before. `meddle` changes what is stored, `fail` raises instead of it."""

    raw: dict[str, Any] | None = field(default_factory=chart)
    uid: str = "cluster-1"
    written: list[dict[str, Any]] = field(default_factory=list)
    rehearsed: int = 0
    meddle: Callable[[dict[str, Any]], None] = lambda raw: None
    fail: Mapping[str, KubexError] = field(default_factory=dict)

    def read(self) -> dict[str, Any] | None:
        if "read" in self.fail and self.written:
            raise self.fail["read"]
        return copy.deepcopy(self.raw)

    def write(self, raw: Mapping[str, Any], *, dry_run: bool = False) -> dict[str, Any]:
        step = "rehearse" if dry_run else "write"
        if step in self.fail:
            self.written += [] if dry_run else [dict(raw)]
            raise self.fail[step]
        version = raw["metadata"].get("resourceVersion")
        if version != (self.raw["metadata"]["resourceVersion"] if self.raw else None):
            raise Conflict("changed")
        stored = copy.deepcopy(dict(raw))
        stored["metadata"]["resourceVersion"] = str(int(version or 0) + 1)
        self.meddle(stored)
        if dry_run:
            self.rehearsed += 1
        else:
            self.raw = stored
            self.written.append(copy.deepcopy(stored))
        return copy.deepcopy(stored)

    def cluster_uid(self) -> str:
        return self.uid


class NoWorkloads:
    """A FactSource of an empty cluster."""

    namespace = "default"

    def gather(self, references: Any, namespace: str, kinds: Any, *, all_namespaces: bool = False) -> Gathered:
        return Gathered(SourceInfo(), Objects(dict.fromkeys(kinds, ())))

    def workloads(self, namespace: str | None) -> WorkloadList:
        return WorkloadList(())


@dataclass
class Clock:
    now: datetime = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def a_desk(singleton: OneObject, folder: Path, *, server: str = "https://one:6443", source: Any = None) -> Desk:
    return Desk(source or NoWorkloads(), singleton, SourceInfo("prod", server), Clock(), folder)


class Typed(io.BytesIO):
    """Standard input with somebody at it."""

    def isatty(self) -> bool:
        return True


def a_terminal(answer: bytes | None = None) -> Terminal:
    return Terminal(io.StringIO(), io.StringIO(), io.BytesIO() if answer is None else Typed(answer))


def said(terminal: Terminal) -> tuple[str, str]:
    assert isinstance(terminal.out, io.StringIO)
    assert isinstance(terminal.err, io.StringIO)
    return terminal.out.getvalue(), terminal.err.getvalue()
