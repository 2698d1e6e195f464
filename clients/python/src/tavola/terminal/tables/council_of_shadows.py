"""The table of Council of Shadows: galaxies, parties, the row of AI cards, and what the viewer holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tavola.council_of_shadows import v1
from tavola.terminal.tables.layout import line, row, seat_style, stacked
from tavola.terminal.words import Numbers, Seats, meaning, title, word

PLANETS = {
    v1.PLANET_TYPE_EARTH_LIKE: ("b", "blue"),
    v1.PLANET_TYPE_DESERT: ("d", "yellow"),
    v1.PLANET_TYPE_VOLCANO: ("v", "red"),
}


LEGEND = """\
Board: the parsec and the galaxy, then its spaces: b blue (earth-like), d desert
and v volcano planets, each with the numbers of the parties that have cubes there.
Parties: their slots have their range in brackets; the standard cards in the hands
of others are only counted."""


@cache
def galaxies() -> tuple[tuple[int, int, range], ...]:
    """Each galaxy with its parsec and its spaces, as the contract says them."""
    found = []
    first = 0
    for galaxy in v1.Galaxy.values():
        if said := re.search(r"parsec (\d+), (\d+) spaces", meaning(v1.Galaxy, galaxy)):
            found.append((galaxy, int(said[1]), range(first, first + int(said[2]))))
            first += int(said[2])
    return tuple(found)


def space_name(space: int) -> str:
    """A space as the labels write it, such as ember_crown_2."""
    for galaxy, _, spaces in galaxies():
        if space in spaces:
            return f"{word(v1.Galaxy, galaxy)} {space - spaces.start + 1}"
    return str(space)


def card_name(card: int) -> str:
    """The printed name of a card."""
    return title(v1.Card, card)


def bonus(card: int) -> str:
    """What a bonus card gives."""
    return meaning(v1.Bonus, card).rstrip(".") or word(v1.Bonus, card)


NUMBERS: Numbers = {
    **dict.fromkeys(("space", "taken"), space_name),
    v1.Card.DESCRIPTOR.full_name: card_name,
    v1.Bonus.DESCRIPTOR.full_name: bonus,
    v1.DarkTech.DESCRIPTOR.full_name: lambda card: title(v1.DarkTech, card),
}


def render(seen: v1.Observation, seats: Seats) -> RenderableType:
    """Draws what everybody sees and, for a seat, its plan and its bonus cards."""
    table = seen.table
    stacks = ", ".join(map(str, table.tile_stacks))
    return stacked(
        line(
            (f"Round {table.round}", "bold"),
            *_stage(table.stage, seats),
            f"order {seats.all(table.order)}",
            f"{seats(table.throne)} has the throne" if table.HasField("throne") else None,
        ),
        _board(table),
        *(_party(party, seats) for party in table.parties),
        _ai_row(table),
        line(
            f"tiles {stacks}",
            f"Dark Tech {', '.join(map(str, table.dark_tech))}",
            f"AI deck {table.ai_deck}",
            f"bonus deck {len(table.bonus_deck)}",
            f"Automa: {meaning(v1.AutomaCard, table.automa_card)}" if table.automa_card else None,
        ),
        *_endings(table.stage, seats),
        *_own(seen.own, seats),
    )


def _stage(stage: v1.Stage, seats: Seats) -> Iterator[str]:
    match stage.WhichOneof("kind"):
        case "drafting":
            yield f"{seats(stage.drafting.seat)}: pick a leader"
        case "buying":
            yield f"{seats(stage.buying.seat)}: buy ({stage.buying.purchases} of 3 made)"
        case "planning":
            yield "planning"
            if stage.planning.done:
                yield f"done: {seats.all(stage.planning.done)}"
        case "acting":
            acting = stage.acting
            yield f"{seats(acting.seat)}: slot {acting.slot}, {word(v1.StepKind, acting.kind).lower()}"
            if acting.left:
                yield f"{acting.left} left"
        case "scoring":
            yield f"{seats(stage.scoring.seat)}: score"
        case "level_event":
            event = stage.level_event
            yield f"{seats(event.seat)}: {word(v1.EventTask, event.task).lower()} for a level reached"
        case "ending":
            yield f"the game is over: {word(v1.EndReason, stage.ending.reason).lower()}"


def _board(table: v1.Table) -> Group:
    """The galaxies: their spaces with planets and cubes."""
    systems = {system.space: system for system in table.systems}
    board = Table.grid(padding=(0, 1, 0, 0))
    board.add_column(style="bold", no_wrap=True)
    board.add_column()
    empty = []
    for galaxy, parsec, spaces in galaxies():
        if not any(space in systems for space in spaces):
            empty.append(f"{parsec} {word(v1.Galaxy, galaxy)} ({len(spaces)})")
            continue
        stations = [
            f"{word(v1.Station, each.station)[3:]} of {party.party}"
            for party in table.parties
            for each in party.stations
            if each.galaxy == galaxy
        ]
        cells = [
            Text.assemble((f"{place}:", "dim"), _system(systems[space]) if space in systems else ("-", "dim"))
            for place, space in enumerate(spaces, 1)
        ]
        said = Text("  ").join(cells)
        if stations:
            said.append(f"  [{', '.join(stations)}]")
        board.add_row(f"{parsec} {word(v1.Galaxy, galaxy)}", said)
    return stacked(board, Text.assemble(("Nothing in ", "dim"), row(empty)) if empty else None)


def _system(system: v1.System) -> Text:
    """A tile: its planets, with the numbers of the parties whose cubes are on them."""
    planets = []
    for planet in system.planets:
        letter, style = PLANETS.get(planet.type, ("?", ""))
        said = Text(letter, style=style)
        for party, cubes in enumerate(planet.cubes):
            said.append(str(party) * cubes, style=seat_style(party))
        planets.append(said)
    return Text(" ").join(planets)


def _gems(gems: v1.Gems) -> str:
    return f"{gems.anthracite}a {gems.golden}g {gems.transparent}t"


def _party(party: v1.Party, seats: Seats) -> Text:
    slots = [
        f"{slot.slot}({slot.range}) {card_name(slot.cards[-1]) if slot.cards else '-'}"
        for slot in party.slots
    ]
    hand = row([card_name(card) for card in _worth_naming(party, seats)])
    standard = len(party.hand) - len(_worth_naming(party, seats))
    held = f"{standard} standard{' and ' if hand else ''}" if standard else ""
    said = line(
        (f"{party.party} {seats.introduced(party.party)}", seat_style(party.party)),
        f"energy {party.energy}",
        f"level {party.level}",
        f"consumption {party.consumption}",
        f"gems {_gems(party.gems)}",
        f"supply {party.supply}",
        f"bonus {party.light_bonus} light {party.dark_bonus} dark",
        f"leader {title(v1.Leader, party.leader)}" if party.leader else None,
    )
    if slots:
        said.append_text(Text.assemble("\n  slots ", row(slots), f"; hand {held}", hand))
    bought = [word(v1.Upgrade, each) for each in party.upgrades] + [
        title(v1.DarkTech, each) for each in party.dark_tech
    ]
    if bought:
        said.append_text(Text.assemble("\n  has ", row(bought)))
    return said


def _worth_naming(party: v1.Party, seats: Seats) -> list[int]:
    """The cards of a hand to name: of others those only that not everybody has."""
    return [card for card in party.hand if party.party == seats.viewer or card >= v1.CARD_AI_01]


def _ai_row(table: v1.Table) -> Text:
    return Text.assemble(
        ("AI row ", "bold"),
        row([f"{each.row} {card_name(each.card) if each.card else '-'}" for each in table.ai_row]),
    )


def _endings(stage: v1.Stage, seats: Seats) -> Iterator[Text]:
    for standing in stage.ending.standings:
        yield Text(
            f"{standing.rank}. {seats(standing.party)}: level {standing.level}, energy {standing.energy}, "
            f"{standing.cubes} cubes, {standing.upgrades} upgrades"
        )


def _own(own: v1.Own, seats: Seats) -> Sequence[Text | None]:
    plan = [
        f"slot {choice.slot} {card_name(choice.card) if choice.card else 'as it is'}"
        for choice in own.plan.choices
    ]
    held = [bonus(card) for card in own.bonus]
    tiles = [meaning(v1.Tile, tile).rstrip(".") for tile in own.tiles]
    return [
        Text(f"Your plan so far: {', '.join(plan)}", style="bold") if plan else None,
        Text(f"Your bonus cards: {'; '.join(held)}") if held else None,
        Text(f"Drawn, to keep or not: {bonus(own.bonus_drawn)}", style="bold") if own.bonus_drawn else None,
        Text(f"Tiles drawn: {' / '.join(tiles)}", style="bold") if tiles else None,
        *(
            Text(f"Dark Tech {each.level}: {', '.join(title(v1.DarkTech, card) for card in each.cards)}")
            for each in own.dark_tech
            if each.cards
        ),
        *(Text(f"{seats(each.seat)} holds {bonus(each.card)}") for each in own.known_held),
    ]
