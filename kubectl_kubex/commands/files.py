"""Writing a file that may hold what not everybody should read, and never by accident over another one."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from kubectl_kubex.errors import InputError, UsageError

_HINT = "choose another name, or --force"


def refuse_existing(path: str, *, force: bool) -> None:
    """Raises UsageError for a path that is taken; asked before any work is done."""
    if not force and os.path.lexists(path):
        raise UsageError(f"{path} exists already", _HINT)


def write_private(path: str, content: str, *, force: bool) -> None:
    """Write `content` readable for its owner only, whole or not at all. An existing file is replaced only with `force`.
    Raises UsageError or InputError."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)  # mode 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            _put(name, path, force=force)
        finally:
            with suppress(FileNotFoundError):
                Path(name).unlink()
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def _put(name: str, path: str, *, force: bool) -> None:
    if force or not hasattr(os, "link"):
        refuse_existing(path, force=force)
        Path(name).replace(path)
        return
    try:
        os.link(name, path)  # unlike a rename, it fails where something came into being in the meantime
    except FileExistsError:
        raise UsageError(f"{path} exists already", _HINT) from None
    except OSError:  # a file system without hard links
        refuse_existing(path, force=force)
        Path(name).replace(path)
