"""What `build.sh` promises before it installs anything: its verbs, and an answer to a wrong one."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "build.sh"


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], cwd=cwd, capture_output=True, text=True, check=False, timeout=30)


def verbs() -> list[str]:
    cases = re.search(r"^case \$verb in\n(.*?)^  \*\)", SCRIPT.read_text(), re.DOTALL | re.MULTILINE)
    assert cases
    labels = re.findall(r"^  ([a-z][^)]*)\)", cases.group(1), re.MULTILINE)
    return [word for label in labels for word in label.split(" | ") if not word.startswith("-")]


def test_help_lists_every_verb(tmp_path: Path) -> None:
    answer = run("help", cwd=tmp_path)
    assert answer.returncode == 0
    assert {"demo", "test", "test-cluster", "lint", "package"} <= set(verbs())
    assert re.findall(r"^  ([a-z-]+)", answer.stdout, re.MULTILINE) == verbs()


def test_no_verb_is_a_call_for_help() -> None:
    assert run().stdout == run("help").stdout


@pytest.mark.parametrize("verb", ["tests", "--verbose", ""])
def test_an_unknown_verb_is_one_line_and_exit_2(verb: str) -> None:
    answer = run(verb)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == f"build.sh: unknown verb '{verb}'; ./build.sh help lists them\n"
