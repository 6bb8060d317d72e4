"""What a frozen binary's loader leaves behind, put right before anything else runs. Standard library only."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, MutableMapping
from pathlib import Path

# Where systems keep their roots, in the order in which kubectl looks (Go's crypto/x509).
_ROOTS = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
_CHOSEN = ("SSL_CERT_FILE", "SSL_CERT_DIR")


def start() -> None:
    """Undo the loader's work and find this machine's roots. Does nothing in an ordinary Python."""
    frozen = bool(getattr(sys, "frozen", False))
    restore_environment(os.environ, frozen=frozen)
    if frozen and sys.platform != "win32":
        use_system_roots(os.environ, os.putenv)


def restore_environment(environment: MutableMapping[str, str], *, frozen: bool) -> None:
    """As it was before the loader: a login plugin or editor must not load the libraries that we bring along."""
    if not frozen:
        return
    for name in [name for name in environment if name.startswith("_PYI_")]:
        del environment[name]
    original = environment.pop("LD_LIBRARY_PATH_ORIG", None)
    environment.pop("LD_LIBRARY_PATH", None)
    if original is not None:
        environment["LD_LIBRARY_PATH"] = original


def use_system_roots(
    environment: MutableMapping[str, str], tell: Callable[[str, str], None], roots: tuple[str, ...] = _ROOTS
) -> None:
    """Name this machine's roots to the OpenSSL that we bring along, whose own folder is the build machine's. `tell`
    sets the variable for this process alone: `environment`, which child processes get, stays as it is."""
    if any(name in environment for name in _CHOSEN):
        return
    found = next((root for root in roots if Path(root).is_file()), None)
    if found is not None:
        tell(_CHOSEN[0], found)
