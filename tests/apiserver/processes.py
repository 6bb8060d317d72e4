"""Child processes that log to a file and never outlive the test run."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

AVENGE = 'folder=$1; shift; read _; kill -9 "$@"; sleep 1; rm -rf "$folder"'


def free_ports(count: int) -> list[int]:
    """Distinct loopback ports that were free a moment ago."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()


class Process:
    """A running program; its output goes to `log`, and Ctrl-C in the terminal does not reach it."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self.name = Path(command[0]).name
        self.log = log
        with log.open("wb") as output:
            self._child = subprocess.Popen(
                list(command), stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
            )

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def running(self) -> bool:
        return self._child.poll() is None

    def kill(self) -> None:
        """End the program at once and wait until it is gone."""
        self._child.kill()
        self._child.wait()

    def tail(self, lines: int = 30) -> str:
        """The end of the log, headed by the program's name and state."""
        state = "running" if self.running else f"exit code {self._child.returncode}"
        text = self.log.read_text(errors="replace").splitlines()[-lines:]
        return "\n".join([f"--- {self.name} ({state}), last lines of {self.log}", *text])


class Watchdog:
    """Kills `processes` and removes `folder` when this Python process dies without doing so, even by SIGKILL.

    A shell waits for the end of a pipe whose other end only this process holds.
    """

    def __init__(self, processes: Sequence[Process], folder: Path) -> None:
        victims = [str(each.pid) for each in processes]
        script = ["/bin/sh", "-c", AVENGE, "watchdog", str(folder), *victims]
        self._shell = subprocess.Popen(
            script, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    @property
    def pid(self) -> int:
        return self._shell.pid

    def dismiss(self) -> None:
        """Stand the watchdog down without harm to the processes; call it before stopping them."""
        self._shell.kill()
        self._shell.wait()
        if self._shell.stdin:
            self._shell.stdin.close()
