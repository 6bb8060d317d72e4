"""explain: what was gathered about one workload, as plans with all that is said beside them."""

from __future__ import annotations

from datetime import datetime

from kubectl_kubex.codec.controls import decode_record
from kubectl_kubex.codec.gathered import Gathered, Objects, Subject
from kubectl_kubex.codec.plan_facts import plan_facts_of
from kubectl_kubex.codec.shapes import at, name_of, strings
from kubectl_kubex.codec.snapshot import PLAN_ONLY
from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.plan import plan_of
from kubectl_kubex.core.plan.agreement import agreements
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.core.plan.needs import nodes_wanted


def explain(answer: Answer, subject: Subject, objects: Objects, now: datetime) -> Explained:
    """`answer` is the one for `subject`."""
    facts = plan_facts_of(subject, objects)
    plans = plan_of(answer, facts, now)
    records = {name_of(pod): decode_record(strings(at(pod, "metadata", "annotations"))) for pod in subject.pods or ()}
    return Explained(
        now,
        plans,
        agreements(plans, {name: record for name, record in records.items() if record is not None}),
        tuple(sorted(name for name, pod in facts.pods.items() if pod.spec_containers is not None)),
        tuple(gap for gap in dict.fromkeys(objects.gaps) if gap.kind in PLAN_ONLY and gap.hides_objects),
    )


def wanted_nodes(answer: Answer, subject: Subject, objects: Objects, now: datetime) -> tuple[str, ...]:
    """The nodes whose room decides something in the plans. The same at any time: no filter before it hangs on one."""
    facts = plan_facts_of(subject, objects)
    return nodes_wanted(plan_of(answer, facts, now), facts)


def with_objects(gathered: Gathered, more: Objects) -> Gathered:
    objects = gathered.objects
    merged = Objects({**objects.by_kind, **more.by_kind}, tuple(dict.fromkeys((*objects.gaps, *more.gaps))))
    return Gathered(gathered.source, merged, gathered.subjects)
