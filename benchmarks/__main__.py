"""Print the table of start-up and `why` beside kubectl."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from dataclasses import dataclass
from statistics import median

from benchmarks.measure import Command, Comparison, Failed, compare
from benchmarks.scene import plugin, shop
from tests.apiserver.binaries import Unavailable
from tests.apiserver.server import ApiServer

LATENCY = 0.05
WORKLOAD = "web"
NAMESPACE = "shop"


@dataclass(frozen=True)
class Row:
    """One line of the table: our words against kubectl's, and the most that the ratio of wall times may be."""

    name: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    goal: float
    far: bool = False  # through a proxy that adds LATENCY to each response


WHY = ("why", f"deploy/{WORKLOAD}", "-n", NAMESPACE, "-o", "table")
GET = ("get", "deploy", WORKLOAD, "-n", NAMESPACE, "-o", "json")
VERSION = ("version", "--client")
ROWS = (
    Row("--help", ("--help",), VERSION, 1.5),
    Row("version --client", VERSION, VERSION, 1.5),
    Row("why, loopback", WHY, GET, 4),
    Row(f"why, {LATENCY * 1000:.0f} ms added", WHY, GET, 2, far=True),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("-n", "--pairs", type=int, default=15, help="runs of each command (at least 9; default 15)")
    arguments = parser.parse_args()
    if arguments.pairs < 9:
        parser.error("fewer than 9 pairs say nothing")
    try:
        return report(arguments.pairs)
    except (Unavailable, Failed) as problem:
        print(problem, file=sys.stderr)
        return 1


def report(pairs: int) -> int:
    """Measure every row and print the table; a goal that is missed is said, not an error."""
    with plugin() as words, shop() as server, server.shim(latency=LATENCY) as shim:
        near = server.environment()
        far = server.environment(server.kubeconfig(through=shim))
        head(server, pairs)
        for row in ROWS:
            environment = far if row.far else near
            ours = Command([*words, *row.ours], environment)
            theirs = Command([str(server.programs.kubectl), *row.theirs], environment)
            print(line(row, compare(ours, theirs, pairs)), flush=True)
    return 0


def head(server: ApiServer, pairs: int) -> None:
    kubectl = server.kubectl("version", "--client").stdout.split("\n")[0].removeprefix("Client Version: ")
    where = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    print(f"{pairs} pairs, {where}, kubectl {kubectl}; times are medians in ms, ratios ours/kubectl pair by pair\n")
    titles = ("ours", "kubectl", "ratio", "middle half", "cpu ratio", "goal", "", "MiB", "kubectl")
    print(f"{'':<20}" + "".join(f"{title:>{width}}" for title, width in zip(titles, WIDTHS, strict=True)))


WIDTHS = (8, 9, 8, 13, 11, 7, 8, 7, 9)


def line(row: Row, found: Comparison) -> str:
    first, third = found.spread
    cells = (
        f"{median([sample.wall for sample in found.ours]) * 1000:.0f}",
        f"{median([sample.wall for sample in found.theirs]) * 1000:.0f}",
        f"{found.wall_ratio:.2f}",
        f"{first:.2f}-{third:.2f}",
        f"{found.cpu_ratio:.2f}",
        f"{row.goal:g}",
        "met" if found.wall_ratio <= row.goal else "missed",
        f"{found.our_peak:.0f}",
        f"{found.their_peak:.0f}",
    )
    return f"{row.name:<20}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


if __name__ == "__main__":
    raise SystemExit(main())
