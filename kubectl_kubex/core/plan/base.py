"""Base: what a plan starts from. A running pod, or the pod that would be created from the template now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kubectl_kubex.core.model import Container, Pod
from kubectl_kubex.core.plan.facts import Controls, LimitRange, Owner, PlanFacts, PodFacts
from kubectl_kubex.core.plan.model import Path
from kubectl_kubex.core.snapshot import Snapshot

COMPUTED = ("cpu", "memory")
GPU, GPU_DEVICES, GPU_FRACTION = "gpu", "nvidia.com/gpu", "gpu-fraction"
"""How a GPU shows on a pod: the engine's own word, whole devices, and the annotation of a fraction under KAI."""


@dataclass(frozen=True)
class Base:
    """`pod` None: made from the template. `controls` and `owners`: as in `PodFacts`, None where not known.
    `defaults_known` False: a LimitRange may give values to what is unset."""

    path: Path
    containers: tuple[Container, ...]
    controls: Controls | None
    owners: tuple[Owner, ...] | None
    pod: Pod | None = None
    facts: PodFacts = PodFacts()
    defaults_known: bool = True

    def container(self, name: str) -> Container | None:
        return next((container for container in self.containers if container.name == name), None)


def pod_base(pod: Pod, facts: PlanFacts) -> Base:
    known = facts.pods.get(pod.name, PodFacts())
    return Base(Path.CONTROLLER, pod.containers, known.controls, known.owners, pod, known)


def template_base(path: Path, snapshot: Snapshot, facts: PlanFacts) -> Base | None:
    """The pod that the template gives, as the API server and the LimitRange defaults make it. None: no template."""
    containers = snapshot.workload.containers
    if containers is None:
        return None
    workload = facts.workload
    ranges = facts.limit_ranges
    return Base(
        path,
        tuple(with_defaults(container, ranges or ()) for container in containers),
        workload.template_controls if workload else None,
        workload.owners if workload else None,
        defaults_known=ranges is not None,
    )


def with_request_defaults(container: Container) -> Container:
    """The container as the API server stores it: a request that is unset takes the limit's value."""
    missing = {name: value for name, value in container.limits.items() if name not in container.requests}
    return replace(container, requests={**container.requests, **missing}) if missing else container


def with_defaults(container: Container, ranges: Iterable[LimitRange]) -> Container:
    """... and as the namespace's LimitRange completes it at creation. With several, the first to give a value does."""
    stored = with_request_defaults(container)
    requests, limits = dict(stored.requests), dict(stored.limits)
    for limit_range in ranges:
        if limit_range.type == "Container":
            requests = {**limit_range.default_request, **requests}
            limits = {**limit_range.default, **limits}
    return replace(stored, requests=requests, limits=limits)


def by_fraction(base: Base) -> bool:
    """Whether the pod has its GPU as a fraction under KAI."""
    return base.pod is not None and GPU_FRACTION in base.pod.annotations
