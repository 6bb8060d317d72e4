"""The demo's files are manifests that an API server with the engine's CRDs would take, field by field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from kubectl_kubex.core.kinds import GROUP

ROOT = Path(__file__).resolve().parents[2]
OBJECTS: list[dict[str, Any]] = [
    found
    for path in sorted((ROOT / "kubectl_kubex" / "demo").glob("*.yaml"))
    for found in yaml.safe_load_all(path.read_text(encoding="utf-8"))
]
CRDS = [
    found
    for path in (ROOT / "tests" / "crds").glob("*.yaml")
    for found in yaml.safe_load_all(path.read_text())
    if found
]
SCHEMAS = {
    crd["spec"]["names"]["kind"]: (crd["spec"]["scope"], crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
    for crd in CRDS
}


def strict(schema: Any) -> Any:
    """The schema, refusing what the API server would prune."""
    if not isinstance(schema, dict):
        return schema
    found = {name: strict(value) for name, value in schema.items()}
    if "properties" in schema:
        found["properties"] = {name: strict(value) for name, value in schema["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            found.setdefault("additionalProperties", False)
    return found


ENGINE_OBJECTS = [found for found in OBJECTS if found["apiVersion"].startswith(GROUP)]


@pytest.mark.parametrize("found", ENGINE_OBJECTS, ids=lambda found: f"{found['kind']}-{found['metadata']['name']}")
def test_engine_objects_fit_their_crds(found: dict[str, Any]) -> None:
    scope, schema = SCHEMAS[found["kind"]]
    assert ("namespace" in found["metadata"]) == (scope == "Namespaced")
    plain = strict(schema)
    plain["properties"]["metadata"] = {"type": "object"}
    jsonschema.validate(found, plain)


def test_names_and_owners() -> None:
    identities = [(each["kind"], each["metadata"].get("namespace"), each["metadata"]["name"]) for each in OBJECTS]
    assert len(identities) == len(set(identities))
    uids = {identity: each["metadata"]["uid"] for identity, each in zip(identities, OBJECTS, strict=True)}
    assert len(set(uids.values())) == len(uids)
    for each in OBJECTS:
        for reference in each["metadata"].get("ownerReferences", []):
            owner = (reference["kind"], each["metadata"]["namespace"], reference["name"])
            assert reference["uid"] == uids[owner]


def test_selectors_fit_templates_and_pods() -> None:
    for each in OBJECTS:
        selector = each.get("spec", {}).get("selector", {}).get("matchLabels")
        if selector and "template" in each["spec"]:
            assert selector.items() <= each["spec"]["template"]["metadata"]["labels"].items()


def test_annotation_names_are_valid() -> None:
    for each in OBJECTS:
        for key in each["metadata"].get("annotations", {}):
            assert len(key.rpartition("/")[2]) <= 63
