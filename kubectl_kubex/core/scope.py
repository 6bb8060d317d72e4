"""Does this policy match this workload? Matched, or refused for a reason from a closed set (engine.md section 7).

Protected namespaces and pauses are not asked here: they block execution and do not alter matching.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.core.kinds import BY_NAME
from kubectl_kubex.core.model import LabelRequirement, NamespaceSelector, Policy, PolicyRef, Workload
from kubectl_kubex.core.workload_kinds import DEFAULT_WORKLOAD_TYPES


class RefusalReason(str, Enum):
    """Why a policy never entered the ranking."""

    WRONG_NAMESPACE = "wrong-namespace"  # a namespaced policy of another namespace
    NAMESPACE_PATTERN = "namespace-pattern"  # namespaceSelector excludes the namespace
    WORKLOAD_TYPE = "workload-type"
    LABEL = "label"
    CONTAINER_NOT_LISTED = "container-not-listed"  # scope.containers names none of the workload's containers
    POLICY_INVALID = "policy-invalid"  # its spec makes no sense, so whether it matches is not known
    OUTRANKED_AT_WRITE = "outranked-at-write"  # matches, but another of its kind holds the kind's fixed key
    NO_RECOMMENDATION = "no-recommendation"  # matches, but has published nothing on this workload


@dataclass(frozen=True)
class Refusal:
    """A policy that is not a candidate, and why. `details`: facts for its sentence, by name."""

    policy: PolicyRef
    reason: RefusalReason
    details: tuple[tuple[str, str], ...] = ()

    @property
    def detail(self) -> dict[str, str]:
        return dict(self.details)


def refusal(policy: Policy, workload: Workload) -> Refusal | None:
    """None when `policy` matches `workload`, else the first reason against it in the order of `RefusalReason`."""
    kind = BY_NAME[policy.ref.kind]
    scope = policy.scope

    def refused(reason: RefusalReason, **details: str) -> Refusal:
        return Refusal(policy.ref, reason, tuple(details.items()))

    if policy.problem is not None:
        return refused(RefusalReason.POLICY_INVALID, problem=policy.problem)
    if kind.namespaced and policy.ref.namespace != workload.namespace:
        return refused(RefusalReason.WRONG_NAMESPACE, namespace=policy.ref.namespace or "")
    selector = scope.namespace_selector
    if not kind.namespaced and selector is not None and not selects_namespace(selector, workload.namespace):
        return refused(RefusalReason.NAMESPACE_PATTERN, operator=selector.operator, values=", ".join(selector.values))
    types = DEFAULT_WORKLOAD_TYPES if scope.workload_types is None else scope.workload_types
    if workload.kind not in types:
        return refused(RefusalReason.WORKLOAD_TYPE, kind=workload.kind, types=", ".join(types))
    for requirement in scope.requirements:
        if not satisfies(requirement, workload):
            return refused(RefusalReason.LABEL, **_label_details(requirement, workload))
    if scope.containers and workload.containers is not None:
        names = {container.name for container in workload.containers if container.resizable}
        if not names & set(scope.containers):
            return refused(RefusalReason.CONTAINER_NOT_LISTED, containers=", ".join(scope.containers))
    return None


def selects_namespace(selector: NamespaceSelector, namespace: str) -> bool:
    """In or NotIn over names; only `*` is documented as a wildcard, everything else is literal (engine.md 7)."""
    found = any(_glob(pattern, namespace) for pattern in selector.values)
    return found is (selector.operator == "In")


def is_unclear(selector: NamespaceSelector, namespace: str) -> bool:
    """Whether `?` or `[...]`, if the engine took them as shell wildcards, would give another answer."""
    return any(
        _glob(pattern, namespace) != fnmatch.fnmatchcase(namespace, pattern)
        for pattern in selector.values
        if "?" in pattern or "[" in pattern
    )


def satisfies(requirement: LabelRequirement, workload: Workload) -> bool:
    """One label requirement over the workload object's own labels, as `metav1.LabelSelector` defines it."""
    value = workload.labels.get(requirement.key)
    if requirement.operator == "Exists":
        return value is not None
    if requirement.operator == "DoesNotExist":
        return value is None
    if requirement.operator == "In":
        return value is not None and value in requirement.values
    return value is None or value not in requirement.values


def _glob(pattern: str, name: str) -> bool:
    # fnmatch's own translation does not backtrack on `*a*a*a*`; all but `*` is made literal for it.
    return fnmatch.fnmatchcase(name, re.sub(r"[\[?]", r"[\g<0>]", pattern))


def _label_details(requirement: LabelRequirement, workload: Workload) -> dict[str, str]:
    details = {"key": requirement.key, "operator": requirement.operator, "values": ", ".join(requirement.values)}
    value = workload.labels.get(requirement.key)
    return details if value is None else {**details, "value": value}
