"""diff: exit codes as kubectl's, the same for every form; what stands on stdout and what does not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from kubectl_kubex.commands import schema
from kubectl_kubex.commands.external_diff import VARIABLE
from kubectl_kubex.core.label_query import parse_label_query
from kubectl_kubex.errors import ExitCode
from kubectl_kubex.render.formats import DIFF

from .running import ROOT, run

SHOP, ORDERS = ("-n", "shop", "--demo"), ("-n", "orders", "--demo")
FORMS = [(), *(("-o", name) for name in DIFF)]

CASES = [
    (("cronjob/nightly-report", "-n", "shop"), ExitCode.OK),  # equal
    (("deploy/web", "-n", "shop"), ExitCode.DIFFERENT),
    (("deploy/returns", "-n", "orders", "--plan"), ExitCode.OK),  # held back
    (("deploy/web", "-n", "shop", "--plan"), ExitCode.DIFFERENT),
    (("deploy/web", "-n", "shop", "--against", "template"), ExitCode.DIFFERENT),
    (("deploy/nope", "-n", "shop"), ExitCode.CLUSTER),  # a wrong name
    (("deploy/web", "deploy/nope", "-n", "shop"), ExitCode.CLUSTER),
    (("rollout/storefront", "-n", "shop"), ExitCode.PARTIAL),
    (("deploy/web", "-A"), ExitCode.USAGE),
    (("-l", "=", "-n", "shop"), ExitCode.USAGE),
    (("-l", "app=nobody", "-n", "shop"), ExitCode.OK),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form) or "default")
@pytest.mark.parametrize(("words", "code"), CASES, ids=[" ".join(words) for words, _ in CASES])
def test_exit_codes(words: tuple[str, ...], code: ExitCode, form: tuple[str, ...]) -> None:
    assert run("diff", *words, "--demo", *form).exit_code == code


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form) or "default")
def test_unreachable(form: tuple[str, ...]) -> None:
    assert run("diff", "deploy/web", "-s", "http://127.0.0.1:1", *form).exit_code == ExitCode.CLUSTER


def test_a_unified_diff_of_pods_that_differ() -> None:
    lines = run("diff", "deploy/web", *SHOP).stdout.splitlines()
    assert lines[0] == "--- shop/deployment/web web-6f9c7d5b8d-tn5hd (applied)"
    assert lines[1] == "+++ shop/deployment/web web-6f9c7d5b8d-tn5hd (selected)"
    assert [line for line in lines[2:] if line[0] in "+-"] == ["-app/requests/cpu: 400m", "+app/requests/cpu: 250m"]


def test_pods_with_equal_values_are_folded() -> None:
    assert "--- orders/deployment/orders 2 pods (applied)" in run("diff", "deploy/orders", *ORDERS).stdout


def test_names_and_labels() -> None:
    assert run("diff", *ORDERS, "-o", "name").stdout == "deployment.apps/orders\ndeployment.apps/returns\n"
    assert run("diff", *ORDERS, "-l", "app in (returns)", "-o", "name").stdout == "deployment.apps/returns\n"


def test_documents_fit_the_schema() -> None:
    against = Draft202012Validator(json.loads(schema.text("diff")))
    for words in (("-A",), ("deploy/web", "-n", "shop"), ("-A", "--plan"), ("-A", "--against", "template")):
        against.validate(json.loads(run("diff", *words, "--demo", "-o", "json").stdout))


def test_an_external_program_sees_both_sides(tmp_path: Path) -> None:
    program = tmp_path / "tool"
    program.write_text('#!/bin/sh\necho "$1"; cat "$2"/*; cat "$3"/*; exit 1\n', encoding="utf-8")
    program.chmod(0o755)
    found = run("diff", "deploy/web", *SHOP, env={VARIABLE: f"{program} -u $(x)"})
    assert found.exit_code == ExitCode.DIFFERENT
    assert found.stdout.startswith("-u\n")
    assert "app/requests/cpu: 400m" in found.stdout
    assert "app/requests/cpu: 250m" in found.stdout


@pytest.mark.parametrize("tool", ["/nowhere/tool", "false-tool-that-is-not-there"])
def test_a_missing_external_program_is_an_error_and_no_difference(tool: str) -> None:
    assert run("diff", "deploy/web", *SHOP, env={VARIABLE: tool}).exit_code == ExitCode.USAGE
    assert run("diff", "cronjob/nightly-report", *SHOP, env={VARIABLE: tool}).exit_code == ExitCode.OK
    assert run("diff", "deploy/web", *SHOP, "-o", "json", env={VARIABLE: tool}).exit_code == ExitCode.DIFFERENT


def test_an_external_program_that_fails_is_an_error(tmp_path: Path) -> None:
    program = tmp_path / "tool"
    program.write_text("#!/bin/sh\nexit 2\n", encoding="utf-8")
    program.chmod(0o755)
    assert run("diff", "deploy/web", *SHOP, env={VARIABLE: str(program)}).exit_code == ExitCode.USAGE


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form) or "default")
def test_a_closed_pipe_is_no_difference(form: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "kubectl_kubex", "diff", "deploy/web", *SHOP, *form]
    done = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.returncode == ExitCode.OK
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("query", "labels", "expected"),
    [
        ("a=b", {"a": "b"}, True),
        ("a==b", {"a": "c"}, False),
        ("a!=b", {}, True),
        ("a in (b, c)", {"a": "c"}, True),
        ("a notin (b,c)", {"a": "c"}, False),
        ("a", {"a": ""}, True),
        ("!a", {"a": ""}, False),
        ("a=b,!c", {"a": "b", "c": ""}, False),
    ],
)
def test_label_queries(query: str, labels: dict[str, str], expected: bool) -> None:
    terms = parse_label_query(query)
    assert terms is not None
    assert all(term.matches(labels) for term in terms) is expected


@pytest.mark.parametrize("query", ["", "=", "a=b,", "a in b", "a in (b", "a b", ",a"])
def test_label_queries_that_make_no_sense(query: str) -> None:
    assert parse_label_query(query) is None
