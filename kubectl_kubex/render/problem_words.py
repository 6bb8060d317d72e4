"""A sentence and a mark for each oddity of a precedence. One entry a code, held complete by a test."""

from __future__ import annotations

from collections.abc import Sequence

from kubectl_kubex.core.precedence import Problem
from kubectl_kubex.core.precedence import ProblemCode as Code

SENTENCES: dict[Code, str] = {
    Code.MISSING: "there is no PolicyEvaluation named policy-evaluation",
    Code.UNREADABLE: "PolicyEvaluation policy-evaluation could not be read{detail}",
    Code.EMPTY: "spec.precedence is missing or empty",
    Code.MALFORMED: "malformed{at}{detail}",
    Code.UNKNOWN_TYPE: "{type}{at} is no policy type that is known",
    Code.LEGACY_TYPE: "{type}{at} is a name from before release 1.9.0, without effect{instead}",
    Code.DUPLICATE_TYPE: "{type} is listed more than once{at}",
    Code.UNLISTED_TYPE: "{type} is not listed; how an unlisted type ranks is not published",
    Code.INVALID_PRIORITY: "{type}{at} has no valid priority{detail}; it must be a whole number of 0 or more",
    Code.ZERO_PRIORITY: "{type}{at} has priority 0; the reference asks for a positive one",
    Code.OTHER_OBJECT: "a PolicyEvaluation of another name has no effect{detail}",
}

MARKS: dict[Code, str] = {
    Code.MISSING: "missing",
    Code.UNREADABLE: "unreadable",
    Code.EMPTY: "empty",
    Code.MALFORMED: "malformed",
    Code.UNKNOWN_TYPE: "unknown type",
    Code.LEGACY_TYPE: "legacy name",
    Code.DUPLICATE_TYPE: "duplicate",
    Code.UNLISTED_TYPE: "not listed",
    Code.INVALID_PRIORITY: "invalid priority",
    Code.ZERO_PRIORITY: "zero",
    Code.OTHER_OBJECT: "no effect",
}


def problem_text(problem: Problem) -> str:
    """The sentence of one oddity."""
    return SENTENCES[problem.code].format(
        type=problem.type,
        at=f" ({entries_text(problem.positions)})" if problem.positions else "",
        detail=f": {problem.detail}" if problem.detail else "",
        instead=f"; its successor is {problem.detail}" if problem.detail else "",
    )


def entries_text(positions: Sequence[int]) -> str:
    """`entry 5`, `entries 5 and 11`."""
    if len(positions) == 1:
        return f"entry {positions[0]}"
    return f"entries {', '.join(str(position) for position in positions[:-1])} and {positions[-1]}"
