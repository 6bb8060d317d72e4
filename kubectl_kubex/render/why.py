"""The answers of `why` in each form that `-o` names."""

from __future__ import annotations

from collections.abc import Sequence

from kubectl_kubex.core.answer import Answer
from kubectl_kubex.core.plan.explained import Explained
from kubectl_kubex.render.custom_columns import rows_of
from kubectl_kubex.render.documents import listed
from kubectl_kubex.render.formats import DOCUMENTS, NAME, TREE, WIDE, Format
from kubectl_kubex.render.names import policy_resource
from kubectl_kubex.render.paper import Page, Paper
from kubectl_kubex.render.printing import print_document
from kubectl_kubex.render.why_document import KIND, why_document
from kubectl_kubex.render.why_table import why_table
from kubectl_kubex.render.why_tree import why_tree

Found = tuple[Answer, Explained | None]


def render_why(
    found: Sequence[Found], output: Format, page: Page, *, several: bool = False, headers: bool = True
) -> str:
    """All of `found`: each answer with its plans. `several`: more than one workload was asked for, so
    documents are a list."""
    if output.name in DOCUMENTS:
        documents = [why_document(answer, explained) for answer, explained in found]
        rows = [row for document in documents for row in rows_of(document, "targets")]
        document = listed(KIND, documents) if several else documents[0]
        return print_document(document, output, rows, page, headers=headers)
    if output.name == NAME:
        return "".join(f"{name}\n" for name in winner_names([answer for answer, _ in found]))
    paper = Paper(page)
    for index, (answer, explained) in enumerate(found):
        if index:
            paper.blank()
            paper.blank()
        if output.name == TREE:
            why_tree(answer, paper, explained)
        else:
            why_table(answer, paper, explained, wide=output.name == WIDE, headers=headers)
    return paper.text()


def winner_names(answers: Sequence[Answer]) -> list[str]:
    """The policies that win anything, each once, as `kubectl get -o name` prints them."""
    refs = [selection.winner.policy for answer in answers for selection in answer.targets if selection.winner]
    refs += [hook.winner for answer in answers for hook in answer.hooks if hook.winner]
    return list(dict.fromkeys(name for name in map(policy_resource, refs) if name))
