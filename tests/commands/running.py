"""Running the command line: in this process for its words, as a process of its own for its signals and streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from kubectl_kubex.cli import cli

ROOT = Path(__file__).parents[2]
CLEAN = {"NO_COLOR": None, "FORCE_COLOR": None, "CLICOLOR_FORCE": None, "COLUMNS": None, "KUBECONFIG": os.devnull}


def run(*words: str, stdin: str | bytes | None = None, env: Mapping[str, str | None] | None = None) -> Result:
    """What `kubectl kubex WORDS` says. No kubeconfig is in reach."""
    runner = CliRunner(env={**CLEAN, **(env or {})})
    return runner.invoke(cli, list(words), input=stdin, prog_name="kubectl kubex")


def documents(*words: str, **more: Any) -> Any:
    """The -o json document; asserts nothing about the exit code."""
    return json.loads(run(*words, "-o", "json", **more).stdout)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "kubectl_kubex", *words]


def environment(**changes: str) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if name not in CLEAN and not name.startswith(("LC_", "PY"))
    }
    return {**kept, "KUBECONFIG": os.devnull, "PYTHONPATH": str(ROOT), **changes}


def process(words: Sequence[str], **changes: str) -> subprocess.CompletedProcess[bytes]:
    """`words` in a process of its own, streams as bytes."""
    return subprocess.run(command(*words), capture_output=True, env=environment(**changes), timeout=60, check=False)
