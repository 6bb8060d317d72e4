"""SingletonWriter: the one object that this program changes, read and written as it stands on the API server.

A replacement carries the uid and resourceVersion that were read, so the server refuses it once anything else was
written in between. A field that the server does not know is refused as well, instead of being dropped in silence.
"""

from __future__ import annotations

import re
from typing import Any

from kubectl_kubex.cluster.connection import Connection
from kubectl_kubex.cluster.failures import ApiFailure
from kubectl_kubex.cluster.questions import engine_resource
from kubectl_kubex.codec.gathered import RawObject
from kubectl_kubex.codec.shapes import at, text
from kubectl_kubex.core.kinds import PRECEDENCE_KIND, PRECEDENCE_NAME
from kubectl_kubex.errors import (
    Conflict,
    Forbidden,
    Invalid,
    KubexError,
    LostFields,
    NoAnswer,
    NoRehearsal,
    NotInstalled,
    Unreachable,
)

FIELD_MANAGER = "kubectl-kubex"
_RESOURCE = engine_resource(PRECEDENCE_KIND)
_INVALID = frozenset({400, 422})
_UNKNOWN_FIELD = re.compile(r'unknown field "([^"]+)"')
_NO_DRY_RUN = "does not support dry run"


class SingletonWriter:
    """Over a connection that somebody else opens and closes. Raises KubexError throughout."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(self) -> dict[str, Any] | None:
        """The live object; None when there is none."""
        try:
            return self._connection.get(_RESOURCE.path(None, PRECEDENCE_NAME))
        except ApiFailure as failure:
            if failure.absent:
                return None
            raise self._meaning(failure) from None

    def write(self, raw: RawObject, *, dry_run: bool = False) -> dict[str, Any]:
        """Store `raw` and return what the server stored: over the object that was read, or, without a resourceVersion,
        as a new one. Raises Conflict when the live object is not the one that was read, NoAnswer where nobody knows
        whether it was stored, and anything else where it surely was not."""
        params = {"fieldManager": FIELD_MANAGER, "fieldValidation": "Strict", **({"dryRun": "All"} if dry_run else {})}
        replaces = at(raw, "metadata", "resourceVersion") is not None
        path = _RESOURCE.path(None, PRECEDENCE_NAME if replaces else "")
        try:
            return self._connection.request("PUT" if replaces else "POST", path, raw, params)
        except ApiFailure as failure:
            if not dry_run and (failure.status >= 500 or failure.status == 0):
                raise NoAnswer(failure.message) from None
            raise self._meaning(failure, writing=True) from None
        except Unreachable as failure:
            raise (failure if dry_run else NoAnswer(failure.message)) from None

    def cluster_uid(self) -> str:
        """The uid of the namespace kube-system, which is the cluster's; "" when it may not be read."""
        try:
            return text(at(self._connection.get("/api/v1/namespaces/kube-system"), "metadata", "uid")) or ""
        except ApiFailure:
            return ""

    def _meaning(self, failure: ApiFailure, *, writing: bool = False) -> KubexError:
        if failure.status == 403:
            return Forbidden(failure.detail)
        if failure.status == 409 or (writing and failure.absent):
            return Conflict("deleted" if failure.absent else "created" if _exists(failure) else "changed")
        if failure.status == 404:
            return NotInstalled(self._connection.server)
        if failure.status in _INVALID and (lost := _UNKNOWN_FIELD.findall(failure.detail)):
            return LostFields(lost)
        if failure.status in _INVALID:
            return (NoRehearsal if _NO_DRY_RUN in failure.detail else Invalid)(failure.message)
        return failure


def _exists(failure: ApiFailure) -> bool:
    return failure.reason == "AlreadyExists"
