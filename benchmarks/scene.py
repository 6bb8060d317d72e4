"""What is timed, and where: the demo's objects in the test API server, and the plugin as plainly installed."""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.apiserver import manifests
from tests.apiserver.load import load
from tests.apiserver.server import ApiServer

ROOT = Path(__file__).resolve().parents[1]
LAUNCHER = "import sys\nfrom kubectl_kubex.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"


@contextmanager
def plugin() -> Iterator[list[str]]:
    """The words that start the plugin. An editable installation costs each start some milliseconds to find the sources,
    which nobody who installs a release pays: so this is an environment of its own, over the packages of this one."""
    with tempfile.TemporaryDirectory(prefix="kubex-benchmarks-") as folder:
        venv.create(folder, with_pip=False, symlinks=os.name != "nt")
        scheme = {"base": folder, "platbase": folder}
        packages = Path(sysconfig.get_path("purelib", vars=scheme))
        (packages / "benchmarks.pth").write_text(f"{ROOT}\n{sysconfig.get_path('purelib')}\n")
        launcher = Path(folder) / "kubectl-kubex"
        launcher.write_text(LAUNCHER)
        python = Path(sysconfig.get_path("scripts", vars=scheme)) / Path(sys.executable).name
        yield [str(python), str(launcher)]


@contextmanager
def shop() -> Iterator[ApiServer]:
    """The test API server with the bundled demo in it."""
    with ApiServer() as server:
        server.install_crds()
        demo = ROOT / "kubectl_kubex" / "demo"
        load(server, [found for file in sorted(demo.glob("*.yaml")) for found in manifests.read(file)])
        yield server
