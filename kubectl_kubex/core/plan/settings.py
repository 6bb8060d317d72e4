"""Settings: pod-wide safety settings, merged strictest-of over the strategies that supply the plan (engine.md 5.4).

Which strategies count is not always certain: one may have been named by an undetermined winner, not be readable, or
have lost its only action on the way. So a setting is asked for as what holds whichever of the possible ones count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from kubectl_kubex.core.plan.amounts import amount
from kubectl_kubex.core.plan.model import Method
from kubectl_kubex.core.plan.strategy import Safety, Strategy
from kubectl_kubex.core.reading import Ordered

T = TypeVar("T", bound=Ordered)


@dataclass(frozen=True)
class Settings:
    """`sure`: strategies that supply an action that stands for certain. `possible`: others that may count too.
    `complete`: there is none beside these."""

    sure: tuple[Strategy, ...]
    possible: tuple[Strategy, ...] = ()
    complete: bool = True

    def flag(self, read: Callable[[Safety], bool]) -> bool | None:
        """A boolean: true where any strategy that counts says so. None: depends on which ones count."""
        sure = [read(strategy.safety) for strategy in self.sure]
        possible = [read(strategy.safety) for strategy in self.possible]
        if any(sure):
            return True
        if not self.complete:
            return None
        if not any(possible):
            return False
        return None if sure or not all(possible) else True

    def span(self, read: Callable[[Safety], T]) -> tuple[T | None, T | None]:
        """The least and the greatest value that the maximum over the strategies can have; None: not bounded."""
        sure = [read(strategy.safety) for strategy in self.sure]
        possible = [read(strategy.safety) for strategy in self.possible]
        if not sure and not possible:
            return None, None
        least = max(sure) if sure else min(possible) if self.complete else None
        return least, max(sure + possible) if self.complete else None

    def headroom(self, read: Callable[[Safety], str], allocatable: Decimal) -> tuple[Decimal | None, Decimal | None]:
        """As `span`, for a percentage of `allocatable` or a quantity. Unreadable ones leave both sides open."""
        if any(reserved(read(strategy.safety), allocatable) is None for strategy in (*self.sure, *self.possible)):
            return None, None
        return self.span(lambda safety: reserved(read(safety), allocatable) or Decimal(0))

    def methods(self, *, every: bool = True) -> tuple[Method, ...]:
        """The methods that all strategies allow: with `every`, the possible ones too."""
        counted = (*self.sure, *self.possible) if every else self.sure
        in_place = all(strategy.in_place for strategy in counted)
        eviction = all(strategy.eviction for strategy in counted)
        return tuple(
            method for method, allowed in ((Method.IN_PLACE, in_place), (Method.EVICTION, eviction)) if allowed
        )

    @property
    def is_certain(self) -> bool:
        """Whether it is known which strategies count."""
        return self.complete and not self.possible


def settings_of(sure: Iterable[Strategy], possible: Iterable[Strategy], *, complete: bool) -> Settings:
    certain = {strategy.ref: strategy for strategy in sure}
    others = {strategy.ref: strategy for strategy in possible if strategy.ref not in certain}
    ordered = [tuple(found[ref] for ref in sorted(found, key=lambda ref: ref.sort_key)) for found in (certain, others)]
    return Settings(ordered[0], ordered[1], complete)


def reserved(headroom: str, allocatable: Decimal) -> Decimal | None:
    """A headroom as an amount. A percentage is of the node's allocatable."""
    if headroom.endswith("%"):
        percent = amount(headroom[:-1])
        return None if percent is None else allocatable * percent / 100
    return amount(headroom)
