"""Scheduling windows: open or closed at a time, and when next open. Wall-clock arithmetic in each window's own zone.

An overnight window with weekdays can be read two ways, and no public source says which: its weekdays are those on
which it starts, or those of the calendar day in force. Both are computed; where they differ the answer is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta, timezone, tzinfo
from enum import Enum
from functools import partial

from kubectl_kubex.core.plan.strategy import Scheduling, Window

HORIZON = timedelta(days=366)
"""How far ahead a next opening is looked for. Beyond it: never."""
_DAY = timedelta(days=1)
_PERIOD = timedelta(days=9)
"""A week, and what a window or a zone may reach beyond it."""


class Weekdays(Enum):
    """Of which day the weekdays of an overnight window are."""

    OF_START = "of-start"
    OF_CALENDAR = "of-calendar"


def is_inside(window: Window, at: datetime, weekdays: Weekdays = Weekdays.OF_START) -> bool:
    """Whether the wall clock in the window's zone is inside it. A window of an unknown zone contains nothing."""
    if window.zone is None:
        return False
    local = at.astimezone(window.zone)
    minute, today = local.hour * 60 + local.minute, local.weekday()
    if not window.is_overnight:
        return window.start <= minute < window.end and _on(window, today)
    if minute >= window.start:
        return _on(window, today)
    return minute < window.end and _on(window, (today - 1) % 7 if weekdays is Weekdays.OF_START else today)


def _on(window: Window, weekday: int) -> bool:
    return not window.weekdays or weekday in window.weekdays


def allows(scheduling: Scheduling, at: datetime, weekdays: Weekdays = Weekdays.OF_START) -> bool:
    """Inside any inclusion, where there is one, and outside every exclusion."""
    if any(is_inside(window, at, weekdays) for window in scheduling.exclusions):
        return False
    return not scheduling.inclusions or any(is_inside(window, at, weekdays) for window in scheduling.inclusions)


def readings(schedules: Iterable[Scheduling]) -> tuple[Weekdays, ...]:
    """The readings that may give different answers."""
    windows = (window for scheduling in schedules for window in scheduling.windows)
    return tuple(Weekdays) if any(w.is_overnight and w.weekdays for w in windows) else (Weekdays.OF_START,)


def is_open(schedules: Iterable[Scheduling], at: datetime) -> bool | None:
    """Whether all of them allow `at`; None where the two readings of weekdays differ, or a zone is not known."""
    whole = tuple(schedules)
    if any(window.zone is None for scheduling in whole for window in scheduling.windows):
        return None
    answers = {all(allows(scheduling, at, reading) for scheduling in whole) for reading in readings(whole)}
    return answers.pop() if len(answers) == 1 else None


def next_open(schedules: Iterable[Scheduling], after: datetime) -> datetime | None:
    """The earliest time from `after` on at which all of them allow a change, the same under both readings of weekdays.
    None: not within the horizon, the readings give different times, or a zone is not known."""
    whole = tuple(schedules)
    if any(window.zone is None for scheduling in whole for window in scheduling.windows):
        return None
    found = {next_open_read(whole, after, reading) for reading in readings(whole)}
    return found.pop() if len(found) == 1 else None


def next_open_read(schedules: tuple[Scheduling, ...], after: datetime, weekdays: Weekdays) -> datetime | None:
    """... under one reading."""
    start = after.astimezone(timezone.utc)
    if all(allows(scheduling, start, weekdays) for scheduling in schedules):
        return start
    for at in _openings(schedules, start):
        if all(allows(scheduling, at, weekdays) for scheduling in schedules):
            return at
    return None


def _openings(schedules: tuple[Scheduling, ...], after: datetime) -> Iterator[datetime]:
    """Every time at which something may open, in order: a window opens where an inclusion starts, an exclusion ends,
    a day begins (weekdays) or a clock is changed."""
    edges = [(window, window.start) for scheduling in schedules for window in scheduling.inclusions]
    edges += [(window, window.end) for scheduling in schedules for window in scheduling.exclusions]
    edges += [(window, 0) for scheduling in schedules for window in scheduling.windows if window.weekdays]
    marks = {(window.zone, minute) for window, minute in edges if window.zone is not None}
    zones = {zone for zone, _ in marks}
    day, changed = after, after
    while day < after + HORIZON:
        changes = {change for zone in zones for change in clock_changes(zone, day, day + _DAY)}
        changed = day + _DAY if changes else changed
        if day <= changed + _PERIOD:  # later everything repeats, until a clock is changed
            times = changes | {at for zone, minute in marks for at in _at(zone, minute, day)}
            yield from sorted(at for at in times if day < at <= day + _DAY)
        day += _DAY


def _at(zone: tzinfo, minute: int, day: datetime) -> Iterator[datetime]:
    """The instants in the 24 hours after `day` at which the wall clock in `zone` shows `minute`, and some near them;
    both of them where it does so twice."""
    first, last = day.astimezone(zone).date(), (day + _DAY).astimezone(zone).date()
    for shift in range((last - first).days + 1):
        wall = _midnight(first + timedelta(days=shift)) + timedelta(minutes=minute)
        for fold in (0, 1):
            yield wall.replace(tzinfo=zone, fold=fold).astimezone(timezone.utc)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - a wall clock; the zone is set by the caller


def clock_changes(zone: tzinfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """The times in (start, end] at which the zone's offset changes; of several within one span, one."""
    offset: Callable[[datetime], timedelta | None] = partial(_offset, zone)
    if offset(start) == offset(end):
        return
    low, high = start, end
    while high - low > timedelta(microseconds=1):
        middle = low + (high - low) / 2
        low, high = (middle, high) if offset(middle) == offset(start) else (low, middle)
    yield high


def _offset(zone: tzinfo, at: datetime) -> timedelta | None:
    return at.astimezone(zone).utcoffset()
