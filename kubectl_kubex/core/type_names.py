"""Policy types as people type them: any case, plural, without `Policy`, or by key prefix."""

from __future__ import annotations

import difflib

from kubectl_kubex.core.kinds import HOOK_KINDS, RESOURCE_KINDS, Kind

TYPES: tuple[Kind, ...] = (*RESOURCE_KINDS, *HOOK_KINDS)
"""The kinds that publish something and so can be ranked."""


def _spellings(kind: Kind) -> frozenset[str]:
    stem = kind.singular.removesuffix("policy")
    return frozenset({kind.singular, kind.plural, kind.resource, stem, kind.key_prefix or kind.singular})


_BY_SPELLING: dict[str, Kind] = {spelling: kind for kind in reversed(TYPES) for spelling in _spellings(kind)}


def find_type(word: str) -> Kind | None:
    """The policy kind that `word` means: `ProactivePolicy`, `proactivepolicies`, `proactive`, `cwproactive`, in any
    case."""
    return _BY_SPELLING.get(word.lower())


def suggest_types(word: str) -> tuple[str, ...]:
    """The names of kinds that `word` may be a slip of, nearest first; at most three."""
    close = difflib.get_close_matches(word.lower(), _BY_SPELLING, n=6, cutoff=0.7)
    return tuple(dict.fromkeys(_BY_SPELLING[spelling].name for spelling in close))[:3]
