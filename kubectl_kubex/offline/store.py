"""Store: every object of an input that is of use, once, with what the input covers and what could not be read in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.offline.archives import Unreadable
from kubectl_kubex.offline.coverage import Coverage
from kubectl_kubex.offline.identity import Identity


@dataclass
class Store:
    """`unreadable`: files, or parts of files, in which objects of any kind may be hidden. `unusable`: objects that are
    there and not used, each with the reason. `superseded`: older copies of objects that are used, by file."""

    objects: dict[Identity, RawObject] = field(default_factory=dict)
    coverage: Coverage = field(default_factory=Coverage)
    unreadable: list[Unreadable] = field(default_factory=list)
    unusable: dict[Identity, str] = field(default_factory=dict)
    superseded: list[Unreadable] = field(default_factory=list)

    def find(self, kind: str, namespace: str, name: str) -> RawObject | None:
        return self.objects.get(Identity(kind, namespace, name))

    def has(self, identity: Identity) -> bool:
        """Whether the object is there, usable or not."""
        return identity in self.objects or identity in self.unusable

    def of_kind(self, kind: str, namespace: str | None = None) -> tuple[RawObject, ...]:
        """The objects of `kind` by namespace and name; `namespace` None: of all. Cluster kinds are in every one."""
        return tuple(
            self.objects[identity]
            for identity in self._by_kind.get(kind, ())
            if namespace is None or identity.namespace in ("", namespace)
        )

    @cached_property
    def _by_kind(self) -> dict[str, list[Identity]]:
        """Asked for only once everything has been taken in."""
        found: dict[str, list[Identity]] = {}
        for identity in sorted(self.objects):
            found.setdefault(identity.kind, []).append(identity)
        return found

    def unusable_gaps(self, kind: str, namespace: str | None) -> tuple[Gap, ...]:
        """One gap for each object of `kind` that is not used: it exists, and nothing in it can be trusted."""
        return tuple(
            Gap(kind, GapReason.UNREADABLE, f"{identity}: {reason}")
            for identity, reason in sorted(self.unusable.items())
            if identity.kind == kind and (namespace is None or identity.namespace in ("", namespace))
        )

    def file_gaps(self) -> tuple[Gap, ...]:
        """One gap for each file with something in it that is not used."""
        files = dict.fromkeys((*self.unreadable, *self.superseded))
        return tuple(Gap(file.name, GapReason.UNREADABLE, file.reason) for file in files)
