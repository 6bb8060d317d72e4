"""LimitRange, ResourceQuota and Node objects to core values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from kubectl_kubex.codec.shapes import at, mapping, name_of, objects, text
from kubectl_kubex.core.plan.amounts import amount, plain
from kubectl_kubex.core.plan.facts import LimitRange, Node, Quota

_ENDED = ("Succeeded", "Failed")


def quantities(value: object) -> dict[str, str]:
    """Resource -> quantity as written. The API allows bare numbers."""
    return {
        name: str(member)
        for name, member in mapping(value).items()
        if isinstance(member, str | int | float) and not isinstance(member, bool)
    }


def decode_limit_ranges(raw: Mapping[str, Any]) -> Iterator[LimitRange]:
    """One value for each entry of the object."""
    for entry in objects(at(raw, "spec", "limits")):
        sides = [quantities(entry.get(side)) for side in ("min", "max", "default", "defaultRequest")]
        yield LimitRange(name_of(raw), text(entry.get("type")) or "", *sides)


def decode_quota(raw: Mapping[str, Any]) -> Quota:
    used = at(raw, "status", "used")
    scoped = bool(at(raw, "spec", "scopes") or at(raw, "spec", "scopeSelector"))
    hard = quantities(at(raw, "spec", "hard"))
    return Quota(name_of(raw), hard, quantities(used) if isinstance(used, Mapping) else None, scoped)


def decode_node(raw: Mapping[str, Any], pods: Iterable[Mapping[str, Any]] | None) -> Node:
    """A node with the requests of all pods on it. `pods`: all that were read, of any node; None: they were not."""
    name = name_of(raw)
    requested = None
    if pods is not None:
        requested = _requests(pod for pod in pods if at(pod, "spec", "nodeName") == name)
    return Node(name, quantities(at(raw, "status", "allocatable")), requested)


def _requests(pods: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    totals = {"cpu": Decimal(0), "memory": Decimal(0)}
    for pod in pods:
        if at(pod, "status", "phase") not in _ENDED:
            for resource in totals:
                totals[resource] += _pod_request(pod, resource)
    return {resource: plain(whole) for resource, whole in totals.items()}


def _pod_request(pod: Mapping[str, Any], resource: str) -> Decimal:
    """What the scheduler counts: containers and sidecars, or the largest init step, plus overhead."""
    running = sum((_request(c, resource) for c in objects(at(pod, "spec", "containers"))), Decimal(0))
    sidecars, largest = Decimal(0), Decimal(0)
    for container in objects(at(pod, "spec", "initContainers")):
        request = _request(container, resource)
        if container.get("restartPolicy") == "Always":
            sidecars += request
            largest = max(largest, sidecars)
        else:
            largest = max(largest, sidecars + request)
    overhead = amount(quantities(at(pod, "spec", "overhead")).get(resource)) or Decimal(0)
    return max(running + sidecars, largest) + overhead


def _request(container: Mapping[str, Any], resource: str) -> Decimal:
    return amount(quantities(at(container, "resources", "requests")).get(resource)) or Decimal(0)
