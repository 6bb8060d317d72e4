"""DoubtLedger: collects doubts while an answer is made, one row a fact however many targets it touches."""

from __future__ import annotations

from collections.abc import Iterable

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


class DoubtLedger:
    """Doubts in the order in which they were first recorded; a code and a subject make one fact."""

    def __init__(self) -> None:
        self._affects: dict[tuple[DoubtCode, str], dict[str, None]] = {}
        self._details: dict[tuple[DoubtCode, str], dict[str, str]] = {}

    def record(
        self, code: DoubtCode, subject: str = "", affects: Target | str | None = None, **details: str
    ) -> DoubtCode:
        """Note one fact; returns its code."""
        targets = self._affects.setdefault((code, subject), {})
        if affects is not None:
            targets[str(affects)] = None
        facts = self._details.setdefault((code, subject), {})
        facts.update({name: value for name, value in details.items() if name not in facts})
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
            Doubt(code, subject, tuple(targets), tuple(self._details[code, subject].items()))
            for (code, subject), targets in self._affects.items()
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
