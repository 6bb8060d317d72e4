"""Editing a PolicyEvaluation as raw object: only what was named changes; unknown fields and entry order stay."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import at
from kubectl_kubex.core.kinds import API_VERSION, DEFAULT_PRECEDENCE, PRECEDENCE_KIND, PRECEDENCE_NAME


class EditError(ValueError):
    """The list cannot be edited safely; the message says why, for a sentence."""


def with_priorities(
    raw: RawObject,
    priorities: Mapping[str, int],
    removed: frozenset[str] = frozenset(),
    collapsed: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """A copy of `raw` in which each type of `priorities` has that priority and no type of `removed` is listed. A type
    that is not listed yet is appended. Of a type in `collapsed` only the first entry stays. Raises EditError where the
    list is malformed or lists another named type twice."""
    edited: dict[str, Any] = copy.deepcopy(dict(raw))
    spec = edited.setdefault("spec", {})
    if not isinstance(spec, dict):
        raise EditError("spec is not an object")
    entries = spec.get("precedence")
    if entries is None:
        entries = []
    if not isinstance(entries, list):
        raise EditError("spec.precedence is not a list")
    entries = [entry for i, entry in enumerate(entries) if not _repeats(entry, entries[:i], collapsed)]
    for name, priority in priorities.items():
        _set(entries, name, priority)
    spec["precedence"] = [entry for entry in entries if at(entry, "type") not in removed]
    return edited


def _set(entries: list[Any], name: str, priority: int) -> None:
    positions = [index for index, entry in enumerate(entries) if at(entry, "type") == name]
    if len(positions) > 1:
        listed = " and ".join(str(index + 1) for index in positions)
        raise EditError(f"{name} is listed twice, at positions {listed}: remove one of them first (edit)")
    if positions:
        entries[positions[0]]["priority"] = priority
    else:
        entries.append({"type": name, "priority": priority})


def _repeats(entry: object, before: list[Any], collapsed: frozenset[str]) -> bool:
    name = at(entry, "type")
    return name in collapsed and any(at(earlier, "type") == name for earlier in before)


def default_object() -> dict[str, Any]:
    """A PolicyEvaluation with the chart's defaults, unowned."""
    return {
        "apiVersion": API_VERSION,
        "kind": PRECEDENCE_KIND.name,
        "metadata": {"name": PRECEDENCE_NAME},
        "spec": {"precedence": [{"type": name, "priority": priority} for name, priority in DEFAULT_PRECEDENCE]},
    }
