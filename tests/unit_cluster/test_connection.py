"""One request: what is sent, and what every kind of answer and silence becomes."""

from __future__ import annotations

import base64
import gzip
import json
import socket
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kubectl_kubex import __version__
from kubectl_kubex.cluster.connection import Connection
from kubectl_kubex.cluster.endpoint import Endpoint, Impersonation, Trust
from kubectl_kubex.cluster.failures import ApiFailure, TimedOut
from kubectl_kubex.errors import ConfigError, Unauthorized, Unreachable
from tests.unit_cluster.conftest import Pair
from tests.unit_cluster.stub import NO_PAGE, Reply, Seen, Stub, status

V1 = "client.authentication.k8s.io/v1"
GZIPPED = gzip.compress(b'{"a": 1}')


def connect(stub: Stub, trusted: Pair | None = None, seconds: float | None = None, **more: Any) -> Connection:
    trust = more.pop("trust", Trust(authority=str(trusted.certificate) if trusted else ""))
    return Connection(Endpoint(stub.url, trust=trust, **more), seconds)


def failed(stub: Stub, reply: Reply) -> ApiFailure:
    stub.answers["/x"] = reply
    with pytest.raises(ApiFailure) as caught:
        connect(stub).get("/x")
    return caught.value


# What is sent.


def test_a_get_says_who_asks_and_takes_json(stub: Stub) -> None:
    stub.answers["/x"] = Reply({"a": 1})
    assert connect(stub).get("/x", {"labelSelector": "a in (b,c)", "limit": "500"}) == {"a": 1}
    (seen,) = stub.seen
    assert seen.query == {"labelSelector": "a in (b,c)", "limit": "500"}
    assert seen.header("User-Agent") == f"kubectl-kubex/{__version__}"
    assert (seen.header("Accept"), seen.header("Accept-Encoding")) == ("application/json", "gzip")
    assert seen.header("Authorization") is None


def test_bodies_go_as_json_and_nothing_but_a_get_is_sent_twice(stub: Stub) -> None:
    stub.answers["/x"] = Reply({}, 503, headers={"Retry-After": "0"})
    with pytest.raises(ApiFailure):
        connect(stub).request("PUT", "/x", {"spec": {}}, {"dryRun": "All"}, content_type="application/merge-patch+json")
    (seen,) = stub.seen
    assert (seen.method, json.loads(seen.body), seen.query) == ("PUT", {"spec": {}}, {"dryRun": "All"})
    assert seen.header("Content-Type") == "application/merge-patch+json"


def test_impersonation_sends_a_header_for_each_group(stub: Stub) -> None:
    whom = Impersonation("bob", "7", ("a", "b"), {"k": ("1", "2")})
    stub.answers["/x"] = Reply()
    connect(stub, impersonation=whom).get("/x")
    (seen,) = stub.seen
    assert seen.all("Impersonate-User") == ["bob"]
    assert seen.all("Impersonate-Group") == ["a", "b"]
    assert seen.all("Impersonate-Uid") == ["7"]
    assert seen.all("Impersonate-Extra-k") == ["1", "2"]


def test_a_path_before_the_api_stays(stub: Stub) -> None:
    stub.answers["/k8s/clusters/c-1/version"] = Reply({"gitVersion": "v1"})
    connection = Connection(Endpoint(stub.url + "/k8s/clusters/c-1"))
    assert connection.get("/version") == {"gitVersion": "v1"}


def test_compressed_answers(stub: Stub) -> None:
    stub.answers["/x"] = Reply(GZIPPED, headers={"Content-Encoding": "gzip"})
    assert connect(stub).get("/x") == {"a": 1}
    stub.answers["/x"] = Reply({"b": 2})
    assert connect(stub, compressed=False).get("/x") == {"b": 2}
    assert "gzip" not in (stub.seen[-1].header("Accept-Encoding") or "")


def test_one_connection_is_kept(stub: Stub) -> None:
    stub.answers["/x"] = Reply()
    connection = connect(stub)
    for _ in range(3):
        connection.get("/x")
    assert {seen.connection for seen in stub.seen} == {1}


def test_a_kept_connection_that_was_closed_meanwhile_is_replaced(stub: Stub) -> None:
    stub.answers["/x"] = Reply(headers={"Connection": "close"})  # says so; the next request finds it gone
    connection = connect(stub)
    assert [connection.get("/x") for _ in range(3)] == [{}, {}, {}]


def test_a_server_shown_has_no_login_in_it() -> None:
    assert Connection(Endpoint("https://u:p@a.test:1/x")).server == "https://a.test:1/x"


# What answers become.


@pytest.mark.parametrize(
    ("reply", "code", "words", "absent"),
    [
        (status(403, "no way", "Forbidden"), 403, "Error from server (Forbidden): no way", False),
        (
            status(404, "pods x not found", "NotFound", name="x"),
            404,
            "Error from server (NotFound): pods x not found",
            True,
        ),
        (NO_PAGE, 404, "Error from server (NotFound): the server could not find the requested resource", False),
        (status(500, "boom"), 500, "Error from server (InternalError): boom", False),
        (
            Reply("upstream\nis  down", 503, "text/plain"),
            503,
            "Error from server (ServiceUnavailable): upstream is down",
            False,
        ),
        (Reply("", 502, "text/plain"), 502, "Error from server (status 502): no further words", False),
        (Reply("<html>", 500, "text/html"), 500, "(InternalError): status 500 with an HTML page, not an answer", False),
        (Reply("[]", 500), 500, "Error from server (InternalError): no further words", False),
        (Reply("{", 500), 500, "Error from server (InternalError): no further words", False),
        (Reply('{"message": 7, "reason": []}', 500), 500, "Error from server (InternalError): no further words", False),
        (
            Reply("", 302, headers={"Location": "/login"}),
            302,
            "status 302, a redirect: is something else in front",
            False,
        ),
        (
            Reply("<html>Login</html>", 200, "text/html"),
            0,
            "answered with an HTML page: a proxy or a login page?",
            False,
        ),
        (Reply('{"items": [', 200), 0, "answered with what is not readable as JSON", False),
        (Reply("[]", 200), 0, "answered with what is not readable as JSON", False),
        (Reply(b"\xff\xfe{}", 200), 0, "answered with what is not readable as JSON", False),
        (Reply("[" * 100_000, 200), 0, "answered with what is not readable as JSON", False),
    ],
)
def test_failures_keep_the_servers_words(stub: Stub, reply: Reply, code: int, words: str, absent: bool) -> None:
    failure = failed(stub, reply)
    assert failure.status == code
    assert words in failure.line
    assert failure.absent is absent
    assert "\n" not in failure.line


def test_a_busy_server_is_asked_again_as_it_says(stub: Stub) -> None:
    replies = [
        Reply({}, 429, headers={"Retry-After": "0"}),
        Reply({}, 503, headers={"Retry-After": "0"}),
        Reply({"a": 1}),
    ]
    stub.answers["/x"] = lambda seen: replies.pop(0)
    assert connect(stub).get("/x") == {"a": 1}


def test_a_server_that_stays_busy_is_a_failure(stub: Stub) -> None:
    assert failed(stub, Reply({}, 429, headers={"Retry-After": "0"})).reason == "TooManyRequests"
    assert len(stub.seen) == 4


def test_waiting_ends_when_the_connection_is_closed(stub: Stub) -> None:
    stub.answers["/x"] = Reply({}, 429, headers={"Retry-After": "3600"})
    connection = connect(stub)
    threading.Timer(0.1, connection.close).start()
    started = time.monotonic()
    with pytest.raises(ApiFailure):
        connection.get("/x")
    assert time.monotonic() - started < 3


def test_a_refused_login(stub: Stub) -> None:
    stub.answers["/x"] = status(401, "Unauthorized")
    with pytest.raises(Unauthorized, match="You must be logged in"):
        connect(stub).get("/x")


# Logins over TLS.


def plugin(folder: Path, *, seconds: int | None = None) -> dict[str, Any]:
    """A login plugin whose token is `t1`, `t2`, ... by the number of its calls."""
    count = folder / "count"
    program = folder / "plugin.py"
    expires = (
        ""
        if seconds is None
        else f"; status['expirationTimestamp'] = (now + datetime.timedelta(seconds={seconds})).isoformat()"
    )
    program.write_text(
        "import datetime, json, pathlib\n"
        f"count = pathlib.Path({str(count)!r})\n"
        "count.write_text(count.read_text() + 'x' if count.exists() else 'x')\n"
        "now = datetime.datetime.now(datetime.timezone.utc)\n"
        f"status = {{'token': f't{{len(count.read_text())}}'}}{expires}\n"
        f"print(json.dumps({{'apiVersion': {V1!r}, 'kind': 'ExecCredential', 'status': status}}))\n"
    )
    return {"apiVersion": V1, "command": sys.executable, "args": [str(program)]}


def only(stub: Stub, *tokens: str) -> None:
    """The stub knows these tokens."""

    def answer(seen: Seen) -> Reply:
        return Reply({"who": seen.header("Authorization")}) if seen.header("Authorization") in tokens else status(401)

    stub.answers["/x"] = answer


def test_a_plugin_is_asked_again_once_when_its_token_is_refused(secure: Stub, loopback: Pair, tmp_path: Path) -> None:
    only(secure, "Bearer t1")
    connection = connect(secure, loopback, user={"exec": plugin(tmp_path)})
    assert connection.get("/x") == {"who": "Bearer t1"}
    only(secure, "Bearer t2")
    assert connection.get("/x") == {"who": "Bearer t2"}
    only(secure)
    with pytest.raises(Unauthorized):
        connection.get("/x")
    assert (tmp_path / "count").read_text() == "xxx"


def test_a_plugins_token_is_renewed_when_it_expires(secure: Stub, loopback: Pair, tmp_path: Path) -> None:
    only(secure, "Bearer t1", "Bearer t2")
    connection = connect(secure, loopback, user={"exec": plugin(tmp_path, seconds=1)})
    assert connection.get("/x") == {"who": "Bearer t1"}
    time.sleep(1.1)
    assert connection.get("/x") == {"who": "Bearer t2"}


def test_a_token_file_is_read_again(secure: Stub, loopback: Pair, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("old")
    only(secure, "Bearer new")

    def renewing(seen: Seen) -> Reply:
        path.write_text("new")
        return status(401) if seen.header("Authorization") != "Bearer new" else Reply({"ok": True})

    secure.answers["/x"] = renewing
    assert connect(secure, loopback, user={"tokenFile": str(path)}).get("/x") == {"ok": True}


# TLS.


def coded(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def test_authorities_as_file_and_as_data(secure: Stub, loopback: Pair) -> None:
    secure.answers["/x"] = Reply({"a": 1})
    assert connect(secure, loopback).get("/x") == {"a": 1}
    assert connect(secure, trust=Trust(authority_data=coded(loopback.certificate))).get("/x") == {"a": 1}


def test_an_authority_that_signed_nothing_here(secure: Stub, elsewhere: Pair) -> None:
    with pytest.raises(Unreachable, match="its certificate is signed by an unknown authority"):
        connect(secure, elsewhere).get("/x")


def test_without_verification_nothing_is_said(secure: Stub, recwarn: pytest.WarningsRecorder) -> None:
    secure.answers["/x"] = Reply({"a": 1})
    assert connect(secure, trust=Trust(insecure=True)).get("/x") == {"a": 1}
    assert len(recwarn) == 0


def test_a_certificate_for_another_name(elsewhere: Pair) -> None:
    with Stub(elsewhere.certificate, elsewhere.key) as stub, pytest.raises(Unreachable) as caught:
        connect(stub, elsewhere).get("/x")
    assert 'its certificate is for another address than "127.0.0.1"' in caught.value.line


@pytest.mark.parametrize("name", ["kube.example.test"])
def test_a_server_name_replaces_the_host(elsewhere: Pair, name: str) -> None:
    trust = Trust(authority=str(elsewhere.certificate), server_name=name)
    with Stub(elsewhere.certificate, elsewhere.key) as stub:
        stub.answers["/x"] = Reply({"a": 1})
        assert connect(stub, trust=trust).get("/x") == {"a": 1}
        with pytest.raises(Unreachable, match=r'another name than "wrong\.test"'):
            connect(stub, trust=Trust(authority=str(elsewhere.certificate), server_name="wrong.test")).get("/x")


def test_https_to_a_server_without_tls(stub: Stub, loopback: Pair) -> None:
    endpoint = Endpoint(stub.url.replace("http:", "https:"), trust=Trust(authority=str(loopback.certificate)))
    with pytest.raises(Unreachable, match="does not speak TLS"):
        Connection(endpoint).get("/x")


@pytest.mark.parametrize(
    "trust", [Trust(authority="/nowhere"), Trust(authority_data="%"), Trust(authority_data="QUJD")]
)
def test_an_authority_that_cannot_be_used(secure: Stub, trust: Trust) -> None:
    with pytest.raises(ConfigError, match="certificate"):
        connect(secure, trust=trust).get("/x")


def test_a_client_certificate_that_cannot_be_used(secure: Stub, loopback: Pair) -> None:
    user = {"client-certificate": str(loopback.certificate), "client-key": str(loopback.certificate)}
    with pytest.raises(ConfigError, match="client certificate"):
        connect(secure, loopback, user=user).get("/x")


def test_keys_given_as_data_leave_no_file(
    secure: Stub, loopback: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    secure.answers["/x"] = Reply({"a": 1})
    user = {"client-certificate-data": coded(loopback.certificate), "client-key-data": coded(loopback.key)}
    assert connect(secure, loopback, user=user).get("/x") == {"a": 1}
    assert list(tmp_path.iterdir()) == []


def test_an_address_of_version_six(loopback: Pair) -> None:
    try:
        stub = Stub(loopback.certificate, loopback.key, host="::1")
    except OSError:
        pytest.skip("this machine has no IPv6")
    with stub:
        stub.answers["/x"] = Reply({"a": 1})
        connection = connect(stub, loopback)
        assert connection.get("/x") == {"a": 1}
        assert connection.server == f"https://[::1]:{stub.port}"


# Silence.


def test_nobody_listens() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with pytest.raises(Unreachable) as caught:
        Connection(Endpoint(f"http://127.0.0.1:{port}")).get("/x")
    assert caught.value.message == f"cannot reach the server http://127.0.0.1:{port}: connection refused"


def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(Unreachable, match=r'no such host "nowhere\.invalid"'):
        Connection(Endpoint("https://nowhere.invalid")).get("/x")


def test_no_answer_in_time(stub: Stub) -> None:
    stub.answers["/x"] = Reply(seconds=3)
    started = time.monotonic()
    with pytest.raises(TimedOut, match=r"timed out after 0.2 s"):
        connect(stub, seconds=0.2).get("/x")
    assert time.monotonic() - started < 2


def test_an_answer_that_breaks_off(stub: Stub) -> None:
    stub.answers["/x"] = Reply({"a": "x" * 1000}, cut=True)
    with pytest.raises(Unreachable, match="the connection broke before the answer was complete"):
        connect(stub).get("/x")
    assert len(stub.seen) == 2


@pytest.mark.parametrize("server", ["https://", "https://a b", "ftp://a.test", "https://a.test:port"])
def test_a_server_that_is_no_address(server: str) -> None:
    with pytest.raises((Unreachable, ConfigError)):
        Connection(Endpoint(server, trust=Trust(insecure=True))).get("/x")


# Proxies (B05).


class Tunnel:
    """A proxy that notes what it is asked and connects everything to one port."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.asked: list[list[str]] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.pass_on, args=(client,), daemon=True).start()

    def pass_on(self, client: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(4096)
        lines = head.decode().split("\r\n")
        self.asked.append(lines)
        server = socket.create_connection(("127.0.0.1", self.target))
        if lines[0].startswith("CONNECT"):
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        else:
            server.sendall(head)
        threading.Thread(target=copy, args=(server, client), daemon=True).start()
        copy(client, server)


def copy(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        sink.close()


def test_a_proxy_of_the_kubeconfig_is_used_even_for_this_machine(secure: Stub, loopback: Pair) -> None:
    secure.answers["/x"] = Reply({"a": 1})
    tunnel = Tunnel(secure.port)
    proxy = tunnel.url.replace("http://", "http://ann:s%40cret@")
    with closing(tunnel.listener):
        assert connect(secure, loopback, proxy=proxy).get("/x") == {"a": 1}
    (lines,) = tunnel.asked
    assert lines[0].startswith(f"CONNECT 127.0.0.1:{secure.port} ")
    login = base64.b64encode(b"ann:s@cret").decode()
    assert f"proxy-authorization: Basic {login}" in lines


def test_a_proxy_of_the_environment(elsewhere: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    with Stub(elsewhere.certificate, elsewhere.key) as stub:
        stub.answers["/x"] = Reply({"a": 1})
        tunnel = Tunnel(stub.port)
        endpoint = Endpoint("https://kube.example.test:6443", trust=Trust(authority=str(elsewhere.certificate)))
        monkeypatch.setenv("HTTPS_PROXY", tunnel.url)
        with closing(tunnel.listener):
            assert Connection(endpoint).get("/x") == {"a": 1}
            assert tunnel.asked[0][0].startswith("CONNECT kube.example.test:6443 ")
            monkeypatch.setenv("NO_PROXY", "example.test")
            with pytest.raises(Unreachable, match="no such host"):
                Connection(endpoint).get("/x")


def test_a_proxy_that_is_not_there(secure: Stub, loopback: Pair) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with pytest.raises(Unreachable, match="through the proxy: connection refused"):
        connect(secure, loopback, proxy=f"http://127.0.0.1:{port}").get("/x")


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "ftp://127.0.0.1:1", "nonsense"])
def test_a_proxy_of_a_kind_we_cannot_use_is_said(secure: Stub, loopback: Pair, proxy: str) -> None:
    with pytest.raises((ConfigError, Unreachable), match="proxy"):
        connect(secure, loopback, proxy=proxy).get("/x")
