"""What the object's owner will do with a change of it (engine.md section 8; ux.md 0.6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.core.precedence import Manager


class Owner(str, Enum):
    """Who decides over the object in the long run, by what the next move of that owner does to a change."""

    ARGO_CD = "argo-cd"  # reverts within minutes
    FLUX_KUSTOMIZE = "flux-kustomize"  # reverts within minutes
    FLUX_HELM = "flux-helm"  # reverts with drift detection, else at the next upgrade
    HELM_4 = "helm-4"  # applies on the server: the next upgrade conflicts
    APPLIER = "applier"  # somebody else applies on the server: the next apply conflicts
    HELM_3 = "helm-3"  # keeps the change until the chart's own list changes, then replaces the whole list
    NOBODY = "nobody"


class Move(str, Enum):
    """What is done to the object: one that is there is changed; one that is gone comes back with or without Helm's
    marks."""

    CHANGE = "change"
    RECREATE_MARKED = "recreate-marked"
    RECREATE_UNMARKED = "recreate-unmarked"


@dataclass(frozen=True)
class Ownership:
    """Who manages the object. `appliers`: field managers that use server-side apply on it; `holders`: all
    that hold `spec.precedence`; `flux_helm`: Flux applies it from a HelmRelease."""

    manager: Manager = Manager()
    appliers: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    flux_helm: bool = False


@dataclass(frozen=True)
class Consequence:
    """The owner, its name, and the move. `namespace`: of a Helm release."""

    owner: Owner
    name: str = ""
    namespace: str = ""
    move: Move = Move.CHANGE


def consequence_of(ownership: Ownership, move: Move = Move.CHANGE) -> Consequence:
    """The one owner whose next move undoes or keeps a change first. GitOps comes before Helm: Argo CD renders charts
    without Helm's own bookkeeping, and whoever reverts within minutes decides before the next upgrade."""
    manager = ownership.manager
    if manager.argocd:
        return Consequence(Owner.ARGO_CD, manager.argocd, move=move)
    if manager.flux:
        return Consequence(Owner.FLUX_HELM if ownership.flux_helm else Owner.FLUX_KUSTOMIZE, manager.flux, move=move)
    if manager.helm_release and (not ownership.appliers or move is not Move.CHANGE):
        return Consequence(Owner.HELM_3, manager.helm_release, manager.helm_namespace or "", move)
    if manager.helm_release:
        return Consequence(Owner.HELM_4, manager.helm_release, manager.helm_namespace or "", move)
    if ownership.appliers:
        return Consequence(Owner.APPLIER, ", ".join(ownership.appliers), move=move)
    return Consequence(Owner.NOBODY, move=move)
