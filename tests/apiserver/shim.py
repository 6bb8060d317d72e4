"""A proxy in front of an API server: records requests, adds latency, injects faults. HTTP/1.1 with keep-alive.

Users with tokens go through it as they are; client certificates end at the proxy and cannot.
"""

from __future__ import annotations

import http.client
import itertools
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from .credentials import authority
from .traffic import Fault, Recorded, status_body

HOP_HEADERS = frozenset({"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "content-length"})


class Shim:
    """The proxy; a context manager. `url` is what a kubeconfig's `server` says, `latency` is seconds per response.

    It serves HTTPS only, since clients send no token over plain HTTP; `certificate_authority` is what they verify it
    with.
    """

    def __init__(self, port: int, trusted: Path, folder: Path, *, latency: float = 0) -> None:
        self.latency = latency
        self.requests: list[Recorded] = []
        self.faults: list[Fault] = []
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._port = port
        self._trusted = ssl.create_default_context(cafile=str(trusted))
        folder.mkdir(parents=True, exist_ok=True)
        self.certificate_authority, key = authority(folder, "shim", "subjectAltName=IP:127.0.0.1,DNS:localhost")
        self._server = _Server(self, self.certificate_authority, key)
        self.url = f"https://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Shim:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._server.close_connections()
        self._thread.join()

    def fault(
        self,
        pattern: str,
        status: int = 500,
        body: str | None = None,
        *,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        skip: int = 0,
        times: int | None = None,
    ) -> Fault:
        """Answer matching requests with this status; without `body`, with a Status object as the API server does.

        The Nth page of a list expires with `fault("continue=", 410, skip=N - 2, times=1)`.
        """
        text = status_body(status) if body is None else body
        more = {} if headers is None else headers
        return self._add(Fault(pattern, "answer", status, text, content_type, more, skip=skip, times=times))

    def drop(self, pattern: str, *, skip: int = 0, times: int | None = None) -> Fault:
        """Close the connection of matching requests without an answer."""
        return self._add(Fault(pattern, "drop", skip=skip, times=times))

    def hang(self, pattern: str, seconds: float = 3600, *, skip: int = 0, times: int | None = None) -> Fault:
        """Keep matching requests waiting, then close; ends early when the proxy is closed."""
        return self._add(Fault(pattern, "hang", seconds=seconds, skip=skip, times=times))

    def truncate(self, pattern: str, *, skip: int = 0, times: int | None = None) -> Fault:
        """Send the true headers and half of the body, then close."""
        return self._add(Fault(pattern, "truncate", skip=skip, times=times))

    def clear(self) -> None:
        """Forget faults and recorded requests."""
        with self.lock:
            self.faults.clear()
            self.requests.clear()

    def matching(self, pattern: str) -> list[Recorded]:
        """The recorded requests whose "METHOD target" matches."""
        with self.lock:
            return [each for each in self.requests if re.search(pattern, each.line)]

    @contextmanager
    def recording(self) -> Iterator[list[Recorded]]:
        """A list that, after the block, holds the requests answered in it."""
        with self.lock:
            before = len(self.requests)
        found: list[Recorded] = []
        yield found
        with self.lock:
            found.extend(self.requests[before:])

    def fault_for(self, line: str) -> Fault | None:
        """The first fault that takes this request."""
        with self.lock:
            return next((each for each in self.faults if each.takes(line)), None)

    def upstream(self) -> http.client.HTTPSConnection:
        """A new connection to the real server."""
        return http.client.HTTPSConnection("127.0.0.1", self._port, timeout=60, context=self._trusted)

    def _add(self, fault: Fault) -> Fault:
        with self.lock:
            self.faults.append(fault)
        return fault


class _Server(ThreadingHTTPServer):
    """One thread for each client connection; the TLS handshake happens in that thread."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, shim: Shim, certificate: Path, key: Path) -> None:
        self.shim = shim
        self.numbers = itertools.count(1)
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificate, key)
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def finish_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        assert isinstance(request, socket.socket)
        with suppress(OSError):  # a client that went away, or does not trust us, is no concern of the proxy
            client = self._tls.wrap_socket(request, server_side=True)
            self._open.add(client)
            try:
                _Handler(client, client_address, self)
            finally:
                self._open.discard(client)
                client.close()

    def close_connections(self) -> None:
        """Wake every handler that still waits for its client."""
        for client in list(self._open):
            with suppress(OSError):
                client.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    """Serves one client connection over one kept upstream connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server
    _upstream: http.client.HTTPSConnection | None = None

    def setup(self) -> None:
        self.number = next(self.server.numbers)
        super().setup()

    def finish(self) -> None:
        if self._upstream:
            self._upstream.close()
        super().finish()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the requests are recorded."""

    def _serve(self) -> None:
        self.started = time.monotonic()
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            self._answer(self.server.shim.fault_for(f"{self.command} {self.path}"))
        except (http.client.HTTPException, OSError):
            self._hang_up()  # the real server, or the client, is gone

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = _serve

    def _answer(self, fault: Fault | None) -> None:
        shim = self.server.shim
        if fault and fault.action in {"drop", "hang"}:
            self._record(None, 0)
            shim.closing.wait(fault.seconds if fault.action == "hang" else 0)
            self._hang_up()
        elif fault and fault.action == "answer":
            shim.closing.wait(shim.latency)
            headers = [("Content-Type", fault.content_type), *fault.headers.items()]
            self._send(fault.status, "Injected", headers, fault.body.encode())
        else:
            self._forward(cut=fault is not None)

    def _forward(self, *, cut: bool) -> None:
        shim = self.server.shim
        response = self._ask()
        headers = [(name, value) for name, value in response.getheaders() if name.lower() not in HOP_HEADERS]
        shim.closing.wait(shim.latency)
        if re.search("[?&](watch|follow)=(1|true)", self.path):
            self._stream(response, headers)
            return
        content = response.read()
        self._send(response.status, response.reason, headers, content, keep=len(content) // 2 if cut else None)
        if cut:
            self._hang_up()

    def _ask(self) -> http.client.HTTPResponse:
        """The real answer; a kept connection that the server closed meanwhile is opened again."""
        sent = {name: value for name, value in self.headers.items() if name.lower() not in HOP_HEADERS}
        for kept in (self._upstream, None):
            connection = kept or self.server.shim.upstream()
            try:
                connection.request(self.command, self.path, self.body or None, sent)
                response = connection.getresponse()
            except (http.client.HTTPException, OSError):
                connection.close()
                if kept is None:
                    raise
            else:
                self._upstream = connection
                return response
        raise AssertionError("unreachable")

    def _send(
        self, status: int, reason: str, headers: list[tuple[str, str]], body: bytes, keep: int | None = None
    ) -> None:
        """Header and body in one write: two would cost a delayed ACK. `keep`: send only that much of the body."""
        self._record(status, len(body))
        bare = self.command == "HEAD" or status in {204, 304}
        sized = headers if bare else [*headers, ("Content-Length", str(len(body)))]
        self._write(status, reason, sized, b"" if bare else body[:keep])

    def _write(self, status: int, reason: str, headers: list[tuple[str, str]], body: bytes = b"") -> None:
        lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in headers), "", ""]
        self.wfile.write("\r\n".join(lines).encode("latin-1") + body)

    def _stream(self, response: http.client.HTTPResponse, headers: list[tuple[str, str]]) -> None:
        """Pass on what comes as it comes, for watches; then the connection ends."""
        self._record(response.status, 0)
        self.close_connection = True
        self._write(
            response.status, response.reason, [*headers, ("Transfer-Encoding", "chunked"), ("Connection", "close")]
        )
        while chunk := response.read1(65536):
            self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def _hang_up(self) -> None:
        """Close as a broken network would, without TLS's goodbye."""
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _record(self, status: int | None, size: int) -> None:
        """Called just before the answer goes out, so that a request caused by it starts later than this one ended."""
        done = Recorded(
            method=self.command,
            target=self.path,
            headers=dict(self.headers.items()),
            body=self.body,
            started=self.started,
            ended=time.monotonic(),
            connection=self.number,
            status=status,
            size=size,
        )
        with self.server.shim.lock:
            self.server.shim.requests.append(done)
