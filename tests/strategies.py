"""Generated scenes: small alphabets, so that ties are common and every rule gets to decide.

`scene` draws from a `random.Random`, for tests that want many thousands of scenes in a second. The strategies are for
hypothesis, which shrinks what it finds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from kubectl_kubex.core.candidate import Candidate
from tests import oracle
from tests.builders import ELEVEN, NOON, TEN, a_candidate, fixed_key, hashed_key

KINDS = ("StaticPolicy", "ClusterStaticPolicy", "ProactivePolicy", "ClusterProactivePolicy")
PRIORITIES = (0, 70, 90)
WEIGHTS = (0, 1, 2)
TIMES = (None, TEN, ELEVEN, NOON)
DIGESTS = ("A", "B", "Z", "a", "b", "-", "_", "0", "9x", None)
"""Digests whose order by bytes, by case and by locale differs. None: the fixed key."""

RULE_CODES = {
    oracle.PRIORITY: "priority",
    oracle.WEIGHT: "weight",
    oracle.TARGET: "exact-target",
    oracle.AGE: "older",
    oracle.KEY: "annotation-key",
    oracle.SOLE: "only-candidate",
}
"""What the program calls the oracle's rules."""

Scene = list[oracle.Candidate]


def key_of(kind: str, digest: str | None) -> str:
    return fixed_key(kind) if digest is None else hashed_key(kind, digest)


def core_of(claim: oracle.Candidate) -> Candidate:
    """The oracle's candidate as the program's."""
    return a_candidate(
        claim.kind,
        key=claim.key,
        priority=claim.priority,
        weight=claim.weight,
        exact=claim.exact,
        created=claim.created,
    )


def core_scene(scene: Sequence[oracle.Candidate]) -> list[Candidate]:
    return [core_of(claim) for claim in scene]


def _scene(pick: Callable[[Sequence[Any]], Any], size: int) -> Scene:
    priorities = {kind: pick(PRIORITIES) for kind in KINDS}
    found: dict[tuple[str, bool], oracle.Candidate] = {}
    for _ in range(size):
        kind = pick(KINDS)
        key, exact = key_of(kind, pick(DIGESTS)), pick((True, False))
        # One payload may name the container and `*`; both claims are then of one policy, with its weight and age.
        twin = found.get((key, not exact))
        weight, created = (twin.weight, twin.created) if twin else (pick(WEIGHTS), pick(TIMES))
        found[key, exact] = oracle.Candidate(kind, priorities[kind], weight, exact, created, key)
    return list(found.values())


def scene(rng: random.Random, most: int = 5) -> Scene:
    """1 to `most` claims on one target, every kind's keys under its own prefix."""
    return _scene(rng.choice, rng.randint(1, most))


@st.composite
def scenes(draw: st.DrawFn, least: int = 1, most: int = 5) -> Scene:
    """As `scene`, but shrinkable."""
    size = draw(st.integers(least, most))
    found = _scene(lambda choices: draw(st.sampled_from(choices)), size)
    assume(len(found) >= least)
    return found


@st.composite
def contradicting_scenes(draw: st.DrawFn) -> Scene:
    """Claims whose kind may contradict the key's prefix."""
    prefixes = st.sampled_from(KINDS)
    return [
        claim._replace(key=key_of(draw(prefixes), f"{index}{claim.weight}"))
        for index, claim in enumerate(draw(scenes()))
    ]


def zones() -> st.SearchStrategy[timezone]:
    """Time zones, odd ones too."""
    return st.builds(lambda minutes: timezone(timedelta(minutes=minutes)), st.integers(-14 * 60, 14 * 60))


def moved(claim: oracle.Candidate, change: Callable[[datetime], datetime]) -> oracle.Candidate:
    return claim if claim.created is None else claim._replace(created=change(claim.created))


def json_values(leaves: int = 12) -> st.SearchStrategy[Any]:
    """Any JSON value, with the words of the field among its names so that it gets past the first check."""
    names = st.sampled_from(
        [
            "apiVersion", "kind", "metadata", "name", "namespace", "labels", "annotations", "spec", "status",
            "scope", "weight", "precedence", "type", "priority", "containers", "cpu", "memory", "requests", "limits",
            "resources", "namespaceSelector", "labelSelector", "matchLabels", "matchExpressions", "operator",
            "values", "key", "workloadTypes", "template", "initContainers", "containerStatuses", "creationTimestamp",
            "policyKind", "policyName", "policyNamespace", "*", "app", "automationStrategyRef", "managedFields",
            "manager", "phase",
        ]
    ) | st.text(max_size=5)  # fmt: skip
    scalars = (
        st.none()
        | st.booleans()
        | st.integers(-(2**70), 2**70)
        | st.floats(allow_nan=True)
        | st.text(max_size=8)
        | st.sampled_from(["In", "NotIn", "Exists", "*", "100m", "1Gi", "StaticPolicy", "policy-evaluation", "web"])
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
        max_leaves=leaves,
    )
