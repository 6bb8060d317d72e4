"""The frozen program: a wheel of the checkout, installed into the clean environment, then PyInstaller."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from packager.place import CONTENTS, DIST, PROGRAM, ROOT, WORK, epoch, this_machine, version

_SOURCES = ("kubectl_kubex", "setup.cfg", "pyproject.toml", "LICENSE", "README.md")
_SPEC = ROOT / "packaging" / f"{PROGRAM}.spec"
_IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info", ".*")


class BuildError(RuntimeError):
    """What a person has to do before the build can go on."""


def make_wheel() -> Path:
    """The wheel of the checkout's files as they are now, in `dist/`. Built from a copy: setuptools would take up what
    an earlier build left behind."""
    copy = WORK / "source"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in _SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=_IGNORED)
        elif source.exists():
            shutil.copy2(source, copy / name)
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(DIST), str(copy)])
    return DIST / f"kubectl_kubex-{version()}-py3-none-any.whl"


def install(wheel: Path) -> None:
    """The wheel and all it needs, at the pinned versions, into the environment that runs this."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--constraint", str(ROOT / "constraints.txt")]
    run([*pip, "--force-reinstall", "--no-deps", str(wheel)])
    run([*pip, str(wheel)])


def freeze(*, onefile: bool = False) -> Path:
    """Run PyInstaller; the folder (or with `onefile` the file) it makes. `contents.json` says what is in it."""
    made = WORK / ("onefile" if onefile else "onedir")
    shutil.rmtree(made, ignore_errors=True)
    CONTENTS.unlink(missing_ok=True)
    folders = ["--distpath", str(made), "--workpath", str(WORK / "pyinstaller")]
    run(
        [sys.executable, "-m", "PyInstaller", "--clean", "--noconfirm", "--log-level=WARN", *folders, str(_SPEC)],
        PYINSTALLER_CONFIG_DIR=str(WORK / "pyinstaller-cache"),
        KUBEX_ONEFILE="1" if onefile else "0",
    )
    return made / (this_machine().program if onefile else PROGRAM)


def run(command: list[str], **environment: str) -> None:
    """Run a step of the build with all that varies held still. Raises BuildError with what the step said."""
    fixed = {
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(epoch()),
        "PYTHONPATH": "",
    }
    done = subprocess.run(
        command, cwd=WORK, env={**os.environ, **fixed, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BuildError(f"{' '.join(command[:4])} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
