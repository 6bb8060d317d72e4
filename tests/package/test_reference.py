"""The command reference and the man page say what the commands say."""

from __future__ import annotations

import pytest
from packager import reference

from kubectl_kubex.errors import ExitCode


@pytest.mark.parametrize("name", sorted(reference.FILES))
def test_it_is_what_the_commands_say(name: str) -> None:
    assert name not in reference.stale(), reference.REMEDY


def test_each_exit_code_is_told() -> None:
    assert all(f"\n| {code.value} | " in reference.markdown() for code in ExitCode)


def test_a_line_of_the_man_page_is_no_request_by_accident() -> None:
    known = {"TH", "SH", "SS", "B", "BR", "PP", "TP"}
    requests = {line[1:].split()[0] for line in reference.man_page().splitlines() if line.startswith((".", "'"))}
    assert requests <= known
