"""A small REST client for fixtures: kept connections, a pool, discovery. It is not the code under test."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from .manifests import Object

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
POOL = 8
BUSY = 429  # as while a CRD's storage starts
BUSY_TRIES = 200

_In = TypeVar("_In")
_Out = TypeVar("_Out")


class ApiError(RuntimeError):
    """The server refused a request; `status` is the HTTP code, `body` what it said."""

    def __init__(self, method: str, path: str, status: int, body: Any) -> None:
        said = body.get("message", body) if isinstance(body, dict) else body
        super().__init__(f"{method} {path}: {status} {said}")
        self.status = status
        self.body = body


@dataclass(frozen=True)
class Resource:
    """One row of discovery: how a kind is addressed."""

    prefix: str
    kind: str
    plural: str
    namespaced: bool
    verbs: frozenset[str]
    has_status: bool

    def path(self, namespace: str | None = None, name: str | None = None, subresource: str | None = None) -> str:
        """The URL path of the collection, of one object, or of one of its subresources."""
        scope = f"/namespaces/{quote(namespace)}" if self.namespaced and namespace else ""
        tail = "".join(f"/{quote(part)}" for part in (name, subresource) if part)
        return f"{self.prefix}{scope}/{self.plural}{tail}"


class Rest:
    """Requests as one token user, from any number of threads, over connections that are kept."""

    def __init__(self, port: int, authority: Path, token: str) -> None:
        self._port = port
        self._token = token
        self._tls = ssl.create_default_context(cafile=str(authority))
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPSConnection] = []
        self._resources: dict[str, dict[str, Resource]] = {}

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        content_type: str = JSON,
        accept: tuple[int, ...] = (),
    ) -> Any:
        """The decoded answer; `ApiError` for a status of 400 or more that is not in `accept`."""
        target = f"{path}?{urlencode(query)}" if query else path
        headers = {"Authorization": f"Bearer {self._token}", "Accept": JSON, "Content-Type": content_type}
        sent = None if body is None else json.dumps(body).encode()
        status, raw = self._send(method, target, sent, headers)
        for _ in range(BUSY_TRIES):
            if status != BUSY:
                break
            time.sleep(0.05)
            status, raw = self._send(method, target, sent, headers)
        text = raw.decode(errors="replace")
        answer = json.loads(text) if text.startswith(("{", "[")) else text
        if status >= 400 and status not in accept:
            raise ApiError(method, target, status, answer)
        return answer

    def _send(self, method: str, target: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Over a kept connection if there is one; the server may have closed it, so the last try is over a new one."""
        while True:
            kept = self._kept()
            connection = kept or http.client.HTTPSConnection("127.0.0.1", self._port, timeout=60, context=self._tls)
            try:
                connection.request(method, target, body, dict(headers))
                response = connection.getresponse()
                answer = response.status, response.read()
            except (http.client.HTTPException, OSError):
                connection.close()
                if kept is None:
                    raise
            else:
                with self._lock:
                    self._idle.append(connection)
                return answer

    def _kept(self) -> http.client.HTTPSConnection | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def close(self) -> None:
        """Close the kept connections."""
        while connection := self._kept():
            connection.close()

    def each(self, work: Callable[[_In], _Out], inputs: Iterable[_In]) -> list[_Out]:
        """`work` over `inputs` on the pool, results in order; the first error is raised."""
        jobs = list(inputs)
        if len(jobs) < 2:
            return [work(job) for job in jobs]
        with ThreadPoolExecutor(max_workers=POOL) as pool:
            return list(pool.map(work, jobs))

    def resource(self, api_version: str, kind: str) -> Resource:
        """How to address a kind; `LookupError` when the server does not serve it."""
        if kind not in self._resources.get(api_version, {}):
            self._resources[api_version] = self._discover(api_version)
        try:
            return self._resources[api_version][kind]
        except KeyError:
            raise LookupError(f"the server has no kind {kind} in {api_version}") from None

    def resources(self) -> list[Resource]:
        """Every kind the server serves now, in its preferred version."""
        groups = self.request("GET", "/apis")["groups"]
        versions = ["v1", *(group["preferredVersion"]["groupVersion"] for group in groups)]
        return [found for rows in self.each(self._discover, versions) for found in rows.values()]

    def _discover(self, api_version: str) -> dict[str, Resource]:
        prefix = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
        rows = self.request("GET", prefix, accept=(404, 503))
        found = rows.get("resources", []) if isinstance(rows, dict) else []
        with_status = {row["name"].split("/")[0] for row in found if row["name"].endswith("/status")}
        return {
            row["kind"]: Resource(
                prefix, row["kind"], row["name"], row["namespaced"], frozenset(row["verbs"]), row["name"] in with_status
            )
            for row in found
            if "/" not in row["name"]
        }

    def path(self, manifest: Object, subresource: str | None = None, *, named: bool = True) -> str:
        """The URL path of an object given as a manifest, or (`named=False`) of the collection it belongs in."""
        metadata = manifest["metadata"]
        resource = self.resource(manifest["apiVersion"], manifest["kind"])
        namespace = metadata.get("namespace") or ("default" if resource.namespaced else None)
        return resource.path(namespace, metadata["name"] if named else None, subresource)
