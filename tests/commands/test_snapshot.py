"""`snapshot`: what it writes, how carefully, and that it answers like its source."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.commands import files
from kubectl_kubex.errors import InputError, UsageError
from tests.render.demo_scenes import scenes

from .running import documents, run


def without_source(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "source"}


@pytest.mark.parametrize(("namespace", "workload"), scenes(), ids=["-".join(scene) for scene in scenes()])
@pytest.mark.parametrize("name", ["capture.yaml", "capture.json"])
def test_it_answers_as_its_source_does(tmp_path: Path, namespace: str, workload: str, name: str) -> None:
    file = tmp_path / name
    result = run("snapshot", workload, "-n", namespace, "--demo", "-o", str(file))
    assert (result.stdout, result.stderr, result.exit_code) == ("", f"snapshot written to {file}\n", 0)
    before = documents("why", workload, "-n", namespace, "--demo")
    after = documents("why", workload, "-n", namespace, "-f", str(file))
    assert without_source(after) == without_source(before)
    assert after["source"]["capturedAt"]


def test_one_of_the_whole_cluster_answers_everything(tmp_path: Path) -> None:
    file = tmp_path / "cluster.json"
    assert run("snapshot", "-A", "--demo", "-o", str(file)).exit_code == 0
    for namespace, workload in scenes():
        words = (workload, "-n", namespace)
        before, after = documents("why", *words, "--demo"), documents("why", *words, "-f", str(file))
        assert without_source(after) == without_source(before)
    lists = [without_source(documents("policies", "-A", *source)) for source in (["--demo"], ["-f", str(file)])]
    assert lists[0]["policies"] == lists[1]["policies"]


def test_it_is_for_its_owners_eyes(tmp_path: Path) -> None:
    file = tmp_path / "capture.yaml"
    old = os.umask(0)
    try:
        run("snapshot", "web", "--demo", "-o", str(file))
    finally:
        os.umask(old)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_it_replaces_nothing_unless_told(tmp_path: Path) -> None:
    file = tmp_path / "capture.yaml"
    file.write_text("mine", encoding="utf-8")
    result = run("snapshot", "web", "--demo", "-o", str(file))
    assert (result.exit_code, file.read_text(encoding="utf-8")) == (2, "mine")
    assert result.stderr == f"error: {file} exists already; choose another name, or --force\n"
    assert run("snapshot", "web", "--demo", "-o", str(file), "--force").exit_code == 0
    assert file.read_text(encoding="utf-8").startswith("---\n")


def test_a_file_that_came_into_being_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "capture.yaml"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="exists already"):
        files.write_private(str(file), "ours", force=False)
    assert file.read_text(encoding="utf-8") == "mine"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        files.write_private(str(tmp_path / "no" / "file"), "ours", force=False)


def test_it_can_go_to_a_pipe() -> None:
    result = run("snapshot", "web", "--demo", "-o", "-")
    assert result.stdout.startswith("---\n")
    assert result.stderr == ""
    assert run("why", "deploy/web", "-f", "-", stdin=result.stdout).stdout.startswith("deployment/web: 4 policies win")


def test_one_that_is_missing_is_told_of_and_left_out(tmp_path: Path) -> None:
    file = tmp_path / "capture.json"
    result = run("snapshot", "web", "nobody", "--demo", "-o", str(file))
    assert result.exit_code == 3
    assert 'workload "nobody" not found' in result.stderr
    kinds = [item["kind"] for item in json.loads(file.read_text(encoding="utf-8"))["items"]]
    assert kinds.count("Deployment") == 1


def test_none_that_is_there_writes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "capture.yaml"
    assert run("snapshot", "nobody", "--demo", "-o", str(file)).exit_code == 3
    assert not file.exists()
