"""Load a capture (raw objects, as a cluster returned them) into a test server.

The server gives new uids, ages and generations; owners, statuses and what refers to uids are carried over to them.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .fixtures import MANAGER, Fixtures, objects_in
from .manifests import Object
from .rest import ApiError

SERVER_FIELDS = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink")
DELETION_FIELDS = ("deletionTimestamp", "deletionGracePeriodSeconds")
HOLD = "kubex-test/hold"
JOB_LABELS = ("controller-uid", "batch.kubernetes.io/controller-uid")
# Admission would judge by these what a cluster admitted before they existed, and events refer to all else.
LAST = frozenset({"LimitRange", "ResourceQuota", "Event"})
SKIPPED = frozenset({"CustomResourceDefinition"})


class LoadError(RuntimeError):
    """The server refused some objects of a capture; the text lists them."""


@dataclass
class Loaded:
    """What became of a capture: the live objects, captured uid -> new uid, and what was refused and why."""

    objects: list[Object] = field(default_factory=list)
    uids: dict[str, str] = field(default_factory=dict)
    refused: list[tuple[Object, str]] = field(default_factory=list)

    @property
    def namespaces(self) -> list[str]:
        """The namespaces of the capture, for `delete_namespace`."""
        own = {each["metadata"]["name"] for each in self.objects if each["kind"] == "Namespace"}
        return sorted(own | {each["metadata"].get("namespace") for each in self.objects} - {None})


def load(server: Fixtures, objects: Iterable[Object], *, strict: bool = True) -> Loaded:
    """Create `objects` (Lists too): namespaces, owners before what they own, quotas and events last.

    Namespaces that no object describes are created. An object that exists already is refused, namespaces and the
    custom resource definitions apart. With `strict`, `LoadError` when anything was refused.
    """
    captured = [each for each in objects_in(objects) if each["kind"] not in SKIPPED]
    done = Loaded()
    _load_namespaces(server, captured, done)
    rest = [each for each in captured if each["kind"] != "Namespace"]
    for wave in _waves([each for each in rest if each["kind"] not in LAST]):
        _load_wave(server, wave, done)
    _load_wave(server, [each for each in rest if each["kind"] in LAST], done)
    if strict and done.refused:
        lines = [f"{_name(each)}: {reason}" for each, reason in done.refused]
        raise LoadError(f"the server refused {len(lines)} objects\n" + "\n".join(lines))
    return done


def _load_namespaces(server: Fixtures, captured: list[Object], done: Loaded) -> None:
    described = {each["metadata"]["name"]: each for each in captured if each["kind"] == "Namespace"}
    used = {each["metadata"]["namespace"] for each in captured if each["metadata"].get("namespace")}
    bare = {"apiVersion": "v1", "kind": "Namespace"}
    wanted = [described.get(name) or {**bare, "metadata": {"name": name}} for name in sorted(used | set(described))]
    live = server.apply([{**bare, "metadata": _clean(each)["metadata"]} for each in wanted])
    for old, new in zip(wanted, live, strict=True):
        _remember(old, new, done)


def _waves(objects: list[Object]) -> list[list[Object]]:
    """Split so that every owner is in an earlier wave than what it owns; owners outside the capture do not count."""
    waves: list[list[Object]] = []
    waiting = objects
    while waiting:
        absent = {identity for each in waiting for identity in _identities(each)}
        ready = [each for each in waiting if not absent & {_owner(each, ref) for ref in _owners(each)}]
        waves.append(ready or waiting)  # a cycle of owners: create it anyhow
        waiting = [] if not ready else [each for each in waiting if all(each is not other for other in ready)]
    return waves


def _identities(manifest: Object) -> list[tuple[str, str, str]]:
    metadata = manifest["metadata"]
    return [(manifest["kind"], metadata.get("namespace", ""), metadata["name"])]


def _owners(manifest: Object) -> list[Object]:
    return list(manifest["metadata"].get("ownerReferences") or [])


def _owner(manifest: Object, reference: Object) -> tuple[str, str, str]:
    """The owner that a reference names; owners of namespaced objects are taken to be beside them, but Nodes."""
    namespace = "" if reference["kind"] == "Node" else manifest["metadata"].get("namespace", "")
    return (reference["kind"], namespace, reference["name"])


def _load_wave(server: Fixtures, wave: list[Object], done: Loaded) -> None:
    def create(manifest: Object) -> Object | str:
        try:
            return _create(server, manifest, done)
        except (ApiError, LookupError) as problem:
            return str(problem)

    for old, new in zip(wave, server.rest.each(create, wave), strict=True):
        if isinstance(new, str):
            done.refused.append((old, new))
        else:
            _remember(old, new, done)


def _remember(old: Object, new: Object, done: Loaded) -> None:
    done.objects.append(new)
    uid = new["metadata"]["uid"]
    done.uids["/".join(_identities(old)[0])] = uid
    if old["metadata"].get("uid"):
        done.uids[old["metadata"]["uid"]] = uid


def _create(server: Fixtures, captured: Object, done: Loaded) -> Object:
    manifest = _clean(captured)
    _relink(manifest, done.uids)
    _adapt(manifest)
    live = server.create(manifest, manager=_manager(captured))
    if captured["kind"] == "Node" and captured.get("spec", {}).get("taints"):
        live = server.patch(live, {"spec": {"taints": captured["spec"]["taints"]}})
    resource = server.rest.resource(captured["apiVersion"], captured["kind"])
    if captured.get("status") and resource.has_status:
        live = server.set_status({**live, "status": _rebase(captured, live)})
    if captured["metadata"].get("deletionTimestamp"):
        grace = str(captured["metadata"].get("deletionGracePeriodSeconds", 30))
        live = server.rest.request("DELETE", server.rest.path(live), query={"gracePeriodSeconds": grace})
    return live


def _clean(captured: Object) -> Object:
    """A copy without what the server decides; one that was being deleted gets a finalizer to stay so."""
    manifest = copy.deepcopy(captured)
    manifest.pop("status", None)
    metadata = manifest["metadata"]
    for name in (*SERVER_FIELDS, *DELETION_FIELDS):
        metadata.pop(name, None)
    if "name" in metadata:
        metadata.pop("generateName", None)
    if captured["metadata"].get("deletionTimestamp"):
        metadata["finalizers"] = [*(metadata.get("finalizers") or []), HOLD]
    return manifest


def _relink(manifest: Object, uids: dict[str, str]) -> None:
    """Point owner references at the new uids; an owner that is not there keeps its uid, or gets a made-up one."""
    for reference in _owners(manifest):
        identity = "/".join(_owner(manifest, reference))
        known = uids.get(reference.get("uid", "")) or uids.get(identity)
        reference["uid"] = known or reference.get("uid") or str(uuid.uuid4())
    for name in ("involvedObject", "regarding", "related"):
        if manifest.get(name, {}).get("uid") in uids:
            manifest[name]["uid"] = uids[manifest[name]["uid"]]
    labels = manifest["metadata"].get("labels") or {}
    labels.update({name: uids[labels[name]] for name in JOB_LABELS if labels.get(name) in uids})


def _adapt(manifest: Object) -> None:
    """Leave out of a spec what only the server may fill in."""
    spec = manifest.get("spec") or {}
    kind = (manifest["apiVersion"], manifest["kind"])
    if kind == ("v1", "Pod"):
        for name in ("priority", "preemptionPolicy", "ephemeralContainers"):
            spec.pop(name, None)
    elif kind == ("v1", "Service"):
        for name in ("clusterIP", "clusterIPs"):
            if spec.get(name) not in ("None", ["None"]):
                spec.pop(name, None)
    elif kind == ("batch/v1", "Job") and not spec.get("manualSelector"):
        spec.pop("selector", None)
        for part in (manifest, spec.get("template", {})):
            labels = part.get("metadata", {}).get("labels") or {}
            for name in JOB_LABELS:
                labels.pop(name, None)


def _rebase(captured: Object, live: Object) -> Any:
    """The captured status with each observedGeneration as far behind the new generation as it was behind the old."""
    before, after = captured["metadata"].get("generation"), live["metadata"].get("generation")
    if before is None or after is None:
        return captured["status"]
    return _shift(captured["status"], after - before)


def _shift(value: Any, by: int) -> Any:
    if isinstance(value, list):
        return [_shift(each, by) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: max(0, each + by) if name == "observedGeneration" and isinstance(each, int) else _shift(each, by)
        for name, each in value.items()
    }


def _manager(captured: Object) -> str:
    """Who wrote the object first, so that it is still seen to be Helm's or a controller's."""
    entries = captured["metadata"].get("managedFields") or []
    names = [each["manager"] for each in entries if each.get("manager") and not each.get("subresource")]
    return str(names[0]) if names else MANAGER


def _name(manifest: Object) -> str:
    return "/".join(part for part in _identities(manifest)[0] if part)
