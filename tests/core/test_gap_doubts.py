from __future__ import annotations

import pytest

from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.gap_doubts import gap_doubts
from kubectl_kubex.core.model import GapReason
from tests.builders import a_gap


@pytest.mark.parametrize(
    ("kind", "code", "subject"),
    [
        ("StaticPolicy", DoubtCode.KIND_UNREADABLE, "StaticPolicy"),
        ("Deployment", DoubtCode.KIND_UNREADABLE, "Deployment"),
        ("PolicyEvaluation", DoubtCode.PRECEDENCE_UNREADABLE, ""),
        ("GlobalConfiguration", DoubtCode.CONFIGURATION_UNREADABLE, ""),
    ],
)
def test_a_gap_is_a_doubt_with_its_facts(kind: str, code: DoubtCode, subject: str) -> None:
    (doubt,) = gap_doubts([a_gap(kind), a_gap(kind)])
    assert (doubt.code, doubt.subject, doubt.affects) == (code, subject, ())
    assert doubt.detail == {"reason": "forbidden", "detail": f"{kind} cannot be listed", "request": f"list {kind}"}


def test_a_kind_that_is_not_served_hides_nothing() -> None:
    assert gap_doubts([a_gap("StaticPolicy", GapReason.NOT_SERVED)]) == ()
