"""What lies on the table of each game: one module per game, which draws an observation."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from tavola import v1
from tavola.terminal.tables import (
    citadels,
    council_of_shadows,
    santorini,
    shadow_hunters,
    under_falling_skies,
)
from tavola.terminal.words import Numbers, Seats


def render(observation: v1.Observation, seats: Seats) -> RenderableType:
    """Draws what a viewer knows, at most 80 columns wide. A game that is newer than we are comes as it is."""
    match observation.WhichOneof("game"):
        case "citadels":
            return citadels.render(observation.citadels, seats)
        case "council_of_shadows":
            return council_of_shadows.render(observation.council_of_shadows, seats)
        case "santorini":
            return santorini.render(observation.santorini, seats)
        case "shadow_hunters":
            return shadow_hunters.render(observation.shadow_hunters, seats)
        case "under_falling_skies":
            return under_falling_skies.render(observation.under_falling_skies)
        case _:
            return Text(str(observation) or "This client is too old to show this game.")


LEGENDS = {
    "citadels": citadels.LEGEND,
    "council_of_shadows": council_of_shadows.LEGEND,
    "santorini": santorini.LEGEND,
    "shadow_hunters": shadow_hunters.LEGEND,
    "under_falling_skies": under_falling_skies.LEGEND,
}
"""What the signs in the drawing of each game mean."""


def numbers(game: str | None) -> Numbers:
    """How the numbers in events of a game are written."""
    match game:
        case "council_of_shadows":
            return council_of_shadows.NUMBERS
        case "santorini":
            return santorini.NUMBERS
        case "under_falling_skies":
            return under_falling_skies.NUMBERS
        case _:
            return {}
