"""One release for this machine, from the checkout to `dist/`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from packager import archive, bundle, contents, glibc, manifest, papers, smoke
from packager.bundle import BuildError
from packager.place import DIST, ROOT, WORK, epoch, this_machine

LARGEST = 16 * 1024 * 1024


def run(*, onefile: bool, twice: bool, oldest_glibc: str | None) -> None:
    """Build, check, try; everything that is meant for people stands in `dist/` afterwards. Raises BuildError,
    BadArchive, Unexplained or SmokeError."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir(parents=True)
    WORK.mkdir(parents=True, exist_ok=True)
    wheel = bundle.make_wheel()
    bundle.install(wheel)
    made = _archive(oldest_glibc)
    if twice:
        _compare(made, wheel, oldest_glibc)
    if onefile:
        _single_file()
    manifest.write(DIST)
    archive.write_sums(DIST)
    smoke.run(made)
    if onefile:
        smoke.run_onefile(DIST / this_machine().onefile)
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>10}  {archive.digest(path)[:12]}  dist/{path.name}")


def _archive(oldest_glibc: str | None) -> Path:
    machine, staged = this_machine(), WORK / "staged"
    frozen = bundle.freeze()
    parts = contents.parts()
    needed = _needed_glibc(frozen, oldest_glibc)
    extra: dict[str, Path | str] = {
        "LICENSE": ROOT / "LICENSE",
        "README.md": papers.readme(machine, needed),
        "THIRD-PARTY-LICENSES.txt": papers.licences(parts),
        "kubectl-kubex.1": ROOT / "docs" / "reference" / "kubectl-kubex.1",
    }
    archive.stage(frozen, extra, staged)
    _sign(staged)
    target = DIST / machine.archive
    archive.pack(staged, target, epoch(), frozenset({machine.program}))
    if target.stat().st_size > LARGEST:
        raise BuildError(f"{target.name} has {target.stat().st_size} bytes; {LARGEST} are allowed")
    sbom = papers.sbom(parts, machine, epoch(), target, archive.digest(target))
    (DIST / f"{machine.archive}.spdx.json").write_text(sbom, encoding="utf-8", newline="\n")
    return target


def _needed_glibc(frozen: Path, oldest: str | None) -> str:
    """The glibc that people need, as text; "" off Linux. Raises BuildError where it is newer than `oldest`."""
    found = glibc.floor(frozen)
    if found is None:
        return ""
    version, file = found
    print(f"needs glibc {glibc.spelled(version)}, because of {file}")
    if oldest and version > glibc.parse(oldest):
        raise BuildError(f"{file} needs glibc {glibc.spelled(version)}, newer than {oldest}")
    return glibc.spelled(version)


def _sign(staged: Path) -> None:
    """KUBEX_SIGN is a command that signs what is in the folder it is given: last, when no link is left to break."""
    command = os.environ.get("KUBEX_SIGN")
    if command:
        done = subprocess.run([*shlex.split(command), str(staged)], check=False)
        if done.returncode:
            raise BuildError(f"KUBEX_SIGN failed with exit code {done.returncode}")


def _single_file() -> None:
    made = bundle.freeze(onefile=True)
    shutil.copy2(made, DIST / this_machine().onefile)


def _compare(first: Path, wheel: Path, oldest_glibc: str | None) -> None:
    """Everything again, from nothing. Raises BuildError where a byte differs."""
    before = {path: archive.digest(path) for path in (first, wheel)}
    kept = WORK / f"first-{first.name}"
    shutil.copy2(first, kept)
    shutil.rmtree(WORK / "pyinstaller-cache", ignore_errors=True)
    again = bundle.make_wheel()
    bundle.install(again)
    _archive(oldest_glibc)
    for path, digest in before.items():
        if archive.digest(path) != digest:
            raise BuildError(f"two builds of {path.name} differ; the first one is kept as {kept}")
    print(f"built twice, the same bytes: {before[first]}")
