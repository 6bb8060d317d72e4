"""Users of the test server: a token file and one client certificate, made with the openssl program."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from pathlib import Path

from .binaries import Unavailable

ADMIN = "admin"
VIEWER = "viewer"
NOBODY = "nobody"
CERTIFICATE_USER = "certificate-user"
NARROW = tuple(f"narrow-{number}" for number in range(10))
TOKEN_USERS = (ADMIN, VIEWER, NOBODY, *NARROW)
USERS = (*TOKEN_USERS, CERTIFICATE_USER)


class Credentials:
    """Every secret of one server, as files below `folder`; nothing is shared between servers."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        self.folder = folder
        self.tokens = {user: secrets.token_hex(16) for user in TOKEN_USERS}
        self.token_file = folder / "tokens.csv"
        self.token_file.write_text("".join(self._token_row(user) for user in TOKEN_USERS))
        self.service_account_key = folder / "service-account.key"
        openssl("genrsa", "-out", str(self.service_account_key), "2048")
        self.client_ca, client_ca_key = authority(folder, "client-ca")
        self.client_certificate, self.client_key = self._signed(client_ca_key)

    def _token_row(self, user: str) -> str:
        group = "system:masters" if user == ADMIN else "kubex-test"
        return f'{self.tokens[user]},{user},uid-{user},"{group}"\n'

    def _signed(self, client_ca_key: Path) -> tuple[Path, Path]:
        certificate, key, request = (self.folder / f"client.{suffix}" for suffix in ("crt", "key", "csr"))
        subject = f"/O=kubex-test/CN={CERTIFICATE_USER}"
        openssl(
            "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out", str(request), "-subj", subject
        )
        by = ("-CA", str(self.client_ca), "-CAkey", str(client_ca_key), "-CAcreateserial")
        openssl("x509", "-req", "-in", str(request), *by, "-days", "30", "-out", str(certificate))
        return certificate, key


def authority(folder: Path, name: str, *extensions: str) -> tuple[Path, Path]:
    """A self-signed certificate and its key, usable as a CA and (with a subjectAltName) as a serving certificate."""
    certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
    options = [part for extension in extensions for part in ("-addext", extension)]
    subject = ("-subj", f"/CN={name}", "-days", "30")
    openssl(
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
        *subject,
        *options,
    )
    return certificate, key


def openssl(*arguments: str) -> None:
    """Run the openssl program; `Unavailable` when the machine has none."""
    program = shutil.which("openssl")
    if program is None:
        raise Unavailable("The test API server needs the `openssl` program for its keys; install the package openssl.")
    subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
