"""A small HTTP or HTTPS server whose answers a test writes down: for what a real API server does not do on request."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass
class Seen:
    """One request. `headers` in order, with repetitions."""

    method: str
    path: str
    query: dict[str, str]
    headers: list[tuple[str, str]]
    body: bytes
    connection: int

    def all(self, name: str) -> list[str]:
        return [value for found, value in self.headers if found.lower() == name.lower()]

    def header(self, name: str) -> str | None:
        return next(iter(self.all(name)), None)


@dataclass
class Reply:
    """`cut`: send the headers and half of the body only. `seconds`: wait before the answer."""

    body: Any = field(default_factory=dict)
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    seconds: float = 0

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


def status(code: int, message: str = "injected", reason: str = "", **details: str) -> Reply:
    """A Status object, as the API server answers failures."""
    body = {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": code,
    }
    return Reply({**body, "details": details} if details else body, code)


NO_PAGE = Reply("404 page not found\n", 404, "text/plain; charset=utf-8")
Answer = Callable[[Seen], Reply]


class Stub:
    """Answers by path; a path without an answer is one the API does not serve. A context manager."""

    def __init__(self, certificate: Path | None = None, key: Path | None = None, *, host: str = "127.0.0.1") -> None:
        self.answers: dict[str, Reply | Answer] = {}
        self.seen: list[Seen] = []
        self.lock = threading.Lock()
        self.default: Reply | Answer = NO_PAGE
        self._server = _Server(self, host)
        if certificate is not None:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate, key)
            self._server.tls = tls
        scheme = "https" if certificate else "http"
        self.port = self._server.server_address[1]
        self.url = f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"

    def __enter__(self) -> Stub:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, seen: Seen) -> Reply:
        with self.lock:
            self.seen.append(seen)
        found = self.answers.get(seen.path, self.default)
        return found if isinstance(found, Reply) else found(seen)

    @property
    def paths(self) -> list[str]:
        return [seen.path for seen in self.seen]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    tls: ssl.SSLContext | None = None
    request_queue_size = 64

    def __init__(self, stub: Stub, host: str) -> None:
        self.stub = stub
        self.connections = 0
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        super().__init__((host, 0), _Handler)

    def finish_request(self, request: Any, client_address: Any) -> None:
        with suppress(OSError):
            client = self.tls.wrap_socket(request, server_side=True) if self.tls else request
            with client:
                _Handler(client, client_address, self)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        with self.server.stub.lock:
            self.server.connections += 1
            self.number = self.server.connections
        super().setup()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        seen = Seen(self.command, parts.path, query, list(self.headers.items()), body, self.number)
        reply = self.server.stub.answer(seen)
        time.sleep(reply.seconds)
        content = reply.content
        headers = {"Content-Type": reply.content_type, "Content-Length": str(len(content)), **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} Stub", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        sent = content[: len(content) // 2] if reply.cut else content
        with suppress(OSError):
            self.wfile.write("\r\n".join(lines).encode() + sent)
        if reply.cut:
            self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve
