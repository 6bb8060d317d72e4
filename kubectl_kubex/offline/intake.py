"""From files to a store: lists are opened, copies settled, and what cannot be used is kept with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kubectl_kubex.codec.capture import is_capture, read_capture
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import mapping, text
from kubectl_kubex.errors import InputError
from kubectl_kubex.offline.archives import File, Unreadable
from kubectl_kubex.offline.documents import documents
from kubectl_kubex.offline.identity import Identity, flaws, is_list, known_kind, list_kind, settled
from kubectl_kubex.offline.store import Store
from kubectl_kubex.offline.versions import newer, same


def read_store(files: Iterable[File | Unreadable], namespace: str, where: str) -> Store:
    """Everything in `files`. `namespace` is that of objects which name none; `where` names the input in errors. Raises
    InputError when there is nothing of Kubernetes in it."""
    intake = _Intake(namespace)
    for file in files:
        intake.read(file)
    if not intake.met:
        raise InputError(*_nothing(intake.store.unreadable, where))
    return intake.store


def _nothing(unreadable: list[Unreadable], where: str) -> tuple[str, str]:
    if not unreadable:
        return f"no Kubernetes objects in {where}", "give files that kubectl get -o yaml or kubex snapshot wrote"
    first, more = unreadable[0], len(unreadable) - 1
    return f"cannot read {first.name}: {first.reason}" + (f" (and {more} more files)" if more else ""), ""


class _Intake:
    """`met`: whether anything of Kubernetes was there, be it a list of nothing."""

    def __init__(self, namespace: str) -> None:
        self.store = Store()
        self.met = False
        self._namespace = namespace
        self._files: dict[Identity, str] = {}

    def read(self, file: File | Unreadable) -> None:
        if isinstance(file, Unreadable):
            self.store.unreadable.append(file)
            return
        kinds: set[str] = set()
        captures = len(self.store.coverage.captures)
        for document in documents(file):
            if isinstance(document, Unreadable):
                self.store.unreadable.append(document)
            else:
                self._document(document, file.name, kinds)
        if len(self.store.coverage.captures) == captures:
            self.store.coverage.kinds |= kinds

    def _document(self, document: Any, file: str, kinds: set[str]) -> None:  # noqa: ANN401 - any JSON value
        """Take in one document; the kinds it shows go to `kinds`."""
        for raw in _opened(document, kinds):
            if isinstance(raw, str):
                self.store.unreadable.append(Unreadable(file, raw))
                continue
            self.met = self.met or bool(text(raw.get("apiVersion")) and text(raw.get("kind")))
            kind = known_kind(raw)
            if is_capture(raw):
                self._capture(raw, file)
            elif kind is not None:
                kinds.add(kind)
                self._object(kind, raw, file)

    def _capture(self, raw: RawObject, file: str) -> None:
        try:
            self.store.coverage.captures.append(read_capture(raw))
        except (ValueError, KeyError) as error:
            self.store.unreadable.append(Unreadable(file, str(error)))

    def _object(self, kind: str, raw: RawObject, file: str) -> None:
        identity, raw = settled(kind, raw, self._namespace)
        flaw = next(flaws(raw), None)
        if flaw is not None:
            self._drop(identity, f"{flaw} (in {file})")
        elif identity not in self.store.unusable:
            self._settle(identity, raw, file)

    def _settle(self, identity: Identity, raw: RawObject, file: str) -> None:
        """Copies that say the same are one; else the newer one counts, and where none is known to be, none of them."""
        known = self.store.objects.get(identity)
        if known is None:
            self.store.objects[identity], self._files[identity] = raw, file
            return
        if same(known, raw):
            return
        before = self._files[identity]
        kept = newer(known, raw)
        if kept is None:
            self._drop(identity, f"{before} and {file} differ on it, and no resourceVersion says which is newer")
            return
        older = file if kept is known else before
        self.store.superseded.append(Unreadable(older, f"holds an older copy of {identity}, which is not used"))
        if kept is raw:
            self.store.objects[identity], self._files[identity] = raw, file

    def _drop(self, identity: Identity, reason: str) -> None:
        self.store.objects.pop(identity, None)
        self.store.unusable.setdefault(identity, reason)


def _opened(document: Any, kinds: set[str]) -> Iterator[RawObject | str]:  # noqa: ANN401 - any JSON value
    """The objects in a document, out of lists; a sentence for what is none. Other documents hold nothing of ours."""
    if isinstance(document, list):
        for member in document:
            yield from _opened(member, kinds)
    elif isinstance(document, dict):
        yield from _opened_list(document, kinds) if is_list(document) else [document]


def _opened_list(listed: RawObject, kinds: set[str]) -> Iterator[RawObject | str]:
    kind = list_kind(listed)
    kinds |= {kind} if kind else set()
    yield {name: value for name, value in listed.items() if name != "items"}
    for number, member in enumerate(listed["items"], 1):
        if not isinstance(member, dict):
            yield f"item {number} of its {listed['kind']} is not an object"
        elif is_list(member):
            yield from _opened_list(member, kinds)
        else:
            yield _named(mapping(member), listed, kind)


def _named(member: RawObject, listed: RawObject, kind: str | None) -> RawObject:
    """The API server leaves apiVersion and kind out of the members of a typed list."""
    if kind is None or "kind" in member:
        return member
    return {"apiVersion": listed["apiVersion"], "kind": kind, **member}
