"""The oldest glibc that the bundle runs on: the highest version that any of its files asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_ELF = b"\x7fELF"
_NEEDED = re.compile(rb"\x00GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\x00)")

Version = tuple[int, int]


def floor(folder: Path) -> tuple[Version, str] | None:
    """The version, and the file that asks for it; None where nothing below `folder` is an ELF file that asks."""
    found = [(needed, str(path.relative_to(folder))) for path in sorted(folder.rglob("*")) for needed in _of(path)]
    return max(found, default=None, key=lambda each: each[0])


def spelled(version: Version) -> str:
    """As `ldd --version` writes it."""
    return f"{version[0]}.{version[1]}"


def parse(text: str) -> Version:
    """`2.28` as a version."""
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def _of(path: Path) -> Iterable[Version]:
    """Versions stand in the string table, each between zero bytes."""
    if path.is_dir():
        return
    content = path.read_bytes()
    if content.startswith(_ELF):
        for match in set(_NEEDED.findall(content)):
            yield int(match[0]), int(match[1])
