"""ClusterSource: the facts of a live cluster. Nothing is read before it is asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import Any

from kubectl_kubex.cluster import rounds
from kubectl_kubex.cluster.connection import JSON, Connection
from kubectl_kubex.cluster.endpoint import Endpoint, resolve
from kubectl_kubex.cluster.failures import ApiFailure, for_user, gap_of
from kubectl_kubex.cluster.incluster import in_cluster
from kubectl_kubex.cluster.kinds import KindAnswer, neighbour_steps, neighbourhood, steps_of
from kubectl_kubex.cluster.owners import owner_uids
from kubectl_kubex.cluster.pages import read_all
from kubectl_kubex.cluster.questions import (
    METADATA_LIST,
    All,
    Answer,
    One,
    Question,
    Resource,
    Versions,
    check_name,
    workload_resource,
)
from kubectl_kubex.cluster.rounds import Steps, Workers
from kubectl_kubex.cluster.settings import ConnectionSettings, seconds_of
from kubectl_kubex.cluster.subjects import NAMED_KINDS, Place, served_version
from kubectl_kubex.codec.gathered import Gathered, Objects, Subject, WorkloadList, WorkloadReference
from kubectl_kubex.codec.shapes import at, text
from kubectl_kubex.core.kinds import BY_NAME, GROUP
from kubectl_kubex.core.model import GapReason, SourceInfo
from kubectl_kubex.core.workload_kinds import WorkloadKind
from kubectl_kubex.errors import KubexError, NotInstalled

CONNECTIONS = 16


class ClusterSource:
    """A `FactSource` over the API server that `settings` name. A context manager: leaving it closes all connections.

    `meanwhile` runs once, while the first answers are awaited: the place to load what will be needed afterwards.
    """

    def __init__(self, settings: ConnectionSettings, *, meanwhile: Callable[[], None] | None = None) -> None:
        self._settings = settings
        self._meanwhile = meanwhile

    def __enter__(self) -> ClusterSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def endpoint(self) -> Endpoint:
        """Where and as whom. Raises ConfigError."""
        from kubectl_kubex.cluster.kubeconfig import load  # noqa: PLC0415

        endpoint = resolve(load(self._settings.kubeconfig, os.environ), self._settings)
        return in_cluster(endpoint, self._settings, os.environ) or endpoint

    @cached_property
    def connection(self) -> Connection:
        """For requests other than the questions of `gather` and `workloads`."""
        return Connection(self.endpoint, seconds_of(self._settings.request_timeout))

    @property
    def namespace(self) -> str:
        return self.endpoint.namespace

    @property
    def source(self) -> SourceInfo:
        return SourceInfo(self.endpoint.context, self.connection.server)

    def close(self) -> None:
        opened: Connection | None = self.__dict__.pop("connection", None)
        if opened is not None:
            opened.close()

    def gather(
        self,
        references: Sequence[WorkloadReference],
        namespace: str,
        kinds: Sequence[str],
        *,
        all_namespaces: bool = False,
    ) -> Gathered:
        check_name("namespace", namespace)
        where = None if all_namespaces else namespace
        subjects = [Place(reference, namespace).steps() for reference in references]
        answers = self._run([*subjects, *(steps_of(name, where, namespace) for name in dict.fromkeys(kinds))])
        found: list[Subject | KubexError] = [each for each in answers if isinstance(each, Subject | KubexError)]
        return Gathered(self.source, self._objects([each for each in answers if isinstance(each, tuple)]), tuple(found))

    def neighbours(self, nodes: Sequence[str]) -> Objects:
        return neighbourhood(self._run([neighbour_steps(node) for node in nodes]))

    def workloads(self, namespace: str | None) -> WorkloadList:
        if namespace is not None:
            check_name("namespace", namespace)
        answers = self._run([_workload_steps(kind, namespace) for kind in NAMED_KINDS])
        found = [each for each in answers if isinstance(each, tuple)]
        return WorkloadList(
            tuple(raw for _, objects, _ in found for raw in objects or ()),
            tuple(gap for _, _, gap in found if gap is not None),
        )

    def server_version(self) -> str:
        """The API server's own version, as `v1.36.3`. Raises KubexError."""
        return text(self._get("/version").get("gitVersion")) or "unknown"

    def crd_version(self) -> str | None:
        """The served version of the engine's kinds, as `rightsizing.kubex.ai/v1alpha1`; None: not installed."""
        try:
            answer = self._get(f"/apis/{GROUP}")
        except ApiFailure as failure:
            if failure.status == 404:
                return None
            raise
        return text(at(answer, "preferredVersion", "groupVersion"))

    def _get(self, path: str) -> Mapping[str, Any]:
        try:
            return self.connection.get(path)
        except ApiFailure as failure:
            if failure.status == 403:
                raise for_user(failure) from None
            raise

    def _run(self, lines: Sequence[Steps[Any]]) -> list[Any]:
        self.connection.open()  # a login may ask the user: not in a worker's thread
        meanwhile, self._meanwhile = self._meanwhile, None
        workers = Workers(self._send, CONNECTIONS)
        try:
            return rounds.run(workers, lines, meanwhile)
        finally:
            workers.close()

    def _objects(self, answers: Sequence[KindAnswer]) -> Objects:
        gaps = tuple(gap for _, _, gap in answers if gap is not None)
        engine = [gap for name, _, gap in answers if name in BY_NAME]
        if engine and all(gap is not None and gap.reason is GapReason.NOT_SERVED for gap in engine):
            raise NotInstalled(self.connection.server)
        return Objects({name: objects for name, objects, _ in answers if objects is not None}, gaps)

    def _send(self, question: Question) -> Answer:
        """Ask one question; called in a worker's thread."""
        if isinstance(question, Versions):
            return self.connection.get(f"/apis/{question.group}")
        if isinstance(question, One):
            path = question.resource.path(question.namespace, question.name)
            return _as(question.resource, self.connection.get(path))
        path = question.resource.path(question.namespace)
        accept = METADATA_LIST if question.metadata_only else JSON
        selectors = {"labelSelector": question.labels, "fieldSelector": question.fields}
        params = {name: value for name, value in selectors.items() if value}
        return read_all(
            lambda path, params: self.connection.get(path, params, accept),
            path,
            params,
            lambda raw: _kept(question, raw),
        )


def _kept(question: All, raw: dict[str, Any]) -> dict[str, Any] | None:
    """A member of a list as the question wants it: with its apiVersion and kind, which lists leave out."""
    if question.owners is not None and not owner_uids(raw) & question.owners:
        return None
    if question.metadata_only and isinstance(raw.get("metadata"), dict):
        raw["metadata"].pop("managedFields", None)
    return _as(question.resource, raw)


def _as(resource: Resource, raw: dict[str, Any]) -> dict[str, Any]:
    return {**raw, "apiVersion": resource.api_version, "kind": resource.kind}


def _workload_steps(kind: WorkloadKind, namespace: str | None) -> Steps[KindAnswer]:
    """The metadata of all objects of one workload kind. An optional kind that is not served has none."""
    version = ""
    if kind.optional:
        (served,) = yield [Versions(kind.group)]
        if isinstance(served, KubexError):
            return _unless_absent(kind, Versions(kind.group), served)
        version = served_version(kind, served) or ""
    question = All(workload_resource(kind, version), namespace, metadata_only=True)
    (answer,) = yield [question]
    if isinstance(answer, KubexError):
        return _unless_absent(kind, question, answer)
    return kind.name, answer if isinstance(answer, tuple) else (), None


def _unless_absent(kind: WorkloadKind, question: Question, failure: KubexError) -> KindAnswer:
    gap = gap_of(kind.name, str(question), failure)
    return kind.name, (), None if kind.optional and gap.reason is GapReason.NOT_SERVED else gap
