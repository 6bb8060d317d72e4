"""What there is to choose from: in the kubeconfig, in the cluster, in files. Never waits long, never complains."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS, WorkloadKind, find_workload_kind
from kubectl_kubex.errors import KubexError

if TYPE_CHECKING:
    from kubectl_kubex.cluster.source import ClusterSource
    from kubectl_kubex.commands.source import SourceChoice

Words = tuple[str, ...]

PATIENCE = 0.75  # seconds for the cluster; with the start of a program it stays below the one second promised
_MOST = "500"


def kubeconfig_entries(listed: str, explicit: str | None) -> Words:
    """The names in one list of the kubeconfig: contexts, clusters or users."""
    from kubectl_kubex.cluster.kubeconfig import load  # noqa: PLC0415 - parses YAML

    try:
        return tuple(getattr(load(explicit, os.environ), listed))
    except KubexError:
        return ()


def schemas() -> Words:
    """The documents that have a published form."""
    from kubectl_kubex.commands.schema import names  # noqa: PLC0415

    return names()


def namespaces(choice: SourceChoice) -> Words:
    """The cluster's namespaces; of files, those that hold workloads."""
    if choice.demo or choice.files:
        return within(lambda: tuple(dict.fromkeys(place for place, _, _ in _in_files(choice, everywhere=True))))
    return within(lambda: tuple(_listed(choice, "/api/v1/namespaces")))


def workloads(choice: SourceChoice, first: str, current: str) -> Words:
    """How `current` may go on: the words for types, then the names of one type, or names alone where `current` begins
    no type. `first`: the word before them, where it is a type of its own, as in `deploy web`."""
    typed, slash, _ = current.partition("/")
    alone = find_workload_kind(first) if first and "/" not in first else None
    if slash:
        kind = find_workload_kind(typed)
        return tuple(f"{typed}/{name}" for name in _names(choice, kind)) if kind else ()
    if alone is not None:
        return _names(choice, alone)
    types = tuple(f"{word}/" for word in _types(current))
    return types or _names(choice, None)


def backups(choice: SourceChoice, folder: str | None) -> Words:
    """The names of the stored backups of this cluster, newest first, and the word for the newest."""
    return within(lambda: _stored(choice, folder))


def within(work: Callable[[], Words], seconds: float = PATIENCE) -> Words:
    """What `work` gives, if it does so in time and without a failure; else nothing."""
    found: list[Words] = []

    def attempt() -> None:
        with suppress(Exception):
            found.append(work())

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else ()


def _types(current: str) -> Iterator[str]:
    """For each kind the spelling that goes on from `current`: the longest that people use, else a short one."""
    for kind in WORKLOAD_KINDS:
        spellings = (kind.singular, *kind.short_names, kind.plural)
        fitting = [spelling for spelling in spellings if spelling.startswith(current.lower())]
        if fitting:
            yield fitting[0]


def _names(choice: SourceChoice, kind: WorkloadKind | None) -> Words:
    """The names of the workloads of one kind, or of any, in the namespace in question."""
    return within(lambda: tuple(_found(choice, kind)))


def _found(choice: SourceChoice, kind: WorkloadKind | None) -> Iterable[str]:
    if choice.demo or choice.files:
        return [name for _, named, name in _in_files(choice) if kind is None or named == kind.name]
    if kind is None:
        with _cluster(choice) as source:
            listed = source.workloads(source.namespace).workloads
        return [raw["metadata"]["name"] for raw in listed]
    return _of_kind(choice, kind)


def _of_kind(choice: SourceChoice, kind: WorkloadKind) -> Iterable[str]:
    """From the first version of the kind that is served."""
    from kubectl_kubex.cluster.questions import workload_resource  # noqa: PLC0415

    with _cluster(choice) as source:
        for version in kind.versions:
            with suppress(KubexError):
                return _names_at(source, workload_resource(kind, version).path(source.namespace))
    return ()


def _listed(choice: SourceChoice, path: str) -> list[str]:
    with _cluster(choice) as source:
        return _names_at(source, path)


def _names_at(source: ClusterSource, path: str) -> list[str]:
    from kubectl_kubex.cluster.questions import METADATA_LIST  # noqa: PLC0415

    answer = source.connection.get(path, {"limit": _MOST}, METADATA_LIST)
    return [member["metadata"]["name"] for member in answer["items"]]


def _cluster(choice: SourceChoice) -> ClusterSource:
    from kubectl_kubex.cluster.settings import ConnectionSettings  # noqa: PLC0415
    from kubectl_kubex.cluster.source import ClusterSource  # noqa: PLC0415

    return ClusterSource(ConnectionSettings(namespace=choice.namespace, **choice.connection))


def _in_files(choice: SourceChoice, *, everywhere: bool = False) -> Iterator[tuple[str, str, str]]:
    """Namespace, kind and name of each workload. Standard input belongs to the shell: it is not read."""
    from kubectl_kubex.commands.source import open_source  # noqa: PLC0415

    with open_source(choice, BytesIO()) as source:
        for raw in source.workloads(None if everywhere else source.namespace).workloads:
            metadata: Any = raw["metadata"]
            yield metadata.get("namespace", ""), str(raw["kind"]), metadata["name"]


def _stored(choice: SourceChoice, folder: str | None) -> Words:
    from kubectl_kubex.offline.backup_store import LATEST, BackupStore, Cluster  # noqa: PLC0415

    with _cluster(choice) as source:
        uid = ""
        with suppress(Exception):
            uid = source.connection.get("/api/v1/namespaces/kube-system")["metadata"]["uid"]
        store = BackupStore(Cluster(source.connection.server, uid), Path(folder) if folder else None)
    names = tuple(stored.name for stored in store.newest_first())
    return (*names, LATEST) if names else ()
