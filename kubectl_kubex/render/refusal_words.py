"""A sentence for each reason why a policy never entered the ranking. One entry a reason, held complete by a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kubectl_kubex.core.scope import Refusal
from kubectl_kubex.core.scope import RefusalReason as Reason

_Facts = Mapping[str, str]


def _label(facts: _Facts) -> str:
    key, operator, values = facts.get("key", ""), facts.get("operator", ""), facts.get("values", "")
    has = f'label {key} is "{facts["value"]}"' if "value" in facts else f"label {key} is not set"
    if operator in ("Exists", "DoesNotExist"):
        return f"{has}, needs {operator}"
    return f"{has}, needs {operator} ({values})"


def _outranked(facts: _Facts) -> str:
    winner, loser = facts.get("winner", ""), facts.get("loser", "")
    how = {"weight": f": weight {winner} > {loser}", "older": f": created {winner}, before {loser}"}
    return f"matches, but {facts.get('to', '')} holds the kind's annotation key{how.get(facts.get('rule', ''), '')}"


SENTENCES: dict[Reason, Callable[[_Facts], str]] = {
    Reason.WRONG_NAMESPACE: lambda facts: f"is of namespace {facts.get('namespace', '')}",
    Reason.NAMESPACE_PATTERN: lambda facts: (
        f"needs a namespace {facts.get('operator', '')} ({facts.get('values', '')})"
    ),
    Reason.WORKLOAD_TYPE: lambda facts: f"workload type is {facts.get('kind', '')}, needs {facts.get('types', '')}",
    Reason.LABEL: _label,
    Reason.CONTAINER_NOT_LISTED: lambda facts: f"is for containers {facts.get('containers', '')} only",
    Reason.POLICY_INVALID: lambda facts: f"cannot be trusted: {facts.get('problem', '')}",
    Reason.OUTRANKED_AT_WRITE: _outranked,
    Reason.NO_RECOMMENDATION: lambda _: "matches, but has no recommendation here",
}


def refusal_text(refusal: Refusal) -> str:
    """Why this policy is no candidate; to stand behind its name."""
    return SENTENCES[refusal.reason](refusal.detail)


def why_refused(reason: str, facts: _Facts) -> str:
    """As `refusal_text`, for a reason that came along as text."""
    return SENTENCES[Reason(reason)](facts) if reason in {known.value for known in Reason} else reason
