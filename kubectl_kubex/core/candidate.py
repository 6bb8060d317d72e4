"""Candidate: one policy's claim on one target, with every fact that ranking asks for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timezone

from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.model import PolicyRef
from kubectl_kubex.core.reading import Reading, known

OLDEST = datetime.min.replace(tzinfo=timezone.utc)
"""How a missing creation timestamp ranks: older than every present one (reference page, Example 4)."""


@dataclass(frozen=True)
class Candidate:
    """One policy's claim on one target.

    `kinds`: every kind that its policy may have, the assumed one first; empty when unknown. `created`: `OLDEST` when
    the payload has none. `exact`: the payload names the container; else it says `*`. `value`: the quantity as written,
    None for a claim whose payload could not be read. `absence`: why it may not compete at all. `phantom`: is assumed
    not to compete; it stands for a claim that an unreadable payload may hold. `identity`: how `policy` is less than
    certain. `details`: facts for the sentences of its doubts, by name.
    """

    key: str
    policy: PolicyRef
    kinds: tuple[str, ...]
    priority: Reading[int]
    weight: Reading[int]
    exact: bool
    created: Reading[datetime] = known(OLDEST)
    value: str | None = None
    absence: DoubtCode | None = None
    phantom: bool = False
    identity: DoubtCode | None = None
    created_field: str | None = None
    details: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> str | None:
        return self.kinds[0] if self.kinds else None

    def with_target(self, value: str | None, *, exact: bool) -> Candidate:
        return replace(self, value=value, exact=exact)

    def shares_policy(self, other: Candidate) -> bool:
        """Whether both claims are known to be of one policy: its priority and weight are then one and the same."""
        sure = self.policy.name is not None and len(self.kinds) == len(other.kinds) == 1
        return self.key == other.key or (sure and self.policy == other.policy)
