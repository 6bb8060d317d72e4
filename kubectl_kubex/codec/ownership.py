"""Who holds which fields of an object, from its managedFields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kubectl_kubex.codec.configuration import decode_manager
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import at, mapping, objects, strings, text
from kubectl_kubex.core.consequence import Ownership

APPLY = "Apply"
_HELM_LABELS = (
    "helm.sh/chart",
    "app.kubernetes.io/managed-by",
    "app.kubernetes.io/instance",
    "app.kubernetes.io/name",
    "app.kubernetes.io/version",
)
_HELM_ANNOTATIONS = ("meta.helm.sh/release-name", "meta.helm.sh/release-namespace")


def decode_ownership(raw: RawObject) -> Ownership:
    """Who manages the object, and who holds its list. Whoever applied anything of it on the server will do so again,
    also where a change took the list out of its hands."""
    entries = [entry for entry in objects(at(raw, "metadata", "managedFields")) if not entry.get("subresource")]
    holders = [entry for entry in entries if "f:precedence" in mapping(at(entry, "fieldsV1", "f:spec"))]
    return Ownership(
        decode_manager(raw),
        _managers(entry for entry in entries if entry.get("operation") == APPLY),
        _managers(holders),
        "helm.toolkit.fluxcd.io/name" in strings(at(raw, "metadata", "labels")),
    )


def last_writer(raw: RawObject) -> str:
    """The field manager whose entry is the newest; "" where nothing says so."""
    entries = objects(at(raw, "metadata", "managedFields"))
    timed = [(text(entry.get("time")) or "", text(entry.get("manager")) or "") for entry in entries]
    return max(timed)[1] if timed else ""


def without_helm_marks(raw: RawObject) -> dict[str, Any]:
    """A copy of `raw` that Helm does not take for its own."""
    metadata = dict(mapping(raw.get("metadata")))
    for field, marks in (("labels", _HELM_LABELS), ("annotations", _HELM_ANNOTATIONS)):
        kept = {name: value for name, value in mapping(metadata.get(field)).items() if name not in marks}
        if kept:
            metadata[field] = kept
        else:
            metadata.pop(field, None)
    return {**raw, "metadata": metadata}


def _managers(entries: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text(entry.get("manager")) or "" for entry in entries))
