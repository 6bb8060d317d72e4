"""Gathered: raw objects as read, from a cluster or from files, and the questions that both answer.

`cluster` and `offline` each have a class with the methods of `FactSource`; `codec/snapshot.py` makes core values of
what they return. So one question gives one snapshot, wherever it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from kubectl_kubex.core.model import Gap, SourceInfo
from kubectl_kubex.core.workload_kinds import WorkloadKind
from kubectl_kubex.errors import KubexError

RawObject = Mapping[str, Any]
"""One object as the API server prints it in JSON. Anything below the top may be missing or of a wrong type."""


@dataclass(frozen=True)
class WorkloadReference:
    """What the user typed: `deploy/web` or, with `kind` None, a bare `web`."""

    kind: WorkloadKind | None
    name: str

    def __str__(self) -> str:
        return f"{self.kind.singular}/{self.name}" if self.kind else self.name


@dataclass(frozen=True)
class Objects:
    """Raw objects of the engine's kinds, by kind name, and what could not be read. A kind that was read and has no
    objects is present with `()`."""

    by_kind: Mapping[str, tuple[RawObject, ...]] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True)
class Subject:
    """One workload: the owner that carries recommendations (after climbing from a pod, ReplicaSet or Job), its pods
    (None: could not be read, a gap of kind `Pod` says why) and the owners between (for captures)."""

    reference: WorkloadReference
    workload: RawObject
    pods: tuple[RawObject, ...] | None
    between: tuple[RawObject, ...] = ()
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True)
class Gathered:
    """The answer to one question. `subjects` in the order asked; a workload that cannot be had is the error for it."""

    source: SourceInfo
    objects: Objects
    subjects: tuple[Subject | KubexError, ...] = ()


@dataclass(frozen=True)
class WorkloadList:
    """All workloads of the policy workload kinds, of which only apiVersion, kind and metadata are promised."""

    workloads: tuple[RawObject, ...]
    gaps: tuple[Gap, ...] = ()


class FactSource(Protocol):
    """A cluster or files. Everything is read late and once; a kind that cannot be read is a Gap, not an error."""

    @property
    def namespace(self) -> str:
        """The namespace in force when none is given: -n, the context's, else `default`."""

    def gather(
        self,
        references: Sequence[WorkloadReference],
        namespace: str,
        kinds: Sequence[str],
        *,
        all_namespaces: bool = False,
    ) -> Gathered:
        """The workloads named, with their pods, and all objects of `kinds` (names from `core.kinds`): namespaced kinds
        in `namespace`, or everywhere with `all_namespaces`. Several references share one reading of the kinds. Without
        references only the kinds are read. Raises only where nothing can be answered: unreachable, unauthorized, not
        installed, unusable input."""

    def workloads(self, namespace: str | None) -> WorkloadList:
        """The metadata of all workloads, in one namespace or (None) in all."""


class PlanSource(FactSource, Protocol):
    """A source that also answers what plans turn out to need."""

    def neighbours(self, nodes: Sequence[str]) -> Objects:
        """These nodes, and all pods on them of every namespace, as objects of kind `Node` and `Pod`; the latter only
        where all of them were read."""
