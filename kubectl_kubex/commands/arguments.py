"""The words behind a command's name as workload references: `deploy/web`, `deploy web api`, `web`, `pod/web-1`."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from kubectl_kubex.codec.gathered import WorkloadReference
from kubectl_kubex.core.label_query import Term, parse_label_query
from kubectl_kubex.core.narrowing import TargetPattern, parse_pattern
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS, WorkloadKind, find_workload_kind
from kubectl_kubex.errors import UnsupportedKind, UsageError

# Words that can only be meant as a type, though not as one that recommendations are made for.
_OTHER_KINDS = frozenset(
    """all cm configmap configmaps cr crd ep endpoints hpa horizontalpodautoscaler ing ingress ingresses namespace
    namespaces no node nodes ns pdb pv pvc rc replicationcontroller replicationcontrollers sa secret secrets service
    serviceaccount services svc vpa""".split()  # noqa: SIM905 - a list of words is read better as text
)


def parse_references(words: Sequence[str]) -> tuple[WorkloadReference, ...]:
    """The workloads that `words` name, each once, in order. Raises UsageError."""
    if not words:
        raise UsageError("no workload given", "name one, as in deploy/web")
    first = words[0]
    kind = None if "/" in first else find_workload_kind(first)
    if kind is not None and len(words) > 1:
        references = [WorkloadReference(kind, _name(word, typed=True)) for word in words[1:]]
    elif kind is not None:
        raise UsageError(f"no name given for {kind.singular}", f"name one, as in {first}/web")
    elif "/" not in first and len(words) > 1 and first.lower() in _OTHER_KINDS:
        raise _unsupported(first)
    else:
        references = [_reference(word) for word in words]
    return tuple(dict.fromkeys(references))


def parse_patterns(texts: Sequence[str]) -> tuple[TargetPattern, ...]:
    """What stands behind `--target`. Raises UsageError."""
    return tuple(_pattern(text) for text in texts)


def parse_labels(text: str | None) -> tuple[Term, ...]:
    """What stands behind `-l`. Raises UsageError."""
    terms = () if text is None else parse_label_query(text)
    if terms is None:
        raise UsageError(f'"{text}" is no label query', "write it as app=web,tier!=test or env in (a,b)")
    return terms


def _pattern(text: str) -> TargetPattern:
    pattern = parse_pattern(text)
    if pattern is None:
        raise UsageError(f'"{text}" is no target', "write CONTAINER/requests|limits/RESOURCE, such as app/requests/cpu")
    return pattern


def _reference(word: str) -> WorkloadReference:
    if "/" not in word:
        return WorkloadReference(None, _name(word))
    if word.count("/") > 1:
        raise UsageError(f'"{word}" is not of the form TYPE/NAME')
    spelled, name = word.split("/")
    kind = find_workload_kind(spelled)
    if kind is None:
        raise _unsupported(spelled)
    return WorkloadReference(kind, _name(name))


def _name(name: str, *, typed: bool = False) -> str:
    if typed and "/" in name:
        raise UsageError(f'"{name}" names a type, but one stands before it', "write TYPE/NAME... or TYPE NAME...")
    if not name:
        raise UsageError("a workload's name is empty")
    if name in (".", "..") or "%" in name:
        raise UsageError(f'"{name}" is no resource name')
    return name


def _unsupported(word: str) -> UsageError:
    known = [kind.singular for kind in WORKLOAD_KINDS]
    close = difflib.get_close_matches(word.lower(), [s for kind in WORKLOAD_KINDS for s in sorted(kind.spellings)], 1)
    meant = _of_spelling(close[0]) if close and word.lower() not in _OTHER_KINDS else None
    if meant is None:
        return UnsupportedKind(word, known)
    return UnsupportedKind(word, [f"{meant.singular} (did you mean this?)", *(k for k in known if k != meant.singular)])


def _of_spelling(spelling: str) -> WorkloadKind | None:
    return find_workload_kind(spelling)
