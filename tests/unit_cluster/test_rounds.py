"""Lines of questions: in parallel, each once, and over at once when nothing can come of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from kubectl_kubex.cluster.failures import answered
from kubectl_kubex.cluster.questions import Answer, Question, Versions
from kubectl_kubex.cluster.rounds import Steps, Workers, run
from kubectl_kubex.errors import ServerFailure, Unauthorized, Unreachable


@pytest.fixture
def asked() -> list[Question]:
    return []


@pytest.fixture
def workers(asked: list[Question]) -> Iterator[Callable[..., Workers]]:
    made: list[Workers] = []

    def make(send: Callable[[Question], Answer] | None = None, size: int = 4) -> Workers:
        def answer(question: Question) -> Answer:
            asked.append(question)
            return {"said": str(question)} if send is None else send(question)

        made.append(Workers(answer, size))
        return made[-1]

    yield make
    for each in made:
        each.close()


def chain(*groups: str) -> Steps[list[str]]:
    said = []
    for group in groups:
        (outcome,) = yield [Versions(group)]
        assert isinstance(outcome, dict)
        said.append(outcome["said"])
    return said


def wide(*groups: str) -> Steps[int]:
    outcomes = yield [Versions(group) for group in groups]
    return len(outcomes)


def test_each_line_gets_its_answers_in_order(workers: Callable[..., Workers]) -> None:
    assert run(workers(), [chain("a", "b"), chain("c"), chain()]) == [
        ["get /apis/a", "get /apis/b"],
        ["get /apis/c"],
        [],
    ]


def test_equal_questions_are_asked_once(workers: Callable[..., Workers], asked: list[Question]) -> None:
    assert run(workers(), [wide("a", "b", "a"), wide("b", "a")]) == [3, 2]
    assert sorted(map(str, asked)) == ["get /apis/a", "get /apis/b"]


def test_no_line_waits_for_another(workers: Callable[..., Workers]) -> None:
    slow_done = threading.Event()

    def send(question: Question) -> Answer:
        if question == Versions("slow"):
            assert slow_done.wait(5)
        if question == Versions("b"):
            slow_done.set()
        return {"said": ""}

    assert run(workers(send), [wide("slow"), chain("a", "b")])[1] == ["", ""]


def test_questions_go_out_in_parallel_up_to_the_limit(workers: Callable[..., Workers]) -> None:
    running, most, lock = 0, 0, threading.Lock()

    def send(question: Question) -> Answer:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1
        return {}

    assert run(workers(send, 3), [wide(*map(str, range(12)))]) == [12]
    assert most == 3


def test_a_failure_is_an_outcome(workers: Callable[..., Workers]) -> None:
    def send(question: Question) -> Answer:
        raise answered(500, "text/plain", b"oh")

    def line() -> Steps[str]:
        (outcome,) = yield [Versions("a")]
        assert isinstance(outcome, ServerFailure)
        return outcome.line

    assert run(workers(send), [line()]) == ["Error from server (InternalError): oh"]


def test_one_silence_among_answers_is_an_outcome(workers: Callable[..., Workers]) -> None:
    def send(question: Question) -> Answer:
        if question == Versions("a"):
            raise Unreachable("s", "broken")
        return {}

    assert run(workers(send), [wide("a", "b")]) == [2]


def test_nothing_but_silence_is_the_end(workers: Callable[..., Workers]) -> None:
    def send(question: Question) -> Answer:
        raise Unreachable("s", "refused")

    with pytest.raises(Unreachable, match="refused"):
        run(workers(send), [wide("a", "b"), wide("c")])


@pytest.mark.parametrize("problem", [Unauthorized("s"), RuntimeError("a bug"), KeyboardInterrupt()])
def test_some_failures_end_everything(workers: Callable[..., Workers], problem: BaseException) -> None:
    def send(question: Question) -> Answer:
        raise problem

    with pytest.raises(type(problem)):
        run(workers(send), [wide("a", "b")])


def test_meanwhile_happens_while_the_answers_are_awaited(workers: Callable[..., Workers]) -> None:
    done = threading.Event()

    def send(question: Question) -> Answer:
        assert done.wait(5)
        return {}

    assert run(workers(send), [wide("a")], done.set) == [1]
