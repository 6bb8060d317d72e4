"""From recommendations to the candidates of each target: which containers, `*` and exact, readable and not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.model import Container, Target, Usage
from kubectl_kubex.core.owners import candidate_of
from kubectl_kubex.core.recommendation import WILDCARD, Form, Recommendation, Value
from kubectl_kubex.core.snapshot import Snapshot


@dataclass(frozen=True)
class Claims:
    """The candidates of each target, in the order in which targets are shown, and container names that payloads give
    but the workload does not have (or cannot resize)."""

    by_target: dict[Target, tuple[Candidate, ...]]
    unknown_containers: tuple[tuple[str, str], ...] = ()
    not_resizable: tuple[tuple[str, str], ...] = ()
    containers_known: bool = True


def containers_of(snapshot: Snapshot) -> tuple[Container, ...] | None:
    """The workload's containers: from its template, else from its pods; None when neither is there."""
    if snapshot.workload.containers is not None:
        return snapshot.workload.containers
    found: dict[str, Container] = {}
    for pod in snapshot.pods or ():
        for container in pod.containers:
            found.setdefault(container.name, container)
    return tuple(found.values()) or None


def claims_of(snapshot: Snapshot) -> Claims:
    """Every claim on every target of the workload (engine.md 5.1, steps 1 and 2)."""
    claims = [(recommendation, candidate_of(recommendation, snapshot)) for recommendation in snapshot.recommendations]
    containers = containers_of(snapshot)
    named = {value.container for recommendation, _ in claims for value in recommendation.values}
    names = [c.name for c in containers if c.resizable] if containers else sorted(named, key=_wildcard_last)
    known = {c.name for c in containers or ()}
    keyed = [(value.container, recommendation.key) for recommendation, _ in claims for value in recommendation.values]
    return Claims(
        {target: tuple(_claims_on(target, claims, snapshot)) for target in _targets(names, claims)},
        tuple(sorted({pair for pair in keyed if containers and pair[0] not in known | {WILDCARD}})),
        tuple(sorted({pair for pair in keyed if containers and pair[0] in known - set(names)})),
        containers is not None,
    )


def _wildcard_last(name: str) -> tuple[bool, str]:
    """Without a list of containers `*` stands for all that no payload names."""
    return name == WILDCARD, name


def _targets(names: list[str], claims: list[tuple[Recommendation, Candidate]]) -> list[Target]:
    order = {name: index for index, name in enumerate(names)}
    found = {
        Target(name, recommendation.usage, value.resource)
        for recommendation, _ in claims
        for value in recommendation.values
        for name in (names if value.container == WILDCARD else [value.container])
        if name in order
    }
    usages = list(Usage)
    return sorted(found, key=lambda t: (order[t.container], usages.index(t.usage), t.resource))


def _claims_on(
    target: Target, claims: list[tuple[Recommendation, Candidate]], snapshot: Snapshot
) -> Iterator[Candidate]:
    for recommendation, candidate in claims:
        if recommendation.usage is not target.usage:
            continue
        if recommendation.form is Form.UNREADABLE:
            yield candidate
        for value in recommendation.values:
            if value.resource == target.resource and value.container in (target.container, WILDCARD):
                yield _narrowed(candidate, value, target, snapshot)


def _narrowed(candidate: Candidate, value: Value, target: Target, snapshot: Snapshot) -> Candidate:
    claim = candidate.with_target(value.quantity, exact=value.container != WILDCARD)
    if value.quantity is None:
        details = (*claim.details, ("written", value.written))
        return replace(claim, absence=DoubtCode.VALUE_UNREADABLE, phantom=True, details=details)
    live = next((policy for policy in snapshot.policies if policy.ref == claim.policy), None)
    if claim.absence is None and live and live.scope.containers and target.container not in live.scope.containers:
        details = (*claim.details, ("reason", "container-not-listed"), ("containers", ", ".join(live.scope.containers)))
        return replace(claim, absence=DoubtCode.POLICY_NO_LONGER_MATCHES, details=details)
    return claim
