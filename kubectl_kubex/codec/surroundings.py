"""Surroundings: all that the workloads of a cluster share, decoded once, for questions about many of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from kubectl_kubex.codec.annotations import decode_hooks, decode_recommendations, is_recommendation_key
from kubectl_kubex.codec.gathered import Gathered, RawObject, Subject
from kubectl_kubex.codec.shapes import at, mapping
from kubectl_kubex.codec.snapshot import engine_of, policies_of
from kubectl_kubex.codec.workloads import decode_pod, decode_workload
from kubectl_kubex.core.model import Engine, Policy
from kubectl_kubex.core.precedence import Precedence
from kubectl_kubex.core.snapshot import Snapshot


@dataclass(frozen=True)
class Surroundings:
    """What was gathered without a workload, over all namespaces, and the precedence to judge by."""

    gathered: Gathered
    precedence: Precedence
    _by_namespace: dict[str, tuple[Policy, ...]] = field(default_factory=dict)

    @cached_property
    def _engine(self) -> Engine:
        return engine_of(self.gathered.objects)

    @cached_property
    def _policies(self) -> tuple[Policy, ...]:
        return policies_of(self.gathered.objects, None)

    def snapshot(self, workload: RawObject, subject: Subject | None = None) -> Snapshot:
        """The snapshot of one workload. Without `subject` nothing is known of its pods, and of `workload` no more than
        its metadata may be there."""
        found = decode_workload(workload)
        pods = subject.pods if subject else ()
        return Snapshot(
            found,
            self.precedence,
            self._engine,
            self._in_reach(found.namespace),
            decode_recommendations(found.annotations),
            decode_hooks(found.annotations),
            None if pods is None else tuple(decode_pod(pod) for pod in pods),
            (*self.gathered.objects.gaps, *(subject.gaps if subject else ())),
            self.gathered.source,
        )

    def _in_reach(self, namespace: str) -> tuple[Policy, ...]:
        if namespace not in self._by_namespace:
            self._by_namespace[namespace] = tuple(
                policy for policy in self._policies if policy.ref.namespace in (None, namespace)
            )
        return self._by_namespace[namespace]


def has_recommendations(workload: RawObject) -> bool:
    """Whether anything competes on the workload at all."""
    return any(is_recommendation_key(key) for key in mapping(at(workload, "metadata", "annotations")))
