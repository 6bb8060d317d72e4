from __future__ import annotations

from kubectl_kubex.core.kinds import DEFAULT_PRECEDENCE
from kubectl_kubex.core.precedence import Precedence, ProblemCode
from kubectl_kubex.core.precedence_view import view_of
from tests.builders import a_gap, a_precedence


def test_the_charts_own_list_is_unchanged_and_has_nothing_odd() -> None:
    view = view_of(a_precedence())
    assert [(row.type, row.priority, row.default) for row in view.rows] == [
        (name, priority, priority) for name, priority in sorted(DEFAULT_PRECEDENCE, key=lambda entry: -entry[1])
    ]
    assert not any(row.problems or row.is_changed for row in view.rows)
    assert view.general == ()


def test_best_priority_first_then_the_order_of_the_list() -> None:
    listed = [("StaticPolicy", 5), ("ProactivePolicy", 9), ("RollbackPolicy", 5)]
    assert [row.type for row in view_of(a_precedence(*listed)).rows][:3] == [
        "ProactivePolicy",
        "StaticPolicy",
        "RollbackPolicy",
    ]


def test_zero_is_less_than_one() -> None:
    assert [row.type for row in view_of(a_precedence(("StaticPolicy", 0), ("ProactivePolicy", 1))).rows][:2] == [
        "ProactivePolicy",
        "StaticPolicy",
    ]


def test_unlisted_defaults_come_last_in_the_order_of_the_reference() -> None:
    rows = view_of(a_precedence(("StaticPolicy", 0))).rows
    assert rows[0].type == "StaticPolicy"
    others = [(name, default) for name, default in DEFAULT_PRECEDENCE if name != "StaticPolicy"]
    assert [(row.type, row.default) for row in rows[1:]] == others
    assert all(row.problems == (ProblemCode.UNLISTED_TYPE,) and row.priority is None for row in rows[1:])


def test_an_invalid_priority_ranks_with_the_unlisted() -> None:
    rows = view_of(a_precedence(*((name, None if name == "RollbackPolicy" else 1) for name, _ in DEFAULT_PRECEDENCE)))
    assert rows.rows[-1].type == "RollbackPolicy"
    assert rows.rows[-1].problems == (ProblemCode.INVALID_PRIORITY,)


def test_a_change_is_one_from_the_chart() -> None:
    rows = {row.type: row for row in view_of(a_precedence(("StaticPolicy", 91), ("Nobody", 3))).rows}
    assert rows["StaticPolicy"].is_changed
    assert not rows["Nobody"].is_changed
    assert not rows["ProactivePolicy"].is_changed
    assert rows["Nobody"].default is None


def test_each_entry_has_the_oddities_of_its_own_position() -> None:
    rows = view_of(a_precedence(("StaticPolicy", 0), ("StaticPolicy", 90), ("ProactivePolicy", 70))).rows
    problems = {row.entry.position: row.problems for row in rows if row.entry}
    assert problems == {
        1: (ProblemCode.DUPLICATE_TYPE, ProblemCode.ZERO_PRIORITY),
        2: (ProblemCode.DUPLICATE_TYPE,),
        3: (),
    }


def test_what_is_odd_about_the_whole_object_belongs_to_no_row() -> None:
    precedence = Precedence(True, other_objects=("other",))
    view = view_of(precedence)
    assert view.precedence is precedence
    assert [problem.code for problem in view.general] == [ProblemCode.EMPTY, ProblemCode.OTHER_OBJECT]


def test_without_an_object_the_defaults_stand_there_without_priorities() -> None:
    for found, gap in ((False, None), (None, a_gap("PolicyEvaluation"))):
        view = view_of(Precedence(found, gap=gap))
        assert [(row.type, row.default) for row in view.rows] == list(DEFAULT_PRECEDENCE)
        assert all(row.priority is None and not row.problems for row in view.rows)
        assert len(view.general) == 1
