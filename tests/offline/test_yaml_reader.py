"""YAML as kubectl reads it (its parser is Go's, for YAML 1.1), value by value."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.codec.capture import capture_json, capture_yaml
from kubectl_kubex.offline.bounds import BadDocument
from kubectl_kubex.offline.yaml_reader import read_yaml

SCALARS: dict[str, Any] = {
    # booleans: YAML 1.1 has many words for them, in three spellings
    "y": True, "Y": True, "yes": True, "Yes": True, "YES": True, "on": True, "On": True, "true": True, "TRUE": True,
    "n": False, "N": False, "no": False, "off": False, "OFF": False, "false": False, "False": False,
    "yEs": "yEs", "tRUE": "tRUE", "yess": "yess",
    # null
    "~": None, "null": None, "Null": None, "NULL": None, "": None, "nULL": "nULL",
    # integers
    "0": 0, "7": 7, "-7": -7, "+7": 7, "017": 15, "-017": -15, "0o17": 15, "0x1F": 31, "0b101": 5, "1_000": 1000,
    "0x": "0x", "0o8": "0o8", "0_7": 7, "1__0": 10, "-0x1F": -31, "0x1_F": 31, "!!int '3'": 3,
    # what looks like octal and is not becomes a float, as Go's parser has it
    "08": 8.0, "019": 19.0,
    # floats
    "1.5": 1.5, "1.": 1.0, ".5": 0.5, "1e3": 1000.0, "1E3": 1000.0, "1e-3": 0.001, "25921e05": 2592100000.0,
    "08e1": 80.0, "+.5": 0.5, "01.5": 1.5, "1_0.5": 10.5, "1_.5_": 1.5,
    "1e": "1e", "1.5.2": "1.5.2", "1e3x": "1e3x",
    # strings that PyYAML would take for something else
    "12:30": "12:30", "1:00:00": "1:00:00", "2026-01-01": "2026-01-01", "2026-01-01T10:00:00Z": "2026-01-01T10:00:00Z",
    "=": "=", "250m": "250m", "512Mi": "512Mi",
    # quotes make a string of anything
    '"y"': "y", "'1e3'": "1e3", '"2026-01-01"': "2026-01-01", "'~'": "~", '"<<"': "<<", "!!str 017": "017",
    "!!timestamp 2026-01-01": "2026-01-01",
}  # fmt: skip


def read(text: str) -> Any:
    (document,) = read_yaml(text)
    return document


@pytest.mark.parametrize("written", SCALARS)
def test_scalars(written: str) -> None:
    found = read(f"a: {written}")["a"]
    assert found == SCALARS[written]
    assert type(found) is type(SCALARS[written])


def test_keys_become_strings() -> None:
    assert read("{y: 1, 2: 2, 1.5: 3, 1e3: 7, 'q': 4, 2026-01-01: 5, =: 6}") == {
        "true": 1, "2": 2, "1.5": 3, "1000": 7, "q": 4, "2026-01-01": 5, "=": 6,
    }  # fmt: skip


def test_keys_that_become_one_string_are_one_key() -> None:
    with pytest.raises(BadDocument, match="'true' stands there twice"):
        read("{y: 1, true: 2}")


def test_merges() -> None:
    text = "base: &b {p: 1, q: 2}\nmore: &m {q: 3, r: 4}\nall: {<<: [*b, *m], s: 5}\none: {<<: *b, p: 9}\n"
    found = read(text)
    assert found["all"] == {"p": 1, "q": 2, "r": 4, "s": 5}
    assert found["one"] == {"p": 9, "q": 2}


def test_aliases_are_copies() -> None:
    found = read("a: &a {b: [1]}\nc: *a\n")
    assert found == {"a": {"b": [1]}, "c": {"b": [1]}}
    assert found["a"] is not found["c"]


def test_block_scalars_and_folding() -> None:
    assert read("a: |\n  x\n  y\nb: >-\n  x\n  y\n") == {"a": "x\ny\n", "b": "x y"}


def test_many_documents() -> None:
    assert list(read_yaml("a: 1\n---\n---\n- b\n...\n---\nc\n")) == [{"a": 1}, None, ["b"], "c"]


EXACT = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text()


def nested(scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Documents with such scalars in them."""
    values = st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=12,
    )
    return st.dictionaries(st.text(), values, max_size=4)


@given(nested(EXACT | st.floats(allow_nan=False, allow_infinity=False)))
def test_what_a_capture_writes_is_what_is_read(document: dict[str, Any]) -> None:
    found = read(capture_yaml([document]))
    assert found == document
    assert json.dumps(found, sort_keys=True) == json.dumps(document, sort_keys=True)


@given(nested(EXACT))
def test_what_a_capture_writes_is_yaml_to_others_too(document: dict[str, Any]) -> None:
    """PyYAML's own resolver, which has another view on floats only, takes no string for anything else."""
    assert list(yaml.safe_load_all(capture_yaml([document]))) == [document]


@pytest.mark.parametrize(
    "text",
    ["", " ", "a b", "- x", "a: b", "x #y",
     "'", '"', "it's", '{"a":"it\'s"}', "a\nb", "a\tb", "\x85", "\u2028", "\ufeff",
     "é", "🚀", "-", "?", "!x", "&a", "*", "%", "@", "`", "=", "<<", "yes", "No", "1e3", "0x1", "012", "1:30",
     "2026-01-01", "2026-01-01T00:00:00Z", ".5", "a.", "a-", "e3", "~", "null", "---", "...", "/a/b", "C:\\x", "\x00"],
)  # fmt: skip
def test_strings_and_keys_stay_strings(text: str) -> None:
    document = {text: text, "list": [text, [text], {"k": text}]}
    written = capture_yaml([document])
    assert read(written) == document
    assert list(yaml.load_all(written, Loader=yaml.SafeLoader)) == [document]


@pytest.mark.parametrize("write", [capture_yaml, capture_json])
def test_half_a_surrogate_pair_becomes_the_replacement_character(write: Any) -> None:
    written = write([{"a": "x\ud800y", "b": '"\udfff'}])
    written.encode("utf-8")
    assert written.count("\ufffd") == 2
