"""FileSource: the questions of `codec.gathered.FactSource`, answered from files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import BinaryIO

from kubectl_kubex.codec.gathered import Gathered, Objects, Subject, WorkloadList, WorkloadReference
from kubectl_kubex.core.model import Gap, GapReason, SourceInfo
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS
from kubectl_kubex.errors import KubexError
from kubectl_kubex.offline.archives import File, Unreadable
from kubectl_kubex.offline.files import STDIN, STDIN_NAME, read_inputs
from kubectl_kubex.offline.intake import read_store
from kubectl_kubex.offline.lookup import look_up
from kubectl_kubex.offline.objects import engine_objects, neighbours
from kubectl_kubex.offline.pods import PodIndex
from kubectl_kubex.offline.store import Store

_DEFAULT = "default"


class FileSource:
    """Facts from `inputs`: files, folders, archives, `-` for `stdin`. Read once, at the first question."""

    def __init__(self, inputs: Sequence[str], stdin: BinaryIO, namespace: str | None = None) -> None:
        self._inputs = tuple(dict.fromkeys(inputs))
        self._stdin = stdin
        self._namespace = namespace

    @property
    def namespace(self) -> str:
        """-n; else the one namespace in which the input has workloads; else `default`."""
        if self._namespace is not None:
            return self._namespace
        found = {identity.namespace for identity in self._store.objects if identity.kind in _OWNER_KINDS}
        return found.pop() if len(found) == 1 else self._fallback

    def gather(
        self,
        references: Sequence[WorkloadReference],
        namespace: str,
        kinds: Sequence[str],
        *,
        all_namespaces: bool = False,
    ) -> Gathered:
        objects = engine_objects(self._store, kinds, None if all_namespaces else namespace)
        return Gathered(self._source, objects, tuple(self._subject(reference, namespace) for reference in references))

    def neighbours(self, nodes: Sequence[str]) -> Objects:
        return neighbours(self._store, nodes)

    def workloads(self, namespace: str | None) -> WorkloadList:
        """A kind from a CRD that the input lacks is taken for one that the cluster did not have."""
        found = tuple(raw for kind in _OWNER_KINDS for raw in self._store.of_kind(kind, namespace))
        return WorkloadList(found, tuple(self._workload_gaps(namespace)))

    def _subject(self, reference: WorkloadReference, namespace: str) -> Subject | KubexError:
        try:
            found = look_up(reference, namespace, self._store, f" of {self._where}")
        except KubexError as error:
            return error
        pods, gaps = self._pods.pods_of(found.workload)
        return Subject(reference, found.workload, pods, self._pods.between(found.workload, found.start), gaps)

    def _workload_gaps(self, namespace: str | None) -> Iterator[Gap]:
        yield from self._store.coverage.gaps(_OWNER_KINDS)
        for kind in WORKLOAD_KINDS:
            if not kind.policy_type:
                continue
            yield from self._store.unusable_gaps(kind.name, namespace)
            if not kind.optional and not self._store.coverage.covers_workloads(kind.name, namespace):
                yield Gap(kind.name, GapReason.NOT_IN_INPUT, f"no {kind.name} objects in the input")
        yield from self._store.file_gaps()

    @cached_property
    def _store(self) -> Store:
        store = read_store(self._files(), self._namespace or self._fallback, self._where)
        store.coverage.whole = self._whole
        return store

    @cached_property
    def _pods(self) -> PodIndex:
        return PodIndex(self._store)

    # What the demo does differently.

    _fallback = _DEFAULT
    _whole = False

    def _files(self) -> Iterable[File | Unreadable]:
        return read_inputs(self._inputs, self._stdin)

    @property
    def _where(self) -> str:
        """The input in a few words, for error messages."""
        if len(self._inputs) > 1:
            return f"{len(self._inputs)} inputs"
        return STDIN_NAME if self._inputs[0] == STDIN else self._inputs[0]

    @property
    def _source(self) -> SourceInfo:
        """What the captures agree on; the time is that of the newest one."""
        captures = self._store.coverage.captures
        contexts, servers = {found.context for found in captures}, {found.server for found in captures}
        return SourceInfo(
            contexts.pop() if len(contexts) == 1 else None,
            servers.pop() if len(servers) == 1 else None,
            offline=True,
            captured_at=max((found.captured_at for found in captures), default=None),
            inputs=self._inputs,
        )


_OWNER_KINDS = tuple(kind.name for kind in WORKLOAD_KINDS if kind.policy_type)
