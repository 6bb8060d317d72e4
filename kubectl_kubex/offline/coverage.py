"""Of which kinds does an input hold all objects? What is not covered is a gap, never "there are none"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kubectl_kubex.codec.capture import Capture
from kubectl_kubex.core.model import Gap
from kubectl_kubex.core.surrounding_kinds import SURROUNDING_BY_NAME
from kubectl_kubex.offline.identity import is_kind, is_namespaced


@dataclass
class Coverage:
    """What was read, as the input shows it: a list of a kind, even an empty one, or an object of it, stands for all of
    the kind. A capture says itself what it holds, so its objects stand for nothing. `whole`: what is
    not there of the kinds around workloads is not on the cluster, as in the demo."""

    kinds: set[str] = field(default_factory=set)
    whole: bool = False
    captures: list[Capture] = field(default_factory=list)

    def covers(self, kind: str, namespace: str | None) -> bool:
        """Whether all objects of `kind` in `namespace` (None: in all) were read."""
        known = kind in self.kinds or (self.whole and kind in SURROUNDING_BY_NAME)
        return known or any(_holds(capture, kind, namespace) for capture in self.captures)

    def covers_workloads(self, kind: str, namespace: str | None) -> bool:
        """The same for the kinds of workloads, which a capture holds either all or as asked for."""
        whole = [capture for capture in self.captures if capture.whole and capture.namespace in (None, namespace)]
        return kind in self.kinds or bool(whole)

    def gaps(self, kinds: Sequence[str]) -> tuple[Gap, ...]:
        """What the captures could not read of `kinds`, and of files, in their own words, unless something else covers
        it."""
        found = (gap for capture in self.captures for gap in capture.gaps if gap.kind in kinds or not is_kind(gap.kind))
        return tuple(dict.fromkeys(gap for gap in found if not self._is_read(gap.kind)))

    def _is_read(self, kind: str) -> bool:
        return kind in self.kinds or any(kind in found.kinds and not _missed(found, kind) for found in self.captures)


def _holds(capture: Capture, kind: str, namespace: str | None) -> bool:
    if kind not in capture.kinds or _missed(capture, kind):
        return False
    return capture.namespace in (None, namespace) or not is_namespaced(kind)


def _missed(capture: Capture, kind: str) -> bool:
    return any(gap.kind == kind for gap in capture.gaps)
