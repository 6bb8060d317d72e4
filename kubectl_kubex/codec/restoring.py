"""From the documents of a file to the one object that can be restored, and from that to the object to write."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from kubectl_kubex.codec.backup import keepable
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import at, mapping
from kubectl_kubex.core.kinds import API_VERSION, PRECEDENCE_KIND, PRECEDENCE_NAME
from kubectl_kubex.errors import UnusableBackup

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SHOWN = 60


def the_singleton(documents: Sequence[Any], name: str) -> dict[str, Any]:
    """The one PolicyEvaluation in `documents`, out of a List if it stands in one. `name`: the file, for errors. Raises
    UnusableBackup for anything else."""
    found = [member for document in documents for member in _opened(document)]
    if not found:
        raise UnusableBackup(name, "it holds no object")
    if len(found) > 1:
        raise UnusableBackup(name, f"it holds {len(found)} objects", "give a file with policy-evaluation alone")
    raw = found[0]
    if not isinstance(raw, dict):
        raise UnusableBackup(name, "it holds no object")
    _check_identity(raw, name)
    _check_metadata(raw, name)
    if not isinstance(raw.get("spec"), dict):
        raise UnusableBackup(name, "the object in it has no spec")
    return keepable({**raw, "metadata": {k: v for k, v in raw["metadata"].items() if k != "namespace"}})


def _opened(document: Any) -> Iterator[Any]:  # noqa: ANN401 - raw JSON
    items = at(document, "items")
    if isinstance(document, list):
        yield from document
    elif not isinstance(items, list) or "List" not in str(at(document, "kind")):
        yield document
    elif at(document, "kind") == f"{PRECEDENCE_KIND.name}List":  # whose members may leave out what they are
        kind = {"apiVersion": at(document, "apiVersion"), "kind": PRECEDENCE_KIND.name}
        yield from ({**kind, **member} if isinstance(member, dict) else member for member in items)
    else:
        yield from items


def _check_identity(raw: RawObject, name: str) -> None:
    kind, version = raw.get("kind"), raw.get("apiVersion")
    named = at(raw, "metadata", "name")
    if kind != PRECEDENCE_KIND.name or version != API_VERSION:
        raise UnusableBackup(
            name, f"it holds {_shown(kind)} of {_shown(version)}, not {PRECEDENCE_KIND.name} of {API_VERSION}"
        )
    if named != PRECEDENCE_NAME:
        raise UnusableBackup(name, f"it holds a {PRECEDENCE_KIND.name} named {_shown(named)}, not {PRECEDENCE_NAME}")


def _check_metadata(raw: RawObject, name: str) -> None:
    """Labels and annotations are strings to the API server, but `y` or `1e3` without quotes is none to kubectl."""
    for field in ("labels", "annotations"):
        values = at(raw, "metadata", field)
        if values is not None and not isinstance(values, dict):
            raise UnusableBackup(name, f"metadata.{field} is not an object")
        for key, value in mapping(values).items():
            if not isinstance(value, str):
                raise UnusableBackup(
                    name, f"metadata.{field}.{key} is not a string but {_shown(value)}", "write it in quotes"
                )


def restored(live: RawObject | None, kept: RawObject, *, replace_metadata: bool) -> dict[str, Any]:
    """The object to write: over a live one its spec, and with `replace_metadata` its labels and annotations, from
    `kept`; without a live one, all that was kept."""
    if live is None:
        return copy.deepcopy(dict(kept))
    raw: dict[str, Any] = copy.deepcopy(dict(live))
    raw["spec"] = copy.deepcopy(kept.get("spec"))
    if replace_metadata:
        _replace_metadata(raw["metadata"], kept)
    return raw


def same_metadata(live: RawObject, kept: RawObject) -> bool:
    """Whether labels and annotations are those that were kept."""
    ours = keepable(live)
    return all(
        mapping(at(ours, "metadata", field)) == mapping(at(kept, "metadata", field))
        for field in ("labels", "annotations")
    )


def _replace_metadata(metadata: dict[str, Any], kept: RawObject) -> None:
    """What kubectl last applied stays as the live object has it: it says what kubectl did, not what is wanted."""
    applied = mapping(metadata.get("annotations")).get(_LAST_APPLIED)
    for field in ("labels", "annotations"):
        values = dict(mapping(at(kept, "metadata", field)))
        if field == "annotations" and applied is not None:
            values[_LAST_APPLIED] = applied
        if values:
            metadata[field] = values
        else:
            metadata.pop(field, None)


def _shown(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
    return text[:_SHOWN] or "nothing"
