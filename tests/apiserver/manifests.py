"""Read manifests the way the tests need them: plain dicts, timestamps left as text, lists flattened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

Object = dict[str, Any]
HERE = Path(__file__).resolve().parent
CRDS = HERE.parent / "crds"


class _TextTimestamps(yaml.SafeLoader):
    """YAML as kubectl reads it: an unquoted timestamp stays a string."""


_TextTimestamps.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def parse(text: str) -> list[Object]:
    """Every object in a YAML or JSON text, out of its documents and Lists."""
    return list(flatten(yaml.load_all(text, Loader=_TextTimestamps)))


def read(path: Path) -> list[Object]:
    """Every object in a file, or in all *.yaml, *.yml and *.json files under a folder, in name order."""
    if not path.is_dir():
        return parse(path.read_text())
    files = sorted(found for found in path.rglob("*") if found.suffix in {".yaml", ".yml", ".json"})
    return [found for file in files for found in read(file)]


def flatten(documents: Iterable[Any]) -> Iterator[Object]:
    """Objects out of documents that may be empty, single objects, or Lists of objects."""
    for document in documents:
        if not isinstance(document, dict):
            continue
        if isinstance(document.get("items"), list) and str(document.get("kind", "")).endswith("List"):
            yield from flatten(document["items"])
        else:
            yield document


def engine_crds(*, multi_policy_flag: bool = True) -> list[Object]:
    """The CRDs of the engine; without `multi_policy_flag` as an older engine installs them."""
    crds = [found for file in sorted(CRDS.glob("*.yaml")) for found in read(file)]
    return crds if multi_policy_flag else [older(crd) for crd in crds]


def workload_crds() -> list[Object]:
    """Minimal CRDs of the optional workload kinds (Argo, Strimzi, KubeAI) and of the vertical autoscaler."""
    return read(CRDS / "workloads")


def older(crd: Object) -> Object:
    """The CRD of an engine older than the multi-policy flag: neither the flag nor `scope.containers`."""
    for version in crd["spec"]["versions"]:
        spec = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        spec.pop("multiPolicyContainerRightsizingEnabled", None)
        spec.get("scope", {}).get("properties", {}).pop("containers", None)
    return crd
