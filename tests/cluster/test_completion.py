"""Completion behind real kubectl, through the shim that `completion install` writes; with and without a cluster."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apiserver.load import load
from tests.apiserver.server import ApiServer
from tests.cluster.plugin import ROOT
from tests.cluster.test_live_and_offline import demo_objects

NO_FILES = ":4"


@pytest.fixture(scope="module")
def shop(api_server: ApiServer) -> Iterator[ApiServer]:
    api_server.reset()
    load(api_server, demo_objects())
    yield api_server
    api_server.reset()


class Shell:
    """Somebody at a prompt, with kubectl, the plugin and its shim on PATH."""

    def __init__(self, server: ApiServer, folder: Path) -> None:
        self.server, self.folder = server, folder
        script = folder / "kubectl-kubex"
        main = "import sys\nfrom kubectl_kubex.__main__ import main\nsys.exit(main())\n"
        script.write_text(f"#!{sys.executable}\n{main}", encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        self.shim = Path(self.run(str(script), "completion", "install")[0].strip())

    def run(self, *command: str, kubeconfig: Path | None = None) -> tuple[str, str]:
        environment = self.server.environment(kubeconfig or self.server.kubeconfig())
        path = os.pathsep.join([str(self.folder), environment["PATH"]])
        done = subprocess.run(
            command, env={**environment, "PATH": path, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
            timeout=60, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    def complete(self, *words: str, kubeconfig: Path | None = None) -> list[str]:
        """Candidates and, last, the directive, as kubectl hands them to a shell's script. Our part writes no word on
        standard error: all that stands there is what kubectl says of itself."""
        said, errors = self.run(str(self.server.programs.kubectl), "__complete", "kubex", *words, kubeconfig=kubeconfig)
        own = ("[Debug] ", "Completion ended with directive")
        assert [line for line in errors.splitlines() if not line.startswith(own)] == []
        return [line.partition("\t")[0] for line in said.splitlines()]


@pytest.fixture
def shell(shop: ApiServer, tmp_path: Path) -> Shell:
    return Shell(shop, tmp_path)


def test_the_shim_stands_beside_the_program(shell: Shell) -> None:
    assert shell.shim == shell.folder / "kubectl_complete-kubex"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["wh"], ["why", NO_FILES]),
        (["why", "--tar"], ["--target", NO_FILES]),
        (["why", "deployment/w"], ["deployment/web", NO_FILES]),
        (["why", "deploy/"], ["deploy/web", NO_FILES]),
        (["why", "-n", "payments", "deploy/l"], ["deploy/ledger", NO_FILES]),
        (["why", "--namespace=payments", "deploy", "l"], ["ledger", NO_FILES]),
        (["why", "deploy/ledger", "-n", "pay"], ["payments", NO_FILES]),
        (["why", "-n=pay"], ["payments", NO_FILES]),
        (["why", "dep"], ["deployment/", ":6"]),
        (["why", "--context", "kubex"], ["kubex-test", NO_FILES]),
        (["why", "--color", "al"], ["always", NO_FILES]),
        (["why", "-o", "js"], ["json", "jsonpath=", NO_FILES]),
        (["schema", "wh"], ["why", NO_FILES]),
        (["set-priority", "StaticP"], ["StaticPolicy=", ":6"]),
        (["no-such-command", ""], None),
        (["why", "deploy/none"], [NO_FILES]),
        (["why", "-f", "some/"], [":0"]),
    ],
)
def test_words_through_kubectl(shell: Shell, words: list[str], expected: list[str] | None) -> None:
    kubeconfig = shell.server.kubeconfig(namespace="shop")
    found = shell.complete(*words, kubeconfig=kubeconfig)
    assert expected is None or found == expected


def test_stored_backups_are_completed(shell: Shell) -> None:
    path, _ = shell.run(str(shell.folder / "kubectl-kubex"), "backup")
    name = Path(path.strip()).name
    assert shell.complete("backup", "show", name[:8]) == [name, NO_FILES]
    assert shell.complete("restore", name[:8]) == [name, NO_FILES]
    assert shell.complete("restore", "no-such") == [":0"]


def test_a_cluster_that_is_away_is_silence(shell: Shell, tmp_path: Path) -> None:
    away = shell.server.kubeconfig(cluster={"server": "https://127.0.0.1:1"})
    assert shell.complete("why", "deploy/", kubeconfig=away) == [NO_FILES]
    assert shell.complete("wh", kubeconfig=tmp_path / "no-such-file") == ["why", NO_FILES]
    broken = tmp_path / "broken"
    broken.write_text("{")
    assert shell.complete("why", "--context", "", kubeconfig=broken) == [NO_FILES]


@pytest.mark.parametrize("user", ["nobody", "viewer"])
def test_without_rights_it_offers_less(shell: Shell, user: str) -> None:
    kubeconfig = shell.server.kubeconfig(user, namespace="shop")
    assert shell.complete("why", "deploy/", kubeconfig=kubeconfig)[-1] == NO_FILES


def test_a_slow_server_is_not_waited_for(shell: Shell) -> None:
    with shell.server.shim(latency=5) as slow:
        kubeconfig = shell.server.kubeconfig(through=slow)
        began = time.monotonic()
        assert shell.complete("why", "deploy/", kubeconfig=kubeconfig) == [NO_FILES]
        took = time.monotonic() - began
    assert took < 2.5  # one second is promised; this machine may be busy


def test_a_login_plugin_neither_speaks_nor_waits(shell: Shell, tmp_path: Path) -> None:
    plugin = tmp_path / "login"
    plugin.write_text("#!/bin/sh\necho Password: >&2\nsleep 5\n")
    plugin.chmod(0o755)
    login = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(plugin), "interactiveMode": "IfAvailable"}
    kubeconfig = shell.server.kubeconfig(credentials={"exec": login})
    began = time.monotonic()
    assert shell.complete("why", "deploy/", kubeconfig=kubeconfig)[-1] == NO_FILES
    assert time.monotonic() - began < 2.5
