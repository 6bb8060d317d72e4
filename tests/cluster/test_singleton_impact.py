"""The impact that a change announces is what `why` shows before and after it: on the server and on the capture."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.apiserver.load import load
from tests.apiserver.server import ApiServer
from tests.cluster.singleton import Done, Plugin
from tests.cluster.test_live_and_offline import demo_objects
from tests.render.demo_scenes import scenes

CHANGES = (
    ("--preset", "favor-namespace"),
    ("--preset", "favor-rollback", "clusterstatic=60"),
    ("proactive=95", "clusterproactive=200"),
    ("static=91",),
)
Winners = dict[tuple[str, str], object]


def winners(why: Callable[[str, str], Done]) -> Winners:
    """Who wins each target of each workload of the demo."""
    found: Winners = {}
    for namespace, workload in scenes():
        targets = json.loads(why(namespace, workload).out)["targets"]
        found[namespace, workload] = [
            (each["container"], each["usage"], each["resource"], each["selected"] and _identity(each["selected"]))
            for each in targets
        ]
    return found


def _identity(selected: dict[str, object]) -> object:
    return selected["annotationKey"], selected["exact"]


def announced(done: Done) -> set[tuple[str, str]]:
    """The workloads in the list under `--impact=list`."""
    _, _, table = done.out.partition("NAMESPACE  ")
    rows = [line.split() for line in table.partition("\nOwner: ")[0].splitlines()[1:]]
    return {(row[0], row[1]) for row in rows}


def different(before: Winners, after: Winners) -> set[tuple[str, str]]:
    return {key for key in before if before[key] != after[key]}


@pytest.mark.parametrize("words", CHANGES, ids=" ".join)
def test_announced_is_what_why_shows(clean: ApiServer, tmp_path: Path, words: tuple[str, ...]) -> None:
    plugin = Plugin(clean, tmp_path / "data")
    load(clean, demo_objects())
    before = winners(lambda namespace, workload: plugin("why", workload, "-n", namespace, "-o", "json"))
    done = plugin("set-priority", *words, "--impact=list", "--yes")
    assert done.code == 0, done.err
    after = winners(lambda namespace, workload: plugin("why", workload, "-n", namespace, "-o", "json"))
    assert announced(done) == different(before, after)
    assert "partial" not in done.out

    demo = plugin("set-priority", *words, "--impact=list", "--dry-run", "--demo")
    assert announced(demo) == announced(done)
    changed = [each for each in demo_objects() if each["kind"] != "PolicyEvaluation"]
    changed += [yaml.safe_load(plugin("set-priority", *words, "-o", "yaml", "--demo", "--impact=none").out)]
    capture = tmp_path / "changed.json"
    capture.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": changed}))
    same = winners(lambda namespace, workload: plugin("why", workload, "-n", namespace, "--demo", "-o", "json"))
    other = winners(
        lambda namespace, workload: plugin("why", workload, "-n", namespace, "-f", str(capture), "-o", "json")
    )
    assert announced(demo) == different(same, other)
