"""`python -m packager VERB`, in the clean environment that build.sh makes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from packager import release, smoke
from packager.archive import BadArchive
from packager.bundle import BuildError
from packager.contents import Unexplained
from packager.place import DIST, this_machine


def main() -> int:
    options = parsed()
    try:
        if options.verb == "smoke":
            smoke.run(options.archive)
            return 0
        release.run(onefile=options.onefile, twice=options.twice, oldest_glibc=options.max_glibc)
    except (BadArchive, BuildError, Unexplained, smoke.SmokeError) as problem:
        print(f"package: {problem}", file=sys.stderr)
        return 1
    return 0


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./build.sh package", description="Build the release archive, then try it.")
    parser.set_defaults(verb="build")
    parser.add_argument("--onefile", action="store_true", help="also make the single-file program")
    parser.add_argument("--twice", action="store_true", help="build again, and fail unless every byte is the same")
    parser.add_argument("--max-glibc", metavar="X.Y", help="fail if the bundle needs a newer glibc than this")
    verbs = parser.add_subparsers(metavar="")
    tried = verbs.add_parser("smoke", help="only try an archive that is there")
    tried.set_defaults(verb="smoke")
    tried.add_argument("archive", type=Path, nargs="?", default=DIST / this_machine().archive)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
