"""version: of this program and, where one answers, of the API server and the engine's resources."""

from __future__ import annotations

import platform

from kubectl_kubex import __version__
from kubectl_kubex.commands.source import SourceChoice
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.errors import ExitCode, KubexError, UsageError
from kubectl_kubex.render.formats import Format
from kubectl_kubex.render.version import Versions, render_version


def run(choice: SourceChoice, output: Format, terminal: Terminal, *, client_only: bool) -> ExitCode:
    """Print the versions. What the client is, is printed even where no server answers."""
    client = Versions(f"v{__version__}", f"{platform.python_implementation()} {platform.python_version()}", _platform())
    if client_only:
        terminal.out.write(render_version(client, output))
        return ExitCode.OK
    if choice.files or choice.demo:
        raise UsageError("a file has no server version", "use version --client")
    versions, failure = _with_server(client, choice)
    terminal.out.write(render_version(versions, output))
    if failure is not None:
        terminal.fail(failure)
    return ExitCode.OK if failure is None else failure.exit_code


def _with_server(client: Versions, choice: SourceChoice) -> tuple[Versions, KubexError | None]:
    from kubectl_kubex.cluster.settings import ConnectionSettings  # noqa: PLC0415
    from kubectl_kubex.cluster.source import ClusterSource  # noqa: PLC0415 - not for --client

    server: str | None = None
    try:
        with ClusterSource(ConnectionSettings(namespace=choice.namespace, **choice.connection)) as source:
            server = source.server_version()
            return client.with_server(server, source.crd_version()), None
    except KubexError as error:
        return client.with_server(server, None), error


def _platform() -> str:
    return f"{platform.system().lower()}/{platform.machine().lower()}"
