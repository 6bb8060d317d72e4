"""The facts of a cluster from files: captures, `kubectl get -o yaml` output, folders, archives, standard input."""

from kubectl_kubex.offline.demo import DemoSource
from kubectl_kubex.offline.source import FileSource

__all__ = ["DemoSource", "FileSource"]
