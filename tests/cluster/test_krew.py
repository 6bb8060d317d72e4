"""Real krew, as a user has it: install, run through kubectl, upgrade, uninstall; and the index's own check."""

from __future__ import annotations

import http.server
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from packager import manifest
from packager.archive import digest, pack, unpack
from packager.place import MACHINES, ROOT, epoch, this_machine, version

from tests.apiserver import binaries
from tests.apiserver.krew.binaries import Krew, find

NEXT = "v99.0.0"
DEMO = ("kubex", "why", "deploy/web", "-n", "shop", "--demo")


@pytest.fixture(scope="module")
def krew() -> Krew:
    try:
        return find()
    except binaries.Unavailable as problem:
        if os.environ.get("KUBEX_REQUIRE_CLUSTER") == "1":
            pytest.fail(f"KUBEX_REQUIRE_CLUSTER=1, but: {problem}", pytrace=False)
        pytest.skip(str(problem))


class User:
    """Somebody with kubectl, krew and git, and nothing else of ours."""

    def __init__(self, folder: Path, krew: Krew) -> None:
        self.home, self.tools = folder / "home", folder / "tools"
        self.root = self.home / ".krew"
        for each in (self.home, self.tools):
            each.mkdir()
        (self.tools / "kubectl-krew").symlink_to(krew.krew)
        (self.tools / "kubectl").symlink_to(binaries.find().kubectl)
        self.index = ""

    def kubectl(self, *words: str, code: int = 0) -> str:
        path = os.pathsep.join([str(self.root / "bin"), str(self.tools), "/usr/bin", "/bin"])
        environment = {"HOME": str(self.home), "PATH": path, "KREW_ROOT": str(self.root), "KREW_NO_UPGRADE_CHECK": "1"}
        if self.index:
            environment["KREW_DEFAULT_INDEX_URI"] = self.index
        done = subprocess.run(
            ["kubectl", *words], executable=self.tools / "kubectl", env=environment, capture_output=True, text=True,
            timeout=120, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def left(self) -> list[str]:
        """What is there of the plugin: links, unpacked archives, receipts."""
        places = [self.root / "bin", self.root / "store", self.root / "receipts"]
        return [
            str(path.relative_to(self.root)) for place in places if place.exists() for path in place.rglob("*kubex*")
        ]


@pytest.fixture
def user(tmp_path: Path, krew: Krew) -> User:
    return User(tmp_path, krew)


@pytest.fixture
def shelf(archive: Path, tmp_path: Path) -> Iterator[Shelf]:
    with_index = Shelf(archive, tmp_path / "shelf")
    yield with_index
    with_index.close()


class Shelf:
    """An index in a local git repository, and a loopback server with the archives that it names."""

    def __init__(self, archive: Path, folder: Path) -> None:
        self.archives, self.repository = folder / "archives", folder / "index"
        self.archives.mkdir(parents=True)
        (self.repository / "plugins").mkdir(parents=True)
        handler = partial(_Quiet, directory=str(self.archives))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        shutil.copy(archive, self.archives / "first.tar.gz")
        self._git("init", "--quiet", "--initial-branch=main")
        self.publish(f"v{version()}", "first.tar.gz")

    def publish_next(self) -> None:
        """A second version, whose archive has one file more."""
        unpack(self.archives / "first.tar.gz", self.archives / "next")
        (self.archives / "next" / "NEWS.md").write_text("news\n")
        pack(self.archives / "next", self.archives / "next.tar.gz", epoch(), frozenset({this_machine().program}))
        self.publish(NEXT, "next.tar.gz")

    def publish(self, release: str, name: str) -> None:
        machine = this_machine()
        made = self.archives / machine.archive
        shutil.copy(self.archives / name, made)
        text = manifest.filled(self.archives, [machine])
        text = re.sub(r"uri: .*", f"uri: http://127.0.0.1:{self.server.server_port}/{name}", text)
        text = re.sub(r"  version: .*", f"  version: {release}", text)
        assert digest(made) in text
        (self.repository / "plugins" / "kubex.yaml").write_text(text)
        self._git("add", ".")
        self._git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", release)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def _git(self, *words: str) -> None:
        subprocess.run(["git", "-C", str(self.repository), *words], check=True, capture_output=True)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


def test_it_installs_from_the_archive_and_answers_through_kubectl(user: User, archive: Path, tmp_path: Path) -> None:
    where = tmp_path / "made"
    where.mkdir()
    (where / archive.name).symlink_to(archive)
    written = manifest.write(where)
    user.kubectl("krew", "install", f"--manifest={written}", f"--archive={archive}")
    assert "ProactivePolicy/web-sizing" in user.kubectl(*DEMO)
    assert user.kubectl("kubex", "why", "--help").startswith("Usage: kubectl kubex why ")
    user.kubectl("kubex", "why", "deploy/nowhere", "-n", "shop", "--demo", code=3)


def test_upgrade_and_uninstall_leave_nothing_behind(user: User, shelf: Shelf) -> None:
    user.index = shelf.repository.as_uri()
    user.kubectl("krew", "update")
    assert "Explain which Kubex rightsizing policy wins" in user.kubectl("krew", "search", "kubex")
    user.kubectl("krew", "install", "kubex")
    assert user.kubectl("kubex", "completion", "install").strip() == str(user.root / "bin" / "kubectl_complete-kubex")
    shelf.publish_next()
    user.kubectl("krew", "update")
    user.kubectl("krew", "upgrade", "kubex")
    assert [path.name for path in (user.root / "store" / "kubex").iterdir()] == [NEXT]
    assert "ProactivePolicy/web-sizing" in user.kubectl(*DEMO)
    user.kubectl("kubex", "completion", "uninstall")
    user.kubectl("krew", "uninstall", "kubex")
    assert user.left() == []


def validate(krew: Krew, file: Path) -> None:
    command: list[str] = [str(krew.validator), "-manifest", str(file), "-skip-install"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_indexs_own_check_takes_the_manifest(krew: Krew, archive: Path, tmp_path: Path) -> None:
    validate(krew, ROOT / "krew" / "kubex.yaml")
    for machine in MACHINES:
        (tmp_path / machine.archive).write_bytes(archive.read_bytes())
    written = manifest.write(tmp_path)
    assert written is not None
    validate(krew, written)
