"""snapshot_of: what was gathered, live or offline, as the one argument of the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kubectl_kubex.codec.annotations import decode_hooks, decode_recommendations
from kubectl_kubex.codec.configuration import decode_engine, decode_precedence
from kubectl_kubex.codec.gathered import Gathered, Objects, Subject
from kubectl_kubex.codec.policies import decode_policy
from kubectl_kubex.codec.shapes import name_of, namespace_of
from kubectl_kubex.codec.workloads import decode_pod, decode_workload
from kubectl_kubex.core.kinds import CONFIGURATION_KIND, PRECEDENCE_KIND, SCOPED_KINDS, Kind
from kubectl_kubex.core.model import Engine, Gap, Policy
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.snapshot import Snapshot
from kubectl_kubex.core.surrounding_kinds import SURROUNDING_KINDS

WHY_KINDS: tuple[str, ...] = (*(kind.name for kind in SCOPED_KINDS), PRECEDENCE_KIND.name, CONFIGURATION_KIND.name)
"""The engine's kinds that selection asks for."""
PLAN_ONLY: frozenset[str] = frozenset(
    {"AutomationStrategy", "ClusterAutomationStrategy", *(kind.name for kind in SURROUNDING_KINDS)}
)
"""Kinds on which no selection hangs: what could not be read of them is told with the plans."""
ASKED_KINDS: tuple[str, ...] = (
    *WHY_KINDS, *sorted(kind for kind in PLAN_ONLY if kind != "Node")
)  # fmt: skip
"""All that `why` asks for at once."""


def snapshot_of(subject: Subject, gathered: Gathered, *, all_namespaces: bool = False) -> Snapshot:
    """The snapshot for one subject. Namespaced policies of other namespaces can never match; they are left out unless
    `all_namespaces`."""
    workload = decode_workload(subject.workload)
    policies = policies_of(gathered.objects, None if all_namespaces else workload.namespace)
    return Snapshot(
        workload,
        precedence_of(gathered.objects),
        engine_of(gathered.objects),
        policies,
        decode_recommendations(workload.annotations),
        decode_hooks(workload.annotations),
        None if subject.pods is None else tuple(decode_pod(pod) for pod in subject.pods),
        tuple(dict.fromkeys((*selection_gaps(gathered.objects), *subject.gaps))),
        gathered.source,
    )


def selection_gaps(objects: Objects) -> tuple[Gap, ...]:
    return tuple(gap for gap in objects.gaps if gap.kind not in PLAN_ONLY)


def policies_of(objects: Objects, namespace: str | None) -> tuple[Policy, ...]:
    """All policies of the scoped kinds, in the table's order, then by namespace and name. `namespace`: leave out the
    namespaced ones of others; None: keep all."""
    return tuple(
        decode_policy(kind, raw)
        for kind in SCOPED_KINDS
        for raw in sorted(objects.by_kind.get(kind.name, ()), key=lambda raw: (namespace_of(raw), name_of(raw)))
        if _in_reach(kind, raw, namespace)
    )


def _in_reach(kind: Kind, raw: Mapping[str, Any], namespace: str | None) -> bool:
    return not kind.namespaced or namespace is None or namespace_of(raw) == namespace


def precedence_of(objects: Objects) -> Precedence:
    gap = next((gap for gap in objects.gaps if gap.kind == PRECEDENCE_KIND.name), None)
    return decode_precedence(objects.by_kind.get(PRECEDENCE_KIND.name, ()), gap)


def engine_of(objects: Objects) -> Engine:
    return decode_engine(
        objects.by_kind.get(CONFIGURATION_KIND.name, ()), objects.by_kind.get(PRECEDENCE_KIND.name, ())
    )
