"""The program that kubectl looks for to complete `kubectl kubex ...`. It asks us; krew cannot install it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from kubectl_kubex.errors import InputError, UsageError

PROGRAM = "kubectl-kubex"
_MARK = "Written by `kubectl kubex completion install`"
_SH = f"""#!/bin/sh
# {_MARK}; `kubectl kubex completion uninstall` removes it.
# kubectl asks it what may come next on the command line, and shows what it says on standard error: so it says nothing.
command -v {PROGRAM} >/dev/null 2>&1 || exit 1
exec {PROGRAM} __complete "$@" 2>/dev/null
"""
_CMD = f"""@rem {_MARK}; `kubectl kubex completion uninstall` removes it.
@{PROGRAM} __complete %* 2>nul
"""


def file_name(platform: str = sys.platform) -> str:
    """What kubectl looks for."""
    return "kubectl_complete-kubex" + (".cmd" if platform == "win32" else "")


def install(folder: str | None, environment: Mapping[str, str], *, force: bool = False) -> Path:
    """Write the shim into `folder`, else beside the program on PATH, else into another folder of the user's on PATH.
    Raises UsageError where there is none to write to, and for a file that is not ours unless `force`."""
    place = Path(folder) if folder else _place(environment)
    target = place / file_name()
    if not force and target.exists() and not _is_ours(target):
        raise UsageError(f"{target} is there and was written by somebody else", "--force replaces it")
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_text(_CMD if sys.platform == "win32" else _SH, encoding="utf-8", newline=None)
        beside.chmod(0o755)
        beside.replace(target)
    except OSError as problem:
        beside.unlink(missing_ok=True)
        raise InputError(f"cannot write {target}: {problem.strerror}", "--dir names another folder on PATH") from None
    return target


def uninstall(folder: str | None, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Remove our shims from `folder`, else from PATH; what was removed."""
    folders = [Path(folder)] if folder else list(_on_path(environment))
    found = [place / file_name() for place in folders if _is_ours(place / file_name())]
    try:
        for target in found:
            target.unlink()
    except OSError as problem:
        raise InputError(f"cannot remove {problem.filename}: {problem.strerror}") from None
    return tuple(found)


def is_found(target: Path, environment: Mapping[str, str]) -> bool:
    """Whether kubectl finds this very file."""
    found = shutil.which(file_name(), path=environment.get("PATH", ""))
    return found is not None and Path(found).absolute() == target.absolute()


def _place(environment: Mapping[str, str]) -> Path:
    """Beside the program, where krew, pip and people put it on PATH; else a folder of one's own that is on PATH."""
    program = shutil.which(PROGRAM, path=environment.get("PATH", ""))
    home = environment.get("HOME") or environment.get("USERPROFILE") or ""
    own = [Path(home) / name for name in (".local/bin", "bin")] if home else []
    on_path = set(_on_path(environment))
    for place in [*([Path(program).parent] if program else []), *(place for place in own if place in on_path)]:
        if os.access(place, os.W_OK):
            return place
    raise UsageError("no folder on PATH that you may write to", "--dir names one")


def _on_path(environment: Mapping[str, str]) -> Iterator[Path]:
    yield from (Path(part) for part in environment.get("PATH", "").split(os.pathsep) if part)


def _is_ours(target: Path) -> bool:
    try:
        return _MARK in target.read_text(encoding="utf-8", errors="replace")[:500]
    except OSError:
        return False
