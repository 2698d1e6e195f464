"""Plays games between bots over the wire, many at once, and prints how many went wrong.

The server is TAVOLA_ADDRESS, or is started from TAVOLA_SERVER_BINARY. The exit code is 1 if anything went
wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time

import real

import tavola
from tavola import v1
from tavola.citadels import v1 as citadels


def options_for(game: str, seats: int) -> v1.Options | None:
    """What a game needs to be said with so many seats: eight players of Citadels need a ninth character."""
    if (game, seats) == ("citadels", 8):
        return v1.Options(citadels=citadels.Options(bonus_characters=[citadels.CHARACTER_QUEEN]))
    return None


async def play_one(client: tavola.aio.Client, game: str, seats: int, seed: int) -> int:
    """Plays a game with a random bot on each seat. Returns the number of plies; a seed fixes it."""
    plies = 0

    def bot(seat: int) -> tavola.Policy:
        chance = random.Random(f"{seed} {seat}")

        def policy(update: v1.Update) -> int:
            nonlocal plies
            plies += 1
            return chance.choice(update.legal_action_ids)

        return policy

    host = await client.create(game, seats, options_for(game, seats), seed=seed)
    joined = [await host.join() for _ in range(seats)]
    outcomes = await asyncio.gather(*(seat.play(bot(seat.seat), v1.VIEW_LEAN) for seat in joined))
    if any(outcome != outcomes[0] for outcome in outcomes):
        raise AssertionError(f"{host} has a different result for each player")
    await host.delete()
    return plies


async def play_all(address: str, games: int, at_once: int, game: str | None, seed: int) -> tuple[int, int]:
    """Plays `games` games, with `at_once` going on. Returns the plies and the errors."""
    plies = errors = 0
    numbers = iter(range(games))
    async with tavola.aio.connect(address) as client:
        tables = [
            (each.game, seats)
            for each in await client.games()
            for seats in range(each.seats_min, each.seats_max + 1)
            if game in (each.game, None)
        ]
    if not tables:
        sys.exit(f"no game {game!r} at {address}")

    async def work() -> None:
        nonlocal plies, errors
        async with tavola.aio.connect(
            address
        ) as client:  # Its own: a connection carries only so many streams.
            for number in numbers:
                table, seats = tables[number % len(tables)]
                try:
                    played = await play_one(client, table, seats, seed + number)
                    plies += played  # In a step of its own: `plies += await ...` would forget the others'.
                except Exception as error:  # Whatever it is: it counts, and the other games go on.
                    errors += 1
                    print(f"game {number}, {table} with {seats} seats: {error!r}", file=sys.stderr)

    await asyncio.gather(*(work() for _ in range(at_once)))
    return plies, errors


def main() -> None:
    """Reads the command line and plays."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="(default: 1000)")
    parser.add_argument("--at-once", type=int, default=12, help="games that go on at once (default: 12)")
    parser.add_argument("--game", help="a game's id (default: all games in turn)")
    parser.add_argument("--seed", type=int, default=0, help="of the first game (default: 0)")
    args = parser.parse_args()
    if not real.configured():
        parser.error(f"set {real.ADDRESS} or {real.BINARY}")

    with real.server() as address:
        began = time.monotonic()
        plies, errors = asyncio.run(play_all(address, args.games, args.at_once, args.game, args.seed))
        seconds = time.monotonic() - began
    print(f"{args.games} games, {plies} plies, {errors} errors, {seconds:.1f} s")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
