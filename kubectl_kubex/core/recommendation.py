"""Recommendation: one annotation key of a workload, decoded. What the codec hands to selection."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from kubectl_kubex.core.kinds import BY_PREFIX, LEGACY_PREFIXES
from kubectl_kubex.core.model import Usage

WILDCARD = "*"


class Form(str, Enum):
    """The two payload forms (engine.md 3.3), or neither."""

    ENVELOPE = "envelope"  # names its policy: policyKind, policyNamespace, policyName, containers
    BARE = "bare"  # container -> resource -> quantity, under a fixed key
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Value:
    """One value of a payload. `container` may be `*`. `quantity` is as written; None when it is not a quantity
    (then `written` shows what stands there)."""

    container: str
    resource: str
    quantity: str | None
    written: str = ""


@dataclass(frozen=True)
class Timestamps:
    """The creation timestamps found at the top of an envelope: (field name, time), the probed names first.
    `unreadable`: fields with a probed name whose value is not RFC3339."""

    found: tuple[tuple[str, datetime], ...] = ()
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recommendation:
    """One `desired-resource-*` annotation. `prefix` is the key's first label, `digest` None for a fixed key.

    `policy_kind`, `policy_namespace`, `policy_name` and `weight` are None where the payload does not say.
    `problem`: why the payload is unreadable.
    """

    key: str
    prefix: str
    digest: str | None
    usage: Usage
    form: Form
    values: tuple[Value, ...] = ()
    policy_kind: str | None = None
    policy_namespace: str | None = None
    policy_name: str | None = None
    weight: int | None = None
    timestamps: Timestamps = Timestamps()
    problem: str = ""

    @property
    def prefix_kind(self) -> str | None:
        """The kind that the key's prefix stands for; None when no source says (engine.md 14.3)."""
        kind = BY_PREFIX.get(self.prefix)
        return kind.name if kind else LEGACY_PREFIXES.get(self.prefix)

    @property
    def kind(self) -> str | None:
        """The policy kind: the payload's own word first, then the prefix's (engine.md 14.3)."""
        return self.policy_kind or self.prefix_kind

    @property
    def contradicts_prefix(self) -> bool:
        return self.policy_kind is not None and self.prefix_kind not in (None, self.policy_kind)


@dataclass(frozen=True)
class Hook:
    """One `pod-runtime-hook` annotation. Its payload's shape is unpublished, so only the key is used."""

    key: str
    prefix: str
