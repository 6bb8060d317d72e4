"""The papers in and beside the archive: third-party licences, the SBOM (SPDX 2.3) and the archive's README."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from packager.contents import Part
from packager.place import PROGRAM, Machine, version

_NAMESPACE = "https://spdx.org/spdxdocs"
_SIMPLE_LICENCE = re.compile(r"[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*")
_KNOWN = {
    "Apache 2.0": "Apache-2.0", "Apache License 2.0": "Apache-2.0", "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0", "MIT License": "MIT", "MIT": "MIT", "BSD License": "", "Dual License": "",
    "BSD-3-Clause": "BSD-3-Clause", "BSD-2-Clause": "BSD-2-Clause", "MPL-2.0": "MPL-2.0", "PSF-2.0": "PSF-2.0",
    "Apache-2.0": "Apache-2.0", "ISC": "ISC",
}  # fmt: skip


def licences(parts: Iterable[Part]) -> str:
    """One text with the licence of every part."""
    line = "=" * 78
    head = f"{PROGRAM} {version()} is licensed as the file LICENSE says. It contains the parts below.\n"
    texts = [
        f"{line}\n{part.name} {part.version}  {part.licence}".rstrip() + f"\n{line}\n\n{part.text}\n" for part in parts
    ]
    return "\n".join([head, *texts])


def readme(machine: Machine, glibc: str) -> str:
    """What somebody needs who found the archive without any page around it."""
    needs = f"Needs glibc {glibc} or newer (`ldd --version`); no Python.\n\n" if glibc else ""
    return f"""{PROGRAM} {version()} for {machine.os}/{machine.arch}

Explains which Kubex rightsizing policy wins on a workload, and why.

{needs}Keep `{machine.program}` and `_internal` side by side; a link to the program may stand anywhere on PATH.
Then `kubectl kubex why --demo deploy/web -n shop` answers without a cluster, and `kubectl kubex --help` lists the rest.

Licence: LICENSE. What the program contains from others: THIRD-PARTY-LICENSES.txt.
"""


def sbom(parts: Iterable[Part], machine: Machine, epoch: int, archive: Path, digest: str) -> str:
    """An SPDX 2.3 document about `archive`, with the same bytes for the same parts, time and digest."""
    packages = [_own(machine, archive, digest), *(_package(part) for part in parts)]
    own = packages[0]["SPDXID"]
    links = [{"spdxElementId": own, "relationshipType": "CONTAINS", "relatedSpdxElement": package["SPDXID"]}
             for package in packages[1:]]  # fmt: skip
    name = f"{PROGRAM}-{version()}-{machine.os}-{machine.arch}"
    unique = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()[:32]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"{_NAMESPACE}/{name}-{unique}",
        "creationInfo": {
            "created": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": [f"Tool: {PROGRAM}-packager-{version()}"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own}, *links
        ],
    }  # fmt: skip
    return json.dumps(document, indent=2) + "\n"


def _own(machine: Machine, archive: Path, digest: str) -> dict[str, Any]:
    return {
        "SPDXID": f"SPDXRef-{PROGRAM}",
        "name": PROGRAM,
        "versionInfo": version(),
        "packageFileName": archive.name,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
        "comment": f"built for {machine.os}/{machine.arch}",
    }


def _package(part: Part) -> dict[str, Any]:
    declared = spdx_licence(part.licence)
    package: dict[str, Any] = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", f"{part.name}-{part.version}"),
        "name": part.name,
        "versionInfo": part.version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": declared,
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "LIBRARY",
    }
    if part.licence and declared == "NOASSERTION":
        package["licenseComments"] = f"the package's own words: {part.licence}"
    if part.purl:
        reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.purl}
        package["externalRefs"] = [reference]
    return package


def spdx_licence(stated: str) -> str:
    """The SPDX expression for what a package states; NOASSERTION where that is no expression and no known name."""
    if stated in _KNOWN:
        return _KNOWN[stated] or "NOASSERTION"
    joined = any(word in stated.split() for word in ("AND", "OR", "WITH"))
    return stated if joined and _SIMPLE_LICENCE.fullmatch(stated) else "NOASSERTION"
