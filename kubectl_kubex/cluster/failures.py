"""What can go wrong with a request, from the libraries' exceptions and the server's answers to the user's words."""

from __future__ import annotations

import json
from typing import Any

from kubectl_kubex.codec.shapes import at, mapping, text
from kubectl_kubex.core.model import Gap, GapReason
from kubectl_kubex.errors import Forbidden, KubexError, ServerFailure, Unreachable

_LONGEST = 300
_REASONS = {
    400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 405: "MethodNotAllowed",
    406: "NotAcceptable", 409: "Conflict", 410: "Expired", 422: "Invalid", 429: "TooManyRequests", 500: "InternalError",
    503: "ServiceUnavailable", 504: "Timeout",
}  # fmt: skip
_CERTIFICATE_PROBLEMS = {
    9: "its certificate is not valid yet",
    10: "its certificate has expired",
    18: "its certificate is signed by an unknown authority",
    19: "its certificate is signed by an unknown authority",
    20: "its certificate is signed by an unknown authority",
    21: "its certificate is signed by an unknown authority",
    62: "its certificate is for another name",
    64: "its certificate is for another address",
}


class ApiFailure(ServerFailure):
    """The server answered a request with an error, or with what is no answer. `detail` is its own sentence.

    `status` is 0 where the HTTP status was a success. `absent`: the object does not exist, though its kind does.
    """

    def __init__(self, status: int, reason: str, detail: str, *, absent: bool = False) -> None:
        super().__init__(f"Error from server ({reason}): {detail}")
        self.status = status
        self.reason = reason
        self.detail = detail
        self.absent = absent


class Expired(ApiFailure):
    """410: the state of the list that was being read is gone."""


class TimedOut(Unreachable):
    """No answer in time, though the server may be there."""


def answered(status: int, content_type: str, body: bytes) -> ApiFailure:
    """The failure behind an answer that is no success."""
    try:
        answer = mapping(json.loads(body)) if b"{" in body[:1] else {}
    except (ValueError, RecursionError):
        answer = {}
    named = text(at(answer, "details", "name")) or text(at(answer, "details", "kind"))
    detail = text(answer.get("message")) or (_brief(body) if "json" not in content_type else "")
    if "html" in content_type:
        detail = f"status {status} with an HTML page, not an answer of the API"
    if status == 404 and not answer:
        detail = "the server could not find the requested resource"
    reason = text(answer.get("reason")) or _REASONS.get(status, f"status {status}")
    if 300 <= status < 400:
        detail = f"status {status}, a redirect: is something else in front of the API server?"
    failure = Expired if status == 410 else ApiFailure
    return failure(status, reason, detail or "no further words", absent=status == 404 and bool(named))


def no_json(content_type: str) -> ApiFailure:
    """A success whose body makes no sense."""
    what = "an HTML page: a proxy or a login page?" if "html" in content_type else "what is not readable as JSON"
    return ApiFailure(0, "UnexpectedAnswer", f"the server answered with {what}")


def not_a_list() -> ApiFailure:
    return ApiFailure(0, "UnexpectedAnswer", "the server answered a list request with something else")


def _brief(body: bytes) -> str:
    return " ".join(body[: 4 * _LONGEST].decode("utf-8", "replace").split())[:_LONGEST]


def unreachable(problem: Exception, server: str, seconds: float | None) -> Unreachable:
    """The words for an exception of urllib3 that means: no answer."""
    from urllib3 import exceptions  # noqa: PLC0415

    cause = getattr(problem, "original_error", None) if isinstance(problem, exceptions.ProxyError) else None
    prefix = "through the proxy: " if cause is not None else ""
    shown = cause if isinstance(cause, Exception) else problem
    if isinstance(shown, exceptions.NameResolutionError):
        return Unreachable(server, f'{prefix}no such host "{shown._host}"')  # noqa: SLF001 - said nowhere else
    if isinstance(shown, exceptions.NewConnectionError):
        return Unreachable(server, prefix + _system_words(shown))
    if isinstance(shown, exceptions.TimeoutError):
        return TimedOut(server, f"{prefix}timed out" + (f" after {seconds:g} s" if seconds else ""))
    if isinstance(shown, exceptions.SSLError):
        return Unreachable(server, prefix + _tls_words(shown))
    if isinstance(shown, exceptions.ProtocolError):
        return Unreachable(server, f"{prefix}the connection broke before the answer was complete")
    return Unreachable(server, prefix + _brief(str(shown).encode()))


def _system_words(problem: Exception) -> str:
    """The operating system's words, such as `connection refused`, without the library's."""
    source: BaseException | None = problem
    while source is not None and not (isinstance(source, OSError) and source.strerror):
        source = source.__cause__ or source.__context__
    if isinstance(source, OSError) and source.strerror:
        return source.strerror.lower()
    return _brief(str(problem).encode())


def _tls_words(problem: Exception) -> str:
    reason: Any = problem.args[0] if problem.args else problem
    code = getattr(reason, "verify_code", None)
    if code in _CERTIFICATE_PROBLEMS:
        name = _wanted(str(reason.verify_message)) if code in {62, 64} else ""
        return _CERTIFICATE_PROBLEMS[code] + name
    if getattr(reason, "verify_message", None):
        return f"its certificate is not trusted: {reason.verify_message}"
    if "WRONG_VERSION_NUMBER" in str(reason):
        return "it does not speak TLS: is it http?"
    return f"TLS: {str(getattr(reason, 'reason', None) or reason).replace('_', ' ').lower()}"


def _wanted(message: str) -> str:
    """OpenSSL says which name was wanted: `Hostname mismatch, certificate is not valid for 'x'.`"""
    _, quote, rest = message.partition("'")
    return f' than "{rest.partition(chr(39))[0]}"' if quote else ""


def for_user(failure: KubexError) -> KubexError:
    """A failure of the one request that a command stands on."""
    if isinstance(failure, ApiFailure) and failure.status == 403:
        return Forbidden(failure.detail)
    return failure


def gap_of(kind: str, request: str, failure: KubexError) -> Gap:
    """What a failed request hides: objects of `kind`."""
    if not isinstance(failure, ApiFailure):
        return Gap(kind, GapReason.SERVER_ERROR, failure.message, request)
    reason = {403: GapReason.FORBIDDEN, 404: GapReason.NOT_SERVED}.get(failure.status, GapReason.SERVER_ERROR)
    return Gap(kind, reason, failure.detail, request)
