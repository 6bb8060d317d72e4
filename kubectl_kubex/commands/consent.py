"""Consent: whether the user wants a change that was shown."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.errors import Cancelled, NotConfirmed
from kubectl_kubex.render.visible import visible

_YES = frozenset({"y", "yes"})


@dataclass(frozen=True)
class Consent:
    """`given`: told with --yes, so nobody is asked."""

    given: bool = False

    def ask(self, question: str, terminal: Terminal) -> bool:
        """Return when the user agrees; whether anybody had to be asked. Raises NotConfirmed where there is nobody to
        ask, Cancelled for any answer but yes."""
        if self.given:
            return False
        if not terminal.stdin.isatty():
            raise NotConfirmed
        terminal.out.flush()
        terminal.err.write(visible(question))
        terminal.err.flush()
        answer = terminal.stdin.readline().decode("utf-8", "replace").strip().lower()
        if answer not in _YES:
            raise Cancelled
        return True
