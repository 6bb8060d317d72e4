"""The archive tried as on somebody's first run: no PATH, a home that nobody can write to, no temporary folder."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from packager import archive
from packager.place import this_machine, version
from packager.server import GROUP, VERSION, serving

TOKEN = "from-the-login-plugin"
_NOBODY = 65534
_POSIX = os.name == "posix"
# The plugin writes down its environment, and logs in. Shell builtins only: there is no PATH.
_SHELL = """#!/bin/sh
export -p > "$SMOKE_SEEN"
echo '{answer}'
"""
_PYTHON = """import json, os, pathlib
pathlib.Path(os.environ["SMOKE_SEEN"]).write_text("".join(f"{{k}}={{v}}\\n" for k, v in sorted(os.environ.items())))
print('{answer}')
"""


class SmokeError(RuntimeError):
    """The archive does not do what it promises; the text says what was seen instead."""


@dataclass(frozen=True)
class Trial:
    """One unpacked program, and the folder `home` that it may read only."""

    program: Path
    home: Path
    folder: Path
    temporary: Path

    def __call__(self, *words: str, **environment: str) -> str:
        """Run it; its standard output. Raises SmokeError for an exit code, and for words on standard error."""
        done = self.start([str(self.program), *words], environment)
        if done.returncode or done.stderr:
            raise SmokeError(
                f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-2000:]}"
            )
        return done.stdout

    def start(self, command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        base = {"PATH": "", "HOME": str(self.home), "TMPDIR": str(self.temporary)}
        if not _POSIX:  # Windows starts nothing without these
            base |= {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
        who = {"user": _NOBODY, "group": _NOBODY, "extra_groups": ()} if _POSIX and os.geteuid() == 0 else {}
        done: subprocess.CompletedProcess[str] = subprocess.run(
            command, env={**base, **environment}, cwd=self.home, capture_output=True, encoding="utf-8", timeout=120,
            stdin=subprocess.DEVNULL, check=False, **who,
        )  # type: ignore[call-overload]  # fmt: skip
        return done


def run(made: Path) -> None:
    """Try the archive `made`. Raises SmokeError."""
    archive.check(made)
    with _folder() as folder:
        place = folder / "unpacked"
        archive.unpack(made, place)
        trial = Trial(place / this_machine().program, _home(folder), folder, folder / "no-such-folder")
        before = sorted(path for path in folder.rglob("*"))
        _says_its_version(trial)
        _answers_without_a_cluster(trial)
        if sorted(path for path in folder.rglob("*")) != before:
            raise SmokeError("it wrote files where it was told nothing")
        _asks_a_server(trial)
    print(f"tried from {made.name}: version, help, demo, TLS with a login plugin and with a legacy provider")


def run_onefile(program: Path) -> None:
    """Try the single-file program, which needs a temporary folder to unpack itself."""
    with _folder() as folder:
        temporary = folder / "temporary"
        temporary.mkdir()
        temporary.chmod(0o1777)
        copy = folder / program.name
        copy.write_bytes(program.read_bytes())
        copy.chmod(0o755)
        trial = Trial(copy, _home(folder), folder, temporary)
        _says_its_version(trial)
        _answers_without_a_cluster(trial)
        _asks_a_server(trial)
        if _POSIX and any(temporary.iterdir()):
            raise SmokeError("it left files in the temporary folder")
    print(f"tried {program.name}: version, help, demo, TLS with a login plugin and with a legacy provider")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="kubex-smoke-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def _home(folder: Path) -> Path:
    home = folder / "home"
    home.mkdir()
    home.chmod(0o555)
    return home


def _says_its_version(trial: Trial) -> None:
    _expect(trial("--version"), version())
    _expect(trial("version", "--client"), f"v{version()}")
    _expect(trial("why", "--help"), "which policy wins")  # the help is made of docstrings


def _answers_without_a_cluster(trial: Trial) -> None:
    _expect(trial("why", "--demo", "deploy/web", "-n", "shop"), "ProactivePolicy/web-sizing")
    _expect(trial("why", "--demo", "deploy/web", "-n", "shop", "-o", "json"), '"apiVersion"')
    _expect(trial("why", "--demo", "deploy/web", "-n", "shop", "--tree", LC_ALL="C"), "web-sizing")
    _expect(trial("why", "--demo", "deploy/web", "-n", "shop", "-o", "jsonpath={.kind}"), "")
    _expect(trial("schema", "why"), "$schema")


def _asks_a_server(trial: Trial) -> None:
    legacy = _web_token()
    with serving(trial.folder, frozenset({TOKEN, legacy})) as (url, certificate):
        seen = trial.folder / "seen"
        seen.mkdir()
        seen.chmod(0o777)
        for number, environment in enumerate(({}, {"LD_LIBRARY_PATH": "/of/the/caller", "LD_PRELOAD": ""})):
            _logs_in_with_a_plugin(trial, url, certificate, environment, seen / str(number))
        provider = {"auth-provider": {"name": "oidc", "config": {"id-token": legacy, "idp-issuer-url": "https://none"}}}
        path = _kubeconfig(trial, url, certificate, provider)
        _expect(trial("version", "-o", "json", KUBECONFIG=str(path)), VERSION)


def _logs_in_with_a_plugin(
    trial: Trial, url: str, certificate: Path, environment: Mapping[str, str], seen: Path
) -> None:
    """Ask the server, and compare what the plugin got with what it gets from anybody else."""
    plugin = _plugin(trial.folder)
    login = {"apiVersion": "client.authentication.k8s.io/v1", "command": plugin[0], "args": plugin[1:]}
    path = _kubeconfig(trial, url, certificate, {"exec": {**login, "interactiveMode": "Never"}})
    common = {**environment, "KUBECONFIG": str(path), "SMOKE_SEEN": str(seen)}
    answer = trial("version", "-o", "json", **common)
    _expect(answer, VERSION)
    _expect(answer, GROUP)
    through_us = _lines(seen)
    trial.start(plugin, {**common, "KUBERNETES_EXEC_INFO": ""})
    if through_us != _lines(seen):
        raise SmokeError(f"the login plugin saw {through_us}, and without us {_lines(seen)}")


def _plugin(folder: Path) -> list[str]:
    answer = json.dumps({"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
                         "status": {"token": TOKEN}})  # fmt: skip
    path = folder / ("plugin.sh" if _POSIX else "plugin.py")
    path.write_text((_SHELL if _POSIX else _PYTHON).format(answer=answer), encoding="utf-8")
    path.chmod(0o755)
    return [str(path)] if _POSIX else [sys.executable, str(path)]


def _lines(seen: Path) -> list[str]:
    """The environment but for what we are meant to add, and what a shell makes up."""
    ours = ("KUBERNETES_EXEC_INFO=", "_=", "SHLVL=", "OLDPWD", "PWD=")
    lines = [line.removeprefix("export ").removeprefix("declare -x ") for line in seen.read_text().splitlines()]
    return [line for line in lines if not line.startswith(ours)]


def _kubeconfig(trial: Trial, url: str, certificate: Path, user: Mapping[str, object]) -> Path:
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "it", "cluster": {"server": url, "certificate-authority": str(certificate)}}],
        "users": [{"name": "it", "user": user}],
        "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}],
        "current-context": "it",
    }
    path = trial.folder / "kubeconfig"
    path.write_text(json.dumps(config), encoding="utf-8")
    path.chmod(0o644)
    return path


def _web_token() -> str:
    """An unsigned token that does not expire in our time: enough for the client, which does not check it."""
    parts = ({"alg": "none"}, {"exp": 4102444800, "sub": "smoke"})
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, "c2ln"])


def _expect(output: str, words: str) -> None:
    if words not in output:
        raise SmokeError(f'no "{words}" in:\n{output[:2000]}')
