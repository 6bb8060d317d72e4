"""The endpoint of a pod that runs in the cluster: the service account's. Used where nothing else is configured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kubectl_kubex.cluster.endpoint import DEFAULT_SERVER, Endpoint, Trust
from kubectl_kubex.cluster.settings import ConnectionSettings

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")


def in_cluster(
    endpoint: Endpoint, settings: ConnectionSettings, environ: Mapping[str, str], account: Path = ACCOUNT
) -> Endpoint | None:
    """`endpoint` turned to the cluster around us, if it says nothing itself and there is one; else None."""
    host, port = environ.get("KUBERNETES_SERVICE_HOST", ""), environ.get("KUBERNETES_SERVICE_PORT", "")
    if not (host and port and _is_empty(endpoint) and (account / "token").is_file()):
        return None
    bracketed = f"[{host}]" if ":" in host else host
    authority = account / "ca.crt"
    return endpoint._replace(
        server=f"https://{bracketed}:{port}",
        namespace=settings.namespace or environ.get("POD_NAMESPACE", "") or _namespace(account),
        context=None,
        user={**endpoint.user, "tokenFile": str(account / "token")},
        trust=Trust(authority=str(authority) if authority.is_file() else ""),
    )


def _is_empty(endpoint: Endpoint) -> bool:
    """Whether neither the kubeconfig nor a flag says where to go or how to log in. Flags that say whom to act as do not
    count: `--as` works in a pod too."""
    login = any(endpoint.user.get(key) for key in endpoint.user if not key.startswith("as"))
    return endpoint.server == DEFAULT_SERVER and not login and endpoint.trust == Trust() and not endpoint.proxy


def _namespace(account: Path) -> str:
    try:
        return (account / "namespace").read_text(encoding="utf-8").strip() or "default"
    except OSError:
        return "default"
