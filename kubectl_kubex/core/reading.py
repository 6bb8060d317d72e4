"""Reading: a fact that may be open. Selection asks what holds under *every* reading before it names a winner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, Generic, Protocol, TypeVar

from kubectl_kubex.core.doubts import DoubtCode


class Ordered(Protocol):
    """A value with a total order."""

    def __lt__(self, other: Any, /) -> bool: ...  # noqa: ANN401 - as typeshed's own SupportsLessThan


T = TypeVar("T", bound=Ordered)

ANY_ORDER: frozenset[int] = frozenset({-1, 0, 1})
EQUAL: frozenset[int] = frozenset({0})


@dataclass(frozen=True)
class Reading(Generic[T]):
    """`assumed`: the value in the conditional answer. `possible`: every value that it may have; None: any value.
    `doubt`: why it is open; None when it is not."""

    assumed: T
    possible: frozenset[T] | None
    doubt: DoubtCode | None = None

    @property
    def is_open(self) -> bool:
        return self.possible is None or len(self.possible) != 1


def known(value: T) -> Reading[T]:
    """A fact that is not open."""
    return Reading(value, frozenset({value}))


def one_of(assumed: T, others: Iterable[T], doubt: DoubtCode) -> Reading[T]:
    """A fact with a few possible values. Not open when they are all equal."""
    possible = frozenset({assumed, *others})
    return Reading(assumed, possible, doubt if len(possible) > 1 else None)


def anything(assumed: T, doubt: DoubtCode) -> Reading[T]:
    """A fact that nothing bounds."""
    return Reading(assumed, None, doubt)


def sign(left: T, right: T) -> int:
    """-1 when left sorts first, 1 when right does, 0 when equal."""
    return -1 if left < right else 1 if right < left else 0


def signs(left: Reading[T], right: Reading[T]) -> frozenset[int]:
    """Every `sign` that two independent readings can have."""
    if left.possible is None or right.possible is None:
        return ANY_ORDER
    return frozenset(sign(a, b) for a, b in product(left.possible, right.possible))
