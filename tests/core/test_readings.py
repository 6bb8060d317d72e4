"""A winner holds under every concrete reading of what is open, or the target is undetermined (docs/adr/0004).

The readings are enumerated by `tests/core/readings.py` and judged by the oracle, one world at a time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from kubectl_kubex.core.answer import Status, TargetSelection
from kubectl_kubex.core.doubts import DoubtCode
from tests.builders import ELEVEN, TEN, target_of
from tests.core.readings import FUTURE, GOOD, Claim, Live, OpenScene, open_scene, winners

LARGEST = 1_500
"""Scenes with more worlds are left out: they take the time of hundreds of others."""


def contradicts(scene: OpenScene) -> bool:
    return any(len(claim.possible_kinds) > 1 for claim in scene.claims)


def judged(seed: int, count: int, odd: float, *, contradicting: bool) -> Iterator[tuple[OpenScene, TargetSelection]]:
    rng = random.Random(seed)
    for _ in range(count):
        scene = open_scene(rng, odd)
        if contradicts(scene) is contradicting and scene.size() <= LARGEST:
            answer = scene.answer()
            if answer.targets:
                yield scene, target_of(answer)


def complain(scene: OpenScene, selection: TargetSelection) -> str | None:
    """What is wrong with a selection; None when each world agrees with it."""
    if selection.winner is None:
        return None
    keys, circle = winners(scene)
    if keys == {selection.winner.key} and not circle:
        return None
    return f"{selection.winner.key} selected, but {keys}, circle: {circle}: {scene}"


@pytest.mark.parametrize(("seed", "odd"), [(1, 0.05), (2, 0.13), (3, 0.3)], ids=["few-odd", "some-odd", "much-odd"])
def test_a_selected_winner_wins_in_every_world(seed: int, odd: float) -> None:
    """The worst fault, a confident wrong winner: none in thousands of scenes."""
    seen: Counter[Status] = Counter()
    for scene, selection in judged(seed, 2_500, odd, contradicting=False):
        seen[selection.status] += 1
        assert complain(scene, selection) is None
    assert min(seen[Status.SELECTED], seen[Status.UNDETERMINED]) > 300, seen


def test_a_selected_winner_wins_in_every_world_with_contradicting_payloads_too() -> None:
    wrong = [complain(*pair) for pair in judged(4, 6_000, 0.13, contradicting=True)]
    assert [complaint for complaint in wrong if complaint] == []


def test_an_undetermined_target_has_two_possible_winners_or_none() -> None:
    """Where each world agrees, the program says so too, but for the cases of `IMPRECISE`, which are rare."""
    imprecise: Counter[tuple[str, ...]] = Counter()
    undetermined = 0
    for scene, selection in judged(5, 6_000, 0.13, contradicting=False):
        if selection.status is Status.SELECTED:
            continue
        undetermined += 1
        assert selection.reasons
        keys, circle = winners(scene)
        valueless = {claim.key for claim in scene.claims if claim.value != GOOD}
        if len(keys) == 1 and not circle and not keys <= valueless:
            imprecise[tuple(sorted(reason.value for reason in selection.reasons))] += 1
    assert undetermined > 1_000
    assert sum(imprecise.values()) < 0.04 * undetermined, imprecise
    assert all(set(reasons) & IMPRECISE for reasons in imprecise), imprecise


IMPRECISE = {
    "value-unreadable",  # whether such a claim is exact is known, and yet read as open
    "created-unclear",  # nothing is older than a payload without a timestamp, and yet an unclear one might be
    "unknown-kind",  # two payloads of one unknown kind share its priority
}


def scene_of(*claims: Claim, **live: int) -> OpenScene:
    """Everything known and equal, but for what the claims say. `live`: policy name -> weight, for each kind said."""
    policies = {(c.kind, c.name): Live(live.get(c.name, 10)) for c in claims if c.kind != FUTURE}
    return OpenScene(claims, policies, {"StaticPolicy": (90,), "ProactivePolicy": (70,)})


def test_no_winner_while_the_type_may_be_the_payloads_unknown_one() -> None:
    """`policyKind: FuturePolicy` under `static.`: its rank is as unknown as that of any unlisted type."""
    future = Claim("new", FUTURE, "StaticPolicy", "A", weight=10)
    scene = scene_of(future, Claim("old", "ProactivePolicy", "ProactivePolicy", "A"))
    assert winners(scene)[0] == {claim.key for claim in scene.claims}
    selection = target_of(scene.answer())
    assert selection.status is Status.UNDETERMINED
    assert DoubtCode.KIND_CONTRADICTS_PREFIX in selection.reasons


def test_a_sole_payload_of_an_unknown_kind_under_a_known_prefix_says_so() -> None:
    selection = target_of(scene_of(Claim("new", FUTURE, "StaticPolicy", "A", weight=10)).answer())
    assert DoubtCode.KIND_CONTRADICTS_PREFIX in selection.doubts


def test_no_winner_while_the_other_kinds_policy_has_an_unknown_weight() -> None:
    """A payload under `static.` says ProactivePolicy. If the key is right, its policy is a StaticPolicy that is not
    there: of any weight, or gone."""
    odd = Claim("odd", "ProactivePolicy", "StaticPolicy", "A")
    plain = Claim("plain", "StaticPolicy", "StaticPolicy", "B")
    scene = OpenScene(
        (odd, plain),
        {("ProactivePolicy", "odd"): Live(20), ("StaticPolicy", "plain"): Live(10)},
        {"StaticPolicy": (90,), "ProactivePolicy": (90,)},
    )
    assert winners(scene)[0] == {odd.key, plain.key}
    assert target_of(scene.answer()).status is Status.UNDETERMINED


def test_two_payloads_that_name_one_policy_need_not_be_of_one_kind() -> None:
    """Both say ProactivePolicy one; the key of the first says StaticPolicy, which ranks higher."""
    odd = Claim("one", "ProactivePolicy", "StaticPolicy", "A", weight=10, times=(TEN,))
    plain = Claim("one", "ProactivePolicy", "ProactivePolicy", "A", weight=10, times=(TEN,))
    live = {("ProactivePolicy", "one"): Live(10), ("StaticPolicy", "one"): Live(10)}
    scene = OpenScene((odd, plain), live, {"StaticPolicy": (90,), "ProactivePolicy": (70,)})
    assert winners(scene)[0] == {odd.key, plain.key}
    assert target_of(scene.answer()).status is Status.UNDETERMINED


def test_a_stated_weight_may_have_changed_in_the_other_kinds_policy() -> None:
    """The payload says 10. So does the policy of the payload's kind; the policy of the key's kind weighs 20 by now."""
    odd = Claim("odd", "ProactivePolicy", "StaticPolicy", "B", weight=10)
    plain = Claim("plain", "StaticPolicy", "StaticPolicy", "A")
    live = {
        ("ProactivePolicy", "odd"): Live(10),
        ("StaticPolicy", "odd"): Live(20),
        ("StaticPolicy", "plain"): Live(15),
    }
    scene = OpenScene((odd, plain), live, {"StaticPolicy": (90,), "ProactivePolicy": (70,)})
    assert winners(scene)[0] == {odd.key, plain.key}
    assert target_of(scene.answer()).status is Status.UNDETERMINED


def test_an_older_winner_is_none_where_the_other_may_be_of_another_kind() -> None:
    """The payload under `cwproactive.` says ProactivePolicy. If so, the plain one wins by age; else it loses by key."""
    odd = Claim("odd", "ProactivePolicy", "ClusterProactivePolicy", "A", weight=10, times=(ELEVEN,))
    plain = Claim("plain", "ProactivePolicy", "ProactivePolicy", "A", times=(TEN,))
    kinds = ("ProactivePolicy", "ClusterProactivePolicy")
    live = {(kind, claim.name): Live(10) for kind in kinds for claim in (odd, plain)}
    scene = OpenScene((odd, plain), live, dict.fromkeys(kinds, (70,)))
    assert winners(scene)[0] == {odd.key, plain.key}
    selection = target_of(scene.answer())
    assert selection.status is Status.UNDETERMINED
    assert selection.reasons == (DoubtCode.KIND_CONTRADICTS_PREFIX,)
