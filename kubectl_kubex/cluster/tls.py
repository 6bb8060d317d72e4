"""The TLS settings of an endpoint as one SSLContext: certificates are read once, not for each connection."""

from __future__ import annotations

import os
import ssl
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from kubectl_kubex.cluster.login import decoded
from kubectl_kubex.errors import ConfigError

if TYPE_CHECKING:
    from kubectl_kubex.cluster.endpoint import Trust
    from kubectl_kubex.cluster.login import Certificate


def context_of(trust: Trust, certificate: Certificate | None) -> ssl.SSLContext:
    """Verifies as kubectl does: a certificate that is trusted itself needs no chain above it, and OpenSSL's stricter
    rules for the CA's own fields (on by default since Python 3.13) do not apply. Raises ConfigError for bad files."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN if hasattr(ssl, "VERIFY_X509_PARTIAL_CHAIN") else 0x80000
    context.hostname_checks_common_name = False
    if trust.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        _trust(context, trust)
    if certificate is not None:
        _present(context, certificate)
    return context


def _trust(context: ssl.SSLContext, trust: Trust) -> None:
    try:
        if trust.authority_data:
            context.load_verify_locations(cadata=decoded(trust.authority_data, "certificate-authority"))
        elif trust.authority:
            context.load_verify_locations(cafile=trust.authority)
        else:
            context.load_default_certs()
    except (OSError, ValueError) as problem:
        name = f'"{trust.authority}"' if trust.authority else "certificate-authority-data"
        raise ConfigError(f"cannot use the certificate authority {name}: {_words(problem)}") from None


def _present(context: ssl.SSLContext, certificate: Certificate) -> None:
    try:
        if certificate.inline:
            _load_texts(context, certificate)
        else:
            context.load_cert_chain(certificate.chain, certificate.key)
    except (OSError, ValueError) as problem:
        raise ConfigError(f"cannot use the client certificate and key: {_words(problem)}") from None


def _load_texts(context: ssl.SSLContext, certificate: Certificate) -> None:
    """The ssl module reads files only: one of mode 0600 that is gone when this returns."""
    descriptor, name = tempfile.mkstemp(prefix="kubectl-kubex-")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{certificate.chain}\n{certificate.key}\n")
        context.load_cert_chain(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _words(problem: Exception) -> str:
    return problem.strerror or str(problem) if isinstance(problem, OSError) else str(problem)
