"""Running the commands about the singleton against the test server: in this process, as a user of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from kubectl_kubex.cli import cli
from kubectl_kubex.codec.precedence_edit import default_object
from tests.apiserver.credentials import ADMIN
from tests.apiserver.manifests import Object
from tests.apiserver.server import ApiServer

API_VERSION, KIND, NAME = "rightsizing.kubex.ai/v1alpha1", "PolicyEvaluation", "policy-evaluation"
PATH = f"/apis/{API_VERSION}/policyevaluations/{NAME}"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


@dataclass
class Plugin:
    """`kubectl kubex` as one user, with its own data folder."""

    server: ApiServer
    data: Path
    kubeconfigs: dict[str, Path] = field(default_factory=dict)

    def __call__(
        self,
        *words: str,
        user: str = ADMIN,
        input: str | bytes | None = None,
        env: Mapping[str, str] | None = None,
        kubeconfig: Path | None = None,
    ) -> Done:
        """Run one command in this process; an exception that is no exit code fails the test."""
        variables = {**self.environment(user, kubeconfig), **(env or {})}
        result = CliRunner(env=variables).invoke(cli, words, prog_name="kubectl kubex", input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Done(result.exit_code, result.stdout, result.stderr)

    def environment(self, user: str = ADMIN, kubeconfig: Path | None = None) -> dict[str, str]:
        if user not in self.kubeconfigs:
            self.kubeconfigs[user] = self.server.kubeconfig(user)
        return {"KUBECONFIG": str(kubeconfig or self.kubeconfigs[user]), "XDG_DATA_HOME": str(self.data)}

    def backups(self) -> list[Path]:
        """The files in the store, oldest first."""
        return sorted(self.data.glob("kubectl-kubex/backups/*/*.yaml"), key=lambda path: path.name)


def live(server: ApiServer) -> Object | None:
    return server.get(API_VERSION, KIND, NAME)


def spec(server: ApiServer) -> Any:
    found = live(server)
    assert found is not None
    return found["spec"]


def put(server: ApiServer, **metadata: Any) -> Object:
    """The chart's list, by a client that is not ours, as a plain (not applied) object."""
    raw = default_object()
    raw["metadata"].update(metadata)
    server.delete(raw)
    return server.create(raw, manager="helm")


def priority(server: ApiServer, kind: str) -> int:
    return next(int(entry["priority"]) for entry in spec(server)["precedence"] if entry["type"] == kind)
