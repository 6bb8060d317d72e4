"""What of the official client is loaded, and what a later import finds."""

from __future__ import annotations

import json
import subprocess
import sys

SCRIPT = """
import json, sys
from kubectl_kubex.cluster.settings import ConnectionSettings
from kubectl_kubex.cluster.source import ClusterSource
from kubectl_kubex.codec.gathered import WorkloadReference
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.errors import KubexError
before = sorted(sys.modules)
with ClusterSource(ConnectionSettings(server="http://127.0.0.1:9", request_timeout="2s")) as source:
    try:
        source.gather([WorkloadReference(WORKLOAD_BY_NAME["Deployment"], "web")], "shop", ["StaticPolicy"])
    except KubexError as problem:
        said = problem.line
after = sorted(sys.modules)
import kubernetes
from kubernetes.client import CoreV1Api, Configuration
from kubernetes.client.rest import RESTClientObject
whole = bool(kubernetes.config.load_kube_config) and CoreV1Api is not None
print(json.dumps({"before": before, "said": said, "after": after, "whole": whole, "file": kubernetes.__file__}))
"""


def run() -> dict[str, object]:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_no_models_and_no_loader_are_loaded_and_a_later_import_is_whole() -> None:
    answer = run()
    assert answer["said"] == (
        "cannot reach the server http://127.0.0.1:9: connection refused; check --context, the network and the VPN"
    )
    after = answer["after"]
    assert isinstance(after, list)
    assert "urllib3" in after
    assert [
        name for name in after if name.split(".")[0] in {"kubernetes", "pydantic", "requests", "oauthlib", "dateutil"}
    ] == []
    assert answer["whole"] is True
    assert answer["file"]


def test_the_package_costs_nothing_before_it_is_needed() -> None:
    before = run()["before"]
    assert isinstance(before, list)
    assert [name for name in before if name.split(".")[0] in {"kubernetes", "urllib3", "yaml", "ssl", "http"}] == []
