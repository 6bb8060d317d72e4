"""Running the plugin as a person does: a process of its own, with the test server's kubeconfig."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.apiserver.server import ApiServer

ROOT = Path(__file__).resolve().parents[2]


Finished = subprocess.CompletedProcess[str]


def run(server: ApiServer, *words: str, user: str = "admin", kubeconfig: Path | None = None) -> Finished:
    """`kubectl-kubex WORDS` as `user`, from the repository's root."""
    environment = server.environment(kubeconfig or server.kubeconfig(user))
    return subprocess.run(
        [sys.executable, "-m", "kubectl_kubex", *words],
        env={**environment, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def document(server: ApiServer, *words: str, user: str = "admin") -> dict[str, Any]:
    """What the command prints with `-o json`; fails where it prints nothing or a traceback."""
    finished = run(server, *words, "-o", "json", user=user)
    assert "Traceback" not in finished.stderr, finished.stderr
    assert finished.stdout, finished.stderr
    found: dict[str, Any] = json.loads(finished.stdout)
    return found
