"""Kubernetes quantities: the exact grammar, compared by value, kept as written.

Grammar: apimachinery's `resource.Quantity`. `Decimal` does the arithmetic behind the grammar
check; it would by itself also take `1_000`, `Infinity` and full-width digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_UP, Context, Decimal
from functools import cached_property

_GRAMMAR = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))"
    r"(?P<suffix>|[numkMGTPE]|[KMGTPE]i|[eE](?P<exponent>[+-]?[0-9]+))",
    re.ASCII,
)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_LARGEST = Decimal(2**63 - 1)
_NANO = Decimal("1e-9")
_MAX_TEXT = 512  # longer than any quantity that is one; bounds the work on hostile input
_MAX_EXPONENT = 2**31 - 1
_CONTEXT = Context(prec=2 * _MAX_TEXT)


class QuantityError(ValueError):
    """The text is not a Kubernetes quantity. `text` is what was given."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@dataclass(frozen=True)
class Quantity:
    """A quantity as written (`text`), equal to another of the same value: `1000m == 1`, `1024Mi == 1Gi`.

    Build with `parse_quantity`. Values are clamped and rounded up to nano as the API server does.
    """

    text: str

    @cached_property
    def value(self) -> Decimal:
        """The amount in the resource's base unit: cores for cpu, bytes for memory."""
        return _evaluate(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Quantity) -> bool:
        return self.value < other.value


def parse_quantity(text: str) -> Quantity:
    """`text` as a quantity; raises `QuantityError` where the grammar or the exponent's range does not allow it."""
    quantity = Quantity(text)
    quantity.value  # noqa: B018 - evaluates, so that a bad text is refused here and not at first use
    return quantity


def _evaluate(text: str) -> Decimal:
    match = _GRAMMAR.fullmatch(text) if len(text) <= _MAX_TEXT else None
    if match is None:
        raise QuantityError(text)
    number, suffix = Decimal(match["number"]), match["suffix"]
    if suffix in _BINARY:
        return _bounded(_CONTEXT.multiply(number, Decimal(2 ** _BINARY[suffix])))
    exponent = int(match["exponent"]) if match["exponent"] else _DECIMAL[suffix]
    if abs(exponent) > _MAX_EXPONENT:
        raise QuantityError(text)
    return _scaled(number, exponent)


def _scaled(number: Decimal, exponent: int) -> Decimal:
    """number * 10**exponent without ever making a number of `exponent` digits."""
    if not number:
        return Decimal(0)
    magnitude = number.adjusted() + exponent
    if magnitude > 19:  # beyond 2**63 whatever the digits
        return _LARGEST.copy_sign(number)
    if magnitude < -10:
        return _NANO.copy_sign(number)
    return _bounded(number.scaleb(exponent, _CONTEXT))


def _bounded(amount: Decimal) -> Decimal:
    if abs(amount) > _LARGEST:
        return _LARGEST.copy_sign(amount)
    return amount.quantize(_NANO, ROUND_UP, _CONTEXT)
