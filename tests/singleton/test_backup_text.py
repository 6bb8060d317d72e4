"""The backup's text: what kubectl and we read back is what was there, and no changed byte goes unnoticed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.codec.backup import Origin, decode_backup, encode_backup, keepable
from kubectl_kubex.codec.precedence_edit import default_object
from kubectl_kubex.errors import UnusableBackup
from kubectl_kubex.offline.backup_file import parse_backup
from kubectl_kubex.offline.yaml_reader import read_yaml

# What a JSON string of an API server can hold: lone surrogates cannot be stored.
STRINGS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    [
        "1e3",
        "08",
        "0o17",
        "y",
        "n",
        "on",
        "1.e3",
        "=",
        "~",
        "null",
        "12:30",
        "2026-01-01",
        "0x1F",
        "+1",
        ".inf",
        "<<",
        "1_0",
    ]
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    STRINGS | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=12,
)


@given(annotations=st.dictionaries(STRINGS, STRINGS, max_size=5), more=VALUES)
def test_everything_comes_back(annotations: dict[str, str], more: Any) -> None:
    raw = default_object()
    raw["metadata"]["annotations"] = annotations
    raw["spec"]["future"] = more
    found = parse_backup("x", encode_backup(raw, Origin(tool="t\nx: y", context="# a")).encode())
    assert found.raw == keepable(raw)
    assert found.backup.checksum is True
    assert (found.backup.origin.tool, found.backup.origin.context) == ("t x: y", "# a")
    assert list(read_yaml(found.backup.document)) == [keepable(raw)]


def test_what_the_server_owns_is_left_out() -> None:
    raw = default_object()
    raw["metadata"] |= {
        "uid": "u", "resourceVersion": "1", "generation": 3, "creationTimestamp": "x", "managedFields": [],
        "finalizers": ["a"], "ownerReferences": [], "labels": {"a": "b"},
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"},
    }  # fmt: skip
    raw["status"] = {"conditions": []}
    raw["spec"]["future"] = 1
    kept = keepable(raw)
    assert list(kept) == ["apiVersion", "kind", "metadata", "spec"]
    assert kept["metadata"] == {"name": "policy-evaluation", "labels": {"a": "b"}}
    assert kept["spec"] == raw["spec"]


def whole() -> bytes:
    return encode_backup(default_object(), Origin(tool="t", time="now", cluster="c")).encode()


def test_no_changed_byte_of_document_or_title_passes() -> None:
    content, chance = whole(), random.Random(1)
    header = content.index(b"# tool")
    places = [*range(header), *range(content.index(b"# sha256"), len(content))]
    for place in places:
        byte = chance.choice([b for b in range(32, 127) if b != content[place]])
        changed = content[:place] + bytes([byte]) + content[place + 1 :]
        with pytest.raises(UnusableBackup):
            parse_backup("x", changed)


def test_no_shortened_file_passes() -> None:
    content = whole()
    for end in range(len(content)):
        with pytest.raises(UnusableBackup):
            parse_backup("x", content[:end])


@pytest.mark.parametrize("change", [lambda b: b.replace(b"\n", b"\r\n"), lambda b: b"\xef\xbb\xbf" + b])
def test_what_an_editor_does_to_every_line_is_no_change(change: Any) -> None:
    assert parse_backup("x", change(whole())).backup.checksum is True


def test_a_plain_manifest_promises_nothing() -> None:
    backup = decode_backup("# a comment\na: b\n")
    assert (backup.format, backup.checksum, backup.origin) == (None, None, Origin())
