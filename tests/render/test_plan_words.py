"""Every code has a sentence for each result, with and without its figures."""

from __future__ import annotations

import pytest

from kubectl_kubex.core.model import Target, Usage
from kubectl_kubex.core.plan.agreement import Cause
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import CheckResult, Outcome, Path, Result
from kubectl_kubex.render import plan_words

from .demo_scenes import finding, scenes

CPU = Target("app", Usage.REQUESTS, "cpu")


def test_each_member_of_a_closed_set_has_words() -> None:
    assert set(plan_words.CHECKS) == set(Code)
    assert set(plan_words.OUTCOMES) == set(Outcome)
    assert set(plan_words.PATHS) == set(Path)
    assert set(plan_words.CAUSES) == set(Cause)


@pytest.mark.parametrize("result", Result)
@pytest.mark.parametrize("code", Code)
@pytest.mark.parametrize(
    "facts", [{}, {"open": "boundary"}, {"missing": "LimitRange"}], ids=["bare", "open", "missing"]
)
def test_each_code_has_a_sentence_for_each_result(code: Code, result: Result, facts: dict[str, str]) -> None:
    text = plan_words.check_text(CheckResult(code, result, (CPU,), tuple(facts.items())))
    assert text
    assert "{" not in text
    assert "None" not in text


@pytest.mark.parametrize("scene", scenes(), ids="/".join)
def test_the_demo_leaves_no_hole_in_a_sentence(scene: tuple[str, str]) -> None:
    for plan in finding(*scene)[1].plans:
        for check in plan.checks:
            text = plan_words.check_text(check)
            assert not any(hole in text for hole in ("  ", "()", " :", " ,", "None")), text


@pytest.mark.parametrize(
    ("code", "facts", "expected"),
    [
        (Code.CHANGE_BELOW_THRESHOLD, {"percent": "4.0", "min": "5"}, "4.0% < 5%"),
        (Code.REQUESTS_EXCEED_LIMITS, {"request": "500m", "limit": "400m"}, "request 500m > limit 400m"),
        (Code.HPA_RESOURCE_MANAGED, {"name": "web", "mode": "Resource"}, "HPA web scales on cpu"),
        (
            Code.SCHEDULING_WINDOW_BLOCKED,
            {"next-allowed": "2026-07-01T19:00:00+00:00", "zone": "Europe/London"},
            "closed until 2026-07-01 20:00 Europe/London",
        ),
    ],
)
def test_figures(code: Code, facts: dict[str, str], expected: str) -> None:
    assert plan_words.check_text(CheckResult(code, Result.FAILED, (CPU,), tuple(facts.items()))) == expected
