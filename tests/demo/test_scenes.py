"""Each scene of the demo: winner and deciding rule, or why there is none, through the codec and selection."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from kubectl_kubex.codec.snapshot import WHY_KINDS, snapshot_of
from kubectl_kubex.core.answer import Answer, TargetSelection
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import KINDS
from kubectl_kubex.core.ranking import ONLY_CANDIDATE, RULES
from kubectl_kubex.core.recommendation import Form
from kubectl_kubex.core.selection import select
from kubectl_kubex.offline import DemoSource

from ..offline.raw import ask, subject_of

DEMO = DemoSource()

# workload, target -> policy, value, rule and both its values
WINNERS: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {
    ("shop", "deployment/web"): {
        "app/requests/cpu": ("ProactivePolicy web-sizing", "250m", "weight", "50", "0"),
        "app/requests/memory": ("ProactivePolicy web-sizing", "384Mi", "weight", "50", "0"),
        "app/limits/memory": ("StaticPolicy shop-baseline", "512Mi", "priority", "90", "70"),
        "proxy/requests/cpu": ("ClusterProactivePolicy fleet", "60m", ONLY_CANDIDATE),
        "proxy/limits/memory": ("StaticPolicy web-proxy", "128Mi", "exact-target", "exact", '"*"'),
    },
    ("shop", "cronjob/nightly-report"): {
        "report/requests/cpu": ("ClusterProactivePolicy fleet", "750m", ONLY_CANDIDATE),
        "report/requests/memory": ("ClusterProactivePolicy fleet", "1536Mi", ONLY_CANDIDATE),
    },
    ("shop", "rollout/storefront"): {
        "app/limits/memory": ("ClusterProactivePolicy fleet", "768Mi", ONLY_CANDIDATE),
    },
    ("backend", "deployment/catalog"): {
        "app/requests/cpu": (
            "ProactivePolicy catalog-a", "200m", "older", "2026-06-15T10:00:00Z", "2026-06-15T11:00:00Z",
        ),
        "app/requests/memory": (
            "ProactivePolicy catalog-a", "512Mi", "older", "2026-06-15T10:00:00Z", "2026-06-15T11:00:00Z",
        ),
        "app/limits/memory": ("ProactivePolicy catalog-c", "1Gi", "older", "none", "2026-06-15T11:00:00Z"),
        "log-shipper/requests/cpu": ("ClusterProactivePolicy fleet", "20m", ONLY_CANDIDATE),
        "log-shipper/requests/memory": ("ClusterProactivePolicy fleet", "48Mi", ONLY_CANDIDATE),
    },
    ("backend", "statefulset/cart"): {
        "redis/requests/memory": ("ClusterStaticPolicy stateful-floor", "512Mi", "annotation-key"),
        "redis/limits/memory": ("ClusterStaticPolicy stateful-floor", "768Mi", "annotation-key"),
    },
    ("backend", "daemonset/edge-cache"): {
        "nginx/requests/cpu": ("ClusterProactivePolicy fleet", "80m", ONLY_CANDIDATE),
        "nginx/requests/memory": ("StaticPolicy edge-floor", "192Mi", "priority", "90", "70"),
    },
    ("payments", "deployment/checkout"): {
        "app/requests/cpu": ("RollbackPolicy checkout-rollback", "300m", "priority", "130", "90"),
        "app/requests/memory": ("RollbackPolicy checkout-rollback", "1Gi", "priority", "130", "90"),
    },
    ("orders", "deployment/orders"): {
        "app/requests/cpu": ("ProactivePolicy orders-sizing", "600m", ONLY_CANDIDATE),
        "app/requests/memory": ("ProactivePolicy orders-sizing", "524Mi", ONLY_CANDIDATE),
        "app/limits/memory": ("ProactivePolicy orders-sizing", "2Gi", ONLY_CANDIDATE),
        "worker/requests/cpu": ("ProactivePolicy orders-sizing", "150m", ONLY_CANDIDATE),
    },
    ("orders", "deployment/returns"): {
        "app/requests/cpu": ("StaticPolicy returns-floor", "200m", ONLY_CANDIDATE),
    },
    ("ml", "deployment/recommender"): {
        "server/requests/gpu": ("GpuReactivePolicy recommender-gpu", "0.5", "priority", "120", "90"),
        "server/requests/cpu": ("ClusterProactivePolicy fleet", "2", ONLY_CANDIDATE),
        "server/requests/memory": ("ClusterProactivePolicy fleet", "6Gi", ONLY_CANDIDATE),
    },
}  # fmt: skip

# workload, target -> why undetermined, and who would win if assumed as the doubts tell
UNDETERMINED: dict[tuple[str, str], dict[str, tuple[tuple[DoubtCode, ...], str | None]]] = {
    ("shop", "rollout/storefront"): {
        "app/requests/cpu": ((DoubtCode.POLICY_GONE,), "black-friday"),
        "app/requests/memory": ((DoubtCode.POLICY_NO_LONGER_MATCHES,), "web-sizing"),
    },
    ("payments", "deployment/ledger"): {
        "ledger/requests/cpu": ((DoubtCode.TYPE_DUPLICATED,), "ledger-floor"),
        "ledger/requests/memory": ((DoubtCode.WEIGHT_CHANGED,), "ledger-b"),
        "ledger/limits/memory": ((DoubtCode.CREATED_UNCLEAR,), "ledger-b"),
        "exporter/requests/cpu": ((DoubtCode.VALUE_UNREADABLE,), "fleet"),
    },
    ("payments", "deployment/fraud"): {
        "scorer/requests/cpu": ((DoubtCode.PAYLOAD_UNREADABLE,), "fleet"),
        "scorer/requests/memory": ((DoubtCode.PAYLOAD_UNREADABLE,), "fleet"),
        "scorer/limits/memory": ((DoubtCode.UNKNOWN_KIND, DoubtCode.WEIGHT_UNKNOWN), None),
    },
    ("payments", "statefulset/settlement"): {
        "batch/requests/cpu": ((DoubtCode.KIND_CONTRADICTS_PREFIX, DoubtCode.CYCLIC_ORDER), None),
        "batch/limits/memory": ((DoubtCode.KIND_CONTRADICTS_PREFIX,), "settlement-new"),
    },
    ("ml", "deployment/vision"): {
        "detector/requests/gpu": ((DoubtCode.TYPE_UNLISTED,), "gpu-default"),
        "embedder/requests/gpu": ((DoubtCode.LEGACY_PREFIX,), "gpu-default"),
    },
}
SCENES = sorted({*WINNERS, *UNDETERMINED})
HOOKS = {
    ("backend", "daemonset/edge-cache"): {
        "PodAffinityPolicy": "near-the-cache",
        "ClusterCompactionPolicy": "overnight",
    },
    ("payments", "deployment/checkout"): {"ContainerArgsPolicy": "jvm-flags-canary"},
}


def answer_of(namespace: str, word: str) -> Answer:
    gathered = ask(DEMO, word, namespace=namespace)
    return select(snapshot_of(subject_of(DEMO, word, namespace), gathered))


ANSWERS = {scene: answer_of(*scene) for scene in SCENES}


def told(selection: TargetSelection) -> tuple[str, ...]:
    winner, decision = selection.winner, selection.decided_by
    assert winner is not None
    policy = f"{winner.policy.kind} {winner.policy.name}"
    if decision is None:
        return policy, str(winner.value), ONLY_CANDIDATE
    return policy, str(winner.value), decision.rule.code, *decision.values


@pytest.mark.parametrize("scene", SCENES, ids="/".join)
def test_the_targets_are_those_of_the_scene(scene: tuple[str, str]) -> None:
    expected = {*WINNERS.get(scene, {}), *UNDETERMINED.get(scene, {})}
    assert {str(selection.target) for selection in ANSWERS[scene].targets} == expected


@pytest.mark.parametrize("scene", WINNERS, ids="/".join)
def test_winners(scene: tuple[str, str]) -> None:
    for selection in ANSWERS[scene].targets:
        expected = WINNERS[scene].get(str(selection.target))
        if expected is not None:
            assert told(selection)[: len(expected)] == expected
            assert selection.reasons == ()


@pytest.mark.parametrize("scene", UNDETERMINED, ids="/".join)
def test_undetermined(scene: tuple[str, str]) -> None:
    for selection in ANSWERS[scene].targets:
        expected = UNDETERMINED[scene].get(str(selection.target))
        if expected is not None:
            conditional = selection.conditional
            assert selection.winner is None
            assert (selection.reasons, conditional.winner.policy.name if conditional else None) == expected


@pytest.mark.parametrize("scene", SCENES, ids="/".join)
def test_hooks(scene: tuple[str, str]) -> None:
    found = {hook.kind: hook.winner.name if hook.winner else None for hook in ANSWERS[scene].hooks}
    assert found == HOOKS.get(scene, {})


def test_all_workloads_are_scenes() -> None:
    found = DEMO.workloads(None)
    metadata = [(raw["metadata"], raw["kind"].lower()) for raw in found.workloads if raw["kind"] != "Job"]
    assert sorted((each["namespace"], f"{kind}/{each['name']}") for each, kind in metadata) == SCENES
    assert found.gaps == ()


def test_the_main_scene_leaves_nothing_open() -> None:
    answer = ANSWERS["shop", "deployment/web"]
    assert answer.doubts == ()
    assert not answer.is_partial
    assert [(applied.value, applied.pods) for applied in answer.targets[0].applied or ()] == [("250m", 2), ("400m", 1)]
    assert all(len(selection.applied or ()) == 1 for selection in answer.targets[1:])
    assert len({told(selection)[0] for selection in answer.targets}) == 4


def test_every_rule_decides_somewhere() -> None:
    decided = {expected[2] for scene in WINNERS.values() for expected in scene.values()}
    assert decided == {ONLY_CANDIDATE, *(rule.code for rule in RULES)}


def test_both_forms_and_every_kind_are_there() -> None:
    snapshots = [answer.snapshot for answer in ANSWERS.values()]
    forms = {(found.form, found.digest is None) for snapshot in snapshots for found in snapshot.recommendations}
    assert {(Form.BARE, True), (Form.ENVELOPE, False), (Form.UNREADABLE, False)} <= forms
    gathered = DEMO.gather([], "shop", [kind.name for kind in KINDS], all_namespaces=True)
    assert {kind for kind, found in gathered.objects.by_kind.items() if found} == {kind.name for kind in KINDS}
    assert gathered.objects.gaps == ()


@pytest.mark.parametrize("code", [DoubtCode.POD_COPY_DIFFERS, DoubtCode.OWNER_INFERRED, DoubtCode.CROSS_KIND_MIX])
def test_quiet_facts_are_shown_too(code: DoubtCode) -> None:
    assert any(doubt.code is code for answer in ANSWERS.values() for doubt in answer.doubts)


@pytest.mark.parametrize("word", ["job/nightly-report-29406420", "pod/nightly-report-29406420-m4x9k", "nightly-report"])
def test_the_cron_job_is_reached_from_below(word: str) -> None:
    assert subject_of(DEMO, word, "shop").workload["kind"] == "CronJob"


def test_a_fraction_of_a_gpu_is_applied() -> None:
    (found,) = (one for one in ANSWERS["ml", "deployment/recommender"].targets if one.target.resource == "gpu")
    assert [(applied.value, applied.pods) for applied in found.applied or ()] == [("0.5", 1)]


def test_where_and_when_it_is() -> None:
    assert DEMO.namespace == "shop"
    assert DemoSource("ml").namespace == "ml"
    source = ask(DEMO, "web").source
    assert (source.context, source.offline, source.captured_at) == ("demo", True, "2026-11-30T09:00:00Z")
    assert source.inputs == ("demo",)


@pytest.mark.parametrize("kind", WHY_KINDS)
@pytest.mark.parametrize("scene", SCENES, ids="/".join)
def test_a_kind_taken_away_never_makes_another_winner(scene: tuple[str, str], kind: str) -> None:
    """The answer without the objects of one kind is the same, or undetermined."""
    namespace, word = scene
    gathered = ask(DEMO, word, namespace=namespace, kinds=[name for name in WHY_KINDS if name != kind])
    without = withheld(kind)
    snapshot = snapshot_of(subject_of(DEMO, word, namespace), ask(without, word, namespace=namespace))
    assert kind in {gap.kind for gap in snapshot.gaps}
    before = {selection.target: selection.winner for selection in ANSWERS[scene].targets}
    for selection in select(snapshot).targets:
        known = before[selection.target]
        if selection.winner is not None:
            assert known is not None
            assert (selection.winner.key, selection.winner.value) == (known.key, known.value)
    assert gathered.objects.gaps == ()


def withheld(kind: str) -> DemoSource:
    """The demo without the objects of one kind."""
    source = DemoSource()
    store = source._store
    for identity in [identity for identity in store.objects if identity.kind == kind]:
        del store.objects[identity]
    store.coverage.kinds.discard(kind)
    return source


README = (files("kubectl_kubex") / "demo" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("scene", SCENES, ids="/".join)
def test_the_readme_has_the_scene(scene: tuple[str, str]) -> None:
    rows = [row for row in README.splitlines() if row.startswith(f"| {scene[0]} {scene[1]} ")]
    assert len(rows) == (scene in WINNERS) + (scene in UNDETERMINED)


def test_the_readme_names_every_winner() -> None:
    for scene in WINNERS.values():
        for policy, value, *_ in scene.values():
            assert re.search(rf"{policy}(, {re.escape(value)})? \|", README), policy
