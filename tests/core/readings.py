"""Scenes with open facts, and every concrete reading of them: what "determined" must mean, without the program's help.

A scene is described in words of the field (what a payload says, what the live object says, what may not be listed).
From one description come the raw objects, for the program, and the list of all concrete worlds, for the oracle. Where a
fact can be anything, values between and beyond all others stand for the infinitely many.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.kinds import GROUP
from kubectl_kubex.core.model import Gap
from tests import oracle
from tests.builders import (
    ELEVEN,
    NAMESPACE,
    PREFIXES,
    TEN,
    a_gap,
    answer_to,
    raw_policy,
    raw_precedence,
    raw_workload,
    rfc3339,
)

KINDS = ("StaticPolicy", "ProactivePolicy", "ClusterProactivePolicy")
FUTURE = "FuturePolicy"
PRIORITIES = (70, 90)
ANY_PRIORITY = (60, 70, 80, 90, 100)
WEIGHTS = (10, 20)
ANY_WEIGHT = (5, 10, 15, 20, 25)
ANY_TIME = (None, TEN - timedelta(1), TEN, TEN + timedelta(minutes=30), ELEVEN, ELEVEN + timedelta(1))
GOOD = "100m"


@dataclass(frozen=True)
class Live:
    """A live policy object. One that makes no sense may match or not, and may have any weight."""

    weight: int
    matches: bool = True
    makes_sense: bool = True

    @property
    def scope(self) -> dict[str, Any]:
        if not self.makes_sense:
            return {"workloadTypes": "Deployment"}
        return {} if self.matches else {"labelSelector": {"matchLabels": {"app": "other"}}}


@dataclass(frozen=True)
class Claim:
    """One annotation. `kind`: what the payload says; `prefix_kind`: what the key's prefix stands for. `fixed`: a bare
    payload under the kind's fixed key, which names no policy.
    """

    name: str
    kind: str
    prefix_kind: str
    digest: str
    weight: int | None = None
    exact: bool = True
    times: tuple[datetime | str, ...] = ()
    readable: bool = True
    value: str = GOOD
    fixed: bool = False

    @property
    def key(self) -> str:
        prefix = PREFIXES.get(self.prefix_kind, "future")
        return f"{prefix}.{GROUP}/{'' if self.fixed else f'h{self.digest}-'}desired-resource-requests"

    @property
    def payload(self) -> str:
        if not self.readable:
            return "{"
        containers = {"app" if self.exact else "*": {"cpu": self.value}}
        if self.fixed:
            return json.dumps(containers)
        fields = ("creationTimestamp", "createdAt")
        times = {f: t if isinstance(t, str) else rfc3339(t) for f, t in zip(fields, self.times, strict=False)}
        weight = {} if self.weight is None else {"weight": self.weight}
        identity = {"policyKind": self.kind, "policyName": self.name, "policyNamespace": NAMESPACE}
        return json.dumps({**identity, **times, **weight, "containers": containers})

    @property
    def possible_kinds(self) -> tuple[str, ...]:
        """The payload's own word or, where the key contradicts it, either. An unreadable one has the key's only."""
        if not self.readable:
            return (self.prefix_kind,)
        if self.prefix_kind == FUTURE:
            return (self.kind,)
        return tuple(dict.fromkeys((self.kind, self.prefix_kind)))

    @property
    def possible_times(self) -> tuple[datetime | None, ...]:
        if not self.readable or any(isinstance(time, str) for time in self.times):
            return ANY_TIME
        return tuple(dict.fromkeys(time for time in self.times if isinstance(time, datetime))) or (None,)


@dataclass(frozen=True)
class OpenScene:
    """`priorities`: what the precedence lists for a type, in order; a type that is left out is unlisted. None: there is
    no singleton. `hidden`: kinds that may not be listed."""

    claims: tuple[Claim, ...]
    live: Mapping[tuple[str, str], Live]
    priorities: Mapping[str, tuple[int, ...]] | None
    hidden: frozenset[str] = field(default_factory=frozenset)

    def answer(self) -> Answer:
        """What the program says."""
        workload = raw_workload({claim.key: claim.payload for claim in self.claims}, labels={"app": "web"})
        gaps: list[Gap] = [a_gap(kind) for kind in sorted(self.hidden)]
        objects = []
        for (kind, name), live in self.live.items():
            objects.append(raw_policy(kind, name, weight=live.weight, scope=live.scope))
        if self.priorities is None:
            gaps.append(a_gap("PolicyEvaluation"))
        else:
            listed = [(kind, priority) for kind, values in self.priorities.items() for priority in values]
            objects.append(raw_precedence(*listed) if listed else {**raw_precedence(), "spec": {"precedence": []}})
        return answer_to(workload, *objects, gaps=gaps)

    def worlds(self) -> Iterator[list[oracle.Candidate]]:
        """Every concrete reading: the candidates that compete in it, with concrete facts."""
        kinds = self._kinds()
        for priorities in itertools.product(*(self._priorities(kind) for kind in kinds)):
            of_kind = dict(zip(kinds, priorities, strict=True))
            for competing in itertools.product(*(list(self._readings(claim)) for claim in self.claims)):
                if self._is_consistent(competing):
                    yield [c._replace(priority=of_kind[c.kind]) for c in competing if c is not None]

    def size(self) -> int:
        """How many worlds there are."""
        count = 1
        for kind in self._kinds():
            count *= len(self._priorities(kind))
        for claim in self.claims:
            count *= len(list(self._readings(claim)))
        return count

    def _is_consistent(self, competing: tuple[oracle.Candidate | None, ...]) -> bool:
        """One policy has one weight, and whether its payloads or its live object count is one answer too."""
        seen: dict[tuple[str, str, int | None], int] = {}
        for claim, candidate in zip(self.claims, competing, strict=True):
            if candidate is not None and claim.readable and not claim.fixed:
                policy = (candidate.kind, claim.name, claim.weight)
                if seen.setdefault(policy, candidate.weight) != candidate.weight:
                    return False
        return True

    def _kinds(self) -> list[str]:
        return sorted({kind for claim in self.claims for kind in claim.possible_kinds})

    def _priorities(self, kind: str) -> tuple[int, ...]:
        listed = () if self.priorities is None else self.priorities.get(kind, ())
        return tuple(dict.fromkeys(listed)) or ANY_PRIORITY

    def _readings(self, claim: Claim) -> Iterator[oracle.Candidate | None]:
        """The claim's concrete forms; None for not competing. Priority is filled in later: it is the kind's."""
        if self._may_be_absent(claim):
            yield None
        for kind in claim.possible_kinds:
            forms = (claim.exact,) if claim.readable else (True, False)
            for weight, time, exact in itertools.product(self._weights(claim, kind), claim.possible_times, forms):
                yield oracle.Candidate(kind, 0, weight, exact, time, claim.key)

    def _policy(self, claim: Claim, kind: str) -> Live | None:
        return None if kind in self.hidden else self.live.get((kind, claim.name))

    def _may_be_absent(self, claim: Claim) -> bool:
        if not claim.readable or claim.value != GOOD:
            return True
        if claim.fixed:
            return claim.kind in self.hidden or not self._matching(claim.kind)
        behind = [self._policy(claim, kind) for kind in claim.possible_kinds if kind != FUTURE]
        return not all(live and live.matches and live.makes_sense for live in behind)

    def _matching(self, kind: str) -> list[Live]:
        """The visible policies of a kind that surely match."""
        return [live for (of, _), live in self.live.items() if of == kind and live.matches and live.makes_sense]

    def _weights(self, claim: Claim, kind: str) -> tuple[int, ...]:
        """The payload's word and the live object's: either, where they differ; anything, where neither is there. Behind
        a fixed key stands the heaviest policy of the kind.
        """
        if claim.fixed and claim.readable:
            open_ = kind in self.hidden or any(
                not live.makes_sense for (of, _), live in self.live.items() if of == kind
            )
            weights = {live.weight for live in self._matching(kind)}
            return ANY_WEIGHT if open_ or not weights else (max(weights),)
        live = self._policy(claim, kind)
        if live is not None and not live.makes_sense:
            live = None
        said = [weight for weight in (claim.weight, live.weight if live else None) if weight is not None]
        return tuple(dict.fromkeys(said)) if said and claim.readable else ANY_WEIGHT


def winners(scene: OpenScene) -> tuple[set[str], bool]:
    """The keys that win in some world where anything competes, and whether some world has no winner at all because its
    rules lead around in a circle."""
    keys: set[str] = set()
    circle = False
    for world in scene.worlds():
        winner = oracle.oracle_winner(world)
        if winner is not None:
            keys.add(winner.key)
        elif world:
            circle = True
    return keys, circle


def open_scene(rng: random.Random, odd: float = 0.13, most: int = 3) -> OpenScene:
    """1 to `most` claims; each fact is open with probability `odd` or a part of it."""
    listed: dict[str, tuple[int, ...]] = {}
    for kind in KINDS:
        roll = rng.random()
        if roll >= odd / 2:
            listed[kind] = tuple(rng.choice(PRIORITIES) for _ in range(2 if roll < odd else 1))
    claims = tuple(_claim(rng, odd, digest) for digest in rng.sample("ABab", rng.randint(1, most)))
    claims = tuple({claim.key: claim for claim in claims}.values())
    live = {
        (kind, claim.name): Live(rng.choice(WEIGHTS), rng.random() >= odd / 3, rng.random() >= odd / 4)
        for claim in claims
        for kind in claim.possible_kinds
        if kind != FUTURE and rng.random() >= odd / 2
    }
    hidden = frozenset(kind for kind in KINDS if rng.random() < odd / 3)
    live = {ref: policy for ref, policy in live.items() if ref[0] not in hidden}
    return OpenScene(claims, live, None if rng.random() < odd / 3 else listed, hidden)


def _claim(rng: random.Random, odd: float, digest: str) -> Claim:
    kind = rng.choice(KINDS) if rng.random() >= odd / 4 else FUTURE
    times: tuple[datetime | str, ...] = rng.choice(((), (TEN,), (ELEVEN,)))
    if rng.random() < odd / 2:
        times = rng.choice((("soon",), (TEN, ELEVEN)))
    fixed = kind != FUTURE and rng.random() < 0.25
    return Claim(
        rng.choice(("one", "two", f"own-{ord(digest)}")),
        kind,
        rng.choice((*KINDS, FUTURE)) if rng.random() < odd and not fixed else kind,
        digest,
        weight=rng.choice(WEIGHTS) if rng.random() < odd and not fixed else None,
        exact=rng.random() < 0.7,
        times=() if fixed else times,
        fixed=fixed,
        readable=rng.random() >= odd / 3,
        value=GOOD if rng.random() >= odd / 3 else "lots",
    )
