"""DoubtCode: the closed set of things that we could not see, could not read, or that the public contract leaves open.

A doubt is a fact about the answer. Its sentence is made in `render/words.py`, one entry a code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class DoubtCode(str, Enum):
    """Why an answer, or a part of it, may not be the engine's. Sections are of the engine's digest (engine.md)."""

    # Facts that the public contract leaves open, or that could not be read. They can make a target undetermined.
    PRECEDENCE_MISSING = "precedence-missing"  # no PolicyEvaluation named policy-evaluation (section 2)
    PRECEDENCE_UNREADABLE = "precedence-unreadable"  # it could not be read
    TYPE_UNLISTED = "type-unlisted"  # the precedence does not list the policy type (section 2)
    TYPE_DUPLICATED = "type-duplicated"  # the precedence lists it twice with different priorities
    PRIORITY_INVALID = "priority-invalid"  # its priority is not an int32 >= 0
    UNKNOWN_KIND = "unknown-kind"  # neither payload nor key prefix names a known kind (section 14.3)
    KIND_CONTRADICTS_PREFIX = "kind-contradicts-prefix"  # payload's policyKind is not the key prefix's kind
    CYCLIC_ORDER = "cyclic-order"  # the five rules give no order for these candidates
    WEIGHT_UNKNOWN = "weight-unknown"  # neither payload nor a readable policy gives the weight (section 14.2)
    WEIGHT_CHANGED = "weight-changed"  # payload and live policy disagree on the weight (section 14.2)
    CREATED_UNCLEAR = "created-unclear"  # several timestamps in one payload, or an unreadable one (section 14.1)
    POLICY_GONE = "policy-gone"  # the policy that published is deleted (section 14.10)
    POLICY_NO_LONGER_MATCHES = "policy-no-longer-matches"  # it is there, but its scope excludes the workload
    POLICY_UNREADABLE = "policy-unreadable"  # its kind could not be read, so neither of the two above is excluded
    POLICY_INVALID = "policy-invalid"  # the policy object was read, but its scope or weight makes no sense
    PAYLOAD_UNREADABLE = "payload-unreadable"  # the annotation is not a recommendation payload
    VALUE_UNREADABLE = "value-unreadable"  # one value in a payload is not a quantity
    OLDER_ENGINE = "older-engine"  # chart <= 1.11 documents other tie-breaks (sections 10 and 14.8)
    ENGINE_UNKNOWN = "engine-unknown"  # ... and nothing that was read says which engine this is

    # Facts worth knowing that leave the selection as it is.
    OWNER_INFERRED = "owner-inferred"  # a fixed key names no policy; inferred as the engine's write side chooses
    OWNER_UNKNOWN = "owner-unknown"  # ... and could not be inferred
    POD_COPY_DIFFERS = "pod-copy-differs"  # pods carry other recommendations than their owner (section 14.7)
    CROSS_KIND_MIX = "cross-kind-mix"  # fixed keys of several kinds mixed per target (section 14.5)
    BYTE_ORDER = "byte-order"  # the annotation key decided, and only bytewise order gives this winner (14.6)
    CREATED_FIELD = "created-field"  # the age rule decided by a timestamp whose field name is unpublished
    MIXED_FORMS = "mixed-forms"  # one kind has fixed and hashed keys at once: a flag change in progress
    LEGACY_PREFIX = "legacy-prefix"  # a key left by a release before 1.9.0
    CONTAINERS_UNKNOWN = "containers-unknown"  # the workload has no template and no pods to take containers from
    CONTAINER_UNKNOWN = "container-unknown"  # a payload names a container that the workload does not have
    CONTAINER_NOT_RESIZABLE = "container-not-resizable"  # ... or a plain init container
    PATTERN_UNCLEAR = "pattern-unclear"  # a namespace pattern uses more than the documented `*`
    OTHER_PRECEDENCE = "other-precedence"  # PolicyEvaluation objects with other names
    CONFIGURATION_UNREADABLE = "configuration-unreadable"  # GlobalConfiguration could not be read
    KIND_UNREADABLE = "kind-unreadable"  # objects of a kind could not be read; the answer may miss policies
    PODS_UNREADABLE = "pods-unreadable"  # applied values are unknown
    NO_PODS = "no-pods"  # no running pod: nothing is applied


@dataclass(frozen=True)
class Doubt:
    """One doubt. `subject`: what it is about (a key, a kind, a policy). `affects`: targets as
    `container/usage/resource`, or `()` for the whole answer. `details`: facts for its sentence, by name."""

    code: DoubtCode
    subject: str = ""
    affects: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()

    @property
    def detail(self) -> dict[str, str]:
        return dict(self.details)
