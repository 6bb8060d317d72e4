"""The documents in a file: JSON or YAML, one or many, each with the line where it starts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from kubectl_kubex.offline.archives import File, Unreadable
from kubectl_kubex.offline.bounds import BadDocument, check_depth
from kubectl_kubex.offline.yaml_reader import read_yaml

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
# As kubectl splits a stream: dashes at the start of a line with nothing but blanks or a comment after them.
_SEPARATOR = re.compile(r"^---(?=[ \t]*(?:#.*)?\r?$)", re.MULTILINE)
_SOMETHING = re.compile(r"^[ \t]*[^\s#%]", re.MULTILINE)
_BLANK = re.compile(r"\s*")


def documents(file: File) -> Iterator[Any]:
    """Every document that holds something. One that cannot be read is an `Unreadable` and does not end the reading of a
    YAML file; in a JSON file all that follows it is lost."""
    try:
        text = _decode(file.content)
        reader = _json if text.lstrip()[:1] in ("{", "[") else _yaml
        yield from reader(text, file.name)
    except BadDocument as error:
        yield Unreadable(file.name, error.reason)


def _decode(content: bytes) -> str:
    encoding = next((encoding for bom, encoding in _BOMS if content.startswith(bom)), "utf-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadDocument(f"not {encoding.upper()} text: byte {error.start + 1} makes no sense") from None


def _yaml(text: str, name: str) -> Iterator[Any]:
    line = 0
    for part in _SEPARATOR.split(text):
        if _SOMETHING.search(part):
            try:
                yield from (document for document in read_yaml(part) if document is not None)
            except BadDocument as error:
                yield Unreadable(name, f"{error.reason} (line {line + max(error.line, 1)})")
        line += part.count("\n")


def _json(text: str, name: str) -> Iterator[Any]:
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)
    position = _skip(text, 0)
    while position < len(text):
        try:
            document, end = decoder.raw_decode(text, position)
            check_depth(document)
        except json.JSONDecodeError as error:
            yield Unreadable(name, f"not JSON: {error.msg} (line {error.lineno})")
            return
        except RecursionError:
            raise BadDocument("nested too deeply") from None
        except BadDocument:
            raise
        except ValueError as error:
            raise BadDocument(f"not JSON: {error}") from None
        yield document
        position = _skip(text, end)


def _skip(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    pairs = list(pairs)
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index]))
        raise BadDocument(f"the key {twice!r} stands there twice")
    return found


def _refuse(name: str) -> None:
    raise BadDocument(f"not JSON: {name}")


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise BadDocument(f"not a number of JSON: {text[:40]}")
    return number
