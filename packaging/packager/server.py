"""A TLS server on loopback that answers like an API server with the engine installed, to those who log in."""

from __future__ import annotations

import http.server
import json
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GROUP = "rightsizing.kubex.ai"
VERSION = "v1.99.0"
_ANSWERS = {
    "/version": {"gitVersion": VERSION},
    f"/apis/{GROUP}": {"kind": "APIGroup", "preferredVersion": {"groupVersion": f"{GROUP}/v1alpha1"}},
}


@contextmanager
def serving(folder: Path, tokens: frozenset[str]) -> Iterator[tuple[str, Path]]:
    """The server's URL and the certificate to trust, for as long as the `with` block lasts. Without one of `tokens` it
    answers 401."""
    certificate, key = _certificate(folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(tokens))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}", certificate
    finally:
        server.shutdown()
        server.server_close()


def _handler(tokens: frozenset[str]) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            scheme, _, token = self.headers.get("Authorization", "").partition(" ")
            known = scheme == "Bearer" and token in tokens
            answer = _ANSWERS.get(self.path.partition("?")[0]) if known else None
            self.send_response(200 if answer else 404 if known else 401)
            body = json.dumps(answer or {"kind": "Status", "apiVersion": "v1", "status": "Failure"}).encode()
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    return Handler


def _certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "server.crt", folder / "server.key"
    program = shutil.which("openssl")
    if program is None:
        raise FileNotFoundError("the smoke test needs the openssl program for its server's certificate")
    subject = ["-subj", "/CN=smoke", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    command = [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", *files, *subject]
    subprocess.run(command, check=True, capture_output=True)
    certificate.chmod(0o644)
    return certificate, key
