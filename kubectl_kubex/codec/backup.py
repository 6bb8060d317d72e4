"""The backup file: comments that say where it comes from, then YAML that plain `kubectl apply -f` takes.

Every string scalar is quoted, since kubectl reads YAML 1.1 and would take a bare `1e3`, `y` or `on` for something else.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import mapping

FORMAT = 1
AUTOMATIC = "automatic"
"""How the reason of a backup begins that a write made."""
WITH_METADATA = "of labels and annotations too"
"""How it ends where that write changed more than the spec."""
_TITLE = "# kubectl-kubex backup"
_CHECKSUM = re.compile(r"#.*\bsha256\b")
_SERVER_FIELDS = frozenset(
    {
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "managedFields",
        "finalizers",
        "ownerReferences",
        "selfLink",
    }
)
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_PLAIN_KEY = re.compile(r"[A-Za-z][A-Za-z0-9._/-]*", re.ASCII)
_YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


@dataclass(frozen=True)
class Origin:
    """Where and when a backup was made: each field as text for the header, "" where not known."""

    tool: str = ""
    time: str = ""
    context: str = ""
    server: str = ""
    cluster: str = ""
    crd: str = ""
    owner: str = ""
    reason: str = ""

    @property
    def is_automatic(self) -> bool:
        return self.reason.startswith(AUTOMATIC)

    @property
    def covers_metadata(self) -> bool:
        """Whether undoing the write that made the backup takes labels and annotations back as well."""
        return self.reason.endswith(WITH_METADATA)


@dataclass(frozen=True)
class Backup:
    """A backup read back: `format` and `origin` from the header, `checksum` whether the document is what was written
    (None: no header, so no promise)."""

    document: str
    origin: Origin = Origin()
    format: int | None = None
    checksum: bool | None = None


def keepable(raw: RawObject) -> dict[str, Any]:
    """`raw` without what the server owns: what a backup holds. Unknown fields and their order stay."""
    kept = {name: value for name, value in raw.items() if name != "status"}
    metadata = {name: value for name, value in mapping(raw.get("metadata")).items() if name not in _SERVER_FIELDS}
    annotations = {name: value for name, value in mapping(metadata.get("annotations")).items() if name != _LAST_APPLIED}
    if "annotations" in metadata:
        metadata["annotations"] = annotations
        if not annotations:
            del metadata["annotations"]
    kept["metadata"] = metadata
    return kept


def encode_backup(raw: RawObject, origin: Origin) -> str:
    """The file's text for one object."""
    document = quoted_yaml(keepable(raw))
    fields = {**{name: getattr(origin, name) for name in Origin.__dataclass_fields__}, "sha256": _digest(document)}
    lines = [f"{_TITLE}, format {FORMAT}", *(f"# {name}: {_one_line(value)}" for name, value in fields.items())]
    return "\n".join(lines) + "\n" + document


def decode_backup(text: str) -> Backup:
    """Header and document of `text`; any YAML without our header is a backup without promises. A header that is broken
    itself fails the checksum: were it taken for a comment, a changed document could pass."""
    text = text.removeprefix("\ufeff")
    match = _header(text) or _header(text := text.replace("\r\n", "\n"))
    if match is None:
        return Backup(text, checksum=False if _looks_like_ours(text) else None)
    document = text[match.end() :]
    header = dict(line[2:].split(":", 1) for line in match[2].splitlines())
    fields = {name: header.get(name, "").strip() for name in Origin.__dataclass_fields__}
    return Backup(document, Origin(**fields), int(match[1]), header.get("sha256", "").strip() == _digest(document))


def _header(text: str) -> re.Match[str] | None:
    return re.match(rf"{_TITLE}, format (\d{{1,9}})\n((?:# [a-z0-9]+:.*\n)*)", text)


def _looks_like_ours(text: str) -> bool:
    comments = itertools.takewhile(lambda line: line.startswith("#"), text.splitlines())
    return text.startswith(_TITLE) or any(_CHECKSUM.match(line) for line in comments)


def quoted_yaml(value: Mapping[str, Any]) -> str:
    """YAML in which every string value is double-quoted, and each key that YAML 1.1 could take for something else."""
    return yaml.dump(
        value, Dumper=_QuotingDumper, sort_keys=False, default_flow_style=False, allow_unicode=True, width=2**31
    )


class _QuotingDumper(yaml.SafeDumper):
    """Double quotes for every string; no anchors."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:  # noqa: ANN401, FBT001 - PyYAML's signature
        node = super().represent_mapping(tag, mapping, flow_style)
        for key, _ in node.value:
            if _PLAIN_KEY.fullmatch(key.value) and key.value.lower() not in _YAML_WORDS:
                key.style = None
        return node


def _represent_str(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"')


_QuotingDumper.add_representer(str, _represent_str)


def _digest(document: str) -> str:
    return hashlib.sha256(document.encode("utf-8")).hexdigest()


def _one_line(value: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in value).split())
