"""kubectl's `-o custom-columns=HEADER:.path,...`: one row a target, policy or entry, `<none>` where nothing is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kubectl_kubex.errors import UsageError
from kubectl_kubex.render.documents import Document
from kubectl_kubex.render.jsonpath import find, text_of
from kubectl_kubex.render.names import NONE
from kubectl_kubex.render.paper import Cell, Paper

_COMMA = re.compile(r",(?![^\[]*\])")  # one in brackets belongs to a path


def parse_columns(spec: str) -> tuple[tuple[str, str], ...]:
    """(header, path) of each column. Raises UsageError."""
    columns = []
    for column in _COMMA.split(spec):
        header, separator, path = column.partition(":")
        if not separator or not header or not path:
            raise UsageError(f'custom-columns: expected <header>:<path>, got "{column}"')
        columns.append((header, path))
    return tuple(columns)


def print_columns(spec: str, rows: Iterable[Document], paper: Paper, *, headers: bool = True) -> None:
    """One line for each of `rows`."""
    columns = parse_columns(spec)
    cells = [[Cell(_value(path, row)) for _, path in columns] for row in rows]
    paper.table([header for header, _ in columns] if headers else None, cells)


def _value(path: str, row: Document) -> str:
    found = [NONE if value is None else text_of(value) for value in find(path, row)]
    return ",".join(found) or NONE


def rows_of(document: Document, member: str) -> list[Document]:
    """The list under `member`, each entry with the document's other fields beside it (its own ones win), so that
    `.workload.name` can be a column of a target."""
    others = {name: value for name, value in document.items() if name != member}
    return [{**others, **entry} for entry in document[member]]
