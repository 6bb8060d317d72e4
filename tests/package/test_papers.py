"""The SBOM, the licences, the glibc floor and krew's manifest."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from packager import glibc, manifest, papers, trim
from packager.archive import digest
from packager.contents import Part
from packager.place import MACHINES, ROOT, Machine, version

LINUX = Machine("linux", "amd64")
PARTS = (
    Part("click", "8.2", "BSD-3-Clause", "text of click", "pkg:pypi/click@8.2"),
    Part("libc thing", "1", "Something Odd", "text of libc"),
)


def test_the_sbom_names_every_part_and_the_archive() -> None:
    document = json.loads(papers.sbom(PARTS, LINUX, 0, Path("kubectl-kubex-linux-amd64.tar.gz"), "ab" * 32))
    assert document["spdxVersion"] == "SPDX-2.3"
    assert document["creationInfo"]["created"] == "1970-01-01T00:00:00Z"
    own, click, odd = document["packages"]
    assert own["checksums"] == [{"algorithm": "SHA256", "checksumValue": "ab" * 32}]
    assert click["externalRefs"][0]["referenceLocator"] == "pkg:pypi/click@8.2"
    assert (click["licenseDeclared"], odd["licenseDeclared"]) == ("BSD-3-Clause", "NOASSERTION")
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]) for package in document["packages"])
    known = {package["SPDXID"] for package in document["packages"]} | {"SPDXRef-DOCUMENT"}
    linked = {link[end] for link in document["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    assert linked == known


def test_the_sbom_of_the_same_parts_is_the_same_text() -> None:
    first, second = (papers.sbom(PARTS, LINUX, 7, Path("a"), "00") for _ in range(2))
    assert first == second
    assert papers.sbom(PARTS[:1], LINUX, 7, Path("a"), "00") != first


@pytest.mark.parametrize(
    ("stated", "expression"),
    [
        ("MIT", "MIT"),
        ("Apache License Version 2.0", "NOASSERTION"),
        ("Apache Software License", "Apache-2.0"),
        ("Apache-2.0 AND MIT", "Apache-2.0 AND MIT"),
        ("", "NOASSERTION"),
    ],
)
def test_only_known_words_become_an_spdx_expression(stated: str, expression: str) -> None:
    assert papers.spdx_licence(stated) == expression


def test_every_licence_text_travels_along() -> None:
    text = papers.licences(PARTS)
    assert all(part.text in text and f"{part.name} {part.version}" in text for part in PARTS)


def test_the_highest_glibc_decides(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"\x7fELF\x00GLIBC_2.9\x00GLIBC_2.17\x00")
    (tmp_path / "new").write_bytes(b"\x7fELF\x00GLIBC_2.28\x00GLIBC_2.2.5\x00GLIBC_PRIVATE\x00")
    (tmp_path / "text").write_bytes(b"\x00GLIBC_2.99\x00")
    assert glibc.floor(tmp_path) == ((2, 28), "new")
    assert glibc.spelled(glibc.parse("2.28")) == "2.28"


def test_without_elf_files_there_is_no_floor(tmp_path: Path) -> None:
    assert glibc.floor(tmp_path) is None


def test_our_modules_keep_their_help_texts_and_the_generated_client_stays_out() -> None:
    names = ["kubectl_kubex.cli", "click", "kubernetes.client.models", "kubernetes.client.models.v1_pod",
             "kubernetes.client.api.core_v1_api",
             "kubernetes.aio.client", "kubernetes.config.dateutil_test"]  # fmt: skip
    kept = {name: kind for name, _, kind in trim.kept((name, "file", "PYMODULE") for name in names)}
    assert kept == {"kubectl_kubex.cli": "PYMODULE-1", "click": "PYMODULE-2", "kubernetes.client.models": "PYMODULE-2"}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for machine in (LINUX, Machine("windows", "amd64")):
        (tmp_path / machine.archive).write_text(machine.os)
    return tmp_path


def test_the_manifest_has_the_platforms_that_are_there(shelf: Path) -> None:
    written = manifest.write(shelf)
    assert written is not None
    spec = yaml.safe_load(written.read_text())["spec"]
    assert spec["version"] == f"v{version()}"
    linux, windows = spec["platforms"]
    assert linux["selector"] == {"matchLabels": {"os": "linux", "arch": "amd64"}}
    assert linux["sha256"] == digest(shelf / LINUX.archive)
    assert linux["uri"].endswith(f"/v{version()}/kubectl-kubex-linux-amd64.tar.gz")
    assert (windows["bin"], linux["bin"]) == ("kubectl-kubex.exe", "kubectl-kubex")


def test_the_manifest_takes_the_repository_from_its_surroundings(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBEX_REPOSITORY", "somebody/kubectl-kubex")
    text = manifest.filled(shelf, [LINUX])
    assert "OWNER" not in text
    assert "github.com/somebody/kubectl-kubex/releases" in text


def test_without_an_archive_there_is_no_manifest(tmp_path: Path) -> None:
    assert manifest.write(tmp_path) is None


def test_the_manifest_knows_every_machine_that_is_built() -> None:
    spec = yaml.safe_load(manifest.TEMPLATE.read_text())["spec"]
    named = [tuple(platform["selector"]["matchLabels"].values()) for platform in spec["platforms"]]
    assert named == [(machine.os, machine.arch) for machine in MACHINES]
    assert len(spec["shortDescription"]) <= 50
    assert spec["caveats"].count("\n") == 2


def test_the_release_bots_template_says_what_the_manifest_says() -> None:
    bot = (ROOT / ".krew.yaml").read_text()
    uris = re.findall(r'addURIAndSha "[^"]*/([^"/]+)"', bot)
    assert uris == [machine.archive for machine in MACHINES]
    head = re.search(r"  shortDescription:.*?(?=  platforms:)", manifest.TEMPLATE.read_text(), re.DOTALL)
    assert head is not None
    assert head.group() in bot
