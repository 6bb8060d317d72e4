"""The one place that imports the official client, and of it only what is used.

`import kubernetes` runs the package's `__init__`, which loads the kubeconfig loader with pydantic, requests and
oauthlib: most of the time that a whole command may take. The connection's parts need none of that, so they are imported
below packages whose `__init__` has not run, and these are taken away again: a later `import kubernetes` starts from
nothing, as always.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kubectl_kubex.cluster.endpoint import without_login
from kubectl_kubex.errors import ConfigError

if TYPE_CHECKING:
    import ssl

    import urllib3

_PACKAGE = "kubernetes"
_BARE = (_PACKAGE, f"{_PACKAGE}.client", f"{_PACKAGE}.utils")
CONNECTIONS = 16


def connection_pool(
    server: str, tls: ssl.SSLContext | None, *, server_name: str = "", proxy: str | None = None
) -> urllib3.PoolManager:
    """The pool of the official REST client. It does not retry, and asks the environment for nothing."""
    proxy = _usable(proxy)
    configuration_class, rest_class = _parts()
    import urllib3  # noqa: PLC0415

    configuration = configuration_class(
        host=server, proxy=proxy or "", no_proxy="", retries=False, connection_pool_maxsize=CONNECTIONS
    )
    configuration.tls_server_name = server_name or None
    configuration.proxy_headers = _proxy_login(proxy)
    if tls is not None:
        configuration.verify_ssl = tls.verify_mode != 0
    try:
        pool: urllib3.PoolManager = rest_class(configuration).pool_manager
    except (ImportError, ValueError, urllib3.exceptions.HTTPError) as problem:
        raise ConfigError(f'cannot use the proxy "{without_login(proxy or "")}": {problem}') from None
    if tls is not None:
        pool.connection_pool_kw["ssl_context"] = tls
    _silence()
    return pool


def _parts() -> tuple[Any, Any]:
    """The classes Configuration and RESTClientObject."""
    if _PACKAGE in sys.modules:
        from kubernetes.client.configuration import Configuration  # noqa: PLC0415
        from kubernetes.client.rest import RESTClientObject  # noqa: PLC0415

        return Configuration, RESTClientObject
    with _bare_packages():
        from kubernetes.client.configuration import Configuration  # noqa: PLC0415
        from kubernetes.client.rest import RESTClientObject  # noqa: PLC0415
    return Configuration, RESTClientObject


@contextmanager
def _bare_packages() -> Iterator[None]:
    """Lets modules of the client be imported without any package's `__init__`; then sys.modules forgets them all."""
    from importlib.util import find_spec, module_from_spec  # noqa: PLC0415

    try:
        for name in _BARE:
            spec = find_spec(name)
            if spec is None:
                raise ConfigError("the Python package `kubernetes` is not installed", "install kubectl-kubex again")
            sys.modules[name] = module_from_spec(spec)
        yield
    finally:
        for name in [name for name in sys.modules if name == _PACKAGE or name.startswith(f"{_PACKAGE}.")]:
            del sys.modules[name]


def _usable(proxy: str | None) -> str | None:
    """The proxy as urllib3 wants it: kubectl lets a SOCKS proxy look up names, too."""
    from importlib.util import find_spec  # noqa: PLC0415

    if proxy is None or not proxy.lower().startswith("socks"):
        return proxy
    if find_spec("socks") is None:
        raise ConfigError(f'the proxy "{without_login(proxy)}" needs the Python package PySocks', "pip install PySocks")
    return "socks5h" + proxy[len("socks5") :] if proxy.lower().startswith("socks5:") else proxy


def _proxy_login(proxy: str | None) -> Mapping[str, str] | None:
    """The proxy's own login, from the user part of its URL."""
    from urllib.parse import unquote, urlsplit  # noqa: PLC0415

    import urllib3  # noqa: PLC0415

    parts = urlsplit(proxy or "")
    if not parts.username:
        return None
    return urllib3.make_headers(proxy_basic_auth=f"{unquote(parts.username)}:{unquote(parts.password or '')}")


def _silence() -> None:
    """Whoever says insecure-skip-tls-verify knows; kubectl does not say it again either."""
    import urllib3  # noqa: PLC0415

    urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)


def provider_token(user_name: str, user: Mapping[str, Any]) -> str:
    """The Authorization header of a legacy `auth-provider` (oidc, gcp), refreshed where it has expired. The official
    loader's own work, and the only use of it."""
    import ssl  # noqa: PLC0415

    from kubernetes.client import Configuration  # noqa: PLC0415
    from kubernetes.config.kube_config import KubeConfigLoader  # noqa: PLC0415

    settings = dict(user["auth-provider"].get("config") or {})
    authority = ssl.get_default_verify_paths().cafile
    if authority and "idp-certificate-authority-data" not in settings:
        settings.setdefault("idp-certificate-authority", authority)  # without one the loader verifies nothing
    provider = {**user["auth-provider"], "config": settings}
    config = {
        "current-context": "it",
        "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}],
        "clusters": [{"name": "it", "cluster": {"server": "https://localhost"}}],
        "users": [{"name": "it", "user": {"auth-provider": provider}}],
    }
    configuration = Configuration()
    try:
        loader: Any = KubeConfigLoader
        loader(config).load_and_set(configuration)
    except Exception as problem:  # noqa: BLE001 - the errors of all the libraries behind it
        said = " ".join(str(problem).split())[:200] or type(problem).__name__
        raise ConfigError(f'the auth-provider of user "{user_name}" gives no login: {said}', "log in again") from None
    found = configuration.api_key.get("authorization") or configuration.api_key.get("BearerToken")
    if not found:
        raise ConfigError(f'the auth-provider of user "{user_name}" is not supported', "use an exec plugin instead")
    return str(found)
