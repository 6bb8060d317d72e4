"""Endpoint: which server, as whom, and how to trust it. Kubeconfig, flags and environment resolved as kubectl does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from kubectl_kubex.cluster.kubeconfig import Entry, Kubeconfig
from kubectl_kubex.cluster.settings import ConnectionSettings
from kubectl_kubex.codec.shapes import at, mapping
from kubectl_kubex.errors import ConfigError

DEFAULT_SERVER = "http://localhost:8080"
_TRUE = {"true", "True", "TRUE"}
_CLUSTER_EXTENSION = "client.authentication.k8s.io/exec"


class Trust(NamedTuple):
    """How to verify the server. `authority_data`: base64 of PEM, before `authority`, a file."""

    authority: str = ""
    authority_data: str = ""
    server_name: str = ""
    insecure: bool = False


class Impersonation(NamedTuple):
    """Whom to act as. Empty `user`: nobody."""

    user: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    extra: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class Endpoint(NamedTuple):
    """All that a connection needs. `user` is the kubeconfig's user entry with the flags over it; `proxy` None: as the
    environment says. `context` is None in a cluster's pod and where nothing is configured."""

    server: str
    namespace: str = "default"
    context: str | None = None
    user: Entry = MappingProxyType({})
    user_name: str = ""
    trust: Trust = Trust()
    impersonation: Impersonation = Impersonation()
    proxy: str | None = None
    compressed: bool = True
    cluster_config: tuple[Path, str] | None = None  # where the cluster entry stands: file and name

    @property
    def secure(self) -> bool:
        """Whether logins may be sent: kubectl sends none over plain HTTP."""
        return self.server.startswith("https://")


def resolve(config: Kubeconfig, settings: ConnectionSettings) -> Endpoint:
    """The endpoint that `settings` pick in `config`. Raises ConfigError for names that do not exist and for what
    contradicts itself."""
    name = settings.context or config.current_context
    context = _named(config.contexts, name, "context", "check --context, or `kubectl config get-contexts`")
    cluster_name = settings.cluster or _text(context, "cluster")
    cluster = _named(config.clusters, cluster_name, "cluster", "check --cluster and the kubeconfig")
    user_name = settings.user or _text(context, "user")
    user = _user(_named(config.users, user_name, "user", "check --user and the kubeconfig"), settings)
    trust = _trust(cluster, settings)
    origin = config.origins.get(("clusters", cluster_name))
    return Endpoint(
        server=_server(settings.server or _text(cluster, "server") or DEFAULT_SERVER, trust, user),
        namespace=settings.namespace or _text(context, "namespace") or "default",
        context=name or None,
        user=user,
        user_name=user_name,
        trust=trust,
        impersonation=_impersonation(user, settings),
        proxy=_text(cluster, "proxy-url") or None,
        compressed=not (settings.disable_compression or _text(cluster, "disable-compression") in _TRUE),
        cluster_config=(origin, cluster_name) if origin else None,
    )


def _named(entries: Mapping[str, Entry], name: str, what: str, hint: str) -> Entry:
    if not name:
        return {}
    if name not in entries:
        raise ConfigError(f'{what} "{name}" does not exist in the kubeconfig', hint)
    return entries[name]


def _server(server: str, trust: Trust, user: Entry) -> str:
    """With a scheme and without a slash at the end; a path in front of the API stays."""
    if "://" not in server:
        certified = trust.authority or trust.authority_data or trust.insecure or _certificate(user)
        server = f"{'https' if certified else 'http'}://{server}"
    return server.partition("?")[0].rstrip("/")


def _trust(cluster: Entry, settings: ConnectionSettings) -> Trust:
    """A flag about trust replaces all that the cluster entry says about it; so does --server for the server's name."""
    name = settings.tls_server_name or ("" if settings.server else _text(cluster, "tls-server-name"))
    if settings.insecure_skip_tls_verify or settings.certificate_authority:
        trust = Trust(settings.certificate_authority or "", "", name, settings.insecure_skip_tls_verify)
    else:
        insecure = _text(cluster, "insecure-skip-tls-verify") in _TRUE
        trust = Trust(
            _text(cluster, "certificate-authority"), _text(cluster, "certificate-authority-data"), name, insecure
        )
    if trust.insecure and (trust.authority or trust.authority_data):
        raise ConfigError("a certificate authority and insecure-skip-tls-verify contradict each other", "drop one")
    return trust


def _user(user: Entry, settings: ConnectionSettings) -> Entry:
    """The user entry with the flags over it. Raises ConfigError for two ways to log in at once. A token file in the
    kubeconfig goes before `--token`, as it does with kubectl."""
    merged: dict[str, Any] = dict(user)
    for key, value in (("client-certificate", settings.client_certificate), ("client-key", settings.client_key)):
        if value:
            merged.pop(f"{key}-data", None)
            merged[key] = value
    given = {"token": settings.token, "username": settings.username, "password": settings.password}
    merged |= {key: value for key, value in given.items() if value}
    if _text(merged, "username") and (_text(merged, "token") or _text(merged, "tokenFile")):
        raise ConfigError("more than one way to log in: a token and a user name with password", "drop one")
    return merged


def _certificate(user: Entry) -> str:
    return _text(user, "client-certificate") or _text(user, "client-certificate-data")


def _impersonation(user: Entry, settings: ConnectionSettings) -> Impersonation:
    extra = {key: tuple(_texts(values)) for key, values in mapping(user.get("as-user-extra")).items()}
    given: dict[str, tuple[str, ...]] = {}
    for pair in settings.as_user_extra:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise ConfigError(f'--as-user-extra "{pair}" is not of the form KEY=VALUE')
        given[key] = (*given.get(key, ()), value)
    found = Impersonation(
        settings.as_user or _text(user, "as"),
        settings.as_uid or _text(user, "as-uid"),
        settings.as_group or tuple(_texts(user.get("as-groups"))),
        {**extra, **given},
    )
    if not found.user and (found.uid or found.groups or found.extra):
        raise ConfigError("a uid, groups or extras to impersonate need a user to impersonate", "add --as")
    return found


def cluster_for_plugins(endpoint: Endpoint) -> dict[str, Any]:
    """`spec.cluster` of KUBERNETES_EXEC_INFO, for a login plugin with provideClusterInfo."""
    from kubectl_kubex.cluster.kubeconfig import extension  # noqa: PLC0415 - parses YAML

    trust = endpoint.trust
    told = {
        "server": endpoint.server,
        "tls-server-name": trust.server_name,
        "insecure-skip-tls-verify": trust.insecure,
        "certificate-authority-data": trust.authority_data or _base64_of(trust.authority),
        "proxy-url": endpoint.proxy,
        "disable-compression": not endpoint.compressed,
        "config": extension(*endpoint.cluster_config, _CLUSTER_EXTENSION) if endpoint.cluster_config else None,
    }
    return {key: value for key, value in told.items() if value}


def without_login(url: str) -> str:
    """A URL fit to be shown: without a user and password in it."""
    scheme, separator, rest = url.rpartition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"


def _base64_of(path: str) -> str:
    import base64  # noqa: PLC0415

    try:
        return base64.b64encode(Path(path).read_bytes()).decode() if path else ""
    except OSError as problem:
        raise ConfigError(f'cannot read certificate-authority "{path}": {problem.strerror}') from None


def _text(entry: object, key: str) -> str:
    value = at(entry, key)
    return value if isinstance(value, str) else ""


def _texts(values: object) -> list[str]:
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []
