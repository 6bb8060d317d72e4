"""What `why` says about the way from the winners to the pods."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kubex.errors import ExitCode

from .running import run

ORDERS = ("why", "deploy/orders", "-n", "orders", "--demo")


def outcomes(*words: str) -> dict[str, str]:
    found: dict[str, Any] = json.loads(run(*words, "-o", "json").stdout)
    return {plan["path"]: plan["outcome"] for plan in found["plans"]}


def test_figures_stand_in_the_table() -> None:
    text = run(*ORDERS).stdout
    for figure in (
        "2.3% < 5%",
        "2Gi is outside LimitRange sizes (max 1536Mi)",
        "HPA orders scales on cpu",
        "closed until 2026-11-30 20:00 Europe/London by strategy evenings",
        "would set worker/requests/cpu 250m -> 150m",
    ):
        assert figure in text
    assert "passed" not in text
    assert "passed: automation is on" in run(*ORDERS, "-o", "wide").stdout


def test_a_calm_plan_is_short() -> None:
    text = run("why", "cronjob/nightly-report", "-n", "shop", "--demo").stdout
    section = text.partition("PLAN ")[2].partition("\n\n")[0]
    assert len(section.splitlines()) <= 5


@pytest.mark.parametrize(
    ("at", "outcome"),
    [
        ("2026-11-30T19:59:59Z", "BLOCKED_RETRYING"),
        ("2026-11-30T20:00:00Z", "READY"),
        ("2026-11-30T21:00:00+01:00", "READY"),
        ("2026-11-30T23:00:00Z", "BLOCKED_RETRYING"),
    ],
)
def test_the_clock_can_be_moved(at: str, outcome: str) -> None:
    assert outcomes(*ORDERS, "--at", at)["controller"] == outcome


def test_what_is_no_time_is_refused() -> None:
    found = run(*ORDERS, "--at", "tomorrow")
    assert (found.exit_code, found.stdout) == (ExitCode.USAGE, "")


def test_a_resize_in_place_under_way_is_shown() -> None:
    found = run("why", "sts/cart", "-n", "backend", "--demo")
    assert "A resize in place is under way on cart-1: spec and status differ." in found.stdout
    assert "a resize under way from 256Mi to 512Mi" in found.stdout
    document = json.loads(run("why", "sts/cart", "-n", "backend", "--demo", "-o", "json").stdout)
    assert document["resizing"] == ["cart-1"]


def test_a_known_plan_is_an_answer_and_an_undetermined_one_is_partial() -> None:
    assert run(*ORDERS).exit_code == ExitCode.OK
    assert run("why", "sts/cart", "-n", "backend", "--demo").exit_code == ExitCode.PARTIAL


def test_a_record_that_differs_is_shown_with_its_cause(tmp_path: Path) -> None:
    folder = files("kubectl_kubex") / "demo"
    text = (folder / "orders.yaml").read_text(encoding="utf-8").replace("change-below-threshold", "pod-not-ready")
    (tmp_path / "orders.yaml").write_text(text, encoding="utf-8")
    engine = (folder / "engine.yaml").read_text(encoding="utf-8")
    (tmp_path / "engine.yaml").write_text(engine, encoding="utf-8")
    assert list(yaml.safe_load_all(text))
    found = run("why", "deploy/orders", "-n", "orders", "-f", str(tmp_path), "--at", "2026-11-30T09:00:00Z").stdout
    assert "differs: it says limit-range-violated, pod-not-ready, hpa-resource-managed" in found
    assert "likely cause: another version of the engine" in found
