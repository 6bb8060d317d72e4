from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.render.paper import Cell, Note, Page, Paper, Style
from kubectl_kubex.render.visible import visible

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with blanks", "plain, with blanks"),
        ("naïve 名前 🚀", "naïve 名前 🚀"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("bell\x07, backspace\x08, delete\x7f", r"bell\x07, backspace\x08, delete\x7f"),
        ("two\nlines\r\tand a tab", r"two\nlines\r\tand a tab"),
        ("\x9b31m", r"\x9b31m"),
        ("a\u202eb\u200bc\u2028d", r"a\u202eb\u200bc\u2028d"),
        ("lone \ud800 surrogate", r"lone \ud800 surrogate"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_a_terminal_would_act_on_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.lists(st.text(), min_size=1, max_size=4), st.booleans(), st.sampled_from([None, 30, 80]))
def test_nothing_else_reaches_the_paper(texts: list[str], colour: bool, width: int | None) -> None:
    paper = Paper(Page(width, colour=colour))
    for text in texts:
        paper.line(text, Style.ALERT)
        paper.raw(text, Style.STRONG)
    paper.fields([(text, text) for text in texts])
    paper.table(texts, [[Cell(text, Style.FAINT) for text in texts]], {0: [Note(texts[0])]})
    ours = ESCAPES.sub("", paper.text()) if colour else paper.text()
    assert all(character.isprintable() for line in ours.split("\n") for character in line)


@pytest.mark.parametrize(
    "name", ["0012", "1e3", "nan", "20200407_2", "42924e28", "  x", "1_000", "0x10", "inf", "None"]
)
def test_a_name_stays_what_it_is(name: str) -> None:
    paper = Paper(Page())
    paper.table(["NAME", "VALUE"], [[Cell("first"), Cell(name)], [Cell(name), Cell("")]])
    assert paper.text().splitlines()[1].endswith(f"  {name}")
    assert paper.text().splitlines()[2] == name.rstrip()


def test_wide_characters_keep_columns_aligned() -> None:
    paper = Paper(Page())
    paper.table(["A", "B"], [[Cell("名前"), Cell("x")], [Cell("ab"), Cell("y")]])
    assert paper.text() == "A     B\n名前  x\nab    y\n"


def test_colour_moves_no_column() -> None:
    rows = [[Cell("a", Style.ALERT), Cell("x")], [Cell("bbb"), Cell("y", Style.STRONG)]]
    plain, coloured = Paper(Page()), Paper(Page(colour=True))
    plain.table(["A", "B"], rows)
    coloured.table(["A", "B"], rows)
    assert "\x1b[" in coloured.text()
    assert ESCAPES.sub("", coloured.text()) == plain.text()


def test_a_long_last_column_is_wrapped_under_itself() -> None:
    paper = Paper(Page(40))
    rows = [[Cell("name"), Cell("as many words as it takes to run over the edge of the page")], [Cell("b"), Cell("c")]]
    paper.table(None, rows, {0: [Note("a note under the first row")]})
    assert paper.text().splitlines() == [
        "name  as many words as it takes to run",
        "      over the edge of the page",
        "  a note under the first row",
        "b     c",
    ]


def test_a_pipe_has_no_edge() -> None:
    paper = Paper(Page(None))
    paper.line("word " * 100)
    paper.table(None, [[Cell("a"), Cell("word " * 100)]])
    assert len(paper.text().splitlines()) == 2


def test_a_table_without_rows_is_its_header() -> None:
    paper = Paper(Page())
    paper.table(["A", "B"], [])
    paper.table(None, [])
    assert paper.text() == "A  B\n"
