"""The drawings of the games, against what a real server says is on the table."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.console import Console
from thousand_games import options_for

import tavola
from tavola import v1
from tavola.citadels import v1 as citadels
from tavola.council_of_shadows import v1 as council
from tavola.santorini import v1 as santorini
from tavola.shadow_hunters import v1 as hunters
from tavola.terminal import tables
from tavola.terminal.tables.citadels import facts
from tavola.terminal.tables.council_of_shadows import galaxies, space_name
from tavola.terminal.tables.santorini import worker_name
from tavola.terminal.tables.shadow_hunters import described
from tavola.terminal.tables.under_falling_skies import die_name, ship_name
from tavola.terminal.words import Seats, event, meaning, title, word
from tavola.under_falling_skies import v1 as skies

WIDTH = 80


def drawn(observation: v1.Observation, seats: Seats) -> list[str]:
    """The lines of a drawing, without color."""
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    console.print(tables.render(observation, seats))
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def flat(lines: list[str]) -> str:
    """The lines as one, for what may be broken."""
    return " ".join(" ".join(lines).split())


def updates(client: tavola.Client, game: str, seats: int, seed: int) -> Iterator[v1.Update]:
    """The updates of a seat and, at the end of the game, of a spectator, in a game between random players."""
    chance = random.Random(seed)
    host = client.create(game, seats, options_for(game, seats), seed=seed)
    seat = host.join()
    for _ in range(seats - 1):
        host.add_bot("random")
    for update in seat.watch():
        yield update
        if seat.seat in update.decision.seats:
            seat.answer(update.decision.decision_id, chance.choice(update.legal_actions).action_id)
    yield from client.watch(host.session_id)


def check_santorini(seen: santorini.Observation, seats: Seats, lines: list[str]) -> None:
    rows = {line[1]: line.split("│")[2:7] for line in lines if re.match(r"│[1-5]│", line)}
    standing = {
        worker.space: worker_name(worker.worker) for worker in seen.workers if worker.HasField("space")
    }
    for space in range(25):
        cell = rows[str(space // 5 + 1)][space % 5].split()
        level = seen.board.levels[space]
        ground = f"{level or ''}(D)" if space in seen.board.domes else str(level or "·")
        assert cell == [ground, *([standing[space]] if space in standing else [])]
    for player in seen.players:
        assert f"P{player.side + 1} {seats.introduced(player.seat)}" in flat(lines)


def check_citadels(seen: citadels.Observation, seats: Seats, lines: list[str]) -> None:
    text = flat(lines)
    for seat, board in enumerate(seen.table.boards):
        name = re.escape(seats.introduced(seat))
        first = next(place for place, line in enumerate(lines) if re.match(rf"{name} (·|\[crown)", line))
        line = flat(lines[first:])
        assert re.match(rf"[^:]*· {board.gold} gold · {board.hand_size} cards", line)
        city = ", ".join(
            f"{word(citadels.District, each.district)} {facts(each.district)[1]}{'+1' * each.beautified}"
            for each in board.city
        )
        assert line.partition(": ")[2].startswith(city or "no districts")
    hand = ", ".join(f"{word(citadels.District, card)} {facts(card)[1]}" for card in seen.own.hand)
    assert ("Your hand: " + hand in text) == bool(hand)


def check_shadow_hunters(seen: hunters.Observation, seats: Seats, lines: list[str]) -> None:
    text = flat(lines)
    for player in seen.table.players:
        name = seats.introduced(player.seat)
        line = next(line for line in lines if line.startswith(f"{name}  "))
        if player.HasField("character"):
            character, hit_points = described(player.character)
            assert f" {character} " in line
            assert f" {player.damage} of {hit_points}" in line
        else:
            assert re.match(rf"{re.escape(name)} +hidden +{player.damage}\b", line)
        assert all(word(hunters.Card, card) in text for card in player.equipment)
    if seen.own.character:
        assert f"You are {described(seen.own.character)[0]} ·" in text
    else:
        assert "You are" not in text


def check_under_falling_skies(seen: skies.Observation, _: Seats, lines: list[str]) -> None:
    battle = seen.battle
    text = flat(lines)
    rows = {line[:2].strip(): line for line in lines if re.match(r"[ \d]\d ", line)}
    for ship in battle.ships:
        if ship.place.kind == skies.SHIP_PLACE_KIND_SKY:
            assert ship_name(ship.ship) in rows[str(ship.place.row)][3 + 5 * ship.place.column :][:6]
        elif ship.place.kind == skies.SHIP_PLACE_KIND_POOL:
            assert re.search(rf"on the mothership: .*{ship_name(ship.ship)}", text)
    for die in battle.worker_dice:
        if die.place != skies.DIE_PLACE_LEFT:
            assert f"{die_name(die.die)}:{die.face}" in text
    for room in battle.rooms:
        assert f"{room.space}" in text
    for fact in (
        f"energy {battle.energy} of {battle.energy_max}",
        f"damage {battle.damage} of {battle.damage_limit}",
        f"research {battle.research} of {battle.victory_space}",
    ):
        assert fact in " ".join(line[40:].strip() for line in lines)


def check_council_of_shadows(seen: council.Observation, seats: Seats, lines: list[str]) -> None:
    text = flat(lines)
    for party in seen.table.parties:
        gems = f"{party.gems.anthracite}a {party.gems.golden}g {party.gems.transparent}t"
        assert (
            f"{party.party} {seats.introduced(party.party)} · energy {party.energy} · level {party.level} · "
            f"consumption {party.consumption} · gems {gems} · supply {party.supply}" in text
        )
        assert all(title(council.DarkTech, each) in text for each in party.dark_tech)
    letters = {1: "b", 2: "d", 3: "v"}
    for system in seen.table.systems:
        name, place = space_name(system.space).rsplit(" ", 1)
        planets = " ".join(
            letters[planet.type] + "".join(str(party) * cubes for party, cubes in enumerate(planet.cubes))
            for planet in system.planets
        )
        line = next(line for line in lines if line[2:].startswith(name))
        assert f"{place}:{planets}" in line
    for position in seen.table.ai_row:
        if position.card:
            assert f"{position.row} {title(council.Card, position.card)}" in text
    assert ("Your bonus cards" in text) == bool(seen.own.bonus)


CHECKS: dict[str, Callable[[Any, Seats, list[str]], None]] = {
    "citadels": check_citadels,
    "council_of_shadows": check_council_of_shadows,
    "santorini": check_santorini,
    "shadow_hunters": check_shadow_hunters,
    "under_falling_skies": check_under_falling_skies,
}


@pytest.mark.parametrize("game", sorted(CHECKS))
def test_a_drawing_shows_what_is_on_the_table(address: str, game: str) -> None:
    with tavola.connect(address) as client:
        known = next(each for each in client.games() if each.game == game)
        for count in {known.seats_min, known.seats_max}:
            seats = Seats()
            shown = 0
            for update in updates(client, game, count, seed=count):
                if update.HasField("session"):
                    seats = Seats.of(update.session, update.seat if update.HasField("seat") else None)
                for told in update.events:
                    said = event(told, seats, tables.numbers(game))
                    assert "too old" not in said
                    assert not re.search(r"[A-Z]_|Unspecified", said), said
                if update.HasField("observation"):
                    lines = drawn(update.observation, seats)
                    assert all(len(line) <= WIDTH for line in lines)
                    CHECKS[game](getattr(update.observation, game), seats, lines)
                    shown += 1
            assert shown > 10


def test_every_game_is_drawn(address: str) -> None:
    with tavola.connect(address) as client:
        games = {game.game for game in client.games()}
    assert games == set(CHECKS) == set(tables.LEGENDS)


def test_the_contract_says_what_the_drawings_rely_on() -> None:
    for district in citadels.District.values()[1:]:
        color, cost = facts(district)
        assert color in {"yellow", "blue", "green", "red", "purple"}
        assert cost.isdigit()
    for character in hunters.Character.values()[1:]:
        name, hit_points = described(character)
        assert re.search(r"\((Hunter|Shadow|Neutral)\)$", name)
        assert hit_points.isdigit()
    assert [space for _, _, spaces in galaxies() for space in spaces] == list(range(30))
    for enum in council.Card, council.DarkTech, council.Bonus, council.Leader, council.Upgrade:
        assert all(meaning(enum, value) for value in enum.values())


def test_what_is_newer_than_the_client_is_shown_as_a_number() -> None:
    assert word(citadels.District, 999) == "District 999"
    assert word(hunters.QuestionKind, 999) == "Question kind 999"
    assert meaning(citadels.District, 999) == ""
    assert "too old" in event(v1.Event(), Seats(), {})
    observation = v1.Observation()
    observation.citadels.table.boards.add(gold=3).city.add(district=999)
    assert "District 999 ?" in flat(drawn(observation, Seats(seats=1)))


def test_a_game_that_is_newer_than_the_client_does_not_break_it() -> None:
    assert "too old" in flat(drawn(v1.Observation(), Seats()))
