"""WORKLOAD_KINDS: one row for each kind of object that a command can be asked about, and how kubectl spells it.

Sources: engine.md section 6 (owners) and 1.2 (`scope.workloadTypes`); short names as kubectl's.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WorkloadKind:
    """One kind on the way from a pod to the owner that carries recommendations.

    `versions` are tried in order; `optional` kinds come from a CRD that a cluster may lack, so their version is
    discovered at run time. `policy_type`: may stand in `spec.scope.workloadTypes`; the others are hops to an owner.
    `template` is the path to the pod template, empty where the kind has none.
    """

    name: str
    plural: str
    group: str
    versions: tuple[str, ...]
    short_names: tuple[str, ...] = ()
    template: tuple[str, ...] = ("spec", "template")
    optional: bool = False
    policy_type: bool = True
    default_type: bool = True

    @property
    def singular(self) -> str:
        return self.name.lower()

    @property
    def resource(self) -> str:
        """`deployments.apps`; `pods` for the core group."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def spellings(self) -> frozenset[str]:
        """Every word kubectl accepts for the kind, lower case, without a group suffix."""
        return frozenset({self.singular, self.plural, *self.short_names})


WORKLOAD_KINDS: tuple[WorkloadKind, ...] = (
    WorkloadKind("Deployment", "deployments", "apps", ("v1",), ("deploy",)),
    WorkloadKind("StatefulSet", "statefulsets", "apps", ("v1",), ("sts",)),
    WorkloadKind("DaemonSet", "daemonsets", "apps", ("v1",), ("ds",)),
    WorkloadKind("CronJob", "cronjobs", "batch", ("v1",), ("cj",), ("spec", "jobTemplate", "spec", "template")),
    WorkloadKind("Job", "jobs", "batch", ("v1",)),
    WorkloadKind("Rollout", "rollouts", "argoproj.io", ("v1alpha1",), ("ro",), optional=True),
    WorkloadKind("AnalysisRun", "analysisruns", "argoproj.io", ("v1alpha1",), ("ar",), (), optional=True),
    WorkloadKind(
        "StrimziPodSet", "strimzipodsets", "core.strimzi.io", ("v1", "v1beta2"), ("sps",), (),
        optional=True, default_type=False,
    ),
    WorkloadKind("Model", "models", "kubeai.org", ("v1",), (), (), optional=True),
    WorkloadKind("ReplicaSet", "replicasets", "apps", ("v1",), ("rs",), policy_type=False, default_type=False),
    WorkloadKind("Pod", "pods", "", ("v1",), ("po",), (), policy_type=False, default_type=False),
)  # fmt: skip

WORKLOAD_BY_NAME: dict[str, WorkloadKind] = {kind.name: kind for kind in WORKLOAD_KINDS}

# `scope.workloadTypes` when omitted: all but StrimziPodSet (engine.md 1.2).
DEFAULT_WORKLOAD_TYPES: tuple[str, ...] = tuple(kind.name for kind in WORKLOAD_KINDS if kind.default_type)


def find_workload_kind(word: str) -> WorkloadKind | None:
    """The kind a user means by `word`, spelled as kubectl accepts it: `deploy`, `Deployments`, `deployment.apps`,
    `deployments.v1.apps`. Case does not matter. `None` when no supported kind is spelled so."""
    name, _, suffix = word.lower().partition(".")
    for kind in WORKLOAD_KINDS:
        if name in kind.spellings and _suffix_fits(kind, suffix):
            return kind
    return None


def _suffix_fits(kind: WorkloadKind, suffix: str) -> bool:
    if not suffix:
        return True
    version, _, group = suffix.partition(".")
    return suffix == kind.group or (version in kind.versions and group == kind.group)
