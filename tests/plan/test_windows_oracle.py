"""Scheduling windows against an oracle by brute force: what zoneinfo's wall clock shows at every single minute.

The oracle knows no edges, no arithmetic of days and nothing of the program's: for each zone it reads the clock at each
of the 20,160 minutes of two weeks, once around either change of the clocks, and looks each reading up in a window's
table of the 10,080 minutes of a week. Comparing all of them for 2,000 strategies would take an hour, so all of them get
every minute where the oracle's answer changes, the ones beside it, and random ones; some get every minute.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import pairwise
from operator import itemgetter
from zoneinfo import ZoneInfo

import pytest

from kubectl_kubex.core.plan.strategy import Scheduling, Window
from kubectl_kubex.core.plan.windows import Weekdays, allows, next_open_read

SPANS = {
    "spring": datetime(2026, 3, 25, tzinfo=timezone.utc),  # London and Berlin on 29 March, Sydney on 5 April
    "autumn": datetime(2026, 10, 22, tzinfo=timezone.utc),  # London and Berlin on 25 October, New York on 1 November
}
MINUTES = 14 * 1440
NONE = bytes(1440)
ZONES = ("UTC", "Europe/London", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
         "Pacific/Apia")  # fmt: skip
STRATEGIES = 2000
WHOLE_MINUTES = 12


@cache
def wall_clock(zone: str, span: str) -> Callable[[bytes], Sequence[int]]:
    """Looks a table of the week up at what the wall clock shows at each minute of the span."""
    info, start = ZoneInfo(zone), SPANS[span]
    shown = ((start + timedelta(minutes=minute)).astimezone(info) for minute in range(MINUTES))
    minutes = (local.weekday() * 1440 + local.hour * 60 + local.minute for local in shown)
    first, second, *others = minutes
    return itemgetter(first, second, *others)


def either(one: bytes, other: bytes) -> bytes:
    return (int.from_bytes(one, "big") | int.from_bytes(other, "big")).to_bytes(len(one), "big")


def table(window: Window, weekdays: Weekdays) -> bytes:
    """For each minute of a week, 1 where it is inside."""
    late = window.start < window.end
    evening = b"\0" * window.start + b"\1" * ((window.end if late else 1440) - window.start)
    evening += b"\0" * (1440 - len(evening))
    morning = b"\0" * 1440 if late else b"\1" * window.end + b"\0" * (1440 - window.end)
    on = [not window.weekdays or day in window.weekdays for day in range(7)]
    before = [on[day - 1] for day in range(7)] if weekdays is Weekdays.OF_START else on
    return b"".join(either(evening if on[day] else NONE, morning if before[day] else NONE) for day in range(7))


def membership(windows: Sequence[Window], span: str, weekdays: Weekdays) -> int:
    """The minutes of the span inside any of the windows, as the bytes of one number, the first minute the highest."""
    found = 0
    for window in windows:
        found |= int.from_bytes(bytes(wall_clock(window.zone_name, span)(table(window, weekdays))), "big")
    return found


def oracle(schedules: Sequence[Scheduling], span: str, weekdays: Weekdays) -> bytes:
    every = int.from_bytes(b"\1" * MINUTES, "big")
    answer = every
    for scheduling in schedules:
        if scheduling.inclusions:
            answer &= membership(scheduling.inclusions, span, weekdays)
        answer &= every ^ membership(scheduling.exclusions, span, weekdays)
    return answer.to_bytes(MINUTES, "big")


def a_window(rng: random.Random) -> Window:
    zone = rng.choice(ZONES)
    start = rng.choice((0, 60, 90, 120, 150, 540, 1320, 1380, rng.randrange(1440)))
    end = rng.choice((1440, 60, 90, 120, 150, 180, 1020, 1380, rng.randrange(1, 1441)))
    end = end if end != start else end + 1
    days = frozenset(rng.sample(range(7), rng.choice((0, 0, 1, 2, 5))))
    return Window(start, end, days, ZoneInfo(zone), zone)


def a_scheduling(rng: random.Random) -> Scheduling:
    inclusions = [a_window(rng) for _ in range(rng.choice((0, 1, 1, 2)))]
    return Scheduling(tuple(inclusions), tuple(a_window(rng) for _ in range(rng.choice((0, 0, 1, 2)))))


def allowed(schedules: Sequence[Scheduling], at: datetime, weekdays: Weekdays) -> bool:
    return all(allows(scheduling, at, weekdays) for scheduling in schedules)


def interesting(answer: bytes, rng: random.Random, extra: int) -> list[int]:
    """Minutes on both sides of each change of the answer, and random ones."""
    found = {rng.randrange(MINUTES) for _ in range(extra)}
    for change in (b"\0\1", b"\1\0"):
        at = answer.find(change)
        while at >= 0:
            found |= {at, at + 1}
            at = answer.find(change, at + 1)
    return sorted(found)


def asked(answer: bytes, rng: random.Random) -> list[int]:
    """Minutes from which to ask for the next opening: random ones, and some of those at which something closes, the
    days of a change of the clocks among them."""
    closings = [match.start() + 1 for match in re.finditer(b"\1\0", answer)]
    close = [a for a, b in pairwise(closings) if b - a < 1440]
    return [rng.randrange(MINUTES), *rng.sample(closings, min(2, len(closings))), *close[:2]]


@pytest.mark.slow
@pytest.mark.parametrize("span", SPANS)
def test_open_and_next_open_agree_with_every_minute_of_the_wall_clock(span: str) -> None:
    rng = random.Random(f"windows {span}")
    start, compared, opened = SPANS[span], 0, 0
    for number in range(STRATEGIES):
        schedules = [a_scheduling(rng) for _ in range(rng.choice((1, 1, 1, 2)))]
        weekdays = rng.choice(tuple(Weekdays))
        answer = oracle(schedules, span, weekdays)
        whole = number < WHOLE_MINUTES
        for minute in range(MINUTES) if whole else interesting(answer, rng, 12):
            at = start + timedelta(minutes=minute, seconds=rng.randrange(60))
            assert allowed(schedules, at, weekdays) is bool(answer[minute]), (schedules, at)
            compared += 1
        for minute in asked(answer, rng):
            opens = answer.find(b"\1", minute)
            found = next_open_read(tuple(schedules), start + timedelta(minutes=minute), weekdays)
            if opens >= 0:
                assert found == start + timedelta(minutes=opens), (schedules, minute)
                opened += opens > minute
            else:
                assert found is None or found >= start + timedelta(minutes=MINUTES), (schedules, minute)
    assert compared > 20 * STRATEGIES
    assert opened > STRATEGIES / 2
