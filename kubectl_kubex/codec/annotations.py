"""Recommendation annotations: text on a workload to `Recommendation` values. Both payload forms, at any time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from kubectl_kubex.codec.shapes import text
from kubectl_kubex.codec.times import parse_time
from kubectl_kubex.core.model import Usage
from kubectl_kubex.core.quantity import QuantityError, parse_quantity
from kubectl_kubex.core.recommendation import Form, Hook, Recommendation, Timestamps, Value

# engine.md 3.1. The digest's algorithm is unpublished: it only groups, it is never recomputed.
_RESOURCES = re.compile(
    r"([a-z]+)\.rightsizing\.kubex\.ai/(?:h([A-Za-z0-9_-]+)-)?desired-resource-(requests|limits)", re.ASCII
)
_HOOK = re.compile(r"([a-z]+)\.rightsizing\.kubex\.ai/pod-runtime-hook", re.ASCII)

# The timestamp's field name is unpublished (engine.md 14.1): these are tried first, then any RFC3339 text at the top.
TIMESTAMP_FIELDS = ("creationTimestamp", "policyCreationTimestamp", "createdAt")


class PayloadError(ValueError):
    """The payload is not one; the message says what is wrong with it, for a sentence."""


class _Number(str):
    """A JSON number, kept as written."""

    __slots__ = ()


def decode_recommendations(annotations: Mapping[str, str]) -> tuple[Recommendation, ...]:
    """Every `desired-resource-*` annotation, in key order. A payload that cannot be read is one with a `problem`."""
    matches = ((key, _RESOURCES.fullmatch(key)) for key in sorted(annotations))
    return tuple(_recommendation(match, annotations[key]) for key, match in matches if match)


def decode_hooks(annotations: Mapping[str, str]) -> tuple[Hook, ...]:
    """Every `pod-runtime-hook` annotation, in key order."""
    matches = (_HOOK.fullmatch(key) for key in sorted(annotations))
    return tuple(Hook(match[0], match[1]) for match in matches if match)


def is_recommendation_key(key: str) -> bool:
    return _RESOURCES.fullmatch(key) is not None


def _recommendation(match: re.Match[str], payload: str) -> Recommendation:
    key, prefix, digest, usage = match[0], match[1], match[2], Usage(match[3])
    try:
        content = _parse(payload)
        if _is_envelope(content):
            return _envelope(Recommendation(key, prefix, digest, usage, Form.ENVELOPE), content)
        return Recommendation(key, prefix, digest, usage, Form.BARE, _values(content))
    except PayloadError as error:
        return Recommendation(key, prefix, digest, usage, Form.UNREADABLE, problem=str(error))


def _parse(payload: str) -> dict[str, Any]:
    try:
        content = json.loads(
            payload,
            object_pairs_hook=_unique,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise PayloadError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise PayloadError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(content, dict):
        raise PayloadError(f"not a JSON object but {_describe(content)}")
    return content


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise PayloadError(f"duplicate key {name!r}")
        content[name] = value
    return content


def _refuse_constant(name: str) -> None:
    raise PayloadError(f"{name} is not JSON")


def _describe(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, _Number):
        return "a number"
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else "a string"


def _is_envelope(content: dict[str, Any]) -> bool:
    """A top-level `containers` makes an envelope, unless it is a container of that very name in a bare map."""
    if "containers" not in content:
        return False
    members = content["containers"]
    holds_quantities = isinstance(members, dict) and any(isinstance(member, str) for member in members.values())
    return not holds_quantities or "policyKind" in content or "policyName" in content


def _envelope(found: Recommendation, content: dict[str, Any]) -> Recommendation:
    containers = content["containers"]
    if not isinstance(containers, dict):
        raise PayloadError(f"containers is not an object but {_describe(containers)}")
    return Recommendation(
        found.key,
        found.prefix,
        found.digest,
        found.usage,
        Form.ENVELOPE,
        _values(containers),
        policy_kind=_optional_text(content, "policyKind"),
        policy_namespace=_optional_text(content, "policyNamespace"),
        policy_name=_optional_text(content, "policyName"),
        weight=_weight(content),
        timestamps=_timestamps(content),
    )


def _optional_text(content: dict[str, Any], field: str) -> str | None:
    value = content.get(field)
    if value is not None and (not isinstance(value, str) or isinstance(value, _Number)):
        raise PayloadError(f"{field} is not a string but {_describe(value)}")
    return value or None


def _weight(content: dict[str, Any]) -> int | None:
    value = content.get("weight")
    if value is None:
        return None
    if not isinstance(value, _Number) or not re.fullmatch(r"\d{1,10}", value, re.ASCII) or int(value) >= 2**31:
        raise PayloadError("weight is not an int32 of 0 or more")
    return int(value)


def _timestamps(content: dict[str, Any]) -> Timestamps:
    probed = [field for field in TIMESTAMP_FIELDS if content.get(field) is not None]
    unreadable = tuple(field for field in probed if parse_time(content[field]) is None)
    others = sorted(field for field, value in content.items() if field not in probed and text(value) is not None)
    found: list[tuple[str, datetime]] = []
    for field in probed or others:
        time = parse_time(content[field])
        if time is not None:
            found.append((field, time))
    return Timestamps(tuple(found), unreadable)


def _values(containers: dict[str, Any]) -> tuple[Value, ...]:
    values: list[Value] = []
    for container, resources in containers.items():
        if resources is None:
            continue
        if not isinstance(resources, dict):
            raise PayloadError(f"container {container!r} is not an object but {_describe(resources)}")
        values += [_value(container, resource, written) for resource, written in resources.items()]
    return tuple(values)


def _value(container: str, resource: str, written: object) -> Value:
    if not isinstance(written, str) or isinstance(written, _Number):
        shown = written if isinstance(written, _Number) else _describe(written)
        return Value(container, resource, None, shown)
    try:
        return Value(container, resource, parse_quantity(written).text, written)
    except QuantityError:
        return Value(container, resource, None, written)
