"""What an object is: its kind among those known here, its namespace and its name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import at, mapping, name_of, namespace_of, text
from kubectl_kubex.core.kinds import GROUP, KINDS
from kubectl_kubex.core.surrounding_kinds import SURROUNDING_KINDS
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS

# Versions do not matter: an old dump may hold batch/v1beta1.
_KNOWN: dict[tuple[str, str], bool] = {
    **{(GROUP, kind.name): kind.namespaced for kind in KINDS},
    **{(kind.group, kind.name): True for kind in WORKLOAD_KINDS},
    **{(kind.group, kind.name): kind.namespaced for kind in SURROUNDING_KINDS},
}
_NAMESPACED = {name: namespaced for (_, name), namespaced in _KNOWN.items()}
_LIST = "List"


@dataclass(frozen=True, order=True)
class Identity:
    """One object. `namespace` is "" for cluster kinds."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.namespace}/{self.name}" if self.namespace else f"{self.kind} {self.name}"


def known_kind(raw: RawObject) -> str | None:
    """The kind of `raw` when it is one that any command asks for."""
    found = (_group(raw), text(raw.get("kind")) or "")
    return found[1] if found in _KNOWN else None


def list_kind(raw: RawObject) -> str | None:
    """The kind of which `raw` is a typed list (`StaticPolicyList`), when it is one that any command asks for."""
    word = text(raw.get("kind")) or ""
    found = (_group(raw), word.removesuffix(_LIST))
    return found[1] if word.endswith(_LIST) and found in _KNOWN else None


def is_list(raw: RawObject) -> bool:
    return (text(raw.get("kind")) or "").endswith(_LIST) and isinstance(raw.get("items"), list)


def is_kind(word: str) -> bool:
    """Whether `word` is a kind known here, and not the name of a file."""
    return word in _NAMESPACED


def is_namespaced(kind: str) -> bool:
    return _NAMESPACED[kind]


def settled(kind: str, raw: RawObject, namespace: str) -> tuple[Identity, RawObject]:
    """The identity of `raw`, and `raw` with the namespace it has: `namespace` where a namespaced object names none, as
    kubectl does; none for a cluster kind, even if the object names one (the chart's template does: engine.md 8)."""
    if not _NAMESPACED[kind]:
        return Identity(kind, "", name_of(raw)), raw
    if namespace_of(raw):
        return Identity(kind, namespace_of(raw), name_of(raw)), raw
    metadata = {**mapping(raw.get("metadata")), "namespace": namespace}
    return Identity(kind, namespace, name_of(raw)), {**raw, "metadata": metadata}


def flaws(raw: RawObject) -> Iterator[str]:
    """Why the API server would never have taken this object: a name, label or annotation that is not a string."""
    if not name_of(raw):
        yield "metadata.name is not a string" if at(raw, "metadata", "name") is not None else "metadata.name is missing"
    for field in ("labels", "annotations"):
        values = at(raw, "metadata", field)
        if not isinstance(values, dict | None):
            yield f"metadata.{field} is not an object"
        for key, value in mapping(values).items():
            if not isinstance(value, str):
                yield f"metadata.{field}[{key}] is not a string but {_describe(value)}"


def _group(raw: RawObject) -> str:
    version = text(raw.get("apiVersion")) or ""
    return version.rpartition("/")[0]


def _describe(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "an object"
