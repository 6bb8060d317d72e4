"""Rights taken away one by one never give another winner (the offline half is tests/test_withheld_facts.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from kubectl_kubex.core.kinds import BY_NAME, GROUP
from tests import withheld
from tests.apiserver.load import load
from tests.apiserver.rights import rule
from tests.apiserver.server import ApiServer
from tests.cluster.plugin import document, run
from tests.withheld import NAMESPACE, WITHHELD, assert_same_or_undetermined

USER = "narrow-0"


@pytest.fixture(scope="module")
def scene(api_server: ApiServer) -> Iterator[ApiServer]:
    api_server.reset()
    workloads = [withheld.hashed_scene(), withheld.fixed_scene()]
    pods = [_labelled(pod, workload) for workload in workloads for pod in withheld.scene_pods(workload)]
    for workload in workloads:
        labels = workload["metadata"]["labels"]
        workload["spec"]["selector"] = {"matchLabels": labels}
        workload["spec"]["template"]["metadata"] = {"labels": labels}
    load(api_server, [*withheld.scene_singletons(), *withheld.scene_policies(), *workloads, *pods])
    yield api_server
    api_server.reset()


def _labelled(pod: dict[str, Any], workload: dict[str, Any]) -> dict[str, Any]:
    """The pod, selected by its workload."""
    return {**pod, "metadata": {**pod["metadata"], "labels": workload["metadata"]["labels"]}}


def all_but(kind: str) -> Sequence[dict[str, Any]]:
    """Rules that let a user read all of the question but one kind."""
    engine = " ".join(row.plural for row in BY_NAME.values() if row.name != kind)
    core = [] if kind == "Pod" else [rule("get list", "pods")]
    return [*core, rule("get list", "deployments replicasets", "apps"), rule("get list", engine, GROUP)]


@pytest.mark.parametrize("workload", ["deployment/checkout", "deployment/legacy"])
@pytest.mark.parametrize("kind", WITHHELD)
def test_a_right_taken_away_never_gives_another_winner(scene: ApiServer, kind: str, workload: str) -> None:
    scene.revoke(USER)
    scene.grant(USER, all_but(kind))
    full = document(scene, "why", workload, "-n", NAMESPACE)
    partial = document(scene, "why", workload, "-n", NAMESPACE, user=USER)
    assert_same_or_undetermined(full, partial, withheld=[kind])


def test_no_rights_at_all(scene: ApiServer) -> None:
    """One line that says what is missing, and nothing else."""
    finished = run(scene, "why", "deployment/checkout", "-n", NAMESPACE, user="nobody")
    assert finished.returncode == 3
    assert finished.stdout == ""
    (line,) = finished.stderr.splitlines()
    assert line.startswith("Error from server (Forbidden): ")
    assert "deployments" in line


def test_only_the_workload_may_be_read(scene: ApiServer) -> None:
    """Everything else is a doubt; sole candidates still have their winner."""
    scene.revoke(USER)
    scene.grant(USER, [rule("get list", "deployments replicasets", "apps")])
    full = document(scene, "why", "deployment/checkout", "-n", NAMESPACE)
    partial = document(scene, "why", "deployment/checkout", "-n", NAMESPACE, user=USER)
    assert_same_or_undetermined(full, partial, withheld=WITHHELD)
