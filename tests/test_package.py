"""What an installation holds, and what starting it costs."""

from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from kubectl_kubex import __version__
from tests.commands.running import ROOT, environment

CLIENT = {"kubernetes", "urllib3", "requests", "ssl"}
SLOW = CLIENT | {"tabulate", "wcwidth", "yaml", "jsonpath"}
SLOW |= {f"kubectl_kubex.{name}" for name in ("core.selection", "core.ranking", "core.model", "codec")}


def loaded_by(code: str) -> set[str]:
    """The modules that are loaded after `code`."""
    show = f"{code}\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    words = [sys.executable, "-c", show]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), cwd=ROOT, timeout=60, check=True)
    return set(done.stderr.split())


def running(*words: str) -> str:
    return f"from kubectl_kubex.cli import cli\ntry:\n    cli.main({list(words)!r})\nexcept SystemExit:\n    pass"


@pytest.mark.parametrize(
    "code",
    ["import kubectl_kubex.cli", "import kubectl_kubex.__main__", running("--help"), running("version", "--client"),
     running("show", "--help"), running("schema")],
    ids=["import", "main", "help", "version", "help of show", "schema"],
)  # fmt: skip
def test_what_asks_nothing_loads_nothing_slow(code: str) -> None:
    assert not loaded_by(code) & SLOW


@pytest.mark.parametrize("output", ["table", "json", "yaml", "name"])
def test_reading_files_loads_no_client(output: str) -> None:
    loaded = loaded_by(running("why", "web", "--demo", "-o", output))
    assert not loaded & CLIENT
    assert ("tabulate" in loaded) is (output == "table")
    assert "jsonpath" not in loaded


def test_it_is_installed_under_the_name_that_kubectl_looks_for() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    scripts = config["options.entry_points"]["console_scripts"].split("\n")
    assert "kubectl-kubex = kubectl_kubex.__main__:main" in scripts
    installed = [script for script in entry_points(group="console_scripts") if script.name == "kubectl-kubex"]
    assert all(script.value == "kubectl_kubex.__main__:main" for script in installed)


def test_it_runs_as_a_module() -> None:
    words = [sys.executable, "-m", "kubectl_kubex", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), cwd=ROOT, timeout=60, check=True)
    assert done.stdout == f"kubectl-kubex {__version__}\n"


@pytest.mark.slow
def test_the_wheel_has_code_and_data_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "kubectl_kubex", source / "kubectl_kubex", ignore=shutil.ignore_patterns("__pycache__"))
    make = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    words = [sys.executable, "-c", make, str(tmp_path)]
    done = subprocess.run(words, cwd=source, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    data = {name for name in names if name.startswith("kubectl_kubex/") and not name.endswith(".py")}
    wanted = {f"kubectl_kubex/{path.relative_to(ROOT / 'kubectl_kubex')}" for path in data_files()}
    assert data == wanted
    assert not any(name.startswith("tests/") for name in names)


def data_files() -> list[Path]:
    folder = ROOT / "kubectl_kubex"
    return [folder / "py.typed", *folder.glob("schemas/*.json"), *(p for p in folder.glob("demo/*") if p.is_file())]
