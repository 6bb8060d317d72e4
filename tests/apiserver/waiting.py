"""Wait for what a server does in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(what: str, ready: Callable[[], bool], timeout: float = 20) -> None:
    """Poll `ready` until it holds; `TimeoutError` naming `what` otherwise."""
    deadline = time.monotonic() + timeout
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {timeout:g} s for {what}")
        time.sleep(0.02)
