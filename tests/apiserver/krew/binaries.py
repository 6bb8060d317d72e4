"""Find, or build once, krew and the validator that krew's index runs on a manifest; cached beside the API server.

`python -m tests.apiserver.krew.binaries` prints the folder that holds them, or says what is missing and exits 1.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.apiserver.binaries import Unavailable, _locked
from tests.apiserver.binaries import cache_folder as api_server_folder

HERE = Path(__file__).resolve().parent
PROGRAMS = ("krew", "validate-krew-manifest")
PACKAGES = tuple(f"sigs.k8s.io/krew/cmd/{program}" for program in PROGRAMS)


@dataclass(frozen=True)
class Krew:
    """A folder known to hold both programs."""

    folder: Path

    @property
    def krew(self) -> Path:
        return self.folder / "krew"

    @property
    def validator(self) -> Path:
        return self.folder / "validate-krew-manifest"


def find(environ: Mapping[str, str] = os.environ) -> Krew:
    """The programs from the cache, else built with Go. Raises `Unavailable` where neither is to be had."""
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in ("go.mod", "go.sum"))).hexdigest()[:16]
    folder = api_server_folder(environ).parent.parent / "krew" / digest
    if not _complete(folder):
        go = shutil.which("go", path=environ.get("PATH"))
        if go is None:
            raise Unavailable(f"No built krew in {folder}, and no `go` on PATH to build it (10 seconds).")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder.with_suffix(".lock")):
            if not _complete(folder):
                _build(go, folder, environ)
    return Krew(folder)


def _complete(folder: Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in PROGRAMS)


def _build(go: str, folder: Path, environ: Mapping[str, str]) -> None:
    """Build beside `folder`, then rename: a build cut short leaves no half-filled folder."""
    print(f"Building krew into {folder} (once)...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".building-") as temporary:
        target = Path(temporary) / "bin"
        target.mkdir()
        command = [go, "install", "-buildvcs=false", "-trimpath", "-ldflags", "-s -w", *PACKAGES]
        settings = {"GOBIN": str(target), "CGO_ENABLED": "0", "GOWORK": "off"}
        done = subprocess.run(
            command, cwd=HERE, env={**environ, **settings}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Unavailable(f"The build of krew failed:\n{done.stderr[-2000:]}")
        shutil.rmtree(folder, ignore_errors=True)
        target.rename(folder)


def main() -> int:
    """Print the folder, or the reason there is none."""
    try:
        print(find().folder)
    except Unavailable as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
