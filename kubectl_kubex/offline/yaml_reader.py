"""YAML as kubectl reads it: YAML 1.1 scalars as Go's parser resolves them, and plain JSON values as the result.

PyYAML by itself makes dates of timestamps and numbers of `12:30`, keeps `y` and `1e3` as strings, stumbles over a bare
`=`, and takes the last of two equal keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from kubectl_kubex.offline.bounds import MAX_DEPTH, SPARE_VALUES, BadDocument

try:
    from yaml import CSafeLoader as _Base
except ImportError:  # PyYAML built without libyaml: the same, slower
    from yaml import SafeLoader as _Base  # type: ignore[assignment]

_TAG = "tag:yaml.org,2002:"
_NULL, _BOOL, _INT, _FLOAT, _STR, _MERGE, _TIME = (
    _TAG + name for name in ("null", "bool", "int", "float", "str", "merge", "timestamp")
)
_TRUE = frozenset({"y", "yes", "true", "on"})
_INTEGER = re.compile(r"[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)")
_REAL = re.compile(r"[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?")


def _words(*names: str) -> str:
    """The spellings of YAML 1.1: yes, Yes, YES."""
    return "|".join(spelling for name in names for spelling in dict.fromkeys((name, name.capitalize(), name.upper())))


class _Loader(_Base):
    """Composes nodes; `_Reader` makes values of them."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - PyYAML's own way


for _tag, _pattern, _first in (
    (_BOOL, re.compile(f"(?:{_words('y', 'n', 'yes', 'no', 'true', 'false', 'on', 'off')})$"), "yYnNtTfFoO"),
    (_NULL, re.compile(f"(?:~|{_words('null')}|)$"), ["~", "n", "N", ""]),
    (_INT, re.compile(f"(?:{_INTEGER.pattern})$"), "-+0123456789"),
    (_FLOAT, re.compile(rf"(?:{_REAL.pattern}|[-+]?\.(?:{_words('inf')})|\.(?:nan|NaN|NAN))$"), "-+0123456789."),
    (_MERGE, re.compile("(?:<<)$"), "<"),
):
    _Loader.add_implicit_resolver(_tag, _pattern, list(_first))


def read_yaml(text: str) -> Iterator[Any]:
    """The documents of `text` as JSON values. Raises BadDocument."""
    try:
        loader = _Loader(text)
        while (node := loader.get_node() if loader.check_node() else None) is not None:
            yield _Reader(len(text) + SPARE_VALUES).value(node, 0)
    except yaml.YAMLError as error:
        raise BadDocument(_sentence(error), _line(error)) from None
    except RecursionError:
        raise BadDocument("nested too deeply") from None


def _line(error: yaml.YAMLError) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return mark.line + 1 if mark else 0


def _sentence(error: yaml.YAMLError) -> str:
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    return f"not YAML: {problem}"


class _Reader:
    """Nodes to values. Aliases are expanded, so the number of values, not of nodes, is what is bounded."""

    def __init__(self, allowed: int) -> None:
        self._left = allowed

    def value(self, node: yaml.Node, depth: int) -> Any:  # noqa: ANN401 - any JSON value
        self._left -= 1
        if depth > MAX_DEPTH:
            raise BadDocument("nested too deeply", node.start_mark.line + 1)
        if self._left < 0:
            raise BadDocument("its aliases expand to more than the document could hold")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(member, depth + 1) for member in node.value]
        return _scalar(node) if isinstance(node, yaml.ScalarNode) else None

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag == _MERGE:
                merged = {**self._merge(value_node, depth), **merged}
                continue
            key = _key(key_node)
            if key in found:
                raise BadDocument(f"the key {key!r} stands there twice", key_node.start_mark.line + 1)
            found[key] = self.value(value_node, depth + 1)
        return {**merged, **found} if merged else found

    def _merge(self, node: yaml.Node, depth: int) -> dict[str, Any]:
        """What `<<` brings in: one mapping, or several of which the first one with a key gives its value."""
        merged: dict[str, Any] = {}
        for source in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            if not isinstance(source, yaml.MappingNode):
                raise BadDocument("<< merges something that is not a mapping", source.start_mark.line + 1)
            merged = {**self.value(source, depth + 1), **merged}
        return merged


def _key(node: yaml.Node) -> str:
    """Keys are strings in JSON: kubectl writes numbers and booleans as their text and refuses the rest."""
    key = _scalar(node) if isinstance(node, yaml.ScalarNode) else None
    if isinstance(key, bool):
        return "true" if key else "false"
    if isinstance(key, float) and key.is_integer() and abs(key) < 1e21:
        return str(int(key))
    if isinstance(key, int | float | str):
        return str(key)
    raise BadDocument("a key that is not a string", node.start_mark.line + 1)


def _scalar(node: yaml.ScalarNode) -> Any:  # noqa: ANN401 - any JSON scalar
    text, tag = node.value, node.tag
    if tag == _NULL:
        return None
    if tag == _BOOL:
        return text.lower() in _TRUE
    if tag == _INT:
        return _integer(text)
    if tag == _FLOAT:
        return _float(text, node)
    if tag in (_STR, _TIME, _MERGE):
        return text
    raise BadDocument(f"the tag {tag.removeprefix(_TAG)!r} has no meaning here", node.start_mark.line + 1)


def _integer(text: str) -> int | str:
    digits = text.replace("_", "").lower()
    octal = re.fullmatch(r"([-+]?)0([0-7]+)", digits)
    try:
        return int(f"{octal[1]}0o{octal[2]}" if octal else digits, 0)
    except ValueError:
        return text


def _float(text: str, node: yaml.ScalarNode) -> float:
    try:
        number = float(text.replace("_", ""))
    except ValueError:
        number = float("nan")
    if number - number != 0:  # infinite, or not a number
        raise BadDocument(f"not a number of JSON: {text[:40]}", node.start_mark.line + 1)
    return number
