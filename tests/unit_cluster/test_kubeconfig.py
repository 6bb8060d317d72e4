"""Files read and merged as kubectl does (B01, B02)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kubex.cluster.kubeconfig import Kubeconfig, extension, load
from kubectl_kubex.errors import ConfigError


def write(path: Path, content: str | dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return path


def config(name: str, *, current: str = "", **cluster: Any) -> dict[str, Any]:
    entry = {"server": f"https://{name}.test", **cluster}
    return {
        "kind": "Config",
        "current-context": current,
        "clusters": [{"name": name, "cluster": entry}],
        "users": [{"name": name, "user": {"token": name}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
    }


def loaded(*parts: object, explicit: str | None = None) -> Kubeconfig:
    return load(explicit, {"KUBECONFIG": os.pathsep.join(str(part) for part in parts)})


def test_current_context_is_that_of_the_first_file_that_has_one(tmp_path: Path) -> None:
    a, b, c = (
        write(tmp_path / name, config(name, current=current)) for name, current in (("a", ""), ("b", "b"), ("c", "c"))
    )
    merged = loaded(a, b, c)
    assert merged.current_context == "b"
    assert set(merged.clusters) == {"a", "b", "c"}


def test_no_file_needs_to_have_a_current_context(tmp_path: Path) -> None:
    assert loaded(write(tmp_path / "a", config("a"))).current_context == ""


def test_the_first_entry_of_a_name_wins_whole(tmp_path: Path) -> None:
    a = write(tmp_path / "a", {"users": [{"name": "red", "user": {"token": "first"}}]})
    b = write(tmp_path / "b", {"users": [{"name": "red", "user": {"token": "second", "as": "nobody"}}]})
    assert loaded(a, b).users == {"red": {"token": "first"}}


def test_empty_and_missing_parts_are_passed_over(tmp_path: Path) -> None:
    a = write(tmp_path / "a", config("a", current="a"))
    assert loaded("", tmp_path / "missing", a, "", a).current_context == "a"


def test_a_list_of_nothing_does_not_fall_back_to_the_home_file(tmp_path: Path) -> None:
    write(tmp_path / ".kube" / "config", config("home", current="home"))
    environ = {"HOME": str(tmp_path), "KUBECONFIG": os.pathsep}
    assert load(None, environ) == Kubeconfig()
    assert load(None, {**environ, "KUBECONFIG": ""}).current_context == "home"


def test_an_explicit_file_is_the_only_one_and_must_exist(tmp_path: Path) -> None:
    a, b = (write(tmp_path / name, config(name, current=name)) for name in "ab")
    assert load(str(b), {"KUBECONFIG": str(a)}).current_context == "b"
    with pytest.raises(ConfigError, match="does not exist"):
        load(str(tmp_path / "missing"), {"KUBECONFIG": str(a)})


def test_relative_paths_are_relative_to_their_file(tmp_path: Path) -> None:
    entry = {"certificate-authority": "pki/ca.crt"}
    user = {
        "client-certificate": "c.crt", "client-key": "/abs/c.key", "tokenFile": "../t",
        "exec": {"command": "bin/login", "apiVersion": "v1"},
    }  # fmt: skip
    plain = {"exec": {"command": "aws"}}
    content = {
        "clusters": [{"name": "a", "cluster": entry}],
        "users": [{"name": "a", "user": user}, {"name": "b", "user": plain}],
    }
    merged = loaded(write(tmp_path / "sub" / "config", content))
    folder = tmp_path / "sub"
    assert merged.clusters["a"]["certificate-authority"] == str(folder / "pki/ca.crt")
    assert merged.users["a"]["client-certificate"] == str(folder / "c.crt")
    assert merged.users["a"]["client-key"] == "/abs/c.key"
    assert Path(merged.users["a"]["tokenFile"]).resolve() == tmp_path / "t"
    assert merged.users["a"]["exec"]["command"] == str(folder / "bin/login")
    assert merged.users["b"]["exec"]["command"] == "aws"


@pytest.mark.parametrize("name", ["0012", "1e3", "on", "12:30", "2026-01-01", "true", "0x1F"])
def test_names_and_tokens_stay_as_they_are_written(tmp_path: Path, name: str) -> None:
    content = f"current-context: {name}\nusers: [{{name: {name}, user: {{token: {name}}}}}]\n"
    merged = loaded(write(tmp_path / "a", content))
    assert merged.current_context == name
    assert merged.users == {name: {"token": name}}


def test_null_is_nothing(tmp_path: Path) -> None:
    content = "current-context: null\nclusters: null\nusers: [{name: a, user: null}]\ncontexts: ~\n"
    assert loaded(write(tmp_path / "a", content)) == Kubeconfig(
        users={"a": {}}, origins={("users", "a"): tmp_path / "a"}
    )


@pytest.mark.parametrize("content", ["", "\n", "---\n", "{}"])
def test_an_empty_file_is_no_configuration(tmp_path: Path, content: str) -> None:
    assert loaded(write(tmp_path / "a", content)).clusters == {}


def test_a_byte_order_mark_and_json_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(
        b'\xef\xbb\xbf{"current-context": "a", "contexts": [{"name": "a", "context": {"namespace": "shop"}}]}'
    )
    assert loaded(path).contexts == {"a": {"namespace": "shop"}}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"current-context: caf\xe9\n", "byte 20 is not UTF-8"),
        (b"clusters: [\n", "line 2: "),
        (b"a: b: c\n", "line 1: mapping values are not allowed"),
        (b"- a\n", "it is no kubeconfig"),
        (b"just text\n", "it is no kubeconfig"),
        (b"kind: Pod\n", "it is no kubeconfig"),
        (b"a: \x00\n", "unacceptable character|control characters"),
        (b"clusters: [{name: a, cluster: {}}, {name: a, cluster: {}}]", 'duplicate name "a" in clusters'),
        (b"a: !!python/object:os.system {}\n", "could not determine a constructor"),
        (b"[" * 2000, "kubeconfig file"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=words) as caught:
        loaded(path)
    assert str(path) in caught.value.line
    assert "\n" not in caught.value.line


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="directory"):
        loaded(tmp_path)


def test_extensions_keep_their_types(tmp_path: Path) -> None:
    path = write(tmp_path / "a", config("7", extensions=[{"name": "x", "extension": {"port": 1, "on": True}}]))
    assert extension(path, "7", "x") == {"port": 1, "on": True}
    assert extension(path, "7", "y") is None
    assert extension(path, "8", "x") is None
