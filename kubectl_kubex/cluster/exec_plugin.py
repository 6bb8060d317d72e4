"""PluginLogin: a program named in the kubeconfig says who we are (client.authentication.k8s.io), as with kubectl."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from kubectl_kubex.cluster.endpoint import cluster_for_plugins
from kubectl_kubex.cluster.login import Certificate
from kubectl_kubex.codec.shapes import mapping, objects, text
from kubectl_kubex.codec.times import parse_time
from kubectl_kubex.errors import ConfigError

if TYPE_CHECKING:
    from kubectl_kubex.cluster.endpoint import Endpoint

GROUP = "client.authentication.k8s.io"
VERSIONS = (f"{GROUP}/v1", f"{GROUP}/v1beta1")


@dataclass(frozen=True)
class Credential:
    """What a plugin answered."""

    token: str | None
    certificate: Certificate | None
    expires: datetime | None

    def is_expired(self) -> bool:
        return self.expires is not None and datetime.now(timezone.utc) >= self.expires  # noqa: TID251 - now, for real


class PluginLogin:
    """Runs the plugin when a login is first needed, has expired, or was refused; one thread at a time."""

    def __init__(self, endpoint: Endpoint, chain: Certificate | None = None) -> None:
        self._endpoint = endpoint
        self._plugin = mapping(endpoint.user["exec"])
        self._chain = chain
        self._lock = threading.Lock()
        self._credential: Credential | None = None

    def authorization(self) -> str | None:
        return _header(self._current())

    def certificate(self) -> Certificate | None:
        return self._current().certificate or self._chain

    def renew(self, refused: str | None) -> bool:
        with self._lock:
            if self._credential is None or _header(self._credential) == refused:
                self._credential = run(self._plugin, self._endpoint)
            return True

    def _current(self) -> Credential:
        with self._lock:
            if self._credential is None or self._credential.is_expired():
                self._credential = run(self._plugin, self._endpoint)
            return self._credential


def _header(credential: Credential) -> str | None:
    return f"Bearer {credential.token}" if credential.token else None


def run(plugin: Mapping[str, Any], endpoint: Endpoint) -> Credential:
    """Run the plugin once. Its stderr is ours; its environment is ours plus what the kubeconfig adds."""
    version = text(plugin.get("apiVersion")) or ""
    if version not in VERSIONS:
        raise ConfigError(f'the login plugin of user "{endpoint.user_name}" has the apiVersion "{version}"', _KNOWN)
    command = text(plugin.get("command")) or ""
    interactive = _interactive(plugin, command)
    try:
        done = subprocess.run(  # noqa: S603 - the user's own kubeconfig names it
            [command, *(str(argument) for argument in plugin.get("args") or ())],
            env={**os.environ, **_environment(plugin), "KUBERNETES_EXEC_INFO": _request(plugin, endpoint, interactive)},
            stdin=None if interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=False,
        )
    except OSError as problem:
        raise _not_started(plugin, command, problem) from None
    if done.returncode:
        raise ConfigError(f'the login plugin "{command}" failed with exit code {done.returncode}', "log in again")
    return _credential(done.stdout, version, command)


_KNOWN = f"supported: {', '.join(VERSIONS)}"


def _not_started(plugin: Mapping[str, Any], command: str, problem: OSError) -> ConfigError:
    hint = " ".join((text(plugin.get("installHint")) or "").split())
    if isinstance(problem, FileNotFoundError):
        return ConfigError(f'the login plugin "{command}" is not found', hint)
    return ConfigError(f'the login plugin "{command}" does not start: {problem.strerror}', hint)


def _interactive(plugin: Mapping[str, Any], command: str) -> bool:
    """Whether the plugin may ask the user: interactiveMode Never, IfAvailable (the default) or Always."""
    mode = plugin.get("interactiveMode") or "IfAvailable"
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if mode == "Always" and not terminal:
        raise ConfigError(f'the login plugin "{command}" must ask questions, and standard input is no terminal')
    return terminal and mode != "Never"


def _environment(plugin: Mapping[str, Any]) -> dict[str, str]:
    return {str(pair.get("name")): str(pair.get("value") or "") for pair in objects(plugin.get("env"))}


def _request(plugin: Mapping[str, Any], endpoint: Endpoint, interactive: bool) -> str:  # noqa: FBT001
    spec: dict[str, Any] = {"interactive": interactive}
    if str(plugin.get("provideClusterInfo")).lower() == "true":
        spec["cluster"] = cluster_for_plugins(endpoint)
    return json.dumps({"apiVersion": plugin["apiVersion"], "kind": "ExecCredential", "spec": spec})


def _credential(printed: bytes, version: str, command: str) -> Credential:
    """Raises ConfigError where the answer is no ExecCredential with a login in it."""
    try:
        answer = json.loads(printed)
    except (ValueError, RecursionError):
        raise ConfigError(f'the login plugin "{command}" did not print JSON') from None
    answered = mapping(answer).get("apiVersion")
    if answered != version:
        raise ConfigError(f'the login plugin "{command}" answered with apiVersion {answered}, not {version}')
    status = mapping(mapping(answer).get("status"))
    token, chain, key = (text(status.get(name)) for name in ("token", "clientCertificateData", "clientKeyData"))
    if bool(chain) != bool(key):
        raise ConfigError(f'the login plugin "{command}" gave only one of certificate and key')
    if not (token or chain):
        raise ConfigError(f'the login plugin "{command}" gave neither a token nor a certificate')
    certificate = Certificate(chain, key, inline=True) if chain and key else None
    return Credential(token, certificate, parse_time(status.get("expirationTimestamp")))
