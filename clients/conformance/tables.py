"""Seats a player of each language at one table: `tables.py --server BINARY`; see README.md.

They are separate programs that share nothing but the contract. The last line counts the tables that were
played to the end; the exit code is 1 if any was not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from kit.adapter import Wrong
from kit.languages import Language, languages
from kit.servers import RealServer
from kit.table import Table
from tavola import v1

TABLES = (("citadels", 5), ("shadow_hunters", 5))


def play(address: str, game: str, players: Sequence[Language], timeout: float) -> None:
    """Plays a game with a program on each seat. Raises `Wrong` if it is not played to the end by all."""
    table = Table(address, game, len(players))
    running = [
        subprocess.Popen(
            [*player.player, address, table.session_id],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for player in players
    ]
    until = time.monotonic() + timeout
    try:
        results = [_result(player, process, until) for player, process in zip(players, running, strict=True)]
    finally:
        for process in running:
            process.kill()
            process.wait()
    session = table.session()
    if session.status != v1.SESSION_STATUS_FINISHED:
        raise Wrong("the players have ended, and the game has not")
    outcome = session.outcome
    for player, result in zip(players, results, strict=True):
        told = result.get("winners"), result.get("returns")
        if told != (list(outcome.winners), list(outcome.returns)):
            raise Wrong(f"{player.name} tells {result}, and the session {outcome}")
    seats = sorted(result.get("seat", -1) for result in results)
    if seats != list(range(len(players))):
        raise Wrong(f"the players sat on the seats {seats}")


def _result(player: Language, process: subprocess.Popen[str], until: float) -> dict[str, Any]:
    """What a player prints: its seat and the result."""
    try:
        said, wrong = process.communicate(timeout=max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise Wrong(f"{player.name} does not come to an end") from None
    if process.returncode:
        raise Wrong(f"{player.name} ends with exit code {process.returncode}: {wrong.strip()[-300:]}")
    try:
        result: dict[str, Any] = json.loads(said)
    except json.JSONDecodeError as error:
        raise Wrong(f"{player.name} prints {said[:200]!r}, which is not JSON") from error
    return result


def main(argv: Sequence[str]) -> int:
    """Plays the tables."""
    parser = argparse.ArgumentParser(description="Seats a player of each language at one table.")
    parser.add_argument("--server", required=True, metavar="BINARY", help="the path of the server's program")
    parser.add_argument("--timeout", type=float, default=180, metavar="S", help="for each (default: 180)")
    arguments = parser.parse_args(argv)
    began = time.monotonic()
    known = list(languages().values())
    for language in known:
        language.prepare()
    server = RealServer(arguments.server, "--store", "memory")
    bad = 0
    try:
        for game, seats in TABLES:
            players = list(islice(cycle(known), max(seats, len(known))))
            names = ", ".join(player.name for player in players)
            try:
                play(server.address, game, players, arguments.timeout)
                print(f"pass  {game} between {names}", flush=True)
            except Wrong as wrong:
                bad += 1
                print(f"FAIL  {game} between {names}: {wrong}", flush=True)
    finally:
        server.close()
    print(f"{len(TABLES) - bad} passed, {bad} failed in {time.monotonic() - began:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
