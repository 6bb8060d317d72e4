"""A document in one of the forms that need nothing but the document."""

from __future__ import annotations

from collections.abc import Sequence

from kubectl_kubex.render.documents import Document
from kubectl_kubex.render.formats import CUSTOM_COLUMNS, JSON, JSONPATH, NAME, YAML, Format
from kubectl_kubex.render.paper import Page, Paper


def print_document(
    document: Document, output: Format, rows: Sequence[Document], page: Page, *, headers: bool = True
) -> str:
    """`document` as `output` asks; `rows` are its rows for custom-columns. Raises UsageError for a bad template."""
    if output.name == JSON:
        from kubectl_kubex.render.machine import to_json  # noqa: PLC0415 - each form imports only what it needs

        return to_json(document)
    if output.name == YAML:
        from kubectl_kubex.render.machine import to_yaml  # noqa: PLC0415

        return to_yaml(document)
    if output.name == JSONPATH:
        from kubectl_kubex.render.jsonpath import render_template  # noqa: PLC0415

        return render_template(output.argument, document)
    from kubectl_kubex.render.custom_columns import print_columns  # noqa: PLC0415

    paper = Paper(page)
    print_columns(output.argument, rows, paper, headers=headers)
    return paper.text()


def preload(output: Format) -> None:
    """Import now what `output` will need, so that it does not have to be awaited later."""
    import importlib  # noqa: PLC0415 - not for a run that reads files

    for name in _NEEDS.get(output.name, ("tabulate",)):
        importlib.import_module(name)


_NEEDS = {
    JSON: (),
    NAME: (),
    YAML: ("yaml",),
    JSONPATH: ("jsonpath",),
    CUSTOM_COLUMNS: ("jsonpath", "tabulate"),
}
