"""Whole lists, page by page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from kubectl_kubex.cluster.failures import Expired, not_a_list
from kubectl_kubex.codec.shapes import at, objects

LIMIT = 500
Get = Callable[[str, Mapping[str, str]], Mapping[str, Any]]


def read_all(
    get: Get, path: str, params: Mapping[str, str], keep: Callable[[dict[str, Any]], dict[str, Any] | None]
) -> tuple[dict[str, Any], ...]:
    """Every object of a list as `keep` returns it, None left out; a page is dropped before the next is read.

    An expired page (410) means that the rest of this state of the list cannot be had, whatever token comes with it: a
    list of two states could miss an object or have it twice. So it starts over, and the second time in one piece, as
    client-go does. Raises what `get` raises.
    """
    for _ in range(2):
        with suppress(Expired):
            return _read(get, path, {**params, "limit": str(LIMIT)}, keep)
    return _read(get, path, params, keep)


def _read(
    get: Get, path: str, params: Mapping[str, str], keep: Callable[[dict[str, Any]], dict[str, Any] | None]
) -> tuple[dict[str, Any], ...]:
    found: list[dict[str, Any]] = []
    token = ""
    while True:
        page = get(path, {**params, "continue": token} if token else params)
        if not isinstance(page.get("items", ...), list | None):
            raise not_a_list()
        kept = (keep(dict(member)) for member in objects(page.get("items")))
        found += [member for member in kept if member is not None]
        following = at(page, "metadata", "continue")
        if not following:
            return tuple(found)
        if not isinstance(following, str) or following == token:
            raise not_a_list()
        token = following
