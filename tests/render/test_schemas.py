"""Every document of every scene is what the packaged schema says, and nothing more."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kubectl_kubex.codec.snapshot import WHY_KINDS, policies_of, precedence_of
from kubectl_kubex.commands import schema
from kubectl_kubex.core.model import GapReason, Generation, Usage
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Outcome, Result
from kubectl_kubex.core.policy_table import counted, standings
from kubectl_kubex.core.precedence_view import view_of
from kubectl_kubex.core.ranking import ONLY_CANDIDATE, RULES
from kubectl_kubex.core.scope import RefusalReason
from kubectl_kubex.render.documents import listed
from kubectl_kubex.render.policies import Policies, policies_document
from kubectl_kubex.render.show import show_document
from kubectl_kubex.render.why_document import KIND, why_document
from tests.builders import a_gap, answer_to, hashed_key, raw_policy, raw_precedence, raw_workload

from .demo_scenes import answer, finding, scenes, source


def closed(node: Any) -> Any:
    """The schema with every object closed: what it does not name is an error. Users get it open: fields may come."""
    if isinstance(node, dict):
        inner = {name: closed(value) for name, value in node.items()}
        return {**inner, "additionalProperties": False} if "properties" in node else inner
    return [closed(value) for value in node] if isinstance(node, list) else node


def validator(name: str) -> Draft202012Validator:
    published = json.loads(schema.text(name))
    Draft202012Validator.check_schema(published)
    return Draft202012Validator(closed(published))


def check(name: str, documents: Iterable[dict[str, Any]]) -> None:
    against = validator(name)
    for document in documents:
        against.validate(document)


def test_why_in_every_scene() -> None:
    documents = [why_document(*finding(*scene)) for scene in scenes()]
    check("why", [*documents, listed(KIND, documents), listed(KIND, [])])


def test_why_with_little_to_go_by() -> None:
    bare = raw_workload({hashed_key("StaticPolicy"): "{"}, containers=())
    odd = raw_precedence(("StaticPolicy", "90"), ("", 1), ("StaticPolicy", -1), name="policy-evaluation")
    gaps = [a_gap("Pod"), a_gap("StaticPolicy", GapReason.NOT_IN_INPUT), a_gap("PolicyEvaluation")]
    check(
        "why",
        [
            why_document(answer_to(bare, odd)),
            why_document(answer_to(bare, pods=None, gaps=gaps)),
            why_document(answer_to(raw_workload({}))),
        ],
    )


def test_show() -> None:
    gathered = source().gather((), "shop", WHY_KINDS)
    odd = raw_precedence(("StaticPolicy", "90"), ("Nobody", 0), ("StaticPolicy", 3))
    views = [view_of(precedence_of(gathered.objects)), view_of(answer_to(raw_workload({}), odd).snapshot.precedence)]
    unread = answer_to(raw_workload({}), gaps=[a_gap("PolicyEvaluation")]).snapshot.precedence
    check("show", [show_document(view, gathered.source) for view in (*views, view_of(unread))])


def test_policies() -> None:
    gathered = source().gather((), "shop", WHY_KINDS, all_namespaces=True)
    policies, precedence = policies_of(gathered.objects, None), precedence_of(gathered.objects)
    everything = [
        Policies(counted(policies, precedence, ()), gathered.source, None, workloads=0),
        Policies(counted(policies, precedence, None), gathered.source, "shop"),
    ]
    for scene in scenes():
        asked = answer(*scene)
        workload = asked.snapshot.workload
        everything.append(Policies(standings(asked), asked.snapshot.source, scene[0], workload, None, asked.doubts))
    invalid = answer_to(raw_workload({}), raw_policy(weight=-1))
    everything.append(Policies(standings(invalid), gathered.source, "shop", invalid.snapshot.workload))
    check("policies", [policies_document(found) for found in everything])


def test_closed_sets_are_the_codes_own() -> None:
    definitions = json.loads(schema.text("why"))["$defs"]
    reasons = definitions["result"]["properties"]["refusals"]["items"]["properties"]["reason"]["enum"]
    assert set(reasons) == {reason.value for reason in RefusalReason}
    assert definitions["decision"]["properties"]["rule"]["enum"] == [ONLY_CANDIDATE, *(r.code for r in RULES), "tie"]
    engine = definitions["result"]["properties"]["engine"]["properties"]
    assert set(engine["generation"]["enum"]) == {generation.value for generation in Generation}
    assert set(definitions["check"]["properties"]["name"]["enum"]) == {code.value for code in Code}
    assert set(definitions["check"]["properties"]["result"]["enum"]) == {result.value for result in Result}
    assert set(definitions["plan"]["properties"]["outcome"]["enum"]) == {outcome.value for outcome in Outcome}
    assert definitions["target"]["properties"]["usage"]["enum"] == [usage.value for usage in Usage]


@pytest.mark.parametrize("name", schema.names())
def test_each_schema_says_what_it_is(name: str) -> None:
    published = json.loads(schema.text(name))
    assert published["$id"].endswith(f"/v1/{name}.json")
    assert f"kubectl kubex {name} -o json" in published["description"]
