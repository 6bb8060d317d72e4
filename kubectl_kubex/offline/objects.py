"""The engine's objects in an input, and for each kind asked why some may be missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kubectl_kubex.codec.gathered import Objects
from kubectl_kubex.codec.shapes import at, name_of
from kubectl_kubex.core.kinds import CONFIGURATION_KIND, CONFIGURATION_NAME, PRECEDENCE_KIND, PRECEDENCE_NAME
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.offline.identity import Identity
from kubectl_kubex.offline.store import Store

_SINGLETONS = {
    PRECEDENCE_KIND.name: Identity(PRECEDENCE_KIND.name, "", PRECEDENCE_NAME),
    CONFIGURATION_KIND.name: Identity(CONFIGURATION_KIND.name, "", CONFIGURATION_NAME),
}


def engine_objects(store: Store, kinds: Sequence[str], namespace: str | None) -> Objects:
    """All objects of `kinds`; namespaced ones in `namespace`, or (None) in all. What a capture could not read is a gap
    in the capture's own words, so that a question asked of it gets the answer that it got on the cluster."""
    by_kind = {
        kind: found
        for kind in dict.fromkeys(kinds)
        if (found := store.of_kind(kind, namespace)) or store.coverage.covers(kind, namespace)
    }
    captured = store.coverage.gaps(kinds)
    explained = {gap.kind for gap in captured}
    own = [gap for kind in dict.fromkeys(kinds) if kind not in explained for gap in _gaps(store, kind, namespace)]
    return Objects(by_kind, (*captured, *own, *store.file_gaps()))


def neighbours(store: Store, nodes: Sequence[str]) -> Objects:
    """Nodes, and all pods on them. That all pods of a node are there only a capture can say: a list of pods does not
    tell of which namespaces it is."""
    read = {name for capture in store.coverage.captures for name in capture.nodes}
    by_kind = {"Node": tuple(raw for raw in store.of_kind("Node") if name_of(raw) in nodes)}
    if store.coverage.whole or read.issuperset(nodes):
        by_kind["Pod"] = tuple(raw for raw in store.of_kind("Pod") if at(raw, "spec", "nodeName") in nodes)
        return Objects(by_kind)
    gaps = store.coverage.gaps(("Node",)) or (
        Gap("Node", GapReason.NOT_IN_INPUT, "pods of other namespaces on the same nodes may be missing"),
    )
    return Objects(by_kind, gaps)


def _gaps(store: Store, kind: str, namespace: str | None) -> Iterator[Gap]:
    """An unreadable file may hide objects of every kind, but not a second copy of a singleton that is there."""
    yield from store.unusable_gaps(kind, namespace)
    if _SINGLETONS.get(kind) in store.objects:
        return
    if store.unreadable:
        yield Gap(kind, GapReason.UNREADABLE, f"some may be in {store.unreadable[0].name}")
    elif not store.coverage.covers(kind, namespace):
        yield Gap(kind, GapReason.NOT_IN_INPUT, _absence(store, kind))


def _absence(store: Store, kind: str) -> str:
    namespaces = {found.namespace for found in store.coverage.captures if kind in found.kinds and found.namespace}
    if namespaces:
        return f"the capture holds those of namespace {', '.join(sorted(namespaces))} only"
    return f"no {kind} objects in the input"
