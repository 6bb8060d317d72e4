"""Paper: lines and tables as text. By construction nothing reaches it unescaped, and colour comes from it alone."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from kubectl_kubex.render.visible import visible

_RESET = "\x1b[0m"
_MIN_WIDTH = 40  # below this a line is let run over: wrapping would only make it worse
_MIN_ROOM = 20  # the same for the last column of a table


class Style(str, Enum):
    """The few colours in use, as terminal codes."""

    PLAIN = ""
    STRONG = "\x1b[1m"
    FAINT = "\x1b[2m"
    ALERT = "\x1b[33m"
    ADDED = "\x1b[32m"
    REMOVED = "\x1b[31m"


@dataclass(frozen=True)
class Page:
    """What the output goes to. `width` None: no limit, as in a pipe."""

    width: int | None = None
    colour: bool = False
    unicode: bool = True


@dataclass(frozen=True)
class Cell:
    """A piece of a table with its style."""

    text: str
    style: Style = Style.PLAIN


@dataclass(frozen=True)
class Note:
    """A line under a row of a table."""

    text: str
    style: Style = Style.PLAIN


class Paper:
    """Collects lines. Text is escaped here; callers hand in what the cluster said as it is."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._lines: list[str] = []

    def line(self, text: str, style: Style = Style.PLAIN, *, indent: int = 0, hang: int = 2) -> None:
        """One paragraph, wrapped at the page's width; later lines stand `hang` further in."""
        self._lines += [self._paint(line, style) for line in self._wrapped(visible(text), indent, hang)]

    def raw(self, text: str, style: Style = Style.PLAIN) -> None:
        """One line that is never wrapped, such as a branch of a tree."""
        self._lines.append(self._paint(visible(text), style))

    def blank(self) -> None:
        self._lines.append("")

    def fields(self, pairs: Sequence[tuple[str, str]]) -> None:
        """`Name:  value` lines, values aligned."""
        widest = max((len(name) for name, _ in pairs), default=0) + 2
        for name, value in pairs:
            self.line(f"{name + ':':<{widest}} {value}", hang=widest + 1)

    def table(
        self,
        headers: Sequence[str] | None,
        rows: Sequence[Sequence[Cell]],
        notes: Mapping[int, Sequence[Note]] | None = None,
        *,
        indent: int = 0,
    ) -> None:
        """Aligned columns, the last one wrapped where it must be; `notes` are lines under the row of that index."""
        room = self._room(headers, rows, indent)
        folded = [_folded(row, room) for row in rows]
        lines = self.grid(headers, [part for parts in folded for part in parts])
        if headers is not None:
            self._lines.append(" " * indent + lines.pop(0))
        for index, parts in enumerate(folded):
            self._lines += [" " * indent + line for line in lines[: len(parts)]]
            lines = lines[len(parts) :]
            for note in (notes or {}).get(index, ()):
                self.line(note.text, note.style, indent=indent + 2)

    def _room(self, headers: Sequence[str] | None, rows: Sequence[Sequence[Cell]], indent: int) -> int | None:
        """The columns of the page that the last cell of a row can have; None where nothing needs wrapping."""
        if self.page.width is None or not rows:
            return None
        columns = [[cell.text for cell in column] for column in zip(*rows, strict=True)]
        widest = [max(_width(visible(text)) for text in column) for column in columns]
        titles = [_width(visible(title)) for title in headers or [""] * len(columns)]
        taken = [max(pair) for pair in zip(widest, titles, strict=True)]
        room = self.page.width - indent - sum(width + 2 for width in taken[:-1])
        return room if _MIN_ROOM <= room < taken[-1] else None

    def grid(self, headers: Sequence[str] | None, rows: Sequence[Sequence[Cell]]) -> list[str]:
        """The lines of a table, not yet on the paper: the header first, if any, then one a row."""
        from tabulate import tabulate  # noqa: PLC0415 - slow to import, and only tables need it

        head = [] if headers is None else [[visible(header) for header in headers]]
        body = [[self._paint(visible(cell.text), cell.style) for cell in row] for row in rows]
        if not head and not body:
            return []
        # preserve_whitespace and disable_numparse: `  x` stays indented, 0012 and 1e3 stay what they are
        text = tabulate([*head, *body], tablefmt="plain", disable_numparse=True, preserve_whitespace=True)
        return [line.rstrip() for line in text.split("\n")]

    def fits(self, lines: Sequence[str]) -> bool:
        """Whether no line of a grid is wider than the page."""
        return self.page.width is None or all(_width(line) <= self.page.width for line in lines)

    def text(self) -> str:
        return "".join(line.rstrip() + "\n" for line in self._lines)

    def _wrapped(self, text: str, indent: int, hang: int) -> list[str]:
        first = " " * indent
        if self.page.width is None or len(first + text) <= max(self.page.width, _MIN_WIDTH):
            return [first + text]
        return textwrap.wrap(
            text,
            max(self.page.width, _MIN_WIDTH),
            initial_indent=first,
            subsequent_indent=" " * (indent + hang),
            break_long_words=False,
            break_on_hyphens=False,
        )

    def _paint(self, text: str, style: Style) -> str:
        if not self.page.colour or not style.value or not text.strip():
            return text
        return f"{style.value}{text}{_RESET}"


def _folded(row: Sequence[Cell], room: int | None) -> list[Sequence[Cell]]:
    """`row` as the lines that its last cell takes in `room`."""
    if room is None:
        return [row]
    last = row[-1]
    first, *more = textwrap.wrap(visible(last.text), room, break_long_words=False, break_on_hyphens=False) or [""]
    others = [Cell("")] * (len(row) - 1)
    return [[*row[:-1], Cell(first, last.style)], *([*others, Cell(line, last.style)] for line in more)]


def _width(line: str) -> int:
    """Columns that `line` takes on a terminal; our own colour codes take none."""
    from wcwidth import wcswidth  # noqa: PLC0415 - as tabulate

    for style in Style:
        line = line.replace(style.value, "") if style.value else line
    return max(wcswidth(line.replace(_RESET, "")), 0)
