"""From a workload down to its pods, and to the owners between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from kubectl_kubex.cluster.failures import gap_of
from kubectl_kubex.cluster.owners import owner_uids, selector_text, uid_of
from kubectl_kubex.cluster.questions import All, Found, Question, workload_resource
from kubectl_kubex.cluster.rounds import Outcome, Steps
from kubectl_kubex.codec.shapes import at, name_of
from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME, WorkloadKind
from kubectl_kubex.errors import KubexError

POD, REPLICA_SET, JOB = (WORKLOAD_BY_NAME[name] for name in ("Pod", "ReplicaSet", "Job"))
PODS, REPLICA_SETS, JOBS = (workload_resource(kind) for kind in (POD, REPLICA_SET, JOB))
THROUGH_REPLICA_SETS = frozenset({"Deployment", "Rollout"})
THROUGH_JOBS = frozenset({"CronJob", "AnalysisRun"})
MOST_JOB_NAMES = 50


class Below(NamedTuple):
    """What stands below a workload."""

    pods: tuple[Found, ...] | None
    between: tuple[Found, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Pods:
    """The questions about the pods of one namespace, and the steps to those of one workload."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace

    def ahead(self, kind: WorkloadKind) -> list[Question]:
        """What will surely be asked about a workload of `kind`, and can be before anything is known about it."""
        return [self.all_jobs()] if kind == JOB or kind.name in THROUGH_JOBS else []

    def below(self, kind: WorkloadKind, raw: Found) -> Steps[Below]:
        uid = uid_of(raw)
        labels = selector_text(at(raw, "spec", "selector"))
        if kind.name in THROUGH_REPLICA_SETS:
            return (yield from self.through_replica_sets(uid, labels))
        if kind.name in THROUGH_JOBS:
            return (yield from self.through_jobs(uid))
        if kind == JOB:
            labels = labels or f"job-name={name_of(raw)}"
        question = All(PODS, self.namespace, labels or "", owners=frozenset({uid}))
        (pods,) = yield [question]
        return _below_of(pods, question)

    def replica_set_questions(self, labels: str) -> tuple[All, All]:
        pods = All(PODS, self.namespace, labels)
        return pods, All(REPLICA_SETS, self.namespace, labels, metadata_only=True)

    def through_replica_sets(self, uid: str, labels: str | None) -> Steps[Below]:
        """Pods of the ReplicaSets that the workload owns: its selector may fit others' pods too."""
        if not labels:
            return (yield from self._without_selector(uid))
        pods_question, sets_question = self.replica_set_questions(labels)
        pods, sets = yield [pods_question, sets_question]
        below = _below_of(pods, pods_question)
        if isinstance(sets, KubexError):
            return below._replace(gaps=(*below.gaps, gap_of(REPLICA_SET.name, str(sets_question), sets)))
        return _controlled(below, owned_by(sets, uid))

    def _without_selector(self, uid: str) -> Steps[Below]:
        """A Rollout may take its template, and with it the selector, from elsewhere."""
        sets_question = All(REPLICA_SETS, self.namespace, metadata_only=True, owners=frozenset({uid}))
        (sets,) = yield [sets_question]
        if isinstance(sets, KubexError):
            return _unreadable(sets, REPLICA_SET, sets_question, self.namespace)
        owners = frozenset(uid_of(found) for found in _list(sets))
        question = All(PODS, self.namespace, owners=owners)
        (pods,) = (yield [question]) if owners else [()]
        return _controlled(_below_of(pods, question), _list(sets))

    def all_jobs(self) -> All:
        return All(JOBS, self.namespace, metadata_only=True)

    def through_jobs(self, uid: str) -> Steps[Below]:
        (answer,) = yield [self.all_jobs()]
        if isinstance(answer, KubexError):
            return _unreadable(answer, JOB, self.all_jobs(), self.namespace)
        jobs = owned_by(answer, uid)
        question = self.job_pods(jobs)
        if question is None:
            return Below(())
        (pods,) = yield [question]
        return _controlled(_below_of(pods, question), jobs)

    def job_pods(self, jobs: Sequence[Found]) -> All | None:
        """The pods of some jobs; None: of no job, so no pods."""
        if not jobs:
            return None
        names = ",".join(sorted(name_of(found) for found in jobs))
        labels = f"job-name in ({names})" if len(jobs) <= MOST_JOB_NAMES else "job-name"
        return All(PODS, self.namespace, labels, owners=frozenset(uid_of(found) for found in jobs))


def owned_by(answer: Outcome, uid: str) -> list[Found]:
    return [found for found in _list(answer) if uid in owner_uids(found)]


def _controlled(below: Below, owners: Sequence[Found]) -> Below:
    """Only the pods that `owners` control, and of the owners only those that control one."""
    if below.pods is None:
        return below._replace(between=_distinct(owners))
    uids = {uid_of(found) for found in owners}
    pods = tuple(pod for pod in below.pods if owner_uids(pod) & uids)
    used = frozenset[str]().union(*(owner_uids(pod) for pod in pods))
    return below._replace(pods=pods, between=_distinct(found for found in owners if uid_of(found) in used))


def with_owner(below: Below, raw: Found) -> Below:
    """The climbed object itself, whole, in place of its metadata."""
    return below._replace(between=_distinct((raw, *below.between)))


def _distinct(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple({uid_of(raw): raw for raw in reversed(list(found))}.values())[::-1]


def _below_of(pods: Outcome, question: All) -> Below:
    if isinstance(pods, KubexError):
        return Below(None, gaps=(gap_of(POD.name, str(question), pods),))
    return Below(_list(pods))


def _unreadable(failure: KubexError, kind: WorkloadKind, question: All, namespace: str) -> Below:
    """The objects between cannot be read, and so not which pods are the workload's."""
    first = gap_of(kind.name, str(question), failure)
    return Below(None, gaps=(first, replace(first, kind=POD.name, request=f"list pods in namespace {namespace}")))


def _list(outcome: Outcome) -> tuple[Found, ...]:
    return outcome if isinstance(outcome, tuple) else ()
