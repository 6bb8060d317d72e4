"""One etcd and one kube-apiserver on loopback, with users, for as long as a `with` block lasts."""

from __future__ import annotations

import http.client
import os
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import yaml

from . import binaries
from .binaries import Binaries
from .credentials import ADMIN, CERTIFICATE_USER, VIEWER, Credentials
from .fixtures import Fixtures
from .processes import Process, Watchdog, free_ports
from .rest import Rest
from .rights import rule
from .shim import Shim
from .waiting import wait_for

READY_SECONDS = 90


class ApiServer(Fixtures):
    """A real API server without controllers: RBAC on, TLS checked, its own users, nothing shared with the caller.

    Users: `admin` (system:masters), `viewer` (reads everything), `nobody` and `narrow-0` to `narrow-9` (no rights
    until `grant`), and `certificate-user` (no rights; the only one with a client certificate instead of a token).
    Raises `binaries.Unavailable` when the machine lacks the programs.
    """

    def __init__(self, programs: Binaries | None = None) -> None:
        self.programs = programs or binaries.find()
        self.folder = Path(tempfile.mkdtemp(prefix="kubex-apiserver-"))
        self.port = 0
        self._processes: list[Process] = []
        self._watchdog: Watchdog | None = None
        self._connections = ExitStack()
        self._kubeconfigs = 0
        self._shims = 0

    def __enter__(self) -> ApiServer:
        return self.start()

    def __exit__(self, *failure: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def certificate_authority(self) -> Path:
        """The server's self-signed serving certificate, which is the CA to verify it with."""
        return self.folder / "serving" / "apiserver.crt"

    @property
    def pids(self) -> list[int]:
        """The processes this server started and has not ended."""
        watchdog = [self._watchdog.pid] if self._watchdog else []
        return [each.pid for each in self._processes] + watchdog

    def start(self) -> ApiServer:
        """Start both processes and wait until `/readyz` says ok; shows the logs and stops when that fails."""
        try:
            self.credentials = Credentials(self.folder / "credentials")
            self.port, etcd_port, peer_port = free_ports(3)
            self._launch(self._etcd_command(etcd_port, peer_port))
            self._launch(self._apiserver_command(etcd_port))
            self._watchdog = Watchdog(self._processes, self.folder)
            self._wait_ready()
            self.rest = Rest(self.port, self.certificate_authority, self.credentials.tokens[ADMIN])
            self._connections.callback(self.rest.close)
            self._settle()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """End the API server, then etcd (an API server whose etcd is gone never finishes), and remove the files."""
        self._connections.close()
        if self._watchdog:
            self._watchdog.dismiss()
            self._watchdog = None
        while self._processes:
            self._processes.pop().kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def logs(self) -> str:
        """The ends of both logs."""
        return "\n".join(each.tail() for each in self._processes)

    def kubeconfig(
        self,
        user: str = ADMIN,
        namespace: str | None = None,
        *,
        through: Shim | None = None,
        context: str = "kubex-test",
        cluster: Mapping[str, Any] | None = None,
        credentials: Mapping[str, Any] | None = None,
    ) -> Path:
        """Write a kubeconfig file for `user` and return its path; every call writes a new file.

        `through` points it at a shim; `cluster` and `credentials` add or replace fields of the cluster and user
        entries (`proxy-url`, `as`, `exec`, a wrong `token`...).
        """
        authority = through.certificate_authority if through else self.certificate_authority
        address = through.url if through else self.url
        entry = {"server": address, "certificate-authority": str(authority), **(cluster or {})}
        place = {"namespace": namespace} if namespace else {}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": context, "cluster": entry}],
            "users": [{"name": user, "user": self._user_entry(user) | dict(credentials or {})}],
            "contexts": [{"name": context, "context": {"cluster": context, "user": user, **place}}],
            "current-context": context,
        }
        self._kubeconfigs += 1
        path = self.folder / "kubeconfigs" / f"{self._kubeconfigs}-{user}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(config, sort_keys=False))
        path.chmod(0o600)
        return path

    def shim(self, *, latency: float = 0) -> Shim:
        """A proxy in front of this server, to be entered with `with`."""
        self._shims += 1
        folder = self.folder / f"shim-{self._shims}"
        return Shim(self.port, self.certificate_authority, folder, latency=latency)

    def environment(self, kubeconfig: Path | None = None) -> dict[str, str]:
        """The caller's environment with our own HOME, KUBECONFIG and kubectl; nothing of the caller's clusters."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.upper().endswith("_PROXY")}
        kept.pop("KUBECACHEDIR", None)
        path = f"{self.programs.folder}{os.pathsep}{kept.get('PATH', os.defpath)}"
        return {**kept, "HOME": str(home), "KUBECONFIG": str(kubeconfig or self.kubeconfig()), "PATH": path}

    def kubectl(
        self,
        *arguments: str,
        user: str = ADMIN,
        namespace: str | None = None,
        input: str | None = None,
        check: bool = True,
        kubeconfig: Path | None = None,
        timeout: float = 60,
    ) -> subprocess.CompletedProcess[str]:
        """Run the real kubectl; with `check`, an `AssertionError` that shows its stderr when it fails."""
        environment = self.environment(kubeconfig or self.kubeconfig(user, namespace))
        command = [str(self.programs.kubectl), *arguments]
        done = subprocess.run(
            command, input=input, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )
        if check and done.returncode:
            raise AssertionError(f"kubectl {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
        return done

    def _user_entry(self, user: str) -> dict[str, Any]:
        if user == CERTIFICATE_USER:
            certificate, key = self.credentials.client_certificate, self.credentials.client_key
            return {"client-certificate": str(certificate), "client-key": str(key)}
        return {"token": self.credentials.tokens[user]}

    def _launch(self, command: list[str]) -> None:
        self._processes.append(Process(command, self.folder / f"{Path(command[0]).name}.log"))

    def _etcd_command(self, client: int, peer: int) -> list[str]:
        urls = {"client": f"http://127.0.0.1:{client}", "peer": f"http://127.0.0.1:{peer}"}
        return [
            str(self.programs.etcd),
            f"--data-dir={self.folder / 'etcd'}",
            "--unsafe-no-fsync",
            "--log-level=warn",
            f"--listen-client-urls={urls['client']}",
            f"--advertise-client-urls={urls['client']}",
            f"--listen-peer-urls={urls['peer']}",
            f"--initial-advertise-peer-urls={urls['peer']}",
            f"--initial-cluster=default={urls['peer']}",
        ]

    def _apiserver_command(self, etcd_port: int) -> list[str]:
        key = self.credentials.service_account_key
        return [
            str(self.programs.kube_apiserver),
            f"--etcd-servers=http://127.0.0.1:{etcd_port}",
            f"--cert-dir={self.folder / 'serving'}",
            f"--secure-port={self.port}",
            "--bind-address=127.0.0.1",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-signing-key-file={key}",
            f"--service-account-key-file={key}",
            "--authorization-mode=RBAC",
            f"--token-auth-file={self.credentials.token_file}",
            f"--client-ca-file={self.credentials.client_ca}",
            "--disable-admission-plugins=ServiceAccount",
        ]

    def _wait_ready(self) -> None:
        try:
            wait_for("the API server to be ready", self._ready, READY_SECONDS)
        except (TimeoutError, ChildProcessError) as problem:
            raise RuntimeError(f"The test API server did not start: {problem}\n{self.logs()}") from problem

    def _ready(self) -> bool:
        dead = [each.name for each in self._processes if not each.running]
        if dead:
            raise ChildProcessError(f"{', '.join(dead)} ended")
        if not self.certificate_authority.exists():
            return False
        try:
            trusted = ssl.create_default_context(cafile=str(self.certificate_authority))
            headers = {"Authorization": f"Bearer {self.credentials.tokens[ADMIN]}"}
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=5, context=trusted)
            with closing(connection):
                connection.request("GET", "/readyz", headers=headers)
                return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False

    def _settle(self) -> None:
        """What a cluster has from its first minute: the usual namespaces, and the rights of `viewer`."""
        names = ("default", "kube-system", "kube-public", "kube-node-lease")
        self.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in names])
        self.grant(VIEWER, [rule("get list watch", "*", "*")])
