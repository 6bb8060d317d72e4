"""What may stand behind `-o`. Parsed once, at the edge; each command says which of them it can print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kubectl_kubex.errors import UsageError

TABLE, WIDE, TREE, JSON, YAML, NAME = "table", "wide", "tree", "json", "yaml", "name"
JSONPATH, CUSTOM_COLUMNS = "jsonpath", "custom-columns"
WITH_ARGUMENT = (JSONPATH, CUSTOM_COLUMNS)
DOCUMENTS = (JSON, YAML, *WITH_ARGUMENT)
"""The forms that print the result document."""

WHY = (TABLE, WIDE, TREE, NAME, *DOCUMENTS)
LISTS = (TABLE, WIDE, NAME, *DOCUMENTS)
VERSION = (TABLE, JSON, YAML)
DIFF = (TABLE, NAME, JSON, YAML)


class Format(NamedTuple):
    """One way to print. `argument`: the template of jsonpath, the columns of custom-columns."""

    name: str = TABLE
    argument: str = ""


def parse_format(text: str | None, allowed: Sequence[str]) -> Format:
    """`text` as given with `-o`; None is the table. Raises UsageError for anything but the forms in `allowed`."""
    if text is None:
        return Format()
    name, separator, argument = text.partition("=")
    if name not in allowed or bool(separator) != (name in WITH_ARGUMENT) or (separator and not argument):
        raise UsageError(_refusal(text, name, argument, allowed))
    return Format(name, argument)


def spelled(allowed: Sequence[str]) -> list[str]:
    """The forms as a user types them."""
    arguments = {JSONPATH: "jsonpath=TEMPLATE", CUSTOM_COLUMNS: "custom-columns=SPEC"}
    return [arguments.get(name, name) for name in allowed]


def one_of(allowed: Sequence[str]) -> str:
    """The forms for a help text."""
    *most, last = spelled(allowed)
    return f"{', '.join(most)} or {last}"


def _refusal(text: str, name: str, argument: str, allowed: Sequence[str]) -> str:
    if name in WITH_ARGUMENT and name in allowed and not argument:
        kind = "template" if name == JSONPATH else "columns"
        return f"{name} format specified but no {kind} given; write -o {name}=..."
    return f'no output format "{text}"; allowed formats are: {", ".join(spelled(allowed))}'
