"""What is written and read: a terminal, or plain text where there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from tavola import v1
from tavola.terminal import tables
from tavola.terminal.words import Seats, event


class Screen:
    """Where a command writes, and where the answers come from."""

    def __init__(self, console: Console | None = None) -> None:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # Where arrows cannot be written, the rest still can.
                stream.reconfigure(errors="replace")
        self.console = console or Console(highlight=False, soft_wrap=False)
        self.interactive = self.console.is_terminal and sys.stdin is not None and sys.stdin.isatty()
        if self.interactive:
            with suppress(ImportError):
                import readline  # noqa: F401  # `input` then edits lines.

    def show(self, *what: RenderableType) -> None:
        """Writes lines."""
        for each in what:
            self.console.print(each)

    def ask(self, prompt: str) -> str:
        """Reads a line. Raises `EOFError` when there are no more."""
        line = input(prompt)
        if not self.interactive:
            self.console.print()  # Nobody has pressed Enter.
        return line.strip()

    @property
    def lines(self) -> int | None:
        """How many lines fit on the screen. None: as many as there are."""
        return self.console.size.height if self.interactive else None

    def happened(self, events: Iterable[v1.Event], seats: Seats) -> None:
        """Writes what has happened."""
        for told in events:
            said = event(told, seats, tables.numbers(told.WhichOneof("game")))
            self.show(Text(f"· {said}", style="dim"))

    def table(self, update: v1.Update, seats: Seats) -> int:
        """Writes what lies on the table. Returns how many lines it took."""
        shown: list[RenderableType] = [""]
        if update.HasField("observation"):
            shown.append(tables.render(update.observation, seats))
        if update.clocks:
            shown.append(Text(f"Clocks: {_clocks(update.clocks, seats)}"))
        self.show(*shown)
        return len(self.console.render_lines(Group(*shown)))

    def whole(self, line: str) -> None:
        """Writes a line that is to be copied: it is not broken."""
        self.console.print(Text(line), soft_wrap=True)

    def result(self, outcome: v1.Outcome, seats: Seats) -> None:
        """Writes who has won."""
        mine = seats.viewer in outcome.winners
        others = [seats(seat) for seat in outcome.winners if seat != seats.viewer]
        if not outcome.winners:
            said = "Nobody has won."
        elif mine:
            said = f"You have won{' with ' + ', '.join(others) if others else ''}!"
        else:
            said = f"{', '.join(others)} {'have' if len(others) > 1 else 'has'} won."
        returns = ", ".join(f"{seats.introduced(seat)} {value}" for seat, value in enumerate(outcome.returns))
        self.show("", Text(said, style="bold green" if mine else "bold"), Text(f"Returns: {returns}"))


def _clocks(clocks: Sequence[v1.SeatClock], seats: Seats) -> str:
    said = []
    for clock in clocks:
        seconds = clock.remaining.seconds
        hours, minutes = divmod(seconds // 60, 60)
        left = f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
        said.append(f"{seats(clock.seat)} {left}{' (running)' if clock.running else ''}")
    return ", ".join(said)


def indented(what: RenderableType) -> Padding:
    """The same, two columns to the right."""
    return Padding(what, (0, 0, 0, 2))
