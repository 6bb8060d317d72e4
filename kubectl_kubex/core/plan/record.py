"""Record: what the engine itself wrote on a pod about why values are not applied (`automation-constraints`)."""

from __future__ import annotations

from dataclasses import dataclass

from kubectl_kubex.core.model import Target


@dataclass(frozen=True)
class Constraint:
    """One reason, in the engine's own word. `targets` empty: the whole pod."""

    reason: str
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True)
class Record:
    """All that the annotation says. `readable` False: it, or a part of it, has no known form; `raw` is what stands."""

    constraints: tuple[Constraint, ...]
    readable: bool = True
    raw: str = ""
