"""One API server for the tests in this folder, started when the first of them needs it.

Where the server's programs are not to be had the tests are skipped, or fail when KUBEX_REQUIRE_CLUSTER=1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apiserver import binaries
from tests.apiserver.server import ApiServer
from tests.cluster import packaged

HERE = Path(__file__).resolve().parent


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cluster: needs the real API server of tests/apiserver")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder, so that `-m 'not cluster'` leaves it out."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.cluster)


@pytest.fixture(scope="session")
def api_server() -> Iterator[ApiServer]:
    """A running server with the CRDs of the newer engine and of the optional workload kinds."""
    try:
        server = ApiServer()
    except binaries.Unavailable as problem:
        if os.environ.get("KUBEX_REQUIRE_CLUSTER") == "1":
            pytest.fail(f"KUBEX_REQUIRE_CLUSTER=1, but: {problem}", pytrace=False)
        pytest.skip(str(problem))
    with server:
        server.install_crds()
        yield server


@pytest.fixture
def namespace(api_server: ApiServer) -> Iterator[str]:
    """A fresh namespace, removed with all in it after the test."""
    name = api_server.new_namespace()
    yield name
    api_server.delete_namespace(name)


@pytest.fixture
def clean(api_server: ApiServer) -> Iterator[ApiServer]:
    """The server; what the test leaves behind in namespaces, cluster-scoped objects and rights is removed after it."""
    yield api_server
    api_server.reset()


@pytest.fixture(scope="session")
def archive() -> Path:
    """The release archive for this machine, of the checkout as it is."""
    return packaged.find_or_build()


@pytest.fixture(scope="session")
def program(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program out of that archive."""
    return packaged.unpacked(archive, tmp_path_factory.mktemp("program") / "unpacked")
