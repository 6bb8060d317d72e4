"""kubectl's jsonpath templates: `{.targets[*].container}`, `{range .x[*]}...{end}`. A library finds the paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kubectl_kubex.errors import UsageError
from kubectl_kubex.render.visible import visible

_NAME = re.compile(r"(?:\\.|[^\\.\[\s])+")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class _Literal:
    text: str


@dataclass(frozen=True)
class _Path:
    """`path` in the library's notation."""

    path: str


@dataclass(frozen=True)
class _Range:
    path: str
    body: tuple[_Node, ...]


_Node = _Literal | _Path | _Range
_Token = _Literal | str


def render_template(template: str, document: object) -> str:
    """`document` through a kubectl jsonpath template. What is not there prints as nothing. Raises UsageError."""
    tokens = list(_tokens(template))
    nodes, rest = _parse(tokens, inside_range=False)
    assert not rest  # noqa: S101 - INVARIANT: only an open range leaves tokens, and it raises
    return _render(nodes, document)


def find(path: str, document: object) -> list[object]:
    """Everything at `path`, given as kubectl writes it: `.a.b[*]`, `a.b`, `{.a}`. Raises UsageError."""
    return _find(_translated(path.removeprefix("{").removesuffix("}").strip()), document)


def text_of(value: object) -> str:
    """As kubectl prints one result: text as it is, objects and lists as JSON."""
    if isinstance(value, str):
        return visible(value)
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _tokens(template: str) -> Iterator[_Token]:
    """Text between braces as literals, what is in braces as str."""
    position = 0
    while position < len(template):
        start = template.find("{", position)
        if start < 0:
            yield _Literal(template[position:])
            return
        if start > position:
            yield _Literal(template[position:start])
        end = _closing(template, start)
        yield template[start + 1 : end].strip()
        position = end + 1


def _closing(template: str, start: int) -> int:
    """Where the brace opened at `start` closes; braces in quotes do not count."""
    quote = ""
    position = start + 1
    while position < len(template):
        character = template[position]
        if character == "\\":
            position += 1
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "}":
            return position
        position += 1
    raise UsageError(f"jsonpath: unclosed action in {template!r}")


def _parse(
    tokens: Sequence[_Literal | str], *, inside_range: bool
) -> tuple[tuple[_Node, ...], Sequence[_Literal | str]]:
    """Nodes up to the end, or up to the `end` of a range, and the tokens behind it."""
    nodes: list[_Node] = []
    while tokens:
        action, tokens = tokens[0], tokens[1:]
        if isinstance(action, _Literal):
            nodes.append(action)
        elif action == "end":
            if not inside_range:
                raise UsageError("jsonpath: {end} without {range}")
            return tuple(nodes), tokens
        elif action.startswith("range") and action[5:6] in ("", " ", "\t"):
            body, tokens = _parse(tokens, inside_range=True)
            nodes.append(_Range(_translated(action[5:].strip()), body))
        elif action[:1] in ("'", '"'):
            nodes.append(_Literal(_unquoted(action)))
        else:
            nodes.append(_Path(_translated(action)))
    if inside_range:
        raise UsageError("jsonpath: {range} without {end}")
    return tuple(nodes), tokens


def _render(nodes: Sequence[_Node], document: object) -> str:
    parts = []
    for node in nodes:
        if isinstance(node, _Literal):
            parts.append(node.text)
        elif isinstance(node, _Path):
            parts.append(" ".join(text_of(value) for value in _find(node.path, document)))
        else:
            parts += [_render(node.body, value) for value in _find(node.path, document)]
    return "".join(parts)


def _unquoted(token: str) -> str:
    quote = token[0]
    if len(token) < 2 or not token.endswith(quote):
        raise UsageError(f"jsonpath: unterminated quoted string {token}")
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), token[1:-1], flags=re.DOTALL)


def _translated(path: str) -> str:
    """kubectl's path in the library's notation: an optional leading `$` or `@`, names with any character, a backslash
    before a dot in a name; what is in brackets is taken over."""
    rest = path[1:] if path[:1] in ("$", "@") else path
    if not path:
        raise UsageError("jsonpath: empty path")
    steps = ["$"]
    rest = rest if rest[:1] in ("", ".", "[") else f".{rest}"
    while rest:
        step, rest = _step(rest, path)
        steps.append(step)
    return "".join(steps)


def _step(rest: str, path: str) -> tuple[str, str]:
    if rest.startswith("["):
        end = _bracket_end(rest, path)
        return rest[:end], rest[end:]
    dots = ".." if rest.startswith("..") else "."
    rest = rest[len(dots) :]
    if rest.startswith("["):
        return (".." if dots == ".." else ""), rest
    if not rest and dots == ".":
        return "", ""
    match = _NAME.match(rest)
    if match is None:
        raise UsageError(f"jsonpath: cannot read path {path!r}")
    name = re.sub(r"\\(.)", r"\1", match[0])
    selector = "[*]" if name == "*" else f"[{json.dumps(name)}]"
    return (".." if dots == ".." else "") + selector, rest[match.end() :]


def _bracket_end(rest: str, path: str) -> int:
    quote, depth = "", 0
    for position, character in enumerate(rest):
        if quote:
            quote = "" if character == quote and rest[position - 1] != "\\" else quote
        elif character in "'\"":
            quote = character
        elif character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
            if depth == 0:
                return position + 1
    raise UsageError(f"jsonpath: unclosed bracket in {path!r}")


def _find(path: str, document: object) -> list[object]:
    import jsonpath  # noqa: PLC0415 - slow to import, and only two formats need it

    if not isinstance(document, dict | list):
        return [document] if path == "$" else []
    try:
        return jsonpath.findall(path, document)
    except jsonpath.JSONPathError as error:
        raise UsageError(f"jsonpath: {str(error).splitlines()[0]}") from None
