"""What runs: the values on the pods, never on the template, since the engine mutates pods only (engine.md 0.7)."""

from __future__ import annotations

from kubectl_kubex.core.answer import Applied
from kubectl_kubex.core.model import Pod, Target
from kubectl_kubex.core.quantity import QuantityError, parse_quantity

_ENDED = frozenset({"Succeeded", "Failed"})


def running(pods: tuple[Pod, ...]) -> tuple[Pod, ...]:
    """The pods that count: not ended, not on their way out; by name."""
    return tuple(sorted((p for p in pods if p.phase not in _ENDED and not p.terminating), key=lambda pod: pod.name))


def applied_values(target: Target, pods: tuple[Pod, ...] | None) -> tuple[Applied, ...] | None:
    """The distinct values (by value, not by spelling) of `target` on running pods, most pods first. None: unknown."""
    if pods is None:
        return None
    counts: dict[object, int] = {}
    texts: dict[object, str | None] = {}
    for pod in running(pods):
        for container in pod.containers:
            if container.name == target.container:
                text = container.value(target.usage, target.resource)
                amount = _amount(text)
                texts.setdefault(amount, text)
                counts[amount] = counts.get(amount, 0) + 1
    ordered = sorted(counts, key=lambda amount: -counts[amount])
    return tuple(Applied(texts[amount], counts[amount]) for amount in ordered)


def _amount(text: str | None) -> object:
    if text is None:
        return None
    try:
        return parse_quantity(text)
    except QuantityError:
        return text
