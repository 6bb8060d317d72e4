from __future__ import annotations

import pytest

from kubectl_kubex.cluster.settings import seconds_of
from kubectl_kubex.errors import UsageError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        ("5", 5),
        ("1s", 1),
        ("2m", 120),
        ("3h", 10800),
        ("1h30m", 5400),
        ("250ms", 0.25),
        ("1.5s", 1.5),
        (".5s", 0.5),
    ],
)
def test_timeouts_are_read_as_kubectl_reads_them(text: str, seconds: float) -> None:
    assert seconds_of(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", [None, ""])
def test_a_timeout_not_given_is_not_zero(text: str | None) -> None:
    assert seconds_of(text) is None


@pytest.mark.parametrize("text", ["x", "1 s", "1d", "-1s", "s", "1s2", "1.s.", "٣s", "1e3"])
def test_a_senseless_timeout_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="invalid timeout value"):
        seconds_of(text)
