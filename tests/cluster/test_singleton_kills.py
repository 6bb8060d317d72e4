"""kill -9 at any moment: the object is the old or the new one, every backup is whole, no write without its backup."""

from __future__ import annotations

import io
import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from kubectl_kubex.offline.backup_file import read_backup
from tests.apiserver.server import ApiServer
from tests.cluster.singleton import Plugin, put, spec

KILLS = 200
WHOLE_PROCESSES = 20  # of them killed from their first instruction on, the others with all modules loaded

# Forks a child for each line `DELAY WORD...`, kills it after DELAY seconds, and answers with its status.
FORKS = """
import os, signal, sys, time
import kubectl_kubex.cli, kubectl_kubex.cluster.source, kubectl_kubex.cluster.writer
import kubectl_kubex.commands.backup, kubectl_kubex.commands.set_priority
import kubernetes.client, platformdirs, tabulate, yaml
from kubectl_kubex.cluster.official import connection_pool
from kubectl_kubex.__main__ import run
for line in sys.stdin:
    delay, *words = line.split()
    child = os.fork()
    if child == 0:
        sys.argv = ["kubectl-kubex", *words]
        sink = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(sink, stream)
        try:
            run()
        except SystemExit as leaving:
            os._exit(leaving.code or 0)
    end, ended = time.monotonic() + float(delay), (0, 0)
    while ended[0] == 0 and time.monotonic() < end:
        time.sleep(0.0005)
        ended = os.waitpid(child, os.WNOHANG)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        ended = os.waitpid(child, 0)
    print(ended[1], flush=True)
"""


Order = Callable[[float, list[str]], int]


@contextmanager
def forks(plugin: Plugin) -> Iterator[Order]:
    """To order a command to be killed after some seconds; the answer is its wait status."""
    environment = {**os.environ, **plugin.environment()}
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", FORKS],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    orders, answers = process.stdin, process.stdout

    def order(delay: float, words: list[str]) -> int:
        orders.write(f"{delay:.4f} {' '.join(words)}\n")
        orders.flush()
        return int(answers.readline())

    with process, orders, answers:
        yield order


def duration(order: Order, priority: int) -> float:
    """How long a whole run takes."""
    start = time.monotonic()
    assert order(60, ["set-priority", f"proactive={priority}", "--yes", "--impact=none"]) == 0
    return time.monotonic() - start


def kill_whole(plugin: Plugin, words: list[str], delay: float) -> str:
    command = [sys.executable, "-m", "kubectl_kubex", *words]
    environment = {**os.environ, **plugin.environment()}
    sink = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdin=sink, stdout=sink, stderr=sink) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        return "killed" if process.wait() < 0 else "finished"


def check(plugin: Plugin, old: object, new: object) -> str:
    """What is there after a kill; fails where it is neither old nor new, or a backup is not as it must be."""
    time.sleep(0.02)  # what was sent may still be on its way
    now = spec(plugin.server)
    assert now in (old, new)
    kept = []
    for path in plugin.backups():
        found = read_backup(str(path), io.BytesIO())
        assert found.backup.checksum is True
        kept.append((found.raw["spec"], found.backup.origin.is_automatic))
    if now != old:
        assert (old, True) in kept, "written without a backup"
        return "new"
    return "old"


def killed(seen: Counter[str]) -> int:
    """How many had not ended by themselves."""
    return sum(number for what, number in seen.items() if what.startswith("killed"))


@pytest.mark.slow
def test_killed_at_any_moment(clean: ApiServer, tmp_path: Path) -> None:
    put(clean)
    plugin, chance, seen = Plugin(clean, tmp_path / "data"), random.Random(9), Counter[str]()
    with forks(plugin) as order:
        usual = min(duration(order, proactive) for proactive in (901, 902, 903))
        for number in itertools.count():
            if killed(seen) >= KILLS:
                break
            old = spec(clean)
            new = yaml.safe_load(yaml.safe_dump(old))
            writes = number % 4 != 3
            next(each for each in new["precedence"] if each["type"] == "ProactivePolicy")["priority"] = 1000 + number
            words = ["set-priority", f"proactive={1000 + number}", "--yes", "--impact=none"] if writes else ["backup"]
            if number < WHOLE_PROCESSES:
                ended = kill_whole(plugin, words, chance.uniform(0, 0.6))
            else:
                share = chance.uniform(0, 1) if number % 2 else chance.uniform(0.6, 1.1)  # the write comes late
                status = order(usual * share, words)
                ended = "killed" if os.WIFSIGNALED(status) else "finished"
            seen[f"{ended}, {check(plugin, old, new)}"] += 1
    assert seen["killed, old"] > 10
    assert seen["killed, new"] > 3
