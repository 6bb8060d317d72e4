"""Which proxy the environment names for a URL: the rules of Go's net/http, which kubectl follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:  # only a machine with a proxy pays for it
    from ipaddress import IPv4Address, IPv6Address

_PORTS = {"http": 80, "https": 443}


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """HTTPS_PROXY or HTTP_PROXY, by the URL's scheme, unless the host is this machine or NO_PROXY excepts it."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower().rstrip(".")
    proxy = _either(environ, f"{parts.scheme}_proxy")
    if not proxy or not host or host == "localhost":
        return None
    address = _address(host)
    if address is not None and address.is_loopback:
        return None
    port = parts.port or _PORTS.get(parts.scheme, 0)
    if any(_excepts(rule.strip().lower(), host, address, port) for rule in _either(environ, "no_proxy").split(",")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _excepts(rule: str, host: str, address: IPv4Address | IPv6Address | None, port: int) -> bool:
    """Whether one part of NO_PROXY covers the host: `*`, an address, a network, or a domain with what is below it."""
    if rule in {"", "*"}:
        return rule == "*"
    from ipaddress import ip_network  # noqa: PLC0415

    try:
        network = ip_network(rule, strict=False)
    except ValueError:
        network = None
    if network is not None:
        return address is not None and address in network
    name, rule_port = _with_port(rule)
    if rule_port and rule_port != str(port):
        return False
    if address is not None:
        return _address(name.strip("[]")) == address
    name = name.removeprefix("*")
    return host.endswith(name) if name.startswith(".") else host == name or host.endswith("." + name)


def _with_port(rule: str) -> tuple[str, str]:
    name, colon, port = rule.rpartition(":")
    return (name, port) if colon and port.isdigit() else (rule, "")


def _address(host: str) -> IPv4Address | IPv6Address | None:
    from ipaddress import ip_address  # noqa: PLC0415

    try:
        return ip_address(host)
    except ValueError:
        return None


def _either(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name.upper()) or environ.get(name) or ""
