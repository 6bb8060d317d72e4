"""Strings from a cluster, whatever is in them: no terminal ever acts on one, and no text is taken for another type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import envelope as payload
from tests.builders import hashed_key, raw_configuration, raw_policy, raw_precedence, raw_workload

from .running import run

EVIL = "\x1b[31mred\x1b[0m\x07\r\n\t\x9b2J\u202e\u2028\x85\x7f"
FORMS = ["table", "wide", "tree", "name", "json", "yaml", "jsonpath={.targets[*].selected}",
         "custom-columns=P:.selected.policy.name,R:.ranking"]  # fmt: skip


def evil_input(folder: Path) -> str:
    """EVIL in every place that a string can stand in."""
    containers = {"app": {f"cpu{EVIL}": "100m", "memory": EVIL}, EVIL: {"cpu": "1"}}
    annotations = {
        hashed_key("StaticPolicy", "A"): payload("StaticPolicy", EVIL, containers, creationTimestamp=EVIL),
        hashed_key("StaticPolicy", "B"): payload("StaticPolicy", f"b{EVIL}", containers, strange=EVIL),
        hashed_key("ProactivePolicy", "C"): EVIL,
        hashed_key("ProactivePolicy", "D"): json.dumps({"policyKind": EVIL, "containers": containers}),
    }
    labels = {"label": EVIL}
    selector = {"matchLabels": {EVIL: EVIL}}
    objects: list[Any] = [
        raw_workload(annotations, labels=labels),
        raw_policy("StaticPolicy", EVIL, scope={"workloadTypes": [EVIL], "containers": [EVIL]}),
        raw_policy("ProactivePolicy", "p", scope={"labelSelector": selector}),
        raw_precedence(("StaticPolicy", EVIL), (EVIL, 1), labels={"app.kubernetes.io/instance": EVIL},
                       annotations={"meta.helm.sh/release-name": EVIL, "argocd.argoproj.io/tracking-id": EVIL},
                       resourceVersion=EVIL),
        raw_precedence(name=EVIL),
        raw_configuration(),
    ]  # fmt: skip
    file = folder / "evil.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    return str(file)


def harmless(text: str) -> bool:
    return all(character.isprintable() for line in text.split("\n") for character in line)


@pytest.mark.parametrize("output", FORMS)
def test_why(tmp_path: Path, output: str) -> None:
    result = run("why", "deploy/web", "-f", evil_input(tmp_path), "-o", output)
    assert result.exit_code in (0, 5)
    assert harmless(result.stdout + result.stderr)


@pytest.mark.parametrize("words", [["show"], ["policies"], ["policies", "deploy/web"]], ids=" ".join)
@pytest.mark.parametrize("output", ["table", "wide", "name", "json", "yaml"])
def test_lists(tmp_path: Path, words: list[str], output: str) -> None:
    result = run(*words, "-f", evil_input(tmp_path), "-o", output)
    assert result.exit_code in (0, 5)
    assert harmless(result.stdout + result.stderr)


def test_what_was_escaped_can_be_seen(tmp_path: Path) -> None:
    assert r"\x1b[31mred" in run("why", "deploy/web", "-f", evil_input(tmp_path)).stdout


WORDS = [
    ["why", f"deploy/{EVIL}"],
    ["why", EVIL],
    ["why", f"{EVIL}/web"],
    [EVIL],
    ["help", EVIL],
    ["why", "web", f"--{EVIL}"],
    ["why", "web", "-o", EVIL],
    ["schema", EVIL],
    ["why", "web", "--target", EVIL],
    ["why", "web", "-f", EVIL],
    ["why", "web", "-o", "jsonpath={" + EVIL],
    ["why", "web", "--color", EVIL],
]


@pytest.mark.parametrize("words", WORDS)
def test_errors(words: list[str]) -> None:
    source = [] if "-f" in words or words[0] != "why" else ["--demo"]
    result = run(*words, *source)
    assert result.exit_code in (2, 3)
    assert result.stdout == ""
    assert harmless(result.stderr)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["0012", "1e3", "nan", "20200407_2", "0x10", "true", "null"])
def test_names_that_look_like_something_else(tmp_path: Path, name: str) -> None:
    annotations = {hashed_key("StaticPolicy"): payload("StaticPolicy", name)}
    objects = [raw_workload(annotations, name=name), raw_policy("StaticPolicy", name), raw_precedence()]
    file = tmp_path / "objects.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    words = ("why", f"deploy/{name}", "-f", str(file))
    assert f"  StaticPolicy/{name}  only candidate\n" in run(*words).stdout
    assert f'"{name}"' in run(*words, "-o", "json").stdout
    assert f"  name: {name if name == 'nan' else json.dumps(name)}\n" in run(*words, "-o", "yaml").stdout
    columns = "custom-columns=N:.selected.policy.name"
    assert run(*words, "-o", columns, "--no-headers").stdout == f"{name}\n"
