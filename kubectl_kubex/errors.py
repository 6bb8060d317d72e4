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


class UnusableBackup(InputError):
    """A file that cannot be restored. `name`: the file, as the user would point at it."""

    def __init__(self, name: str, why: str, hint: str = "") -> None:
        super().__init__(f"{name}: {why}", hint)


class BrokenBackup(UnusableBackup):
    """A backup of ours that is not what was written."""

    def __init__(self, name: str) -> None:
        super().__init__(
            name,
            "its checksum does not match: it was changed or cut off after it was written",
            "use another backup, or remove the header to restore it as a plain manifest",
        )


class NewerBackup(UnusableBackup):
    """A backup in a format of a later release."""

    def __init__(self, name: str, found: int, known: int) -> None:
        super().__init__(name, f"backup format {found} is newer than this program knows ({known})", "update the plugin")


class OtherCluster(UnusableBackup):
    """A backup of another cluster."""

    def __init__(self, name: str, theirs: str, ours: str) -> None:
        super().__init__(name, f"it is of another cluster ({theirs}, not {ours})", "--force-cluster restores it here")


class NoBackup(InputError):
    """Nothing that `reference` names."""

    def __init__(self, reference: str, where: str) -> None:
        super().__init__(f'no file and no backup "{reference}" of this cluster in {where}', "see backup list")


class AmbiguousBackup(UsageError):
    """A beginning that several backups share."""

    def __init__(self, reference: str, names: Sequence[str]) -> None:
        super().__init__(f'"{reference}" is the beginning of several backups: {", ".join(names)}', "say which one")


class NothingToUndo(InputError):
    """No automatic backup that differs from the live object."""

    def __init__(self, automatic: int, where: str) -> None:
        found = (
            f"all {automatic} automatic backups equal the live object" if automatic else "there is no automatic backup"
        )
        super().__init__(f"nothing to undo: {found} (in {where})", "see backup list")


class UnknownType(UsageError):
    """A word that is no policy type. `suggestions`: nearest first."""

    def __init__(self, word: str, suggestions: Sequence[str], *, can_allow: bool = True) -> None:
        meant = f"did you mean {' or '.join(suggestions)}? " if suggestions else ""
        allow = "--allow-unknown-type takes it as it is" if can_allow else ""
        super().__init__(f'"{word}" is no policy type', f"{meant}{allow}".strip())


class InvalidPrecedence(InputError):
    """A list that must not be written. `problems`: a sentence each."""

    def __init__(self, problems: Sequence[str], hint: str = "") -> None:
        super().__init__(f"nothing was written: {'; '.join(problems)}", hint)


class LostFields(InputError):
    """The server would not store all of the object."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(
            f"nothing was written: the API server would drop {', '.join(paths)}", "its CRD does not know that"
        )


class MissingSingleton(KubexError):
    """There is no policy-evaluation."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f'policyevaluations.rightsizing.kubex.ai "policy-evaluation" not found on {where}',
            "create makes it, restore and undo bring it back",
        )


class AlreadyThere(UsageError):
    """The object that was to be created exists."""

    def __init__(self) -> None:
        super().__init__(
            'policyevaluations.rightsizing.kubex.ai "policy-evaluation" already exists',
            "use set-priority, edit or restore",
        )


class NotConfirmed(UsageError):
    """Nobody can be asked."""

    def __init__(self) -> None:
        super().__init__("nothing was written: there is no terminal to ask on", "--yes goes ahead without asking")


class Cancelled(KubexError):
    """The user said no."""

    exit_code = ExitCode.DIFFERENT

    def __init__(self) -> None:
        super().__init__("cancelled: nothing was written")


class Conflict(KubexError):
    """Somebody else wrote in between. `writer`: the field manager, if known."""

    exit_code = ExitCode.CONFLICT

    def __init__(self, what: str, writer: str = "") -> None:
        by = f" by {writer}" if writer else ""
        super().__init__(
            f"nothing was written: policy-evaluation was {what}{by} in the meantime", "run the command again"
        )


class StoredOtherwise(KubexError):
    """The write succeeded, and what is stored now is not what was meant."""

    exit_code = ExitCode.PARTIAL

    def __init__(self, differences: Sequence[str], undo: str) -> None:
        super().__init__(
            f"written, but what is stored now is not what was meant: {'; '.join(differences)}", f"to undo: {undo}"
        )


class NoAnswer(KubexError):
    """A write that was sent and not answered, or not with an answer that makes sense."""


class Unverified(KubexError):
    """A write whose outcome is not known. `saved`: where the former object is."""

    exit_code = ExitCode.PARTIAL

    def __init__(self, reason: str, saved: str) -> None:
        where = f"the former object is in {saved}" if saved else "there was no object before"
        super().__init__(f"the write may or may not have happened: {reason}", f"{where}; look with show")


class EditorFailure(UsageError):
    """The editor did not do its work."""


class Invalid(ServerFailure):
    """The API server, or a webhook of it, refuses the object: `message` is its own sentence."""


class NoRehearsal(Invalid):
    """A webhook of the server takes no dry runs, so only the write itself shows what the server makes of it."""


class ConfigError(KubexError):
    """The kubeconfig, or what it says, cannot be used."""


class Interrupted(KubexError):
    """Ctrl-C."""

    exit_code = ExitCode.INTERRUPTED
