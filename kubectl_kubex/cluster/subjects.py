"""From what the user typed to a Subject: find the object, climb to the owner that policies match, collect its pods.

No way takes more than three rounds: what a later step will surely ask is asked beside an earlier question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kubectl_kubex.cluster.failures import ApiFailure, for_user
from kubectl_kubex.cluster.owners import HASH_LABELS, OwnerRef, hop, owner_of, owner_uids, selector_text, uid_of
from kubectl_kubex.cluster.pods import JOB, REPLICA_SET, THROUGH_JOBS, Below, Pods, owned_by, with_owner
from kubectl_kubex.cluster.questions import Found, One, Question, Versions, check_name, workload_resource
from kubectl_kubex.cluster.rounds import Outcome, Steps
from kubectl_kubex.codec.gathered import Subject, WorkloadReference
from kubectl_kubex.codec.shapes import at, name_of, objects, text
from kubectl_kubex.core.workload_kinds import WORKLOAD_KINDS, WorkloadKind
from kubectl_kubex.errors import AmbiguousName, KubexError, NoOwner, ServerFailure, WorkloadNotFound

NAMED_KINDS = tuple(kind for kind in WORKLOAD_KINDS if kind.policy_type)


class Place:
    """One reference in one namespace: the steps to its subject."""

    def __init__(self, reference: WorkloadReference, namespace: str) -> None:
        self.reference = reference
        self.namespace = namespace
        self.pods = Pods(namespace)

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
            raw = yield from self._read(kind, name, beside=self.pods.ahead(kind))
        return (yield from self._from(kind, raw))

    def _from(self, kind: WorkloadKind, raw: Found) -> Steps[Subject]:
        """Climb until an object that policies match is reached."""
        above = hop(kind, raw)
        if above is None:
            return (yield from self._at(kind, raw))
        owner, row = above
        if kind == REPLICA_SET:
            return (yield from self._from_replica_set(owner, row, raw))
        if kind == JOB:
            return (yield from self._from_job(owner, row, raw))
        found = yield from self._read_owner(owner, row, raw, self.pods.ahead(row))
        return (yield from self._from(row, found))

    def _from_replica_set(self, owner: OwnerRef, row: WorkloadKind, raw: Found) -> Steps[Subject]:
        labels = selector_text(at(raw, "spec", "selector"), without=HASH_LABELS)
        beside = self.pods.replica_set_questions(labels) if labels else ()
        above = yield from self._read_owner(owner, row, raw, beside)
        below = yield from self.pods.through_replica_sets(owner.uid, labels)
        return self._subject_of(above, with_owner(below, raw))

    def _from_job(self, owner: OwnerRef, row: WorkloadKind, raw: Found) -> Steps[Subject]:
        (jobs,) = yield [self.pods.all_jobs()]
        question = self.pods.job_pods(owned_by(jobs, owner.uid))
        above = yield from self._read_owner(owner, row, raw, [question] if question else [])
        below = yield from self.pods.through_jobs(owner.uid)
        return self._subject_of(above, with_owner(below, raw))

    def _at(self, kind: WorkloadKind, raw: Found) -> Steps[Subject]:
        if not kind.policy_type:
            raise _no_owner(kind, raw)
        below = yield from self.pods.below(kind, raw)
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
            ahead.append(self.pods.all_jobs())
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

    def _ahead_of_hit(self, kind: WorkloadKind, outcome: Outcome) -> list[Question]:
        if isinstance(outcome, KubexError | tuple):
            return []
        above = hop(kind, outcome)
        return [*self.pods.ahead(kind), *([self._owner_question(*above)] if above else [])]

    def _owner_question(self, owner: OwnerRef, row: WorkloadKind) -> One:
        """An optional kind is asked for in the version that the reference says."""
        return One(workload_resource(row, owner.version if row.optional else ""), self.namespace, owner.name)


def served_version(kind: WorkloadKind, answer: Outcome) -> str | None:
    """The version of an optional kind to ask for: the first that we know among those served, else the preferred one."""
    if isinstance(answer, KubexError | tuple):
        return None
    served = [text(at(version, "version")) for version in objects(answer.get("versions"))]
    preferred = text(at(answer, "preferredVersion", "version"))
    return next((version for version in kind.versions if version in served), preferred)


def _object(outcome: Outcome) -> Found:
    if isinstance(outcome, KubexError):
        raise outcome
    return {} if isinstance(outcome, tuple) else outcome


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
