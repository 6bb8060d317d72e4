"""Run two commands in turn, A B A B, and compare them pair by pair: a slow moment of the machine hits both."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Command:
    """A process to time, and the environment it runs in."""

    words: Sequence[str]
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Sample:
    """One run: seconds from start to exit, and seconds of processor time."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Comparison:
    """All pairs of one row. Ratios are ours / kubectl's, the median over the pairs; peaks are resident MiB."""

    ours: Sequence[Sample]
    theirs: Sequence[Sample]
    our_peak: float
    their_peak: float

    @property
    def wall_ratio(self) -> float:
        return statistics.median(a.wall / b.wall for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def cpu_ratio(self) -> float:
        return statistics.median(a.cpu / b.cpu for a, b in zip(self.ours, self.theirs, strict=True))

    @property
    def spread(self) -> tuple[float, float]:
        """The middle half of the wall ratios."""
        ratios = [a.wall / b.wall for a, b in zip(self.ours, self.theirs, strict=True)]
        first, _, third = statistics.quantiles(ratios, n=4)
        return first, third


SMALL = (
    "import os, sys, resource\n"
    "if not (child := os.fork()):\n"
    "    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)\n"
    "    os.execv(sys.argv[1], sys.argv[1:])\n"
    "os.waitpid(child, 0)\n"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
)


class Failed(RuntimeError):
    """A command to time did not succeed; the text is what it said."""


def compare(ours: Command, theirs: Command, pairs: int) -> Comparison:
    """Time both, after one run of each that does not count (caches, bytecode)."""
    run(ours)
    run(theirs)
    samples = [(run(ours), run(theirs)) for _ in range(pairs)]
    return Comparison([first for first, _ in samples], [second for _, second in samples], peak(ours), peak(theirs))


def run(command: Command) -> Sample:
    """One run. Raises Failed when it does not exit with 0."""
    with tempfile.TemporaryFile() as said:
        started = time.perf_counter()
        process = subprocess.Popen(
            command.words, env=command.environment, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            words = " ".join([Path(command.words[0]).name, *command.words[1:]])
            raise Failed(f"{words}: exit code {process.returncode}\n{said.read().decode(errors='replace')}")
    return Sample(wall, usage.ru_utime + usage.ru_stime)


def peak(command: Command) -> float:
    """The most resident memory of one run, in MiB. A small process starts it: a peak begins with the parent's."""
    words = [sys.executable, "-ISc", SMALL, *command.words]
    done = subprocess.run(words, env=command.environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return int(done.stdout) / (1024 if sys.platform == "linux" else 1024**2)
