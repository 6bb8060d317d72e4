"""Every code of the closed sets has its words, and the words hold up with and without the facts."""

from __future__ import annotations

import pytest

from kubectl_kubex.core.doubts import Doubt, DoubtCode
from kubectl_kubex.core.model import GapReason
from kubectl_kubex.core.precedence import Problem, ProblemCode
from kubectl_kubex.core.scope import Refusal, RefusalReason
from kubectl_kubex.core.selection import ASSUMABLE
from kubectl_kubex.render import problem_words, refusal_words, words
from tests.builders import a_ref

from .demo_scenes import answer, scenes

ALL_FACTS = {
    "policy": "StaticPolicy/floor",
    "kind": "StaticPolicy",
    "reason": "forbidden",
    "detail": "said the server",
    "request": "list pods",
    "problem": "not JSON",
    "written": "50 milli",
    "payload-weight": "20",
    "live-weight": "60",
    "container": "app",
    "pods": "web-1",
    "count": "1",
    "of": "2",
    "values": "a?",
}


def test_each_doubt_has_a_sentence() -> None:
    assert set(words.SENTENCES) == set(DoubtCode)


def test_each_gap_reason_has_words() -> None:
    assert set(words.GAPS) == {reason.value for reason in GapReason}


def test_each_assumable_doubt_has_its_assumption() -> None:
    assert set(words.ASSUMPTIONS) >= ASSUMABLE


def test_each_assumption_belongs_to_a_reason_with_a_short_form() -> None:
    assert set(words.SHORT) >= set(words.ASSUMPTIONS)


def test_each_refusal_has_a_sentence() -> None:
    assert set(refusal_words.SENTENCES) == set(RefusalReason)


def test_each_problem_has_a_sentence_and_a_mark() -> None:
    assert set(problem_words.SENTENCES) == set(problem_words.MARKS) == set(ProblemCode)


@pytest.mark.parametrize("code", DoubtCode)
@pytest.mark.parametrize("facts", [{}, ALL_FACTS], ids=["bare", "full"])
def test_a_doubt_reads_as_one_clause(code: DoubtCode, facts: dict[str, str]) -> None:
    text = words.doubt_text(Doubt(code, "subject", (), tuple(facts.items())))
    assert not text.endswith(".")
    assert "{" not in text
    if facts:
        assert "  " not in text
        assert "()" not in text


@pytest.mark.parametrize("reason", RefusalReason)
def test_a_refusal_reads_without_facts(reason: RefusalReason) -> None:
    assert refusal_words.refusal_text(Refusal(a_ref(), reason))


@pytest.mark.parametrize("code", ProblemCode)
def test_a_problem_reads_without_facts(code: ProblemCode) -> None:
    text = problem_words.problem_text(Problem(code, "StaticPolicy"))
    assert "{" not in text
    assert "()" not in text


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ({"key": "team", "operator": "In", "values": "a", "value": "b"}, 'label team is "b", needs In (a)'),
        ({"key": "team", "operator": "NotIn", "values": "a", "value": "a"}, 'label team is "a", needs NotIn (a)'),
        ({"key": "team", "operator": "Exists", "values": ""}, "label team is not set, needs Exists"),
        (
            {"key": "team", "operator": "DoesNotExist", "values": "", "value": ""},
            'label team is "", needs DoesNotExist',
        ),
    ],
)
def test_a_label_that_does_not_match(details: dict[str, str], expected: str) -> None:
    assert refusal_words.refusal_text(Refusal(a_ref(), RefusalReason.LABEL, tuple(details.items()))) == expected


def test_a_missing_right_is_named() -> None:
    details = (("reason", "forbidden"), ("detail", 'pods is forbidden: User "u"'), ("request", "list pods"))
    text = words.doubt_text(Doubt(DoubtCode.PODS_UNREADABLE, "", (), details))
    assert 'no right to list pods (pods is forbidden: User "u")' in text


def test_positions_are_counted_in_words() -> None:
    assert "(entry 3)" in problem_words.problem_text(Problem(ProblemCode.ZERO_PRIORITY, "StaticPolicy", (3,)))
    text = problem_words.problem_text(Problem(ProblemCode.DUPLICATE_TYPE, "StaticPolicy", (1, 2, 5)))
    assert text.endswith("(entries 1, 2 and 5)")


def test_kinds_that_an_input_lacks_are_one_doubt() -> None:
    lacking = [Doubt(DoubtCode.KIND_UNREADABLE, kind, (), (("reason", "not-in-input"),)) for kind in "ABC"]
    other = Doubt(DoubtCode.KIND_UNREADABLE, "D", (), (("reason", "forbidden"),))
    merged = words.merged([lacking[0], other, *lacking[1:]])
    assert [doubt.subject for doubt in merged] == ["A, B, C", "D"]


def test_inferred_owners_are_one_doubt_about_all_their_targets() -> None:
    doubts = [
        Doubt(DoubtCode.OWNER_INFERRED, "k1", ("app/requests/cpu",), (("policy", "P/a"),)),
        Doubt(DoubtCode.OWNER_INFERRED, "k2", ("app/limits/cpu",), (("policy", "P/a"),)),
        Doubt(DoubtCode.OWNER_INFERRED, "k3", ("app/requests/cpu",), (("policy", "P/b"),)),
    ]
    (merged,) = words.merged(doubts)
    assert merged.detail["policy"] == "P/a, P/b"
    assert merged.affects == ("app/requests/cpu", "app/limits/cpu")


def test_the_demo_leaves_no_gap_in_a_sentence() -> None:
    for scene in scenes():
        for doubt in answer(*scene).doubts:
            text = words.doubt_text(doubt)
            assert not any(hole in text for hole in ("  ", "()", " :", " ,", "None")), text
