"""`tavola watch`: a session, as it goes on."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import replace

from rich.text import Text

import tavola
from tavola import v1
from tavola.terminal.connect import connect
from tavola.terminal.save import save
from tavola.terminal.screen import Screen
from tavola.terminal.trouble import TroubleError
from tavola.terminal.words import Seats


def run(arguments: argparse.Namespace, screen: Screen) -> None:
    """Shows what happens until the game is over."""
    with connect(arguments) as client:
        _watch(client, arguments.session, arguments.token, screen)
        if arguments.save:
            save(client, arguments.session, arguments.token, arguments.save, screen)


def _watch(client: tavola.Client, session_id: str, token: str | None, screen: Screen) -> None:
    seats = Seats()
    turn: list[int] = []
    with closing(client.watch(session_id, token=token)) as updates:
        for update in updates:
            viewer = update.seat if update.HasField("seat") else None
            seats = (
                Seats.of(update.session, viewer)
                if update.HasField("session")
                else replace(seats, viewer=viewer)
            )
            if update.status == v1.SESSION_STATUS_WAITING:
                _show_waiting(update.session, seats, screen)
                continue
            if update.snapshot:
                players = ", ".join(seats.introduced(seat) for seat in range(seats.seats))
                screen.show(Text(f"{update.session.game} with {players}", style="bold"))
            screen.happened(update.events, seats)
            over = update.HasField("outcome")
            if update.snapshot or over or list(update.decision.seats) != turn:
                turn = list(update.decision.seats)
                screen.table(update, seats)
                if turn:
                    screen.show(Text(f"Version {update.version}; to decide: {seats.all(turn)}."))
            if over:
                screen.result(update.outcome, seats)
                return
    raise TroubleError("the stream ended without a result")


def _show_waiting(session: v1.Session, seats: Seats, screen: Screen) -> None:
    open_seats = [seat.seat for seat in session.seats if seat.holder == v1.SEAT_HOLDER_OPEN]
    screen.show(Text(f"{session.game} waits for players: {seats.all(open_seats)} to be taken."))
