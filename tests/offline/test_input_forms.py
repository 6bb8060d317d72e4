"""One set of objects, in every form in which people have them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kubex.codec.gathered import Subject
from kubectl_kubex.offline import FileSource

from .raw import ENGINE, Object, a_list, an_object, ask, names, source_at, source_of, text_of, web_and_policies

OBJECTS = web_and_policies()
LISTED = a_list(*OBJECTS)
STREAM = yaml.safe_dump_all(OBJECTS)


def bare_list(kind: str) -> Object:
    """A list as the API server prints it: no apiVersion and kind in its members."""
    members = [found for found in OBJECTS if found["kind"] == kind]
    plain = [{name: value for name, value in found.items() if name not in ("apiVersion", "kind")} for found in members]
    return a_list(*plain, kind=f"{kind}List", version=members[0]["apiVersion"])


def expect_all(source: FileSource) -> None:
    gathered = ask(source, "deploy/web", kinds=["StaticPolicy", "PolicyEvaluation", "GlobalConfiguration"])
    (subject,) = gathered.subjects
    assert isinstance(subject, Subject), subject
    assert subject.workload == OBJECTS[0]
    assert names(subject.pods) == ["web-1-a"]
    assert names(subject.between) == ["web-1"]
    assert gathered.objects.by_kind == {
        "StaticPolicy": (OBJECTS[3],),
        "PolicyEvaluation": (OBJECTS[4],),
        "GlobalConfiguration": (OBJECTS[5],),
    }
    assert gathered.objects.gaps == ()
    assert subject.gaps == ()


TEXTS: dict[str, Any] = {
    "yaml documents": STREAM,
    "json documents behind dashes": text_of(*OBJECTS),
    "yaml List": yaml.safe_dump(LISTED),
    "json List": json.dumps(LISTED),
    "json List, indented": json.dumps(LISTED, indent=4),
    "json documents": "\n".join(map(json.dumps, OBJECTS)),
    "json documents without a break": "".join(map(json.dumps, OBJECTS)),
    "json array": json.dumps(OBJECTS),
    "Lists in a List": json.dumps(a_list(a_list(*OBJECTS[:2]), a_list(*OBJECTS[2:]))),
    "typed lists": text_of(*(bare_list(kind) for kind in dict.fromkeys(found["kind"] for found in OBJECTS))),
    "empty documents": f"---\n---\n# nothing\n---\n{STREAM}---\n---\n   \n# end\n---\n",
    "a comment behind the dashes": STREAM.replace("---\n", "--- # next\n"),
    "a leading comment": f"# kubectl get -o yaml\n\n{STREAM}",
    "a directive": f"%YAML 1.1\n---\n{STREAM}",
    "an end mark": STREAM.replace("---\n", "...\n---\n"),
    "windows lines": STREAM.replace("\n", "\r\n"),
    "byte order mark": b"\xef\xbb\xbf" + STREAM.encode(),
    "byte order mark, json": b"\xef\xbb\xbf" + json.dumps(LISTED).encode(),
    "utf-16 of a Windows shell": STREAM.encode("utf-16"),
    "gzip": gzip.compress(STREAM.encode()),
    "anchors": "\n".join(["- &o", *(f"  {line}" for line in json.dumps(OBJECTS[0], indent=1).splitlines()), "- *o"])
    + "\n---\n"
    + text_of(*OBJECTS[1:]),
    "other things between": text_of({"apiVersion": "v1", "kind": "Secret"}, 7, "text", None, [1], {"a": 1}, *OBJECTS),
    "the same twice": text_of(LISTED, *OBJECTS),
}


@pytest.mark.parametrize("form", TEXTS)
def test_standard_input(form: str) -> None:
    text = TEXTS[form]
    expect_all(source_of(text))


@pytest.mark.parametrize("form", TEXTS)
def test_a_file_of_any_name(form: str, tmp_path: Path) -> None:
    content = TEXTS[form]
    (tmp_path / "dump").write_bytes(content.encode() if isinstance(content, str) else content)
    expect_all(source_at(tmp_path / "dump"))


def per_object(folder: Path, suffix: str, write: Callable[[Path, str], object] = Path.write_text) -> None:
    """A tree like that of must-gather: namespaces/NS/GROUP/KIND/NAME.yaml."""
    for found in OBJECTS:
        path = folder / "namespaces" / "shop" / found["kind"].lower() / f"{found['metadata']['name']}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, json.dumps(found) if "json" in suffix else yaml.safe_dump(found))


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".json", ".YAML"])
def test_a_tree_of_single_objects(suffix: str, tmp_path: Path) -> None:
    per_object(tmp_path, suffix)
    (tmp_path / "README.md").write_text("{ not: for us")
    (tmp_path / "pod.log").write_text("{ nor: this")
    expect_all(source_at(tmp_path))


def test_a_tree_of_compressed_objects(tmp_path: Path) -> None:
    per_object(tmp_path, ".yaml.gz", lambda path, text: path.write_bytes(gzip.compress(text.encode())))
    expect_all(source_at(tmp_path))


def test_a_tree_of_lists(tmp_path: Path) -> None:
    for kind in ("Deployment", "ReplicaSet", "Pod", "StaticPolicy", "PolicyEvaluation", "GlobalConfiguration"):
        (tmp_path / f"{kind}s.yaml").write_text(yaml.safe_dump(bare_list(kind)))
    expect_all(source_at(tmp_path))


def test_hidden_files_are_not_the_users(tmp_path: Path) -> None:
    per_object(tmp_path, ".yaml")
    (tmp_path / "._web.yaml").write_bytes(b"\x00\x05\x16\x07")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.yaml").write_text("{")
    expect_all(source_at(tmp_path))


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2"])
@pytest.mark.parametrize("root", ["", "./", "must-gather.local.123/quay-io/"])
def test_a_tar_archive(mode: Any, root: str, tmp_path: Path) -> None:
    per_object(tmp_path / "tree", ".yaml")
    (tmp_path / "tree" / "._web.yaml").write_bytes(b"\x00")
    with tarfile.open(tmp_path / "dump.tgz", mode) as archive:
        archive.add(tmp_path / "tree", arcname=root or ".")
    if mode == "w:bz2":
        (tmp_path / "dump.tgz").write_bytes(gzip.compress(bz2.decompress((tmp_path / "dump.tgz").read_bytes())))
    expect_all(source_at(tmp_path / "dump.tgz"))


def test_an_archive_on_standard_input() -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        content = STREAM.encode()
        entry = tarfile.TarInfo("dump/all.yaml")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    expect_all(source_of(stream.getvalue()))


def test_a_zip_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "dump.zip", "w") as archive:
        archive.writestr("dump/", "")
        archive.writestr("dump/all.yaml", STREAM)
        archive.writestr("__MACOSX/dump/all.yaml", b"\x00")
    expect_all(source_at(tmp_path / "dump.zip"))


def test_several_inputs_make_one(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text_of(*OBJECTS[:3]))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "b.json").write_text(json.dumps(OBJECTS[3]))
    source = source_of(text_of(*OBJECTS[4:]), str(tmp_path / "a.yaml"), str(tmp_path / "b"), "-")
    expect_all(source)


def test_raw_output_of_kubectl_get() -> None:
    """As kubectl prints it: quoted where needed, times bare in quotes, managedFields and status left in."""
    text = """
apiVersion: v1
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    annotations:
      deployment.kubernetes.io/revision: "4"
      kubectl.kubernetes.io/last-applied-configuration: |
        {not json
    creationTimestamp: "2026-10-01T08:00:00Z"
    labels:
      "on": "yes"
      commit: "25921e05"
    managedFields:
    - manager: kubectl
    name: web
    namespace: shop
  spec: {}
kind: List
metadata:
  resourceVersion: ""
"""
    subject = ask(source_of(text), "web").subjects[0]
    assert isinstance(subject, Subject)
    assert subject.workload["metadata"]["labels"] == {"on": "yes", "commit": "25921e05"}


def test_namespace_of_objects_that_name_none() -> None:
    nameless: Object = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    assert ask(source_of(text_of(nameless), namespace="shop"), "web").subjects[0].workload["metadata"] == {  # type: ignore[union-attr]
        "name": "web",
        "namespace": "shop",
    }
    assert source_of(text_of(nameless)).namespace == "default"


def test_cluster_kinds_lose_a_namespace_that_the_chart_gave_them() -> None:
    evaluation = an_object("PolicyEvaluation", "policy-evaluation", namespace="kubex")
    gathered = ask(source_of(text_of(evaluation)), kinds=["PolicyEvaluation"])
    assert gathered.objects.by_kind["PolicyEvaluation"] == (evaluation,)


def test_the_one_namespace_of_the_input_is_the_default() -> None:
    web, other = an_object("Deployment", "web"), an_object("Deployment", "web", "payments")
    policy = an_object("StaticPolicy", "p", "elsewhere")
    assert source_of(text_of(web, policy)).namespace == "shop"
    assert source_of(text_of(web, other)).namespace == "default"
    assert source_of(text_of(web, other), namespace="payments").namespace == "payments"


def test_versions_and_groups() -> None:
    """Any version of a group is the kind; the same word in another group is not."""
    old = {"apiVersion": "batch/v1beta1", "kind": "CronJob", "metadata": {"name": "old", "namespace": "shop"}}
    foreign = {"apiVersion": "example.com/v1", "kind": "StaticPolicy", "metadata": {"name": "p", "namespace": "shop"}}
    gathered = ask(source_of(text_of(old, foreign, an_object("Deployment", "web"))), "cj/old", kinds=["StaticPolicy"])
    assert isinstance(gathered.subjects[0], Subject)
    assert gathered.objects.by_kind == {}
    assert ENGINE.startswith("rightsizing.kubex.ai/")
