"""Control annotations (engine.md section 4) to core values: pause, skip, rollback state, the engine's record."""

from __future__ import annotations

import json
from collections.abc import Mapping

from kubectl_kubex.codec.shapes import at, integer, mapping, objects, text
from kubectl_kubex.codec.times import parse_time
from kubectl_kubex.core.kinds import GROUP
from kubectl_kubex.core.model import Target, Usage
from kubectl_kubex.core.plan.facts import Controls, Pause, Rollback
from kubectl_kubex.core.plan.record import Constraint, Record

PAUSE_UNTIL = f"{GROUP}/pause-until"
PAUSE_REASON = f"{GROUP}/pause-reason"
SKIP_CONTAINERS = f"{GROUP}/skip-containers"
INHERITED = f"{GROUP}/inherited-control-state"
ROLLBACK_STATE = f"{GROUP}/rollback-state"
CONSTRAINTS = f"{GROUP}/automation-constraints"

_USAGES = {usage.value: usage for usage in Usage}


def decode_controls(annotations: Mapping[str, str]) -> Controls:
    written = annotations.get(PAUSE_UNTIL)
    pause = None
    if written is not None:
        pause = Pause(written, parse_time(written), written == "infinite", annotations.get(PAUSE_REASON))
    return Controls(pause, annotations.get(SKIP_CONTAINERS), INHERITED in annotations)


def decode_rollback(annotations: Mapping[str, str]) -> Rollback | None:
    """None where the owner has no rollback-state; mode None where it makes no sense."""
    written = annotations.get(ROLLBACK_STATE)
    if written is None:
        return None
    state = _json(written)
    return Rollback(
        text(at(state, "mode")) or None,
        integer(at(state, "turn")),
        text(at(state, "failureReason")),
        parse_time(at(state, "expiryAt")),
    )


def decode_record(annotations: Mapping[str, str]) -> Record | None:
    """`automation-constraints`: None where the pod has none. The array form that the engine writes, and the object with
    `reasons[]` and `reasonType` that its own documentation queries. What fits neither is unreadable."""
    written = annotations.get(CONSTRAINTS)
    if written is None:
        return None
    content = _json(written)
    listed = content if isinstance(content, list) else at(content, "reasons")
    if not isinstance(listed, list):
        return Record((), readable=False, raw=written)
    found = [_constraint(member) for member in listed]
    known = tuple(constraint for constraint in found if constraint is not None)
    return Record(known, readable=len(known) == len(found), raw=written)


def _constraint(value: object) -> Constraint | None:
    if isinstance(value, str):  # as the failedChecks of the samples
        return Constraint(value)
    reason = next((found for key in ("reason", "reasonType", "name") if (found := text(at(value, key)))), None)
    targets = at(value, "targets")
    if reason is None or not isinstance(targets, list | None):
        return None
    named = [_target(target) for target in objects(targets)]
    known = tuple(target for target in named if target is not None)
    return Constraint(reason, known) if len(known) == len(targets or ()) else None


def _target(value: object) -> Target | None:
    container, resource = text(mapping(value).get("container")), text(mapping(value).get("resource"))
    usage = _USAGES.get(text(mapping(value).get("usage")) or "")
    return None if container is None or resource is None or usage is None else Target(container, usage, resource)


def _json(written: str) -> object:
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return None
