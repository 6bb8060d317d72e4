"""backup, restore, undo, set-priority, edit and create on a real API server."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kubex.codec.precedence_edit import default_object
from tests.apiserver.rest import MERGE_PATCH
from tests.apiserver.rights import rule
from tests.apiserver.server import ApiServer
from tests.cluster.singleton import API_VERSION, NAME, PATH, Plugin, live, priority, put, spec

STRINGS = ["1e3", "08", "0o17", "y", "n", "on", "1.e3", "=", "~", "null", "12:30", "2026-01-01", "0x1F", "+1", ".inf"]
UNDO = "To undo: kubectl kubex undo\n"


@pytest.fixture
def plugin(clean: ApiServer, tmp_path: Path) -> Plugin:
    put(clean)
    return Plugin(clean, tmp_path / "data")


# --- backup -----------------------------------------------------------------------------------------------------------


def test_backup_says_where_it_is_and_is_private(plugin: Plugin) -> None:
    done = plugin("backup")
    path = Path(done.out.strip())
    uid = plugin.server.get("v1", "Namespace", "kube-system")
    assert (done.code, done.err) == (0, "")
    assert uid is not None
    assert path.parent.name == uid["metadata"]["uid"]
    assert re.fullmatch(r"\d{8}T\d{6}\.\d{6}Z-[0-9a-f]{8}\.yaml", path.name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    text = path.read_text()
    for field in (
        "tool: kubectl-kubex v",
        "time: 20",
        "context: kubex-test",
        f"server: {plugin.server.url}",
        "crd: rig",
    ):
        assert f"# {field}" in text
    assert "resourceVersion" not in text
    assert not list(path.parent.glob(".*"))


def test_backup_goes_to_a_file_or_to_stdout(plugin: Plugin, tmp_path: Path) -> None:
    target = tmp_path / "out.yaml"
    assert plugin("backup", "-o", str(target)).out == f"{target}\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    again = plugin("backup", "-o", str(target))
    assert (again.code, again.err) == (2, f"error: {target} exists already; choose another name, or --force\n")
    assert plugin("backup", "-o", str(target), "--force").code == 0
    printed = plugin("backup", "-o", "-")
    assert yaml.safe_load(printed.out)["spec"] == spec(plugin.server)
    assert plugin.backups() == []


def test_keep_counts_the_newest(plugin: Plugin) -> None:
    for _ in range(4):
        plugin("backup")
    newest = plugin.backups()[-1]
    done = plugin("backup", "--keep", "2")
    assert plugin.backups() == [newest, Path(done.out.strip())]
    assert done.err.count("removed ") == 3


def test_keep_spares_what_undo_needs(plugin: Plugin) -> None:
    plugin("set-priority", "proactive=71", "--yes")
    automatic = plugin.backups()
    plugin("backup", "--keep", "1")
    assert len(plugin.backups()) == 2
    assert automatic[0] in plugin.backups()
    assert plugin("undo", "--yes").code == 0
    assert priority(plugin.server, "ProactivePolicy") == 70


def test_list_is_newest_first_with_what_differs(plugin: Plugin) -> None:
    plugin("backup")
    plugin("set-priority", "proactive=71", "--yes")
    done = plugin("backup", "list")
    lines = done.out.splitlines()
    names = [path.name for path in reversed(plugin.backups())]
    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in lines] == ["NAME", *names]
    assert all("ProactivePolicy 71 (here 70)" in line for line in lines[1:])
    assert "automatic before set-priority" in lines[1]
    shown = plugin("backup", "show", "latest")
    assert "Reason:       automatic before set-priority" in shown.out
    assert "-  - priority: 71" in shown.out
    assert "+  - priority: 70" in shown.out


def test_list_works_without_the_server(plugin: Plugin, tmp_path: Path) -> None:
    plugin("backup")
    with plugin.server.shim() as shim:
        pass
    gone = plugin.server.kubeconfig(
        through=shim, cluster={"server": plugin.server.url.replace("127.0.0.1", "127.0.0.2")}
    )
    done = plugin("backup", "list", kubeconfig=gone)
    assert done.code == 5
    assert "No backups of this cluster" in done.err  # another server, and nobody says that it is the same cluster
    same = plugin.server.kubeconfig(credentials={"token": "expired"})
    done = plugin("backup", "list", kubeconfig=same)
    assert done.code == 5
    assert plugin.backups()[0].name in done.out
    assert "<unknown>" in done.out


def test_backup_of_nothing(plugin: Plugin) -> None:
    plugin.server.delete(default_object())
    done = plugin("backup")
    assert (done.code, done.out) == (3, "")
    assert 'policyevaluations.rightsizing.kubex.ai "policy-evaluation" not found' in done.err
    assert plugin.backups() == []


# --- set-priority -----------------------------------------------------------------------------------------------------


def test_set_priority_shows_asks_backs_up_writes_and_says_how_to_undo(plugin: Plugin) -> None:
    before = spec(plugin.server)
    done = plugin("set-priority", "proactive=90", "--yes")
    order = ["--- live", "PLACE", "New tie at 90: ClusterStaticPolicy, ProactivePolicy, StaticPolicy", "Impact: 0 of 0",
             "Owner: ", "policy-evaluation changed", "Fields: ", "To undo: "]  # fmt: skip
    places = [done.out.index(part) for part in order]
    assert done.code == 0
    assert places == sorted(places)
    assert priority(plugin.server, "ProactivePolicy") == 90
    (saved,) = plugin.backups()
    assert done.err == f"backup of the live object: {saved}\n"
    assert yaml.safe_load(saved.read_text())["spec"] == before


def test_undo_leaves_the_spec_as_it_was_and_tells_the_truth_about_ownership(plugin: Plugin) -> None:
    before = spec(plugin.server)
    changed = plugin("set-priority", "--preset", "favor-namespace", "clusterstatic=89", "--yes")
    assert "Fields: spec.precedence is held by kubectl-kubex (before: helm)\n" in changed.out
    undone = plugin("undo", "--yes")
    assert undone.code == 0
    assert undone.out.startswith("Undo: back to ")
    assert spec(plugin.server) == before
    assert "Fields: spec.precedence is held by kubectl-kubex\n" in undone.out
    assert _holders(plugin.server) == {"kubectl-kubex"}
    assert plugin("undo", "--yes").code == 0  # takes the undo back
    assert priority(plugin.server, "ClusterStaticPolicy") == 89


def _holders(server: ApiServer) -> set[str]:
    found = live(server)
    assert found is not None
    fields = found["metadata"]["managedFields"]
    return {each["manager"] for each in fields if "f:precedence" in each["fieldsV1"].get("f:spec", {})}


def test_ownership_of_a_server_side_applier(plugin: Plugin) -> None:
    plugin.server.delete(default_object())
    plugin.server.apply([default_object()], manager="team-config")
    first = plugin("set-priority", "proactive=90", "--yes")
    assert "Owner: team-config applies this object on the server: its next apply fails with a conflict" in first.out
    assert "Fields: spec.precedence is held by kubectl-kubex (before: team-config)\n" in first.out
    plugin("undo", "--yes")
    assert _holders(plugin.server) == {"kubectl-kubex"}
    conflict = plugin.server.kubectl(
        "apply", "--server-side", "--field-manager=team-config", "-f", "-", check=False,
        input=json.dumps({**default_object(), "spec": {"precedence": [{"type": "StaticPolicy", "priority": 1}]}}),
    )  # fmt: skip
    assert 'conflict with "kubectl-kubex"' in conflict.stderr


def test_unchanged_writes_nothing(plugin: Plugin) -> None:
    before = live(plugin.server)
    done = plugin("set-priority", "--preset", "default", "proactive=70")
    assert done.code == 0
    assert done.out == "policyevaluation.rightsizing.kubex.ai/policy-evaluation unchanged\n"
    assert live(plugin.server) == before
    assert plugin.backups() == []


def test_without_a_terminal_and_yes_it_refuses(plugin: Plugin) -> None:
    before = live(plugin.server)
    done = plugin("set-priority", "proactive=90", input="y\n")
    assert done.code == 2
    assert done.err.endswith("there is no terminal to ask on; --yes goes ahead without asking\n")
    assert live(plugin.server) == before
    assert plugin.backups() == []


@pytest.mark.parametrize("answer", ["y\n", "\n"])
def test_the_question_names_context_and_server(plugin: Plugin, answer: str) -> None:
    pty = pytest.importorskip("pty")
    pid, terminal = pty.fork()
    if pid == 0:
        words = [sys.executable, "-m", "kubectl_kubex", "set-priority", "proactive=91"]
        os.execve(sys.executable, words, {**os.environ, **plugin.environment()})
    seen = ""
    while "(y/N): " not in seen:
        seen += os.read(terminal, 4096).decode()
    os.write(terminal, answer.encode())
    try:
        while chunk := os.read(terminal, 4096):
            seen += chunk.decode()
    except OSError:
        pass  # the other end is closed
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    assert f"Change policy-evaluation in context kubex-test ({plugin.server.url})? (y/N): " in seen
    yes = answer == "y\n"
    assert (code, priority(plugin.server, "ProactivePolicy")) == ((0, 91) if yes else (1, 70))
    assert ("cancelled: nothing was written" in seen) is not yes
    assert len(plugin.backups()) == yes


@pytest.mark.parametrize(("words", "said"), [
    (["proctive=1"], '"proctive" is no policy type; did you mean ProactivePolicy'),
    (["proactive"], '"proactive" is not of the form TYPE=N'),
    (["proactive=-1"], "a priority is a whole number from 0 to 2147483647"),
    (["proactive=2147483648"], "a priority is a whole number from 0 to 2147483647"),
    (["proactive=1", "ProactivePolicy=2"], "ProactivePolicy is given two priorities, 1 and 2"),
    (["proactive=1", "--remove", "proactive"], "ProactivePolicy is to be set and to be removed"),
    (["--remove", "ClusterCompactionPolicy"], "ClusterCompactionPolicy is not listed"),
    ([], "nothing to set"),
    (["proactive=1", "-o", "yaml", "--yes"], "-o prints the new object instead of writing it"),
    (["proactive=1", "-o", "jsn"], 'no output format "jsn"; allowed formats are: yaml|json'),
])  # fmt: skip
def test_wrong_words(plugin: Plugin, words: list[str], said: str) -> None:
    done = plugin("set-priority", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_type_listed_twice_is_an_error_that_names_the_places(plugin: Plugin) -> None:
    entries = [*spec(plugin.server)["precedence"], {"type": "StaticPolicy", "priority": 5}]
    plugin.server.patch(default_object(), {"spec": {"precedence": entries}})
    done = plugin("set-priority", "static=80", "--yes")
    assert done.code == 2
    assert "StaticPolicy is listed twice, at positions 5 and 11: remove one of them first (edit)" in done.err
    other = plugin("set-priority", "proactive=80", "--yes")  # was so before: a warning
    assert other.code == 0
    assert "warning: StaticPolicy is listed more than once (entries 5 and 11) (as in the live object)" in other.out
    preset = plugin("set-priority", "--preset", "default", "--yes")
    assert preset.code == 0
    assert "Warning: StaticPolicy is listed 2 times (entries 5 and 11): the preset keeps the first" in preset.err
    assert spec(plugin.server)["precedence"] == default_object()["spec"]["precedence"]


def test_unknown_types_only_when_told(plugin: Plugin) -> None:
    assert plugin("set-priority", "FuturePolicy=5", "--yes").code == 2
    done = plugin("set-priority", "FuturePolicy=5", "--yes", "--allow-unknown-type")
    assert done.code == 0
    assert "warning: FuturePolicy (entry 11) is no policy type that is known" in done.out
    assert priority(plugin.server, "FuturePolicy") == 5
    removed = plugin("set-priority", "--remove", "futurepolicy", "--yes")
    assert removed.code == 0
    assert spec(plugin.server)["precedence"] == default_object()["spec"]["precedence"]


def test_zero_is_noted(plugin: Plugin) -> None:
    done = plugin("set-priority", "proactive=0", "--dry-run", "--impact=none")
    assert done.code == 0
    assert "note: ProactivePolicy (entry 7) has priority 0; the reference asks for a positive one\n" in done.out


def test_dry_runs_write_nothing(plugin: Plugin) -> None:
    before = live(plugin.server)
    with plugin.server.shim() as shim:
        through = plugin.server.kubeconfig(through=shim)
        client = plugin("set-priority", "--dry-run", "proactive=90", kubeconfig=through)
        assert not shim.matching("^(PUT|POST|PATCH|DELETE)")
        server = plugin("set-priority", "proactive=90", "--dry-run=server", kubeconfig=through)
        assert [request.query for request in shim.matching("^(PUT|POST|PATCH|DELETE)")] == [
            "fieldManager=kubectl-kubex&fieldValidation=Strict&dryRun=All"
        ]
    assert (client.code, server.code) == (0, 0)
    assert client.out.endswith("policy-evaluation changed (dry run)\n")
    assert server.out.endswith("policy-evaluation changed (server dry run)\n")
    assert live(plugin.server) == before
    assert plugin.backups() == []


def test_printed_object_can_be_applied(plugin: Plugin) -> None:
    printed = {form: plugin("set-priority", "proactive=93", "-o", form) for form in ("yaml", "json")}
    for done in printed.values():
        assert done.code == 0
        assert "policy-evaluation changed (not written)" in done.err
        plugin.server.kubectl("apply", "--dry-run=server", "-f", "-", input=done.out)
    assert json.loads(printed["json"].out) == yaml.safe_load(printed["yaml"].out)
    assert priority(plugin.server, "ProactivePolicy") == 70
    plugin.server.kubectl("apply", "-f", "-", input=printed["yaml"].out)
    assert priority(plugin.server, "ProactivePolicy") == 93


# --- somebody else writes, refuses or changes -------------------------------------------------------------------------


def test_a_conflict_shows_what_the_other_writer_did(plugin: Plugin) -> None:
    with plugin.server.shim() as shim:
        shim.fault("^PUT .*Strict$", 409, times=1)  # not the rehearsal, which has dryRun behind it
        through = plugin.server.kubeconfig(through=shim)
        plugin.server.patch(default_object(), {"spec": {"precedence": [{"type": "StaticPolicy", "priority": 3}]}})
        done = plugin("set-priority", "proactive=90", "--yes", kubeconfig=through)
    assert done.code == 4
    assert "error: nothing was written: policy-evaluation was changed by kubex-test in the meantime" in done.err
    assert plugin.backups() == []  # of a write that did not happen


def test_a_lost_answer_is_settled_by_looking(plugin: Plugin) -> None:
    with plugin.server.shim() as shim:
        through = plugin.server.kubeconfig(through=shim)
        shim.truncate("^PUT .*Strict$", times=1)  # the server stored it, the answer broke
        stored = plugin("set-priority", "proactive=90", "--yes", kubeconfig=through)
        shim.drop("^PUT .*Strict$", times=1)  # never arrived
        lost = plugin("set-priority", "proactive=91", "--yes", kubeconfig=through)
    assert stored.code == 0
    assert "changed\n" in stored.out
    assert lost.code == 3
    assert priority(plugin.server, "ProactivePolicy") == 90
    assert len(plugin.backups()) == 1


def test_an_outcome_that_cannot_be_known_says_so(plugin: Plugin) -> None:
    with plugin.server.shim() as shim:
        through = plugin.server.kubeconfig(through=shim)
        shim.drop("^PUT .*Strict$")
        shim.fault("^GET .*policy-evaluation$", 503, skip=1)  # after the first reading
        done = plugin("set-priority", "proactive=90", "--yes", "--impact=none", kubeconfig=through)
    assert done.code == 5
    assert "the write may or may not have happened" in done.err
    assert str(plugin.backups()[0]) in done.err


MUTATION: list[dict[str, Any]] = [
    {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": "kubex-test"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["rightsizing.kubex.ai"], "apiVersions": ["*"], "operations": ["UPDATE"],
                "resources": ["policyevaluations"],
            }]},
            "failurePolicy": "Fail",
            "reinvocationPolicy": "Never",
            "mutations": [{"patchType": "JSONPatch", "jsonPatch": {
                "expression": '[JSONPatch{op: "replace", path: "/spec/precedence/0/priority", value: 7}]',
            }}],
        },
    },
    {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": "kubex-test"},
        "spec": {"policyName": "kubex-test"},
    },
]  # fmt: skip


def test_what_is_stored_otherwise_is_said(plugin: Plugin) -> None:
    from tests.apiserver.waiting import wait_for  # noqa: PLC0415

    changed = {**default_object(), "spec": {"precedence": [{"type": "StaticPolicy", "priority": 1}]}}
    query = {"dryRun": "All"}
    try:
        plugin.server.apply(MUTATION)
        found = live(plugin.server)
        assert found is not None
        changed["metadata"]["resourceVersion"] = found["metadata"]["resourceVersion"]

        def mutates() -> bool:
            answer = plugin.server.rest.request("PUT", PATH, changed, query=query)
            return bool(answer["spec"]["precedence"][0]["priority"] == 7)

        wait_for("the mutation to be in force", mutates)
        done = plugin("set-priority", "proactive=90", "--yes")
    finally:
        plugin.server.delete(*MUTATION)
        found = live(plugin.server)
        assert found is not None
        changed["metadata"]["resourceVersion"] = found["metadata"]["resourceVersion"]
        wait_for("the mutation to be gone", lambda: not mutates())
    assert done.code == 5
    assert "Warning: the API server would change it: spec.precedence[1].priority is 7, not 130" in done.err
    assert (
        "written, but what is stored now is not what was meant: spec.precedence[1].priority is 7, not 130" in done.err
    )
    assert "to undo: kubectl kubex undo" in done.err


def test_a_field_that_the_server_would_drop_is_refused(plugin: Plugin, tmp_path: Path) -> None:
    raw = default_object()
    raw["spec"]["future"] = {"a": 1}
    raw["spec"]["precedence"][0]["priority"] = 131
    path = tmp_path / "newer.yaml"
    path.write_text(yaml.safe_dump(raw))
    before = live(plugin.server)
    done = plugin("restore", str(path), "--yes")
    assert done.code == 2
    assert done.err == (
        "error: nothing was written: the API server would drop spec.future; its CRD does not know that\n"
    )
    assert live(plugin.server) == before


# --- restore ----------------------------------------------------------------------------------------------------------


def test_strings_survive_backup_apply_and_restore(plugin: Plugin, tmp_path: Path) -> None:
    # As a label a value must begin and end with a letter or digit; the others can only be annotations.
    labels = {
        f"l{i}": text
        for i, text in enumerate(STRINGS)
        if re.fullmatch(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?", text)
    }
    annotations = {f"a{i}": text for i, text in enumerate([*STRINGS, "a: b", "#x", "'", '"', "é\n\t ", "\u2028 \x85"])}
    put(plugin.server, labels=labels, annotations=annotations)
    path = tmp_path / "strings.yaml"
    assert plugin("backup", "-o", str(path)).code == 0

    def strings() -> tuple[Any, Any]:
        found = live(plugin.server)
        assert found is not None
        metadata = found["metadata"]
        kept = {k: v for k, v in metadata["annotations"].items() if not k.startswith("kubectl.kubernetes.io/")}
        return metadata["labels"], kept

    plugin.server.delete(default_object())
    plugin.server.kubectl("apply", "-f", str(path))
    assert strings() == (labels, annotations)
    plugin.server.delete(default_object())
    assert plugin("restore", str(path), "--yes").code == 0
    assert strings() == (labels, annotations)
    wrong = {"metadata": {"labels": dict.fromkeys(labels, "wrong")}}
    plugin.server.rest.request("PATCH", PATH, wrong, content_type=MERGE_PATCH)
    assert plugin("restore", str(path), "--yes", "--replace-metadata").code == 0
    assert strings() == (labels, annotations)


def _recreate(server: ApiServer) -> None:
    put(server, labels={"other": "object"})
    server.patch(default_object(), {"spec": {"precedence": [{"type": "StaticPolicy", "priority": 1}]}})


CYCLES = {
    "deleted": lambda server: server.delete(default_object()),
    "changed": lambda server: server.patch(
        default_object(), {"spec": {"precedence": [{"type": "StaticPolicy", "priority": 1}]}}
    ),
    "deleted and recreated": _recreate,
}


@pytest.mark.parametrize("happened", CYCLES)
@pytest.mark.parametrize("way", ["restore", "kubectl apply"])
def test_what_was_backed_up_comes_back(plugin: Plugin, happened: str, way: str) -> None:
    plugin.server.patch(default_object(), {"metadata": {"finalizers": ["kubex.example/keep"]}})
    before = spec(plugin.server)
    path = plugin("backup").out.strip()
    CYCLES[happened](plugin.server)
    if way == "restore":
        assert plugin("restore", Path(path).name, "--yes").code == 0
    else:
        plugin.server.kubectl("apply", "-f", path)
    assert spec(plugin.server) == before
    again = plugin("restore", "latest" if happened == "deleted" else path, "--yes")
    assert again.code == 0
    assert again.out.endswith("policy-evaluation unchanged\n")


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize("listed", [False, True])
def test_what_kubectl_printed_is_taken(plugin: Plugin, tmp_path: Path, form: str, listed: bool) -> None:
    plugin.server.kubectl("annotate", "policyevaluation", NAME, "note=12:30")
    words = ["policyevaluations"] if listed else ["policyevaluation", NAME]
    printed = plugin.server.kubectl("get", *words, "-o", form).stdout
    before = spec(plugin.server)
    plugin("set-priority", "proactive=12", "--yes")
    done = plugin("restore", "-", "--yes", input=printed)
    assert (done.code, spec(plugin.server)) == (0, before)


def test_metadata_comes_back_only_when_told(plugin: Plugin) -> None:
    plugin.server.patch(default_object(), {"metadata": {"labels": {"team": "a"}}})
    path = plugin("backup").out.strip()
    plugin.server.patch(default_object(), {"metadata": {"labels": {"team": "b"}}})
    done = plugin("restore", path, "--yes")
    assert done.out.endswith("unchanged\n")
    assert "labels and annotations stay as they are live; --replace-metadata restores them as well" in done.err
    assert plugin("restore", path, "--yes", "--replace-metadata").code == 0
    found = live(plugin.server)
    assert found is not None
    assert found["metadata"]["labels"] == {"team": "a"}
    assert plugin("undo", "--yes").code == 0  # takes back what that restore changed, and that was metadata
    found = live(plugin.server)
    assert found is not None
    assert found["metadata"]["labels"] == {"team": "b"}


def test_a_huge_annotation_is_no_obstacle(plugin: Plugin) -> None:
    plugin.server.patch(default_object(), {"metadata": {"annotations": {"huge": "x" * 200_000}}})
    path = plugin("backup").out.strip()
    plugin("set-priority", "proactive=12", "--yes")
    assert plugin("restore", path, "--yes").code == 0
    assert priority(plugin.server, "ProactivePolicy") == 70


def test_another_cluster_only_when_forced(plugin: Plugin) -> None:
    path = Path(plugin("backup").out.strip())
    text = path.read_text()
    uid = path.parent.name
    foreign = path.with_name("foreign.yaml")
    foreign.write_text(text.replace(f"# cluster: {uid}", "# cluster: 00000000-0000-0000-0000-000000000000"))
    plugin("set-priority", "proactive=12", "--yes")
    done = plugin("restore", str(foreign), "--yes")
    assert done.code == 2
    assert f"another cluster (00000000-0000-0000-0000-000000000000, not {uid}); --force-cluster" in done.err
    assert priority(plugin.server, "ProactivePolicy") == 12
    assert plugin("restore", str(foreign), "--yes", "--force-cluster").code == 0
    assert priority(plugin.server, "ProactivePolicy") == 70


def _wrong_files(folder: Path, whole: str) -> dict[str, tuple[str, str]]:
    """Name -> path, and what is said of it."""
    one = yaml.safe_dump(default_object())
    texts: dict[str, tuple[str | bytes, str]] = {
        "another kind": (yaml.safe_dump({**default_object(), "kind": "ConfigMap"}), "it holds ConfigMap of rightsiz"),
        "another name": (one.replace(NAME, "other"), "it holds a PolicyEvaluation named other"),
        "another version": (one.replace("v1alpha1", "v9"), "it holds PolicyEvaluation of rightsizing.kubex.ai/v9"),
        "two objects": (f"{one}---\n{one}", "it holds 2 objects"),
        "two in a list": (json.dumps({"kind": "List", "items": [default_object()] * 2}), "it holds 2 objects"),
        "an empty list": (json.dumps({"apiVersion": "v1", "kind": "List", "items": []}), "it holds no object"),
        "empty": ("", "it holds no object"),
        "truncated": (whole[: len(whole) - 20], "its checksum does not match"),
        "truncated header": (whole[:90], "its checksum does not match"),
        "truncated plain": (one[:-5], "it ends in the middle of a line"),
        "one byte": (whole.replace("130", "131", 1), "its checksum does not match"),
        "one byte of the checksum": (re.sub(r"(sha256: .)(.)", lambda m: m[1] + ("0" if m[2] != "0" else "1"), whole),
                                     "its checksum does not match"),
        "one byte of the title": (whole.replace("kubex backup", "kubex backuq"), "its checksum does not match"),
        "newer format": (whole.replace("format 1", "format 2"), "backup format 2 is newer than this program knows"),
        "UTF-16": (one.encode("utf-16"), "it is UTF-16"),
        "Latin-1": ("a: é".encode("latin-1"), "it is no UTF-8 text: byte 4"),
        "not YAML": ("a: [\n", "not YAML"),
        "a label that is no string": (one.replace("metadata:\n", "metadata:\n  labels:\n    x: y\n"),
                                      "metadata.labels.x is not a string but true; write it in quotes"),
        "no spec": (json.dumps({**default_object(), "spec": None}), "the object in it has no spec"),
        "an empty precedence": (json.dumps({**default_object(), "spec": {"precedence": []}}), "missing or empty"),
        "a bad priority": (one.replace("130", "-1"), "has no valid priority: -1"),
    }  # fmt: skip
    found = {"a folder": (str(folder), "it is a folder"), "missing": (str(folder / "none.yaml"), "no such file")}
    for name, (text, said) in texts.items():
        path = folder / f"{name.replace(' ', '-')}.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        found[name] = (str(path), said)
    huge = folder / "huge.yaml"
    with huge.open("wb") as stream:
        stream.truncate(2**30)
    loop = folder / "loop.yaml"
    loop.symlink_to(loop)
    closed = folder / "closed.yaml"
    closed.write_text(one)
    closed.chmod(0)
    found |= {"1 GB": (str(huge), "it is larger than 8 MiB"), "unreadable": (str(loop), "too many levels of symbolic")}
    if os.geteuid():  # root may read everything
        found["no right to read"] = (str(closed), "permission denied")
    return found


def test_wrong_files_are_refused_in_one_line(plugin: Plugin, tmp_path: Path) -> None:
    whole = plugin("backup", "-o", "-").out
    plugin.server.patch(default_object(), {"spec": {"precedence": [{"type": "StaticPolicy", "priority": 1}]}})
    before = live(plugin.server)
    for name, (path, said) in _wrong_files(tmp_path, whole).items():
        done = plugin("restore", path, "--yes")
        assert (done.code, done.out) == (2, ""), name
        assert said in done.err, (name, done.err)
        assert [line[:7] for line in done.err.splitlines()][-1] == "error: ", name
        assert done.err.count("\n") == 1, (name, done.err)
    assert live(plugin.server) == before
    assert plugin.backups() == []


def test_references(plugin: Plugin) -> None:
    plugin("backup")
    plugin("backup")
    first, second = plugin.backups()
    assert str(first) in plugin("backup", "show", first.name).out
    assert str(second) in plugin("backup", "show", second.name[:24]).out
    both = plugin("restore", "2", "--yes")
    assert (both.code, both.err) == (
        2,
        f'error: "2" is the beginning of several backups: {second.name}, {first.name}; say which one\n',
    )
    none = plugin("restore", "xyz", "--yes")
    assert none.code == 2
    assert 'no file and no backup "xyz" of this cluster' in none.err


def test_nothing_to_undo(plugin: Plugin) -> None:
    plugin("backup")
    done = plugin("undo", "--yes")
    assert done.code == 2
    assert "nothing to undo: there is no automatic backup" in done.err


# --- rights -----------------------------------------------------------------------------------------------------------


def test_a_view_only_user(plugin: Plugin) -> None:
    before = live(plugin.server)
    assert plugin("backup", user="viewer").code == 0
    printed = plugin("set-priority", "proactive=90", "--dry-run=client", "-o", "yaml", user="viewer")
    assert printed.code == 0
    assert yaml.safe_load(printed.out)["spec"]["precedence"][6] == {"type": "ProactivePolicy", "priority": 90}
    listed = plugin("backup", "list", user="viewer")
    assert (listed.code, "same" in listed.out) == (0, True)
    backups = plugin.backups()
    refused = plugin("set-priority", "proactive=90", "--yes", user="viewer")
    assert refused.code == 3
    assert refused.err == (
        'Error from server (Forbidden): policyevaluations.rightsizing.kubex.ai "policy-evaluation" is forbidden: User '
        '"viewer" cannot update resource "policyevaluations" in API group "rightsizing.kubex.ai" at the cluster scope\n'
    )
    assert live(plugin.server) == before
    assert plugin.backups() == backups


def test_a_user_who_may_only_read_the_object(plugin: Plugin) -> None:
    plugin.server.grant("narrow-1", [rule("get update", "policyevaluations", "rightsizing.kubex.ai")])
    done = plugin("set-priority", "proactive=90", "--yes", user="narrow-1")
    assert done.code == 0
    assert "Impact" in done.out
    assert "partial" in done.out or "not known" in done.out
    (saved,) = plugin.backups()
    assert saved.parent.name.startswith("https_127.0.0.1")  # kube-system may not be read
    assert "# cluster: \n" in saved.read_text()
    assert plugin("undo", "--yes", user="narrow-1").code == 0
    assert priority(plugin.server, "ProactivePolicy") == 70
    assert plugin("backup", "list").out.count("\n") == 3  # the admin sees them as well


# --- owners -----------------------------------------------------------------------------------------------------------

HELM = {
    "labels": {"app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/instance": "kubex"},
    "annotations": {"meta.helm.sh/release-name": "kubex", "meta.helm.sh/release-namespace": "kubex-system"},
}
OWNERS: dict[str, tuple[dict[str, Any], str]] = {
    "helm 3": (HELM, (
        "Helm release kubex in namespace kubex-system owns this object: the change survives upgrades until the chart's "
        "own list changes, then the whole list is replaced; the chart's values cannot hold priorities"
    )),
    "argo": ({"annotations": {"argocd.argoproj.io/tracking-id": "kubex:rightsizing.kubex.ai/PolicyEvaluation:x/y"}}, (
        "Argo CD (kubex:rightsizing.kubex.ai/PolicyEvaluation:x/y) manages this object: it reverts the change within "
        "minutes, or with its next sync where self-heal is off; change it in Git instead"
    )),
    "flux": ({"labels": {"kustomize.toolkit.fluxcd.io/name": "kubex"}}, (
        "Flux (kubex) manages this object: it reverts the change within minutes; change it in Git instead"
    )),
    "flux helm": ({"labels": {**HELM["labels"], "helm.toolkit.fluxcd.io/name": "kubex"}}, (
        "Flux manages this object through HelmRelease kubex: it reverts the change within minutes where drift "
        "detection is on, else with the chart's next upgrade; change it in Git instead"
    )),
    "nobody": ({}, "nobody else manages this object: the change stays"),
}  # fmt: skip


@pytest.mark.parametrize("owner", OWNERS)
def test_the_owner_s_next_move_is_said(plugin: Plugin, owner: str) -> None:
    marks, sentence = OWNERS[owner]
    put(plugin.server, **marks)
    done = plugin("set-priority", "proactive=90", "--dry-run")
    assert [line for line in done.out.splitlines() if line.startswith("Owner")] == [f"Owner: {sentence}"]


def test_helm_4_conflicts_also_after_the_old_value_is_back(plugin: Plugin) -> None:
    manifest = {**default_object(), "metadata": {"name": NAME, **HELM}}
    plugin.server.delete(manifest)
    plugin.server.apply([manifest], manager="helm")
    sentence = (
        "Owner: Helm release kubex in namespace kubex-system applies this object on the server (as Helm 4 does): its "
        "next upgrade fails with a conflict on spec.precedence, also after the old value is put back; helm upgrade "
        "--force-conflicts takes the list back\n"
    )
    assert sentence in plugin("set-priority", "proactive=90", "--yes").out
    assert sentence in plugin("undo", "--yes").out
    manifest["spec"]["precedence"][0]["priority"] = 140
    upgrade = ("apply", "--server-side", "--field-manager=helm", "-f", "-")
    conflict = plugin.server.kubectl(*upgrade, input=json.dumps(manifest), check=False)
    assert 'conflict with "kubectl-kubex"' in conflict.stderr


@pytest.mark.parametrize("choice", ["keep", "drop"])
def test_a_deleted_object_of_helm(plugin: Plugin, choice: str) -> None:
    put(plugin.server, labels={**HELM["labels"], "team": "a"}, annotations=HELM["annotations"])
    path = plugin("backup").out.strip()
    plugin.server.delete(default_object())
    done = plugin("restore", path, "--yes", "--helm-labels", choice)
    found = live(plugin.server)
    assert found is not None
    kept = choice == "keep"
    assert found["metadata"]["labels"] == ({**HELM["labels"], "team": "a"} if kept else {"team": "a"})
    assert ("meta.helm.sh/release-name" in found["metadata"].get("annotations", {})) is kept
    expected = "it keeps Helm's labels: a release that" if kept else "it comes back without Helm's labels: after policy"
    assert f"Owner: Helm release kubex in namespace kubex-system owned this object, and {expected}" in done.out
    assert "To undo: kubectl delete policyevaluation.rightsizing.kubex.ai/policy-evaluation\n" in done.out


# --- create and edit --------------------------------------------------------------------------------------------------


def test_create_only_where_there_is_none(plugin: Plugin) -> None:
    there = plugin("create", "--yes")
    assert (there.code, "already exists" in there.err) == (2, True)
    path = plugin("backup").out.strip()
    plugin.server.delete(default_object())
    done = plugin("create", "--preset", "favor-namespace", "--yes")
    assert done.code == 0
    assert "policy-evaluation created" in done.out
    assert "New tie at 90" in done.out
    assert "New tie at 130" not in done.out  # as in the chart's defaults
    assert priority(plugin.server, "ProactivePolicy") == 90
    plugin.server.delete(default_object())
    assert plugin("create", path, "--yes").code == 0
    assert priority(plugin.server, "ProactivePolicy") == 70


def test_set_priority_of_nothing_points_to_create(plugin: Plugin) -> None:
    plugin.server.delete(default_object())
    done = plugin("set-priority", "proactive=1", "--yes")
    assert done.code == 3
    assert "create makes it, restore and undo bring it back" in done.err


def test_undo_brings_a_deleted_object_back(plugin: Plugin) -> None:
    plugin("set-priority", "proactive=90", "--yes")
    plugin.server.delete(default_object())
    assert plugin("undo", "--yes").code == 0
    assert priority(plugin.server, "ProactivePolicy") == 70


def _editor(tmp_path: Path, script: str) -> dict[str, str]:
    path = tmp_path / "editor.py"
    path.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[1])\ntext = path.read_text()\n{script}\n")
    return {"KUBE_EDITOR": f"{sys.executable} {path}", "EDITOR": "false"}


def test_edit(plugin: Plugin, tmp_path: Path) -> None:
    env = _editor(tmp_path, "path.write_text(text.replace('130', '140'))")
    done = plugin("edit", "--yes", env=env)
    assert (done.code, priority(plugin.server, "RollbackPolicy")) == (0, 140)
    assert UNDO in done.out
    same = plugin("edit", "--yes", env=env)
    assert (same.code, same.out) == (0, "policyevaluation.rightsizing.kubex.ai/policy-evaluation unchanged\n")
    assert "kept" not in same.err


@pytest.mark.parametrize(("script", "said"), [
    ("path.write_text(text.replace('\"StaticPolicy\"', '\"StaticPolcy\"'))", "did you mean StaticPolicy"),
    ("path.write_text(text.replace('policy-evaluation\"', 'other\"'))", "named other, not policy-evaluation"),
    ("path.write_text(text.replace('ClusterStaticPolicy', 'StaticPolicy'))", "listed more than once (entries 5 and 6)"),
    ("path.write_text('a: [\\n')", "not YAML"),
    ("sys.exit(3)", "ended with 3"),
])  # fmt: skip
def test_a_failed_edit_keeps_the_text(plugin: Plugin, tmp_path: Path, script: str, said: str) -> None:
    before = live(plugin.server)
    done = plugin("edit", "--yes", env=_editor(tmp_path, script))
    assert done.code == 2
    kept = re.search(r"your text is kept in (\S+);", done.err)
    assert kept
    assert Path(kept[1]).exists()
    Path(kept[1]).unlink()
    assert said in done.err
    assert live(plugin.server) == before
    assert API_VERSION in str(before)
