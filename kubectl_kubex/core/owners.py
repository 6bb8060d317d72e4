"""Whose recommendation is this? From an annotation to the live policy behind it and the facts that ranking needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kubectl_kubex.core.candidate import OLDEST, Candidate
from kubectl_kubex.core.doubts import DoubtCode
from kubectl_kubex.core.kinds import BY_NAME, LEGACY_PREFIXES, LEGACY_TYPES
from kubectl_kubex.core.model import Policy, PolicyRef
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.reading import Reading, anything, known, one_of
from kubectl_kubex.core.recommendation import Form, Recommendation
from kubectl_kubex.core.scope import RefusalReason, refusal
from kubectl_kubex.core.snapshot import Snapshot


@dataclass(frozen=True)
class Owner:
    """The policy behind a recommendation, as well as it can be known. `policy`: its live object."""

    ref: PolicyRef
    policy: Policy | None
    weight: Reading[int]
    absence: DoubtCode | None = None
    inferred: bool = False
    details: tuple[tuple[str, str], ...] = ()

    @property
    def certainty(self) -> DoubtCode | None:
        """The doubt that the identity itself carries; None for a policy that the payload names."""
        if not self.inferred:
            return None
        return DoubtCode.OWNER_UNKNOWN if self.ref.name is None else DoubtCode.OWNER_INFERRED


def write_order(policies: Sequence[Policy]) -> tuple[Policy, ...]:
    """The order in which the engine's write side prefers policies of one kind: higher weight, then older
    (engine.md 5.1). Names only make the result stable; `is_write_tie` says where the order is not the engine's."""
    return tuple(sorted(policies, key=lambda policy: (-policy.weight, policy.created or OLDEST, policy.ref.sort_key)))


def is_write_tie(first: Policy, second: Policy) -> bool:
    """Whether weight and age leave open which of two policies of one kind is preferred."""
    if first.weight != second.weight:
        return False
    return first.created is None or second.created is None or first.created == second.created


def candidate_of(recommendation: Recommendation, snapshot: Snapshot) -> Candidate:
    """The claim that `recommendation` makes, before it is narrowed to a target."""
    owner = _owner_of(recommendation, snapshot)
    unreadable = recommendation.form is Form.UNREADABLE
    legacy = recommendation.prefix in LEGACY_PREFIXES
    created, field = _created(recommendation)
    kinds = _kinds(recommendation)
    return Candidate(
        key=recommendation.key,
        policy=owner.ref,
        kinds=kinds,
        priority=_priority(_rank_names(recommendation, kinds, snapshot), snapshot.precedence),
        weight=anything(0, DoubtCode.PAYLOAD_UNREADABLE) if unreadable else _weight(recommendation, owner),
        exact=False,
        created=anything(OLDEST, DoubtCode.PAYLOAD_UNREADABLE) if unreadable else created,
        absence=_absence(recommendation) or owner.absence or _contradiction(recommendation),
        phantom=unreadable or legacy,
        created_field=field,
        identity=owner.certainty,
        details=(*owner.details, *((("problem", recommendation.problem),) if recommendation.problem else ())),
    )


def _absence(recommendation: Recommendation) -> DoubtCode | None:
    """Why the whole payload may not compete. One bad value puts all of it in doubt: a strict decoder takes none."""
    if recommendation.form is Form.UNREADABLE:
        return DoubtCode.PAYLOAD_UNREADABLE
    if recommendation.prefix in LEGACY_PREFIXES:
        return DoubtCode.LEGACY_PREFIX
    return DoubtCode.VALUE_UNREADABLE if any(value.quantity is None for value in recommendation.values) else None


def _contradiction(recommendation: Recommendation) -> DoubtCode | None:
    return DoubtCode.KIND_CONTRADICTS_PREFIX if recommendation.contradicts_prefix else None


def _weight(recommendation: Recommendation, owner: Owner) -> Reading[int]:
    """A payload that contradicts its prefix may be of the other kind's policy, which may have any weight, whatever this
    payload states."""
    if recommendation.contradicts_prefix:
        return anything(owner.weight.assumed, DoubtCode.KIND_CONTRADICTS_PREFIX)
    return owner.weight


def _kinds(recommendation: Recommendation) -> tuple[str, ...]:
    """Every kind the policy may have. One unknown name among them makes all of it unknown: its rank may be any."""
    named = [recommendation.kind, recommendation.prefix_kind if recommendation.contradicts_prefix else None]
    kinds = tuple(kind for kind in named if kind is not None)
    return kinds if all(kind in BY_NAME for kind in kinds) else ()


def _rank_names(recommendation: Recommendation, kinds: tuple[str, ...], snapshot: Snapshot) -> tuple[str, ...]:
    """The types whose priority the claim may have: its kinds, and for a key from before 1.9.0 its old type too, where
    the precedence still lists it."""
    if recommendation.prefix not in LEGACY_PREFIXES:
        return kinds
    old = (name for name, successor in LEGACY_TYPES.items() if successor in kinds)
    return (*kinds, *(name for name in old if name in snapshot.precedence.by_type))


def _priority(kinds: tuple[str, ...], precedence: Precedence) -> Reading[int]:
    if not kinds:
        return anything(0, DoubtCode.UNKNOWN_KIND)
    readings = [precedence.priority(kind) for kind in kinds]
    if len(readings) == 1:
        return readings[0]
    possible = [reading.possible for reading in readings]
    if None in possible:
        return anything(readings[0].assumed, DoubtCode.KIND_CONTRADICTS_PREFIX)
    values = frozenset().union(*(values for values in possible if values is not None))
    return one_of(readings[0].assumed, values, DoubtCode.KIND_CONTRADICTS_PREFIX)


def _created(recommendation: Recommendation) -> tuple[Reading[datetime], str | None]:
    timestamps = recommendation.timestamps
    if timestamps.unreadable:
        assumed = timestamps.found[0][1] if timestamps.found else OLDEST
        return anything(assumed, DoubtCode.CREATED_UNCLEAR), None
    if not timestamps.found:
        return known(OLDEST), None
    field, assumed = timestamps.found[0]
    return one_of(assumed, (time for _, time in timestamps.found), DoubtCode.CREATED_UNCLEAR), field


def _owner_of(recommendation: Recommendation, snapshot: Snapshot) -> Owner:
    kind = recommendation.kind or recommendation.prefix
    if kind not in BY_NAME:
        ref = PolicyRef(kind, recommendation.policy_namespace, recommendation.policy_name)
        return Owner(ref, None, _payload_weight(recommendation, DoubtCode.WEIGHT_UNKNOWN))
    if recommendation.form is not Form.UNREADABLE and recommendation.policy_name is not None:
        return _named_owner(kind, recommendation.policy_name, recommendation, snapshot)
    if recommendation.form is not Form.UNREADABLE and recommendation.digest is None:
        return _inferred_owner(kind, recommendation, snapshot)
    # A hashed key is one policy's own (engine.md 0.5): which one, only a readable payload could say.
    nobody = PolicyRef(kind, snapshot.workload.namespace if BY_NAME[kind].namespaced else None, None)
    weight = _payload_weight(recommendation, DoubtCode.WEIGHT_UNKNOWN)
    readable = recommendation.form is not Form.UNREADABLE
    return Owner(nobody, None, weight, inferred=readable)


def _named_owner(kind: str, name: str, recommendation: Recommendation, snapshot: Snapshot) -> Owner:
    home = snapshot.workload.namespace
    ref = PolicyRef(kind, (recommendation.policy_namespace or home) if BY_NAME[kind].namespaced else None, name)
    if ref.namespace not in (home, None):
        weight = _payload_weight(recommendation, DoubtCode.WEIGHT_UNKNOWN)
        elsewhere = (("reason", RefusalReason.WRONG_NAMESPACE.value), ("namespace", ref.namespace or ""))
        return Owner(ref, None, weight, DoubtCode.POLICY_NO_LONGER_MATCHES, details=elsewhere)
    live = next((policy for policy in snapshot.policies if policy.ref == ref), None)
    if live is None:
        weight = _payload_weight(recommendation, DoubtCode.WEIGHT_UNKNOWN)
        gone = DoubtCode.POLICY_UNREADABLE if snapshot.hides(kind) else DoubtCode.POLICY_GONE
        return Owner(ref, None, weight, gone)
    if live.problem is not None:
        weight = _payload_weight(recommendation, DoubtCode.POLICY_INVALID)
        return Owner(ref, live, weight, DoubtCode.POLICY_INVALID, details=(("problem", live.problem),))
    refused = refusal(live, snapshot.workload)
    absence = DoubtCode.POLICY_NO_LONGER_MATCHES if refused else None
    details = (("reason", refused.reason.value), *refused.details) if refused else ()
    weight, changed = _stated_or_live(recommendation, live)
    return Owner(ref, live, weight, absence, details=(*details, *changed))


def _stated_or_live(recommendation: Recommendation, live: Policy) -> tuple[Reading[int], tuple[tuple[str, str], ...]]:
    """The payload's weight where it states one, else the live policy's; both, with the facts, where they differ."""
    if recommendation.weight is None:
        return known(live.weight), ()
    weight = one_of(recommendation.weight, (live.weight,), DoubtCode.WEIGHT_CHANGED)
    changed = (("payload-weight", str(recommendation.weight)), ("live-weight", str(live.weight)))
    return weight, changed if weight.is_open else ()


def _inferred_owner(kind: str, recommendation: Recommendation, snapshot: Snapshot) -> Owner:
    namespace = snapshot.workload.namespace if BY_NAME[kind].namespaced else None
    nobody = PolicyRef(kind, namespace, None)
    unknown = _payload_weight(recommendation, DoubtCode.WEIGHT_UNKNOWN)
    if snapshot.hides(kind):
        return Owner(nobody, None, unknown, DoubtCode.POLICY_UNREADABLE)
    of_kind = [policy for policy in snapshot.policies if policy.ref.kind == kind]
    invalid = next((policy for policy in of_kind if policy.problem and _in_reach(policy, namespace)), None)
    if invalid is not None:
        facts = (("problem", invalid.problem or ""), ("invalid", invalid.ref.name or ""))
        weight = _payload_weight(recommendation, DoubtCode.POLICY_INVALID)
        return Owner(nobody, None, weight, DoubtCode.POLICY_INVALID, details=facts)
    matching = write_order([policy for policy in of_kind if refusal(policy, snapshot.workload) is None])
    if not matching:
        return Owner(nobody, None, unknown, DoubtCode.POLICY_GONE)
    first = matching[0]
    weight, details = _stated_or_live(recommendation, first)
    if len(matching) > 1 and is_write_tie(first, matching[1]):
        return Owner(nobody, None, weight, inferred=True, details=details)
    return Owner(first.ref, first, weight, inferred=True, details=details)


def _in_reach(policy: Policy, namespace: str | None) -> bool:
    return policy.ref.namespace == namespace


def _payload_weight(recommendation: Recommendation, doubt: DoubtCode) -> Reading[int]:
    return anything(0, doubt) if recommendation.weight is None else known(recommendation.weight)
