"""Raw objects of every kind: read with the CRD's defaults, odd ones into problems, and never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kubex.codec.configuration import decode_engine, decode_manager, decode_precedence
from kubectl_kubex.codec.policies import decode_policy
from kubectl_kubex.codec.snapshot import WHY_KINDS, policies_of, snapshot_of
from kubectl_kubex.codec.workloads import decode_pod, decode_workload
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.kinds import BY_NAME, SCOPED_KINDS
from kubectl_kubex.core.model import (
    Engine,
    GapReason,
    Generation,
    LabelRequirement,
    NamespaceSelector,
    Policy,
    PolicyRef,
    Scope,
    Usage,
)
from kubectl_kubex.core.precedence import Entry, Manager, Problem, ProblemCode
from kubectl_kubex.core.scope import RefusalReason
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS
from tests.builders import (
    TEN,
    a_gap,
    answer_to,
    envelope,
    gathered,
    hashed_key,
    raw,
    raw_configuration,
    raw_container,
    raw_pod,
    raw_policy,
    raw_precedence,
    raw_workload,
    target_of,
)
from tests.strategies import json_values

STATIC, WIDE = BY_NAME["StaticPolicy"], BY_NAME["ClusterStaticPolicy"]
HOSTILE_NAMES = ["0012", "1e3", "nan", "null", "\x1b[2Jgone", "a\u202eb", "\ud800", " ", "", "x" * 300, "web\n"]


def policy(raw_object: dict[str, Any]) -> Policy:
    return decode_policy(BY_NAME[raw_object["kind"]], raw_object)


# --- Policies --------------------------------------------------------------------------------------------------------


def test_a_whole_policy() -> None:
    scope = {
        "namespaceSelector": {"operator": "NotIn", "values": ["kube-*"]},
        "labelSelector": {
            "matchLabels": {"b": "2", "a": "1"},
            "matchExpressions": [
                {"key": "c", "operator": "NotIn", "values": ["x", "y"]},
                {"key": "d", "operator": "Exists"},
                {"key": "e", "operator": "DoesNotExist", "values": []},
            ],
        },
        "workloadTypes": ["Deployment"],
        "containers": ["app", "sidecar"],
    }
    assert policy(raw_policy("ClusterStaticPolicy", "wide", weight=7, scope=scope)) == Policy(
        PolicyRef("ClusterStaticPolicy", None, "wide"),
        7,
        TEN,
        Scope(
            NamespaceSelector("NotIn", ("kube-*",)),
            (
                LabelRequirement("a", "In", ("1",)),
                LabelRequirement("b", "In", ("2",)),
                LabelRequirement("c", "NotIn", ("x", "y")),
                LabelRequirement("d", "Exists"),
                LabelRequirement("e", "DoesNotExist"),
            ),
            ("Deployment",),
            ("app", "sidecar"),
        ),
        "default",
    )


def test_what_a_policy_leaves_out_takes_the_crds_default() -> None:
    found = policy(raw("v1", "StaticPolicy", "s", "shop"))
    assert found == Policy(PolicyRef("StaticPolicy", "shop", "s"), 0, None, Scope(), None, None)


@pytest.mark.parametrize("empty", [None, [], {}, ""], ids=repr)
@pytest.mark.parametrize("field", ["workloadTypes", "containers", "labelSelector"])
def test_an_empty_member_of_a_scope_is_as_good_as_none(field: str, empty: object) -> None:
    """An empty list or null; a value of another type is a problem, but for an empty selector."""
    found = policy(raw_policy("StaticPolicy", scope={field: empty}))
    valid = empty is None or (empty == {} if field == "labelSelector" else empty == [])
    assert (found.problem is None) is valid
    assert found.scope == Scope()


@pytest.mark.parametrize("weight", [0, 1, 2**31 - 1])
def test_a_weight(weight: int) -> None:
    assert policy(raw_policy(weight=weight)).weight == weight


NONSENSE: dict[str, dict[str, Any]] = {
    "spec is not an object": {"spec": []},
    "spec.weight is not an int32 of 0 or more": {"spec": {"weight": "heavy"}},
    "spec.scope is not an object": {"spec": {"scope": ["*"]}},
    "spec.scope.workloadTypes is not a list of strings": {"spec": {"scope": {"workloadTypes": "Deployment"}}},
    "spec.scope.containers is not a list of strings": {"spec": {"scope": {"containers": ["app", 7]}}},
    "spec.scope.labelSelector.matchLabels is not an object": {
        "spec": {"scope": {"labelSelector": {"matchLabels": []}}}
    },
    "spec.scope.labelSelector.matchLabels[app] is not a string": {
        "spec": {"scope": {"labelSelector": {"matchLabels": {"app": 1, "b": "2"}}}}
    },
    "spec.scope.labelSelector.matchExpressions is not a list": {
        "spec": {"scope": {"labelSelector": {"matchExpressions": {}}}}
    },
}
EXPRESSION = "spec.scope.labelSelector.matchExpressions has an entry that makes no sense"


@pytest.mark.parametrize("problem", NONSENSE)
def test_a_field_that_makes_no_sense_is_the_policys_problem(problem: str) -> None:
    assert policy({**raw_policy("StaticPolicy"), **NONSENSE[problem]}).problem == problem


@pytest.mark.parametrize("weight", [-1, 2**31, 2**63, "1", 1.0, True, [], {}], ids=repr)
def test_a_weight_that_is_none(weight: Any) -> None:
    found = policy(raw_policy(weight=weight))
    assert (found.weight, found.problem) == (0, "spec.weight is not an int32 of 0 or more")


@pytest.mark.parametrize(
    "selector",
    [
        None, {}, [], "x", {"operator": "In"}, {"operator": "In", "values": []},
        {"operator": "Exists", "values": ["a"]},
        {"operator": "in", "values": ["a"]}, {"values": ["a"]}, {"operator": "In", "values": "a"},
        {"operator": "In", "values": ["a", 1]},
    ],
    ids=repr,
)  # fmt: skip
def test_a_cluster_policy_needs_a_whole_namespace_selector(selector: object) -> None:
    """The CRD requires it; guessing either way could give a wrong winner."""
    found = policy(raw_policy("ClusterStaticPolicy", scope={"namespaceSelector": selector}))
    assert found.problem == "spec.scope.namespaceSelector needs operator In or NotIn and values"


UNHASHABLE: list[object] = [[], {}, ["In"]]


@pytest.mark.parametrize("operator", UNHASHABLE, ids=repr)
def test_an_operator_that_is_no_string_is_a_problem_too(operator: object) -> None:
    selector = {"operator": operator, "values": ["a"]}
    assert policy(raw_policy("ClusterStaticPolicy", scope={"namespaceSelector": selector})).problem is not None


@pytest.mark.parametrize("operator", UNHASHABLE, ids=repr)
def test_a_label_operator_that_is_no_string_is_a_problem_too(operator: object) -> None:
    expressions = [{"key": "a", "operator": operator, "values": ["a"]}]
    assert policy(raw_policy(scope={"labelSelector": {"matchExpressions": expressions}})).problem == EXPRESSION


def test_a_namespaced_policy_needs_no_scope_and_a_cluster_policy_does() -> None:
    assert policy({**raw_policy("StaticPolicy"), "spec": {}}).problem is None
    assert policy({**raw_policy("ClusterStaticPolicy"), "spec": {}}).problem == "spec.scope is missing"
    assert policy({**raw_policy("ClusterStaticPolicy"), "spec": None}).problem == "spec.scope is missing"


def test_a_namespace_selector_of_a_namespaced_policy_is_not_read() -> None:
    found = policy(raw_policy("StaticPolicy", scope={"namespaceSelector": {"operator": "Never"}}))
    assert (found.problem, found.scope.namespace_selector) == (None, None)


@pytest.mark.parametrize(
    "expression",
    [
        None, "a", [], {}, {"key": "a"}, {"operator": "Exists"}, {"key": "", "operator": "Exists"},
        {"key": 1, "operator": "Exists"}, {"key": "a", "operator": "Gt", "values": ["1"]},
        {"key": "a", "operator": "In"},
        {"key": "a", "operator": "In", "values": []}, {"key": "a", "operator": "NotIn", "values": "x"},
        {"key": "a", "operator": "NotIn", "values": [1]},
    ],
    ids=repr,
)  # fmt: skip
def test_a_label_expression_that_makes_no_sense(expression: object) -> None:
    good = {"key": "b", "operator": "Exists"}
    found = policy(raw_policy("StaticPolicy", scope={"labelSelector": {"matchExpressions": [expression, good]}}))
    assert found.problem == EXPRESSION
    assert found.scope.requirements == (LabelRequirement("b", "Exists"),)


def test_the_first_problem_is_the_one_that_is_told() -> None:
    found = policy({**raw_policy("ClusterStaticPolicy"), "spec": {"weight": -1, "scope": []}})
    assert found.problem == "spec.weight is not an int32 of 0 or more"


@pytest.mark.parametrize("created", ["soon", None, 7, "2026-08-01"], ids=repr)
def test_a_policy_without_a_creation_time(created: object) -> None:
    assert policy({**raw_policy(), "metadata": {"name": "s", "creationTimestamp": created}}).created is None


def test_a_policy_that_makes_no_sense_hides_no_other() -> None:
    """It is refused by name, and the others answer."""
    annotations = {hashed_key("StaticPolicy"): envelope("StaticPolicy", "s")}
    bad = [{**raw_policy("StaticPolicy", f"bad-{index}"), **members} for index, members in enumerate(NONSENSE.values())]
    answer = answer_to(raw_workload(annotations), *bad, raw_policy("StaticPolicy", "s"))
    assert target_of(answer).winner is not None
    assert {r.policy.name for r in answer.refusals if r.reason is RefusalReason.POLICY_INVALID} == {
        f"bad-{index}" for index in range(len(NONSENSE))
    }


@pytest.mark.parametrize("kind", [kind.name for kind in SCOPED_KINDS])
@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=repr)
def test_a_policys_name_is_kept_as_it_is(kind: str, name: str) -> None:
    assert policy(raw_policy(kind, name)).ref.name == name


# --- Workloads -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [row.name for row in WORKLOAD_KINDS])
def test_the_containers_of_each_workload_kind_come_from_its_template(kind: str) -> None:
    found = decode_workload(raw_workload({"a": "b"}, kind=kind, labels={"c": "d"}, containers=["app", "sidecar"]))
    has_template = next(row.template for row in WORKLOAD_KINDS if row.name == kind)
    names = [container.name for container in found.containers or ()]
    assert names == (["app", "sidecar"] if has_template else [])
    assert (found.containers is None) is (not has_template)
    assert (found.kind, found.namespace, found.name) == (kind, "shop", "web")
    assert (found.annotations, found.labels) == ({"a": "b"}, {"c": "d"})


def test_init_containers_stand_last_and_only_native_sidecars_can_be_resized() -> None:
    workload = raw_workload(containers=["app"])
    workload["spec"]["template"]["spec"]["initContainers"] = [
        {"name": "setup"}, {"name": "proxy", "restartPolicy": "Always"}, {"name": "odd", "restartPolicy": "OnFailure"},
    ]  # fmt: skip
    found = decode_workload(workload).containers or ()
    assert [(c.name, c.resizable) for c in found] == [("app", True), ("setup", False), ("proxy", True), ("odd", False)]


def test_requests_and_limits_are_kept_apart_for_every_container() -> None:
    """Not only the last one, and never one for the other."""
    members: list[str | dict[str, Any]] = [
        {
            "name": "a",
            "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "2Gi"}},
        },
        {"name": "b", "resources": {"requests": {"cpu": "3"}}},
        {"name": "c", "resources": {"limits": {"cpu": "4", "nvidia.com/gpu": "1"}}},
        {"name": "d"},
    ]
    a, b, c, d = decode_workload(raw_workload(containers=members)).containers or ()
    assert (a.value(Usage.REQUESTS, "cpu"), a.value(Usage.LIMITS, "cpu")) == ("1", "2")
    assert (a.value(Usage.REQUESTS, "memory"), a.value(Usage.LIMITS, "memory")) == ("1Gi", "2Gi")
    assert (b.value(Usage.REQUESTS, "cpu"), b.value(Usage.LIMITS, "cpu")) == ("3", None)
    assert (c.value(Usage.REQUESTS, "cpu"), c.value(Usage.LIMITS, "cpu")) == (None, "4")
    assert (c.value(Usage.LIMITS, "gpu"), d.value(Usage.LIMITS, "gpu")) == ("1", None)


@pytest.mark.parametrize("containers", [None, "app", {}, 7], ids=repr)
def test_a_template_without_a_list_of_containers_is_none(containers: object) -> None:
    workload = raw_workload()
    workload["spec"]["template"]["spec"]["containers"] = containers
    assert decode_workload(workload).containers is None


def test_members_that_are_no_containers_are_left_out() -> None:
    workload = raw_workload()
    workload["spec"]["template"]["spec"]["containers"] = [None, "x", {"image": "y"}, {"name": 7}, {"name": "app"}]
    assert [c.name for c in decode_workload(workload).containers or ()] == ["app"]


def test_labels_and_annotations_that_are_no_strings_are_left_out() -> None:
    found = decode_workload(
        {"kind": "Deployment", "metadata": {"labels": {"a": 1, "b": "2"}, "annotations": {"c": None}}}
    )
    assert (found.labels, found.annotations, found.name, found.namespace, found.api_version) == (
        {"b": "2"},
        {},
        "",
        "",
        "",
    )


@pytest.mark.parametrize("missing", ["metadata", "spec", "kind", "apiVersion"])
def test_a_workload_without_a_member_gives_an_answer(missing: str) -> None:
    workload = raw_workload({hashed_key("StaticPolicy"): envelope("StaticPolicy", "s")})
    subject, found = gathered(workload, [raw_policy("StaticPolicy", "s")])
    del workload[missing]
    assert snapshot_of(subject, found).workload is not None


# --- Pods ------------------------------------------------------------------------------------------------------------


def test_a_pods_resources_come_from_its_status_where_it_reports_them() -> None:
    """Container by container; else from its spec."""
    pod = raw_pod(
        "web-1", raw_container("app", {"cpu": "1"}), raw_container("old", {"cpu": "2"}),
        status={
            "containerStatuses": [
                {"name": "app", "resources": {"requests": {"cpu": "250m"}, "limits": {"cpu": "500m"}}},
                {"name": "old", "ready": True},
            ]
        },
    )  # fmt: skip
    app, old = decode_pod(pod).containers
    assert (app.value(Usage.REQUESTS, "cpu"), app.value(Usage.LIMITS, "cpu")) == ("250m", "500m")
    assert old.value(Usage.REQUESTS, "cpu") == "2"


def test_a_native_sidecars_resources_come_from_the_init_containers_status() -> None:
    pod = raw_pod(status={"initContainerStatuses": [{"name": "proxy", "resources": {"requests": {"cpu": "7m"}}}]})
    pod["spec"]["initContainers"] = [{"name": "proxy", "restartPolicy": "Always"}]
    assert decode_pod(pod).containers[1].value(Usage.REQUESTS, "cpu") == "7m"


def test_a_status_that_reports_no_resources_says_that_none_apply() -> None:
    pod = raw_pod(
        "web-1", raw_container("app", {"cpu": "1"}), status={"containerStatuses": [{"name": "app", "resources": {}}]}
    )
    assert decode_pod(pod).containers[0].value(Usage.REQUESTS, "cpu") is None


@pytest.mark.parametrize(
    "status",
    [
        None, [], "Running", {"phase": "Running"}, {"phase": None, "conditions": None, "containerStatuses": None},
        {"containerStatuses": {}}, {"containerStatuses": [None, 7, {}, {"name": None, "resources": {}}]},
        {"containerStatuses": [{"name": "app", "resources": None}]},
        {"containerStatuses": [{"name": ["app"], "resources": 5}]},
    ],
    ids=repr,
)  # fmt: skip
def test_a_pod_with_missing_or_odd_status_lists_is_read_from_its_spec(status: object) -> None:
    pod = {**raw_pod("web-1", raw_container("app", {"cpu": "1"})), "status": status}
    found = decode_pod(pod)
    assert found.containers[0].value(Usage.REQUESTS, "cpu") == "1"
    assert found.phase == ("Running" if status == {"phase": "Running"} else "Unknown")


def test_a_pod_on_its_way_out() -> None:
    assert decode_pod(raw_pod(metadata={"deletionTimestamp": "2026-08-01T10:00:00Z"})).terminating
    assert not decode_pod(raw_pod()).terminating
    assert not decode_pod(raw_pod(metadata={"deletionTimestamp": None})).terminating


def test_a_gpu_shows_as_devices_or_as_a_fraction() -> None:
    devices = raw_pod(
        "a", {"name": "app", "resources": {"requests": {"nvidia.com/gpu": "2"}, "limits": {"nvidia.com/gpu": "2"}}}
    )
    found = decode_pod(devices).containers[0]
    assert (found.value(Usage.REQUESTS, "gpu"), found.value(Usage.LIMITS, "gpu")) == ("2", "2")
    fraction = decode_pod(raw_pod(annotations={"gpu-fraction": "0.7"})).containers[0]
    assert (fraction.value(Usage.REQUESTS, "gpu"), fraction.value(Usage.LIMITS, "gpu")) == ("0.7", None)


def test_devices_count_before_a_fraction() -> None:
    both = raw_pod(
        "a", {"name": "app", "resources": {"requests": {"nvidia.com/gpu": "1"}}}, annotations={"gpu-fraction": "0.7"}
    )
    assert decode_pod(both).containers[0].value(Usage.REQUESTS, "gpu") == "1"


@pytest.mark.parametrize(
    ("amount", "text"), [(1, "1"), (0.5, "0.5"), ("1", "1"), (True, None), (None, None), ([], None)]
)
def test_a_bare_number_is_a_quantity_too(amount: object, text: str | None) -> None:
    """The API takes `cpu: 1`."""
    pod = raw_pod("a", {"name": "app", "resources": {"requests": {"cpu": amount}}})
    assert decode_pod(pod).containers[0].value(Usage.REQUESTS, "cpu") == text


# --- The two singletons ----------------------------------------------------------------------------------------------


def test_a_precedence_as_listed() -> None:
    found = decode_precedence([raw_precedence(("A", 1), ("B", 0), ("A", 2**31 - 1), resourceVersion="42")], None)
    assert found.found is True
    assert found.entries == (Entry(1, "A", 1), Entry(2, "B", 0), Entry(3, "A", 2**31 - 1))
    assert (found.malformed, found.resource_version, found.other_objects, found.gap) == ((), "42", (), None)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("90", '"90"'), (-1, "-1"), (2**31, "2147483648"), (2**63, "9223372036854775808"), (True, "true"),
        (None, "null"),
        (1.5, "1.5"), (90.0, "90.0"), ([], "a list"), ({"a": 1}, "an object"), (float("nan"), "NaN"),
        ("\u0665", '"\u0665"'),
        ("x" * 200, '"' + "x" * 80 + '"'), (10**40, "a huge number"),
    ],
    ids=lambda value: str(value)[:12],
)  # fmt: skip
def test_a_priority_that_is_none_is_kept_as_written(value: object, written: str) -> None:
    found = decode_precedence([raw_precedence(("A", value), ("B", 7))], None)
    assert found.entries == (Entry(1, "A", None, written), Entry(2, "B", 7))
    assert [p.code for p in found.problems() if p.type == "A"] == [
        ProblemCode.UNKNOWN_TYPE,
        ProblemCode.INVALID_PRIORITY,
    ]


def test_a_missing_priority_is_none_either() -> None:
    document = {**raw_precedence(), "spec": {"precedence": [{"type": "StaticPolicy"}]}}
    assert decode_precedence([document], None).entries == (Entry(1, "StaticPolicy", None, "null"),)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("value", [nested(100_000), 16**5_000], ids=["deep", "long"])
def test_a_hostile_priority_is_none_either(value: object) -> None:
    assert decode_precedence([raw_precedence(("A", value))], None).entries[0].priority is None


@pytest.mark.parametrize("spec", [None, {}, {"precedence": None}, {"precedence": []}, [], "x", 7], ids=repr)
def test_a_singleton_without_a_list_is_empty(spec: object) -> None:
    """Also one whose spec is no object: there is no list in it."""
    document = {**raw_precedence(), "spec": spec}
    found = decode_precedence([document], None)
    assert (found.found, found.entries, found.malformed) == (True, (), ())
    assert found.problems()[0] == Problem(ProblemCode.EMPTY)
    del document["spec"]
    assert decode_precedence([document], None).entries == ()


@pytest.mark.parametrize("listed", ["x", 7, {}, True], ids=repr)
def test_a_list_that_is_none(listed: object) -> None:
    found = decode_precedence([{**raw_precedence(), "spec": {"precedence": listed}}], None)
    assert found.malformed == (Problem(ProblemCode.MALFORMED, detail="spec.precedence is not a list"),)


@pytest.mark.parametrize(
    "entry", [None, "A", 7, [], {}, {"type": None}, {"type": ""}, {"type": 7}, {"Type": "A"}], ids=repr
)
def test_an_entry_without_a_type_keeps_its_position(entry: object) -> None:
    document = {
        **raw_precedence(),
        "spec": {"precedence": [{"type": "A", "priority": 1}, entry, {"type": "B", "priority": 2}]},
    }
    found = decode_precedence([document], None)
    assert found.entries == (Entry(1, "A", 1), Entry(3, "B", 2))
    assert found.malformed == (Problem(ProblemCode.MALFORMED, positions=(2,), detail="an entry without a type"),)


def test_the_singleton_is_the_one_of_that_name() -> None:
    others = [raw_precedence(("X", 9), name=name) for name in ("z", "a", "0012")]
    found = decode_precedence([*others, raw_precedence(("A", 1))], None)
    assert (found.entries, found.other_objects) == ((Entry(1, "A", 1),), ("0012", "a", "z"))


@pytest.mark.parametrize("reason", list(GapReason))
def test_a_singleton_that_could_not_be_read_is_not_a_missing_one(reason: GapReason) -> None:
    gap = a_gap("PolicyEvaluation", reason)
    found = decode_precedence([], gap)
    assert found.found is (False if reason is GapReason.NOT_SERVED else None)
    assert found.gap == gap
    assert decode_precedence([], None).found is False


def test_a_singleton_that_was_read_all_the_same_counts() -> None:
    assert decode_precedence([raw_precedence()], a_gap("PolicyEvaluation")).found is True


HELM = {
    "labels": {"app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/instance": "stack"},
    "annotations": {"meta.helm.sh/release-name": "kubex", "meta.helm.sh/release-namespace": "ops"},
}


@pytest.mark.parametrize(
    ("metadata", "manager"),
    [
        ({}, Manager()),
        (HELM, Manager("kubex", "ops")),
        ({"labels": HELM["labels"]}, Manager("stack")),
        ({"annotations": {"meta.helm.sh/release-name": "kubex"}}, Manager("kubex")),
        ({"labels": {"app.kubernetes.io/managed-by": "Helm"}}, Manager("unknown")),
        ({"labels": {"app.kubernetes.io/managed-by": "me", "app.kubernetes.io/instance": "stack"}}, Manager()),
        ({"annotations": {"meta.helm.sh/release-namespace": "ops"}}, Manager()),
        ({"labels": {"argocd.argoproj.io/instance": "apps"}}, Manager(argocd="apps")),
        ({"annotations": {"argocd.argoproj.io/tracking-id": "apps:x"}}, Manager(argocd="apps:x")),
        ({"labels": {"helm.toolkit.fluxcd.io/name": "hr"}}, Manager(flux="hr")),
        ({"labels": {"kustomize.toolkit.fluxcd.io/name": "ks"}}, Manager(flux="ks")),
        (
            {"managedFields": [{"manager": "kubectl"}, {"manager": "helm"}, {"manager": "helm"},
            None, {}, {"manager": 7}]},
            Manager(field_managers=("helm", "kubectl")),
        ),
        ({"labels": None, "annotations": [], "managedFields": "x"}, Manager()),
    ],
    ids=str,
)  # fmt: skip
def test_who_manages_an_object(metadata: dict[str, Any], manager: Manager) -> None:
    assert decode_manager({"metadata": metadata}) == manager


@pytest.mark.parametrize(
    ("spec", "engine"),
    [
        (
            {"multiPolicyContainerRightsizingEnabled": True, "automationEnabled": True},
            Engine(True, True, None, Generation.MULTI_POLICY),
        ),
        (
            {"multiPolicyContainerRightsizingEnabled": False, "automationEnabled": False},
            Engine(False, False, None, Generation.MULTI_POLICY),
        ),
        ({"automationEnabled": True}, Engine(False, True, None, Generation.OLDER)),
        ({}, Engine(False, True, None, Generation.OLDER)),
        (None, Engine(False, True, None, Generation.OLDER)),
        (
            {"multiPolicyContainerRightsizingEnabled": "true", "automationEnabled": "no"},
            Engine(None, None, None, Generation.MULTI_POLICY),
        ),
    ],
    ids=str,
)
def test_what_the_global_configuration_says_of_the_engine(spec: object, engine: Engine) -> None:
    assert decode_engine([{**raw_configuration(), "spec": spec}], []) == engine


def test_only_the_configuration_of_that_name_counts() -> None:
    other = {**raw_configuration(), "metadata": {"name": "other"}}
    assert decode_engine([other], []) == Engine()
    assert decode_engine([], []) == Engine()
    assert decode_engine([other, raw_configuration()], []).multi_policy is True


@pytest.mark.parametrize(
    ("chart", "version"),
    [
        ("kubex-automation-engine-1.12.0", "1.12.0"),
        ("kubex-automation-stack-2.0.0", None),
        ("", None),
        ("kubex-automation-engine-", ""),
    ],
)
def test_the_version_is_the_charts_label_on_either_singleton(chart: str, version: str | None) -> None:
    labels = {"helm.sh/chart": chart}
    evaluation = raw_precedence(labels=labels)
    configuration = {**raw_configuration(), "metadata": {"name": "global-config", "labels": labels}}
    assert decode_engine([configuration], []).version == version
    assert decode_engine([], [evaluation]).version == version
    assert decode_engine([raw_configuration()], [evaluation]).version == version


# --- The whole snapshot ----------------------------------------------------------------------------------------------


def test_namespaced_policies_of_other_namespaces_are_left_out_unless_asked_for() -> None:
    objects = [
        raw_policy("StaticPolicy", "here"),
        raw_policy("StaticPolicy", "there", namespace="other"),
        raw_policy("ClusterStaticPolicy", "wide"),
    ]
    subject, found = gathered(raw_workload(), objects)
    assert {p.ref.name for p in snapshot_of(subject, found).policies} == {"here", "wide"}
    assert {p.ref.name for p in snapshot_of(subject, found, all_namespaces=True).policies} == {"here", "there", "wide"}


def test_policies_stand_in_the_tables_order_then_by_namespace_and_name() -> None:
    objects = [raw_policy(kind.name, name, namespace=ns) for kind in SCOPED_KINDS[::-1] for ns in "ba" for name in "yx"]
    found = policies_of(gathered(raw_workload(), objects)[1].objects, None)
    order = [(p.ref.kind, p.ref.namespace or "", p.ref.name) for p in found]
    kinds = [kind.name for kind in SCOPED_KINDS]
    assert order == sorted(order, key=lambda ref: (kinds.index(ref[0]), ref[1], ref[2]))
    assert len(order) == 4 * len(SCOPED_KINDS)


def test_gaps_of_objects_and_of_the_subject_are_kept_once_each() -> None:
    gaps = [a_gap("Pod"), a_gap("StaticPolicy"), a_gap("StaticPolicy")]
    subject, found = gathered(raw_workload(), gaps=gaps)
    snapshot = snapshot_of(subject, found)
    assert snapshot.gaps == (a_gap("StaticPolicy"), a_gap("Pod"))
    assert snapshot.pods is None
    assert snapshot.source == found.source


def test_selection_asks_for_every_scoped_kind_and_both_singletons() -> None:
    assert set(WHY_KINDS) == {kind.name for kind in SCOPED_KINDS} | {"PolicyEvaluation", "GlobalConfiguration"}


def answers(workload: Any, *objects: Any, pods: Any = ()) -> Answer:
    return answer_to(workload, *objects, pods=pods)


@given(st.sampled_from([kind.name for kind in SCOPED_KINDS]), json_values(20), json_values())
def test_no_policy_makes_an_answer_fail(kind: str, spec: Any, metadata: Any) -> None:
    """Arbitrary JSON in place of spec and of metadata; the other policy is still there."""
    try:
        answer = answers(
            raw_workload({hashed_key("StaticPolicy"): envelope("StaticPolicy", "s")}),
            raw_policy("StaticPolicy", "s"),
            {"kind": kind, "metadata": metadata, "spec": spec},
            {"kind": kind, "metadata": {"name": "x", "namespace": "shop"}, "spec": spec},
        )
    except TypeError as error:
        # Known, see test_an_operator_that_is_no_string_is_a_problem_too.
        assert "unhashable" in str(error)  # noqa: PT017
        return
    assert target_of(answer).ranking


@given(json_values(20))
def test_no_scope_makes_an_answer_fail(scope: Any) -> None:
    try:
        policy({"kind": "ClusterStaticPolicy", "metadata": {"name": "x"}, "spec": {"scope": scope}})
        policy({"kind": "StaticPolicy", "metadata": {"name": "x"}, "spec": {"scope": {"labelSelector": scope}}})
    except TypeError as error:
        assert "unhashable" in str(error)  # noqa: PT017


@given(json_values(20), json_values())
def test_no_singleton_makes_an_answer_fail(spec: Any, metadata: Any) -> None:
    """Arbitrary JSON in place of spec and metadata of either."""
    workload = raw_workload({hashed_key("StaticPolicy"): envelope("StaticPolicy", "s")})
    for kind, name in (("PolicyEvaluation", "policy-evaluation"), ("GlobalConfiguration", "global-config")):
        odd = {"kind": kind, "metadata": {"name": name}, "spec": spec}
        nameless = {"kind": kind, "metadata": metadata, "spec": {"precedence": spec}}
        assert target_of(answers(workload, raw_policy("StaticPolicy", "s"), odd, nameless)).ranking


@given(json_values(20), json_values(20), json_values())
def test_no_workload_and_no_pod_makes_an_answer_fail(spec: Any, status: Any, metadata: Any) -> None:
    workload = raw_workload({hashed_key("StaticPolicy"): envelope("StaticPolicy", "s")})
    pods = [
        {"metadata": metadata, "spec": spec, "status": status},
        {
            "metadata": {"name": "p", "annotations": metadata},
            "spec": {"containers": spec},
            "status": {"containerStatuses": status},
        },
        raw_pod("good", raw_container("app", {"cpu": "1"})),
    ]
    answer = answers(workload, raw_policy("StaticPolicy", "s"), pods=pods)
    assert target_of(answer).winner is not None
    assert "1" in [applied.value for applied in target_of(answer).applied or ()]
    answers({"kind": "Deployment", "metadata": {"annotations": metadata}, "spec": {"template": spec}})
    answers(
        {
            "kind": "Deployment",
            "metadata": {"annotations": metadata},
            "spec": {"template": {"spec": {"containers": spec}}},
        }
    )


@given(
    st.dictionaries(
        st.sampled_from([hashed_key(k.name, d) for k in SCOPED_KINDS[:8] for d in "AB"]), json_values(15), max_size=4
    )
)
def test_no_annotation_makes_an_answer_fail(payloads: dict[str, Any]) -> None:
    annotations = {key: json.dumps(payload) for key, payload in payloads.items()}
    good = hashed_key("StaticPolicy", "good")
    answer = answers(
        raw_workload({**annotations, good: envelope("StaticPolicy", "s")}), raw_policy("StaticPolicy", "s")
    )
    assert good in [place.candidate.key for place in target_of(answer).ranking]


@pytest.mark.parametrize("name", HOSTILE_NAMES, ids=repr)
def test_hostile_names_everywhere_change_no_answer(name: str) -> None:
    """Names such as 0012 or 1e3, control characters, lone surrogates: text all the way."""
    annotations = {hashed_key("StaticPolicy"): envelope("StaticPolicy", name or "s", {"app": {"cpu": "1"}})}
    workload = raw_workload(annotations, labels={name: name})
    answer = answers(
        workload,
        raw_policy("StaticPolicy", name or "s"),
        raw_precedence(name=name),
        raw_precedence(),
        pods=[raw_pod(name)],
    )
    winner = target_of(answer).winner
    assert winner is not None
    assert winner.policy.name == (name or "s")
    assert answer.snapshot.precedence.other_objects == (name,)


@pytest.mark.parametrize(("named", "holder"), [(None, "server"), ("worker", "worker"), ("nobody", None)])
def test_a_gpu_fraction_belongs_to_one_container(named: str | None, holder: str | None) -> None:
    """KAI gives it to the first container, or to the one that an annotation names."""
    annotations = {"gpu-fraction": "0.5"} | ({"gpu-fraction-container-name": named} if named else {})
    pod = decode_pod(raw_pod("a", {"name": "server"}, {"name": "worker"}, annotations=annotations))
    held = [container.name for container in pod.containers if container.value(Usage.REQUESTS, "gpu")]
    assert held == [holder] * bool(holder)
