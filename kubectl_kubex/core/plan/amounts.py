"""Figures: quantities compared by value, and written so that equal ones read alike."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal

from kubectl_kubex.core.quantity import QuantityError, parse_quantity


def amount(text: str | None) -> Decimal | None:
    """The value of a quantity; None where there is none, or where the text is no quantity."""
    if text is None:
        return None
    try:
        return parse_quantity(text).value
    except QuantityError:
        return None


def plain(value: Decimal) -> str:
    """The value as a quantity without suffix: `0.25`, `1073741824`."""
    whole = value.to_integral_value()
    return f"{whole:f}" if whole == value else f"{value:f}".rstrip("0")


def whole_devices(text: str) -> str:
    """A GPU fraction rounded up to whole devices (engine.md 5.4, GPU applied form)."""
    value = amount(text)
    return text if value is None else plain(value.to_integral_value(ROUND_CEILING))


def total(texts: Iterable[str | None]) -> Decimal:
    """The sum of those that are set."""
    return sum((value for text in texts if (value := amount(text)) is not None), Decimal(0))


def same(left: str | None, right: str | None) -> bool:
    """Whether two quantities have one value; both unset counts, an unreadable one equals nothing but its own text."""
    return left == right or (amount(left) is not None and amount(left) == amount(right))


def notes(**figures: object) -> tuple[tuple[str, str], ...]:
    """Facts of a check result, by name with dashes; None is left out."""
    return tuple((name.replace("_", "-"), str(figure)) for name, figure in figures.items() if figure is not None)
