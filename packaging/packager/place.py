"""Where things are made, and for which machine."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
WORK = ROOT / "build" / "package"
PROGRAM = "kubectl-kubex"
CONTENTS = WORK / "contents.json"
_SYSTEMS = {"linux": "linux", "darwin": "darwin", "win32": "windows"}
_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
_OLDEST = 315532800  # 1980-01-01, before which a zip file knows no time


@dataclass(frozen=True)
class Machine:
    """An operating system and processor, in the words of Go and krew."""

    os: str
    arch: str

    @property
    def program(self) -> str:
        """The program's file name."""
        return PROGRAM + (".exe" if self.os == "windows" else "")

    @property
    def archive(self) -> str:
        """The archive's file name."""
        return f"{PROGRAM}-{self.os}-{self.arch}" + (".zip" if self.os == "windows" else ".tar.gz")

    @property
    def onefile(self) -> str:
        """The single file's name, for people who download without krew."""
        return f"{PROGRAM}-onefile-{self.os}-{self.arch}" + (".exe" if self.os == "windows" else "")


MACHINES = (
    Machine("linux", "amd64"),
    Machine("linux", "arm64"),
    Machine("darwin", "amd64"),
    Machine("darwin", "arm64"),
    Machine("windows", "amd64"),
)


def this_machine() -> Machine:
    """The machine that this runs on, which is the only one to build for."""
    machine = platform.machine().lower()
    return Machine(_SYSTEMS.get(sys.platform, sys.platform), _MACHINES.get(machine, machine))


def version() -> str:
    """The version of the checkout, without `v`."""
    found = re.search(r'__version__ = "([^"]+)"', (ROOT / "kubectl_kubex" / "__init__.py").read_text(encoding="utf-8"))
    assert found is not None
    return found.group(1)


def epoch() -> int:
    """The time that everything made here carries: SOURCE_DATE_EPOCH, else that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not given:
        command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        try:
            given = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        except OSError:
            given = ""
    return max(int(given), _OLDEST) if given.isdigit() else _OLDEST
