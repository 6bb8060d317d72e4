"""JSON values as text. Halves of surrogate pairs, which no text file can hold, become U+FFFD, as the API server has it.

The YAML is block YAML that every YAML 1.1 reader takes for what it was: any string that could be read as something else
is quoted, no line is folded, no anchors. Many times faster than a general emitter, which a whole cluster needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLAIN = re.compile(r"[A-Za-z/](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
# What YAML does not take as it is within double quotes, or takes for the end of a line.
_SPECIAL = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_HALVES = re.compile("[\ud800-\udfff]")


def yaml_text(document: Mapping[str, Any]) -> str:
    """One document, with a line break at its end."""
    return _HALVES.sub("\ufffd", "".join(f"{line}\n" for line in _lines(document)))


def json_text(document: Mapping[str, Any]) -> str:
    """The same as indented JSON."""
    return _HALVES.sub("\ufffd", json.dumps(document, indent=1, ensure_ascii=False)) + "\n"


def _lines(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """The lines of a value that stands by itself."""
    if isinstance(value, Mapping) and value:
        for key, member in value.items():
            yield from _entry(f"{_string(key)}:", member)
    elif isinstance(value, list | tuple) and value:
        for member in value:
            first, *rest = _lines(member)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
    else:
        yield _scalar(value)


def _entry(key: str, member: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    if isinstance(member, Mapping) and member:
        yield key
        yield from (f"  {line}" for line in _lines(member))
    elif isinstance(member, list | tuple) and member:
        yield key
        yield from _lines(member)
    else:
        yield f"{key} {_scalar(member)}"


def _scalar(value: Any) -> str:  # noqa: ANN401 - any JSON scalar, or an empty collection
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _string(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if '"' in text and text.isprintable() and text.isascii():  # a payload: more readable than with backslashes
        return "'" + text.replace("'", "''") + "'"
    return _SPECIAL.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
