"""What of the libraries is left out. Each line was weighed against a real request: see `smoke.py`."""

from __future__ import annotations

from collections.abc import Iterable

Entry = tuple[str, str, str]

# Never reached from the command line; much of it is drawn in by type hints and by the interpreter's own helpers.
EXCLUDED = (
    "_pytest", "curses", "doctest", "ensurepip", "lib2to3", "mypy", "pdb", "pip", "pkg_resources", "pydantic.mypy",
    "pydantic.v1", "pydoc_data", "pygments", "pytest", "readline", "rich", "setuptools", "sqlite3", "tkinter",
    "unittest", "wheel", "xmlrpc", "hypothesis",
)  # fmt: skip
# The generated client: 900 modules. `kubernetes.client` names them lazily, and we use none. The packages themselves
# stay, since `api_client` imports them.
_GENERATED = ("kubernetes.client.api.", "kubernetes.client.models.", "kubernetes.client.apis.", "kubernetes.aio")
_OURS = "kubectl_kubex"


def kept(modules: Iterable[Entry]) -> list[Entry]:
    """The modules to ship, each as optimised as it may be: ours keep their docstrings, which are the help texts."""
    return sorted((name, source, _kind(name)) for name, source, kind in modules if not _dropped(name))


def _dropped(name: str) -> bool:
    return name.startswith(_GENERATED) or name.endswith("_test")


def _kind(name: str) -> str:
    return "PYMODULE-1" if name == _OURS or name.startswith(f"{_OURS}.") else "PYMODULE-2"
