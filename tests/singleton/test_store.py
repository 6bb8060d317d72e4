"""The backups of a user: private, whole, by cluster, newest first."""

from __future__ import annotations

import io
import os
import stat
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from kubectl_kubex.codec.backup import Origin, encode_backup
from kubectl_kubex.codec.precedence_edit import default_object
from kubectl_kubex.errors import AmbiguousBackup, InputError, NoBackup
from kubectl_kubex.offline.backup_store import BackupStore, Cluster, default_root

NOON = datetime(2026, 12, 1, 12, tzinfo=timezone.utc)
ONE = Cluster("https://one:6443", "uid-1")


def text(cluster: Cluster, reason: str = "asked for") -> str:
    return encode_backup(default_object(), Origin(server=cluster.server, cluster=cluster.uid, reason=reason))


def filled(root: Path, cluster: Cluster = ONE, count: int = 3, reason: str = "asked for") -> BackupStore:
    store = BackupStore(cluster, root)
    for number in range(count):
        store.add(text(cluster, reason), NOON + timedelta(seconds=number))
    return BackupStore(cluster, root)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_private_whatever_was_there(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    store = BackupStore(ONE, shared / "new" / "backups")
    path = store.add(text(ONE), NOON)
    assert [mode(each) for each in (path, path.parent, path.parent.parent, path.parent.parent.parent, shared)] == [
        0o600, 0o700, 0o700, 0o700, 0o755,
    ]  # fmt: skip
    path.parent.chmod(0o755)
    store.add(text(ONE), NOON)
    assert mode(path.parent) == 0o700
    assert path.name == f"20261201T120000.000000Z-{path.stem[-8:]}.yaml"


def test_newest_first_and_only_this_cluster_s(tmp_path: Path) -> None:
    store = filled(tmp_path)
    filled(tmp_path, Cluster("https://two:6443", "uid-2"))
    (store.folder / "notes.yaml").write_text("a: b")
    (store.folder / "20261201T120009.000000Z-aaaaaaaa.yaml").write_text("no header")
    names = [stored.name for stored in store.newest_first()]
    assert names == sorted(names, reverse=True)
    assert len(names) == 3


def test_a_cluster_without_its_uid_is_its_server(tmp_path: Path) -> None:
    filled(tmp_path)
    blind = filled(tmp_path, Cluster("https://one:6443"))
    assert blind.folder.name.startswith("https_one_6443-")
    assert len(blind.newest_first()) == 6
    assert len(BackupStore(ONE, tmp_path).newest_first()) == 6
    assert BackupStore(Cluster("https://one:6443", "uid-9"), tmp_path).newest_first()[0].origin.cluster == ""
    assert Cluster("https://a/../..", "../..").folder not in ("..", "../..")
    assert "/" not in Cluster("https://a/../..", "../..").folder


def test_find(tmp_path: Path) -> None:
    store = filled(tmp_path)
    first = store.newest_first()[-1].name
    for reference in (first, first.removesuffix(".yaml"), first[:16]):
        assert store.find(reference).name == first
    assert store.find("latest").name == store.newest_first()[0].name
    with pytest.raises(AmbiguousBackup):
        store.find("2026")
    for reference in ("", "2027", "*", "../x"):
        with pytest.raises(NoBackup):
            store.find(reference)
    with pytest.raises(NoBackup):
        BackupStore(Cluster("x", "y"), tmp_path).find("latest")


def test_open_takes_files_before_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(tmp_path / "store")
    monkeypatch.chdir(tmp_path)
    Path("latest").write_text("not YAML: [")
    assert store.open("latest", io.BytesIO()).backup.checksum is True
    Path("mine.yaml").write_text(text(ONE))
    assert store.open("mine.yaml", io.BytesIO()).name == "mine.yaml"
    assert store.open("-", io.BytesIO(text(ONE).encode())).name == "standard input"


def test_prune(tmp_path: Path) -> None:
    store = filled(tmp_path, reason="automatic before edit", count=2)
    for number in range(5):
        store.add(text(ONE), NOON + timedelta(minutes=1 + number))
    store = BackupStore(ONE, tmp_path)
    newest = [stored.path for stored in store.newest_first()]
    assert store.prune(2) == [*newest[2:5], newest[6]]
    left = [stored.path for stored in BackupStore(ONE, tmp_path).newest_first()]
    assert left == [*newest[:2], newest[5]]


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(InputError, match="cannot write the backup") as caught:
        BackupStore(ONE, blocked / "x").add(text(ONE), NOON)
    assert caught.value.hint == "--dir names another folder for backups"
    assert BackupStore(ONE, blocked / "x").newest_first() == []


def test_default_root_follows_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_root().parts[-2:] == ("kubectl-kubex", "backups")


def test_systems_without_unnamed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    monkeypatch.delattr(os, "O_DIRECTORY", raising=False)
    store = filled(tmp_path)
    assert {mode(path) for path in store.folder.iterdir()} == {0o600}
    assert [stored.read().backup.checksum for stored in store.newest_first()] == [True] * 3


def test_the_same_twice_is_one(tmp_path: Path) -> None:
    store = BackupStore(ONE, tmp_path)
    assert store.add(text(ONE), NOON) == store.add(text(ONE), NOON)
    assert len(list(store.folder.iterdir())) == 1


def test_a_write_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    store = filled(tmp_path)
    assert len(list(store.folder.iterdir())) == 3
