"""Context: all that a check may ask. Checks are pure functions of it; nothing found is `passed`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from kubectl_kubex.core.model import Target
from kubectl_kubex.core.plan.amounts import notes
from kubectl_kubex.core.plan.base import Base
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.facts import PlanFacts
from kubectl_kubex.core.plan.model import Action, CheckResult, Result
from kubectl_kubex.core.plan.settings import Settings
from kubectl_kubex.core.plan.suppliers import Supplier
from kubectl_kubex.core.snapshot import Snapshot


@dataclass(frozen=True)
class Context:
    """One pod, the actions that stand, and the facts. `settings` are merged over the actions' strategies."""

    snapshot: Snapshot
    facts: PlanFacts
    now: datetime
    base: Base
    suppliers: Mapping[Target, Supplier]
    actions: tuple[Action, ...] = ()
    settings: Settings = Settings(())


Judge = Callable[[Context], Iterable[CheckResult]]


def failed(code: Code, *targets: Target, **figures: object) -> CheckResult:
    return CheckResult(code, Result.FAILED, targets, notes(**figures))


def filtered(code: Code, *targets: Target, **figures: object) -> CheckResult:
    return CheckResult(code, Result.FILTERED, targets, notes(**figures))


def unknown(code: Code, *targets: Target, **figures: object) -> CheckResult:
    """`missing` among the figures names the fact that was not read, `open` the question without a public answer."""
    return CheckResult(code, Result.UNKNOWN, targets, notes(**figures))


def harmless(code: Code, *targets: Target, **figures: object) -> CheckResult:
    """An unknown that leaves the outcome as it is."""
    return CheckResult(code, Result.UNKNOWN, targets, notes(**figures), decisive=False)


def if_enabled(
    enabled: bool | None,  # noqa: FBT001 - a setting's three answers, passed on as they are
    found: CheckResult,
    setting: str,
) -> Iterable[CheckResult]:
    """What was found, as far as the setting behind it is on."""
    if enabled:
        yield found
    elif enabled is None:
        yield unknown(found.code, *found.targets, missing=setting)
