"""`show` and `policies`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import yaml

from kubectl_kubex.codec.gathered import Gathered, Objects, WorkloadList
from kubectl_kubex.commands import policies
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.core.model import Gap, GapReason, SourceInfo
from kubectl_kubex.errors import ExitCode
from kubectl_kubex.render.formats import Format
from tests.builders import a_gap, raw_policy, raw_precedence, raw_workload

from .running import documents, run


def file_with(folder: Path, *objects: object) -> str:
    file = folder / "objects.yaml"
    file.write_text(yaml.safe_dump_all(objects), encoding="utf-8")
    return str(file)


def test_show_puts_the_precedence_beside_the_defaults() -> None:
    result = run("show", "--demo")
    assert result.exit_code == 0
    assert result.stdout.startswith("policy-evaluation: 11 policy types, 1 not as in the chart, 4 to look at\n")
    assert "ClusterGpuReactivePolicy     <none>    110      not listed" in result.stdout


def test_show_marks_each_oddity(tmp_path: Path) -> None:
    odd = [("StaticPolicy", 0), ("StaticPolicy", 90), ("ProactivePolicy", "70"), ("Nobody", 3), ("RollbackPolicy", 131)]
    precedence = raw_precedence(*odd, ("GpuRebalancingPolicy", 5), labels={"app.kubernetes.io/managed-by": "Helm"})
    words = ("show", "-f", file_with(tmp_path, precedence))
    found = documents(*words)
    assert {entry["type"]: entry["problems"] for entry in found["entries"] if entry["position"] not in (None, 1)} == {
        "StaticPolicy": ["duplicate-type"],
        "ProactivePolicy": ["invalid-priority"],
        "Nobody": ["unknown-type"],
        "RollbackPolicy": [],
        "GpuRebalancingPolicy": ["legacy-type"],
    }
    assert found["managedBy"]["helmRelease"] == "unknown"
    assert [entry["type"] for entry in found["entries"]][:2] == ["RollbackPolicy", "StaticPolicy"]
    text = run(*words).stdout
    assert all(mark in text for mark in ("duplicate, zero", '"70"', "unknown type", "legacy name", "changed"))


def test_without_a_precedence_the_defaults_are_no_answer(tmp_path: Path) -> None:
    result = run("show", "-f", file_with(tmp_path, raw_workload({})))
    assert result.exit_code == 5
    assert result.stdout.startswith("policy-evaluation could not be read")
    assert run("show", "-f", file_with(tmp_path, raw_workload({})), "-o", "name").stdout == ""
    other = run("show", "-f", file_with(tmp_path, raw_precedence(name="other")))
    assert other.exit_code == 5
    assert other.stdout.startswith("there is no policy-evaluation")
    assert "has no effect: other" in other.stdout


@pytest.mark.parametrize(
    ("command", "output", "line"),
    [
        ("show", "name", "policyevaluation.rightsizing.kubex.ai/policy-evaluation"),
        ("show", "custom-columns=T:.type,P:.priority", "RollbackPolicy               130"),
        ("show", "jsonpath={.entries[0].type}", "RollbackPolicy"),
        ("policies", "name", "containerargspolicy.rightsizing.kubex.ai/jvm-flags-canary"),
        ("policies", "custom-columns=N:.policy.name,M:.matchedWorkloads", "fleet             4"),
        ("policies", "jsonpath={.policies[0].policy.name}", "jvm-flags-canary"),
    ],
)
def test_every_form(command: str, output: str, line: str) -> None:
    assert line in run(command, "--demo", "-o", output).stdout.splitlines()


def test_policies_count_the_workloads_of_a_namespace_or_of_all() -> None:
    here, everywhere = documents("policies", "--demo", "-n", "shop"), documents("policies", "--demo", "-A")
    assert here["namespace"] == "shop"
    assert {found["policy"]["namespace"] for found in here["policies"]} == {"shop", None}
    assert everywhere["namespace"] is None
    fleet = [found for found in everywhere["policies"] if found["policy"]["name"] == "fleet"]
    in_orders = 2  # the fleet leaves out namespace orders
    assert fleet[0]["matchedWorkloads"] == everywhere["workloads"] - in_orders
    assert [found["rank"] for found in everywhere["policies"]] == [*range(1, len(everywhere["policies"]) + 1)]


def test_a_policy_that_asks_for_containers_matches_at_most() -> None:
    found = {each["policy"]["name"]: each for each in documents("policies", "--demo", "-n", "shop")["policies"]}
    assert found["web-proxy"]["matchedAtMost"]
    assert not found["shop-baseline"]["matchedAtMost"]
    lines = run("policies", "--demo", "-n", "shop").stdout.splitlines()
    assert next(line for line in lines if "web-proxy" in line).endswith(" <=1")


def test_policies_of_a_workload_say_why() -> None:
    result = run("policies", "ds/edge-cache", "-n", "backend", "--demo")
    assert result.exit_code == 0
    assert result.stdout.startswith("daemonset/edge-cache: 5 of 14 policies match\n")
    assert 'no       label app is "edge-cache", needs In (cart)' in result.stdout
    assert "yes      wins the hook" in result.stdout


def test_policies_of_a_workload_that_is_not_there() -> None:
    result = run("policies", "deploy/nobody", "--demo")
    assert (result.stdout, result.exit_code) == ("", 3)


def test_no_policies_are_said_beside_the_data(tmp_path: Path) -> None:
    result = run("policies", "-f", file_with(tmp_path, raw_workload({})), "-o", "name")
    assert (result.stdout, result.stderr) == ("", "No policies found in shop namespace.\n")


class Narrow:
    """A cluster whose user may not read everything."""

    namespace = "shop"

    def __init__(self, *, policies: tuple[Gap, ...] = (), workloads: tuple[Gap, ...] = ()) -> None:
        self._policies, self._workloads = policies, workloads

    def gather(self, *_: object, **__: object) -> Gathered:
        objects = {"StaticPolicy": (raw_policy("StaticPolicy"),), "PolicyEvaluation": (raw_precedence(),)}
        return Gathered(SourceInfo("prod", "https://server"), Objects(objects, self._policies))

    def workloads(self, _: str | None) -> WorkloadList:
        return WorkloadList((), self._workloads)


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        (Narrow(), ExitCode.OK, "1 policy for 0 workloads in namespace shop; 1 match no workload"),
        (Narrow(policies=(a_gap("RollbackPolicy"),)), ExitCode.PARTIAL, "RollbackPolicy objects could not be read"),
        (Narrow(policies=(a_gap("RollbackPolicy", GapReason.NOT_SERVED),)), ExitCode.OK, "1 policy"),
        (Narrow(workloads=(a_gap("Deployment"),)), ExitCode.PARTIAL, "workloads could not be counted"),
    ],
)  # fmt: skip
def test_what_could_not_be_read_is_no_zero(source: Narrow, code: ExitCode, said: str) -> None:
    out = io.StringIO()
    terminal = Terminal(out, io.StringIO(), io.BytesIO())
    assert policies.run(source, policies.Question(), Format(), terminal) == code
    assert said in out.getvalue()
