"""edit: policy-evaluation in an editor, and then the same steps as any other change."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kubectl_kubex.codec.backup import keepable, quoted_yaml
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.restoring import restored
from kubectl_kubex.commands.change import Manner, Proposal, carry_out
from kubectl_kubex.commands.consent import Consent
from kubectl_kubex.commands.singleton import Desk
from kubectl_kubex.commands.terminal import Terminal
from kubectl_kubex.errors import EditorFailure, ExitCode, MissingSingleton
from kubectl_kubex.offline.backup_file import read_backup
from kubectl_kubex.render.change import place_text

_HEADER = """\
# Edit policy-evaluation below. Lines that begin with # are left out; an empty or unchanged file changes nothing.
# What you save is shown as a difference and asked about before it is written.
"""


def run(
    desk: Desk, manner: Manner, consent: Consent, terminal: Terminal, *, allow_unknown_types: bool = False
) -> ExitCode:
    """Edit and write. On a failure the text is kept, and the file named."""
    live = desk.singleton.read()
    if live is None:
        raise MissingSingleton(place_text(desk.where))
    path = _draft(live)
    try:
        open_editor(path, os.environ)
        meant = edited(path, live, terminal)
        proposal = Proposal("edit", "changed", live, meant, allow_unknown_types=allow_unknown_types)
        code = carry_out(proposal, desk, manner, consent, terminal)
    except BaseException:
        terminal.remark(f"your text is kept in {path}; restore takes it")
        raise
    path.unlink(missing_ok=True)
    return code


def edited(path: Path, live: RawObject, terminal: Terminal) -> dict[str, Any]:
    """The object that the text stands for; the live one for a text without content. Raises KubexError."""
    if not any(
        line.strip() and not line.startswith("#") for line in path.read_bytes().decode("utf-8", "replace").splitlines()
    ):
        return dict(live)
    return restored(live, read_backup(str(path), terminal.stdin).raw, replace_metadata=True)


def open_editor(path: Path, environment: Mapping[str, str]) -> None:
    """Wait for the editor that the user likes. Raises EditorFailure."""
    fallback = "notepad" if sys.platform == "win32" else "vi"
    command = environment.get("KUBE_EDITOR") or environment.get("EDITOR") or fallback
    try:
        done = subprocess.run([*shlex.split(command), str(path)], check=False)  # noqa: S603 - the user's own command
    except (OSError, ValueError) as error:
        raise EditorFailure(f'cannot start the editor "{command}": {error}', "set KUBE_EDITOR") from None
    if done.returncode:
        raise EditorFailure(f'the editor "{command}" ended with {done.returncode}')


def _draft(live: RawObject) -> Path:
    handle, name = tempfile.mkstemp(prefix="policy-evaluation-", suffix=".yaml")  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(_HEADER + quoted_yaml(keepable(live)))
    return Path(name)
