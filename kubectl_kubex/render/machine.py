"""Documents as JSON and YAML. Both escape by encoding whatever a terminal would act on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from kubectl_kubex.render.documents import Document

# Plain YAML for words only; anything that a YAML 1.1 or 1.2 reader might take for another type is quoted.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./()-]+)*", re.ASCII)
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def to_json(document: Document) -> str:
    """Indented by four, as kubectl prints."""
    return _escaped(json.dumps(document, indent=4, ensure_ascii=False), _json_escape) + "\n"


def to_yaml(document: Document) -> str:
    """Every string that could be read as something else is quoted, so any reader gets the same document."""
    import yaml  # noqa: PLC0415 - only this format needs it

    class Dumper(yaml.SafeDumper):
        """The safe dumper with stricter quoting."""

        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the overridden signature
            return True

    def represent(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')

    Dumper.add_representer(str, represent)
    text = yaml.dump(document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=2**31)
    return _escaped(text, _yaml_escape)


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    """Non-printable characters escaped; in both formats they can stand inside quotes only."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(c if c.isprintable() or c == "\n" else escape(c) for c in text)


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def _yaml_escape(character: str) -> str:
    return f"\\U{ord(character):08x}" if ord(character) > 0xFFFF else f"\\u{ord(character):04x}"
