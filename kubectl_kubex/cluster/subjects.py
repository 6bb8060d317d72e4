"""From what the user typed to a Subject: find the object, climb to the owner that policies match, collect its pods.

No way takes more than three rounds: what a later step will surely ask is asked beside an earlier question.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from kubectl_kubex.cluster.failures import ApiFailure, for_user, gap_of
from kubectl_kubex.cluster.owners import HASH_LABELS, OwnerRef, hop, owner_of, owner_uids, selector_text, uid_of
from kubectl_kubex.cluster.questions import All, Found, One, Question, Versions, check_name, workload_resource
from kubectl_kubex.cluster.rounds import Outcome
from kubectl_kubex.codec.gathered import Subject, WorkloadReference
from kubectl_kubex.codec.shapes import at, name_of, objects, text
from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME, WORKLOAD_KINDS, WorkloadKind
from kubectl_kubex.errors import AmbiguousName, KubexError, NoOwner, ServerFailure, WorkloadNotFound

Value = TypeVar("Value")
Steps = Generator[Sequence[Question], list[Outcome], Value]

POD, REPLICA_SET, JOB = (WORKLOAD_BY_NAME[name] for name in ("Pod", "ReplicaSet", "Job"))
PODS, REPLICA_SETS, JOBS = (workload_resource(kind) for kind in (POD, REPLICA_SET, JOB))
NAMED_KINDS = tuple(kind for kind in WORKLOAD_KINDS if kind.policy_type)
THROUGH_REPLICA_SETS = frozenset({"Deployment", "Rollout"})
THROUGH_JOBS = frozenset({"CronJob", "AnalysisRun"})
MOST_JOB_NAMES = 50


class Below(NamedTuple):
    """What stands below a workload."""

    pods: tuple[Found, ...] | None
    between: tuple[Found, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Place:
    """One reference in one namespace: the steps to its subject."""

    def __init__(self, reference: WorkloadReference, namespace: str) -> None:
        self.reference = reference
        self.namespace = namespace

    def steps(self) -> Steps[Subject | KubexError]:
        """The line for `rounds.run`. A failure of this reference is its result."""
        try:
            check_name("namespace", self.namespace)
            check_name("name", self.reference.name)
            return (yield from self._subject())
        except KubexError as failure:
            return for_user(failure)

    def _subject(self) -> Steps[Subject]:
        kind, name = self.reference.kind, self.reference.name
        if kind is None:
            kind, raw = yield from self._by_name_alone()
        else:
            raw = yield from self._read(kind, name, beside=self._ahead(kind))
        return (yield from self._from(kind, raw))

    def _from(self, kind: WorkloadKind, raw: Found) -> Steps[Subject]:
        """Climb until an object that policies match is reached."""
        above = hop(kind, raw)
        if above is None:
            return (yield from self._at(kind, raw))
        owner, row = above
        if kind is REPLICA_SET:
            return (yield from self._from_replica_set(owner, row, raw))
        if kind is JOB:
            return (yield from self._from_job(owner, row, raw))
        found = yield from self._read_owner(owner, row, raw, self._ahead(row))
        return (yield from self._from(row, found))

    def _from_replica_set(self, owner: OwnerRef, row: WorkloadKind, raw: Found) -> Steps[Subject]:
        labels = selector_text(at(raw, "spec", "selector"), without=HASH_LABELS)
        beside = self._replica_set_questions(labels) if labels else ()
        above = yield from self._read_owner(owner, row, raw, beside)
        below = yield from self._through_replica_sets(owner.uid, labels)
        return self._subject_of(above, _with(below, raw))

    def _from_job(self, owner: OwnerRef, row: WorkloadKind, raw: Found) -> Steps[Subject]:
        (jobs,) = yield [self._all_jobs()]
        question = self._job_pods(_owned(jobs, owner.uid))
        above = yield from self._read_owner(owner, row, raw, [question] if question else [])
        below = yield from self._through_jobs(owner.uid)
        return self._subject_of(above, _with(below, raw))

    def _at(self, kind: WorkloadKind, raw: Found) -> Steps[Subject]:
        if not kind.policy_type:
            raise _no_owner(kind, raw)
        below = yield from self._below(kind, raw)
        return self._subject_of(raw, below)

    def _subject_of(self, workload: Found, below: Below) -> Subject:
        return Subject(self.reference, workload, below.pods, below.between, below.gaps)

    # Finding one object.

    def _read(self, kind: WorkloadKind, name: str, beside: Sequence[Question] = ()) -> Steps[Found]:
        """One object. An optional kind is asked for in the likely version, and in the served one where that fails."""
        if len(kind.versions) == 1:
            outcome, *_ = yield [One(workload_resource(kind), self.namespace, name), *beside]
            if not (kind.optional and _is_unserved(outcome)):
                return self._wanted(outcome, kind, name)
        served, *_ = yield [Versions(kind.group), *beside]
        version = served_version(kind, served)
        if version is None:
            raise _unserved(kind, served)
        outcome, *_ = yield [One(workload_resource(kind, version), self.namespace, name)]
        return self._wanted(outcome, kind, name)

    def _read_owner(self, owner: OwnerRef, row: WorkloadKind, raw: Found, beside: Sequence[Question]) -> Steps[Found]:
        """The object that `owner`, of kind `row`, refers to."""
        outcome, *_ = yield [self._owner_question(owner, row), *beside]
        below = f"{(text(raw.get('kind')) or '').lower()}/{name_of(raw)}"
        above = self._wanted(outcome, row, owner.name, f"it owns {below}")
        if uid_of(above) != owner.uid:
            raise WorkloadNotFound(row.resource, owner.name, self.namespace, hint=f"the one that owns {below} is gone")
        return above

    def _wanted(self, outcome: Outcome, kind: WorkloadKind, name: str, hint: str = "") -> Found:
        if isinstance(outcome, ApiFailure) and outcome.status == 404:
            if _is_unserved(outcome):
                raise _unserved(kind, outcome)
            raise WorkloadNotFound(kind.resource, name, self.namespace, hint=hint)
        return _object(outcome)

    def _by_name_alone(self) -> Steps[tuple[WorkloadKind, Found]]:
        """The one workload of this name, of whatever kind. One that another of them owns does not count."""
        name = self.reference.name
        built_in = [kind for kind in NAMED_KINDS if not kind.optional]
        optional = [kind for kind in NAMED_KINDS if kind.optional]
        groups = list(dict.fromkeys(kind.group for kind in optional))
        outcomes = yield [
            *(One(workload_resource(kind), self.namespace, name) for kind in built_in), *map(Versions, groups)
        ]  # fmt: skip
        asked = list(zip(built_in, outcomes, strict=False))
        versions = dict(zip(groups, outcomes[len(built_in) :], strict=True))
        served = [(kind, version) for kind in optional if (version := served_version(kind, versions[kind.group]))]
        ahead = [question for kind, outcome in asked for question in self._ahead_of_hit(kind, outcome)]
        if any(kind.name in THROUGH_JOBS for kind, _ in served):
            ahead.append(self._all_jobs())
        if served:
            questions = [One(workload_resource(kind, version), self.namespace, name) for kind, version in served]
            outcomes = yield [*questions, *ahead]
            asked += zip((kind for kind, _ in served), outcomes, strict=False)
        return self._only(asked)

    def _only(self, asked: Iterable[tuple[WorkloadKind, Outcome]]) -> tuple[WorkloadKind, Found]:
        asked = list(asked)
        hits = [(kind, _object(outcome)) for kind, outcome in asked if not isinstance(outcome, KubexError)]
        uids = {uid_of(raw) for _, raw in hits}
        top = [(kind, raw) for kind, raw in hits if not owner_uids(raw) & uids]
        if len(top) == 1:
            return top[0]
        if top:
            raise AmbiguousName(self.reference.name, [f"{kind.singular}/{name_of(raw)}" for kind, raw in top])
        raise self._nowhere(asked)

    def _nowhere(self, asked: Sequence[tuple[WorkloadKind, Outcome]]) -> KubexError:
        failures = [(kind, outcome) for kind, outcome in asked if isinstance(outcome, KubexError)]
        unread = [(kind, failure) for kind, failure in failures if not _is_404(failure)]
        if unread and len(unread) == len(asked):
            return for_user(unread[0][1])
        hint = f"not looked at: {', '.join(kind.resource for kind, _ in unread)}" if unread else ""
        return WorkloadNotFound("", self.reference.name, self.namespace, hint=hint)

    # What will surely be asked later.

    def _ahead(self, kind: WorkloadKind) -> list[Question]:
        through_jobs = kind is JOB or kind.name in THROUGH_JOBS
        return [self._all_jobs()] if through_jobs else []

    def _ahead_of_hit(self, kind: WorkloadKind, outcome: Outcome) -> list[Question]:
        if isinstance(outcome, KubexError | tuple):
            return []
        above = hop(kind, outcome)
        return [*self._ahead(kind), *([self._owner_question(*above)] if above else [])]

    def _owner_question(self, owner: OwnerRef, row: WorkloadKind) -> One:
        """An optional kind is asked for in the version that the reference says."""
        return One(workload_resource(row, owner.version if row.optional else ""), self.namespace, owner.name)

    # Going down to the pods.

    def _below(self, kind: WorkloadKind, raw: Found) -> Steps[Below]:
        uid = uid_of(raw)
        labels = selector_text(at(raw, "spec", "selector"))
        if kind.name in THROUGH_REPLICA_SETS:
            return (yield from self._through_replica_sets(uid, labels))
        if kind.name in THROUGH_JOBS:
            return (yield from self._through_jobs(uid))
        if kind is JOB:
            labels = labels or f"job-name={name_of(raw)}"
        question = All(PODS, self.namespace, labels or "", owners=frozenset({uid}))
        (pods,) = yield [question]
        return _below_of(pods, question)

    def _replica_set_questions(self, labels: str) -> tuple[All, All]:
        pods = All(PODS, self.namespace, labels)
        return pods, All(REPLICA_SETS, self.namespace, labels, metadata_only=True)

    def _through_replica_sets(self, uid: str, labels: str | None) -> Steps[Below]:
        """Pods of the ReplicaSets that the workload owns: its selector may fit others' pods too."""
        if not labels:
            return (yield from self._without_selector(uid))
        pods_question, sets_question = self._replica_set_questions(labels)
        pods, sets = yield [pods_question, sets_question]
        below = _below_of(pods, pods_question)
        if isinstance(sets, KubexError):
            return below._replace(gaps=(*below.gaps, gap_of(REPLICA_SET.name, str(sets_question), sets)))
        return _controlled(below, _owned(sets, uid))

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

    def _all_jobs(self) -> All:
        return All(JOBS, self.namespace, metadata_only=True)

    def _through_jobs(self, uid: str) -> Steps[Below]:
        (answer,) = yield [self._all_jobs()]
        if isinstance(answer, KubexError):
            return _unreadable(answer, JOB, self._all_jobs(), self.namespace)
        jobs = _owned(answer, uid)
        question = self._job_pods(jobs)
        if question is None:
            return Below(())
        (pods,) = yield [question]
        return _controlled(_below_of(pods, question), jobs)

    def _job_pods(self, jobs: Sequence[Found]) -> All | None:
        """The pods of some jobs; None: of no job, so no pods."""
        if not jobs:
            return None
        names = ",".join(sorted(name_of(found) for found in jobs))
        labels = f"job-name in ({names})" if len(jobs) <= MOST_JOB_NAMES else "job-name"
        return All(PODS, self.namespace, labels, owners=frozenset(uid_of(found) for found in jobs))


def served_version(kind: WorkloadKind, answer: Outcome) -> str | None:
    """The version of an optional kind to ask for: the first that we know among those served, else the preferred one."""
    if isinstance(answer, KubexError | tuple):
        return None
    served = [text(at(version, "version")) for version in objects(answer.get("versions"))]
    preferred = text(at(answer, "preferredVersion", "version"))
    return next((version for version in kind.versions if version in served), preferred)


def _owned(answer: Outcome, uid: str) -> list[Found]:
    return [found for found in _list(answer) if uid in owner_uids(found)]


def _controlled(below: Below, owners: Sequence[Found]) -> Below:
    """Only the pods that `owners` control, and of the owners only those that control one."""
    if below.pods is None:
        return below._replace(between=_distinct(owners))
    uids = {uid_of(found) for found in owners}
    pods = tuple(pod for pod in below.pods if owner_uids(pod) & uids)
    used = frozenset[str]().union(*(owner_uids(pod) for pod in pods))
    return below._replace(pods=pods, between=_distinct(found for found in owners if uid_of(found) in used))


def _with(below: Below, raw: Found) -> Below:
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


def _object(outcome: Outcome) -> Found:
    if isinstance(outcome, KubexError):
        raise outcome
    return {} if isinstance(outcome, tuple) else outcome


def _list(outcome: Outcome) -> tuple[Found, ...]:
    return outcome if isinstance(outcome, tuple) else ()


def _is_404(outcome: Outcome) -> bool:
    return isinstance(outcome, ApiFailure) and outcome.status == 404


def _is_unserved(outcome: Outcome) -> bool:
    """Whether the server does not know the kind, other than not having the object."""
    return isinstance(outcome, ApiFailure) and outcome.status == 404 and not outcome.absent


def _unserved(kind: WorkloadKind, outcome: Outcome) -> KubexError:
    if isinstance(outcome, KubexError) and not _is_404(outcome):
        return outcome
    return ServerFailure(f'the server does not have a resource type "{kind.resource}"')


def _no_owner(kind: WorkloadKind, raw: Found) -> NoOwner:
    owner = owner_of(raw)
    instead = f"{owner.kind} {owner.name}" if owner else ""
    return NoOwner(f"{kind.singular}/{name_of(raw)}", [named.singular for named in NAMED_KINDS], instead)
