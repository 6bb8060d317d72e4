"""A sentence for each doubt: what is not known, where, and what to do about it. One entry a code; a test says so.

`{subject}` and the names in braces are the doubt's own facts (`core/doubts.py`); an absent one is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kubectl_kubex.core.doubts import Doubt
from kubectl_kubex.core.doubts import DoubtCode as Code
from kubectl_kubex.core.kinds import BY_NAME
from kubectl_kubex.core.model import GapReason
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.render.refusal_words import why_refused

# How objects could not be had: one entry a GapReason.
GAPS: dict[str, str] = {
    "forbidden": "no right to {request}",
    "not-served": "the server does not serve it",
    "server-error": "the server failed on {request}",
    "not-in-input": "the input has none",
    "unreadable": "unreadable input",
}

SENTENCES: dict[Code, str] = {
    Code.PRECEDENCE_MISSING: (
        "there is no PolicyEvaluation named policy-evaluation, and no public source says how policy types rank "
        "without one; create it, or see the defaults with `kubectl kubex show`"
    ),
    Code.PRECEDENCE_UNREADABLE: "the priorities in PolicyEvaluation policy-evaluation could not be read{gap}",
    Code.TYPE_UNLISTED: (
        "policy-evaluation does not list {subject}, and no public source says how an unlisted type ranks; add it "
        "to spec.precedence"
    ),
    Code.TYPE_DUPLICATED: (
        "policy-evaluation lists {subject} more than once with different priorities, and no public source says "
        "which entry counts; keep one"
    ),
    Code.PRIORITY_INVALID: "policy-evaluation gives {subject} no valid priority; correct it in spec.precedence",
    Code.UNKNOWN_KIND: "annotation {subject} names no policy kind that is known, so its priority is not known either",
    Code.KIND_CONTRADICTS_PREFIX: (
        "annotation {subject} says its policy is a {kind}, but its key belongs to another kind"
    ),
    Code.CYCLIC_ORDER: "the five rules contradict themselves over {subject}: each beats another in a circle",
    Code.WEIGHT_UNKNOWN: (
        "the weight of {policy} is not known: neither annotation {subject} nor a live policy gives it"
    ),
    Code.WEIGHT_CHANGED: (
        "annotation {subject} was written with weight {payload-weight}, but {policy} now has {live-weight}; "
        "which one the engine uses is not published"
    ),
    Code.CREATED_UNCLEAR: (
        "annotation {subject} has several timestamps, or an unreadable one; which is the policy's creation is "
        "not published"
    ),
    Code.POLICY_GONE: (
        "{policy} has a recommendation here but {gone}; whether the engine still counts it is not published"
    ),
    Code.POLICY_NO_LONGER_MATCHES: "{policy} has a recommendation here but no longer matches: {refusal}",
    Code.POLICY_UNREADABLE: (
        "{kind} objects could not be read, so whether the recommendation of {policy} still holds is not known"
    ),
    Code.POLICY_INVALID: "{policy} cannot be trusted: {problem}",
    Code.PAYLOAD_UNREADABLE: "annotation {subject} is unreadable: {problem}",
    Code.VALUE_UNREADABLE: (
        "annotation {subject} holds a value that is no quantity{written}; the engine may refuse all of it"
    ),
    Code.OLDER_ENGINE: (
        "this engine does not know multi-policy rightsizing; its documentation breaks ties by other rules, so "
        "only priority and weight can be relied on"
    ),
    Code.ENGINE_UNKNOWN: (
        "nothing that was read says which engine this is; an older one breaks ties by other rules than exact "
        "container, age and key"
    ),
    Code.OWNER_INFERRED: (
        "the annotation names no policy; inferred, as the first of its kind that matches by weight, then age: {policy}"
    ),
    Code.OWNER_UNKNOWN: (
        "which {kind} wrote here cannot be told: the annotation names none, and weight and age do not single one out"
    ),
    Code.POD_COPY_DIFFERS: "{count} of {of} pods do not carry annotation {subject} as the workload has it: {pods}",
    Code.CROSS_KIND_MIX: (
        "winners of several policy kinds are mixed although multi-policy rightsizing left no mark here; the "
        "documentation implies this, but no public test shows it"
    ),
    Code.BYTE_ORDER: (
        "the annotation key decided, by byte order: upper case before lower case; another order would give "
        "another winner"
    ),
    Code.CREATED_FIELD: 'creation time was read from the payload\'s field "{subject}", whose name is not published',
    Code.MIXED_FORMS: (
        "{subject} has fixed and hashed annotation keys here at once: the multi-policy flag is changing, or old "
        "keys were left behind"
    ),
    Code.LEGACY_PREFIX: "annotation {subject} was left by a release before 1.9.0; it can be removed",
    Code.CONTAINERS_UNKNOWN: (
        "this {subject} has neither a pod template nor pods, so containers are taken from the recommendations"
    ),
    Code.CONTAINER_UNKNOWN: "annotation {subject} names container {container}, which the workload does not have",
    Code.CONTAINER_NOT_RESIZABLE: (
        "annotation {subject} names {container}, a plain init container, which is never resized"
    ),
    Code.PATTERN_UNCLEAR: (
        "{subject} selects namespaces by {values}; only * is documented as a wildcard, ? and [ ] are taken as "
        "they stand"
    ),
    Code.OTHER_PRECEDENCE: "PolicyEvaluation {subject} has no effect: only the one named policy-evaluation counts",
    Code.CONFIGURATION_UNREADABLE: (
        "GlobalConfiguration could not be read{gap}, so the engine's settings are not known"
    ),
    Code.KIND_UNREADABLE: "{what} could not be read{gap}; the answer may lack some",
    Code.PODS_UNREADABLE: "pods could not be read{gap}, so applied values are not known",
    Code.NO_PODS: "no pod is running, so nothing is applied",
}

# What a row says where a winner would stand. Codes that cannot make a target undetermined are left out.
SHORT: dict[Code, str] = {
    Code.PRECEDENCE_MISSING: "no policy-evaluation",
    Code.PRECEDENCE_UNREADABLE: "policy-evaluation unreadable",
    Code.TYPE_UNLISTED: "type not listed",
    Code.TYPE_DUPLICATED: "type listed twice",
    Code.PRIORITY_INVALID: "priority invalid",
    Code.UNKNOWN_KIND: "unknown policy kind",
    Code.KIND_CONTRADICTS_PREFIX: "kind contradicts key",
    Code.CYCLIC_ORDER: "rules are circular",
    Code.WEIGHT_UNKNOWN: "weight unknown",
    Code.WEIGHT_CHANGED: "weight changed",
    Code.CREATED_UNCLEAR: "creation time unclear",
    Code.POLICY_GONE: "policy is gone",
    Code.POLICY_NO_LONGER_MATCHES: "policy no longer matches",
    Code.POLICY_UNREADABLE: "policies unreadable",
    Code.POLICY_INVALID: "policy is invalid",
    Code.PAYLOAD_UNREADABLE: "annotation unreadable",
    Code.VALUE_UNREADABLE: "value unreadable",
    Code.LEGACY_PREFIX: "annotation left over",
    Code.OLDER_ENGINE: "older engine",
    Code.ENGINE_UNKNOWN: "engine unknown",
    Code.OWNER_UNKNOWN: "owner unknown",
}

# The assumption under which a conditional answer holds (`core/precedence.py`, `core/owners.py` make it).
ASSUMPTIONS: dict[Code, str] = {
    Code.PRECEDENCE_MISSING: "the chart's default priorities apply",
    Code.PRECEDENCE_UNREADABLE: "the chart's default priorities apply",
    Code.TYPE_UNLISTED: "unlisted types rank as 0",
    Code.TYPE_DUPLICATED: "the last entry of a type counts",
    Code.PRIORITY_INVALID: "an invalid priority ranks as 0",
    Code.KIND_CONTRADICTS_PREFIX: "the payload's own kind counts",
    Code.WEIGHT_CHANGED: "the weight in the annotation counts",
    Code.CREATED_UNCLEAR: "the first timestamp counts",
    Code.POLICY_GONE: "the recommendation of the missing policy still counts",
    Code.POLICY_NO_LONGER_MATCHES: "the recommendation of the policy that no longer matches still counts",
    Code.POLICY_UNREADABLE: "the policies behind the annotations still exist and match",
    Code.PAYLOAD_UNREADABLE: "the unreadable annotation is ignored",
    Code.VALUE_UNREADABLE: "the unreadable value is ignored",
    Code.LEGACY_PREFIX: "the left-over annotation is ignored",
    Code.OLDER_ENGINE: "this engine breaks ties as the reference page says",
    Code.ENGINE_UNKNOWN: "this engine breaks ties as the reference page says",
}


class _Facts(dict[str, str]):
    """A doubt's facts; what it does not say is empty."""

    def __missing__(self, key: str) -> str:
        return ""


def doubt_text(doubt: Doubt) -> str:
    """The sentence of one doubt."""
    facts = _Facts(doubt.detail, subject=doubt.subject)
    facts.setdefault("policy", doubt.subject)
    for name, derive in _DERIVED.items():
        facts[name] = derive(facts)
    return SENTENCES[doubt.code].format_map(facts)


_LACKING = GapReason.NOT_IN_INPUT.value


def merged(doubts: Sequence[Doubt]) -> list[Doubt]:
    """`doubts` with those in one that say the same of several things: kinds that an input lacks, inferred owners."""
    lacking = [
        doubt
        for doubt in doubts
        if doubt.code is Code.KIND_UNREADABLE and _reason(doubt) == GapReason.NOT_IN_INPUT.value
    ]
    inferred = [doubt for doubt in doubts if doubt.code is Code.OWNER_INFERRED]
    together = {
        id(group[0]): Doubt(group[0].code, names, _affects(group), (("reason", _reason(group[0])), ("policy", names)))
        for group, names in (
            (lacking, ", ".join(doubt.subject for doubt in lacking)),
            (inferred, ", ".join(dict.fromkeys(doubt.detail.get("policy", "") for doubt in inferred))),
        )
        if len(group) > 1
    }
    merged_away = {id(doubt) for group in (lacking, inferred) for doubt in group[1:]}
    return [together.get(id(doubt), doubt) for doubt in doubts if id(doubt) not in merged_away]


def _reason(doubt: Doubt) -> str:
    return doubt.detail.get("reason", "")


def _affects(doubts: Sequence[Doubt]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target for doubt in doubts for target in doubt.affects))


def short_reason(codes: Iterable[Code]) -> str:
    """Why a target is undetermined, for a cell of a table."""
    return ", ".join(SHORT.get(code, code.value.replace("-", " ")) for code in codes)


def assumption(codes: Iterable[Code]) -> str:
    """What a conditional answer assumes: a clause to stand behind `if`."""
    return " and ".join(dict.fromkeys(ASSUMPTIONS.get(code, code.value.replace("-", " ")) for code in codes))


def _gap(facts: _Facts) -> str:
    """`: no right to list pods (the server's own words)`; empty where nothing is known."""
    template = GAPS.get(facts["reason"])
    if template is None:
        return ""
    said = f" ({facts['detail']})" if facts["detail"] and facts["reason"] != _LACKING else ""
    return f": {template.format(request=facts['request'] or 'read it')}{said}"


def _gone(facts: _Facts) -> str:
    return "matches nothing any more" if facts["policy"].endswith("?") else "does not exist any more"


def _written(facts: _Facts) -> str:
    return f" ({facts['written']})" if facts["written"] else ""


def _refusal(facts: _Facts) -> str:
    return why_refused(facts["reason"], facts)


def _what(facts: _Facts) -> str:
    """A gap is of a kind, or of an input file."""
    subject = facts["subject"]
    return f"{subject} objects" if subject in BY_NAME or subject in WORKLOAD_BY_NAME or ", " in subject else subject


_DERIVED: dict[str, Callable[[_Facts], str]] = {
    "what": _what,
    "gap": _gap,
    "gone": _gone,
    "written": _written,
    "refusal": _refusal,
}
