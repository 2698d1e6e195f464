"""A bot that thinks a little about Santorini, and plays every other game at random.

It looks one step ahead: it climbs, it wins where it can, and it closes the tower on which somebody else is
about to win. `climber.py [GAME] [--bot BOT] [--games N]` plays against house bots and prints how often it
won.
"""

import argparse
import random
import sys

import tavola
from tavola import v1
from tavola.santorini import v1 as santorini

SIDE = 5
TOP = 3
"""The level on which a worker that moves up to it wins."""


def think(update: v1.Update) -> int:
    """The legal action that looks best, by chance among equals."""

    def value(legal: v1.LegalAction) -> float:
        worth = 0
        if update.observation.HasField("santorini"):
            worth = Table(update.observation.santorini, update.seat).worth(legal.action.santorini)
        return worth + random.random()

    return max(update.legal_actions, key=value).action_id


class Table:
    """The board as this bot sees it: it knows towers and workers, and not what gods do."""

    def __init__(self, seen: santorini.Observation, seat: int) -> None:
        self.levels = list(seen.board.levels)
        self.domes = set(seen.board.domes)
        sides = {player.seat: player.side for player in seen.players}
        standing = [worker for worker in seen.workers if worker.HasField("space")]
        self.spaces = {worker.worker: worker.space for worker in standing}
        ours = [sides[worker.seat] == sides[seat] for worker in standing]
        self.own = [worker.space for worker, mine in zip(standing, ours, strict=True) if mine]
        self.others = [worker.space for worker, mine in zip(standing, ours, strict=True) if not mine]

    def worth(self, action: santorini.Action) -> int:
        """How good an action is."""
        match action.WhichOneof("kind"):
            case "place_worker":
                return central(action.place_worker.space)
            case "move":
                return self._move(self.spaces[action.move.worker], action.move.to)
            case "build":
                return self._build(action.build.space, action.build.piece)
            case "pre_build":
                return self._build(action.pre_build.space, action.pre_build.piece)
            case _:
                return 0

    def _move(self, start: int, to: int) -> int:
        level = self.levels[to]
        if level == TOP and self.levels[start] == TOP - 1:
            return 1000
        steps = [space for space in beside(to) if space not in self.domes and self.levels[space] == level + 1]
        return 20 * (level - self.levels[start]) + 10 * level + 2 * len(steps) + central(to)

    def _build(self, space: int, piece: int) -> int:
        if piece == santorini.PIECE_DOME:
            return 500 if self.levels[space] == TOP and self._reach(self.others, space, TOP) else -30
        height = self.levels[space] + 1
        if height == TOP and self._reach(self.others, space, height):
            return -500
        return 10 * height * self._reach(self.own, space, height) - 5 * height * self._reach(
            self.others, space, height
        )

    def _reach(self, workers: list[int], space: int, height: int) -> bool:
        """Whether one of these could move to a space of this height."""
        return any(start in beside(space) and self.levels[start] >= height - 1 for start in workers)


def beside(space: int) -> set[int]:
    """The neighbors of a space."""
    row, column = divmod(space, SIDE)
    rows = range(max(row - 1, 0), min(row + 2, SIDE))
    columns = range(max(column - 1, 0), min(column + 2, SIDE))
    return {SIDE * r + c for r in rows for c in columns} - {space}


def central(space: int) -> int:
    """How near the center a space is: 0 at the rim, 2 in the middle."""
    return 2 - max(abs(space // SIDE - 2), abs(space % SIDE - 2))


def main() -> None:
    """Reads the command line and plays."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("game", nargs="?", default="santorini", help="a game's id (default: santorini)")
    parser.add_argument("--bot", default="random", help="the house bot to play against (default: random)")
    parser.add_argument("--games", type=int, default=1, metavar="N", help="how many games (default: 1)")
    parser.add_argument("--address", default="localhost:50051", help="(default: localhost:50051)")
    args = parser.parse_args()

    won = 0
    with tavola.connect(args.address) as client:
        for _ in range(args.games):
            host = client.create(args.game)
            me = host.join()
            for _ in client.session(me.session_id).seats[1:]:
                host.add_bot(args.bot)
            won += me.seat in me.play(think).winners
    print(f"{args.game} against {args.bot}: won {won} of {args.games}")


if __name__ == "__main__":
    try:
        main()
    except tavola.TavolaError as error:
        sys.exit(f"No game: {error}")
