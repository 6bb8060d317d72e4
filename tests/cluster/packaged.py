"""The release archive as the tests have it: the one in `dist/`, built where it is missing or older than the sources."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import packager.archive
from packager.place import DIST, ROOT, this_machine


def find_or_build() -> Path:
    """KUBEX_ARCHIVE, else the archive in `dist/`. Raises AssertionError with what the build said."""
    given = os.environ.get("KUBEX_ARCHIVE")
    if given:
        return Path(given)
    found = DIST / this_machine().archive
    if not found.exists() or found.stat().st_mtime < _newest():
        print("building the release archive (a minute or two)...", file=sys.stderr)
        done = subprocess.run([ROOT / "build.sh", "package"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return found


def unpacked(made: Path, folder: Path) -> Path:
    """The program of the archive, in `folder`."""
    packager.archive.unpack(made, folder)
    return folder / this_machine().program


def _newest() -> float:
    sources = list((ROOT / "kubectl_kubex").rglob("*.py"))
    sources += [path for path in (ROOT / "packaging").rglob("*") if path.suffix in {".py", ".spec"}]
    return max(path.stat().st_mtime for path in [*sources, ROOT / "constraints.txt"])
