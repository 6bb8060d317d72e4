"""Policy objects to `Policy` values. A field that makes no sense becomes the policy's `problem`, never an exception."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kubectl_kubex.codec.shapes import at, integer, mapping, name_of, namespace_of, text
from kubectl_kubex.codec.times import parse_time
from kubectl_kubex.core.kinds import Kind
from kubectl_kubex.core.model import LabelRequirement, NamespaceSelector, Policy, PolicyRef, Scope

_SELECTOR_OPERATORS = frozenset({"In", "NotIn"})
_LABEL_OPERATORS = frozenset({"In", "NotIn", "Exists", "DoesNotExist"})


@dataclass
class _Problems:
    """The fields that make no sense, in the order met."""

    found: list[str] = field(default_factory=list)

    def add(self, problem: str) -> None:
        self.found.append(problem)

    @property
    def first(self) -> str | None:
        return self.found[0] if self.found else None


def decode_policy(kind: Kind, raw: Mapping[str, Any]) -> Policy:
    """One object of a scoped kind (engine.md 1.2). Missing optional fields take the CRD's defaults."""
    problems = _Problems()
    spec = raw.get("spec")
    if spec is not None and not isinstance(spec, Mapping):
        problems.add("spec is not an object")
    weight = _weight(mapping(spec).get("weight"), problems)
    scope = _scope(kind, mapping(spec).get("scope"), problems)
    ref = PolicyRef(kind.name, namespace_of(raw) if kind.namespaced else None, name_of(raw))
    return Policy(
        ref,
        weight,
        parse_time(at(raw, "metadata", "creationTimestamp")),
        scope,
        text(at(spec, "automationStrategyRef", "name")),
        problems.first,
    )


def _weight(value: object, problems: _Problems) -> int:
    if value is None:
        return 0
    number = integer(value)
    if number is None or not 0 <= number < 2**31:
        problems.add("spec.weight is not an int32 of 0 or more")
        return 0
    return number


def _scope(kind: Kind, value: object, problems: _Problems) -> Scope:
    if value is None:
        if not kind.namespaced:
            problems.add("spec.scope is missing")
        return Scope()
    if not isinstance(value, Mapping):
        problems.add("spec.scope is not an object")
        return Scope()
    return Scope(
        None if kind.namespaced else _namespace_selector(value.get("namespaceSelector"), problems),
        tuple(_requirements(value.get("labelSelector"), problems)),
        _names(value, "workloadTypes", problems) or None,
        _names(value, "containers", problems),
    )


def _namespace_selector(value: object, problems: _Problems) -> NamespaceSelector | None:
    operator, values = text(at(value, "operator")), _strings(at(value, "values"))
    if operator is None or operator not in _SELECTOR_OPERATORS or not values:
        problems.add("spec.scope.namespaceSelector needs operator In or NotIn and values")
        return None
    return NamespaceSelector(operator, values)


def _names(scope: Mapping[str, Any], name: str, problems: _Problems) -> tuple[str, ...]:
    value = scope.get(name)
    if value is None or value == []:
        return ()
    names = _strings(value)
    if not names:
        problems.add(f"spec.scope.{name} is not a list of strings")
    return names


def _strings(value: object) -> tuple[str, ...]:
    """The members of a list of strings; empty when it is anything else."""
    if not isinstance(value, list) or not all(isinstance(member, str) for member in value):
        return ()
    return tuple(value)


def _requirements(selector: object, problems: _Problems) -> Iterator[LabelRequirement]:
    if selector is None:
        return
    labels, expressions = at(selector, "matchLabels"), at(selector, "matchExpressions")
    if not isinstance(selector, Mapping) or not isinstance(labels, Mapping | None):
        problems.add("spec.scope.labelSelector.matchLabels is not an object")
        return
    for key, value in sorted(mapping(labels).items()):
        if not isinstance(value, str):
            problems.add(f"spec.scope.labelSelector.matchLabels[{key}] is not a string")
            continue
        yield LabelRequirement(key, "In", (value,))
    if not isinstance(expressions, list | None):
        problems.add("spec.scope.labelSelector.matchExpressions is not a list")
        return
    for expression in expressions or ():
        requirement = _requirement(expression)
        if requirement is None:
            problems.add("spec.scope.labelSelector.matchExpressions has an entry that makes no sense")
            continue
        yield requirement


def _requirement(expression: object) -> LabelRequirement | None:
    key, operator = text(at(expression, "key")), text(at(expression, "operator"))
    values = _strings(at(expression, "values"))
    if not key or operator is None or operator not in _LABEL_OPERATORS:
        return None
    if operator in _SELECTOR_OPERATORS and not values:
        return None
    return LabelRequirement(key, operator, values)
