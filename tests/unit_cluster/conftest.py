"""Stubs and certificates for the tests of `cluster` that need no API server."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.unit_cluster.stub import Stub


@dataclass(frozen=True)
class Pair:
    """A self-signed certificate and its key."""

    certificate: Path
    key: Path


def pair(folder: Path, name: str, names: str) -> Pair:
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("needs the openssl program")
    made = Pair(folder / f"{name}.crt", folder / f"{name}.key")
    what = ["-subj", f"/CN={name}", "-addext", f"subjectAltName={names}", "-days", "2"]
    files = ["-keyout", str(made.key), "-out", str(made.certificate)]
    command = [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subprocess.run([*command, *what, *files], check=True, capture_output=True)
    return made


@pytest.fixture(scope="session")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """For 127.0.0.1, ::1 and localhost."""
    return pair(tmp_path_factory.mktemp("loopback"), "loopback", "IP:127.0.0.1,IP:::1,DNS:localhost")


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """For a name that this machine has not."""
    return pair(tmp_path_factory.mktemp("elsewhere"), "elsewhere", "DNS:kube.example.test")


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the caller's clusters and proxies."""
    names = ("KUBECONFIG", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "POD_NAMESPACE")
    proxies = [f"{kind}_proxy" for kind in ("http", "https", "no", "all")]
    for name in (*names, *proxies, *(proxy.upper() for proxy in proxies)):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))


@pytest.fixture
def stub() -> Iterator[Stub]:
    """Over plain HTTP, where no login is sent."""
    with Stub() as served:
        yield served


@pytest.fixture
def secure(loopback: Pair) -> Iterator[Stub]:
    """Over HTTPS, with the certificate `loopback`."""
    with Stub(loopback.certificate, loopback.key) as served:
        yield served
