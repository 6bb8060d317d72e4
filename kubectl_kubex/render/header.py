"""The lines above a table: where the answer comes from, which engine, which precedence."""

from __future__ import annotations

from kubectl_kubex.core.model import Engine, Generation, SourceInfo
from kubectl_kubex.core.precedence import Manager, Precedence
from kubectl_kubex.render.names import UNKNOWN, count

_SWITCH = {True: "on", False: "off", None: UNKNOWN}


def source_field(source: SourceInfo) -> tuple[str, str]:
    """`Context: prod (https://...)`, or `Source: shop.yaml (captured 2026-01-01T00:00:00Z)`."""
    if not source.offline:
        server = f" ({source.server})" if source.server else ""
        return "Context", f"{source.context or 'in-cluster'}{server}"
    inputs = ", ".join(source.inputs) or "files"
    facts = [f"context {source.context}"] if source.context else []
    facts += [f"captured {source.captured_at}"] if source.captured_at else []
    return "Source", f"{inputs} ({', '.join(facts)})" if facts else f"{inputs}, not a live cluster"


def engine_text(engine: Engine) -> str:
    """`1.12.0, automation on, multi-policy on`."""
    version = engine.version or "version unknown"
    older = ", older than multi-policy" if engine.generation is Generation.OLDER else ""
    switches = f"automation {_SWITCH[engine.automation_enabled]}, multi-policy {_SWITCH[engine.multi_policy]}"
    return f"{version}, {switches}{older}"


def precedence_text(precedence: Precedence) -> str:
    """`policy-evaluation, 10 types, resourceVersion 42, managed by Helm release kubex`."""
    if precedence.found is None:
        return "policy-evaluation could not be read"
    if not precedence.found:
        return "there is no policy-evaluation"
    parts = ["policy-evaluation", count(len(precedence.entries), "type")]
    if precedence.resource_version:
        parts.append(f"resourceVersion {precedence.resource_version}")
    if managed := manager_text(precedence.manager):
        parts.append(f"managed by {managed}")
    return ", ".join(parts)


def manager_text(manager: Manager) -> str:
    """Who manages the object, empty when nothing says so. Field managers only where nothing better is known."""
    managers = []
    if manager.helm_release:
        inside = f" in namespace {manager.helm_namespace}" if manager.helm_namespace else ""
        managers.append(f"Helm release {manager.helm_release}{inside}")
    if manager.argocd:
        managers.append(f"Argo CD {manager.argocd}")
    if manager.flux:
        managers.append(f"Flux {manager.flux}")
    return " and ".join(managers) or ", ".join(manager.field_managers)
