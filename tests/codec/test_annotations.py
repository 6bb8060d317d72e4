"""Recommendation annotations: both payload forms, and every text that is neither."""

from __future__ import annotations

import json
import time
from datetime import datetime, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.codec.annotations import decode_hooks, decode_recommendations, is_recommendation_key
from kubectl_kubex.core.kinds import GROUP, LEGACY_PREFIXES, RESOURCE_KINDS
from kubectl_kubex.core.model import Usage
from kubectl_kubex.core.recommendation import Form, Recommendation
from tests.builders import bare, envelope, fixed_key, hashed_key
from tests.strategies import json_values

KEY = fixed_key("StaticPolicy")


def decode(payload: str, key: str = KEY) -> Recommendation:
    (found,) = decode_recommendations({key: payload})
    return found


def values(found: Recommendation) -> dict[tuple[str, str], str | None]:
    return {(value.container, value.resource): value.quantity for value in found.values}


# --- Keys ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "prefix", "digest", "usage"),
    [
        (f"static.{GROUP}/desired-resource-requests", "static", None, "requests"),
        (f"static.{GROUP}/desired-resource-limits", "static", None, "limits"),
        (f"cwstatic.{GROUP}/hAb0-_9-desired-resource-limits", "cwstatic", "Ab0-_9", "limits"),
        (f"static.{GROUP}/h-desired-desired-resource-requests", "static", "-desired", "requests"),
        (f"unheardof.{GROUP}/hx-desired-resource-requests", "unheardof", "x", "requests"),
    ],
)
def test_a_recommendation_key_taken_apart(key: str, prefix: str, digest: str | None, usage: str) -> None:
    found = decode("{}", key)
    assert (found.key, found.prefix, found.digest, found.usage) == (key, prefix, digest, Usage(usage))
    assert is_recommendation_key(key)


@pytest.mark.parametrize(
    "key",
    [
        f"{GROUP}/desired-resource-requests",
        f"static.{GROUP}/desired-resource-request",
        f"static.{GROUP}/desired-resource-requests2",
        f"static.{GROUP}/xA-desired-resource-requests",
        f"static.{GROUP}/h-desired-resource-requests",
        f"static.{GROUP}/hA.B-desired-resource-requests",
        f"Static.{GROUP}/desired-resource-requests",
        f"a.static.{GROUP}/desired-resource-requests",
        "static.rightsizing-kubex.ai/desired-resource-requests",
        "static.rightsizing.kubexXai/desired-resource-requests",
        f"static.{GROUP}/pod-runtime-hook",
        f"static.{GROUP}/desired-resource-requests\n",
        f"státic.{GROUP}/desired-resource-requests",
        "",
    ],
)
def test_a_key_that_is_none(key: str) -> None:
    assert decode_recommendations({key: "{}"}) == ()
    assert not is_recommendation_key(key)


def test_recommendations_come_in_key_order_whatever_the_order_of_the_input() -> None:
    keys = [hashed_key("StaticPolicy", digest) for digest in ("b", "B", "a", "-")]
    for order in (keys, keys[::-1]):
        assert [found.key for found in decode_recommendations(dict.fromkeys(order, "{}"))] == sorted(keys)


@pytest.mark.parametrize("kind", [kind.name for kind in RESOURCE_KINDS if kind.key_prefix])
def test_a_bare_payloads_kind_is_its_prefixs(kind: str) -> None:
    found = decode(bare(), fixed_key(kind))
    assert (found.kind, found.prefix_kind, found.policy_kind) == (kind, kind, None)
    assert not found.contradicts_prefix


@pytest.mark.parametrize("prefix", LEGACY_PREFIXES)
def test_a_prefix_from_before_1_9_stands_for_the_kind_that_took_its_place(prefix: str) -> None:
    found = decode(bare(), f"{prefix}.{GROUP}/desired-resource-requests")
    assert found.prefix_kind == LEGACY_PREFIXES[prefix]


def test_a_prefix_that_nobody_published_stands_for_no_kind() -> None:
    found = decode(bare(), f"cwrollbackpolicy.{GROUP}/desired-resource-requests")
    assert (found.kind, found.prefix_kind, found.contradicts_prefix) == (None, None, False)


# --- The two forms ---------------------------------------------------------------------------------------------------


def test_an_envelope_names_its_policy() -> None:
    payload = envelope("ProactivePolicy", "web-sizing", {"web": {"cpu": "250m", "memory": "512Mi"}}, namespace="team-a")
    found = decode(payload, hashed_key("ProactivePolicy"))
    assert found.form is Form.ENVELOPE
    assert (found.policy_kind, found.policy_namespace, found.policy_name) == ("ProactivePolicy", "team-a", "web-sizing")
    assert values(found) == {("web", "cpu"): "250m", ("web", "memory"): "512Mi"}
    assert (found.weight, found.timestamps.found, found.problem) == (None, (), "")


def test_a_bare_map_names_none() -> None:
    found = decode('{"web":{"cpu":"250m","memory":"512Mi"},"*":{"cpu":"1"}}')
    assert found.form is Form.BARE
    assert (found.policy_kind, found.policy_namespace, found.policy_name, found.weight) == (None, None, None, None)
    assert values(found) == {("web", "cpu"): "250m", ("web", "memory"): "512Mi", ("*", "cpu"): "1"}


def test_each_form_is_read_under_either_key() -> None:
    assert decode(bare(), hashed_key("StaticPolicy")).form is Form.BARE
    assert decode(envelope("StaticPolicy", "s")).form is Form.ENVELOPE


def test_a_container_by_the_name_of_containers_is_a_container() -> None:
    """In a bare map its members are quantities; in an envelope they are containers."""
    container = decode('{"containers":{"cpu":"1"}}')
    assert (container.form, values(container)) == (Form.BARE, {("containers", "cpu"): "1"})
    envelope_ = decode('{"containers":{"web":{"cpu":"1"}}}')
    assert (envelope_.form, values(envelope_)) == (Form.ENVELOPE, {("web", "cpu"): "1"})
    assert decode('{"containers":{}}').form is Form.ENVELOPE
    for field in ("policyKind", "policyName"):
        named = decode(json.dumps({field: "x", "containers": {"web": "1"}}))
        assert (named.form, named.problem) == (Form.UNREADABLE, "container 'web' is not an object but a string")


@pytest.mark.parametrize("field", ["policyKind", "policyNamespace", "policyName"])
@pytest.mark.parametrize("value", ["", None], ids=repr)
def test_an_empty_identity_is_none(field: str, value: str | None) -> None:
    found = decode(
        json.dumps(
            {"policyKind": "StaticPolicy", "policyName": "s", "policyNamespace": "n", field: value, "containers": {}}
        )
    )
    attribute = {
        "policyKind": found.policy_kind,
        "policyNamespace": found.policy_namespace,
        "policyName": found.policy_name,
    }
    assert attribute[field] is None
    assert list(attribute.values()).count(None) == 1


@pytest.mark.parametrize("field", ["policyKind", "policyNamespace", "policyName"])
@pytest.mark.parametrize(
    ("value", "words"), [(7, "a number"), (True, "true"), (False, "false"), ([], "a list"), ({}, "an object")]
)
def test_an_identity_that_is_no_string_makes_the_payload_unreadable(field: str, value: object, words: str) -> None:
    found = decode(json.dumps({field: value, "containers": {}}))
    assert (found.form, found.problem) == (Form.UNREADABLE, f"{field} is not a string but {words}")


@pytest.mark.parametrize(("weight", "read"), [(0, 0), (100, 100), (2**31 - 1, 2**31 - 1), (None, None)])
def test_a_weight(weight: int | None, read: int | None) -> None:
    assert decode(envelope("StaticPolicy", "s", weight=weight)).weight == read


@pytest.mark.parametrize("weight", ["100", -1, 1.5, True, [], {}, 10**11, "heavy"], ids=repr)
def test_a_weight_that_is_none_makes_the_payload_unreadable(weight: object) -> None:
    found = decode(envelope("StaticPolicy", "s", weight=weight))
    assert (found.form, found.problem) == (Form.UNREADABLE, "weight is not an int32 of 0 or more")


@pytest.mark.parametrize("weight", ["1e2", "-0", "1.0", "1E0"])
def test_a_weight_in_another_notation_is_none_either(weight: str) -> None:
    payload = '{"policyKind":"StaticPolicy","weight":W,"containers":{}}'.replace("W", weight)
    assert decode(payload).form is Form.UNREADABLE


def test_a_weight_beyond_int32_is_none() -> None:
    assert decode(envelope("StaticPolicy", "s", weight=2**31)).form is Form.UNREADABLE


TEN = datetime(2026, 8, 1, 10, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "written",
    [
        "2026-08-01T10:00:00Z", "2026-08-01t10:00:00z", "2026-08-01 10:00:00Z", "2026-08-01T12:00:00+02:00",
        "2026-08-01T04:30:00-05:30", "2026-08-01T10:00:00.000Z", "2026-08-01T10:00:00.000000000Z",
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["creationTimestamp", "policyCreationTimestamp", "createdAt", "anything"])
def test_a_creation_time_in_any_field_at_the_top(field: str, written: str) -> None:
    """The field's name is not published, so the name is kept."""
    members: dict[str, Any] = {field: written}
    found = decode(envelope("StaticPolicy", "s", None, **members))
    assert found.timestamps.found == ((field, TEN),)
    assert found.timestamps.unreadable == ()


@pytest.mark.parametrize(
    "written",
    [
        "2026-08-01", "2026-08-01T10:00:00", "2026-13-01T10:00:00Z", "2026-08-32T10:00:00Z", "2026-08-01T25:00:00Z",
        "2026-08-01T10:00:60Z", "2026-8-1T10:00:00Z", "2026-08-01T10:00:00+0200", "2026-08-01T10:00:00+99:00", "now",
        "", "2026-08-01T10:00:00.Z", "20260801T100000Z", "٢026-08-01T10:00:00Z", "0001-01-01T00:00:00+01:00",
        1754042400, True, [], {},
    ],
    ids=repr,
)  # fmt: skip
def test_a_creation_time_that_is_none(written: object) -> None:
    """Under a known name it is unclear; under another it is just another field."""
    known = decode(envelope("StaticPolicy", "s", createdAt=written)).timestamps
    assert (known.found, known.unreadable) == ((), ("createdAt",))
    other = decode(envelope("StaticPolicy", "s", None, anything=written)).timestamps
    assert (other.found, other.unreadable) == ((), ())


def test_a_known_field_counts_before_any_other() -> None:
    members: dict[str, Any] = {"aaa": "2026-08-01T09:00:00Z", "createdAt": "2026-08-01T10:00:00Z"}
    assert decode(envelope("StaticPolicy", "s", None, **members)).timestamps.found == (("createdAt", TEN),)


def test_several_times_are_all_kept_known_names_in_their_order() -> None:
    members: dict[str, Any] = {"createdAt": "2026-08-01T11:00:00Z", "creationTimestamp": "2026-08-01T10:00:00Z"}
    found = decode(envelope("StaticPolicy", "s", None, **members)).timestamps.found
    assert [field for field, _ in found] == ["creationTimestamp", "createdAt"]
    others: dict[str, Any] = {"b": "2026-08-01T11:00:00Z", "a": "2026-08-01T10:00:00Z"}
    assert [field for field, _ in decode(envelope("StaticPolicy", "s", None, **others)).timestamps.found] == ["a", "b"]


def test_a_time_inside_a_container_is_not_the_payloads() -> None:
    found = decode(envelope("StaticPolicy", "s", {"app": {"createdAt": "2026-08-01T10:00:00Z"}}))
    assert found.timestamps.found == ()


def test_a_null_time_is_no_time() -> None:
    assert decode(envelope("StaticPolicy", "s", None, creationTimestamp=None)).timestamps.unreadable == ()


# --- Values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('"1K"', "1K"), ('""', ""), ("100", "100"), ("1.50", "1.50"), ("1e3", "1e3"), ("null", "null"),
        ("true", "true"), ("[]", "a list"), ("{}", "an object"), ("1" + "0" * 5000, "1" + "0" * 5000),
    ],
    ids=lambda text: str(text)[:8],
)  # fmt: skip
def test_a_value_that_is_no_quantity_is_shown_as_written_and_hides_no_other(written: str, shown: str) -> None:
    """A JSON number is none either: the contract says quantity strings."""
    found = decode('{"app":{"cpu":WRITTEN,"memory":"1Gi"},"b":{"cpu":"2"}}'.replace("WRITTEN", written))
    assert found.form is Form.BARE
    assert values(found) == {("app", "cpu"): None, ("app", "memory"): "1Gi", ("b", "cpu"): "2"}
    assert next(value.written for value in found.values if value.quantity is None) == shown


def test_a_null_container_and_an_empty_one_claim_nothing() -> None:
    assert values(decode('{"a":null,"b":{},"c":{"cpu":"1"}}')) == {("c", "cpu"): "1"}


# --- Texts that are no payload ---------------------------------------------------------------------------------------

DEEP = 100_000
UNREADABLE = {
    "": "not JSON", "{": "not JSON", "}": "not JSON",
    "{'a':1}": "not JSON", "{} {}": "not JSON", "\ufeff{}": "not JSON",
    '{"a":"\n"}': "not JSON", '{"a":1,}': "not JSON", "\x00": "not JSON",
    "null": "not a JSON object but null",
    "[]": "not a JSON object but a list", '"text"': "not a JSON object but a string",
    "7": "not a JSON object but a number",
    "1.5": "not a JSON object but a number", "true": "not a JSON object but true",
    "false": "not a JSON object but false", "NaN": "NaN is not JSON", "-Infinity": "-Infinity is not JSON",
    '{"app":{"cpu":NaN}}': "NaN is not JSON", '{"app":{"cpu":Infinity}}': "Infinity is not JSON",
    '{"a":{},"a":{}}': "duplicate key 'a'", '{"app":{"cpu":"1","cpu":"2"}}': "duplicate key 'cpu'",
    '{"policyKind":"StaticPolicy","policyKind":"StaticPolicy","containers":{}}': "duplicate key 'policyKind'",
    '{"containers":null}': "containers is not an object but null",
    '{"containers":[]}': "containers is not an object but a list",
    '{"app":"1"}': "container 'app' is not an object but a string",
    '{"app":7}': "container 'app' is not an object but a number",
    '{"app":[]}': "container 'app' is not an object but a list",
    "[" * DEEP: "nested too deeply",
    '{"a":' * DEEP: "nested too deeply", "[" * DEEP + "]" * DEEP: "nested too deeply",
    '{"a":{"b":' + "[" * DEEP + "]" * DEEP + "}}": "nested too deeply",
}  # fmt: skip


@pytest.mark.parametrize("payload", UNREADABLE, ids=lambda payload: repr(payload[:16]))
def test_a_text_that_is_no_payload_says_why_and_hides_no_other(payload: str) -> None:
    """One bad annotation of three: the other two are read."""
    annotations = {
        hashed_key("StaticPolicy", "A"): envelope("StaticPolicy", "a"),
        hashed_key("StaticPolicy", "B"): payload,
        hashed_key("StaticPolicy", "C"): envelope("StaticPolicy", "c"),
    }
    first, bad, last = decode_recommendations(annotations)
    assert (first.policy_name, last.policy_name) == ("a", "c")
    assert (bad.form, bad.values) == (Form.UNREADABLE, ())
    assert bad.problem.startswith(UNREADABLE[payload])


def test_a_syntax_error_says_where() -> None:
    assert decode('{"a" 1}').problem == "not JSON: Expecting ':' delimiter at character 6"


def test_a_payload_of_256_kib_is_read() -> None:
    """The API server's limit for all annotations of an object."""
    containers = {f"container-{index:05}": {"cpu": "100m", "memory": "128Mi"} for index in range(4_800)}
    payload = json.dumps(containers)
    assert len(payload) > 256 * 1024
    started = time.perf_counter()
    assert len(decode(payload).values) == 9_600
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize("name", ["0012", "1e3", "nan", "\x1b[31mred", "a\u202eb", "\ud800", "", "*"])
def test_names_are_kept_as_they_are(name: str) -> None:
    """Cutting control characters is the renderer's."""
    found = decode(json.dumps({"policyName": "0012", "policyKind": "1e3", "containers": {name: {name: "1"}}}))
    assert (found.policy_name, found.policy_kind) == ("0012", "1e3")
    assert values(found) == {(name, name): "1"}


@given(json_values(leaves=25))
def test_no_json_makes_decoding_fail(value: Any) -> None:
    found = decode(json.dumps(value))
    assert (found.form is Form.UNREADABLE) is bool(found.problem)


@given(st.text(max_size=60))
def test_no_text_makes_decoding_fail(text: str) -> None:
    decode(text)


@given(st.dictionaries(st.text(max_size=5), json_values(), max_size=4))
def test_no_envelope_makes_decoding_fail(members: dict[str, Any]) -> None:
    whole = {"policyKind": "StaticPolicy", "policyName": "s", "containers": {"app": members}, **members}
    decode(json.dumps(whole))


NAMES = st.from_regex(r"[a-z]([-a-z0-9]{0,8}[a-z0-9])?", fullmatch=True)
QUANTITIES = st.sampled_from(["100m", "1", "1Gi", "1e3", "0.5", "1.", ".5"])


@given(st.dictionaries(NAMES | st.just("*"), st.dictionaries(NAMES, QUANTITIES, min_size=1, max_size=3), max_size=4))
def test_what_a_policy_wrote_is_what_is_read(containers: dict[str, dict[str, str]]) -> None:
    """Through either form, value for value, as written."""
    expected = {(c, resource): text for c, resources in containers.items() for resource, text in resources.items()}
    assert values(decode(envelope("StaticPolicy", "s", containers or {"x": {}}))) == expected
    if "containers" not in containers:
        assert values(decode(json.dumps(containers))) == expected


# --- Hooks -----------------------------------------------------------------------------------------------------------


def test_hooks_are_read_by_key_alone() -> None:
    """Their payload's shape is not published."""
    keys = [f"{prefix}.{GROUP}/pod-runtime-hook" for prefix in ("podaffinitypolicy", "containerargspolicy")]
    hooks = decode_hooks(
        {**dict.fromkeys(keys, "{"), KEY: "{}", f"{GROUP}/pod-runtime-hook": "", f"a.{GROUP}/pod-runtime-hooks": ""}
    )
    assert [(hook.key, hook.prefix) for hook in hooks] == [
        (keys[1], "containerargspolicy"), (keys[0], "podaffinitypolicy"),
    ]  # fmt: skip
