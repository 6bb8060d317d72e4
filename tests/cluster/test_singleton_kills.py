"""kill -9 at any moment: the object is the old or the new one, every backup is whole, no write without its backup."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

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
    time.sleep(float(delay))
    os.kill(child, signal.SIGKILL)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@contextmanager
def forks(plugin: Plugin) -> Iterator[tuple[IO[str], IO[str]]]:
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
    with process, process.stdin, process.stdout:
        yield process.stdin, process.stdout


def kill_whole(plugin: Plugin, words: list[str], delay: float) -> None:
    command = [sys.executable, "-m", "kubectl_kubex", *words]
    environment = {**os.environ, **plugin.environment()}
    sink = subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdin=sink, stdout=sink, stderr=sink) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)


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


@pytest.mark.slow
def test_killed_at_any_moment(clean: ApiServer, tmp_path: Path) -> None:
    put(clean)
    plugin, chance, seen = Plugin(clean, tmp_path / "data"), random.Random(9), Counter[str]()
    with forks(plugin) as (orders, answers):
        for number in range(KILLS):
            old = spec(clean)
            new = yaml.safe_load(yaml.safe_dump(old))
            writes = number % 4 != 3
            next(each for each in new["precedence"] if each["type"] == "ProactivePolicy")["priority"] = 1000 + number
            words = ["set-priority", f"proactive={1000 + number}", "--yes", "--impact=none"] if writes else ["backup"]
            if number < WHOLE_PROCESSES:
                kill_whole(plugin, words, chance.uniform(0, 0.8))
                ended = "killed"
            else:
                orders.write(f"{chance.uniform(0, 0.12):.4f} {' '.join(words)}\n")
                orders.flush()
                status = int(answers.readline())
                ended = "killed" if os.WIFSIGNALED(status) else "finished"
            seen[f"{ended}, {check(plugin, old, new)}"] += 1
    assert seen["killed, old"] > 10
    assert seen["killed, new"] > 0
    assert seen["finished, new"] > 0
