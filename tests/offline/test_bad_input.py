"""Input that cannot be used: one clear line for each, nothing else lost."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from kubectl_kubex.codec.gathered import Gathered, Subject
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.errors import ExitCode, InputError
from kubectl_kubex.offline import FileSource, archives

from .raw import a_list, an_object, ask, gap, names, source_at, source_of, text_of, web_and_policies

GOOD = text_of(*web_and_policies())


def refused(source: FileSource) -> str:
    with pytest.raises(InputError) as caught:
        ask(source, "deploy/web")
    assert caught.value.exit_code is ExitCode.USAGE
    assert "\n" not in caught.value.line
    return caught.value.line


def named(gathered: Gathered) -> Gap:
    """The one gap that names a file; the workload is there all the same."""
    assert isinstance(gathered.subjects[0], Subject)
    (found,) = [each for each in gathered.objects.gaps if not each.kind.isalpha()]
    assert found.reason is GapReason.UNREADABLE
    assert "\n" not in found.detail
    return found


def test_a_missing_path_ends_it_even_beside_good_ones(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    line = refused(source_at(tmp_path / "good.yaml", tmp_path / "nope.yaml"))
    assert line == f"{tmp_path}/nope.yaml: no such file or folder; check the path given with -f"


NOTHING = {
    "empty": b"",
    "blank": b" \n\n",
    "comments": b"# nothing\n---\n",
    "other yaml": b"replicas: 3\nimage: web\n",
    "text": b"Error from server (NotFound): deployments.apps not found\n",
    "a json string": b'"x"',
    "null": b"null\n",
}


@pytest.mark.parametrize("content", NOTHING.values(), ids=NOTHING)
def test_nothing_of_kubernetes(content: bytes) -> None:
    assert refused(source_of(content)).startswith("no Kubernetes objects in standard input; ")


def test_an_empty_folder(tmp_path: Path) -> None:
    assert refused(source_at(tmp_path)).startswith(f"no Kubernetes objects in {tmp_path}; ")


def test_an_empty_list_is_an_answer() -> None:
    gathered = ask(source_of(text_of(a_list())), "web")
    assert not isinstance(gathered.subjects[0], Subject)


BROKEN = {
    "yaml": (b"a: {", "not YAML: "),
    "json": (b'{"apiVersion": "v1",\n "kind": }', "not JSON: Expecting value (line 2)"),
    "two of one key": (b"kind: A\nkind: B\n", "the key 'kind' stands there twice (line 2)"),
    "two of one key, json": (b'{"kind": 1, "kind": 2}', "the key 'kind' stands there twice"),
    "NaN": (b'{"a": NaN}', "not JSON: NaN"),
    "a huge float": (b'{"a": 1e999}', "not a number of JSON: 1e999"),
    "a huge integer": (b'{"a": ' + b"9" * 5000 + b"}", "not JSON: "),
    "infinity": (b"a: .inf\n", "not a number of JSON: .inf (line 1)"),
    "latin-1": (b"name: caf\xe9\n", "not UTF-8 text: byte 10 makes no sense"),
    "half of utf-16": (b"\xff\xfea", "not UTF-16 text: byte 3 makes no sense"),
    "control characters": (b"a: \x07\n", "not YAML: control characters are not allowed (line 1)"),
    "binary": (b"\x7fELF\x02\x01\x01\x00\x00", "not YAML: control characters are not allowed (line 1)"),
    "tabs": (b"a:\n\tb: 1\n", "not YAML: found character that cannot start any token (line 2)"),
    "deep yaml": (b"a: " + b"[" * 100_000, "not YAML: exceeded maximum nesting depth"),
    "deep yaml in the limits of its parser": (b"a: " + b"[" * 500 + b"]" * 500, "nested too deeply (line 1)"),
    "deep json": (b'{"a":' + b"[" * 100_000, "nested too deeply"),
    "deep json in the limits of its parser": (b"[" * 500 + b"]" * 500, "nested too deeply"),
    "an alias of itself": (b"a: &a [*a]\n", "nested too deeply (line 1)"),
    "an unknown alias": (b"a: *b\n", "not YAML: found undefined alias (line 1)"),
    "a python object": (
        b"a: !!python/name:os.system x\n",
        "the tag 'python/name:os.system' has no meaning here (line 1)",
    ),
    "binary data": (b"a: !!binary aGk=\n", "the tag 'binary' has no meaning here (line 1)"),
    "a key that is a list": (b"? [a]\n: b\n", "a key that is not a string (line 1)"),
    "a key that is null": (b"~: b\n", "a key that is not a string (line 1)"),
    "a merge of a text": (b"<<: text\n", "<< merges something that is not a mapping (line 1)"),
    "a gzip cut short": (gzip.compress(GOOD.encode())[:60], "a broken archive: Compressed file ended"),
    "no gzip at all": (b"\x1f\x8bnothing", "a broken archive: "),
    "no zip at all": (b"PK\x03\x04nothing", "a broken archive: "),
    "a capture of tomorrow": (
        b'{"apiVersion": "kubectl-kubex/v2", "kind": "Capture"}',
        "a capture of kubectl-kubex/v2, which this version does not know",
    ),
    "a capture without a time": (b'{"apiVersion": "kubectl-kubex/v1", "kind": "Capture"}', "does not say when"),
    "a list of no objects": (
        b'{"apiVersion": "v1", "kind": "List", "items": [1]}',
        "item 1 of its List is not an object",
    ),
}


@pytest.mark.parametrize("content", [content for content, _ in BROKEN.values()], ids=BROKEN)
def test_nothing_readable(content: bytes, request: pytest.FixtureRequest) -> None:
    reason = BROKEN[request.node.callspec.id][1]
    if request.node.callspec.id in ("a list of no objects", "a capture of tomorrow", "a capture without a time"):
        return  # something of Kubernetes was there: the gap below tells
    line = refused(source_of(content))
    assert line.startswith("cannot read standard input: ")
    assert reason in line


@pytest.mark.parametrize("content", [content for content, _ in BROKEN.values()], ids=BROKEN)
def test_a_broken_file_among_good_ones(content: bytes, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    (tmp_path / "a.yaml").write_bytes(content)
    (tmp_path / "b.yaml").write_text(GOOD)
    found = named(ask(source_at(tmp_path), "deploy/web"))
    assert found.kind == str(tmp_path / "a.yaml")
    assert BROKEN[request.node.callspec.id][1] in found.detail


def test_a_broken_document_among_good_ones() -> None:
    """As many documents as can be are used, and the line is that of the file."""
    found = named(ask(source_of(f"{GOOD}---\nkind: {{\n---\n{GOOD}"), "deploy/web"))
    assert found.detail.startswith("not YAML: ")
    assert f"(line {GOOD.count(chr(10)) + 3})" in found.detail


def test_what_stands_before_broken_json_is_used() -> None:
    documents = "\n".join(map(json.dumps, web_and_policies()))
    assert named(ask(source_of(f"{documents}\n{{"), "deploy/web")).detail.startswith("not JSON: ")


def test_an_alias_bomb() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert "aliases expand to more" in refused(source_of("\n".join(lines)))


def test_a_merge_bomb() -> None:
    lines = ["a0: &a0 {x: 1, y: 2}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 20)]
    assert "aliases expand to more" in refused(source_of("\n".join(lines)))


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 2**20)
    monkeypatch.setattr("kubectl_kubex.offline.files.MAX_BYTES", 2**20)


def a_tar(**entries: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in entries.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def a_zip(**entries: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return stream.getvalue()


BLANKS = b" " * (2**20 + 1)


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(BLANKS),
        a_tar(**{"a.yaml": BLANKS}),
        a_tar(**{"a.yaml": BLANKS[: 2**19], "b.yaml": BLANKS[: 2**19 + 1]}),
        a_tar(**{"a.yaml.gz": gzip.compress(BLANKS)}),
        a_tar(**{f"{name}.yaml.gz": gzip.compress(BLANKS[: 2**19]) for name in "abc"}),
        a_zip(**{"a.yaml": BLANKS}),
        a_zip(**{"a.yaml": BLANKS[: 2**19], "b.yaml": BLANKS[: 2**19 + 1]}),
        BLANKS,
    ],
    ids=["gzip", "tar", "tar of several", "gzip in tar", "gzips in tar", "zip", "zip of several", "file"],
)
def test_bombs(content: bytes) -> None:
    assert "unpacks to more than 1 MiB" in refused(source_of(content))


def test_too_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_ENTRIES", 2)
    entries = {f"{name}.yaml": b"a: 1" for name in "abc"}
    assert "more than 2 entries" in refused(source_of(a_tar(**entries)))
    assert "more than 2 entries" in refused(source_of(a_zip(**entries)))


@pytest.mark.parametrize("path", ["../a.yaml", "/etc/a.yaml", "x/../../a.yaml", "..\\a.yaml", "C:\\a.yaml"])
@pytest.mark.parametrize("pack", [a_tar, a_zip], ids=["tar", "zip"])
def test_paths_that_leave_the_archive(path: str, pack: object, tmp_path: Path) -> None:
    assert callable(pack)
    (tmp_path / "dump").write_bytes(pack(**{path: GOOD.encode(), "b.yaml": GOOD.encode()}))
    found = named(ask(source_at(tmp_path / "dump"), "deploy/web"))
    assert found.detail == "its path leads out of the archive"


def test_hard_links() -> None:
    """They share a file's content, each at its full price; one to nothing is named."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        entry = tarfile.TarInfo("all.yaml")
        entry.size = len(GOOD)
        archive.addfile(entry, io.BytesIO(GOOD.encode()))
        for name, target in (("b.yaml", "all.yaml"), ("c.yaml", "gone.yaml")):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.LNKTYPE, target
            archive.addfile(link)
    found = named(ask(source_of(stream.getvalue()), "deploy/web"))
    assert (found.kind, found.detail) == ("standard input:c.yaml", "a link to nothing")


def test_a_broken_file_in_an_archive_does_not_end_it() -> None:
    found = named(ask(source_of(a_tar(**{"a.yaml.gz": b"\x1f\x8bno", "b.yaml": GOOD.encode()})), "deploy/web"))
    assert (found.kind, found.detail[:17]) == ("standard input:a.yaml.gz", "a broken archive:")


def test_an_encrypted_zip() -> None:
    content = bytearray(a_zip(**{"a.yaml": GOOD.encode()}))
    for header in (b"PK\x03\x04", b"PK\x01\x02"):
        content[content.index(header) + (6 if header[2] == 3 else 8)] |= 1
    assert "password required" in refused(source_of(bytes(content)))


def test_standard_input_that_cannot_be_read() -> None:
    class Closed(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    assert refused(FileSource(["-"], Closed(), None)) == "cannot read standard input: Input/output error"


def test_a_folder_that_may_not_be_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b.yaml").write_text(GOOD)
    (tmp_path / "closed").mkdir()
    scan = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = named(ask(source_at(tmp_path), "deploy/web"))
    assert (found.kind, found.detail) == (str(tmp_path / "closed"), "Permission denied")


@pytest.mark.parametrize(
    ("metadata", "flaw"),
    [
        ({"name": 7}, "metadata.name is not a string"),
        ({}, "metadata.name is missing"),
        ({"name": "p", "labels": ["a"]}, "metadata.labels is not an object"),
        ({"name": "p", "labels": {"a": None}}, "metadata.labels[a] is not a string but null"),
        ({"name": "p", "annotations": {"a": 1.5}}, "metadata.annotations[a] is not a string but the number 1.5"),
        ({"name": "p", "annotations": {"a": []}}, "metadata.annotations[a] is not a string but a list"),
    ],
)
def test_what_the_api_server_would_refuse_is_not_used(metadata: dict[str, object], flaw: str) -> None:
    flawed = {**an_object("StaticPolicy", "p"), "metadata": {"namespace": "shop", **metadata}}
    objects = ask(source_of(text_of(flawed)), kinds=["StaticPolicy"]).objects
    assert objects.by_kind == {"StaticPolicy": ()}
    assert flaw in gap(objects.gaps, "StaticPolicy").detail


def test_links_and_devices_in_an_archive_are_not_followed() -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, kind in (
            ("link.yaml", tarfile.SYMTYPE),
            ("fifo.yaml", tarfile.FIFOTYPE),
            ("dev.yaml", tarfile.CHRTYPE),
        ):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
        entry = tarfile.TarInfo("all.yaml")
        entry.size = len(GOOD)
        archive.addfile(entry, io.BytesIO(GOOD.encode()))
    gathered = ask(source_of(stream.getvalue()), "deploy/web")
    assert isinstance(gathered.subjects[0], Subject)
    assert all(each.kind.isalpha() for each in gathered.objects.gaps)


def test_a_file_in_a_folder_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").symlink_to(tmp_path / "gone")
    (tmp_path / "b.yaml").write_text(GOOD)
    assert named(ask(source_at(tmp_path), "deploy/web")).detail == "No such file or directory"


def test_a_list_member_without_a_kind_is_nobody() -> None:
    """In a List of mixed kinds nothing says what it is; in a typed list the list does."""
    nameless = {"metadata": {"name": "p", "namespace": "shop"}}
    typed = a_list(nameless, kind="StaticPolicyList", version="rightsizing.kubex.ai/v1alpha1")
    gathered = ask(source_of(text_of(typed, a_list(nameless))), kinds=["StaticPolicy"])
    assert names(gathered.objects.by_kind["StaticPolicy"]) == ["p"]


def test_one_object_that_is_none_does_not_hide_the_rest() -> None:
    flawed = an_object("StaticPolicy", "flawed", labels={"app": True})
    gathered = ask(source_of(text_of(flawed, *web_and_policies())), "deploy/web")
    assert names(gathered.objects.by_kind["StaticPolicy"]) == ["floor"]
    detail = "StaticPolicy shop/flawed: metadata.labels[app] is not a string but true (in standard input)"
    assert gap(gathered.objects.gaps, "StaticPolicy") == Gap("StaticPolicy", GapReason.UNREADABLE, detail)
