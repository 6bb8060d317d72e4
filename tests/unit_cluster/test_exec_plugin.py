"""Login plugins (B07, and the environment that B11 is about)."""

from __future__ import annotations

import json
import sys
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex.cluster.endpoint import Endpoint, Trust
from kubectl_kubex.cluster.exec_plugin import PluginLogin
from kubectl_kubex.errors import ConfigError

V1 = "client.authentication.k8s.io/v1"


class Plugin:
    """A program that notes how it was called and prints `answer`, with `N` replaced by the number of the call."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "plugin.py"
        self.notes = folder / "notes"
        self.notes.mkdir()
        self.answer(token="token-N")

    def answer(self, text: str | None = None, *, version: str = V1, **status: Any) -> None:
        printed = (
            text
            if text is not None
            else json.dumps({"apiVersion": version, "kind": "ExecCredential", "status": status})
        )
        self.program.write_text(
            "import json, os, sys, pathlib\n"
            f"notes = pathlib.Path({str(self.notes)!r})\n"
            "number = len(list(notes.iterdir())) + 1\n"
            "note = {'argv': sys.argv[1:], 'env': dict(os.environ), 'tty': sys.stdin.isatty()}\n"
            "(notes / str(number)).write_text(json.dumps(note))\n"
            f"print({printed!r}.replace('-N', f'-{{number}}'))\n"
        )

    def login(self, endpoint: Endpoint | None = None, **more: Any) -> PluginLogin:
        plugin = {"apiVersion": V1, "command": sys.executable, "args": [str(self.program), "get-token"], **more}
        base = endpoint or Endpoint("https://a.test")
        return PluginLogin(base._replace(user={"exec": plugin}, user_name="ann"))

    @property
    def calls(self) -> list[dict[str, Any]]:
        return [json.loads(note.read_text()) for note in sorted(self.notes.iterdir(), key=lambda note: int(note.name))]


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


def at(**delta: float) -> str:
    return (datetime.now(timezone.utc) + timedelta(**delta)).isoformat().replace("+00:00", "Z")


def test_it_runs_once_with_the_callers_environment(plugin: Plugin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/callers/own")
    login = plugin.login(env=[{"name": "PROFILE", "value": "dev"}, {"name": "EMPTY", "value": None}])
    assert [login.authorization(), login.authorization(), login.certificate()] == [
        "Bearer token-1",
        "Bearer token-1",
        None,
    ]
    (call,) = plugin.calls
    assert call["argv"] == ["get-token"]
    assert (call["env"]["LD_LIBRARY_PATH"], call["env"]["PROFILE"], call["env"]["EMPTY"]) == ("/callers/own", "dev", "")
    request = json.loads(call["env"]["KUBERNETES_EXEC_INFO"])
    assert request == {"apiVersion": V1, "kind": "ExecCredential", "spec": {"interactive": False}}


def test_it_is_told_the_cluster_where_it_asks(plugin: Plugin, tmp_path: Path) -> None:
    config = tmp_path / "config"
    extension = {"name": "client.authentication.k8s.io/exec", "extension": {"audience": 7}}
    config.write_text(json.dumps({"clusters": [{"name": "a", "cluster": {"extensions": [extension]}}]}))
    authority = tmp_path / "ca"
    authority.write_bytes(b"CA")
    endpoint = Endpoint(
        "https://a.test",
        trust=Trust(authority=str(authority), server_name="b.test"),
        proxy="http://p",
        cluster_config=(config, "a"),
    )
    plugin.login(endpoint, provideClusterInfo="true").authorization()
    assert json.loads(plugin.calls[0]["env"]["KUBERNETES_EXEC_INFO"])["spec"]["cluster"] == {
        "server": "https://a.test",
        "tls-server-name": "b.test",
        "certificate-authority-data": "Q0E=",
        "proxy-url": "http://p",
        "config": {"audience": 7},
    }


def test_an_expired_login_is_renewed_before_it_is_used(plugin: Plugin) -> None:
    plugin.answer(token="token-N", expirationTimestamp=at(hours=1))
    login = plugin.login()
    assert [login.authorization() for _ in range(2)] == ["Bearer token-1"] * 2
    plugin.answer(token="token-N", expirationTimestamp=at(seconds=-1))
    login = plugin.login()
    assert [login.authorization() for _ in range(2)] == ["Bearer token-2", "Bearer token-3"]


def test_many_threads_refused_at_once_renew_once(plugin: Plugin) -> None:
    login = plugin.login()
    refused = login.authorization()
    threads = [threading.Thread(target=login.renew, args=(refused,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert login.authorization() == "Bearer token-2"
    assert len(plugin.calls) == 2


def test_a_certificate(plugin: Plugin) -> None:
    plugin.answer(clientCertificateData="C", clientKeyData="K")
    login = plugin.login()
    found = login.certificate()
    assert found is not None
    assert (found.chain, found.key, found.inline) == ("C", "K", True)
    assert login.authorization() is None


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ("not json", "did not print JSON"),
        ("[1]", "answered with apiVersion None"),
        (json.dumps({"apiVersion": "client.authentication.k8s.io/v1beta1"}), "answered with apiVersion client"),
        (json.dumps({"apiVersion": V1}), "neither a token nor a certificate"),
        (json.dumps({"apiVersion": V1, "status": {"token": ""}}), "neither a token nor a certificate"),
        (json.dumps({"apiVersion": V1, "status": {"clientKeyData": "K"}}), "only one of certificate and key"),
    ],
)
def test_answers_that_make_no_sense(plugin: Plugin, printed: str, words: str) -> None:
    plugin.answer(printed)
    with pytest.raises(ConfigError, match=words):
        plugin.login().authorization()


def test_a_plugin_that_fails(plugin: Plugin) -> None:
    plugin.program.write_text("raise SystemExit(3)")
    with pytest.raises(ConfigError, match="failed with exit code 3"):
        plugin.login().authorization()


def test_a_plugin_that_is_missing_says_how_to_get_it(plugin: Plugin) -> None:
    with pytest.raises(ConfigError) as caught:
        plugin.login(command="no-such-plugin", installHint="Get it:\n  brew install it").authorization()
    assert caught.value.line == 'the login plugin "no-such-plugin" is not found; Get it: brew install it'


def test_a_plugin_that_is_no_program(plugin: Plugin, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not start"):
        plugin.login(command=str(tmp_path)).authorization()


def test_versions_that_kubectl_no_longer_knows(plugin: Plugin) -> None:
    with pytest.raises(ConfigError, match="v1alpha1"):
        plugin.login(apiVersion="client.authentication.k8s.io/v1alpha1").authorization()
    assert plugin.calls == []


def test_a_plugin_that_must_ask_needs_a_terminal(plugin: Plugin) -> None:
    with pytest.raises(ConfigError, match="no terminal"):
        plugin.login(interactiveMode="Always").authorization()
    assert plugin.login(interactiveMode="Never").authorization() == "Bearer token-1"
