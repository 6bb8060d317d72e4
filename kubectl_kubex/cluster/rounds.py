"""Rounds: several lines of questions at once, each line's next questions as soon as its last ones are answered.

A line is a generator: each step yields the questions it has next, all asked in parallel, and receives their outcomes in
that order; in the end it returns its result. So code that asks reads as if alone, and no line waits for another.
An answer is kept: a line may ask early, beside other questions, and again where it needs the answer.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Generic, TypeVar

from kubectl_kubex.cluster.questions import Answer, Question
from kubectl_kubex.errors import KubexError, ServerFailure, Unreachable

Outcome = Answer | KubexError
Result = TypeVar("Result")
Steps = Generator[Sequence[Question], list[Outcome], Result]

FEW = 4
PATIENCE_SECONDS = 0.015
POLL_SECONDS = 0.5  # some systems deliver Ctrl-C only between waits


class Workers:
    """Daemon threads that send questions: an interrupted command does not wait for them.

    Each has a connection, and opening one costs more than a near server takes to answer: a few do. Where answers are
    slow to come, the wait is for the server, and there is a worker for each question, up to `size`.
    """

    def __init__(self, send: Callable[[Question], Answer], size: int) -> None:
        self._send = send
        self._size = size
        self._threads = 0
        self._idle = 0
        self._answers = 0
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._asked: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._answered: queue.SimpleQueue[tuple[Question, Outcome | BaseException]] = queue.SimpleQueue()

    def ask(self, question: Question) -> None:
        with self._lock:
            self._idle -= 1
        self._asked.put(question)
        if not self._threads and self._size > FEW:
            threading.Thread(target=self._watch, daemon=True).start()
        self._hire(FEW)

    def answer(self) -> tuple[Question, Outcome]:
        """The next answer, whichever it is. Raises what ends the whole command: no login, bad configuration, a bug."""
        while True:
            try:
                question, outcome = self._answered.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            if isinstance(outcome, BaseException) and not isinstance(outcome, ServerFailure | Unreachable):
                raise outcome
            return question, outcome

    def close(self) -> None:
        self._closing.set()
        for _ in range(self._threads):
            self._asked.put(None)

    def _watch(self) -> None:
        """Hire for all questions when none was answered for a while."""
        before = 0
        while not self._closing.wait(PATIENCE_SECONDS):
            if self._answers == before:
                self._hire(self._size)
            before = self._answers

    def _hire(self, most: int) -> None:
        """A worker for each question that has none, as long as there are less than `most`."""
        with self._lock:
            while self._idle < 0 and self._threads < min(most, self._size):
                self._threads += 1
                self._idle += 1
                threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while (question := self._asked.get()) is not None:
            try:
                outcome: Outcome | BaseException = self._send(question)
            except BaseException as problem:  # noqa: BLE001 - raised again in `answer`
                outcome = problem
            with self._lock:
                self._idle += 1
                self._answers += 1
            self._answered.put((question, outcome))


def run(workers: Workers, lines: Sequence[Steps[Result]], meanwhile: Callable[[], None] | None = None) -> list[Result]:
    """The results of all lines. Equal questions are asked once. `meanwhile` runs while the first answers are awaited.

    Raises Unreachable when not one question was answered."""
    running = _Running(workers, lines)
    if meanwhile is not None:
        meanwhile()
    return running.finish()


class _Running(Generic[Result]):
    def __init__(self, workers: Workers, lines: Sequence[Steps[Result]]) -> None:
        self._workers = workers
        self._lines = lines
        self._waiting: dict[int, list[Question]] = {}
        self._outcomes: dict[Question, Outcome] = {}
        self._open: set[Question] = set()
        self._results: dict[int, Result] = {}
        for index in range(len(lines)):
            self._advance(index, None)

    def finish(self) -> list[Result]:
        while self._waiting:
            question, outcome = self._workers.answer()
            self._open.discard(question)
            self._outcomes[question] = outcome
            for index in [index for index, questions in self._waiting.items() if question in questions]:
                self._advance_if_ready(index)
        self._refuse_silence()
        return [self._results[index] for index in range(len(self._lines))]

    def _advance_if_ready(self, index: int) -> None:
        questions = self._waiting[index]
        if all(question in self._outcomes for question in questions):
            del self._waiting[index]
            self._advance(index, [self._outcomes[question] for question in questions])

    def _advance(self, index: int, outcomes: list[Outcome] | None) -> None:
        try:
            questions = next(self._lines[index]) if outcomes is None else self._lines[index].send(outcomes)
        except StopIteration as done:
            self._results[index] = done.value
            return
        self._waiting[index] = list(questions)
        for question in dict.fromkeys(questions):
            if question not in self._outcomes and question not in self._open:
                self._open.add(question)
                self._workers.ask(question)
        self._advance_if_ready(index)

    def _refuse_silence(self) -> None:
        silent = [outcome for outcome in self._outcomes.values() if isinstance(outcome, Unreachable)]
        if silent and len(silent) == len(self._outcomes):
            raise silent[0]
