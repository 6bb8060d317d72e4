"""`golden`: compare text with a stored file, byte by byte. `pytest tests/render --update-golden` rewrites the files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files; read the diff afterwards")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Called with a file's name and what should stand in it."""

    def compare(name: str, text: str) -> None:
        path = FOLDER / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        assert path.exists(), f"no golden file {name}; make it with --update-golden"
        assert text.encode("utf-8") == path.read_bytes(), f"differs from {path}; if it should, use --update-golden"

    return compare
