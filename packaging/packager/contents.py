"""What is in the bundle, and whose it is: the ground of the SBOM and of the third-party licences."""

from __future__ import annotations

import json
import re
import shutil
import ssl
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from email.message import Message
from importlib import metadata
from pathlib import Path
from typing import cast

from packager.place import CONTENTS

_OURS = "kubectl-kubex"
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


class Unexplained(RuntimeError):
    """Something in the bundle whose origin or licence is not known: it must not be shipped."""


@dataclass(frozen=True)
class Part:
    """Something in the bundle that is not ours. `licence`: as its own metadata says it; `purl`: its package URL, where
    it has one."""

    name: str
    version: str
    licence: str
    text: str
    purl: str = ""


def parts() -> tuple[Part, ...]:
    """Every part of the bundle but our own code, by name. Raises Unexplained."""
    files = [Path(source) for _, source, _ in json.loads(CONTENTS.read_text(encoding="utf-8"))]
    libraries = {Path(sysconfig.get_path("purelib")), Path(sysconfig.get_path("platlib"))}
    distributions, system = set[str](), set[Path]()
    owners = _owners()
    for file in files:
        if any(file.is_relative_to(library) for library in libraries):
            distributions.add(_owner(file, owners))
        elif _is_shared_library(file) and not file.is_relative_to(Path(sys.base_prefix)):
            system.add(file.resolve())
    distributions.discard(_OURS)
    found = [_python(), _bootloader(), *(_distribution(name) for name in distributions), *_system_parts(system)]
    return tuple(sorted(found, key=lambda part: part.name.lower()))


def _is_shared_library(file: Path) -> bool:
    return ".so" in file.name or file.suffix in {".dylib", ".dll", ".pyd"}


def _owners() -> dict[Path, str]:
    found: dict[Path, str] = {}
    for distribution in metadata.distributions():
        for file in distribution.files or ():
            found[Path(str(distribution.locate_file(file))).resolve()] = distribution.name
    return found


def _owner(file: Path, owners: dict[Path, str]) -> str:
    try:
        return owners[file.resolve()]
    except KeyError:
        raise Unexplained(f"{file} is in the bundle, and no installed distribution has it") from None


def _distribution(name: str) -> Part:
    found = metadata.distribution(name)
    texts = [
        file.read_text(encoding="utf-8").strip()
        for file in sorted(found.files or (), key=str)
        if _LICENCE_FILE.search(file.name) and file.suffix not in {".py", ".pyc", ".so"}
        and any(part.endswith(".dist-info") for part in file.parts)
    ]  # fmt: skip
    licence = _licence_of(found)
    if not texts and not licence:
        raise Unexplained(f"{name} states no licence")
    canonical = re.sub(r"[-_.]+", "-", found.name).lower()
    words = "\n\n".join(texts) or f"Distributed under: {licence}. Its distribution brings no licence text."
    return Part(found.name, found.version, licence, words, f"pkg:pypi/{canonical}@{found.version}")


def _licence_of(found: metadata.Distribution) -> str:
    """The licence in the distribution's own words, as short as it has them."""
    fields = cast("Message", found.metadata)  # which it is, whatever its protocol says
    expression = fields.get("License-Expression") or ""
    classified = [
        line.rpartition(" :: ")[2] for line in fields.get_all("Classifier") or () if line.startswith("License")
    ]
    stated = (fields.get("License") or "").strip()
    return expression or (stated if stated and "\n" not in stated else "") or ", ".join(classified)


def _python() -> Part:
    version = sys.version.split()[0]
    places = (Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt")
    text = next((place.read_text(encoding="utf-8") for place in places if place.exists()), "")
    if not text:
        text = _debian_copyright(f"python3.{sys.version_info.minor}")
    return Part("Python", version, "PSF-2.0", text.strip(), f"pkg:generic/python@{version}")


def _bootloader() -> Part:
    part = _distribution("pyinstaller")
    text = f"Only the bootloader is part of the program.\n\n{part.text}"
    return Part("PyInstaller bootloader", part.version, part.licence, text, part.purl)


def _system_parts(libraries: set[Path]) -> list[Part]:
    """The operating system's libraries that travel along: by Debian's package where there is one, else by file name."""
    found: dict[str, Part] = {}
    for library in sorted(libraries):
        package, version = _debian_package(library)
        if package:
            url = f"pkg:deb/debian/{package}@{version}"
            found[package] = Part(package, version, "", _debian_copyright(package), url)
        else:
            known = ssl.OPENSSL_VERSION.split()[1] if library.name.startswith(("libssl", "libcrypto")) else "unknown"
            text = "A library of the build machine's system, which names no package for it."
            found[library.name] = Part(library.name, known, "", text)
    return list(found.values())


def _debian_package(library: Path) -> tuple[str, str]:
    """The name and version of the Debian package that owns the file; "" where none does."""
    if shutil.which("dpkg-query") is None:
        return "", ""
    merged = str(library).removeprefix("/usr") if str(library).startswith("/usr/lib") else f"/usr{library}"
    for path in (str(library), merged):
        asked = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            package = asked.stdout.partition(":")[0]
            shown = ["dpkg-query", "-W", "-f", "${Version}", package]
            return package, subprocess.run(shown, capture_output=True, text=True, check=False).stdout
    return "", ""


def _debian_copyright(package: str) -> str:
    path = Path("/usr/share/doc") / package / "copyright"
    if not path.exists():
        raise Unexplained(f"no licence text for {package}: {path} does not exist")
    return path.read_text(encoding="utf-8", errors="replace").strip()
