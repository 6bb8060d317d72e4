"""The parts that result documents share. Plain dicts and lists, in the order in which they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from kubectl_kubex.core.candidate import OLDEST
from kubectl_kubex.core.doubts import Doubt
from kubectl_kubex.core.model import Engine, PolicyRef, SourceInfo, Workload
from kubectl_kubex.core.precedence import Entry, Manager, Precedence, Problem
from kubectl_kubex.core.ranking import show_time
from kubectl_kubex.core.reading import Reading
from kubectl_kubex.render.problem_words import problem_text
from kubectl_kubex.render.words import doubt_text

API_VERSION = "kubectl-kubex/v1"

Document = dict[str, Any]


def header(kind: str) -> Document:
    return {"apiVersion": API_VERSION, "kind": kind}


def listed(kind: str, documents: Sequence[Document]) -> Document:
    """Several results as one document."""
    return {**header(f"{kind}List"), "items": list(documents)}


def workload_document(workload: Workload) -> Document:
    return {
        "apiVersion": workload.api_version,
        "kind": workload.kind,
        "namespace": workload.namespace,
        "name": workload.name,
    }


def source_document(source: SourceInfo) -> Document:
    return {
        "context": source.context,
        "server": source.server,
        "offline": source.offline,
        "capturedAt": source.captured_at,
        "inputs": list(source.inputs),
    }


def engine_document(engine: Engine) -> Document:
    return {
        "multiPolicyContainerRightsizingEnabled": engine.multi_policy,
        "automationEnabled": engine.automation_enabled,
        "version": engine.version,
        "generation": engine.generation.value,
    }


def precedence_document(precedence: Precedence) -> Document:
    return {
        "found": precedence.found,
        "resourceVersion": precedence.resource_version,
        "managedBy": manager_document(precedence.manager),
        "entries": [entry_document(entry) for entry in precedence.entries],
        "problems": [problem_document(problem) for problem in precedence.problems()],
    }


def manager_document(manager: Manager) -> Document:
    return {
        "helmRelease": manager.helm_release,
        "helmNamespace": manager.helm_namespace,
        "argocd": manager.argocd,
        "flux": manager.flux,
        "fieldManagers": list(manager.field_managers),
    }


def entry_document(entry: Entry) -> Document:
    document: Document = {"type": entry.type, "priority": entry.priority}
    return document if entry.priority is not None else {**document, "written": entry.written}


def problem_document(problem: Problem) -> Document:
    return {
        "code": problem.code.value,
        "message": problem_text(problem),
        "type": problem.type or None,
        "positions": list(problem.positions),
    }


def policy_document(ref: PolicyRef) -> Document:
    return {"kind": ref.kind, "namespace": ref.namespace, "name": ref.name}


def doubts_document(doubts: Iterable[Doubt]) -> list[Document]:
    return [
        {
            "code": doubt.code.value,
            "message": doubt_text(doubt),
            "subject": doubt.subject or None,
            "affects": list(doubt.affects),
        }
        for doubt in doubts
    ]


def reading_document(reading: Reading[int]) -> int | None:
    """The number, None where it is open: an assumed value never stands for a known one."""
    return None if reading.is_open else reading.assumed


def time_document(created: Reading[datetime]) -> str | None:
    return None if created.is_open or created.assumed == OLDEST else show_time(created.assumed)
