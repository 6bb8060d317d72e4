"""narrow: an answer, reduced to the targets that were asked for (`--target container/usage/resource`)."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.model import Target, Usage


@dataclass(frozen=True)
class TargetPattern:
    """Which targets are asked for. Each part may hold `*` and `?`."""

    container: str
    usage: str = "*"
    resource: str = "*"

    def matches(self, target: Target) -> bool:
        pairs = (
            (target.container, self.container),
            (target.usage.value, self.usage),
            (target.resource, self.resource),
        )
        return all(fnmatch.fnmatchcase(value, pattern) for value, pattern in pairs)


def parse_pattern(text: str) -> TargetPattern | None:
    """`app/requests/cpu`, `app/requests`, `app`, `*/limits/*`; resources may hold a slash (`nvidia.com/gpu`). None for
    any other text."""
    container, _, rest = text.partition("/")
    usage, slash, resource = rest.partition("/")
    known = {member.value for member in Usage}
    if not container or (rest and not any(fnmatch.fnmatchcase(name, usage) for name in known)):
        return None
    if slash and not resource:
        return None
    return TargetPattern(container, usage or "*", resource or "*")


def narrow(answer: Answer, patterns: Sequence[TargetPattern]) -> Answer:
    """`answer` with the targets that any of `patterns` matches, and the doubts that concern them or the whole. Hooks,
    which have no targets, are left out. Without patterns, the whole answer."""
    if not patterns:
        return answer
    targets = tuple(t for t in answer.targets if any(pattern.matches(t.target) for pattern in patterns))
    kept = {str(selection.target) for selection in targets}
    gone = {str(selection.target) for selection in answer.targets} - kept
    hooks = {f"pod-runtime-hook/{hook.kind}" for hook in answer.hooks}
    doubts = []
    for doubt in answer.doubts:
        affects = tuple(name for name in doubt.affects if name not in gone | hooks)
        if affects or not doubt.affects:
            doubts.append(replace(doubt, affects=affects))
    return replace(answer, targets=targets, hooks=(), doubts=tuple(doubts))
