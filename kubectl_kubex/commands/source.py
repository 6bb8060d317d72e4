"""open_source: a cluster, files or the bundled capture as the one thing that answers questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from kubectl_kubex.codec.gathered import PlanSource


@dataclass(frozen=True)
class SourceChoice:
    """What the command line says about where to read. `connection`: kubectl's global flags, by the names of
    `cluster.settings.ConnectionSettings`; a flag that was not given is absent."""

    files: tuple[str, ...] = ()
    demo: bool = False
    namespace: str | None = None
    connection: Mapping[str, Any] = field(default_factory=dict)


@contextmanager
def open_source(
    choice: SourceChoice, stdin: BinaryIO, meanwhile: Callable[[], None] | None = None
) -> Iterator[PlanSource]:
    """The source that `choice` names, closed at the end. `meanwhile` runs while a cluster is awaited. Imports are late:
    a reader costs only the runs that use it."""
    if choice.demo or choice.files:
        from kubectl_kubex.offline import DemoSource, FileSource  # noqa: PLC0415

        yield DemoSource(choice.namespace) if choice.demo else FileSource(choice.files, stdin, choice.namespace)
        return
    from kubectl_kubex.cluster.settings import ConnectionSettings  # noqa: PLC0415
    from kubectl_kubex.cluster.source import ClusterSource  # noqa: PLC0415

    settings = ConnectionSettings(namespace=choice.namespace, **choice.connection)
    with ClusterSource(settings, meanwhile=meanwhile) as source:
        yield source
