"""What a frozen binary's loader changes is put right, for children and for TLS."""

from __future__ import annotations

from pathlib import Path

import pytest

from kubectl_kubex.frozen import restore_environment, use_system_roots


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"LD_LIBRARY_PATH": "/bundle", "LD_LIBRARY_PATH_ORIG": "/mine", "_PYI_X": "1", "HOME": "/h"},
         {"LD_LIBRARY_PATH": "/mine", "HOME": "/h"}),
        ({"LD_LIBRARY_PATH": "/bundle", "_PYI_ARCHIVE_FILE": "/x"}, {}),
        ({"LD_LIBRARY_PATH": "/bundle", "LD_LIBRARY_PATH_ORIG": ""}, {"LD_LIBRARY_PATH": ""}),
        ({"HOME": "/h"}, {"HOME": "/h"}),
    ],
)  # fmt: skip
def test_children_get_the_users_environment(before: dict[str, str], after: dict[str, str]) -> None:
    frozen, plain = dict(before), dict(before)
    restore_environment(frozen, frozen=True)
    restore_environment(plain, frozen=False)
    assert (frozen, plain) == (after, before)


def test_the_machines_roots_are_told_to_this_process_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "absent.pem", tmp_path / "there.pem"
    second.write_text("roots")
    told: dict[str, str] = {}
    environment = {"HOME": "/h"}
    use_system_roots(environment, told.__setitem__, (str(first), str(second)))
    assert told == {"SSL_CERT_FILE": str(second)}
    assert environment == {"HOME": "/h"}


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_the_users_own_choice_of_roots_stays(tmp_path: Path, name: str) -> None:
    roots = tmp_path / "there.pem"
    roots.write_text("roots")
    told: dict[str, str] = {}
    use_system_roots({name: "/mine"}, told.__setitem__, (str(roots),))
    use_system_roots({}, told.__setitem__, (str(tmp_path / "absent.pem"),))
    assert told == {}
