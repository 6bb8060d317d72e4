"""Find, or build once, the programs the test server is made of.

`python -m tests.apiserver.binaries` prints the folder that holds them, or says what is missing and exits 1.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ("etcd", "kube-apiserver", "kubectl")
PACKAGES = ("go.etcd.io/etcd/server/v3", "k8s.io/kubernetes/cmd/kube-apiserver", "k8s.io/kubernetes/cmd/kubectl")
STAMPED = ("k8s.io/component-base/version", "k8s.io/client-go/pkg/version")
REMEDY = (
    "Install Go (the version in tests/apiserver/go.mod or newer) and run `python -m tests.apiserver.binaries` once "
    "(about 7 minutes, 3 GB of Go caches), or set KUBEBUILDER_ASSETS to a folder with " + ", ".join(PROGRAMS) + "."
)


class Unavailable(RuntimeError):
    """The test server cannot run on this machine; the text says what is missing and how to get it."""


@dataclass(frozen=True)
class Binaries:
    """A folder known to hold every program in `PROGRAMS`."""

    folder: Path

    @property
    def etcd(self) -> Path:
        return self.folder / "etcd"

    @property
    def kube_apiserver(self) -> Path:
        return self.folder / "kube-apiserver"

    @property
    def kubectl(self) -> Path:
        return self.folder / "kubectl"


def find(environ: Mapping[str, str] = os.environ, *, build: bool = True) -> Binaries:
    """The programs: KUBEBUILDER_ASSETS if complete, else the cache, else (with `build`) a fresh build.

    Raises `Unavailable` when none of these gives all three.
    """
    assets = environ.get("KUBEBUILDER_ASSETS")
    if assets and complete(Path(assets)):
        return Binaries(Path(assets))
    note = f"KUBEBUILDER_ASSETS={assets} lacks {', '.join(missing(Path(assets)))}. " if assets else ""
    folder = cache_folder(environ)
    if complete(folder):
        return Binaries(folder)
    if not build:
        raise Unavailable(f"{note}No built API server in {folder}. {REMEDY}")
    try:
        return _build_once(folder, environ)
    except Unavailable as problem:
        raise Unavailable(f"{note}{problem}") from problem


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where this checkout's build is kept: outside the checkout, one folder for each go.mod and go.sum."""
    root = environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    digest = hashlib.sha256()
    for name in ("go.mod", "go.sum"):
        digest.update((HERE / name).read_bytes())
    return Path(root) / "kubectl-kubex" / "apiserver" / digest.hexdigest()[:16]


def complete(folder: Path) -> bool:
    """Whether `folder` holds every program."""
    return not missing(folder)


def missing(folder: Path) -> list[str]:
    """The programs that are absent from `folder` or cannot be executed."""
    return [name for name in PROGRAMS if not os.access(folder / name, os.X_OK)]


def kubernetes_version() -> str:
    """The Kubernetes release that go.mod names, as `v1.36.3`."""
    found = re.search(r"k8s\.io/kubernetes (v[0-9.]+)", (HERE / "go.mod").read_text())
    if not found:
        raise Unavailable("tests/apiserver/go.mod names no k8s.io/kubernetes version")
    return found.group(1)


def _build_once(folder: Path, environ: Mapping[str, str]) -> Binaries:
    go = shutil.which("go", path=environ.get("PATH"))
    if go is None:
        raise Unavailable(f"No built API server in {folder}, and no `go` on PATH to build one. {REMEDY}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_suffix(".lock")):
        if not complete(folder):
            _build(go, folder, environ)
    return Binaries(folder)


def _build(go: str, folder: Path, environ: Mapping[str, str]) -> None:
    """Build beside `folder`, then rename: a build cut short leaves no half-filled folder."""
    print(f"Building the test API server into {folder} (once; about 7 minutes)...", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".building-") as temporary:
        target = Path(temporary) / "bin"
        target.mkdir()
        command = [go, "install", "-buildvcs=false", "-trimpath", "-ldflags", _link_flags(), *PACKAGES]
        settings = {"GOBIN": str(target), "CGO_ENABLED": "0", "GOWORK": "off"}
        done = subprocess.run(
            command, cwd=HERE, env={**environ, **settings}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Unavailable(f"The build of the API server failed:\n{done.stderr[-2000:]}\n{REMEDY}")
        (target / "server").rename(target / "etcd")
        if folder.exists():
            shutil.rmtree(folder)
        target.rename(folder)


def _link_flags() -> str:
    """Without the version stamps the server would report v0.0.0-master."""
    version = kubernetes_version()
    major, minor, _ = version.removeprefix("v").split(".")
    stamps = {"gitVersion": version, "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
    return " ".join(["-s", "-w", *(f"-X {path}.{name}={value}" for path in STAMPED for name, value in stamps.items())])


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an advisory lock, so that two runs at once build only one time."""
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


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
