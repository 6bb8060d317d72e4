"""Two copies of one object: the same, one newer, or not to be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import at, mapping, text

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def same(left: RawObject, right: RawObject) -> bool:
    """Whether two copies say the same, but for bookkeeping."""
    return left == right or _content(left) == _content(right)


def newer(left: RawObject, right: RawObject) -> RawObject | None:
    """The newer of two copies of one object, by resourceVersion. None when they do not say: one has no number there,
    the numbers are equal, or the uids tell two objects of one name apart, perhaps of two clusters."""
    versions = _version(left), _version(right)
    uids = {text(at(raw, "metadata", "uid")) for raw in (left, right)} - {None}
    if None in versions or versions[0] == versions[1] or len(uids) > 1:
        return None
    return max((left, right), key=lambda raw: _version(raw) or 0)


def _version(raw: RawObject) -> int | None:
    version = text(at(raw, "metadata", "resourceVersion")) or ""
    return int(version) if version.isascii() and version.isdecimal() and len(version) < 20 else None


def _content(raw: RawObject) -> dict[str, Any]:
    metadata = {name: value for name, value in mapping(raw.get("metadata")).items() if name != "managedFields"}
    annotations: Mapping[str, Any] = mapping(metadata.get("annotations"))
    metadata["annotations"] = {name: value for name, value in annotations.items() if name != _LAST_APPLIED}
    return {**raw, "metadata": metadata}
