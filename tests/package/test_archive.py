"""The archive's rules: files and folders only, the same bytes again, nothing outside of it."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from packager.archive import BadArchive, check, digest, entries, pack, stage, unpack, write_sums

PROGRAMS = frozenset({"program"})
TIME = 1_700_000_000
SUFFIXES = [".tar.gz", ".zip"]


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    """As PyInstaller leaves it on macOS: with links in it."""
    folder = tmp_path / "frozen"
    (folder / "_internal" / "lib").mkdir(parents=True)
    (folder / "program").write_text("program")
    (folder / "_internal" / "lib" / "one.so.1").write_text("library")
    (folder / "_internal" / "one.so").symlink_to("lib/one.so.1")
    (folder / "_internal" / "again").symlink_to("lib")
    os.link(folder / "program", folder / "_internal" / "hard")
    return folder


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_links_become_what_they_lead_to(frozen: Path, tmp_path: Path, suffix: str) -> None:
    stage(frozen, {"LICENSE": "ours\n"}, tmp_path / "staged")
    made = tmp_path / f"made{suffix}"
    pack(tmp_path / "staged", made, TIME, PROGRAMS)
    assert all(plain for _, plain in entries(made))
    unpack(made, tmp_path / "unpacked")
    assert (tmp_path / "unpacked" / "_internal" / "one.so").read_text() == "library"
    assert (tmp_path / "unpacked" / "_internal" / "again" / "one.so.1").read_text() == "library"
    assert (tmp_path / "unpacked" / "LICENSE").read_text() == "ours\n"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_files_are_the_same_bytes(frozen: Path, tmp_path: Path, suffix: str) -> None:
    digests = set()
    for round_, umask in enumerate((0o022, 0o077)):
        before = os.umask(umask)
        try:
            stage(frozen, {"LICENSE": "ours\n"}, tmp_path / f"staged-{round_}")
        finally:
            os.umask(before)
        os.utime(tmp_path / f"staged-{round_}" / "program", (round_, round_))
        made = tmp_path / f"made-{round_}{suffix}"
        pack(tmp_path / f"staged-{round_}", made, TIME, PROGRAMS)
        digests.add(digest(made))
    assert len(digests) == 1


def test_modes_and_owners_are_told_by_the_rules_alone(frozen: Path, tmp_path: Path) -> None:
    stage(frozen, {}, tmp_path / "staged")
    pack(tmp_path / "staged", tmp_path / "made.tar.gz", TIME, PROGRAMS)
    with tarfile.open(tmp_path / "made.tar.gz") as tar:
        members = {member.name: member for member in tar}
    assert list(members) == sorted(members)
    assert (members["program"].mode, members["_internal"].mode, members["_internal/one.so"].mode) == (
        0o755,
        0o755,
        0o644,
    )
    assert {(member.uid, member.gid, member.mtime) for member in members.values()} == {(0, 0, TIME)}


def _tar_with(path: Path, name: str, kind: bytes) -> None:
    with tarfile.open(path, "w:gz") as tar:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "elsewhere"
        tar.addfile(member, io.BytesIO())


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_other_kinds_of_entries_are_refused(tmp_path: Path, kind: bytes) -> None:
    _tar_with(tmp_path / "bad.tar.gz", "entry", kind)
    with pytest.raises(BadArchive, match="neither a file nor a folder"):
        check(tmp_path / "bad.tar.gz")


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../b", "a\\b", "two..dots"])
def test_paths_that_krew_refuses_are_refused(tmp_path: Path, name: str) -> None:
    _tar_with(tmp_path / "bad.tar.gz", name, tarfile.REGTYPE)
    with pytest.raises(BadArchive, match="no path inside"):
        check(tmp_path / "bad.tar.gz")


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as opened:
        entry = zipfile.ZipInfo("link")
        entry.external_attr = 0o120777 << 16
        opened.writestr(entry, "elsewhere")
    with pytest.raises(BadArchive):
        check(tmp_path / "bad.zip")


def test_sums_are_as_sha256sum_reads_them(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"")
    (tmp_path / "a").write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert write_sums(tmp_path).read_text() == f"{empty}  a\n{empty}  b\n"
    assert write_sums(tmp_path).read_text() == f"{empty}  a\n{empty}  b\n"
