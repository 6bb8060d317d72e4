"""Every scene of the demo in every form, byte by byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kubectl_kubex.codec.snapshot import WHY_KINDS, policies_of, precedence_of
from kubectl_kubex.codec.workloads import decode_workload
from kubectl_kubex.core.policy_table import counted, standings
from kubectl_kubex.core.precedence_view import view_of
from kubectl_kubex.render.formats import Format
from kubectl_kubex.render.paper import Page
from kubectl_kubex.render.policies import Policies, render_policies
from kubectl_kubex.render.show import render_show
from kubectl_kubex.render.why import render_why

from .demo_scenes import answer, finding, scenes, source

Golden = Callable[[str, str], None]
PIPE, TERMINAL = Page(None), Page(80)
FORMS = [
    ("txt", Format("table"), TERMINAL),
    ("pipe.txt", Format("table"), PIPE),
    ("tree.txt", Format("tree"), TERMINAL),
    ("wide.txt", Format("wide"), PIPE),
    ("json", Format("json"), PIPE),
    ("yaml", Format("yaml"), PIPE),
    ("name.txt", Format("name"), PIPE),
]


@pytest.mark.parametrize(("suffix", "output", "page"), FORMS, ids=[form[0] for form in FORMS])
@pytest.mark.parametrize(("namespace", "workload"), scenes(), ids=["-".join(scene) for scene in scenes()])
def test_why(golden: Golden, namespace: str, workload: str, suffix: str, output: Format, page: Page) -> None:
    text = render_why([finding(namespace, workload)], output, page)
    golden(f"{namespace}/{workload.replace('/', '-')}.{suffix}", text)


@pytest.mark.parametrize("page", [Page(80, colour=True), Page(80, unicode=False)], ids=["colour", "ascii"])
def test_why_tree_on_other_terminals(golden: Golden, page: Page) -> None:
    text = render_why([finding("shop", "deployment/web")], Format("tree"), page)
    golden(f"tree-{'colour' if page.colour else 'ascii'}.txt", text)


LISTS = [form for form in FORMS if form[0] != "tree.txt"]


@pytest.mark.parametrize(("suffix", "output", "page"), LISTS, ids=[form[0] for form in LISTS])
def test_show(golden: Golden, suffix: str, output: Format, page: Page) -> None:
    gathered = source().gather((), "shop", WHY_KINDS)
    golden(f"show.{suffix}", render_show(view_of(precedence_of(gathered.objects)), gathered.source, output, page))


@pytest.mark.parametrize(("suffix", "output", "page"), LISTS, ids=[form[0] for form in LISTS])
def test_policies(golden: Golden, suffix: str, output: Format, page: Page) -> None:
    gathered = source().gather((), "shop", WHY_KINDS, all_namespaces=True)
    workloads = [decode_workload(raw) for raw in source().workloads(None).workloads]
    rows = counted(policies_of(gathered.objects, None), precedence_of(gathered.objects), workloads)
    found = Policies(rows, gathered.source, None, workloads=len(workloads))
    golden(f"policies.{suffix}", render_policies(found, output, page))


@pytest.mark.parametrize(("suffix", "output", "page"), LISTS, ids=[form[0] for form in LISTS])
def test_policies_of_a_workload(golden: Golden, suffix: str, output: Format, page: Page) -> None:
    asked = answer("backend", "daemonset/edge-cache")
    found = Policies(standings(asked), asked.snapshot.source, "backend", asked.snapshot.workload)
    golden(f"policies-of-workload.{suffix}", render_policies(found, output, page))
