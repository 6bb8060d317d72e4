"""visible: strings from a cluster, made harmless for a terminal. Everything printed as text passes through here."""

from __future__ import annotations


def visible(text: str) -> str:
    """`text` with each character that a terminal would act on or hide (controls, escapes, line breaks, text direction,
    lone surrogates, odd blanks) written as its escape in Python's notation: backslash, x, 1, b for ESC."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
