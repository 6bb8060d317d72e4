"""Drift in each form that `-o` names. The text is a unified diff: `-` is what stands, `+` what was selected."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from kubectl_kubex.core.drift import Against, Drift, Group
from kubectl_kubex.render.documents import Document, header, source_document, workload_document
from kubectl_kubex.render.formats import NAME, Format
from kubectl_kubex.render.names import count, workload_resource
from kubectl_kubex.render.paper import Page, Paper, Style
from kubectl_kubex.render.printing import print_document
from kubectl_kubex.render.visible import visible

KIND = "DiffResult"
_CONTEXT = 3
_STYLES = {"+": Style.ADDED, "-": Style.REMOVED, "@": Style.FAINT}


def render_diff(drifts: Sequence[Drift], output: Format, page: Page, *, against: Against, planned: bool) -> str:
    """Workloads without a difference are in the documents only."""
    if output.name == NAME:
        return "".join(f"{visible(workload_resource(d.answer.snapshot.workload))}\n" for d in drifts if d.differs)
    if output.name != "table":
        return print_document(diff_document(drifts, against=against, planned=planned), output, [], page)
    paper = Paper(page)
    for drift in drifts:
        for group in drift.groups:
            for line in _unified(drift, group, against, "planned" if planned else "selected"):
                style = Style.STRONG if line[:3] in ("---", "+++") else _STYLES.get(line[:1], Style.PLAIN)
                paper.raw(line, style)
    return paper.text()


def sides(group: Group) -> tuple[str, str]:
    """What stands and what should, as two texts to compare, a line a target."""
    found = "".join(f"{line.target}: {line.found or 'unset'}\n" for line in group.lines)
    wanted = "".join(
        f"{line.target}: {(line.wanted if line.differs else line.found) or 'unset'}\n" for line in group.lines
    )
    return visible_lines(found), visible_lines(wanted)


def visible_lines(text: str) -> str:
    return "".join(f"{visible(line)}\n" for line in text.splitlines())


def place(drift: Drift, group: Group) -> str:
    """`shop/deployment/web`, and which pods."""
    workload = drift.answer.snapshot.workload
    name = f"{workload.namespace}/{workload.kind.lower()}/{workload.name}"
    if not group.pods:
        return name
    return f"{name} {group.pods[0] if len(group.pods) == 1 else count(len(group.pods), 'pod')}"


def _unified(drift: Drift, group: Group, against: Against, wanted: str) -> Iterator[str]:
    where, word = place(drift, group), "template" if against is Against.TEMPLATE else "applied"
    left, right = sides(group)
    yield from difflib.unified_diff(
        left.splitlines(), right.splitlines(), f"{where} ({word})", f"{where} ({wanted})", n=_CONTEXT, lineterm=""
    )


def open_lines(drifts: Sequence[Drift]) -> Iterator[str]:
    """What could not be compared, a line a workload."""
    for drift in drifts:
        workload = drift.answer.snapshot.workload
        name = f"{workload.kind.lower()}/{workload.name} in {workload.namespace}"
        if drift.unread:
            yield f"Warning: {name}: the values to compare could not be told"
        elif drift.open:
            yield f"Warning: {name}: undetermined: {', '.join(map(str, drift.open))}"


def diff_document(drifts: Sequence[Drift], *, against: Against, planned: bool) -> Document:
    source = drifts[0].answer.snapshot.source if drifts else None
    return {
        **header(KIND),
        "source": None if source is None else source_document(source),
        "against": against.value,
        "wanted": "planned" if planned else "selected",
        "different": any(drift.differs for drift in drifts),
        "workloads": [_workload(drift) for drift in drifts],
    }


def _workload(drift: Drift) -> Document:
    return {
        "workload": workload_document(drift.answer.snapshot.workload),
        "different": drift.differs,
        "unread": drift.unread,
        "undetermined": [
            {"container": target.container, "usage": target.usage.value, "resource": target.resource}
            for target in drift.open
        ],
        "groups": [
            {
                "pods": list(group.pods),
                "different": group.differs,
                "targets": [
                    {
                        "container": line.target.container,
                        "usage": line.target.usage.value,
                        "resource": line.target.resource,
                        "wanted": line.wanted,
                        "found": line.found,
                        "different": line.differs,
                    }
                    for line in group.lines
                ],
            }
            for group in drift.groups
        ],
    }
