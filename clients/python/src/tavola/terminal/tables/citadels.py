"""The table of Citadels: the cities, and what the viewer holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from tavola.citadels import v1
from tavola.terminal.tables.layout import line, row, seat_style, stacked
from tavola.terminal.words import Seats, meaning, word

LEGEND = """\
In the row of the characters * has been revealed, and whom the call has come to is
marked. A number after a district is its cost, +1 the gold on it."""
STYLES = {"yellow": "yellow", "blue": "blue", "green": "green", "red": "red", "purple": "magenta"}


def render(seen: v1.Observation, seats: Seats) -> RenderableType:
    """Draws what everybody sees and, for a seat, its hand."""
    table = seen.table
    return stacked(
        line(
            (f"Round {table.round}", "bold"),
            _stage(table, seats),
            f"{table.deck_size} cards in the deck",
            f"{table.bank_gold} gold in the bank" if table.HasField("bank_gold") else None,
            f"a city is complete with {table.complete_districts}",
        ),
        _calls(table),
        *(_player(table, seat, seats) for seat in range(len(table.boards))),
        _end(table, seats),
        *_own(seen.own, seats),
    )


def district(card: int, gold: bool = False) -> Text:
    """A district in its color, with its cost."""
    color, cost = facts(card)
    return Text(f"{word(v1.District, card)} {cost}{'+1' if gold else ''}", style=STYLES.get(color, ""))


def facts(card: int) -> tuple[str, str]:
    """Color and cost of a district, as the contract says them."""
    said = re.search(r": (\w+), cost (\d+)", meaning(v1.District, card))
    return (said[1], said[2]) if said else ("", "?")


def _stage(table: v1.Table, seats: Seats) -> str:
    what = word(v1.Stage, table.stage).lower()
    return f"{seats(table.decider)}: {what}" if table.HasField("decider") else what


def _calls(table: v1.Table) -> Text:
    calls = table.calls
    shown = {role.character: role.seat for role in calls.revealed}
    ranks: list[Text] = []
    for rank, character in enumerate(table.characters, 1):
        style = "bold reverse" if rank == calls.called_rank else ""
        if character in calls.face_up:
            style = "strike dim"
        ranks.append(Text(f"{rank} {word(v1.Character, character)}", style=style))
        if character in shown:
            ranks[-1].append("*")
    marks = [
        f"{word(v1.Character, character)} is {what}"
        for what, character in (
            ("murdered", calls.murdered),
            ("robbed", calls.robbed),
            ("bewitched", calls.bewitched),
        )
        if character
    ]
    out = [word(v1.Character, character) for character in calls.face_up]
    return line(
        row(ranks), f"face up: {', '.join(out)}" if out else None, *((mark, "bold red") for mark in marks)
    )


def _player(table: v1.Table, seat: int, seats: Seats) -> Text:
    board = table.boards[seat]
    crown = " [crown]" if table.HasField("crown_seat") and table.crown_seat == seat else ""
    roles = [word(v1.Character, role.character) for role in table.calls.revealed if role.seat == seat]
    points = f"{table.scores[seat].total} points" if seat < len(table.scores) else None
    said = line(
        (f"{seats.introduced(seat)}{crown}", seat_style(seat)),
        ", ".join(roles) or None,
        f"{board.gold} gold",
        f"{board.hand_size} cards",
        (points, "bold") if points else None,
        "has left" if seat in table.left_seats else None,
    )
    city = row([district(built.district, built.beautified) for built in board.city])
    return Text.assemble(said, ": ", city if board.city else ("no districts", "dim"))


def _end(table: v1.Table, seats: Seats) -> Text | None:
    if not table.HasField("end"):
        return None
    first = table.end.first_complete_seat if table.end.HasField("first_complete_seat") else None
    by = f": the city of {seats(first)} is complete" if first is not None else ""
    return Text(f"This round is the last{by}.", style="bold")


def _own(own: v1.Own, seats: Seats) -> Sequence[Text | None]:
    picked = [word(v1.Character, pick.picked) for pick in own.picks if pick.picked]
    return [
        Text.assemble(("Your hand: ", "bold"), row([district(card) for card in own.hand]))
        if own.hand
        else None,
        Text(f"You are {' and '.join(picked)}.", style="bold") if picked else None,
        Text(f"You laid {word(v1.Character, own.discarded)} face down.") if own.discarded else None,
        Text(f"The face-down card is {word(v1.Character, own.face_down)}.") if own.face_down else None,
        _cards("In view: ", own.cards_in_view),
        _cards("You took: ", [own.taken] if own.taken else []),
        _cards("Under your Museum: ", own.museum),
        _cards("In the deck: ", own.deck_seen),
        *(
            _cards(f"You know of the hand of {seats(hand.seat)}: ", hand.cards)
            for hand in own.known.hands
            if hand.seat != seats.viewer
        ),
    ]


def _cards(what: str, cards: Sequence[v1.District.ValueType]) -> Text | None:
    return Text.assemble(what, row([district(card) for card in cards])) if cards else None
