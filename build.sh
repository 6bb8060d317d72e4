#!/usr/bin/env bash
# The one entry for people: `./build.sh help`. Works from any folder, on a fresh clone, any number of times.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
venv=$root/.venv
bin=$venv/bin
demo=(deploy/web -n shop --demo)

# Neither of these may reach into the virtual environment from outside.
unset PYTHONPATH PYTHONHOME
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1

usage() {
  cat <<'TEXT'
Usage: ./build.sh VERB [ARGUMENT...]

  demo [why arguments]             run `kubectl kubex why` on the bundled capture; no cluster needed
  test [pytest arguments]          run every test that needs no cluster
  test-cluster [pytest arguments]  run the tests against a real API server (built once with Go, 7 minutes)
  lint                             ruff, mypy, import-linter, shellcheck
  mutation [mutant names]          mutate core/ and codec/ and list the mutants no test notices
  bench [arguments]                time the plugin beside kubectl and print the ratios
  dev-cluster [arguments]          start an API server with the demo's objects; prints a KUBECONFIG= line
  setup                            only install what the verbs above need (each does so by itself)
  package [--onefile] [--twice]    build the release archive into dist/, and try it
  help                             print this text
TEXT
}

say() { printf 'build.sh: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# Run a command in silence; show what it said only if it fails.
quietly() {
  local output
  if ! output=$("$@" 2>&1); then
    printf '%s\n' "$output" >&2
    return 1
  fi
}

# Print a Python 3.10 or newer that can make virtual environments. PYTHON=... chooses one.
find_python() {
  local candidate old='' bare=''
  for candidate in ${PYTHON:+"$PYTHON"} python3.13 python3.12 python3.11 python3.10 python3 python; do
    "$candidate" -c '' >/dev/null 2>&1 || continue
    if ! "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      old=$candidate
    elif ! "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
      bare=$candidate
    else
      printf '%s\n' "$candidate"
      return
    fi
  done
  [[ -z $bare ]] || die "$bare has no venv module; install it (Debian and Ubuntu: apt-get install python3-venv)"
  [[ -z $old ]] || die "needs Python 3.10 or newer; $old is $("$old" -V 2>&1)"
  die "needs Python 3.10 or newer on PATH, or PYTHON=/path/to/python"
}

# A virtual environment does not survive being moved or losing its Python: then it is made anew.
usable_venv() {
  "$bin/python" -m pip --version >/dev/null 2>&1 &&
    [[ ! -e $venv/.root || $(<"$venv/.root") == "$root" ]]
}

make_venv() {
  usable_venv && return
  local python
  python=$(find_python)
  quietly "$python" -m venv --clear "$venv" || die "could not make $venv with $python"
  printf '%s\n' "$root" >"$venv/.root"
}

# What an installation depends on: unchanged since the last one means there is nothing to do.
ingredients() { cat -- "$root"/{setup.cfg,pyproject.toml,constraints.txt,kubectl_kubex/__init__.py}; }

# install EXTRA: the package itself, editable, with one of its extras ('' for none).
install() {
  local extra=$1 stamp=$venv/.installed-${1:-base}
  make_venv
  if [[ ! -e $stamp || $(<"$stamp") != "$(ingredients)" ]]; then
    say "installing into .venv${extra:+ for $extra} (first time, or setup.cfg, pyproject.toml or constraints.txt changed)"
    rm -f -- "$stamp"
    quietly "$bin/python" -m pip install --quiet --constraint "$root/constraints.txt" \
      --editable "$root${extra:+[$extra]}" || die "the installation failed; pip's words stand above"
    ingredients >"$stamp"
  fi
}

# need EXTRA...: as `install`, one at a time where several runs share the folder.
need() {
  local extra
  cd -- "$root"
  if command -v flock >/dev/null; then
    (
      flock 9
      for extra; do install "$extra"; done
    ) 9>"$root/.venv.lock"
  else
    for extra; do install "$extra"; done
  fi
  export PATH="$bin:$PATH" VIRTUAL_ENV=$venv
}

verb_demo() {
  need ''
  say "kubectl kubex why ${demo[*]}${*:+ $*}"
  exec "$bin/kubectl-kubex" why "${demo[@]}" "$@"
}

# Parallel, unless the arguments ask for one test, a debugger, open output or another number of workers.
verb_test() {
  local argument parallel=(-n auto)
  need test
  for argument; do
    case $argument in
      -n* | --numprocesses* | --pdb | --trace | -s | --capture=no | *::*) parallel=() ;;
    esac
  done
  exec "$bin/python" -m pytest -m 'not cluster' ${parallel[@]+"${parallel[@]}"} "$@"
}

# One server for the run, so one process.
verb_test_cluster() {
  local programs
  need test
  if ! programs=$("$bin/python" -m tests.apiserver.binaries); then
    [[ ${KUBEX_REQUIRE_CLUSTER:-} != 1 ]] || die "no API server to test against, and KUBEX_REQUIRE_CLUSTER=1"
    say "test-cluster skipped: no API server to test against, for the reason above"
    exit 0
  fi
  KUBEBUILDER_ASSETS=$programs exec "$bin/python" -m pytest -m cluster "$@"
}

# Print the files in hack/ whose first line names an interpreter that matches.
scripts_in_hack() {
  local file first
  for file in hack/*; do
    [[ -f $file ]] || continue
    first=''
    IFS= read -r first <"$file" || true
    [[ $first != '#!'*$1* ]] || printf '%s\n' "$file"
  done
}

# Every check runs, so that one look shows all that is wrong.
verb_lint() {
  local failed=() shell=(build.sh .ci/run) python=(kubectl_kubex tests packaging/packager) file
  need test dev
  while IFS= read -r file; do shell+=("$file"); done < <(scripts_in_hack sh)
  [[ ! -d benchmarks ]] || python+=(benchmarks)
  local scripts=()
  while IFS= read -r file; do scripts+=("$file"); done < <(scripts_in_hack python)
  check() {
    printf '== %s\n' "$*"
    "$bin/$1" "${@:2}" || failed+=("$1")
  }
  check ruff check . ${scripts[@]+"${scripts[@]}"}
  check ruff format --check . ${scripts[@]+"${scripts[@]}"}
  check mypy --scripts-are-modules "${python[@]}" ${scripts[@]+"${scripts[@]}"}
  check lint-imports --no-logo
  check shellcheck "${shell[@]}"
  ((${#failed[@]} == 0)) || die "lint failed: $(printf '%s, ' "${failed[@]}" | sed 's/, $//')"
}

# All of them from scratch, since an older verdict says nothing about today's tests; or again those that are named.
verb_mutation() {
  need test dev
  (($#)) || rm -rf mutants
  "$bin/mutmut" run "$@"
  printf '\nNot killed:\n'
  "$bin/mutmut" results | grep -v ': not checked$' || echo '    none'
  printf '\nVerdicts:\n'
  "$bin/mutmut" results --all true | sed -n 's/^ .*: //p' | sort | uniq -c
}

verb_bench() {
  need test
  exec "$bin/python" -m benchmarks "$@"
}

verb_dev_cluster() {
  need test
  exec "$bin/python" hack/dev-cluster "$@"
}

# In a virtual environment that is made anew each time: what was tried out elsewhere must not be shipped.
verb_package() {
  local made=$root/build/package/venv python
  case ${1-} in
    reference)
      need ''
      PYTHONPATH=$root/packaging exec "$bin/python" -m packager.reference "${@:2}"
      ;;
    smoke) [[ -x $made/bin/python ]] || die "nothing was built yet; ./build.sh package does it" ;;
    *)
      python=$(find_python)
      quietly "$python" -m venv --clear "$made" || die "could not make $made with $python"
      quietly "$made/bin/python" -m pip install --quiet --constraint "$root/constraints.txt" \
        build pyinstaller setuptools || die "the installation failed; pip's words stand above"
      ;;
  esac
  PYTHONPATH=$root/packaging exec "$made/bin/python" -m packager "$@"
}

verb=${1-help}
shift $(($# > 0))
case $verb in
  demo | test | test-cluster | lint | mutation | bench | dev-cluster) "verb_${verb//-/_}" "$@" ;;
  setup) need test dev ;;
  package) verb_package "$@" ;;
  help | -h | --help) usage ;;
  *)
    say "unknown verb '$verb'; ./build.sh help lists them"
    exit 2
    ;;
esac
