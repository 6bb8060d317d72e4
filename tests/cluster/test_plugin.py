"""Through real kubectl: the plugin is found, answers, and speaks of itself as people typed it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apiserver.load import load
from tests.apiserver.server import ApiServer
from tests.cluster.plugin import ROOT
from tests.cluster.test_live_and_offline import demo_objects


@pytest.fixture(scope="module")
def shop(api_server: ApiServer) -> Iterator[ApiServer]:
    api_server.reset()
    load(api_server, demo_objects())
    yield api_server
    api_server.reset()


@pytest.fixture
def kubectl(shop: ApiServer, tmp_path: Path) -> Kubectl:
    """kubectl with the plugin on its PATH, as an installation puts it there."""
    script = tmp_path / "kubectl-kubex"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nfrom kubectl_kubex.__main__ import main\nsys.exit(main())\n", encoding="utf-8"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return Kubectl(shop, tmp_path)


class Kubectl:
    def __init__(self, server: ApiServer, folder: Path) -> None:
        self.server, self.folder = server, folder

    def __call__(self, *words: str, check: bool = True) -> tuple[int, str, str]:
        environment = self.server.environment(self.server.kubeconfig())
        path = os.pathsep.join([str(self.folder), environment["PATH"]])
        finished = subprocess.run(
            [str(self.server.programs.kubectl), *words],
            env={**environment, "PATH": path, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if check:
            assert finished.returncode == 0, finished.stderr
        return finished.returncode, finished.stdout, finished.stderr


def test_kubectl_finds_the_plugin_and_it_answers(kubectl: Kubectl) -> None:
    _, answer, errors = kubectl("kubex", "why", "deploy/web", "-n", "shop")
    assert answer.startswith("deployment/web: ")
    assert "ProactivePolicy/web-sizing" in answer
    assert errors == ""


def test_it_calls_itself_what_people_typed(kubectl: Kubectl) -> None:
    _, text, _ = kubectl("kubex", "why", "-h")
    assert text.startswith("Usage: kubectl kubex why ")
    code, _, error = kubectl("kubex", "wyh", check=False)
    assert code == 2
    assert "kubectl kubex" in error


def test_exit_codes_pass_through_kubectl(kubectl: Kubectl) -> None:
    assert kubectl("kubex", "why", "deploy/nowhere", "-n", "shop", check=False)[0] == 3
    assert kubectl("kubex", "why", "deploy/ledger", "-n", "payments", check=False)[0] == 5
