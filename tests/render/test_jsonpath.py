"""kubectl's jsonpath, as its documentation and its users write it."""

from __future__ import annotations

import pytest

from kubectl_kubex.errors import UsageError
from kubectl_kubex.render.jsonpath import find, render_template

DOCUMENT = {
    "kind": "List",
    "items": [
        {"name": "a", "n": 1, "labels": {"a.b/c": "dotted", "x-y": "dashed"}, "on": True, "none": None},
        {"name": "b", "n": 2, "labels": {}, "on": False},
    ],
}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{.kind}", "List"),
        ("{$.kind}", "List"),
        ("{kind}", "List"),
        ("{@.kind}", "List"),
        ("{ .kind }", "List"),
        ("{.items[0].name}", "a"),
        ("{.items[-1].name}", "b"),
        ("{.items[-1:].name}", "b"),
        ("{.items[0:1].name}", "a"),
        ("{.items[0,1].name}", "a b"),
        ("{.items[*].n}", "1 2"),
        ("{.items[*].on}", "true false"),
        ("{.items[0].none}", "null"),
        ("{..name}", "a b"),
        ("{.items[*]['name','n']}", "a 1 b 2"),
        ("{.items[0].labels}", '{"a.b/c":"dotted","x-y":"dashed"}'),
        (r"{.items[0].labels.a\.b/c}", "dotted"),
        ("{.items[0].labels['a.b/c']}", "dotted"),
        ("{.items[0].labels.x-y}", "dashed"),
        ('{.items[?(@.name=="b")].n}', "2"),
        ("{.items[?(@.name=='b')].n}", "2"),
        ("{.items[?(@.n>1)].name}", "b"),
        ("{.items[?(@.n!=1)].name}", "b"),
        ("{.items[?(@.none)].name}", "a"),
        ("{.missing}", ""),
        ("{.items[9].name}", ""),
        ("kind={.kind}!", "kind=List!"),
        ('{.kind}{"\\n"}', "List\n"),
        ("{'\\t'}{\"a}b\"}", "\ta}b"),
        ('{range .items[*]}{.name}={.n}{"\\n"}{end}', "a=1\nb=2\n"),
        ("{range .items[*]}{range .labels.*}[{@}]{end};{end}", "[dotted][dashed];;"),
        ("no braces", "no braces"),
        ("", ""),
    ],
)  # fmt: skip
def test_template(template: str, expected: str) -> None:
    assert render_template(template, DOCUMENT) == expected


@pytest.mark.parametrize(
    "template",
    [
        "{",
        "{.kind",
        "{.items[0}",
        "{end}",
        "{range .items[*]}",
        "{}",
        "{'a}",
        '{"a}',
        "{.items[?(@.n>)]}",
        "{...}",
        "{range}{end}",
    ],
)
def test_what_is_no_template_is_said_in_one_line(template: str) -> None:
    with pytest.raises(UsageError) as raised:
        render_template(template, DOCUMENT)
    assert raised.value.line.startswith("jsonpath: ")
    assert "\n" not in raised.value.line


@pytest.mark.parametrize("path", [".kind", "kind", "{.kind}", "$.kind"])
def test_a_path_for_a_column_needs_no_braces(path: str) -> None:
    assert find(path, DOCUMENT) == ["List"]


def test_control_characters_are_shown() -> None:
    assert render_template("{.a}", {"a": "\x1b[31m"}) == r"\x1b[31m"
