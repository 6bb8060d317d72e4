"""The published order of policies, written down a second time and in the plainest way.

This module was written from the "Policy Evaluation Reference" page alone and before its author had read the
program's own ranking.  It imports nothing of the program, so that an error has to be made twice to stay unseen.
The sentences in quotes are the page's.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

PRIORITY = "priority"
WEIGHT = "weight"
TARGET = "target"
AGE = "age"
KEY = "key"
SOLE = "sole"


class Candidate(NamedTuple):
    """One policy's recommendation for one target, with everything the page says that matters."""

    kind: str
    priority: int
    weight: int
    exact: bool
    created: datetime | None
    key: str


def better_of(one: Candidate, other: Candidate) -> tuple[Candidate, str]:
    """Which of two candidates the page prefers, and by which of its sentences."""
    # "Higher priority values win."
    if one.priority > other.priority:
        return one, PRIORITY
    if other.priority > one.priority:
        return other, PRIORITY
    # "Within the same priority, the policy with the highest weight wins."
    if one.weight > other.weight:
        return one, WEIGHT
    if other.weight > one.weight:
        return other, WEIGHT
    # "For a resource, an exact container target wins over the wildcard target "*"."
    if one.exact and not other.exact:
        return one, TARGET
    if other.exact and not one.exact:
        return other, TARGET
    # "If those values are equal, the older policy wins only when both recommendations come from the same policy
    # kind."  "Legacy payloads without a timestamp rank as older than timestamped payloads."
    if one.kind == other.kind:
        if one.created is None and other.created is not None:
            return one, AGE
        if other.created is None and one.created is not None:
            return other, AGE
        if one.created is not None and other.created is not None:
            if one.created < other.created:
                return one, AGE
            if other.created < one.created:
                return other, AGE
    # "The annotation key breaks all remaining ties, with the lexically smaller key winning."
    if one.key < other.key:
        return one, KEY
    if other.key < one.key:
        return other, KEY
    raise ValueError(f"two candidates under one annotation key: {one.key}")


def beats_every_other(candidate: Candidate, candidates: Sequence[Candidate]) -> bool:
    """Whether the page prefers this candidate to each of the others."""
    for other in candidates:
        if other is candidate:
            continue
        if better_of(candidate, other)[0] is not candidate:
            return False
    return True


def oracle_order(candidates: Sequence[Candidate]) -> list[Candidate] | None:
    """The candidates, best first; None where the page's sentences lead around in a circle."""
    left = list(candidates)
    order: list[Candidate] = []
    while left:
        best = [candidate for candidate in left if beats_every_other(candidate, left)]
        if not best:
            return None
        order.append(best[0])
        left.remove(best[0])
    return order


def oracle_winner(candidates: Sequence[Candidate]) -> Candidate | None:
    """The candidate that the page prefers to each other one; None where there is no such candidate."""
    for candidate in candidates:
        if beats_every_other(candidate, candidates):
            return candidate
    return None


def oracle_winner_and_rule(candidates: Sequence[Candidate]) -> tuple[Candidate, str] | None:
    """The winner and the rule by which it beats the runner-up (the best of the others).

    None where no candidate beats each other one, or where the others lead around in a circle.
    """
    order = oracle_order(candidates)
    if order is None:
        return None
    if len(order) == 1:
        return order[0], SOLE
    return order[0], better_of(order[0], order[1])[1]
