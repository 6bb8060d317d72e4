"""Worlds: a check of all actions together, where it is not certain which actions are left.

Every subset of the uncertain ones is a world. What a check says in all of them holds; anything else is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from kubectl_kubex.core.model import Target
from kubectl_kubex.core.plan.checks.context import Context, unknown
from kubectl_kubex.core.plan.checks.table import Check, Effect, Reads
from kubectl_kubex.core.plan.model import Action, CheckResult, Result

MOST = 4
"""Up to so many uncertain actions the worlds are counted out; beyond, the answer is unknown."""


def judged(check: Check, context: Context) -> tuple[CheckResult, ...]:
    """What `check` says of the actions that stand, in every world."""
    found = tuple(check.judge(context))
    if check.reads is Reads.VALUE:
        open_values = {action.target for action in context.actions if action.value_open}
        return tuple(_doubted(result) if set(result.targets) & open_values else result for result in found)
    if check.reads is not Reads.TOGETHER:
        return found
    uncertain = [action for action in context.actions if not action.is_certain]
    if not uncertain:
        return found
    if len(uncertain) > MOST or any(action.value_open for action in uncertain):
        doubted = tuple(_doubted(result) for result in found)
        return doubted or ((unknown(check.code, open="other-checks"),) if check.concerns(context) else ())
    worlds = [(kept, tuple(check.judge(replace(context, actions=kept)))) for kept in _kept(context.actions, uncertain)]
    return tuple(_merged_blocks(worlds) if check.effect is Effect.BLOCKS else _merged_removals(check, worlds))


def _doubted(result: CheckResult) -> CheckResult:
    """What was found holds only for the assumed value."""
    if result.result is Result.UNKNOWN:
        return result
    return replace(result, result=Result.UNKNOWN, facts=(*result.facts, ("open", "other-checks")))


def _kept(actions: Sequence[Action], uncertain: Sequence[Action]) -> Iterator[tuple[Action, ...]]:
    """The actions of each world, the fullest first."""
    for size in range(len(uncertain) + 1):
        for gone in combinations(uncertain, size):
            kept = tuple(action for action in actions if action not in gone)
            if kept:
                yield kept


def _merged_blocks(
    worlds: list[tuple[tuple[Action, ...], tuple[CheckResult, ...]]],
) -> Iterator[CheckResult]:
    verdicts = [_worst(results) for _, results in worlds]
    if all(verdict is Result.FAILED for verdict in verdicts):
        yield from worlds[0][1]
    elif any(verdict is not None for verdict in verdicts):
        first = next(results for _, results in worlds if results)
        yield from (_doubted(result) for result in first)


def _worst(results: Sequence[CheckResult]) -> Result | None:
    kinds = {result.result for result in results}
    if Result.FAILED in kinds:
        return Result.FAILED
    return Result.UNKNOWN if kinds else None


def _merged_removals(
    check: Check, worlds: list[tuple[tuple[Action, ...], tuple[CheckResult, ...]]]
) -> Iterator[CheckResult]:
    targets = dict.fromkeys(action.target for kept, _ in worlds for action in kept)
    for target in targets:
        about = [
            [result for result in results if target in result.targets]
            for kept, results in worlds
            if any(action.target == target for action in kept)
        ]
        if any(about):
            yield _merged(check, target, about)


def _merged(check: Check, target: Target, about: list[list[CheckResult]]) -> CheckResult:
    first = next(results[0] for results in about if results)
    always = all(any(result.result is Result.FILTERED for result in results) for results in about)
    return first if always else _doubted(replace(first, code=check.code, targets=(target,)))
