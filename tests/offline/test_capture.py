"""A capture: what it says, what it leaves out, and that a question asked of it gets the same answer."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
import yaml

from kubectl_kubex.codec.capture import capture, capture_json, capture_yaml
from kubectl_kubex.codec.gathered import Gathered, Objects, Subject
from kubectl_kubex.codec.snapshot import WHY_KINDS, snapshot_of
from kubectl_kubex.core.kinds import KINDS
from kubectl_kubex.core.model import Gap, GapReason, SourceInfo
from kubectl_kubex.errors import WorkloadNotFound
from kubectl_kubex.offline import DemoSource, FileSource

from .raw import ENGINE, Object, an_object, ask, names, owned, reference_of, source_of, subject_of, text_of

AT = datetime(2026, 11, 30, 10, 0, 0, 999, timezone(timedelta(hours=1)))
FORBIDDEN = Gap("ClusterStaticPolicy", GapReason.FORBIDDEN, "clusterstaticpolicies is forbidden", "list clusterstatic")
UNSERVED = Gap("GpuReactivePolicy", GapReason.NOT_SERVED, "no such resource", "list gpureactivepolicies")


def a_subject(**changes: Any) -> Subject:
    web = an_object("Deployment", "web", uid="w", labels={"app": "web"}, resourceVersion="17")
    replica_set = owned(an_object("ReplicaSet", "web-1", uid="r"), web)
    pods = tuple(owned(an_object("Pod", name), replica_set) for name in ("web-1-b", "web-1-a"))
    return Subject(reference_of("deploy/web"), web, changes.pop("pods", pods), (replica_set,), **changes)


def a_live_answer(*subjects: Subject, gaps: tuple[Gap, ...] = (FORBIDDEN, UNSERVED)) -> Gathered:
    missing = {gap.kind for gap in gaps}
    by_kind: dict[str, tuple[Object, ...]] = {kind: () for kind in WHY_KINDS if kind not in missing}
    by_kind["StaticPolicy"] = (an_object("StaticPolicy", "floor"), an_object("StaticPolicy", "base"))
    by_kind["PolicyEvaluation"] = (an_object("PolicyEvaluation", "policy-evaluation", resourceVersion="5"),)
    return Gathered(SourceInfo("prod", "https://api:6443"), Objects(by_kind, gaps), subjects or (a_subject(),))


def text(gathered: Gathered, namespace: str | None = "shop", *, whole: bool = False) -> str:
    return capture_yaml(capture(gathered, AT, "1.2.3", namespace=namespace, whole=whole))


def read_back(gathered: Gathered, namespace: str | None = "shop") -> FileSource:
    return source_of(text(gathered, namespace))


def test_the_header() -> None:
    header = next(yaml.safe_load_all(text(a_live_answer())))
    assert header == {
        "apiVersion": "kubectl-kubex/v1",
        "kind": "Capture",
        "capturedAt": "2026-11-30T09:00:00Z",
        "toolVersion": "1.2.3",
        "source": {"context": "prod", "server": "https://api:6443"},
        "namespace": "shop",
        "whole": False,
        "kinds": sorted(set(WHY_KINDS) - {FORBIDDEN.kind, UNSERVED.kind}),
        "nodes": [],
        "gaps": [
            {"kind": gap.kind, "reason": gap.reason.value, "detail": gap.detail, "request": gap.request}
            for gap in (FORBIDDEN, UNSERVED)
        ],
        "subjects": [
            {"kind": "Deployment", "namespace": "shop", "name": "web", "pods": ["web-1-b", "web-1-a"], "gaps": []}
        ],
    }


def test_the_same_capture_twice() -> None:
    assert text(a_live_answer()) == text(a_live_answer())


def test_the_objects() -> None:
    _, *found = yaml.safe_load_all(text(a_live_answer()))
    assert [f"{each['kind']}/{each['metadata']['name']}" for each in found] == [
        "Deployment/web", "ReplicaSet/web-1", "Pod/web-1-b", "Pod/web-1-a", "PolicyEvaluation/policy-evaluation",
        "StaticPolicy/floor", "StaticPolicy/base",
    ]  # fmt: skip


def test_what_lists_leave_out_is_put_back() -> None:
    pod, policy = {"metadata": {"name": "p"}}, {"metadata": {"name": "q"}}
    answer = Gathered(SourceInfo(), Objects({"StaticPolicy": (policy,)}), (a_subject(pods=(pod,)),))
    _, _, _, *found = yaml.safe_load_all(text(answer))
    assert [(each["apiVersion"], each["kind"]) for each in found] == [("v1", "Pod"), (ENGINE, "StaticPolicy")]


@pytest.mark.parametrize("form", [capture_yaml, capture_json])
@pytest.mark.parametrize("namespace", ["shop", None])
@pytest.mark.parametrize("gaps", [(), (FORBIDDEN,), (FORBIDDEN, UNSERVED)])
def test_asked_again_it_answers_the_same(form: Any, namespace: str | None, gaps: tuple[Gap, ...]) -> None:
    live = a_live_answer(gaps=gaps)
    source = source_of(form(capture(live, AT, "", namespace=namespace)))
    again = ask(source, "deploy/web")
    assert snapshots(again) == snapshots(live)
    assert again.source == SourceInfo("prod", "https://api:6443", True, "2026-11-30T09:00:00Z", ("-",))


def snapshots(gathered: Gathered) -> list[Any]:
    found = (snapshot_of(subject, gathered) for subject in gathered.subjects if isinstance(subject, Subject))
    return [{**vars(snapshot), "source": None} for snapshot in found]


@pytest.mark.parametrize(
    "subject",
    [
        a_subject(pods=()),
        a_subject(pods=None, gaps=(Gap("Pod", GapReason.FORBIDDEN, "pods is forbidden", "list pods"),)),
        a_subject(gaps=(Gap("ReplicaSet", GapReason.FORBIDDEN, "replicasets is forbidden", "list replicasets"),)),
    ],
    ids=["no pods", "no right to pods", "no right to ReplicaSets"],
)
def test_what_was_not_to_be_had_of_a_workload(subject: Subject) -> None:
    live = a_live_answer(subject)
    again = ask(read_back(live), "web")
    assert snapshots(again) == snapshots(live)


def test_pods_keep_the_order_that_they_were_read_in() -> None:
    assert names(subject_of(read_back(a_live_answer()), "web").pods) == ["web-1-b", "web-1-a"]


def test_a_pod_in_it_leads_to_its_owner() -> None:
    subject = subject_of(read_back(a_live_answer()), "pod/web-1-a")
    assert (subject.workload["kind"], len(subject.pods or ())) == ("Deployment", 2)


def test_asked_for_more_than_it_holds_it_says_so() -> None:
    live = a_live_answer(gaps=())
    source = read_back(live)
    strategies = ask(source, "web", kinds=["AutomationStrategy", "StaticPolicy"]).objects
    assert [gap.kind for gap in strategies.gaps] == ["AutomationStrategy"]
    elsewhere = source.gather([], "payments", ["StaticPolicy", "ClusterStaticPolicy"]).objects
    detail = "the capture holds those of namespace shop only"
    assert elsewhere.gaps == (Gap("StaticPolicy", GapReason.NOT_IN_INPUT, detail),)
    assert source.gather([], "shop", ["StaticPolicy"], all_namespaces=True).objects.gaps == elsewhere.gaps
    everywhere = read_back(live, None)
    assert everywhere.gather([], "payments", ["StaticPolicy"], all_namespaces=True).objects.gaps == ()


def test_its_objects_do_not_show_that_all_of_a_kind_were_read() -> None:
    live = a_live_answer(gaps=(Gap("StaticPolicy", GapReason.SERVER_ERROR, "500", "list"),))
    (gap,) = ask(read_back(live), "web").objects.gaps
    assert gap.reason is GapReason.SERVER_ERROR


def test_what_it_lacks_another_input_may_give() -> None:
    more = text_of(an_object("ClusterStaticPolicy", "c"), an_object("StaticPolicy", "x", "payments"))
    source = source_of(text(a_live_answer()) + more)  # one stream is one file, and so one capture
    assert [gap.kind for gap in ask(source).objects.gaps] == [FORBIDDEN.kind, UNSERVED.kind]


def test_another_file_completes_it(tmp_path: Any) -> None:
    (tmp_path / "more.yaml").write_text(text_of(an_object("ClusterStaticPolicy", "c"), an_object("Pod", "web-1-c")))
    source = source_of(text(a_live_answer()), str(tmp_path / "more.yaml"))
    assert [gap.kind for gap in ask(source).objects.gaps] == [UNSERVED.kind]
    assert names(subject_of(source, "web").pods) == ["web-1-a", "web-1-b"]


def test_of_several_captures_the_newest_gives_the_time(tmp_path: Any) -> None:
    older = capture(a_live_answer(), AT - timedelta(days=1), "", namespace="shop")
    older[0]["source"] = {"context": "prod", "server": "https://other"}
    (tmp_path / "old.yaml").write_text(capture_yaml(older))
    found = ask(source_of(text(a_live_answer()), str(tmp_path / "old.yaml"))).source
    assert (found.context, found.server, found.captured_at) == ("prod", None, "2026-11-30T09:00:00Z")


def test_a_whole_capture_has_all_workloads_and_another_has_not() -> None:
    live = a_live_answer(gaps=(Gap("DaemonSet", GapReason.FORBIDDEN, "no", "list daemonsets"),))
    whole, asked = source_of(text(live, None, whole=True)), source_of(text(live, None))
    assert [(gap.kind, gap.reason) for gap in whole.workloads(None).gaps] == [("DaemonSet", GapReason.FORBIDDEN)]
    assert {gap.kind for gap in asked.workloads(None).gaps} == {
        "Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job",
    }  # fmt: skip
    assert ask(whole, kinds=["StaticPolicy"]).objects.gaps == ()


def test_a_workload_that_could_not_be_had_is_left_out() -> None:
    live = a_live_answer()
    failed = Gathered(live.source, live.objects, (*live.subjects, WorkloadNotFound("deployments.apps", "x", "shop")))
    assert text(failed) == text(live)


SECRET = "hunter2"


def secretive() -> Gathered:
    """Every place in which the objects that are read may hold something secret."""
    container = {
        "name": "app",
        "image": "web:1",
        "env": [{"name": f"PASS_{SECRET}", "value": SECRET}],
        "envFrom": [{"secretRef": {"name": SECRET}}],
        "args": [f"--password={SECRET}"],
        "command": ["sh", "-c", SECRET],
        "livenessProbe": {"httpGet": {"httpHeaders": [{"name": "Authorization", "value": SECRET}]}},
        "lifecycle": {"preStop": {"exec": {"command": [SECRET]}}},
        "volumeMounts": [{"name": SECRET}],
        "resources": {"requests": {"cpu": "250m"}},
    }
    pod_spec = {
        "containers": [container],
        "initContainers": [{**container, "restartPolicy": "Always"}],
        "ephemeralContainers": [container],
        "volumes": [{"name": "v", "csi": {"volumeAttributes": {"token": SECRET}}}],
        "imagePullSecrets": [{"name": SECRET}],
    }
    annotations = {
        "kubectl.kubernetes.io/last-applied-configuration": SECRET,
        "ad.datadoghq.com/app.instances": SECRET,
        "x.notkubex.ai/pass": SECRET,
        "containerargspolicy.rightsizing.kubex.ai/pod-runtime-hook": SECRET,
        "static.rightsizing.kubex.ai/desired-resource-requests": "{}",
        "gpu-fraction": "0.5",
    }
    template = {"metadata": {"annotations": annotations}, "spec": pod_spec}
    managed = [{"manager": "kubectl", "fieldsV1": {SECRET: {}}}]
    noisy: Any = {"annotations": annotations, "managedFields": managed}
    web = an_object("Deployment", "web", **noisy)
    web["spec"] = {"replicas": 2, "template": template, "progressDeadlineSeconds": 7}
    web["status"] = {"replicas": 2, "conditions": [{"type": "Available", "status": "True", "message": SECRET}]}
    model = an_object("Rollout", "model", **noisy)
    model["spec"] = {"url": SECRET, "env": {"A": SECRET}, "minReplicas": 1}
    cron = an_object("CronJob", "cron", **noisy)
    cron["spec"] = {"schedule": "* * * * *", "jobTemplate": {"metadata": noisy, "spec": {"template": template}}}
    pod = an_object("Pod", "web-1", **noisy)
    pod["spec"] = pod_spec
    waiting = {"terminated": {"message": SECRET}}
    pod["status"] = {"phase": "Running", "message": SECRET, "containerStatuses": [{"name": "app", "state": waiting}]}
    arguments = an_object("ContainerArgsPolicy", "args", **noisy)
    arguments["spec"] = {"weight": 3, "containers": {"app": {"args": [{"name": "--pass", "value": SECRET}]}}}
    patch = an_object("ObjectPatch", "patch")
    patch["spec"] = {"retryAmount": 3, "patch": {"stringData": {"p": SECRET}}}
    evaluation = an_object("PolicyEvaluation", "policy-evaluation", **noisy)
    objects = {"ContainerArgsPolicy": (arguments,), "ObjectPatch": (patch,), "PolicyEvaluation": (evaluation,)}
    subjects = tuple(Subject(reference_of("x"), raw, (pod,), (model,)) for raw in (web, cron))
    return Gathered(SourceInfo(), Objects(objects), subjects)


def test_nothing_secret_is_kept() -> None:
    assert SECRET not in text(secretive())


def test_what_the_answer_needs_is_kept() -> None:
    found = {each["kind"]: each for each in yaml.safe_load_all(text(secretive()))}
    container = {"name": "app", "image": "web:1", "resources": {"requests": {"cpu": "250m"}}}
    sidecar = {**container, "restartPolicy": "Always"}
    annotations = {
        "containerargspolicy.rightsizing.kubex.ai/pod-runtime-hook": "",
        "static.rightsizing.kubex.ai/desired-resource-requests": "{}",
        "gpu-fraction": "0.5",
    }
    template = {
        "metadata": {"annotations": annotations},
        "spec": {"containers": [container], "initContainers": [sidecar]},
    }
    assert found["Deployment"]["metadata"]["annotations"] == annotations
    assert found["Deployment"]["spec"] == {"replicas": 2, "template": template}
    assert found["Deployment"]["status"] == {"replicas": 2, "conditions": [{"type": "Available", "status": "True"}]}
    assert found["Rollout"]["spec"] == {"minReplicas": 1}
    assert found["CronJob"]["spec"] == {
        "schedule": "* * * * *",
        "jobTemplate": {"metadata": {"annotations": annotations}, "spec": {"template": template}},
    }
    assert found["Pod"]["status"] == {"phase": "Running", "containerStatuses": [{"name": "app"}]}
    assert found["ContainerArgsPolicy"]["spec"] == {"weight": 3, "containers": {"app": {"args": [{"name": "--pass"}]}}}
    assert found["ObjectPatch"]["spec"] == {"retryAmount": 3}
    assert found["PolicyEvaluation"]["metadata"]["managedFields"] == [{"manager": "kubectl"}]
    assert "managedFields" not in found["Deployment"]["metadata"]


@pytest.mark.parametrize("odd", [None, 7, "x", []])
def test_odd_objects_stay_odd(odd: Any) -> None:
    """What is of the wrong type is kept, so that the answer about it is the same."""
    web = {**an_object("Deployment", "web"), "spec": {"template": odd}}
    cron = {**an_object("CronJob", "cron"), "spec": {"jobTemplate": {"spec": odd}}}
    rollout = {**an_object("Rollout", "ro"), "spec": {"template": {"metadata": odd, "spec": odd}}}
    pod = {**an_object("Pod", "p"), "spec": odd, "status": {"containerStatuses": odd, "conditions": odd}}
    evaluation = {**an_object("PolicyEvaluation", "policy-evaluation"), "spec": odd}
    subjects = [Subject(reference_of("x"), raw, (pod,)) for raw in (web, cron, rollout)]
    live = a_live_answer(*subjects, gaps=())
    live = Gathered(live.source, Objects({**live.objects.by_kind, "PolicyEvaluation": (evaluation,)}), live.subjects)
    assert snapshots(ask(read_back(live), "deploy/web", "cj/cron", "ro/ro")) == snapshots(live)


def test_every_workload_of_the_demo_answers_the_same_from_its_capture() -> None:
    demo = DemoSource()
    for raw in demo.workloads(None).workloads:
        word, namespace = f"{raw['kind'].lower()}/{raw['metadata']['name']}", raw["metadata"]["namespace"]
        kinds = [kind.name for kind in KINDS]
        asked = ask(demo, word, namespace=namespace, kinds=kinds)
        again = ask(read_back(asked, namespace), word, namespace=namespace)
        expected = snapshots(ask(demo, word, namespace=namespace))
        if "containerargspolicy.rightsizing.kubex.ai/pod-runtime-hook" not in raw["metadata"].get("annotations", {}):
            assert snapshots(again) == expected
        assert again.objects.gaps == ()


def test_a_capture_of_a_capture() -> None:
    first = read_back(a_live_answer())
    later = capture(ask(first, "web"), AT + timedelta(days=1), "2.0.0", namespace="shop")
    second = source_of(capture_yaml(later))
    assert snapshots(ask(second, "web")) == snapshots(ask(first, "web"))
    assert ask(second).source == ask(first).source
    assert json.dumps(names(subject_of(second, "web").between)) == '["web-1"]'


def test_a_capture_of_an_input_that_was_partly_unreadable() -> None:
    broken = source_of(text_of(an_object("Deployment", "web")) + "---\n{")
    again = read_back(ask(broken, "web"))
    assert snapshots(ask(again, "web")) == snapshots(ask(broken, "web"))
