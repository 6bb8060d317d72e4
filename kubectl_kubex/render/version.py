"""VersionResult: the versions, as text, JSON or YAML."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kubectl_kubex.render.formats import JSON, YAML, Format
from kubectl_kubex.render.visible import visible


@dataclass(frozen=True)
class Versions:
    """`server` and `resources` None: not asked, not reachable, or (resources) not installed."""

    client: str
    python: str
    platform: str
    server: str | None = None
    resources: str | None = None

    def with_server(self, server: str | None, resources: str | None) -> Versions:
        return replace(self, server=server, resources=resources)


def render_version(versions: Versions, output: Format) -> str:
    if output.name in (JSON, YAML):
        from kubectl_kubex.render.machine import to_json, to_yaml  # noqa: PLC0415 - only these forms need them

        document = {
            "apiVersion": "kubectl-kubex/v1",
            "kind": "VersionResult",
            "clientVersion": {"version": versions.client, "python": versions.python, "platform": versions.platform},
            "serverVersion": {"version": versions.server} if versions.server else None,
            "resources": {"version": versions.resources} if versions.resources else None,
        }
        return to_json(document) if output.name == JSON else to_yaml(document)
    lines = [f"Client Version: {versions.client}"]
    if versions.server:
        lines.append(f"Server Version: {versions.server}")
        lines.append(f"Kubex Resources: {versions.resources or 'not installed'}")
    return "".join(f"{visible(line)}\n" for line in lines)
