"""`tavola play`: a person at the table."""

from __future__ import annotations

import argparse
import base64
import json
import shlex
import uuid
from contextlib import closing

from google.protobuf.json_format import ParseDict, ParseError
from rich.text import Text

import tavola
from tavola import v1
from tavola._play import asked
from tavola.terminal.connect import connect
from tavola.terminal.menu import choose
from tavola.terminal.save import save
from tavola.terminal.screen import Screen
from tavola.terminal.trouble import TroubleError
from tavola.terminal.words import Seats


def run(arguments: argparse.Namespace, screen: Screen) -> None:
    """Takes a seat and plays it to the end of the game."""
    if bool(arguments.game) == bool(arguments.session):
        raise TroubleError("say what to play: a GAME to begin, or a --session to come back to or to join")
    with connect(arguments) as client:
        seat = _come(client, arguments, screen) if arguments.session else _begin(client, arguments, screen)
        try:
            over = _play(screen, seat)
        except EOFError as end:
            _show_way_back(screen, arguments, seat)
            raise TroubleError("the input ended before the game did") from end
        except KeyboardInterrupt:
            _show_way_back(screen, arguments, seat)
            raise
        if not over:
            _show_way_back(screen, arguments, seat)
        elif arguments.save:
            save(client, seat.session_id, seat.token, arguments.save, screen)


def _begin(client: tavola.Client, arguments: argparse.Namespace, screen: Screen) -> tavola.Seat:
    """Opens a session, takes a seat and gives the others to house bots."""
    game = client.call(client.catalog.GetGame, v1.GetGameRequest(game=arguments.game)).game
    if arguments.bot not in game.bots:
        raise TroubleError(
            f"{arguments.game} has no house bot {arguments.bot!r}: there are {', '.join(game.bots)}"
        )
    host = client.create(
        arguments.game,
        arguments.seats,
        _options(arguments.game, arguments.option),
        arguments.seed,
        private=arguments.private,
        request_id=str(uuid.uuid4()),
    )
    seat = host.join(arguments.seat, request_id=str(uuid.uuid4()))
    session = client.session(host.session_id, host.token)
    places = session.seats
    bots = len(places) - max(arguments.people, 1)
    for _ in range(bots):
        host.add_bot(arguments.bot, request_id=str(uuid.uuid4()))
    screen.show(Text(f"Session {host.session_id}, seat {seat.seat} of {len(places)}."))
    commitment = base64.b64encode(session.seed_commitment).decode()
    screen.show(Text(f"The dice are bound by {commitment}", style="dim"))
    if arguments.people > 1:
        command = _command(arguments, host.session_id)
        token = f"TAVOLA_TOKEN={shlex.quote(host.join_token)} " if host.join_token else ""
        screen.show("Others join with")
        screen.whole(f"  {token}{command}")
    return seat


def _options(game: str, given: list[str]) -> v1.Options | None:
    """The options that were given as NAME=VALUE."""
    if not given:
        return None
    options: dict[str, object] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise TroubleError(f"--option {each}: write NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value.split(",") if "," in value else value
    try:
        return ParseDict({game: options}, v1.Options())
    except ParseError as error:
        reason = str(error).rsplit(": ", 1)[-1]
        raise TroubleError(f"--option: {reason}; `tavola games {game}` lists the options") from error


def _come(client: tavola.Client, arguments: argparse.Namespace, screen: Screen) -> tavola.Seat:
    """The seat of the token or, where that is none, another one."""
    if arguments.token:
        seen = client.observe(arguments.session, v1.VIEW_LEAN, arguments.token)
        if seen.HasField("seat"):
            screen.show(Text(f"Back at seat {seen.seat}."))
            return tavola.Seat(client, arguments.session, seen.seat, arguments.token)
    seat = client.join(arguments.session, arguments.seat, arguments.token, request_id=str(uuid.uuid4()))
    screen.show(Text(f"Seat {seat.seat} is yours."))
    return seat


def _play(screen: Screen, seat: tavola.Seat) -> bool:
    """Plays to the end of the game, or until the person leaves. Returns whether the game is over."""
    seats = Seats(seat.seat)
    answered = 0
    waiting = False
    waiting_for: list[int] = []
    with closing(seat.watch()) as updates:
        for update in updates:
            if update.HasField("session"):
                seats = Seats.of(update.session, seat.seat)
            screen.happened(update.events, seats)
            if update.status == v1.SESSION_STATUS_WAITING:
                if not waiting:
                    screen.show(Text("Waiting for the other seats to be taken; Ctrl-C leaves."))
                waiting = True
            elif update.HasField("outcome"):
                screen.table(update, seats)
                screen.result(update.outcome, seats)
                return True
            elif asked(update, seat.seat, answered):
                answered = update.decision.decision_id
                action = _decide(screen, update, seats)
                if action is None:
                    return False
                seat.answer(answered, action.action_id)
            elif people := [
                each for each in update.decision.seats if seats.is_person(each) and each != seat.seat
            ]:
                if people != waiting_for:
                    screen.show(Text(f"Waiting for {seats.all(people)}.", style="dim"))
                waiting_for = people
    raise TroubleError("the stream ended without a result")


def _decide(screen: Screen, update: v1.Update, seats: Seats) -> v1.LegalAction | None:
    """Asks the person for the answer to an open decision: none if they leave."""

    def table() -> int:
        lines = screen.table(update, seats)
        others = [other for other in update.decision.seats if other != seats.viewer]
        if others:
            screen.show(Text(f"You decide at the same time as {seats.all(others)}."))
        return lines + bool(others)

    game = update.observation.WhichOneof("game") or ""
    action = choose(screen, game, update.legal_actions, table)
    if action:
        screen.show(Text(f"You: {action.label}", style="bold"))
    return action


def _show_way_back(screen: Screen, arguments: argparse.Namespace, seat: tavola.Seat) -> None:
    """How to come back to a seat. The token goes through the environment, where other users cannot see it."""
    screen.show("", "You have left the table, and your seat waits for you. Come back with")
    screen.whole(f"  TAVOLA_TOKEN={shlex.quote(seat.token)} {_command(arguments, seat.session_id)}")


def _command(arguments: argparse.Namespace, session_id: str) -> str:
    """The command that takes up a session on the same server."""
    words = ["tavola", "play", "--session", session_id, "--address", arguments.address]
    for name in "ca", "cert", "key":
        if value := getattr(arguments, f"tls_{name}"):
            words += [f"--tls-{name}", str(value)]
    return shlex.join(words)
