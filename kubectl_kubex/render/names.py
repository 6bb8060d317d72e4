"""How policies, workloads and resources are named in text."""

from __future__ import annotations

from kubectl_kubex.core.candidate import Candidate
from kubectl_kubex.core.kinds import BY_NAME, GROUP
from kubectl_kubex.core.model import PolicyRef, Workload
from kubectl_kubex.core.workload_kinds import WORKLOAD_BY_NAME
from kubectl_kubex.render.visible import visible

UNKNOWN = "<unknown>"
NONE = "<none>"


def policy_name(ref: PolicyRef, home: str | None = None) -> str:
    """`Kind/name`; with its namespace between where that is not `home`."""
    name = ref.name or UNKNOWN
    return "/".join(part for part in (ref.kind, ref.namespace if ref.namespace != home else None, name) if part)


def policy_resource(ref: PolicyRef) -> str | None:
    """As `kubectl get -o name` prints it, None for a policy without a known name or kind."""
    if ref.name is None or ref.kind not in BY_NAME:
        return None
    return f"{BY_NAME[ref.kind].singular}.{GROUP}/{visible(ref.name)}"


def workload_name(workload: Workload) -> str:
    """`deployment/web`."""
    return f"{workload.kind.lower()}/{workload.name}"


def workload_resource(workload: Workload) -> str:
    """As `kubectl get -o name` prints it: `deployment.apps/web`."""
    row = WORKLOAD_BY_NAME.get(workload.kind)
    return f"{row.singular}.{row.group}/{workload.name}" if row and row.group else workload_name(workload)


def short_key(key: str) -> str:
    """An annotation key without what all of them share: `cwstatic`, `proactive/hQ2x...`."""
    prefix, _, name = key.partition(f".{GROUP}/")
    digest, separator, _ = name.rpartition("-desired-resource-")
    return f"{prefix}/{digest}" if separator and digest else prefix


def value_of(candidate: Candidate) -> str:
    """The quantity as written; `<unreadable>` where the payload gives none."""
    return candidate.value if candidate.value is not None else "<unreadable>"


def all_of(number: int, noun: str) -> str:
    """`the only target`, `both targets`, `all 3 targets`."""
    if number == 1:
        return f"the only {noun}"
    return f"both {noun}s" if number == 2 else f"all {number} {noun}s"


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 target`, `3 targets`, `2 policies`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
