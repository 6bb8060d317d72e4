"""The engine's own state: switched off, its webhook ill, a rollback under way. The engine has no codes for them."""

from __future__ import annotations

from collections.abc import Iterator

from kubectl_kubex.core.kinds import CONFIGURATION_KIND
from kubectl_kubex.core.plan.checks.context import Context, failed, harmless, unknown
from kubectl_kubex.core.plan.codes import Code
from kubectl_kubex.core.plan.model import CheckResult, Path

_QUIET_MODES = frozenset({"idle", "monitoring", "monitoringSucceeded", "backedOff"})
"""Modes in which no rollback recommendation stands and the policies apply as ever (engine.md section 4)."""
_ROLLBACK_MODES = frozenset({"rollingBack", "backingOff"})
_ROLLBACK_KINDS = frozenset({"RollbackPolicy", "ClusterRollbackPolicy"})


def automation_disabled(context: Context) -> Iterator[CheckResult]:
    configuration = context.facts.configuration
    if configuration is None or configuration.automation_enabled is None:
        yield unknown(Code.AUTOMATION_DISABLED, missing=CONFIGURATION_KIND.name)
    elif not configuration.automation_enabled:
        yield failed(Code.AUTOMATION_DISABLED)


def webhook_unhealthy(context: Context) -> Iterator[CheckResult]:
    """A GlobalConfiguration without the condition reports no ill health: an engine that has none goes on."""
    configuration = context.facts.configuration
    if configuration is None:
        yield unknown(Code.WEBHOOK_UNHEALTHY, missing=CONFIGURATION_KIND.name)
    elif configuration.webhook_healthy is None:
        yield harmless(Code.WEBHOOK_UNHEALTHY, missing="PodAdmissionWebhookHealthy")
    elif not configuration.webhook_healthy and context.base.path is Path.ADMISSION:
        yield unknown(Code.WEBHOOK_UNHEALTHY, open="admission")
    elif not configuration.webhook_healthy:
        yield failed(Code.WEBHOOK_UNHEALTHY)


def rollback_state(context: Context) -> Iterator[CheckResult]:
    """While rolling back the rollback's own recommendations stand and win; anything else is open."""
    if context.facts.workload is None:
        yield unknown(Code.ROLLBACK_STATE, missing="rollback-state")
        return
    rollback = context.facts.workload.rollback
    if rollback is None or rollback.mode in _QUIET_MODES:
        return
    winners = {supplier.winner.policy.kind for supplier in context.suppliers.values() if supplier.winner}
    if rollback.mode in _ROLLBACK_MODES and winners & _ROLLBACK_KINDS:
        return
    yield unknown(
        Code.ROLLBACK_STATE,
        open="mode",
        mode=rollback.mode or "unreadable",
        turn=rollback.turn,
        failure=rollback.failure,
        expires=rollback.expires.isoformat() if rollback.expires else None,
    )
