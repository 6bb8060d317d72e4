from __future__ import annotations

from typing import Any

import pytest

from kubectl_kubex.errors import UsageError
from kubectl_kubex.render.custom_columns import parse_columns, print_columns, rows_of
from kubectl_kubex.render.paper import Page, Paper

ROWS: list[dict[str, Any]] = [{"name": "0012", "list": [1, 2], "none": None, "deep": {"a.b": "x"}}, {"name": "b"}]


def printed(spec: str, *, headers: bool = True) -> str:
    paper = Paper(Page())
    print_columns(spec, ROWS, paper, headers=headers)
    return paper.text()


def test_a_row_each() -> None:
    assert printed("NAME:.name,LIST:.list[*],NONE:.none") == (
        "NAME  LIST    NONE\n0012  1,2     <none>\nb     <none>  <none>\n"
    )


def test_paths_as_kubectl_takes_them() -> None:
    assert printed("A:name,B:{.name},C:.deep['a.b'],D:.list[0,1]").splitlines()[1].split() == [
        "0012",
        "0012",
        "x",
        "1,2",
    ]


def test_without_headers() -> None:
    assert printed("NAME:.name", headers=False) == "0012\nb\n"


@pytest.mark.parametrize("spec", ["", "NAME", "NAME:", ":.name", "A:.a,,B:.b", "A:.a,"])
def test_what_is_no_column(spec: str) -> None:
    with pytest.raises(UsageError, match="custom-columns: expected <header>:<path>"):
        parse_columns(spec)


def test_a_row_has_the_documents_other_fields_beside_its_own() -> None:
    document = {"kind": "Result", "name": "outer", "rows": [{"name": "inner"}]}
    assert rows_of(document, "rows") == [{"kind": "Result", "name": "inner"}]
