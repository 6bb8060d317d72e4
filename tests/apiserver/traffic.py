"""What a shim sees and what it spoils: recorded requests, and faults."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

REASONS = {
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Expired",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
}


@dataclass(frozen=True)
class Recorded:
    """One request as the proxy saw it; `started` and `ended` are `time.monotonic()` seconds."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    started: float
    ended: float
    connection: int
    status: int | None
    size: int

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> str:
        return urlsplit(self.target).query

    @property
    def line(self) -> str:
        return f"{self.method} {self.target}"


@dataclass
class Fault:
    """What happens to requests whose "METHOD target" matches `pattern`, after the first `skip`, `times` times.

    `action`: `answer` (status, body and content type given here), `drop` (close without an answer), `hang` (no
    answer for `seconds`, then drop), `truncate` (the true answer's headers and half of its body, then drop).
    """

    pattern: str
    action: str = "answer"
    status: int = 500
    body: str = ""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 3600
    skip: int = 0
    times: int | None = None
    hits: int = 0

    def takes(self, line: str) -> bool:
        """Whether this request is one to spoil; counts it as seen."""
        if not re.search(self.pattern, line):
            return False
        self.hits += 1
        return self.hits > self.skip and (self.times is None or self.hits <= self.skip + self.times)


def status_body(code: int) -> str:
    """The body the API server would send with this code."""
    common = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "injected"}
    return json.dumps({**common, "reason": REASONS.get(code, ""), "code": code})


def rounds(requests: Iterable[Recorded]) -> int:
    """How many requests had to wait for one another: the most that follow each other without overlap."""
    count, end = 0, float("-inf")
    for each in sorted(requests, key=lambda request: request.ended):
        if each.started >= end:
            count, end = count + 1, each.ended
    return count
