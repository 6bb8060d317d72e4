"""krew's manifest: `krew/kubex.yaml` with the version, the addresses and the sums of the archives that there are."""

from __future__ import annotations

import os
import re
from pathlib import Path

from packager import archive
from packager.place import MACHINES, ROOT, Machine, version

TEMPLATE = ROOT / "krew" / "kubex.yaml"
_PLATFORM = re.compile(r"^    - selector:\n(?:      .*\n)+", re.MULTILINE)


def write(folder: Path) -> Path | None:
    """Write `kubex.yaml` beside the archives in `folder`. None where it has none."""
    found = [machine for machine in MACHINES if (folder / machine.archive).exists()]
    if not found:
        return None
    target = folder / "kubex.yaml"
    target.write_text(filled(folder, found), encoding="utf-8", newline="\n")
    return target


def filled(folder: Path, machines: list[Machine]) -> str:
    """The manifest for `machines`, whose archives are in `folder`. Platforms without an archive are left out."""
    text = TEMPLATE.read_text(encoding="utf-8")
    text = re.sub(r"^# .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^  version: .*$", f"  version: v{version()}", text, flags=re.MULTILINE)
    repository = os.environ.get("KUBEX_REPOSITORY")
    if repository:
        text = text.replace("OWNER/kubectl-kubex", repository)
    text = text.replace("/v0.0.0/", f"/v{version()}/")
    kept = {machine.archive: archive.digest(folder / machine.archive) for machine in machines}
    return _PLATFORM.sub(lambda block: _platform(block.group(0), kept), text)


def _platform(block: str, sums: dict[str, str]) -> str:
    for name, digest in sums.items():
        if f"/{name}\n" in block:
            return re.sub(r"sha256: .*", f"sha256: {digest}", block)
    return ""
