"""What the command line understands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tavola.terminal import games, play, verify, watch

ADDRESS = "localhost:50051"
ENVIRONMENT = """\
environment:
  TAVOLA_ADDRESS, TAVOLA_API_KEY, TAVOLA_TOKEN   for --address, --api-key, --token
  TAVOLA_CLIENT_CA, TAVOLA_CLIENT_CERT, TAVOLA_CLIENT_KEY
                                                 for --tls-ca, --tls-cert, --tls-key
  TAVOLA_SERVER_BINARY                           for --binary
  NO_COLOR                                       if set, nothing is colored
exit codes:
  0 done, 1 failed or refused, 2 not understood, 130 interrupted
"""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Reads the command line; what is not understood ends the program with exit code 2."""
    parser = argparse.ArgumentParser(
        prog="tavola",
        description="Plays board games on a Tavola server.",
        epilog=ENVIRONMENT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version("tavola"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = _online(commands, "games", "what can be played, with its seats, options and house bots")
    command.add_argument("game", nargs="?", metavar="GAME", help="only this game")
    command.set_defaults(command=games.run)

    command = _online(commands, "play", "play a game against house bots, or a seat of a session")
    command.add_argument("game", nargs="?", metavar="GAME", help="the id of a game, such as santorini")
    command.add_argument("--bot", default="greedy", help="the house bot on the other seats (default: greedy)")
    command.add_argument("--seats", type=int, metavar="N", help="the number of seats (default: the fewest)")
    command.add_argument("--seat", type=int, metavar="N", help="your seat, from 0 (default: the first open)")
    command.add_argument("--seed", type=int, metavar="N", help="a seed for the dice: repeats a game")
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, as `tavola games GAME` lists them; may be given again",
    )
    command.add_argument("--private", action="store_true", help="do not list the session")
    command.add_argument(
        "--people", type=int, default=1, metavar="N", help="leave seats to N - 1 other people (default: 1)"
    )
    command.add_argument("--session", metavar="ID", help="come back to this session, or join it")
    _token(command, "the token of the seat to come back to, or a join token")
    _save(command)
    command.set_defaults(command=play.run)

    command = _online(commands, "watch", "follow a session to its end")
    command.add_argument("session", metavar="SESSION", help="the id of a session")
    _token(command, "a token of the session, where it is private; a seat's shows what the seat sees")
    _save(command)
    command.set_defaults(command=watch.run)

    command = commands.add_parser("verify", help="check that a finished game was played with fair dice")
    command.add_argument("file", type=Path, metavar="FILE", help="a replay: the pages of GetReplay as JSON")
    command.add_argument(
        "--commitment",
        metavar="BASE64",
        help="the seed_commitment that was noted when the session was created",
    )
    command.add_argument(
        "--binary",
        default=os.environ.get("TAVOLA_SERVER_BINARY"),
        metavar="PATH",
        help="the server's program, to play the game again by the rules",
    )
    command.set_defaults(command=verify.run)
    return parser.parse_args(argv)


def _online(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, what: str
) -> argparse.ArgumentParser:
    """A command that needs a server."""
    command = commands.add_parser(name, help=what, description=what.capitalize() + ".")
    server = command.add_argument_group("the server")
    server.add_argument(
        "--address",
        default=os.environ.get("TAVOLA_ADDRESS", ADDRESS),
        help=f"HOST:PORT, or a URL; https:// for TLS (default: {ADDRESS})",
    )
    server.add_argument("--api-key", default=os.environ.get("TAVOLA_API_KEY"), metavar="KEY")
    for option, what in (
        ("ca", "the authorities to trust rather than those of this machine"),
        ("cert", "a certificate of your own"),
        ("key", "the key that belongs to it"),
    ):
        server.add_argument(
            f"--tls-{option}",
            type=Path,
            default=os.environ.get(f"TAVOLA_CLIENT_{option.upper()}"),
            metavar="PEM",
            help=f"{what}; implies TLS",
        )
    return command


def _token(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("--token", default=os.environ.get("TAVOLA_TOKEN"), help=what)


def _save(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--save", type=Path, metavar="FILE", help="write the replay of the finished game, for `tavola verify`"
    )
