"""The connection that kubectl would make: the same requests, as the same person, to the same server."""

from __future__ import annotations

import base64
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kubex.cluster.settings import ConnectionSettings
from kubectl_kubex.cluster.source import ClusterSource
from kubectl_kubex.codec.gathered import WorkloadReference
from kubectl_kubex.core.model import GapReason
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.errors import ConfigError, Forbidden, KubexError, Unauthorized, Unreachable
from tests.apiserver.credentials import ADMIN, CERTIFICATE_USER, NOBODY
from tests.apiserver.rights import rule
from tests.apiserver.server import ApiServer
from tests.apiserver.shim import Shim

V1 = "client.authentication.k8s.io/v1"
FLAGS = {"as_user": "--as", "insecure_skip_tls_verify": "--insecure-skip-tls-verify"}


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("KUBECONFIG", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def shim(api_server: ApiServer) -> Iterator[Shim]:
    with api_server.shim() as opened:
        yield opened


def who(source: ClusterSource) -> dict[str, Any]:
    """Whom the server takes us for."""
    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    answer = source.connection.request("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", review)
    found: dict[str, Any] = answer["status"]["userInfo"]
    return found


def name_for(**flags: Any) -> str:
    with ClusterSource(ConnectionSettings(**flags)) as source:
        return str(who(source)["username"])


def fields(path: Path, **change: Any) -> Path:
    """The kubeconfig with `cluster`, `user`, `context` entries changed, and `top` fields replaced."""
    content = yaml.safe_load(path.read_text())
    for kind, more in change.items():
        if kind == "top":
            content.update(more)
        else:
            content[f"{kind}s"][0][kind].update(more)
    changed = path.with_name(f"{path.stem}-{time.monotonic_ns()}.yaml")
    changed.write_text(yaml.safe_dump(content))
    return changed


# Which server, as whom.


def test_each_way_to_log_in(api_server: ApiServer) -> None:
    assert name_for(kubeconfig=str(api_server.kubeconfig(ADMIN))) == ADMIN
    assert name_for(kubeconfig=str(api_server.kubeconfig(CERTIFICATE_USER))) == CERTIFICATE_USER
    token = api_server.credentials.tokens[NOBODY]
    assert name_for(kubeconfig=str(api_server.kubeconfig(ADMIN)), token=token) == NOBODY


def test_a_certificate_given_as_data_or_by_flags(api_server: ApiServer) -> None:
    own = api_server.credentials
    data = {
        f"{field}-data": base64.b64encode(path.read_bytes()).decode()
        for field, path in (("client-certificate", own.client_certificate), ("client-key", own.client_key))
    }
    assert name_for(kubeconfig=str(api_server.kubeconfig(ADMIN, credentials={"token": "", **data}))) == CERTIFICATE_USER
    without = fields(api_server.kubeconfig(ADMIN), user={"token": ""})
    flags = {"client_certificate": str(own.client_certificate), "client_key": str(own.client_key)}
    assert name_for(kubeconfig=str(without), **flags) == CERTIFICATE_USER


def test_no_kubeconfig_but_flags(api_server: ApiServer) -> None:
    flags = {"server": api_server.url, "token": api_server.credentials.tokens[ADMIN]}
    assert name_for(certificate_authority=str(api_server.certificate_authority), **flags) == ADMIN
    assert name_for(insecure_skip_tls_verify=True, **flags) == ADMIN
    with pytest.raises(Unreachable, match="signed by an unknown authority"):
        name_for(**flags)


def test_a_list_of_files_and_its_first_current_context(
    api_server: ApiServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """B01 and B02: the first file names another cluster and no current context."""
    other = tmp_path / "other"
    entry = {"name": "elsewhere", "cluster": {"server": "https://127.0.0.1:9"}}
    context = {"name": "elsewhere", "context": {"cluster": "elsewhere", "user": "x"}}
    users = [{"name": "x", "user": {}}]
    other.write_text(yaml.safe_dump({"clusters": [entry], "contexts": [context], "users": users}))
    one = api_server.kubeconfig(ADMIN, namespace="carts")
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join(["", str(other), str(tmp_path / "missing"), str(one)]))
    with ClusterSource(ConnectionSettings()) as source:
        assert who(source)["username"] == ADMIN
        assert (source.namespace, source.source.context, source.source.server) == (
            "carts",
            "kubex-test",
            api_server.url,
        )
    with ClusterSource(ConnectionSettings(context="elsewhere")) as source, pytest.raises(Unreachable, match="refused"):
        who(source)


def test_nothing_configured_is_the_local_port() -> None:
    with pytest.raises(Unreachable, match=r"http://localhost:8080: connection refused"):
        name_for()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"top": {"current-context": "nope"}}, 'context "nope" does not exist'),
        ({"context": {"cluster": "nope"}}, 'cluster "nope" does not exist'),
        ({"context": {"user": "nope"}}, 'user "nope" does not exist'),
        ({"cluster": {"certificate-authority": "missing.crt"}}, "cannot use the certificate authority"),
    ],
)
def test_a_kubeconfig_that_contradicts_itself(api_server: ApiServer, change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        name_for(kubeconfig=str(fields(api_server.kubeconfig(), **change)))


def test_an_unknown_token(api_server: ApiServer) -> None:
    with pytest.raises(Unauthorized, match="You must be logged in"):
        name_for(kubeconfig=str(api_server.kubeconfig(credentials={"token": "wrong"})))


# Acting as another.


def test_acting_as_another_by_flags_and_by_kubeconfig(api_server: ApiServer) -> None:
    extra = ("reason=x", "reason=y")
    flags: dict[str, Any] = {"as_user": "bob", "as_group": ("a", "b"), "as_uid": "7", "as_user_extra": extra}
    wanted = {
        "username": "bob",
        "uid": "7",
        "groups": ["a", "b", "system:authenticated"],
        "extra": {"reason": ["x", "y"]},
    }
    with ClusterSource(ConnectionSettings(kubeconfig=str(api_server.kubeconfig()), **flags)) as source:
        assert who(source) == wanted
    entry = {"as": "bob", "as-groups": ["a", "b"], "as-uid": "7", "as-user-extra": {"reason": ["x", "y"]}}
    with ClusterSource(ConnectionSettings(kubeconfig=str(api_server.kubeconfig(credentials=entry)))) as source:
        assert who(source) == wanted


def test_acting_as_somebody_with_fewer_rights_has_fewer_rights(api_server: ApiServer, namespace: str) -> None:
    config = api_server.kubeconfig(namespace=namespace, credentials={"as": NOBODY})
    with ClusterSource(ConnectionSettings(kubeconfig=str(config))) as source:
        web = WorkloadReference(WORKLOAD_BY_NAME["Deployment"], "web")
        found = source.gather([web], namespace, ["StaticPolicy"])
    assert isinstance(found.subjects[0], Forbidden)
    assert f'User "{NOBODY}" cannot get resource "deployments"' in found.subjects[0].line
    assert [gap.reason for gap in found.objects.gaps] == [GapReason.FORBIDDEN]


# The same requests as kubectl's.

SAME = [
    {},
    {"token": "wrong"},
    {"as_user": "bob"},
    {"as_user": "bob", "as_group": ("a", "b"), "as_uid": "7", "as_user_extra": ("Key/é=1", "Key/é=2")},
    {"user": {"as": "eve", "as-groups": ["x"], "as-user-extra": {"a.b/c": ["1"]}}},
    {
        "user": {"as": "eve", "as-groups": ["x"], "as-user-extra": {"k": ["1"], "l": ["2"]}},
        "as_user": "bob",
        "as_user_extra": ("k=3",),
    },
    {"user": {"as": "eve", "as-groups": ["x"]}, "as_group": ("y",)},
    {"user": {"token": "", "tokenFile": "TOKEN"}},
    {"user": {"token": "stated", "tokenFile": "TOKEN"}},
    {"user": {"token": "stated", "tokenFile": "missing"}},
    {"user": {"token": "", "tokenFile": "TOKEN"}, "token": "flag"},
    {"user": {"token": "", "username": "u", "password": "p"}},
    {"user": {"token": ""}, "username": "u", "password": "p:q"},
    {"user": {"exec": "PLUGIN"}},
    {"user": {"token": "", "exec": "PLUGIN"}},
    {"user": {"token": "", "exec": "PLUGIN"}, "token": "flag"},
    {"disable_compression": True},
    {"cluster": {"disable-compression": True}},
]


@pytest.mark.parametrize("given", SAME, ids=[json.dumps(given, ensure_ascii=True)[:60] for given in SAME])
def test_who_asks_is_said_as_kubectl_says_it(
    api_server: ApiServer, shim: Shim, tmp_path: Path, given: dict[str, Any]
) -> None:
    token = tmp_path / "token"
    token.write_text("from-file\n")
    plugin = tmp_path / "plugin.py"
    answer = {"apiVersion": V1, "kind": "ExecCredential", "status": {"token": "from-plugin"}}
    plugin.write_text(f"print({json.dumps(answer)!r})")
    program = {"apiVersion": V1, "command": sys.executable, "args": [str(plugin)], "interactiveMode": "Never"}
    user = {
        key: {"TOKEN": str(token), "PLUGIN": program}.get(str(value), value)
        for key, value in given.get("user", {}).items()
    }
    config = fields(api_server.kubeconfig(through=shim), user=user, cluster=given.get("cluster", {}))
    flags = {key: value for key, value in given.items() if key not in ("user", "cluster")}
    words = [
        word
        for key, value in flags.items()
        for one in (value if isinstance(value, tuple) else (value,))
        for word in ([f"{FLAGS.get(key, '--' + key.replace('_', '-'))}={one}".replace("=True", "=true")])
    ]
    with shim.recording() as theirs:
        api_server.kubectl("get", "--raw", "/version", *words, kubeconfig=config, check=False)
    source = ClusterSource(ConnectionSettings(kubeconfig=str(config), **flags))
    with shim.recording() as ours, source, suppress(KubexError):
        source.connection.get("/version")
    assert theirs
    assert login_of(ours[0]) == login_of(theirs[0])


def login_of(request: Any) -> dict[str, str]:
    kept = ("authorization", "accept-encoding")
    found = {name.lower(): value for name, value in request.headers.items() if value != "identity"}
    return {name: value for name, value in found.items() if name in kept or name.startswith("impersonate-")}


# TLS, proxies, addresses.


def test_the_name_in_the_certificate(api_server: ApiServer) -> None:
    """B04: the name to expect is said apart from the address."""
    config = api_server.kubeconfig(cluster={"tls-server-name": "other.test"})
    with pytest.raises(Unreachable, match=r'another name than "other\.test"'):
        name_for(kubeconfig=str(config))
    assert name_for(kubeconfig=str(config), tls_server_name="kubernetes.default.svc") == ADMIN
    assert name_for(kubeconfig=str(config), server=api_server.url) == ADMIN


def test_a_proxy_of_the_kubeconfig(api_server: ApiServer) -> None:
    """B05: whoever gets the connection is the proxy, not the server."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.settimeout(5)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        source = ClusterSource(
            ConnectionSettings(kubeconfig=str(api_server.kubeconfig(cluster={"proxy-url": url})), request_timeout="1s")
        )
        with source, pytest.raises(Unreachable):
            who(source)
        client, _ = listener.accept()
        with client:
            assert client.recv(100).startswith(f"CONNECT 127.0.0.1:{api_server.port} ".encode())


def test_a_server_that_hangs(api_server: ApiServer, shim: Shim) -> None:
    shim.hang("GET")
    with ClusterSource(
        ConnectionSettings(kubeconfig=str(api_server.kubeconfig(through=shim)), request_timeout="1s")
    ) as source:
        started = time.monotonic()
        with pytest.raises(Unreachable, match="timed out after 1 s"):
            source.gather([], "default", ["StaticPolicy", "ProactivePolicy"])
        assert time.monotonic() - started < 4


def test_a_login_that_expires_meanwhile(api_server: ApiServer, shim: Shim, tmp_path: Path) -> None:
    """B07: a plugin's token, valid for a second; each reading has one that is valid."""
    calls = tmp_path / "calls"
    plugin = tmp_path / "plugin.py"
    plugin.write_text(
        "import datetime, json\n"
        f"open({str(calls)!r}, 'a').write('x')\n"
        "until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=1)\n"
        f"status = {{'token': {api_server.credentials.tokens[ADMIN]!r}, 'expirationTimestamp': until.isoformat()}}\n"
        f"print(json.dumps({{'apiVersion': {V1!r}, 'kind': 'ExecCredential', 'status': status}}))\n"
    )
    program = {"apiVersion": V1, "command": sys.executable, "args": [str(plugin)], "interactiveMode": "Never"}
    config = fields(api_server.kubeconfig(through=shim), user={"token": None, "exec": program})
    with ClusterSource(ConnectionSettings(kubeconfig=str(config))) as source:
        assert who(source)["username"] == ADMIN
        assert calls.read_text() == "x"
        time.sleep(1.1)
        assert who(source)["username"] == ADMIN
        assert calls.read_text() == "xx"
        shim.fault("selfsubjectreviews", 401, times=1)
        assert who(source)["username"] == ADMIN
        assert calls.read_text() == "xxx"


def test_versions_of_server_and_engine(api_server: ApiServer) -> None:
    with ClusterSource(ConnectionSettings(kubeconfig=str(api_server.kubeconfig()))) as source:
        assert source.server_version().startswith("v1.")
        assert source.crd_version() == "rightsizing.kubex.ai/v1alpha1"


def test_a_user_without_rights_may_ask_for_versions(api_server: ApiServer) -> None:
    with ClusterSource(ConnectionSettings(kubeconfig=str(api_server.kubeconfig(NOBODY)))) as source:
        assert source.server_version().startswith("v1.")


def test_rights_that_come_later_are_seen(api_server: ApiServer, namespace: str) -> None:
    with ClusterSource(ConnectionSettings(kubeconfig=str(api_server.kubeconfig("narrow-7")))) as source:
        kinds = ["StaticPolicy"]
        assert source.gather([], namespace, kinds).objects.gaps
        api_server.grant("narrow-7", [rule("list", "staticpolicies", "rightsizing.kubex.ai")])
        assert source.gather([], namespace, kinds).objects.gaps == ()
        api_server.revoke("narrow-7")
