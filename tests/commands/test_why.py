"""`why`, from its words to its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.builders import answer_to, hashed_key, raw_pod, raw_policy, raw_precedence, raw_workload
from tests.builders import envelope as payload

from .running import documents, run

DEMO = ("-n", "shop", "--demo")
WEB = "deployment/web: 4 policies win all 5 targets\n"


@pytest.mark.parametrize(
    "words",
    [
        ["deployment/web"],
        ["deploy/web"],
        ["Deployments/web"],
        ["deployment.apps/web"],
        ["deployments.v1.apps/web"],
        ["deploy", "web"],
        ["web"],
    ],
)
def test_a_workload_is_named_as_for_kubectl(words: list[str]) -> None:
    result = run("why", *words, *DEMO)
    assert result.stdout.startswith(WEB)
    assert (result.stderr, result.exit_code) == ("", 0)


def test_a_pod_stands_for_its_owner() -> None:
    pod = next(name for name in POD_NAMES if name.startswith("web-"))
    assert run("why", f"pod/{pod}", *DEMO).stdout.startswith(WEB)


POD_NAMES = [
    document["metadata"]["name"]
    for document in yaml.safe_load_all(Path("kubectl_kubex/demo/shop.yaml").read_text(encoding="utf-8"))
    if document and document["kind"] == "Pod"
]


@pytest.mark.parametrize(
    "words", [["why", "web", *DEMO], [*DEMO, "why", "web"], ["-n", "shop", "why", "--demo", "web"]]
)
def test_options_stand_anywhere_behind_the_plugins_name(words: list[str]) -> None:
    assert run(*words).stdout.startswith(WEB)


def test_what_stands_later_counts() -> None:
    assert run("-n", "backend", "why", "web", "-n", "shop", "--demo").exit_code == 0


def test_several_are_one_list() -> None:
    found = documents("why", "deploy/web", "rollout/storefront", *DEMO)
    assert found["kind"] == "WhyResultList"
    assert [item["workload"]["name"] for item in found["items"]] == ["web", "storefront"]


def test_one_named_twice_is_answered_once() -> None:
    assert run("why", "deploy/web", "web", *DEMO).stdout.count("deployment/web:") == 1


@pytest.mark.parametrize("output", ["table", "wide", "tree", "name", "json", "yaml", "jsonpath={.kind}",
                                    "custom-columns=C:.container"])  # fmt: skip
def test_exit_codes_are_the_same_for_every_form(output: str) -> None:
    assert run("why", "deploy/web", *DEMO, "-o", output).exit_code == 0
    assert run("why", "rollout/storefront", *DEMO, "-o", output).exit_code == 5
    assert run("why", "deploy/web", "deploy/nobody", *DEMO, "-o", output).exit_code == 3
    assert run("why", "deploy/nobody", *DEMO, "-o", output).exit_code == 3


def test_one_that_is_missing_leaves_the_others() -> None:
    result = run("why", "deploy/nobody", "deploy/web", *DEMO)
    assert result.stdout.startswith(WEB)
    assert result.stderr == 'error: deployments.apps "nobody" not found in namespace "shop" of the demo\n'


def test_all_that_are_missing_are_named() -> None:
    result = run("why", "deploy/a", "sts/b", *DEMO)
    assert result.stdout == ""
    assert sorted(line.split('"')[1] for line in result.stderr.splitlines()) == ["a", "b"]


@pytest.mark.parametrize(
    ("pattern", "containers"),
    [
        ("app/requests/cpu", ["app"]),
        ("app/requests", ["app", "app"]),
        ("proxy", ["proxy", "proxy"]),
        ("*/limits/memory", ["app", "proxy"]),
        ("*", ["app", "app", "app", "proxy", "proxy"]),
    ],
)
def test_targets_can_be_chosen(pattern: str, containers: list[str]) -> None:
    found = documents("why", "web", *DEMO, "--target", pattern)
    assert [target["container"] for target in found["targets"]] == containers


def test_several_targets_add_up() -> None:
    words = ("--target", "app/requests/cpu", "--target", "proxy/limits/memory")
    assert len(documents("why", "web", *DEMO, *words)["targets"]) == 2


def test_a_chosen_target_decides_the_exit_code() -> None:
    assert run("why", "rollout/storefront", *DEMO, "--target", "app/limits/memory").exit_code == 0


def test_tree_and_its_form_are_the_same() -> None:
    assert run("why", "web", *DEMO, "--tree").stdout == run("why", "web", *DEMO, "-o", "tree").stdout


def test_names_can_be_handed_to_kubectl() -> None:
    assert run("why", "web", *DEMO, "-o", "name").stdout.splitlines() == [
        "proactivepolicy.rightsizing.kubex.ai/web-sizing",
        "staticpolicy.rightsizing.kubex.ai/shop-baseline",
        "clusterproactivepolicy.rightsizing.kubex.ai/fleet",
        "staticpolicy.rightsizing.kubex.ai/web-proxy",
    ]


def test_columns_of_a_target_and_of_its_workload() -> None:
    spec = "custom-columns=W:.workload.name,T:.container,V:.selected.value,X:.missing"
    lines = run("why", "web", *DEMO, "-o", spec, "--no-headers").stdout.splitlines()
    assert lines[0].split() == ["web", "app", "250m", "<none>"]
    assert len(lines) == 5


def test_yaml_and_json_are_the_same_document() -> None:
    words = ("why", "rollout/storefront", *DEMO)
    assert yaml.safe_load(run(*words, "-o", "yaml").stdout) == documents(*words)


def test_the_width_is_the_terminals() -> None:
    narrow = run("why", "web", *DEMO, env={"COLUMNS": "80"}).stdout
    assert max(map(len, narrow.splitlines())) <= 80
    assert max(map(len, run("why", "web", *DEMO).stdout.splitlines())) > 80


def test_headers_can_be_left_out() -> None:
    assert "SELECTED" in run("why", "web", *DEMO).stdout
    assert "SELECTED" not in run("why", "web", *DEMO, "--no-headers").stdout


def test_a_workload_without_recommendations_says_so(tmp_path: Path) -> None:
    file = written(tmp_path, raw_workload({}), raw_policy("ProactivePolicy", "idle"))
    result = run("why", "web", "-f", str(file))
    assert result.stdout.startswith("deployment/web: no policy has a recommendation here; 1 policy would match\n")
    assert "ProactivePolicy/idle  matches, but has no recommendation here" in result.stdout


def test_applied_values_of_pods_that_differ(tmp_path: Path) -> None:
    annotations = {hashed_key("ProactivePolicy"): payload("ProactivePolicy", "policy")}
    containers = [{"name": "app", "resources": {"requests": {"cpu": cpu}}} for cpu in ("100m", "0.1", "200m")]
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "u", "controller": True}
    pods = [
        raw_pod(f"web-{number}", container, annotations=annotations, metadata={"ownerReferences": [owner]})
        for number, container in enumerate(containers)
    ]
    workload = raw_workload(annotations)
    workload["metadata"]["uid"] = "u"
    found = documents("why", "web", "-f", str(written(tmp_path, workload, raw_policy(), raw_precedence(), *pods)))
    assert found["targets"][0]["applied"] == [{"value": "100m", "pods": 2}, {"value": "200m", "pods": 1}]


def test_the_answer_is_that_of_the_core(tmp_path: Path) -> None:
    annotations = {hashed_key("ProactivePolicy"): payload("ProactivePolicy", "policy")}
    objects = (raw_workload(annotations), raw_policy(), raw_precedence())
    found = documents("why", "web", "-f", str(written(tmp_path, *objects)))
    core = answer_to(*objects)
    assert [target["selected"]["policy"]["name"] for target in found["targets"]] == [
        selection.winner.policy.name for selection in core.targets if selection.winner
    ]


def written(folder: Path, *objects: object) -> Path:
    file = folder / "objects.yaml"
    file.write_text(yaml.safe_dump_all(objects), encoding="utf-8")
    return file
