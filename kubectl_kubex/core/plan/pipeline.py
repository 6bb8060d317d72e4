"""The pipeline: the table of checks, row by row, over the actions of one pod."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kubectl_kubex.core.plan.checks.context import Context
from kubectl_kubex.core.plan.checks.table import CHECKS, Check, Effect, Stage
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import Action, CheckResult, Outcome, Result
from kubectl_kubex.core.plan.qos import retain_guaranteed
from kubectl_kubex.core.plan.settings import Settings, settings_of
from kubectl_kubex.core.plan.suppliers import Supplier
from kubectl_kubex.core.plan.worlds import judged


@dataclass(frozen=True)
class Run:
    """What came of it. `blocked`: by a failure that certainly stopped an action. `open`: something decisive is unknown.
    `settings`: as they were when the last check was asked."""

    actions: tuple[Action, ...]
    checks: tuple[CheckResult, ...]
    settings: Settings
    blocked: bool = False
    open: bool = False

    @property
    def outcome(self) -> Outcome:
        """The outcome that holds in every reading of what is unknown."""
        if self.blocked:
            return Outcome.BLOCKED_RETRYING if _retries(self.checks) else Outcome.BLOCKED
        standing = [action for action in self.actions if action.stands]
        if self.open or any(action.open for action in standing):
            return Outcome.UNDETERMINED
        return Outcome.READY if standing else Outcome.NOTHING_TO_DO


def run(context: Context) -> Run:
    """Every row in order. Once no action stands there is nothing left to ask of."""
    state = Run(context.actions, (), settings_for(context.actions, context))
    if any(supplier.winner is None for supplier in context.suppliers.values()):
        state = replace(state, open=True)
    for stage in Stage:
        for check in CHECKS:
            if check.stage is stage and context.base.path in check.paths:
                state = _step(state, check, context)
        if stage is Stage.BUILD:
            state = _retained(state, context)
    return state


def _step(state: Run, check: Check, context: Context) -> Run:
    standing = tuple(action for action in state.actions if action.stands)
    if not standing and check.code is not Code.SELECTION_UNDETERMINED:
        return state
    settings = settings_for(state.actions, context)
    found = judged(check, replace(context, actions=standing, settings=settings))
    said = found or (CheckResult(check.code, Result.PASSED),)
    state = replace(state, checks=(*state.checks, *said), settings=settings)
    if check.effect is Effect.REMOVES:
        return replace(state, actions=removed(state.actions, found))
    if check.effect is Effect.BLOCKS:
        failed = any(result.result is Result.FAILED for result in found)
        certain = any(action.is_certain for action in standing)
        unclear = any(result.result is Result.UNKNOWN and result.decisive for result in found)
        return replace(
            state, blocked=state.blocked or (failed and certain), open=state.open or unclear or (failed and not certain)
        )
    return replace(state, actions=_noted(state.actions, found))


def removed(actions: Sequence[Action], found: Sequence[CheckResult]) -> tuple[Action, ...]:
    """The actions after a filter: filtered ones are removed, those it is unsure of are open."""
    gone = {target for result in found if result.result is Result.FILTERED for target in result.targets}
    unsure = {
        target for result in found if result.result is Result.UNKNOWN and result.decisive for target in result.targets
    }
    code = found[0].code if found else None
    return tuple(
        replace(action, removed_by=code)
        if code and action.stands and action.target in gone
        else replace(action, open=(*action.open, code))
        if code and action.stands and action.target in unsure
        else action
        for action in actions
    )


def _noted(actions: Sequence[Action], found: Sequence[CheckResult]) -> tuple[Action, ...]:
    """An unknown about a value, such as bounds that contradict each other, leaves the value open."""
    unsure = {target for result in found if result.result is Result.UNKNOWN for target in result.targets}
    code = found[0].code if found else None
    return tuple(
        replace(action, open=(*action.open, code), value_open=True)
        if code and action.target in unsure and code not in action.open
        else action
        for action in actions
    )


def _retained(state: Run, context: Context) -> Run:
    actions, found = retain_guaranteed(context.base, state.actions, settings_for(state.actions, context))
    return replace(state, actions=actions, checks=(*state.checks, *found))


def settings_for(actions: Sequence[Action], context: Context) -> Settings:
    """The settings while these actions stand. Whether a strategy still counts once all its actions are gone is not
    published, so it possibly does."""
    suppliers: list[tuple[Action, Supplier]] = [
        (action, context.suppliers[action.target]) for action in actions if action.target in context.suppliers
    ]
    return settings_of(
        (supplier.strategy for action, supplier in suppliers if supplier.strategy and action.is_certain),
        (supplier.strategy for _, supplier in suppliers if supplier.strategy),
        complete=all(supplier.is_sure for _, supplier in suppliers),
    )


def _retries(checks: Sequence[CheckResult]) -> bool:
    """Whether every failure is one after which the engine tries again by itself."""
    retrying = {check.code for check in CHECKS if check.retries}
    failures = [result for result in checks if result.result is Result.FAILED]
    return all(result.code in retrying and result.fact.get("retried") != "false" for result in failures)
