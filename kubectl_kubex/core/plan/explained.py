"""Explained: all that is said about the way from the winners to the pods."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.plan.agreement import Agreement
from kubectl_kubex.core.plan.model import Outcome, Plan


@dataclass(frozen=True)
class Explained:
    """`at`: the time that the plans are judged at. `resizing`: pods whose resize in place is under way. `unread`: what
    only the plans ask for and could not be read."""

    at: datetime
    plans: tuple[Plan, ...]
    agreements: tuple[Agreement, ...] = ()
    resizing: tuple[str, ...] = ()
    unread: tuple[Gap, ...] = ()

    @property
    def is_partial(self) -> bool:
        return any(plan.outcome is Outcome.UNDETERMINED for plan in self.plans)
