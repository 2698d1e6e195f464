"""The legal actions as a numbered list, and the dialog that picks one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.text import Text

from tavola import v1
from tavola.terminal import tables
from tavola.terminal.screen import Screen
from tavola.terminal.words import explained

LINES_MIN = 5
"""Lines of the list that are shown at least, even if the table then does not fit on the screen."""
HELP = """\
  12         answers with number 12 of the list
  text       lists the answers that have these words, or parts of words, in them
  all        lists all answers
  Enter      shows the table again
  ? card     what a card, a god or the like does, by its name or a part of it
  q          leaves the table; it waits, and you are told how to come back
  ?          this help"""


def choose(
    screen: Screen, game: str, legal: Sequence[v1.LegalAction], show_table: Callable[[], int]
) -> v1.LegalAction | None:
    """Asks until one of the actions is picked: none if the person leaves. Raises `EOFError`."""
    listed = list(range(len(legal)))
    whole = False
    table_lines = show_table()
    span = f"1 to {len(legal)}" if len(legal) > 1 else "1"
    while True:
        fits = None if screen.lines is None or whole else max(LINES_MIN, screen.lines - table_lines - 2)
        _show(screen, legal, listed, fits)
        while True:
            said = screen.ask(f"Your answer ({span}, or ? for help): ")
            if said.isdecimal():
                if 1 <= int(said) <= len(legal):
                    return legal[int(said) - 1]
                screen.show(f"There is no number {said} here: {span}.")
            elif said == "q":
                return None
            elif said == "?":
                screen.show(Text(HELP), "", Text(tables.LEGENDS.get(game, "")))
            elif said.startswith("?"):
                _explain(screen, game, said[1:].strip())
            else:
                break
        if not said:
            show_table()
        matching = _matching(legal, said)
        if said == "all" or not said:
            listed, whole = list(range(len(legal))), said == "all"
        elif matching:
            listed, whole = matching, True
        else:
            screen.show(Text(f"No answer has “{said}” in it."))
            listed, whole = list(range(len(legal))), False


def _matching(legal: Sequence[v1.LegalAction], said: str) -> list[int]:
    """The places of the actions whose labels have all words of what was said."""
    words = said.casefold().split()
    return [place for place, action in enumerate(legal) if all(each in _label(action) for each in words)]


def _label(action: v1.LegalAction) -> str:
    return (action.label or f"action {action.action_id}").casefold()


def _show(screen: Screen, legal: Sequence[v1.LegalAction], listed: Sequence[int], fits: int | None) -> None:
    """Writes the list in columns; where it is too long for the screen, only its beginning."""
    digits = len(str(len(legal)))
    entries = [f"{place + 1:>{digits}} {legal[place].label or legal[place].action_id}" for place in listed]
    widest = max(cell_len(entry) for entry in entries)
    columns = max(1, (screen.console.width + 2) // (widest + 2))
    rows = -(-len(entries) // columns)
    if fits is not None and rows > fits:
        rows = fits - 1
        left = len(entries) - rows * columns
        entries = entries[: rows * columns]
    else:
        left = 0
    for row in range(rows):
        line = entries[row::rows]
        text = Text("  ".join(entry + " " * (widest - cell_len(entry)) for entry in line).rstrip())
        text.highlight_regex(r"(^|(?<=  ))\s*\d+(?= )", "bold cyan")
        screen.show(text)
    if left > 0:
        screen.show(Text(f"... and {left} more: type a part of what you look for, or “all”", style="dim"))


def _explain(screen: Screen, game: str, part: str) -> None:
    """Writes what cards of these names do."""
    found = explained(game, part)
    for name, text in found[:8]:
        screen.show(Text.assemble((name, "bold"), f": {text}"))
    if not found:
        screen.show(Text(f"Nothing in this game is called “{part}”."))
    elif len(found) > 8:
        screen.show(Text(f"... and {len(found) - 8} more", style="dim"))
