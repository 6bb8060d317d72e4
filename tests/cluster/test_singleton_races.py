"""Two writers of one object: no update is lost, whoever is faster."""

from __future__ import annotations

import io
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.cluster.settings import ConnectionSettings
from kubectl_kubex.cluster.source import ClusterSource
from kubectl_kubex.cluster.writer import SingletonWriter
from kubectl_kubex.commands import set_priority
from kubectl_kubex.commands.change import Manner
from kubectl_kubex.commands.consent import Consent
from kubectl_kubex.commands.impact import ImpactMode
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.errors import ExitCode, KubexError
from tests.apiserver.server import ApiServer
from tests.cluster.singleton import PATH, priority, put, spec

RACES = 1000
LONGEST_DELAY = 0.012


class Rival:
    """Another client: reads, changes one type, and writes over what it read, until that succeeds."""

    def __init__(self, server: ApiServer) -> None:
        self.server = server

    def change(self, number: int, delay: float) -> None:
        time.sleep(delay)
        while True:
            raw = self.server.rest.request("GET", PATH)
            entry = next(each for each in raw["spec"]["precedence"] if each["type"] == "StaticPolicy")
            entry["priority"] = number
            answer = self.server.rest.request("PUT", PATH, raw, query={"fieldManager": "rival"}, accept=(409,))
            if answer["kind"] == "PolicyEvaluation":
                return


class Watched(SingletonWriter):
    """Lets the rival go as soon as we have read what we are going to change."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.after_reading = threading.Event()
        self.rival: threading.Thread | None = None  # to wait for before the write itself

    def read(self) -> dict[str, Any] | None:
        found = super().read()
        self.after_reading.set()
        return found

    def write(self, raw: Mapping[str, Any], *, dry_run: bool = False) -> dict[str, Any]:
        if self.rival is not None and not dry_run:
            self.rival.join()
        return super().write(raw, dry_run=dry_run)


@contextmanager
def a_desk(server: ApiServer, folder: Path) -> Iterator[tuple[Desk, Watched]]:
    with ClusterSource(ConnectionSettings(kubeconfig=str(server.kubeconfig()))) as source:
        writer = Watched(source.connection)
        yield Desk(source, writer, source.source, lambda: datetime.now(timezone.utc), folder), writer


def ours(desk: Desk, number: int) -> ExitCode:
    terminal = Terminal(io.StringIO(), io.StringIO(), io.BytesIO())
    wish = set_priority.Wish((f"proactive={number}",))
    try:
        return set_priority.run(desk, wish, Manner(impact=ImpactMode.NONE), Consent(given=True), terminal)
    except KubexError as failure:
        return failure.exit_code


@pytest.mark.slow
def test_no_update_is_lost(clean: ApiServer, tmp_path: Path) -> None:
    put(clean)
    rival, outcomes, chance = Rival(clean), Counter[ExitCode](), random.Random(4)
    before = priority(clean, "ProactivePolicy")
    with a_desk(clean, tmp_path) as (desk, writer):
        for number in range(1000, 1000 + RACES):
            writer.after_reading.clear()

            def race(number: int = number, delay: float = chance.uniform(0, LONGEST_DELAY)) -> None:
                writer.after_reading.wait()
                rival.change(number, delay)

            thread = threading.Thread(target=race)
            writer.rival = thread if number % 2 else None  # every other race the rival is surely in between
            thread.start()
            code = ours(desk, number)
            thread.join()
            outcomes[code] += 1
            assert code is ExitCode.CONFLICT or not number % 2
            before = number if code is ExitCode.OK else before
            stored = {entry["type"]: entry["priority"] for entry in spec(clean)["precedence"]}
            assert stored["StaticPolicy"] == number, "the rival's update is lost"
            assert stored["ProactivePolicy"] == before, f"ours is lost, or written in spite of exit code {code}"
    assert set(outcomes) == {ExitCode.OK, ExitCode.CONFLICT}
    assert outcomes[ExitCode.OK] > RACES / 20
