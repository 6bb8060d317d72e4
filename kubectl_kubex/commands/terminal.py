"""Terminal: the streams of one run, and what is known about who reads them. Handed in, so that output can be tested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, TextIO

from kubectl_kubex.errors import KubexError
from kubectl_kubex.render.paper import Page
from kubectl_kubex.render.visible import visible


@dataclass(frozen=True)
class Terminal:
    """`out` takes data only; everything else goes to `err`."""

    out: TextIO
    err: TextIO
    stdin: BinaryIO
    page: Page = Page()

    def fail(self, error: KubexError) -> None:
        """One line about a failure that does not end the command."""
        self.err.write(error_line(error) + "\n")

    def remark(self, text: str) -> None:
        """One line that is no data, such as `No resources found`."""
        self.err.write(visible(text) + "\n")


def error_line(error: KubexError) -> str:
    """`error: ...`, or the API server's own sentence as kubectl prints it."""
    line = visible(error.line)
    return line if line.startswith("Error from server") else f"error: {line}"
