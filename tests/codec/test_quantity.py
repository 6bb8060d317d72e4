"""Kubernetes quantities: what the grammar takes and refuses, and that values compare as the API server's do."""

from __future__ import annotations

import contextlib
import re
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kubernetes.utils.quantity import parse_quantity as untyped

from kubectl_kubex.core.quantity import Quantity, QuantityError, parse_quantity


def official(text: str) -> Decimal:
    """The value as the official client reads it."""
    value: Decimal = untyped(text)  # type: ignore[no-untyped-call]
    return value


# Kubernetes' own: `[+-]digits[.digits]`, then nothing, a decimal or binary suffix, or a decimal exponent.
VALUES = {
    "0": 0, "1": 1, "+1": 1, "-1": -1, "1.": 1, ".5": "0.5", "1.5": "1.5", "-.5": "-0.5", "+0.25": "0.25", "007": 7,
    "1n": "1e-9", "1u": "1e-6", "1m": "0.001", "1000m": 1, "250m": "0.25", "1k": 1000, "1M": 10**6, "1G": 10**9,
    "1T": 10**12, "1P": 10**15, "1E": 10**18, "1Ki": 1024, "1Mi": 2**20, "1Gi": 2**30, "1Ti": 2**40, "1Pi": 2**50,
    "1Ei": 2**60, "1.5Gi": 3 * 2**29, "1e3": 1000, "1E3": 1000, "1e+3": 1000, "1e-3": "0.001", "1E-3": "0.001",
    "1e0": 1, "129e6": 129 * 10**6, "0.1e1": 1, "1e03": 1000, ".5Ki": 512, "1.Ki": 1024, "-0": 0, "0Ki": 0, "0e9": 0,
    "9223372036854775807": 2**63 - 1,
}  # fmt: skip

REFUSED = [
    "", " ", " 1", "1 ", "1 Gi", "\t1", "1\n", "Gi", "m", ".", "+", "-", "+-1", "--1", "1..0", "1.2.3", "1,5", "1_000",
    "1K", "1mi", "1gi", "1GI", "1KI", "1iK", "1g", "1t", "1kk", "1mm", "1Kib", "1B", "1b", "1%", "0x10", "1e", "1e+",
    "1E+", "1e1.5", "1e3Ki", "1ee3", "1Ki3", "e3", "E", "NaN", "nan", "Infinity", "inf", "-inf", "True", "None",
    "null", "\u0661", "\uff11\uff12", "1\u00b5", "\u00bd", "1\x00", "1\u200b", "\ufeff1",
    "1e9223372036854775807", "1e2147483648",
    "1e-2147483649", "1" * 513,
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_what_the_grammar_takes_has_its_value_and_is_kept_as_written(text: str, value: int | str) -> None:
    quantity = parse_quantity(text)
    assert quantity.value == Decimal(value)
    assert quantity.text == text


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: repr(text[:12]))
def test_what_the_grammar_refuses(text: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(text)
    assert caught.value.text == text
    assert str(caught.value) == text
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "spellings",
    [
        ("1", "1000m", "1e0", "1.0", "+1", "1.", "1000000u", "0.001k"),
        ("1Gi", "1024Mi", "1048576Ki", "1073741824", "1073741824000m"),
        ("129e6", "129M", "129000k", "0.129G"),
        ("0", "-0", "0Gi", "0e5", "0m"),
        ("1E", "1e18", "1000P"),
    ],
)
def test_spellings_of_one_amount_are_equal(spellings: tuple[str, ...]) -> None:
    """And hash alike, so that they count as one."""
    quantities = [parse_quantity(text) for text in spellings]
    assert len(set(quantities)) == 1
    assert not any(a < b for a in quantities for b in quantities)
    assert len({hash(quantity) for quantity in quantities}) == 1


def test_different_amounts_hash_apart() -> None:
    assert len({hash(parse_quantity(f"{number}m")) for number in range(100)}) > 50


@pytest.mark.parametrize(
    ("less", "more"),
    [("999m", "1"), ("1023Mi", "1Gi"), ("1G", "1Gi"), ("-1", "0"), ("1n", "1u"), ("1E", "1Ei"), ("129e6", "129Mi")],
)
def test_quantities_are_ordered_by_value(less: str, more: str) -> None:
    assert parse_quantity(less) < parse_quantity(more)
    assert not parse_quantity(more) < parse_quantity(less)
    assert parse_quantity(less) != parse_quantity(more)


def test_a_quantity_equals_no_text() -> None:
    assert Quantity("1") != "1"
    assert Quantity("1") != 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1n", "1e-9"), ("1.0000000001", "1.000000001"), ("1e-10", "1e-9"), ("1e-400", "1e-9"), ("-0.1n", "-1e-9"),
        ("-1e-11", "-1e-9"), ("1.5n", "2e-9"), ("1e-9", "1e-9"), ("0.0000000005k", "0.0000005"),
        ("123.4567891234n", "0.000000124"), ("0.00000000001Gi", "0.010737419"), ("1e-11", "1e-9"), ("10e-11", "1e-9"),
    ],
)  # fmt: skip
def test_what_is_finer_than_nano_is_rounded_away_from_zero(text: str, value: str) -> None:
    """As the API server does: the smallest amount it can hold is one nano."""
    assert parse_quantity(text).value == Decimal(value)


@pytest.mark.parametrize(
    "text", ["9223372036854775808", "8Ei", "1e19", "1e20", "10E", "1e400", "99999999999999999999", "9.3E"]
)
def test_what_is_larger_than_int64_is_the_largest(text: str) -> None:
    """As the API server does, on both sides."""
    assert parse_quantity(text).value == 2**63 - 1
    assert parse_quantity(f"-{text}").value == -(2**63 - 1)


@pytest.mark.parametrize("text", ["9e18", "9223372036854775806", "7Ei", "9.2E"])
def test_what_fits_int64_is_exact(text: str) -> None:
    assert parse_quantity(text).value == official(text)
    assert parse_quantity(text).value < 2**63 - 1


@pytest.mark.parametrize(
    "text",
    [
        "1e2147483647", "1e-2147483647", "1e99999999999999999999", "9" * 512, "0." + "0" * 509 + "1", "1e" + "9" * 510,
        "9" * 500 + "e2147483647", "0e2147483647", "0" * 512, "." + "9" * 511, "1" * 10_000_000, "1e" + "0" * 500 + "5",
    ],
    ids=lambda text: f"{text[:6]}-{len(text)}",
)  # fmt: skip
def test_hostile_texts_answer_at_once(text: str) -> None:
    started = time.perf_counter()
    try:
        value = parse_quantity(text).value
        assert abs(value) <= 2**63 - 1
    except QuantityError:
        pass
    assert time.perf_counter() - started < 1


NUMBERS = st.from_regex(r"[+-]?([0-9]{1,12}(\.[0-9]{0,9})?|\.[0-9]{1,9})", fullmatch=True)
SUFFIXES = st.sampled_from(["", *"numkMGTPE", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"])
EXPONENTS = st.builds(lambda letter, exponent: f"{letter}{exponent}", st.sampled_from("eE"), st.integers(-12, 12))


@given(NUMBERS, SUFFIXES | EXPONENTS)
def test_the_value_is_the_official_parsers_where_both_take_the_text(number: str, suffix: str) -> None:
    """Within what a quantity can hold: up to 2**63-1, and whole nanos."""
    text = number + suffix
    value = parse_quantity(text).value
    theirs = official(text)
    if abs(theirs) > 2**63 - 1:
        assert abs(value) == 2**63 - 1
    else:
        assert abs(value - theirs) < Decimal("1e-9")
        assert abs(value) >= abs(theirs)
        if theirs == theirs.quantize(Decimal("1e-9")):
            assert value == theirs


@given(st.text("0123456789.+-eEkKmMiGnuTP_ ", max_size=9))
def test_whatever_is_taken_fits_the_grammar(text: str) -> None:
    """Written as one expression, against the program's own."""
    grammar = r"[+-]?(\d+(\.\d*)?|\.\d+)([numkMGTPE]?|[KMGTPE]i|[eE][+-]?\d+)"
    fits = re.fullmatch(grammar, text, re.ASCII) is not None
    try:
        parse_quantity(text)
        taken = True
    except QuantityError:
        taken = False
    assert taken is fits


@given(st.text(max_size=30))
def test_no_text_makes_it_fail_in_another_way(text: str) -> None:
    with contextlib.suppress(QuantityError):
        parse_quantity(text)
