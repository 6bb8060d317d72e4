"""The steps to all objects of a kind: the engine's own, those around a workload, and what shares its nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kubectl_kubex.cluster.failures import ApiFailure, gap_of
from kubectl_kubex.cluster.pods import PODS
from kubectl_kubex.cluster.questions import All, One, Question, engine_resource, surrounding_resource
from kubectl_kubex.cluster.rounds import Steps
from kubectl_kubex.codec.gathered import Objects, RawObject
from kubectl_kubex.core.kinds import (
    BY_NAME,
    CONFIGURATION_KIND,
    CONFIGURATION_NAME,
    PRECEDENCE_KIND,
    PRECEDENCE_NAME,
    Kind,
)
from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.surrounding_kinds import SURROUNDING_BY_NAME
from kubectl_kubex.errors import KubexError

_SINGLETONS = {PRECEDENCE_KIND.name: PRECEDENCE_NAME, CONFIGURATION_KIND.name: CONFIGURATION_NAME}
_NAMESPACE, _NODE = (surrounding_resource(SURROUNDING_BY_NAME[name]) for name in ("Namespace", "Node"))
KindAnswer = tuple[str, tuple[RawObject, ...] | None, Gap | None]
Neighbours = tuple[RawObject | None, tuple[RawObject, ...] | None, tuple[Gap, ...]]


def steps_of(name: str, where: str | None, namespace: str) -> Steps[KindAnswer]:
    """The line for one kind. `where`: the namespace to list in, None for all; `namespace`: the one in question."""
    if name in BY_NAME:
        return _kind_steps(BY_NAME[name], where)
    if name == _NAMESPACE.kind and where is not None:
        return _one_steps(One(_NAMESPACE, "", namespace))
    kind = SURROUNDING_BY_NAME[name]
    return _all_steps(name, All(surrounding_resource(kind), where if kind.namespaced else None))


def _kind_steps(kind: Kind, namespace: str | None) -> Steps[KindAnswer]:
    """All objects of one of the engine's kinds. A singleton that may not be listed may still be read by its name."""
    question = All(engine_resource(kind), namespace if kind.namespaced else None)
    (answer,) = yield [question]
    if isinstance(answer, ApiFailure) and answer.status == 403 and kind.name in _SINGLETONS:
        single = One(question.resource, "", _SINGLETONS[kind.name])
        (alone,) = yield [single]
        if isinstance(alone, ApiFailure) and alone.absent:
            return kind.name, (), None
        answer = (alone,) if isinstance(alone, Mapping) else answer
    return _answer(kind.name, question, answer)


def _all_steps(name: str, question: All) -> Steps[KindAnswer]:
    (answer,) = yield [question]
    return _answer(name, question, answer)


def _one_steps(question: One) -> Steps[KindAnswer]:
    (answer,) = yield [question]
    if isinstance(answer, ApiFailure) and answer.absent:
        return question.resource.kind, (), None
    return _answer(question.resource.kind, question, answer)


def _answer(name: str, question: Question, answer: RawObject | tuple[RawObject, ...] | KubexError) -> KindAnswer:
    if isinstance(answer, KubexError):
        return name, None, gap_of(name, str(question), answer)
    return name, answer if isinstance(answer, tuple) else (answer,), None


def neighbour_steps(node: str) -> Steps[Neighbours]:
    """A node, and all pods on it, of every namespace."""
    one, pods = One(_NODE, "", node), All(PODS, None, fields=f"spec.nodeName={node}")
    found, listed = yield [one, pods]
    absent = isinstance(found, ApiFailure) and found.absent
    failed: list[tuple[Question, KubexError]] = [(one, found)] if isinstance(found, KubexError) and not absent else []
    failed += [(pods, listed)] if isinstance(listed, KubexError) else []
    gaps = tuple(gap_of(_NODE.kind, str(question), failure) for question, failure in failed)
    return found if isinstance(found, Mapping) else None, listed if isinstance(listed, tuple) else None, gaps


def neighbourhood(answers: Sequence[Neighbours]) -> Objects:
    """All of them as objects; the pods only where those of every node were read."""
    by_kind = {_NODE.kind: tuple(node for node, _, _ in answers if node is not None)}
    lists = [pods for _, pods, _ in answers if pods is not None]
    if len(lists) == len(answers):
        by_kind["Pod"] = tuple(pod for pods in lists for pod in pods)
    return Objects(by_kind, tuple(dict.fromkeys(gap for _, _, gaps in answers for gap in gaps)))
