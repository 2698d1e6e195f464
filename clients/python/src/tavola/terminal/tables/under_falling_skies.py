"""The table of Under Falling Skies: the sky with its ships, the base with its dice, and the campaign."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from tavola.terminal.tables.layout import beside, line, stacked
from tavola.terminal.words import Numbers, word
from tavola.under_falling_skies import v1

COLUMNS = 5
BASE_ROWS = 6
CELLS = {
    v1.CELL_KIND_EMPTY: ".",
    v1.CELL_KIND_ARROW_LEFT: "<",
    v1.CELL_KIND_ARROW_RIGHT: ">",
    v1.CELL_KIND_MOTHERSHIP: "v",
    v1.CELL_KIND_EXPLOSION: "*",
    v1.CELL_KIND_RED_EXPLOSION: "!",
    v1.CELL_KIND_BLUE_GATE: "B",
    v1.CELL_KIND_PINK_GATE: "P",
}
ROOMS = {
    v1.ROOM_KIND_AA: ("AA", ""),
    v1.ROOM_KIND_ENERGY: ("ENE", "yellow"),
    v1.ROOM_KIND_FIGHTER: ("FIG", "red"),
    v1.ROOM_KIND_RESEARCH: ("RES", "green"),
    v1.ROOM_KIND_ROBOT: ("ROB", "blue"),
}
ACTIONS = {
    v1.ROW_ACTION_KIND_NONE: "",
    v1.ROW_ACTION_KIND_WHITE: "white",
    v1.ROW_ACTION_KIND_EXCAVATOR: "dig -",
    v1.ROW_ACTION_KIND_RESEARCH: "res -",
    v1.ROW_ACTION_KIND_DAMAGE: "hit",
    v1.ROW_ACTION_KIND_DIVE: "dive",
    v1.ROW_ACTION_KIND_SKULL: "skull",
}
LEGEND = """\
Sky: . nothing, < > a ship that lands here moves on, v it brings the mothership
down, *4 explosion, !4 explosion at 1 energy a ship, B P gates, = mothership,
R0 W5 ships; then the cost of research, and what the mothership does there.
Base: ENE energy, FIG fighter, RES research, ROB robot, AA guns, tun tunnel,
-- rock, dig excavator; + joined rooms, -1 added to the dice, 2e energy;
g1:4 a die, bot:3 a robot."""


def die_name(die: int) -> str:
    """A worker die as the labels write it: g1 to g3 are grey, w1 and w2 white."""
    return f"g{die + 1}" if die < 3 else f"w{die - 2}"


def space_name(space: int) -> str:
    """A space of the base as the labels write it."""
    return f"p{space}"


def ship_name(ship: int) -> str:
    """A ship: R is red, W white and O the orange command ship."""
    return f"R{ship}" if ship < 5 else f"W{ship}" if ship < 9 else "O9"


NUMBERS: Numbers = {
    **dict.fromkeys(("space", "spaces", "excavator"), space_name),
    "die": die_name,
    **dict.fromkeys(("ship", "ships"), ship_name),
}


def render(seen: v1.Observation) -> RenderableType:
    """Draws the battle and the campaign that it belongs to. Everything is public."""
    ending = seen.ending
    over = f"{word(v1.EndReason, ending.reason)}: score {ending.score}" if seen.HasField("ending") else None
    return stacked(
        *(_campaign(seen.campaign) if seen.HasField("campaign") else []),
        *(_battle(seen.battle) if seen.HasField("battle") else []),
        Text(over, style="bold") if over else None,
    )


def _battle(battle: v1.Battle) -> Sequence[RenderableType | None]:
    research = f"research {battle.research} of {battle.victory_space}"
    if battle.research < battle.victory_space and battle.research < len(battle.sky_rows):
        research += f", next costs {battle.sky_rows[battle.research].research_cost}"
    team = [f"{word(v1.Character, each.character)}{' (upgraded)' * each.upgraded}" for each in battle.team]
    city = word(v1.City, battle.city)
    if battle.city_side != v1.CITY_SIDE_INTACT:
        city += f" ({word(v1.CitySide, battle.city_side).lower()})"
    return [
        beside(
            _sky(battle),
            stacked(
                _base(battle),
                _dice(battle),
                line(
                    (f"Round {battle.round}: {word(v1.Stage, battle.stage).lower()}", "bold"),
                    f"energy {battle.energy} of {battle.energy_max}",
                    (f"damage {battle.damage} of {battle.damage_limit}", "red" if battle.damage else ""),
                    (research, "green"),
                ),
                line(
                    city,
                    f"{battle.stars} stars",
                    f"threat {battle.threat}",
                    f"scenario {word(v1.Scenario, battle.scenario)}" if battle.scenario else None,
                    f"team {', '.join(team)}" if team else None,
                ),
            ),
        ),
    ]


def _sky(battle: v1.Battle) -> Text:
    """The rows of the sky that the mothership does not cover, the city at the bottom."""
    ships: dict[tuple[int, int], list[v1.Ship]] = {}
    waiting: list[str] = []
    for ship in battle.ships:
        place = ship.place
        if place.kind == v1.SHIP_PLACE_KIND_SKY:
            ships.setdefault((place.row, place.column), []).append(ship)
        elif place.kind == v1.SHIP_PLACE_KIND_DROP_POINT:
            ships.setdefault((battle.mothership_row, place.column), []).append(ship)
        elif place.kind == v1.SHIP_PLACE_KIND_POOL:
            waiting.append(ship_name(ship.ship))
    lines = [Text("   0    1    2    3    4   cost there", style="dim")]
    for number in reversed(range(min(battle.mothership_row + 1, len(battle.sky_rows)))):
        row = battle.sky_rows[number]
        said = Text(f"{number:>2} ", style="dim")
        for column, cell in enumerate(row.cells):
            here = ships.get((number, column), [])
            said.append_text(_cell(cell, here, number == battle.mothership_row))
        said.append(f"{row.research_cost:>2} ", style="green" if number == battle.research else "dim")
        said.append(_action(battle, number), style="bold red" if number == battle.skull_row else "")
        lines.append(said)
    if waiting:
        lines.append(Text(f"on the mothership: {', '.join(waiting)}", style="dim"))
    return Text("\n").join(lines)


def _cell(cell: v1.Cell, ships: Sequence[v1.Ship], mothership: bool) -> Text:
    """A cell, five columns wide: its ships, and what it shows."""
    shown = CELLS.get(cell.kind, "?") + (str(cell.number) if cell.HasField("number") else "")
    if mothership:
        shown = "="
    said = Text("+".join(ship_name(ship.ship) for ship in ships), style="bold red reverse")
    said.append(shown if not ships or shown not in ".=" else "", style="not bold not reverse default")
    said.append(" " * max(1, 5 - len(said)), style="not reverse")
    return said


def _action(battle: v1.Battle, number: int) -> str:
    """What the mothership does in a row."""
    if number == battle.skull_row:
        return "skull"
    action = battle.sky_rows[number].action
    return f"{ACTIONS.get(action.kind, '?')} {action.amount or ''}".strip().replace("- ", "-")


def _base(battle: v1.Battle) -> RenderableType:
    """The spaces of the base: what room they belong to, and what lies there."""
    rooms = {space: room for room in battle.rooms for space in room.spaces}
    dice = {die.space: die for die in battle.worker_dice if die.place == v1.DIE_PLACE_BASE}
    robots = {robot.space: robot for robot in battle.robots if robot.HasField("space")}
    lines = []
    for row in range(BASE_ROWS):
        first, second = Text(), Text()
        for column in range(COLUMNS):
            space = COLUMNS * row + (COLUMNS - 1 - column if row % 2 == 0 else column)
            first.append_text(_fitted(_name(battle, rooms.get(space), space)))
            if space in dice:
                lying = Text(f"  {die_name(dice[space].die)}:{dice[space].face}", style="bold cyan")
            elif space in robots:
                robot = robots[space]
                lying = Text(f"  bot:{robot.value}", style="dim blue" if robot.exhausted else "bold blue")
            else:
                lying = _price(rooms.get(space))
            second.append_text(_fitted(lying))
        lines += [first, second]
    return Group(*lines)


def _name(battle: v1.Battle, room: v1.Room | None, space: int) -> Text:
    dug = space < battle.excavator
    name = Text(f"{space:<2}", style="dim")
    if space == battle.excavator:
        return name.append("dig", style="bold reverse")
    if room is None:
        return name.append("tun" if dug else "--", style="dim")
    kind, style = ROOMS.get(room.kinds[0], ("?", "")) if room.kinds else ("?", "")
    return name.append(f"{kind}{'+' if len(room.spaces) > 1 else ''}", style=style if dug else "dim")


def _price(room: v1.Room | None) -> Text:
    """What is added to the dice of a room, and what it costs."""
    if room is None:
        return Text("")
    modifier = f"{room.modifier:+d}" if room.modifier else ""
    cost = f"{room.cost}e" if room.cost else ""
    return Text(f"  {modifier} {cost}" if modifier else f"  {cost}", style="dim")


def _fitted(text: Text) -> Text:
    """A field of the base, seven columns wide."""
    text.truncate(7)
    return text.append(" " * (7 - len(text)))


def _dice(battle: v1.Battle) -> Text:
    unplaced = [
        f"{die_name(die.die)}:{die.face}" for die in battle.worker_dice if die.place == v1.DIE_PLACE_UNPLACED
    ]
    holds = battle.this_round
    robot = f"robot {battle.new_robot.value} to install" if battle.HasField("new_robot") else None
    spawn = None
    if battle.HasField("spawn_choice"):
        columns = ", ".join(map(str, battle.spawn_choice.columns))
        spawn = f"{ship_name(battle.spawn_choice.ship)} appears in column {columns}"
    return line(
        (f"To place: {' '.join(unplaced) or 'none'}", "bold cyan"),
        robot,
        spawn,
        f"column {holds.jammed_column} is jammed" if holds.HasField("jammed_column") else None,
        f"wind {word(v1.Direction, holds.wind).lower()}" if holds.wind else None,
    )


def _campaign(campaign: v1.Campaign) -> Sequence[Text | None]:
    stage = word(v1.CampaignStage, campaign.stage).lower()
    recruited = [word(v1.Character, each) for each in campaign.recruited]
    results = [
        f"{word(v1.City, each.city.city)} {word(v1.BattleEnd, each.end).lower()}" for each in campaign.results
    ]
    return [
        line(
            (f"Campaign, chapter {campaign.chapter}, battle {campaign.battle}: {stage}", "bold"),
            f"try {campaign.attempt}",
            f"score {campaign.score}",
        ),
        *(
            Text(
                f"Set {each.set}: {word(v1.City, each.city)}, {word(v1.Scenario, each.scenario)}, "
                f"{word(v1.Character, each.character)}"
            )
            for each in campaign.sets
            if campaign.stage != v1.CAMPAIGN_STAGE_BATTLE
        ),
        Text(f"Recruited: {', '.join(recruited)}") if recruited else None,
        Text(f"So far: {', '.join(results)}") if results else None,
    ]
