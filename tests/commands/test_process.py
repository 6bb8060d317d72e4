"""As a process of its own: its name, its streams, its signals. No traceback, whatever happens."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from kubectl_kubex.__main__ import program_name

from .running import ROOT, command, environment, process

WHY = ("why", "deploy/web", "--demo")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes as on Unix")


@posix
@pytest.mark.parametrize("words", [WHY, (*WHY, "-o", "json"), ("--help",), ("why", "--help"), ("version", "--client")])
def test_a_closed_pipe_is_the_readers_choice(words: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            command(*words), stdout=closed, stderr=subprocess.PIPE, env=environment(), timeout=60, check=False
        )
    assert (done.stderr, done.returncode) == (b"", 0)


@posix
def test_a_reader_that_leaves_half_way() -> None:
    words = ("snapshot", "-A", "--demo", "-o", "-")  # more than a pipe holds
    with subprocess.Popen(
        command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(PYTHONUNBUFFERED="1")
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


@posix
def test_ctrl_c_while_a_server_is_awaited() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        asked = threading.Event()

        def accept() -> None:
            connection, _ = silent.accept()
            asked.set()
            with connection:
                running.wait()

        words = ("why", "deploy/web", "-s", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with subprocess.Popen(
            command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        ) as running:
            server = threading.Thread(target=accept, daemon=True)
            server.start()
            assert asked.wait(30)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=30)
            server.join()
    assert running.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert err.strip() == b""


@pytest.mark.parametrize(
    "changes",
    [{"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0",
     "PYTHONUTF8": "0"}],
    ids=["cp1252", "ascii", "C"],
)  # fmt: skip
@pytest.mark.parametrize(
    "words", [(*WHY, "--tree"), ("why", "--help"), ("why", "deploy/naïve-名前", "--demo")], ids=str
)
def test_any_locale_can_be_written_to(changes: dict[str, str], words: tuple[str, ...]) -> None:
    done = process(words, **changes)
    assert b"Traceback" not in done.stderr
    assert done.returncode == (3 if "naïve-名前" in str(words) else 0)
    done.stdout.decode("utf-8")
    if "--tree" in words:
        assert b"|- 1. ProactivePolicy/web-sizing" in done.stdout


def test_a_tree_is_drawn_where_it_can_be() -> None:
    assert "├─ 1. ProactivePolicy/web-sizing" in process((*WHY, "--tree"), PYTHONIOENCODING="utf-8").stdout.decode(
        "utf-8"
    )


def test_nothing_is_coloured_in_a_pipe() -> None:
    assert b"\x1b[" not in process(WHY).stdout
    assert b"\x1b[" in process(WHY, FORCE_COLOR="1").stdout


@pytest.mark.parametrize(
    ("argv0", "name"),
    [
        ("/usr/local/bin/kubectl-kubex", "kubectl kubex"),
        ("kubectl-kubex.exe", "kubectl kubex"),
        ("/home/u/.krew/bin/kubectl-kubex", "kubectl kubex"),
        ("/x/kubectl_kubex/__main__.py", "kubectl-kubex"),
        ("kubex", "kubex"),
    ],
)
def test_it_is_called_what_the_user_typed(argv0: str, name: str) -> None:
    assert program_name(argv0) == name


def test_usage_reads_as_typed() -> None:
    code = "import sys; sys.argv[0] = '/bin/kubectl-kubex'; from kubectl_kubex.__main__ import main; main()"
    words = [sys.executable, "-c", code, "why", "-h"]
    done = subprocess.run(words, capture_output=True, env=environment(), cwd=ROOT, timeout=60, check=False)
    assert done.stdout.startswith(b"Usage: kubectl kubex why [OPTIONS]")


def test_completion_hangs_on_a_name_without_a_blank() -> None:
    done = process((), _KUBECTL_KUBEX_COMPLETE="bash_complete", COMP_WORDS="kubectl-kubex wh", COMP_CWORD="1")
    assert done.stdout.replace(b"\r", b"") == b"plain,why\n"


@posix
@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_stream_that_is_not_there_is_not_missed(closed: int) -> None:
    code = f"import os, sys; os.close({closed}); os.execv(sys.executable, sys.argv[1:])"
    words = [sys.executable, "-c", code, *command(*WHY)]
    done = subprocess.run(words, capture_output=True, env=environment(), timeout=60, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0
    assert bool(done.stdout) is (closed != 1)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")  # noqa: PTH110 - a device
@pytest.mark.parametrize("words", [WHY, ("--help",), ("version", "--client")])
def test_a_full_disk_is_said_in_one_line(words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            command(*words), stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=60, check=False
        )
    assert done.stderr == b"error: cannot go on: No space left on device\n"
    assert done.returncode == 3
