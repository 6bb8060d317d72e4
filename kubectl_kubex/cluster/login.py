"""Login: who we are to the API server. One class for each way; what they have in common is the protocol `Login`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from kubectl_kubex.codec.shapes import mapping
from kubectl_kubex.errors import ConfigError

if TYPE_CHECKING:
    from kubectl_kubex.cluster.endpoint import Endpoint, Impersonation


class Certificate(NamedTuple):
    """A client certificate and its key: paths, or PEM texts where `inline`."""

    chain: str
    key: str
    inline: bool = False


class Login(Protocol):
    """May be asked from several threads at once."""

    def authorization(self) -> str | None:
        """The Authorization header as of now."""

    def certificate(self) -> Certificate | None:
        """The client certificate as of now."""

    def renew(self, refused: str | None) -> bool:
        """After a 401 for the header `refused`: get a new login. False: there is none to be had."""


class FixedLogin(NamedTuple):
    """What the kubeconfig states: a token, a user name with password, a certificate, or nothing."""

    header: str | None = None
    chain: Certificate | None = None

    def authorization(self) -> str | None:
        return self.header

    def certificate(self) -> Certificate | None:
        return self.chain

    def renew(self, refused: str | None) -> bool:  # noqa: ARG002 - the protocol's signature
        return False


class FileLogin(NamedTuple):
    """A token in a file that somebody renews: read each time. `token`: for when the file cannot be read."""

    path: Path
    token: str = ""
    chain: Certificate | None = None

    def authorization(self) -> str | None:
        try:
            token = self.path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as problem:
            if not self.token:
                raise ConfigError(f'cannot read the token file "{self.path}": {problem}') from None
            token = self.token
        return f"Bearer {token}"

    def certificate(self) -> Certificate | None:
        return self.chain

    def renew(self, refused: str | None) -> bool:
        return self.authorization() != refused


def login_of(endpoint: Endpoint) -> Login:
    """The way of the endpoint's user, in kubectl's order: a stated login goes before a plugin. None over plain HTTP."""
    user = endpoint.user
    if not endpoint.secure:
        return FixedLogin()
    chain = _certificate(user)
    if user.get("tokenFile"):
        return FileLogin(Path(str(user["tokenFile"])), str(user.get("token") or ""), chain)
    if user.get("token"):
        return FixedLogin(f"Bearer {str(user['token']).strip()}", chain)
    if user.get("username"):
        return FixedLogin(_basic(str(user["username"]), str(user.get("password") or "")), chain)
    if mapping(user.get("auth-provider")):
        from kubectl_kubex.cluster.official import provider_token  # noqa: PLC0415 - a heavy import, rarely needed

        return FixedLogin(provider_token(endpoint.user_name, user), chain)
    if mapping(user.get("exec")):
        from kubectl_kubex.cluster.exec_plugin import PluginLogin  # noqa: PLC0415

        return PluginLogin(endpoint, chain)
    return FixedLogin(None, chain)


def _basic(name: str, password: str) -> str:
    import base64  # noqa: PLC0415

    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


def _certificate(user: Mapping[str, object]) -> Certificate | None:
    chain, chain_inline = _pem(user, "client-certificate")
    key, key_inline = _pem(user, "client-key")
    if not chain:
        return None
    if not key:
        raise ConfigError("a client certificate needs a client key", "check --client-key and the kubeconfig")
    if chain_inline == key_inline:
        return Certificate(chain, key, chain_inline)
    return Certificate(chain if chain_inline else _content(chain), key if key_inline else _content(key), inline=True)


def _pem(user: Mapping[str, object], name: str) -> tuple[str, bool]:
    """The PEM text of `NAME-data`, or the path in `NAME`; and whether it is the text."""
    data = user.get(f"{name}-data")
    return (decoded(str(data), name), True) if data else (str(user.get(name) or ""), False)


def decoded(data: str, name: str) -> str:
    """The text behind a `-data` field."""
    import base64  # noqa: PLC0415

    try:
        return base64.b64decode(data, validate=True).decode("ascii")
    except ValueError:
        raise ConfigError(f"{name}-data in the kubeconfig is not base64 of a PEM text") from None


def _content(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(f'cannot read "{path}": {problem}') from None


def impersonation_headers(whom: Impersonation) -> list[tuple[str, str]]:
    """The Impersonate-* headers, one a group and one a value of an extra."""
    if not whom.user:
        return []
    return [
        ("Impersonate-User", whom.user),
        *([("Impersonate-Uid", whom.uid)] if whom.uid else []),
        *(("Impersonate-Group", group) for group in whom.groups),
        *((f"Impersonate-Extra-{_key(key)}", value) for key, values in whom.extra.items() for value in values),
    ]


def _key(key: str) -> str:
    """Percent-encoded where a header's name allows no such character; the API server decodes it."""
    from urllib.parse import quote  # noqa: PLC0415

    return quote(key.lower(), safe="!#$&'*+^`|")
