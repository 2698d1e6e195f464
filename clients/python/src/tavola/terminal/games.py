"""`tavola games`."""

from __future__ import annotations

import argparse

from rich.text import Text

from tavola import v1
from tavola.terminal.connect import connect
from tavola.terminal.screen import Screen, indented


def run(arguments: argparse.Namespace, screen: Screen) -> None:
    """Lists what can be played."""
    with connect(arguments) as client:
        if arguments.game:
            request = v1.GetGameRequest(game=arguments.game)
            games = [client.call(client.catalog.GetGame, request).game]
        else:
            games = client.games()
    for game in games:
        _show(screen, game, whole=bool(arguments.game))
    if not arguments.game:
        screen.show("", Text("tavola games GAME tells what its options mean; tavola play GAME begins one."))


def _show(screen: Screen, game: v1.Game, whole: bool) -> None:
    seats = f"{game.seats_min} to {game.seats_max} seats"
    if game.seats_min == game.seats_max:
        seats = f"{game.seats_min} seat{'s' if game.seats_min > 1 else ''}"
    screen.show(
        Text.assemble((game.game, "bold cyan"), f"  {game.title}: {seats}; house bots {', '.join(game.bots)}")
    )
    if not whole:
        names = ", ".join(option.name for option in game.options)
        screen.show(indented(Text(f"options: {names}", style="dim")))
        return
    for option in game.options:
        screen.show(indented(Text.assemble((option.name, "bold"), f"  {option.description}")))
        allowed = ", ".join(option.values) or f"{option.range.min} to {option.range.max}"
        screen.show(indented(indented(Text(f"{allowed} (default: {option.default_value})", style="dim"))))
