"""The table of Shadow Hunters: the areas, the players with their damage, and what the viewer knows."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tavola.shadow_hunters import v1
from tavola.terminal.tables.layout import line, row, seat_style, stacked
from tavola.terminal.words import Seats, meaning, word

LEGEND = """\
Of each deck, the cards left to draw (and those that were discarded). Areas in one
box are neighbors."""
MEMORIES = 4
"""How many Hermit cards are recalled, the latest."""


def render(seen: v1.Observation, seats: Seats) -> RenderableType:
    """Draws what everybody sees and, for a seat, its character and what it was shown."""
    table = seen.table
    piles = (
        f"white {table.white_draw} (+{len(table.white_discard)})",
        f"black {table.black_draw} (+{len(table.black_discard)})",
        f"Hermit {table.hermit_draw} (+{table.hermit_discard})",
    )
    active = f"turn of {seats(table.active_seat)}" if table.HasField("active_seat") else None
    return stacked(
        line(
            (f"Turn {table.turn}" if table.turn else "Opening", "bold"), active, f"cards {', '.join(piles)}"
        ),
        _areas(table, seats),
        _players(table, seats),
        _question(table, seats),
        *_own(seen.own, seats),
    )


def _areas(table: v1.Table, seats: Seats) -> RenderableType:
    """The six areas, in their three pairs."""
    ring = Table(box=box.SQUARE, show_header=False, padding=(0, 1))
    for _ in range(3):
        ring.add_column(width=23)
    cells = []
    for slot, area in enumerate(table.areas):
        here = [
            (seats(player.seat), seat_style(player.seat))
            for player in table.players
            if player.HasField("slot") and player.slot == slot and player.alive
        ]
        name = meaning(v1.Area, area).rstrip(".") or word(v1.Area, area)
        cells.append(stacked(Text(name, style="bold"), Text.assemble("  ", row(here))))
    for first in range(2):
        ring.add_row(*cells[first::2])
    return ring


def _players(table: v1.Table, seats: Seats) -> RenderableType:
    players = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in "player", "character", "damage", "equipment and marks":
        players.add_column(column)
    for player in table.players:
        character = hit_points = ""
        if player.HasField("character"):
            character, hit_points = described(player.character)
        damage = f"{player.damage}{f' of {hit_points}' if hit_points else ''}"
        name = Text(
            seats.introduced(player.seat), style=seat_style(player.seat) if player.alive else "strike dim"
        )
        marks = [*(word(v1.Card, card) for card in player.equipment), *_marks(player)]
        players.add_row(name, Text(character or "hidden"), damage, stacked(row(marks)))
    return players


def described(character: int) -> tuple[str, str]:
    """A character with its side, and its hit points, as the contract says them."""
    side, _, points = meaning(v1.Character, character).partition(": ")[2].partition(", ")
    name = word(v1.Character, character)
    return f"{name} ({side})" if side else name, points.split(" ")[0]


def _marks(player: v1.Player) -> list[str]:
    marks = {
        "dead": not player.alive,
        "died first": player.died_first,
        "has left": player.resigned,
        "ability used": player.ability_used or player.ability_used_this_turn,
        "ability void": player.ability_void,
        "Guardian Angel": player.guardian,
        "Ghostly Barrier": player.barrier,
        f"{player.extra_turns} more turns": player.extra_turns > 0,
        "looks left": player.capriccio,
    }
    return [f"[{mark}]" for mark, holds in marks.items() if holds]


def _question(table: v1.Table, seats: Seats) -> Text | None:
    if table.HasField("end_reason"):
        return Text(f"The game is over: {word(v1.EndReason, table.end_reason).lower()}.", style="bold")
    asked = [frame.question for frame in table.frames if frame.HasField("question")]
    attacks = [frame.attack for frame in table.frames if frame.HasField("attack")]
    said = [
        Text(f"{seats(attack.attacker)} attacks {seats.all(attack.targets)}{_dice(attack.dice)}", style="red")
        for attack in attacks
    ]
    for question in asked:
        kind = word(v1.QuestionKind, question.kind).lower()
        areas = [word(v1.Area, area) for area in question.areas]
        said.append(
            line(
                (
                    f"{seats(question.seat)}: {kind}{_dice(question.dice)}{_dice(question.second_dice)}",
                    "bold",
                ),
                f"about {seats(question.player)}" if question.HasField("player") else None,
                f"concerns {seats.all(question.targets)}" if question.targets else None,
                word(v1.Card, question.card) if question.HasField("card") else None,
                f"to {', '.join(areas)}" if areas else None,
                f"{question.damage} damage" if question.HasField("damage") else None,
            )
        )
    return Text("\n").join(said) if said else None


def _dice(dice: v1.Dice) -> str:
    rolled = [f"d6 {dice.d6}"] * dice.HasField("d6") + [f"d4 {dice.d4}"] * dice.HasField("d4")
    return f" ({', '.join(rolled)})" if rolled else ""


def _own(own: v1.Hand, seats: Seats) -> Sequence[Text | None]:
    if not own.character:
        return []
    character, hit_points = described(own.character)
    shown = [f"{seats(each.seat)} is {described(each.character)[0]}" for each in own.identities]
    lines: list[Text | None] = [
        line((f"You are {character}", "bold"), f"{hit_points} hit points", *shown),
    ]
    if own.HasField("hermit_card"):
        lines.append(Text(f"Your Hermit card: {hermit(own.hermit_card)}", style="bold"))
    for memory in own.memories[-MEMORIES:]:
        given = f" {word(v1.Card, memory.equipment)}" if memory.HasField("equipment") else ""
        answer = word(v1.HermitAnswer, memory.answer).lower()
        lines.append(
            Text(
                f"Turn {memory.turn}: {seats(memory.giver)} gave {seats(memory.receiver)} "
                f"{hermit(memory.card)}: {answer}{given}",
                style="dim",
            )
        )
    return lines


def hermit(card: int) -> str:
    """The name of a Hermit card."""
    return meaning(v1.HermitCard, card).rstrip(".") or word(v1.HermitCard, card)
