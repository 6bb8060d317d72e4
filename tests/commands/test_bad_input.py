"""Bad words and bad input: one line on the error stream, the right code, nothing on the other stream."""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import run

DEMO = ("-n", "shop", "--demo")
# What is typed, the exit code, and words of the one line.
CASES: dict[str, tuple[list[str], int, str]] = {
    "no workload": (["why", *DEMO], 2, "no workload given"),
    "a type alone": (["why", "deploy", *DEMO], 2, "no name given for deployment"),
    "an empty name": (["why", "deploy/", *DEMO], 2, "name is empty"),
    "too many slashes": (["why", "deploy/web/app", *DEMO], 2, "not of the form TYPE/NAME"),
    "two types": (["why", "deploy", "sts/web", *DEMO], 2, "names a type, but one stands before it"),
    "a name that is a path": (["why", "deploy/..", *DEMO], 2, "no resource name"),
    "an unsupported type": (["why", "service/web", *DEMO], 2, '"service" is not a supported workload type'),
    "an unsupported type and a name": (["why", "svc", "web", *DEMO], 2, '"svc" is not a supported workload type'),
    "a misspelled type": (["why", "deploymnet/web", *DEMO], 2, "deployment (did you mean this?)"),
    "an unknown workload": (["why", "deploy/nobody", *DEMO], 3, 'deployments.apps "nobody" not found'),
    "an unknown name": (["why", "nobody", *DEMO], 3, 'workload "nobody" not found'),
    "an unknown namespace": (["why", "deploy/web", "-n", "nowhere", "--demo"], 3, "not found"),
    "all namespaces": (["why", "deploy/web", "-A", "--demo"], 2, "cannot be named across all namespaces"),
    "an unknown form": (["why", "web", *DEMO, "-o", "jsn"], 2, '"jsn"; allowed formats are: table, wide, '),
    "an empty form": (["why", "web", *DEMO, "-o", ""], 2, "no output format"),
    "a template without text": (["why", "web", *DEMO, "-o", "jsonpath="], 2, "no template given"),
    "a template without sign": (["why", "web", *DEMO, "-o", "jsonpath"], 2, "no template given"),
    "columns without text": (["why", "web", *DEMO, "-o", "custom-columns="], 2, "no columns given"),
    "a form with too much": (["why", "web", *DEMO, "-o", "json=x"], 2, "no output format"),
    "a broken template": (["why", "web", *DEMO, "-o", "jsonpath={.a"], 2, "jsonpath: unclosed action"),
    "a broken column": (["why", "web", *DEMO, "-o", "custom-columns=A"], 2, "custom-columns: expected"),
    "two forms": (["why", "web", *DEMO, "--tree", "-o", "json"], 2, "--tree and -o json exclude each other"),
    "a form of another command": (["show", "--demo", "-o", "tree"], 2, "no output format"),
    "no target": (["why", "web", *DEMO, "--target", "app/cpu"], 2, '"app/cpu" is no target'),
    "an empty target": (["why", "web", *DEMO, "--target", ""], 2, "is no target"),
    "a target that is not there": (["why", "web", *DEMO, "--target", "db"], 2, "matches --target; there are: app/"),
    "files and the demo": (["why", "web", "--demo", "-f", "x"], 2, "--demo and -f exclude each other"),
    "a context for files": (["why", "web", "-f", "x", "--context", "c"], 2, "-f asks no cluster, so --context"),
    "a user for the demo": (["why", "web", "--demo", "--as", "me"], 2, "--demo asks no cluster, so --as would"),
    "a missing file": (["why", "web", "-f", "/no/such/file"], 2, "/no/such/file: no such file or folder"),
    "an unknown option": (["why", "web", "--nope"], 2, "see kubectl kubex why --help"),
    "an option without value": (["why", "web", "-n"], 2, "option '-n' requires an argument"),
    "an unknown colour": (["why", "web", "--color", "pink"], 2, "see kubectl kubex why --help"),
    "an unknown command": (["wyh"], 2, "see kubectl kubex --help"),
    "help for nothing": (["help", "wyh"], 2, 'no command "wyh"; there are: '),
    "an unknown schema": (["schema", "whi"], 2, 'no schema "whi"; did you mean "why"?'),
    "two workloads for policies": (["policies", "a", "b", *DEMO], 2, "policies takes one workload"),
    "a snapshot of nothing": (["snapshot", "-o", "-", "--demo"], 2, "name workloads, or -A"),
    "a snapshot to nowhere": (["snapshot", "web", *DEMO], 2, "see kubectl kubex snapshot --help"),
    "a snapshot in no folder": (["snapshot", "web", *DEMO, "-o", "/no/such/x.yaml"], 2, "cannot write /no/such/x.yaml"),
    "a server version of files": (["version", "--demo"], 2, "use version --client"),
    "no cluster": (["why", "web", "-s", "http://127.0.0.1:9"], 3, "cannot reach the server"),
    "a missing kubeconfig": (["why", "web", "--kubeconfig", "/no/such/config"], 3, "/no/such/config"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "code", "said"), CASES.values(), ids=list(CASES))
def test_one_line_and_a_code(words: list[str], code: int, said: str) -> None:
    result = run(*words)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
    assert said in result.stderr
    assert result.exit_code == code


AMBIGUOUS = """
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}}
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web, namespace: shop}}
"""


def test_an_ambiguous_name_lists_what_it_may_be() -> None:
    result = run("why", "web", "-n", "shop", "-f", "-", stdin=AMBIGUOUS)
    assert result.exit_code == 2
    assert result.stderr == 'error: "web" is ambiguous: deployment/web, statefulset/web; say which one\n'


@pytest.mark.parametrize("content", ["{", "\x00", "a: [", "just text", "", "- 1\n- 2"], ids=repr)
def test_a_broken_file_is_named_and_no_answer_is_made_up(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text(content, encoding="utf-8")
    result = run("why", "deploy/web", "-f", str(file))
    assert result.exit_code in (2, 3)
    assert result.stdout == ""
    assert "broken.yaml" in result.stderr
    assert result.stderr.count("\n") == 1


def test_several_bad_words_of_a_command_line_are_one_error_each() -> None:
    result = run("why", "deploy/a", "deploy/b", *DEMO)
    assert result.stderr.count("error: ") == 2
    assert result.exit_code == 3
