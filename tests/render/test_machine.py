from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.render.machine import to_json, to_yaml

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
TRICKY = [
    "1e3",
    "1E3",
    "0012",
    "08",
    "0o17",
    "y",
    "no",
    "on",
    "~",
    "null",
    "=",
    "12:30",
    "2026-01-01",
    "1_000",
    "",
    " x",
]
TRICKY += [
    "- a",
    "a: b",
    "#",
    "*",
    "&a",
    "!t",
    "%",
    "@",
    "`",
    '"',
    "'",
    "\\",
    "\x85",
    "\u2028",
    "\ufeff",
    "\x9b",
    "\u202e",
]
DOCUMENTS = st.dictionaries(
    TEXT, st.recursive(TEXT | st.integers() | st.none() | st.booleans(), st.lists, max_leaves=5)
)


@given(DOCUMENTS)
def test_json_reads_back(document: dict[str, Any]) -> None:
    assert json.loads(to_json(document)) == document


@given(DOCUMENTS)
def test_yaml_reads_back(document: dict[str, Any]) -> None:
    assert yaml.safe_load(to_yaml(document)) == document


@pytest.mark.parametrize("text", TRICKY)
def test_tricky_strings_stay_strings(text: str) -> None:
    assert yaml.safe_load(to_yaml({"a": text, text: "b"})) == {"a": text, text: "b"}


@given(DOCUMENTS)
def test_neither_carries_what_a_terminal_acts_on(document: dict[str, Any]) -> None:
    for text in (to_json(document), to_yaml(document)):
        assert all(character.isprintable() for line in text.split("\n") for character in line)


def test_a_lone_surrogate_can_be_encoded() -> None:
    to_json({"a": "\ud800"}).encode("utf-8")
    to_yaml({"a": "\ud800"}).encode("utf-8")


def test_indented_as_kubectl_does() -> None:
    assert to_json({"a": [1]}) == '{\n    "a": [\n        1\n    ]\n}\n'
