"""Connection: requests to one API server over kept-alive connections, from any thread."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from kubectl_kubex import __version__
from kubectl_kubex.cluster import failures
from kubectl_kubex.cluster.endpoint import without_login
from kubectl_kubex.cluster.login import Certificate, impersonation_headers, login_of
from kubectl_kubex.errors import Unauthorized

if TYPE_CHECKING:
    import urllib3

    from kubectl_kubex.cluster.endpoint import Endpoint

CONNECT_SECONDS = 10.0
READ_SECONDS = 65.0  # an API server gives up after 60
LONGEST_WAIT = 5.0
TRIES = 4
JSON = "application/json"


class Response(NamedTuple):
    status: int
    content_type: str
    retry_after: float | None
    body: bytes


class Connection:
    """Made without a request; the first one logs in. `seconds`: `--request-timeout`, 0 for no limit, None for ours."""

    def __init__(self, endpoint: Endpoint, seconds: float | None = None) -> None:
        self.endpoint = endpoint
        self._seconds = seconds
        self._login = login_of(endpoint)
        self._fixed = impersonation_headers(endpoint.impersonation)
        self._lock = threading.Lock()
        self._pool: urllib3.PoolManager | None = None
        self._certificate: Certificate | None = None
        self._closing = threading.Event()

    @property
    def server(self) -> str:
        """The server's URL, without a login that may stand in it."""
        return without_login(self.endpoint.server)

    def get(self, path: str, params: Mapping[str, str] | None = None, accept: str = JSON) -> dict[str, Any]:
        """The JSON object at `path`. Raises ApiFailure, Unauthorized or Unreachable."""
        return self.request("GET", path, params=params, accept=accept)

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        params: Mapping[str, str] | None = None,
        *,
        accept: str = JSON,
        content_type: str = JSON,
    ) -> dict[str, Any]:
        """Send `body` as JSON and return the JSON object that comes back. A GET waits and asks again when the server
        says so; nothing else is sent twice. Raises as `get`."""
        url = self.endpoint.server + path + _query(params)
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": accept, **({"Content-Type": content_type} if data is not None else {})}
        response = self._send(method, url, headers, data)
        for _ in range(TRIES - 1):
            if not self._waits_for(method, response):
                break
            response = self._send(method, url, headers, data)
        return _decoded(response)

    def close(self) -> None:
        """End waiting, drop all connections. Later requests fail or open new ones."""
        self._closing.set()
        if self._pool is not None:
            self._pool.clear()

    def _waits_for(self, method: str, response: Response) -> bool:
        """Wait as the server asked, if it did; whether to ask again."""
        if method != "GET" or response.status not in {429, 503} or response.retry_after is None:
            return False
        return not self._closing.wait(min(response.retry_after, LONGEST_WAIT))

    def _send(self, method: str, url: str, headers: Mapping[str, str], data: bytes | None) -> Response:
        """One answer; after a 401, with a new login if there is one."""
        authorization = self._login.authorization()
        response = self._exchange(method, url, headers, data, authorization)
        if response.status == 401 and self._login.renew(authorization):
            response = self._exchange(method, url, headers, data, self._login.authorization())
        if response.status == 401:
            raise Unauthorized(self.server)
        return response

    def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], data: bytes | None, authorization: str | None
    ) -> Response:
        """One answer. A kept connection that the server has closed meanwhile is worth a second try."""
        from urllib3.exceptions import HTTPError, ProtocolError  # noqa: PLC0415

        pool, sent = self.open(), self._headers(headers, authorization)
        try:
            try:
                return _read(pool.request(method, url, body=data, headers=sent, **self._options()))
            except ProtocolError:
                if method != "GET" or self._closing.is_set():
                    raise
                return _read(pool.request(method, url, headers=sent, **self._options()))
        except HTTPError as problem:
            raise failures.unreachable(problem, self.server, self._seconds) from None

    def _options(self) -> dict[str, Any]:
        from urllib3 import Timeout  # noqa: PLC0415

        if self._seconds is None:
            timeout = Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS)
        else:
            timeout = Timeout(total=self._seconds or None)
        return {"timeout": timeout, "retries": False, "redirect": False}

    def _headers(self, more: Mapping[str, str], authorization: str | None) -> urllib3.HTTPHeaderDict:
        from urllib3 import HTTPHeaderDict  # noqa: PLC0415

        headers = HTTPHeaderDict({"User-Agent": f"kubectl-kubex/{__version__}", **more})
        if self.endpoint.compressed:
            headers["Accept-Encoding"] = "gzip"
        if authorization:
            headers["Authorization"] = authorization
        for name, value in self._fixed:
            headers.add(name, value)
        return headers

    def open(self) -> urllib3.PoolManager:
        """Log in, without a request. The pool is made anew when the login brings another certificate."""
        certificate = self._login.certificate()
        with self._lock:
            if self._pool is None or certificate != self._certificate:
                self._pool, self._certificate = self._new_pool(certificate), certificate
            return self._pool

    def _new_pool(self, certificate: Certificate | None) -> urllib3.PoolManager:
        import os  # noqa: PLC0415

        from kubectl_kubex.cluster.official import connection_pool  # noqa: PLC0415
        from kubectl_kubex.cluster.proxy import proxy_for  # noqa: PLC0415

        endpoint = self.endpoint
        proxy = endpoint.proxy or proxy_for(endpoint.server, os.environ)
        if not endpoint.secure:
            return connection_pool(endpoint.server, None, proxy=proxy)
        from kubectl_kubex.cluster.tls import context_of  # noqa: PLC0415

        tls = context_of(endpoint.trust, certificate)
        return connection_pool(endpoint.server, tls, server_name=endpoint.trust.server_name, proxy=proxy)


def _query(params: Mapping[str, str] | None) -> str:
    from urllib.parse import urlencode  # noqa: PLC0415

    return f"?{urlencode(params)}" if params else ""


def _read(response: urllib3.BaseHTTPResponse) -> Response:
    after = response.headers.get("Retry-After", "")
    return Response(
        response.status,
        response.headers.get("Content-Type", ""),
        float(after) if after.isascii() and after.isdigit() else None,
        response.data,
    )


def _decoded(response: Response) -> dict[str, Any]:
    if not 200 <= response.status < 300:
        raise failures.answered(response.status, response.content_type, response.body)
    try:
        answer = json.loads(response.body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise failures.no_json(response.content_type)
    return answer
