#!/usr/bin/env bash
# The one entry for people: see `./build.sh help`. Works from any folder, on a fresh clone, any number of times.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
cd -- "$root"
echo "skeleton; being written" >&2
