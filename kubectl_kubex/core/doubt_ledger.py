"""DoubtLedger: collects doubts while an answer is made, one row a fact however many targets it touches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.doubts import Doubt, DoubtCode
from kubectl_kubex.core.model import PolicyRef, Target

# Doubts about the engine or the precedence as a whole; all others are about one claim.
_GENERAL = frozenset(
    {
        DoubtCode.PRECEDENCE_MISSING,
        DoubtCode.PRECEDENCE_UNREADABLE,
        DoubtCode.OLDER_ENGINE,
        DoubtCode.ENGINE_UNKNOWN,
    }
)
_OF_A_TYPE = frozenset({DoubtCode.TYPE_UNLISTED, DoubtCode.TYPE_DUPLICATED, DoubtCode.PRIORITY_INVALID})


@dataclass
class _Row:
    """One fact: what it is about, the targets it touches, and its details."""

    code: DoubtCode
    subject: str
    affects: dict[str, None] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)

    def fits(self, details: dict[str, str]) -> bool:
        """Whether `details` say nothing else than this row's own."""
        return all(self.details.get(name, value) == value for name, value in details.items())


class DoubtLedger:
    """Doubts in the order in which they were first recorded. The same code, subject and details are one fact; what is
    said twice with more detail is still one."""

    def __init__(self) -> None:
        self._rows: dict[tuple[DoubtCode, str], list[_Row]] = {}

    def record(
        self, code: DoubtCode, subject: str = "", affects: Target | str | None = None, **details: str
    ) -> DoubtCode:
        """Note one fact; returns its code."""
        rows = self._rows.setdefault((code, subject), [])
        row = next((row for row in rows if row.fits(details)), None)
        if row is None:
            row = _Row(code, subject)
            rows.append(row)
        row.details.update(details)
        if affects is not None:
            row.affects[str(affects)] = None
        return code

    def record_claims(
        self, target: Target, facts: Iterable[tuple[DoubtCode | None, Candidate]]
    ) -> tuple[DoubtCode, ...]:
        """Note facts about claims on `target`; returns their codes, each once. A None code is no fact."""
        codes: dict[DoubtCode, None] = {}
        for code, candidate in facts:
            if code is not None:
                self._record_claim(code, candidate, target)
                codes[code] = None
        return tuple(codes)

    def doubts(self) -> tuple[Doubt, ...]:
        return tuple(
            Doubt(row.code, row.subject, tuple(row.affects), tuple(row.details.items()))
            for rows in self._rows.values()
            for row in rows
        )

    def _record_claim(self, code: DoubtCode, candidate: Candidate, target: Target) -> None:
        if code in _GENERAL:
            self.record(code, "", target)
        elif code in _OF_A_TYPE:
            self.record(code, candidate.kind or candidate.policy.kind, target)
        else:
            self.record(code, candidate.key, target, **claim_details(candidate))


def claim_details(candidate: Candidate) -> dict[str, str]:
    """Facts about a claim for its sentences: policy, kind, and what its owner look-up found."""
    return {"policy": policy_text(candidate.policy), "kind": candidate.policy.kind, **dict(candidate.details)}


def policy_text(ref: PolicyRef) -> str:
    """`Kind/name` or `Kind/namespace/name`, with `?` for a name that is not known."""
    return "/".join(part for part in (ref.kind, ref.namespace, ref.name or "?") if part)
