from __future__ import annotations

import pytest

from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.model import Target, Usage
from kubectl_kubex.core.narrowing import TargetPattern, narrow, parse_pattern
from tests.builders import answer_to, codes, fixed_key, hashed_key, raw_policy, raw_precedence, raw_workload
from tests.builders import envelope as payload

CPU = Target("app", Usage.REQUESTS, "cpu")
GPU = Target("app", Usage.LIMITS, "nvidia.com/gpu")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("app", TargetPattern("app")),
        ("app/requests", TargetPattern("app", "requests")),
        ("app/requests/cpu", TargetPattern("app", "requests", "cpu")),
        ("*/limits/nvidia.com/gpu", TargetPattern("*", "limits", "nvidia.com/gpu")),
        ("app/*/cpu", TargetPattern("app", "*", "cpu")),
        ("app/l*/cpu", TargetPattern("app", "l*", "cpu")),
        ("", None),
        ("/requests/cpu", None),
        ("app/cpu", None),
        ("app/request/cpu", None),
        ("app/requests/", None),
    ],
)
def test_what_can_be_asked_for(text: str, pattern: TargetPattern | None) -> None:
    assert parse_pattern(text) == pattern


@pytest.mark.parametrize(
    ("pattern", "target", "expected"),
    [
        (TargetPattern("app"), CPU, True),
        (TargetPattern("a*"), CPU, True),
        (TargetPattern("ap"), CPU, False),
        (TargetPattern("APP"), CPU, False),
        (TargetPattern("app", "limits"), CPU, False),
        (TargetPattern("app", "requests", "memory"), CPU, False),
        (TargetPattern("*", "limits", "nvidia.com/gpu"), GPU, True),
    ],
)
def test_what_matches(pattern: TargetPattern, target: Target, expected: bool) -> None:
    assert pattern.matches(target) is expected


def an_answer() -> Answer:
    annotations = {
        hashed_key("StaticPolicy"): payload("StaticPolicy", "gone", {"app": {"cpu": "1"}, "db": {"cpu": "1"}}),
        hashed_key("ProactivePolicy", "B"): payload("ProactivePolicy", "policy", {"app": {"cpu": "1", "memory": "1"}}),
        fixed_key("ContainerArgsPolicy").replace("desired-resource-requests", "pod-runtime-hook"): "{}",
    }
    workload = raw_workload(annotations, containers=("app", "db"))
    other = raw_precedence(name="other")
    return answer_to(workload, raw_policy(), raw_policy("ContainerArgsPolicy", "args"), raw_precedence(), other)


def test_the_rest_is_left_out_and_so_are_doubts_about_it() -> None:
    whole = an_answer()
    narrowed = narrow(whole, [TargetPattern("app", "requests", "memory")])
    assert [str(selection.target) for selection in narrowed.targets] == ["app/requests/memory"]
    assert narrowed.hooks == ()
    assert DoubtCode.POLICY_GONE in codes(whole)
    assert codes(narrowed) == {DoubtCode.NO_PODS, DoubtCode.OTHER_PRECEDENCE}


def test_a_doubt_keeps_what_it_is_about() -> None:
    narrowed = narrow(an_answer(), [TargetPattern("db")])
    (gone,) = (doubt for doubt in narrowed.doubts if doubt.code is DoubtCode.POLICY_GONE)
    assert gone.affects == ("db/requests/cpu",)


def test_refusals_are_of_the_whole_workload() -> None:
    whole = an_answer()
    assert narrow(whole, [TargetPattern("db")]).refusals == whole.refusals


def test_no_pattern_is_the_whole() -> None:
    whole = an_answer()
    assert narrow(whole, []) is whole
