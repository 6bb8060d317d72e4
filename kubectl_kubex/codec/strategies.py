"""AutomationStrategy and ClusterAutomationStrategy objects to `Strategy` values. Missing fields take the CRD's defaults
(engine.md 1.4); a field that makes no sense becomes the strategy's `problem`, never an exception."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kubectl_kubex.codec.durations import parse_duration
from kubectl_kubex.codec.shapes import at, integer, mapping, name_of, namespace_of, text
from kubectl_kubex.codec.zones import find_zone
from kubectl_kubex.core.kinds import Kind
from kubectl_kubex.core.model import PolicyRef, Usage
from kubectl_kubex.core.plan.amounts import amount
from kubectl_kubex.core.plan.strategy import (
    GATE_DEFAULTS,
    Bounds,
    Gates,
    Safety,
    Scheduler,
    Scheduling,
    Strategy,
    Window,
)

_TIME = re.compile(r"(?:([01]\d|2[0-3]):([0-5]\d)|24:00)", re.ASCII)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = {spelling: day for day, name in enumerate(_WEEKDAYS) for spelling in (name, name[:3])}

# Safety's field -> the CRD's.
_FLAGS = {
    "pause": "enablePauseUntilAnnotationCheck",
    "quota": "enableResourceQuotaFilter",
    "hpa": "enableHpaFilter",
    "vpa": "enableVpaFilter",
    "vpa_controlled": "blockResizeOnVpaControlledResources",
    "limit_range": "enableLimitRangeFilter",
    "pod_limit_range": "enablePodLimitRangeFilter",
    "node_allocatable": "requireNodeAllocatable",
    "max_unavailable": "respectWorkloadMaxUnavailable",
    "owner_pods_ready": "requireOwnerPodsReady",
    "retain_guaranteed": "retainGuaranteedQOS",
}
_PERCENTS = {"min_cpu_change": "minCpuChangePercent", "min_memory_change": "minMemoryChangePercent"}
_DURATIONS = {"min_ready": "minReadyDuration", "retry_interval": "resizeRetryInterval"}
_HEADROOMS = {"cpu_headroom": "nodeCpuHeadroom", "memory_headroom": "nodeMemoryHeadroom"}


@dataclass
class _Reader:
    """Reads optional fields; notes those of a wrong type or form."""

    problems: list[str] = field(default_factory=list)

    def flag(self, value: object, default: bool, path: str) -> bool:  # noqa: FBT001 - a default of a flag is one
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.note(path)
        return default

    def word(self, value: object, default: str, path: str) -> str:
        found = text(value)
        if value is not None and found is None:
            self.note(path)
        return default if found is None else found

    def quantity(self, value: object, path: str) -> str | None:
        written = str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)
        if value is None or amount(written) is not None:
            return written
        self.note(path)
        return None

    def note(self, path: str) -> None:
        """The field at `path` makes no sense."""
        self.problems.append(path)


def decode_strategy(kind: Kind, raw: Mapping[str, Any]) -> Strategy:
    """One strategy object."""
    reader = _Reader()
    spec = raw.get("spec")
    if not isinstance(spec, Mapping | None):
        reader.note("spec")
    scheduler = reader.word(at(spec, "enablement", "overrideScheduler"), "none", "spec.enablement.overrideScheduler")
    if scheduler not in {member.value for member in Scheduler}:
        reader.note("spec.enablement.overrideScheduler")
        scheduler = "none"

    def flag(path: str, *, default: bool) -> bool:
        return reader.flag(at(spec, *path.split(".")), default, f"spec.{path}")

    strategy = Strategy(
        PolicyRef(kind.name, namespace_of(raw) if kind.namespaced else None, name_of(raw)),
        _gates(at(spec, "enablement"), reader),
        Scheduler(scheduler),
        reader.word(at(spec, "kai", "queue"), Strategy.queue, "spec.kai.queue"),
        flag("kai.setQueueWhenSpecified", default=False),
        flag("inPlaceResize.enabled", default=True),
        flag("inPlaceResize.containerRestart", default=False),
        flag("podEviction.enabled", default=True),
        flag("podEviction.retryPodDisruptionBudget", default=True),
        _scheduling(at(spec, "scheduling"), reader),
        _safety(at(spec, "safetyChecks"), reader),
    )
    return replace(strategy, problem=reader.problems[0] if reader.problems else None)


def _gates(enablement: object, reader: _Reader) -> dict[tuple[str, Usage], Gates]:
    return {
        (resource, usage): _gate(
            at(enablement, resource, usage.value), default, f"spec.enablement.{resource}.{usage.value}", reader
        )
        for (resource, usage), default in GATE_DEFAULTS.items()
    }


def _gate(value: object, default: Gates, path: str, reader: _Reader) -> Gates:
    containers = mapping(at(value, "containers"))
    return Gates(
        reader.flag(at(value, "upsize"), default.upsize, f"{path}.upsize"),
        reader.flag(at(value, "downsize"), default.downsize, f"{path}.downsize"),
        reader.flag(at(value, "setFromUnspecified"), default.set_from_unspecified, f"{path}.setFromUnspecified"),
        _bounds(value, path, reader),
        {name: _bounds(own, f"{path}.containers[{name}]", reader) for name, own in sorted(containers.items())},
    )


def _bounds(value: object, path: str, reader: _Reader) -> Bounds:
    return Bounds(
        reader.quantity(at(value, "floor"), f"{path}.floor"), reader.quantity(at(value, "ceiling"), f"{path}.ceiling")
    )


def _safety(value: object, reader: _Reader) -> Safety:
    found: dict[str, Any] = {}
    for name, key in _FLAGS.items():
        found[name] = reader.flag(at(value, key), getattr(Safety, name), f"spec.safetyChecks.{key}")
    for name, key in _PERCENTS.items():
        percent = integer(at(value, key))
        _put(found, name, None if percent is None or percent < 0 else percent, at(value, key), key, reader)
    for name, key in _DURATIONS.items():
        _put(found, name, parse_duration(at(value, key)), at(value, key), key, reader)
    for name, key in _HEADROOMS.items():
        _put(found, name, _headroom(at(value, key)), at(value, key), key, reader)
    return Safety(**found)


def _put(found: dict[str, Any], name: str, decoded: object, written: object, key: str, reader: _Reader) -> None:
    """Take a decoded field; one that is written and could not be decoded is a problem, and the default stays."""
    if decoded is not None:
        found[name] = decoded
    elif written is not None:
        reader.note(f"spec.safetyChecks.{key}")


def _headroom(value: object) -> str | None:
    written = str(value) if integer(value) is not None else text(value)
    return written if written is not None and amount(written.removesuffix("%")) is not None else None


def _scheduling(value: object, reader: _Reader) -> Scheduling:
    return Scheduling(
        _windows(at(value, "inclusionWindows"), "spec.scheduling.inclusionWindows", reader),
        _windows(at(value, "exclusionWindows"), "spec.scheduling.exclusionWindows", reader),
    )


def _windows(value: object, path: str, reader: _Reader) -> tuple[Window, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        reader.note(path)
        return ()
    return tuple(_window(member, f"{path}[{index}]", reader) for index, member in enumerate(value))


def _window(value: object, path: str, reader: _Reader) -> Window:
    """A zone that is not known stays in the window, for the check of the windows to say."""
    start = _minute(reader.word(at(value, "start"), "00:00", f"{path}.start"))
    end = _minute(reader.word(at(value, "end"), "24:00", f"{path}.end"))
    zone = reader.word(at(value, "timezone"), "UTC", f"{path}.timezone")
    days = at(value, "weekdays")
    named = [_DAYS.get(day.lower()) if isinstance(day, str) else None for day in days] if isinstance(days, list) else []
    sensible = start is not None and end is not None and start != end and start < 1440 and None not in named
    if not sensible or not isinstance(value, Mapping) or not isinstance(days, list | None):
        reader.note(path)
        return Window()
    known = frozenset(day for day in named if day is not None)
    name = text(at(value, "name")) or ""
    return Window(start or 0, end if end is not None else 1440, known, find_zone(zone), zone, name)


def _minute(written: str) -> int | None:
    match = _TIME.fullmatch(written)
    if match is None:
        return None
    return 1440 if match[1] is None else int(match[1]) * 60 + int(match[2])
