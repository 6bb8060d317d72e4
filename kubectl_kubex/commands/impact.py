"""The impact of a changed precedence over all workloads, in bounded time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TextIO

from kubectl_kubex.codec.gathered import FactSource, RawObject, Subject, WorkloadReference
from kubectl_kubex.codec.shapes import name_of, namespace_of, text
from kubectl_kubex.codec.snapshot import WHY_KINDS
from kubectl_kubex.codec.surroundings import Surroundings, has_recommendations
from kubectl_kubex.core.impact import Impact, WorkloadImpact, changed_types, impact_of, may_change
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.snapshot import Snapshot
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.errors import KubexError

SECONDS = 20.0
"""How long a user who only wants to change a number waits at most."""
_POLL_SECONDS = 0.1
_BATCH = 50
_EVERYTHING = "workloads"


class ImpactMode(str, Enum):
    """What `--impact` says."""

    NONE = "none"
    COUNT = "count"
    LIST = "list"


@dataclass
class _Work:
    """What is known so far; written by one thread, read by another."""

    total: int | None = None
    examined: int = 0
    found: dict[int, WorkloadImpact] = field(default_factory=dict)
    confirmed: set[int] = field(default_factory=set)
    gaps: tuple[Gap, ...] = ()
    late: bool = False
    failure: BaseException | None = None

    def result(self) -> Impact:
        found = dict(self.found)
        # A Job that a CronJob controls stands for the CronJob, so two may be one.
        by_name = {(each.workload.namespace, each.workload.kind, each.workload.name): each for each in found.values()}
        changed = tuple(by_name[name] for name in sorted(by_name))
        return Impact(changed, self.examined, self.total, self.gaps, len(found.keys() - self.confirmed))


def measure(
    source: FactSource,
    old: Precedence,
    new: Precedence,
    progress: Callable[[int, int | None], None] | None = None,
    *,
    seconds: float = SECONDS,
) -> Impact:
    """The workloads whose winners change from `old` to `new`; what was found by then when the time is over. What cannot
    be read makes the answer partial, never an error."""
    work = _Work()
    thread = threading.Thread(target=_run, args=(work, source, old, new), daemon=True)
    end = time.monotonic() + seconds
    thread.start()
    while thread.is_alive() and time.monotonic() < end:
        thread.join(_POLL_SECONDS)
        if progress is not None:
            progress(work.examined, work.total)
    work.late = True
    if isinstance(work.failure, KubexError):
        gap = Gap(_EVERYTHING, GapReason.SERVER_ERROR, work.failure.message)
        return Impact(tuple(work.found.values()), work.examined, work.total, (*work.gaps, gap))
    if work.failure is not None:
        raise work.failure
    return work.result()


def _run(work: _Work, source: FactSource, old: Precedence, new: Precedence) -> None:
    try:
        _examine(work, source, old, new)
    except BaseException as problem:  # noqa: BLE001 - raised again by `measure`
        work.failure = problem


def _examine(work: _Work, source: FactSource, old: Precedence, new: Precedence) -> None:
    surroundings = Surroundings(source.gather((), source.namespace, WHY_KINDS, all_namespaces=True), old)
    listed = source.workloads(None)
    work.gaps = tuple(dict.fromkeys((*surroundings.gathered.objects.gaps, *listed.gaps)))
    work.total = len(listed.workloads)
    changed = changed_types(old, new)
    for index, raw in enumerate(listed.workloads):
        if work.late:
            return
        if has_recommendations(raw) and may_change((snapshot := surroundings.snapshot(raw)).recommendations, changed):
            _note(work, index, snapshot, new)
        work.examined = index + 1
    for batch in _batches([(index, listed.workloads[index]) for index in work.found]):
        if work.late:
            return
        _confirm(work, source, surroundings, new, batch)


def _note(work: _Work, index: int, snapshot: Snapshot, new: Precedence) -> None:
    changes = impact_of(snapshot, new)
    if changes:
        work.found[index] = WorkloadImpact(snapshot.workload, changes)
    else:
        work.found.pop(index, None)


def _confirm(
    work: _Work,
    source: FactSource,
    surroundings: Surroundings,
    new: Precedence,
    batch: Sequence[tuple[int, RawObject]],
) -> None:
    """Hold the changes against the containers that the workloads really have: a list without specs cannot tell which
    containers `*` stands for, nor that a payload names one that is gone."""
    references = [WorkloadReference(WORKLOAD_BY_NAME[str(raw.get("kind"))], name_of(raw)) for _, raw in batch]
    subjects = source.gather(references, namespace_of(batch[0][1]), ()).subjects
    for (index, _), subject in zip(batch, subjects, strict=True):
        if not isinstance(subject, Subject):
            continue
        work.confirmed.add(index)
        _note(work, index, surroundings.snapshot(subject.workload, subject), new)


def _batches(members: Sequence[tuple[int, RawObject]]) -> Iterator[list[tuple[int, RawObject]]]:
    """At most `_BATCH` at a time, each within one namespace; kinds that cannot be asked for by name are left out."""
    by_namespace: dict[str, list[tuple[int, RawObject]]] = {}
    for index, raw in members:
        if (text(raw.get("kind")) or "") in WORKLOAD_BY_NAME:
            by_namespace.setdefault(namespace_of(raw), []).append((index, raw))
    for group in by_namespace.values():
        for start in range(0, len(group), _BATCH):
            yield group[start : start + _BATCH]


class ProgressLine:
    """A line on a terminal that is written over. Nothing at all elsewhere."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = False
        self._on = stream.isatty()

    def __call__(self, done: int, total: int | None) -> None:
        if self._on:
            count = f"{done} of {total} workloads" if total is not None else "listing workloads"
            self._stream.write(f"\rimpact: {count}\x1b[K")
            self._stream.flush()
            self._shown = True

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
