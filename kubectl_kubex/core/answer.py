"""What a command answers about one workload: selections with their reasons. Values only; words are made in `render`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.doubts import Doubt, DoubtCode
from kubectl_kubex.core.model import PolicyRef, Target
from kubectl_kubex.core.ranking import Decision
from kubectl_kubex.core.recommendation import Form
from kubectl_kubex.core.scope import Refusal
from kubectl_kubex.core.snapshot import Snapshot


class Status(str, Enum):
    """Whether the winner is the same under every reading of the public contract and of what we could not see."""

    SELECTED = "selected"
    UNDETERMINED = "undetermined"


@dataclass(frozen=True)
class Ranked:
    """One candidate's place. `lost_to_winner`: why the first one beats it; `lost_to_next`: why the one directly above
    does. Both None for the first, and where the rules give no order."""

    rank: int
    candidate: Candidate
    lost_to_winner: Decision | None = None
    lost_to_next: Decision | None = None


@dataclass(frozen=True)
class Conditional:
    """Who would win if the facts in `assuming` were as each doubt's assumption says."""

    winner: Candidate
    decided_by: Decision | None
    assuming: tuple[DoubtCode, ...]


@dataclass(frozen=True)
class Applied:
    """One value found on the running pods, as written on the first of them. None: unset."""

    value: str | None
    pods: int


@dataclass(frozen=True)
class TargetSelection:
    """The answer for one target. `winner` is None when undetermined; `decided_by` is None for an only candidate.

    `reasons`: the doubts that make it undetermined. `doubts`: those that leave it as it is. `applied` is None when pods
    could not be read.
    """

    target: Target
    status: Status
    ranking: tuple[Ranked, ...]
    winner: Candidate | None = None
    decided_by: Decision | None = None
    conditional: Conditional | None = None
    reasons: tuple[DoubtCode, ...] = ()
    doubts: tuple[DoubtCode, ...] = ()
    applied: tuple[Applied, ...] | None = ()


@dataclass(frozen=True)
class WriteLoss:
    """Why the engine's write side prefers one policy of a kind: `rule` is weight, older, or tie."""

    rule: str
    to: PolicyRef
    winner_value: str
    loser_value: str


@dataclass(frozen=True)
class HookRanked:
    """One matching policy's place among its hook kind."""

    rank: int
    policy: PolicyRef
    weight: int
    lost_by: WriteLoss | None = None


@dataclass(frozen=True)
class HookSelection:
    """The answer for one hook kind: one winner, never merged."""

    kind: str
    key: str
    status: Status
    winner: PolicyRef | None
    ranking: tuple[HookRanked, ...]
    reasons: tuple[DoubtCode, ...] = ()
    doubts: tuple[DoubtCode, ...] = ()


@dataclass(frozen=True)
class Answer:
    """The whole answer for one workload."""

    snapshot: Snapshot
    targets: tuple[TargetSelection, ...]
    hooks: tuple[HookSelection, ...]
    refusals: tuple[Refusal, ...]
    doubts: tuple[Doubt, ...]

    @property
    def is_partial(self) -> bool:
        """Whether a part of what was asked has no answer: something undetermined, applied values unknown, or nothing
        but payloads that cannot be read."""
        statuses = [target.status for target in self.targets] + [hook.status for hook in self.hooks]
        unreadable = any(found.form is Form.UNREADABLE for found in self.snapshot.recommendations)
        return Status.UNDETERMINED in statuses or self.snapshot.pods is None or (unreadable and not self.targets)
