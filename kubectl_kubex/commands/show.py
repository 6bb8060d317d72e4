"""show: the precedence in force, beside the chart's defaults."""

from __future__ import annotations

from kubectl_kubex.codec.gathered import FactSource
from kubectl_kubex.codec.snapshot import precedence_of
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.kinds import PRECEDENCE_KIND
from kubectl_kubex.core.precedence_view import view_of
from kubectl_kubex.errors import ExitCode
from kubectl_kubex.render.formats import Format
from kubectl_kubex.render.show import render_show


def run(source: FactSource, output: Format, terminal: Terminal, *, headers: bool = True) -> ExitCode:
    """Print the precedence. Partial when there is none, or none that could be read."""
    gathered = source.gather((), source.namespace, [PRECEDENCE_KIND.name])
    view = view_of(precedence_of(gathered.objects))
    terminal.out.write(render_show(view, gathered.source, output, terminal.page, headers=headers))
    return ExitCode.OK if view.precedence.found else ExitCode.PARTIAL
