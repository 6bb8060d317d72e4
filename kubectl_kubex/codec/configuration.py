"""The two singletons: PolicyEvaluation to `Precedence`, GlobalConfiguration to `Engine`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_kubex.codec.shapes import at, integer, name_of, objects, strings, text
from kubectl_kubex.core.kinds import CONFIGURATION_NAME, PRECEDENCE_NAME
from kubectl_kubex.core.model import Engine, Gap, Generation
from kubectl_kubex.core.precedence import MAX_PRIORITY, Entry, Manager, Precedence, Problem, ProblemCode

_CHART = "kubex-automation-engine-"


def decode_precedence(evaluations: Sequence[Mapping[str, Any]], gap: Gap | None) -> Precedence:
    """The singleton among `evaluations`. `gap`: why PolicyEvaluation objects could not be read, if so."""
    others = tuple(sorted(name_of(raw) for raw in evaluations if name_of(raw) != PRECEDENCE_NAME))
    raw = next((raw for raw in evaluations if name_of(raw) == PRECEDENCE_NAME), None)
    if raw is None:
        unread = gap is not None and gap.hides_objects
        return Precedence(None if unread else False, other_objects=others, gap=gap)
    entries, malformed = _entries(at(raw, "spec", "precedence"))
    version = text(at(raw, "metadata", "resourceVersion"))
    return Precedence(True, entries, malformed, version, decode_manager(raw), others)


def _entries(listed: object) -> tuple[tuple[Entry, ...], tuple[Problem, ...]]:
    if listed is None:
        return (), ()
    if not isinstance(listed, list):
        return (), (Problem(ProblemCode.MALFORMED, detail="spec.precedence is not a list"),)
    entries: list[Entry] = []
    malformed: list[Problem] = []
    for position, raw in enumerate(listed, 1):
        name = text(at(raw, "type"))
        if not name:
            malformed.append(Problem(ProblemCode.MALFORMED, positions=(position,), detail="an entry without a type"))
            continue
        entries.append(_entry(position, name, at(raw, "priority")))
    return tuple(entries), tuple(malformed)


def _entry(position: int, name: str, value: object) -> Entry:
    priority = integer(value)
    if priority is None or not 0 <= priority <= MAX_PRIORITY:
        return Entry(position, name, None, _written(value))
    return Entry(position, name, priority)


def _written(value: object) -> str:
    """What stands there, short; only its type where it is no plain scalar."""
    if isinstance(value, str):
        return json.dumps(value[:80], ensure_ascii=False)
    if value is None or isinstance(value, bool | float):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**40 else "a huge number"
    return "a list" if isinstance(value, list) else "an object"


def decode_manager(raw: Mapping[str, Any]) -> Manager:
    """Who manages an object (engine.md section 8): Helm, Argo CD and Flux by their marks, and all field managers."""
    labels, annotations = strings(at(raw, "metadata", "labels")), strings(at(raw, "metadata", "annotations"))
    helm = labels.get("app.kubernetes.io/managed-by") == "Helm" or "meta.helm.sh/release-name" in annotations
    release = annotations.get("meta.helm.sh/release-name") or labels.get("app.kubernetes.io/instance")
    flux = labels.get("helm.toolkit.fluxcd.io/name") or labels.get("kustomize.toolkit.fluxcd.io/name")
    argocd = labels.get("argocd.argoproj.io/instance") or annotations.get("argocd.argoproj.io/tracking-id")
    managers = {text(entry.get("manager")) for entry in objects(at(raw, "metadata", "managedFields"))}
    return Manager(
        (release or "unknown") if helm else None,
        annotations.get("meta.helm.sh/release-namespace") if helm else None,
        argocd,
        flux,
        tuple(sorted(manager for manager in managers if manager)),
    )


def decode_engine(configurations: Sequence[Mapping[str, Any]], evaluations: Sequence[Mapping[str, Any]]) -> Engine:
    """What GlobalConfiguration `global-config` says. One without the multi-policy field is of an engine that does not
    know it: off, and older (engine.md 1.5)."""
    raw = next((raw for raw in configurations if name_of(raw) == CONFIGURATION_NAME), None)
    version = _version([*configurations, *evaluations])
    if raw is None:
        return Engine(version=version)
    enabled = at(raw, "spec", "automationEnabled")
    flag = at(raw, "spec", "multiPolicyContainerRightsizingEnabled")
    return Engine(
        multi_policy=flag if isinstance(flag, bool) else False if flag is None else None,
        automation_enabled=enabled if isinstance(enabled, bool) else True if enabled is None else None,
        version=version,
        generation=Generation.OLDER if flag is None else Generation.MULTI_POLICY,
    )


def _version(labelled: Sequence[Mapping[str, Any]]) -> str | None:
    """The chart's version, from the label that the chart puts on its objects."""
    for raw in labelled:
        chart = strings(at(raw, "metadata", "labels")).get("helm.sh/chart", "")
        if chart.startswith(_CHART):
            return chart[len(_CHART) :]
    return None
