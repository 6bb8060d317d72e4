"""DemoSource: the bundled shop, so that a first answer needs no cluster."""

from __future__ import annotations

import io
from collections.abc import Iterable
from importlib.resources import files

from kubectl_kubex.core.model import SourceInfo
from kubectl_kubex.offline.archives import File, Unreadable
from kubectl_kubex.offline.source import FileSource

NAMESPACE = "shop"
CAPTURED_AT = "2026-11-30T09:00:00Z"


class DemoSource(FileSource):
    """FileSource over the package's own data. Its scenes are described in `demo/README.md`."""

    _fallback = NAMESPACE
    _whole = True

    def __init__(self, namespace: str | None = None) -> None:
        super().__init__(("demo",), io.BytesIO(), namespace)

    def _files(self) -> Iterable[File | Unreadable]:
        folder = files("kubectl_kubex").joinpath("demo")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.name.endswith(".yaml"):
                yield File(f"demo/{entry.name}", entry.read_bytes())

    @property
    def _where(self) -> str:
        return "the demo"

    @property
    def _source(self) -> SourceInfo:
        return SourceInfo("demo", None, offline=True, captured_at=CAPTURED_AT, inputs=self._inputs)
