"""Kubeconfig files: which ones, read and merged as kubectl does. The first file that says something wins."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from kubectl_kubex.codec.shapes import at, mapping, objects
from kubectl_kubex.errors import ConfigError

Entry = Mapping[str, Any]
_LISTS = {"clusters": "cluster", "users": "user", "contexts": "context"}
_PATHS = ("certificate-authority", "client-certificate", "client-key", "tokenFile")
_KEPT_TAGS = {"tag:yaml.org,2002:null", "tag:yaml.org,2002:merge"}  # a name such as 0012 or on stays as it is written


class Kubeconfig(NamedTuple):
    """The merged files. Entries by name; every value is text, paths are absolute. `origins`: the file of an entry."""

    clusters: Mapping[str, Entry] = MappingProxyType({})
    users: Mapping[str, Entry] = MappingProxyType({})
    contexts: Mapping[str, Entry] = MappingProxyType({})
    current_context: str = ""
    origins: Mapping[tuple[str, str], Path] = MappingProxyType({})


def load(explicit: str | None, environ: Mapping[str, str]) -> Kubeconfig:
    """The configuration in force: the file of `--kubeconfig`, else the list in KUBECONFIG, else ~/.kube/config. Files
    that do not exist are passed over, but for an explicit one. Raises ConfigError for a file that cannot be used."""
    if explicit:
        if not Path(explicit).exists():
            raise ConfigError(f'kubeconfig file "{explicit}" does not exist', "check --kubeconfig")
        return merge([(Path(explicit), read(Path(explicit)))])
    present = [path for path in _default_files(environ) if path.exists()]
    return merge([(path, read(path)) for path in present])


def _default_files(environ: Mapping[str, str]) -> list[Path]:
    listed = environ.get("KUBECONFIG", "")
    if listed:
        return [Path(part) for part in dict.fromkeys(listed.split(os.pathsep)) if part]
    homes = [Path(home) for home in _homes(environ)]
    found = [home / ".kube" / "config" for home in homes]
    return next(([path] for path in found if path.exists()), found[:1])


def _homes(environ: Mapping[str, str]) -> list[str]:
    if os.name != "nt":
        return [environ.get("HOME", "")]
    drive = environ.get("HOMEDRIVE", "") + environ.get("HOMEPATH", "")
    return [home for home in (environ.get("HOME", ""), drive, environ.get("USERPROFILE", "")) if home]


def read(path: Path) -> Mapping[str, Any]:
    """One file, YAML or JSON, every scalar as text but null. Raises ConfigError in one line."""
    try:
        content = path.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise _unusable(path, problem.strerror or str(problem)) from None
    except UnicodeDecodeError as problem:
        raise _unusable(path, f"byte {problem.start} is not UTF-8") from None
    document = _parsed(path, content) or {}
    if not isinstance(document, Mapping) or document.get("kind", "Config") not in {"Config", None}:
        raise _unusable(path, "it is no kubeconfig (kind: Config)")
    return document


def _parsed(path: Path, content: str) -> object:
    import yaml  # noqa: PLC0415 - only a command that talks to a cluster pays for it

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    known = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag in _KEPT_TAGS]
        for first, resolvers in base.yaml_implicit_resolvers.items()
    }
    loader = type("TextLoader", (base,), {"yaml_implicit_resolvers": known})
    try:
        return yaml.load(content, loader)  # noqa: S506 - a SafeLoader that knows fewer types
    except (yaml.YAMLError, ValueError, RecursionError) as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        what = getattr(problem, "problem", None) or str(problem) or type(problem).__name__
        raise _unusable(path, where + str(what).splitlines()[0]) from None


def merge(files: Iterable[tuple[Path, Mapping[str, Any]]]) -> Kubeconfig:
    """All files as one: for each name, and for current-context, the first file that has it."""
    merged: dict[str, dict[str, Entry]] = {listed: {} for listed in _LISTS}
    origins: dict[tuple[str, str], Path] = {}
    current = ""
    for path, document in files:
        current = current or _text(document.get("current-context"))
        for listed in _LISTS:
            for name, entry in _named(path, document, listed).items():
                if name not in merged[listed]:
                    merged[listed][name] = entry
                    origins[listed, name] = path
    return Kubeconfig(merged["clusters"], merged["users"], merged["contexts"], current, origins)


def _named(path: Path, document: Mapping[str, Any], listed: str) -> dict[str, Entry]:
    named: dict[str, Entry] = {}
    for member in objects(document.get(listed)):
        name = _text(member.get("name"))
        if name in named:
            raise _unusable(path, f'duplicate name "{name}" in {listed}')
        named[name] = _with_absolute_paths(mapping(member.get(_LISTS[listed])), path)
    return named


def _with_absolute_paths(entry: Entry, path: Path) -> Entry:
    """Relative paths in a file are relative to that file; so is a command with a folder in it."""
    folder = path.absolute().parent
    resolved = dict(entry)
    for key in _PATHS:
        if _text(entry.get(key)):
            resolved[key] = str(folder / entry[key])
    command = _text(at(entry, "exec", "command"))
    if os.sep in command:
        resolved["exec"] = {**entry["exec"], "command": str(folder / command)}
    return resolved


def extension(path: Path, cluster: str, name: str) -> object:
    """The extension `name` of a cluster entry in `path`, its values typed as YAML types them."""
    import yaml  # noqa: PLC0415

    document = yaml.safe_load(path.read_bytes().decode("utf-8-sig"))
    for member in objects(at(document, "clusters")):
        if str(member.get("name")) == cluster:
            for found in objects(at(member, "cluster", "extensions")):
                if found.get("name") == name:
                    return found.get("extension")
    return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _unusable(path: Path, why: str) -> ConfigError:
    return ConfigError(f'cannot use the kubeconfig file "{path}": {why}', "check KUBECONFIG and --kubeconfig")
