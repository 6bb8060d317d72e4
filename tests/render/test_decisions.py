from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from kubectl_kubex.core.answer import WriteLoss
from kubectl_kubex.core.candidate import OLDEST
from kubectl_kubex.core.ranking import RULES, decide
from kubectl_kubex.render.decisions import decision_text, write_loss_text
from tests.builders import ELEVEN, TEN, a_candidate, a_ref


@pytest.mark.parametrize(
    ("winner", "loser", "text"),
    [
        ({"priority": 130}, {"priority": 70}, "priority 130 > 70"),
        ({"weight": 100}, {"weight": 50}, "weight 100 > 50"),
        ({"exact": True}, {"exact": False}, 'exact over "*"'),
        ({"created": TEN}, {"created": ELEVEN}, "2026-08-01T10:00:00Z before 2026-08-01T11:00:00Z"),
        ({"created": OLDEST}, {"created": TEN}, "no timestamp before 2026-08-01T10:00:00Z"),
        ({"kind": "ClusterStaticPolicy"}, {"kind": "StaticPolicy"}, "key cwstatic before static"),
        ({"digest": "AAAAAAAAAAAAAAAA"}, {"digest": "BAAAAAAAAAAAAAAA"},
         "key proactive/hAAAAAAAA... before proactive/hBAAAAAAA..."),
        ({"digest": "AAAAAAAAAAAAAAAA"}, {"digest": "AAAAAAAAAAAABAAA"},
         "key proactive/hAAAAAAAAAAAAAAAA before proactive/hAAAAAAAAAAAABAAA"),
        ({"digest": "A"}, {"digest": "B"}, "key proactive/hA before proactive/hB"),
    ],
)  # fmt: skip
def test_each_rule_in_words(winner: dict[str, Any], loser: dict[str, Any], text: str) -> None:
    assert decision_text(decide(a_candidate(**winner), a_candidate(**loser))) == text


def test_an_only_candidate_is_called_so() -> None:
    assert decision_text(None) == "only candidate"


def test_every_rule_has_been_tried_above() -> None:
    assert [rule.code for rule in RULES] == ["priority", "weight", "exact-target", "older", "annotation-key"]


@pytest.mark.parametrize(
    ("rule", "values", "text"),
    [
        ("weight", ("20", "10"), "weight 20 > 10"),
        ("older", ("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"), "2026-01-01T00:00:00Z before 2026-01-02T00:00:00Z"),
        ("tie", ("", ""), "equal weight and age"),
    ],
)
def test_what_decides_when_the_engine_writes(rule: str, values: tuple[str, str], text: str) -> None:
    assert write_loss_text(WriteLoss(rule, a_ref(), *values)) == text


def test_the_oldest_is_no_time() -> None:
    assert datetime.min.replace(tzinfo=TEN.tzinfo) == OLDEST
