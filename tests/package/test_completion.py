"""The engine without a cluster, the shells' scripts in real shells, and the shim's installation."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from kubectl_kubex.cli import cli
from kubectl_kubex.completion import candidates, shim
from kubectl_kubex.completion.engine import complete
from kubectl_kubex.completion.scripts import SCRIPTS
from kubectl_kubex.errors import InputError, UsageError
from tests.commands.running import ROOT, run


def offered(*words: str) -> list[str]:
    return [line.partition("\t")[0] for line in str(complete(cli, words)).splitlines()]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("wh", ["why", ":4"]),
        ("why --demo -n pay", ["payments", ":4"]),
        ("why --demo -n shop deployment/", ["deployment/web", ":4"]),
        ("why --demo -n shop deploy w", ["web", ":4"]),
        ("why --demo -n shop w", ["web", ":4"]),
        ("why statef", ["statefulset/", ":6"]),
        ("why st", ["statefulset/", "strimzipodset/", ":6"]),
        ("why sts", ["sts/", ":6"]),
        ("why service/", [":4"]),
        ("why --color=n", ["never", ":4"]),
        ("why -f ", [":0"]),
        ("why --kubeconfig /tmp/", [":0"]),
        ("snapshot -o ", [":0"]),
        ("why --no-such --demo -n pay", None),
        ("set-priority rollback", ["RollbackPolicy=", ":6"]),
        ("set-priority RollbackPolicy=1 --dry-run ", ["none", "client", "server", ":4"]),
        ("schema sh", ["show", ":4"]),
        ("help snap", ["snapshot", ":4"]),
        ("completion p", ["powershell", ":4"]),
        ("nonsense ", None),
        ("", None),
    ],
)
def test_what_may_come_next(words: str, expected: list[str] | None) -> None:
    found = offered(*words.split(" "))
    assert expected is None or found == expected
    assert found[-1].startswith(":")


def test_no_words_and_hidden_commands() -> None:
    assert "why" in offered()
    assert "__complete" not in offered("")
    assert offered("__com") == [":4"]


def test_every_option_with_a_value_is_answered_in_silence() -> None:
    """Nothing may fail, whatever stands before the word."""
    for name, command in cli.commands.items():
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.is_flag and not command.hidden:
                result = run("__complete", name, "--demo", parameter.opts[0], "")
                assert (result.exit_code, result.stderr) == (0, "")
                assert result.stdout.splitlines()[-1].startswith(":")


def test_contexts_clusters_and_users_of_the_kubeconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "config"
    path.write_text(
        "contexts: [{name: 'arn:aws:eks:eu:1:cluster/a', context: {}}, {name: other, context: {}}]\n"
        "clusters: [{name: c, cluster: {}}]\nusers: [{name: u, user: {}}]\n"
    )
    monkeypatch.setenv("KUBECONFIG", str(path))
    assert offered("why", "--context", "arn") == ["arn:aws:eks:eu:1:cluster/a", ":4"]
    assert offered("why", "--cluster", "") == ["c", ":4"]
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    assert offered("why", "--kubeconfig", str(path), "--user", "") == ["u", ":4"]
    assert offered("why", "--context", "") == [":4"]


def test_nothing_is_waited_for_longer_than_promised() -> None:
    def late() -> tuple[str, ...]:
        time.sleep(5)
        return ("late",)

    began = time.monotonic()
    assert candidates.within(late, 0.1) == ()
    assert time.monotonic() - began < 2

    def fail() -> tuple[str, ...]:
        raise RuntimeError

    assert candidates.within(fail) == ()


# Real shells.


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "kubectl-kubex"
    script.write_text(f"#!{sys.executable}\nfrom kubectl_kubex.__main__ import main\nmain()\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    config = tmp_path / "config"
    config.write_text("contexts: [{name: 'arn:aws:eks:eu:1:cluster/a', context: {}}]\n")
    return folder


def shell(bin_folder: Path, *command: str) -> str:
    environment = {
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(bin_folder), "PYTHONPATH": str(ROOT),
        "KUBECONFIG": str(bin_folder.parent / "config"), "TERM": "dumb",
    }  # fmt: skip
    done = subprocess.run(
        command, env=environment, cwd=bin_folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    return done.stdout


BASH = r"""
source <(kubectl-kubex completion bash)
ask() { # the words as bash splits them, the last one being typed
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
  _kubectl_kubex
  printf '%s\n' "${COMPREPLY[@]}" --
}
ask kubectl-kubex wh
ask kubectl-kubex why --demo -n shop deployment/
ask kubectl-kubex why --context arn
ask kubectl-kubex why --context arn : aws
ask kubectl-kubex why --color = ne
ask kubectl-kubex why --color = ''
touch 'a file.yaml'
ask kubectl-kubex why -f 'a f'
ask kubectl-kubex why -f = a
complete -p kubectl-kubex
"""


@pytest.mark.skipif(os.name != "posix", reason="bash as on Unix")
def test_bash(bin_folder: Path) -> None:
    answers = [part.strip().split("\n") for part in shell(bin_folder, "bash", "-c", BASH).split("--\n")]
    context = "arn:aws:eks:eu:1:cluster/a"
    assert answers == [
        ["why"], ["deployment/web"], [context], [context.removeprefix("arn:")], ["never"], ["auto", "always", "never"],
        ["a file.yaml"], ["a file.yaml"], ["complete -F _kubectl_kubex kubectl-kubex"],
    ]  # fmt: skip


ZSH = r"""
source <(kubectl-kubex completion zsh) 2>/dev/null
compadd() { # what would be offered; the last option names the array
  print -l -- "${values[@]}" --
}
compset() { : }
_files() { print -l -- files -- }
ask() { words=("$@"); CURRENT=$#; _kubectl_kubex }
ask kubectl-kubex wh
ask kubectl-kubex why --demo -n shop deployment/
ask kubectl-kubex why --context arn
ask kubectl-kubex why -f ''
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh here")
def test_zsh(bin_folder: Path) -> None:
    said = shell(bin_folder, "zsh", "-f", "-c", ZSH)
    answers = [part.strip() for part in said.split("--\n")][:-1]
    assert answers == ["why", "deployment/web", "arn:aws:eks:eu:1:cluster/a", "files"]


FISH = r"""
kubectl-kubex completion fish | source
for words in 'wh' 'why --demo -n shop deployment/' 'why --context arn' 'why --color=ne'
    complete -C "kubectl-kubex $words"
    echo ==
end
"""


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
def test_fish(bin_folder: Path) -> None:
    said = shell(bin_folder, "fish", "--no-config", "-c", FISH)
    answers = [[line.partition("\t")[0] for line in part.split("\n")] for part in said.split("\n==\n")][:-1]
    assert answers == [["why"], ["deployment/web"], ["arn:aws:eks:eu:1:cluster/a"], ["--color=never"]]


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_each_script_is_printed(name: str) -> None:
    result = run("completion", name)
    assert (result.stdout, result.exit_code) == (SCRIPTS[name], 0)
    assert "__complete" in result.stdout


# The shim.


def environment(*folders: Path, home: Path | None = None) -> dict[str, str]:
    return {"PATH": os.pathsep.join(map(str, folders)), "HOME": str(home or folders[0])}


def test_it_is_written_beside_the_program_and_removed_again(bin_folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    where = environment(other, bin_folder)
    target = shim.install(None, where)
    assert target == bin_folder / shim.file_name()
    assert os.access(target, os.X_OK)
    assert shim.is_found(target, where)
    assert shim.install(None, where) == target
    assert shim.uninstall(None, where) == (target,)
    assert shim.uninstall(None, where) == ()
    assert sorted(path.name for path in bin_folder.iterdir()) == ["kubectl-kubex"]


def test_somebody_elses_file_stays(bin_folder: Path) -> None:
    target = bin_folder / shim.file_name()
    target.write_text("#!/bin/sh\n")
    with pytest.raises(UsageError, match="somebody else"):
        shim.install(str(bin_folder), environment(bin_folder))
    assert shim.uninstall(str(bin_folder), environment(bin_folder)) == ()
    assert target.read_text() == "#!/bin/sh\n"
    assert shim.install(str(bin_folder), environment(bin_folder), force=True) == target


def test_a_folder_that_cannot_be_written_to_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot write"):
        shim.install(str(tmp_path / "none"), environment(tmp_path))
    with pytest.raises(UsageError, match="no folder on PATH"):
        shim.install(None, environment(tmp_path / "none"))
    result = run("completion", "install", "--dir", str(tmp_path / "none"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="the shim is a shell script")
def test_a_shim_without_its_program_is_silent(tmp_path: Path) -> None:
    target = shim.install(str(tmp_path), environment(tmp_path))
    done = subprocess.run([target, "wh"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "")
    assert done.returncode != 0
