"""The impact of a change: exact where all could be read, partial and in time where not."""

from __future__ import annotations

import io
import time
from typing import Any

import pytest

from kubectl_kubex.codec.configuration import decode_precedence
from kubectl_kubex.codec.gathered import Gathered, Objects, Subject, WorkloadList
from kubectl_kubex.codec.precedence_edit import default_object, with_priorities
from kubectl_kubex.codec.snapshot import WHY_KINDS
from kubectl_kubex.codec.surroundings import Surroundings
from kubectl_kubex.commands.impact import ProgressLine, measure
from kubectl_kubex.core.impact import Impact, changed_types, impact_of, may_change
from kubectl_kubex.core.model import Gap, GapReason, SourceInfo
from kubectl_kubex.errors import Unreachable
from kubectl_kubex.render.change import impact_text
from tests.builders import envelope, hashed_key, raw_configuration, raw_policy, raw_workload
from tests.render.demo_scenes import source

OLD = decode_precedence([default_object()], None)
NEW = decode_precedence([with_priorities(default_object(), {"ProactivePolicy": 95})], None)


class Many:
    """`count` workloads with a static and a proactive claim on `container`; their template has `app` alone."""

    namespace = "default"

    def __init__(self, count: int = 3, container: str = "app", seconds: float = 0, gaps: tuple[Gap, ...] = ()) -> None:
        keys = {
            hashed_key("StaticPolicy", "AAAA"): envelope("StaticPolicy", "s", {container: {"cpu": "1"}}),
            hashed_key("ProactivePolicy", "BBBB"): envelope("ProactivePolicy", "p", {container: {"cpu": "2"}}),
        }
        self.raw = [raw_workload(keys, name=f"w{number}") for number in range(count)]
        self.seconds, self.gaps = seconds, gaps

    def gather(self, references: Any, namespace: str, kinds: Any, *, all_namespaces: bool = False) -> Gathered:
        time.sleep(self.seconds)
        objects = [raw_policy("StaticPolicy", "s"), raw_policy("ProactivePolicy", "p"), raw_configuration()]
        by_kind = {kind: tuple(raw for raw in objects if raw["kind"] == kind) for kind in kinds}
        by_name = {raw["metadata"]["name"]: raw for raw in self.raw}
        subjects = tuple(Subject(reference, by_name[reference.name], ()) for reference in references)
        return Gathered(SourceInfo(), Objects(by_kind), subjects)

    def workloads(self, namespace: str | None) -> WorkloadList:
        listed = tuple({name: raw[name] for name in ("apiVersion", "kind", "metadata")} for raw in self.raw)
        return WorkloadList(listed, self.gaps)


def test_each_workload_with_its_targets() -> None:
    found = measure(Many(), OLD, NEW)
    assert (found.examined, found.total, found.unconfirmed, found.is_partial) == (3, 3, 0, False)
    assert [each.workload.name for each in found.changed] == ["w0", "w1", "w2"]
    (change,) = found.changed[0].changes
    assert (str(change.target), change.old and change.old.kind, change.new and change.new.kind) == (
        "app/requests/cpu", "StaticPolicy", "ProactivePolicy",
    )  # fmt: skip
    assert impact_text(found) == "Impact: 3 of 3 workloads change a winner"
    assert impact_text(measure(Many(1), OLD, NEW)) == "Impact: 1 of 1 workload changes a winner"
    assert impact_text(measure(Many(), OLD, OLD)) == "Impact: 0 of 3 workloads change a winner"


def test_a_container_that_is_gone_does_not_count() -> None:
    assert measure(Many(container="gone"), OLD, NEW).changed == ()
    assert len(measure(Many(container="*"), OLD, NEW).changed) == 3


def test_what_could_not_be_read_makes_it_partial() -> None:
    gap = Gap("Rollout", GapReason.FORBIDDEN, "no right", "list rollouts")
    found = measure(Many(gaps=(gap,)), OLD, NEW)
    assert impact_text(found) == (
        "Impact (partial): 3 of 3 workloads change a winner; could not be read: Rollout (no right)"
    )


def test_no_answer_is_no_error() -> None:
    class Silent(Many):
        def workloads(self, namespace: str | None) -> WorkloadList:
            raise Unreachable("https://one", "timed out")

    assert impact_text(measure(Silent(), OLD, NEW)).startswith(
        "Impact: not known; could not be read: workloads (cannot "
    )


def test_a_bug_is_not_hidden() -> None:
    class Broken(Many):
        def workloads(self, namespace: str | None) -> WorkloadList:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        measure(Broken(), OLD, NEW)


def test_time_is_bounded() -> None:
    start = time.monotonic()
    found = measure(Many(seconds=5), OLD, NEW, seconds=0.2)
    assert time.monotonic() - start < 2
    assert impact_text(found) == "Impact: not known, the workloads could not be listed in time"
    late = measure(Many(20_000), OLD, NEW, seconds=0.5)
    assert late.is_partial
    assert 0 < late.examined < 20_000
    assert f"of {late.examined} workloads change a winner" in impact_text(late)
    assert f"{20_000 - late.examined} not examined in time" in impact_text(late)


@pytest.mark.parametrize("name", ["StaticPolicy", "ProactivePolicy", "ClusterRollbackPolicy", "RollbackPolicy"])
def test_the_quick_no_is_never_wrong(name: str) -> None:
    """Over every workload of the demo, changed up, down and off the list."""
    demo = source()
    gathered = demo.gather((), "shop", WHY_KINDS, all_namespaces=True)
    (raw,) = gathered.objects.by_kind["PolicyEvaluation"]
    old = decode_precedence([raw], None)
    without = with_priorities(raw, {}, frozenset({name}))
    for edited in (with_priorities(without, {name: 1}), with_priorities(without, {name: 999}), without):
        new = decode_precedence([edited], None)
        changed, surroundings = changed_types(old, new), Surroundings(gathered, old)
        for workload in demo.workloads(None).workloads:
            snapshot = surroundings.snapshot(workload)
            assert may_change(snapshot.recommendations, changed) or not impact_of(snapshot, new)


def test_words_of_a_partial_count() -> None:
    assert impact_text(Impact(total=10, examined=4)) == (
        "Impact (partial): 0 of 4 workloads change a winner, 6 not examined in time"
    )


def test_progress_only_on_a_terminal() -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen, pipe = Screen(), io.StringIO()
    for stream in (screen, pipe):
        line = ProgressLine(stream)
        line(0, None)
        line(1, 2)
        line.clear()
    assert pipe.getvalue() == ""
    assert screen.getvalue() == "\rimpact: listing workloads\x1b[K\rimpact: 1 of 2 workloads\x1b[K\r\x1b[K"
