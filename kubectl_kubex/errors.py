"""KubexError and its family: every failure a user can meet, with its words and its exit code in this one place."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum


class ExitCode(IntEnum):
    """What a process ends with; the same for every output format."""

    OK = 0
    DIFFERENT = 1  # a negative answer: a difference, a finding, a failed check
    USAGE = 2  # wrong words, wrong input
    CLUSTER = 3  # no cluster, no login, no rights, not found
    CONFLICT = 4  # somebody else wrote in between
    PARTIAL = 5  # a part of the answer is undetermined or could not be read
    INTERRUPTED = 130  # Ctrl-C


class KubexError(Exception):
    """A failure with one line for the user: what, where, what to do next. `exit_code` is what the process returns."""

    exit_code = ExitCode.CLUSTER

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def line(self) -> str:
        """The one line, without a prefix."""
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UsageError(KubexError):
    """The words of the command line make no sense."""

    exit_code = ExitCode.USAGE


class InputError(KubexError):
    """A file, or standard input, cannot be used."""

    exit_code = ExitCode.USAGE


class UnsupportedKind(UsageError):
    """`word` is no workload kind that this tool knows."""

    def __init__(self, word: str, known: Sequence[str]) -> None:
        super().__init__(f'"{word}" is not a supported workload type', f"supported: {', '.join(known)}")


class WorkloadNotFound(KubexError):
    """No object of that name. `resource` as kubectl writes it (`deployments.apps`), or "" for a bare name."""

    def __init__(self, resource: str, name: str, namespace: str, *, where: str = "", hint: str = "") -> None:
        what = f'{resource} "{name}"' if resource else f'workload "{name}"'
        place = f' in namespace "{namespace}"' if namespace else ""
        super().__init__(f"{what} not found{place}{where}", hint)


class AmbiguousName(UsageError):
    """A bare name that several workloads have. `choices` as TYPE/NAME."""

    def __init__(self, name: str, choices: Sequence[str]) -> None:
        super().__init__(f'"{name}" is ambiguous: {", ".join(choices)}', "say which one")


class NoOwner(UsageError):
    """A pod or ReplicaSet below no workload that policies match. `told`: as `pod/web`; `owner`: what it does have."""

    def __init__(self, told: str, supported: Sequence[str], owner: str = "") -> None:
        instead = f": it is owned by {owner}" if owner else ""
        super().__init__(f"{told} has no owner that policies apply to{instead}", f"supported: {', '.join(supported)}")


class NotInstalled(KubexError):
    """The API server serves none of the engine's kinds."""

    def __init__(self, server: str) -> None:
        super().__init__(
            f"the Kubex Automation Engine is not installed on {server}: it serves no rightsizing.kubex.ai resources",
            "check --context, or read files with -f",
        )


class Forbidden(KubexError):
    """The API server refuses: `message` is its own sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(f"Error from server (Forbidden): {message}")


class Unauthorized(KubexError):
    """The login is missing or expired."""

    def __init__(self, server: str) -> None:
        super().__init__(
            f"You must be logged in to the server {server} (Unauthorized)",
            "log in again, or check --context and --user",
        )


class Unreachable(KubexError):
    """No answer from the API server. `reason` in a few words."""

    def __init__(self, server: str, reason: str) -> None:
        super().__init__(f"cannot reach the server {server}: {reason}", "check --context, the network and the VPN")


class ServerFailure(KubexError):
    """The API server answered, but not with what was asked."""


class ConfigError(KubexError):
    """The kubeconfig, or what it says, cannot be used."""


class Interrupted(KubexError):
    """Ctrl-C."""

    exit_code = ExitCode.INTERRUPTED
