"""What the object's owner will do next, in one line. One entry an owner and move, held complete by a test."""

from __future__ import annotations

from kubectl_kubex.core.consequence import Consequence, Move, Owner

_HELM = "Helm release {name}{namespace}"
_CHANGED: dict[Owner, str] = {
    Owner.ARGO_CD: "Argo CD ({name}) manages this object: it reverts the change within minutes, or with its next sync "
    "where self-heal is off; change it in Git instead",
    Owner.FLUX_KUSTOMIZE: "Flux ({name}) manages this object: it reverts the change within minutes; change it in Git "
    "instead",
    Owner.FLUX_HELM: "Flux manages this object through HelmRelease {name}: it reverts the change within minutes where "
    "drift detection is on, else with the chart's next upgrade; change it in Git instead",
    Owner.HELM_4: f"{_HELM} applies this object on the server (as Helm 4 does): its next upgrade fails with a conflict "
    "on spec.precedence, also after the old value is put back; helm upgrade --force-conflicts takes the list back",
    Owner.APPLIER: "{name} applies this object on the server: its next apply fails with a conflict on spec.precedence; "
    "--force-conflicts there takes the list back",
    Owner.HELM_3: f"{_HELM} owns this object: the change survives upgrades until the chart's own list changes, then "
    "the whole list is replaced; the chart's values cannot hold priorities",
    Owner.NOBODY: "nobody else manages this object: the change stays",
}
_BACK: dict[Owner, str] = {
    Owner.ARGO_CD: "Argo CD ({name}) managed this object: if it still does, it puts its own list in place within "
    "minutes",
    Owner.FLUX_KUSTOMIZE: "Flux ({name}) managed this object: if it still does, it puts its own list in place within "
    "minutes",
    Owner.FLUX_HELM: "Flux managed this object through HelmRelease {name}: if it still does, it puts its own list in "
    "place with the chart's next upgrade, or within minutes where drift detection is on",
    Owner.NOBODY: "nobody else manages this object: it stays as it is",
}
_BACK_MARKED = (
    f"{_HELM} owned this object, and it keeps Helm's labels: a release that still renders it goes on patching it; "
    "after policyEvaluation.enabled=false Helm leaves it alone, and takes it over when it is enabled again"
)
_BACK_UNMARKED = (
    f"{_HELM} owned this object, and it comes back without Helm's labels: after policyEvaluation.enabled=false Helm "
    "leaves it alone, and refuses to enable it again while it is there"
)

SENTENCES: dict[tuple[Owner, Move], str] = {
    **{(owner, Move.CHANGE): text for owner, text in _CHANGED.items()},
    **{(owner, move): text for owner, text in _BACK.items() for move in (Move.RECREATE_MARKED, Move.RECREATE_UNMARKED)},
    **{(owner, Move.RECREATE_MARKED): _BACK_MARKED for owner in (Owner.HELM_3, Owner.HELM_4)},
    **{(owner, Move.RECREATE_UNMARKED): _BACK_UNMARKED for owner in (Owner.HELM_3, Owner.HELM_4)},
    **{(Owner.APPLIER, move): _BACK[Owner.NOBODY] for move in (Move.RECREATE_MARKED, Move.RECREATE_UNMARKED)},
}


def consequence_text(consequence: Consequence) -> str:
    """The sentence for one owner."""
    namespace = f" in namespace {consequence.namespace}" if consequence.namespace else ""
    return SENTENCES[consequence.owner, consequence.move].format(name=consequence.name, namespace=namespace)


def holders_text(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """Who holds `spec.precedence` now, by the stored object's own managedFields, and who did before."""
    now = ", ".join(after) or "nobody"
    was = ", ".join(before) or "nobody"
    return f"spec.precedence is held by {now}" + ("" if before == after else f" (before: {was})")
