"""ConnectionSettings: kubectl's global flags, as the user gave them."""

from __future__ import annotations

import re
from typing import NamedTuple

from kubectl_kubex.errors import UsageError

_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)


class ConnectionSettings(NamedTuple):
    """One field for each flag, named as kubectl names it. None, "" and () mean: not given, the kubeconfig decides.

    `as_user_extra` holds `KEY=VALUE` texts. `cache_dir` is accepted for kubectl's sake: nothing is cached.
    """

    kubeconfig: str | None = None
    context: str | None = None
    cluster: str | None = None
    user: str | None = None
    namespace: str | None = None
    server: str | None = None
    token: str | None = None
    as_user: str | None = None
    as_group: tuple[str, ...] = ()
    as_uid: str | None = None
    as_user_extra: tuple[str, ...] = ()
    request_timeout: str | None = None
    tls_server_name: str | None = None
    insecure_skip_tls_verify: bool = False
    certificate_authority: str | None = None
    client_certificate: str | None = None
    client_key: str | None = None
    disable_compression: bool = False
    cache_dir: str | None = None
    username: str | None = None
    password: str | None = None


def seconds_of(text: str | None) -> float | None:
    """What `--request-timeout` means in seconds: a whole number, or Go's `1s`, `2m`, `1h30m`; 0 is no limit. None: not
    given. Raises UsageError for anything else, in kubectl's words."""
    if not text:
        return None
    if re.fullmatch(r"[0-9]+", text, re.ASCII):
        return float(text)
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise UsageError(
            f'invalid timeout value "{text}": must be a whole number of seconds, or a number followed by a time unit '
            "(e.g. 1s | 2m | 3h)"
        )
    return float(sum(float(number) * _SECONDS[unit] for number, unit in parts))
