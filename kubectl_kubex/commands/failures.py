"""The exit code of a command that was asked several things and could not answer all."""

from __future__ import annotations

from collections.abc import Sequence

from kubectl_kubex.errors import ExitCode, KubexError, UsageError, WorkloadNotFound

_OWN_FAULT = (WorkloadNotFound, UsageError)


def exit_code_of(failures: Sequence[KubexError], *, partial: bool) -> ExitCode:
    """For an answer that stands beside `failures`. What was named wrongly counts as its own error does; what could only
    not be read makes the whole partial."""
    wrong = next((failure for failure in failures if isinstance(failure, _OWN_FAULT)), None)
    if wrong is not None:
        return wrong.exit_code
    return ExitCode.PARTIAL if failures or partial else ExitCode.OK
