"""What the tables of the games have in common."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

SEAT_STYLES = (
    *("bold cyan", "bold yellow", "bold magenta", "bold green"),
    *("bold red", "bold blue", "bold", "italic"),
)
JOINED = "\ue000"
"""Stands for a space at which a line is not broken."""
JOINED_MAX = 40


class Flow:
    """A text that is broken between its parts, with the lines after the first indented."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Breaks it into lines."""
        fits = "\n" not in self._text.plain and self._text.cell_len <= options.max_width
        width = options.max_width if fits else options.max_width - 2
        for number, part in enumerate(self._text.wrap(console, width)):
            part.plain = part.plain.replace(JOINED, " ")
            part.rstrip()
            if number:
                part.pad_left(2)
            yield part


def seat_style(seat: int) -> str:
    """The color of a seat."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def beside(left: RenderableType, right: RenderableType) -> Table:
    """Two things side by side."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_row(left, right)
    return grid


def stacked(*lines: RenderableType | None) -> Group:
    """Things one below another, those that are there."""
    present = (line for line in lines if line is not None)
    return Group(*(Flow(line) if isinstance(line, Text) else line for line in present))


def line(*parts: str | tuple[str, str] | Text | None) -> Text:
    """A line of parts, those that are there, with dots between them."""
    return Text(" · ").join(_joined(part) for part in parts if part)


def row(parts: Sequence[str | tuple[str, str] | Text]) -> Text:
    """Parts with commas between them."""
    return Text(", ").join(_joined(part) for part in parts)


def _joined(part: str | tuple[str, str] | Text) -> Text:
    """A part that is not broken unless it is long."""
    if isinstance(part, tuple):
        text = Text(part[0], style=part[1])
    else:
        text = Text(part) if isinstance(part, str) else part.copy()
    if len(text) <= JOINED_MAX:
        text.plain = text.plain.replace(" ", JOINED)
    return text
