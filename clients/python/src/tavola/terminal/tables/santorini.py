"""The table of Santorini: the board with its heights and workers, and whose god is whose."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tavola.santorini import v1
from tavola.terminal.tables.layout import beside, line, seat_style, stacked
from tavola.terminal.words import Numbers, Seats, word

LEGEND = """\
P1f and P1m are the workers of the first side. A number is the height of a space,
(D) a dome."""
SIDE = 5
HEIGHTS = ("·", "1", "2", "3")
HEIGHT_STYLES = ("dim", "", "bold", "bold reverse")


def space_name(space: int) -> str:
    """A space as the labels write it, such as B3."""
    return f"{chr(ord('A') + space % SIDE)}{space // SIDE + 1}"


def worker_name(worker: int) -> str:
    """A worker as the labels write it: P1f is the female one of the first side."""
    return f"P{worker // 2 + 1}{'fm'[worker % 2]}"


NUMBERS: Numbers = {
    **dict.fromkeys(("space", "from", "to", "spaces"), space_name),
    **dict.fromkeys(("worker", "workers"), worker_name),
}


def render(seen: v1.Observation, seats: Seats) -> RenderableType:
    """Draws what everybody sees."""
    return beside(_board(seen), _facts(seen, seats))


def _board(seen: v1.Observation) -> RenderableType:
    standing = {worker.space: worker for worker in seen.workers if worker.HasField("space")}
    domes = set(seen.board.domes)
    board = Table(box=box.SQUARE, show_lines=True, padding=0, header_style="dim")
    board.add_column("", style="dim")
    for column in range(SIDE):
        board.add_column(chr(ord("A") + column), justify="center", width=6)
    for south in reversed(range(SIDE)):
        cells: list[Text] = []
        for space in range(south * SIDE, (south + 1) * SIDE):
            level = seen.board.levels[space] if space < len(seen.board.levels) else 0
            if space in domes:
                cell = Text(f"{level or ''}(D)", style="bold blue")
            else:
                cell = Text(HEIGHTS[level] if level < len(HEIGHTS) else str(level), style=_style(level))
            if worker := standing.get(space):
                cell.append(f" {worker_name(worker.worker)}", style=seat_style(worker.worker // 2))
            cells.append(cell)
        board.add_row(str(south + 1), *cells)
    return board


def _style(level: int) -> str:
    return HEIGHT_STYLES[min(level, len(HEIGHT_STYLES) - 1)]


def _facts(seen: v1.Observation, seats: Seats) -> RenderableType:
    supply = seen.supply
    blocks = f"{supply.level1_blocks} + {supply.level2_blocks} + {supply.level3_blocks} blocks"
    return stacked(
        line((f"Turn {seen.turn}" if seen.turn else "Set-up", "bold"), _stage(seen, seats)),
        *(_player(player, seats) for player in seen.players),
        Text(f"On offer: {_gods(seen.offer)}") if seen.offer else None,
        Text(f"{seats(seen.start_player)} started") if seen.HasField("start_player") else None,
        Text(f"{worker_name(seen.builder)} has to build") if seen.HasField("builder") else None,
        Text("Athena: nobody else moves up", style="yellow") if seen.athena_lock else None,
        Text(f"Morpheus: {seen.morpheus_pool} blocks to build") if seen.morpheus_pool else None,
        _chaos(seen.chaos) if seen.HasField("chaos") else None,
        _turn(seen) if seen.HasField("turn_record") else None,
        Text(f"Box: {blocks}, {supply.domes} domes", style="dim") if seen.HasField("supply") else None,
        Text("· ground, 1 2 3 heights, (D) dome", style="dim"),
    )


def _stage(seen: v1.Observation, seats: Seats) -> str:
    what = word(v1.Stage, seen.stage).lower()
    return f"{seats(seen.turn_seat)}: {what}" if seen.HasField("turn_seat") else what


def _player(player: v1.Player, seats: Seats) -> Text:
    name = (f"P{player.side + 1} {seats.introduced(player.seat)}", seat_style(player.side))
    out = "out" if player.eliminated else "leaving" if player.leaving else None
    return line(name, _gods(player.gods) or "no god", out)


def _gods(gods: Sequence[v1.God.ValueType]) -> str:
    return ", ".join(word(v1.God, god) for god in gods)


def _chaos(chaos: v1.Chaos) -> Text:
    return Text(f"Chaos: {len(chaos.deck)} gods in the deck, {_gods(chaos.discards) or 'none'} discarded")


def _turn(seen: v1.Observation) -> Text | None:
    record = seen.turn_record
    asleep = ", ".join(worker_name(worker) for worker in record.asleep)
    bound = ", ".join(worker_name(worker) for worker in record.bound)
    said = line(
        "additional turn" if record.additional else None,
        f"{record.moves} moves" if record.moves > 1 else None,
        f"only {worker_name(record.committed)} may move" if record.HasField("committed") else None,
        "it may not move up" if record.climb_forbidden else None,
        "a move up is owed" if record.climb_owed else None,
        f"asleep: {asleep}" if asleep else None,
        f"bound to Aphrodite: {bound}" if bound else None,
        f"{seen.additional_turns_owed} additional turns earned" if seen.additional_turns_owed else None,
    )
    return said or None
