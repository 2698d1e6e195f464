"""Messages in words: names of enum values, what the protos say about them, and events as sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Protocol

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from tavola import v1


class Enum(Protocol):
    """A generated enum."""

    DESCRIPTOR: EnumDescriptor


def word(enum: Enum | EnumDescriptor, number: int) -> str:
    """The name of a value for people, such as "Trading Post"; of one that is newer than we are, a number."""
    descriptor = enum if isinstance(enum, EnumDescriptor) else enum.DESCRIPTOR
    value = descriptor.values_by_number.get(number)
    if value is None:
        return f"{_spaced(descriptor.name).capitalize()} {number}"
    prefix = _spaced(descriptor.name).upper().replace(" ", "_") + "_"
    return value.name.removeprefix(prefix).replace("_", " ").title()


def meaning(enum: Enum, number: int) -> str:
    """What the contract says about a value: of a card, what it does. Empty if it is newer than we are."""
    return _meanings().get(enum.DESCRIPTOR.full_name, {}).get(str(number), "")


def title(enum: Enum, number: int) -> str:
    """The printed name of a card whose value is but a number: what its meaning begins with."""
    return meaning(enum, number).partition(":")[0].partition(",")[0] or word(enum, number)


def explained(game: str, part: str) -> list[tuple[str, str]]:
    """The values of a game's enums whose name or printed name has this part, with what they mean."""
    found = []
    for enum, values in _meanings().items():
        if not enum.startswith(f"tavola.{game}."):
            continue
        descriptor = _enum(enum)
        for number, text in values.items():
            name = word(descriptor, int(number))
            if int(number) and part.casefold() in f"{name} {text.partition(':')[0]}".casefold():
                found.append((name, text))
    return found


@cache
def _meanings() -> dict[str, dict[str, str]]:
    text = files("tavola").joinpath("words.json").read_text(encoding="utf-8")
    meanings: dict[str, dict[str, str]] = json.loads(text)
    return meanings


@cache
def _enum(full_name: str) -> EnumDescriptor:
    from google.protobuf.descriptor_pool import Default

    return Default().FindEnumTypeByName(full_name)


def _spaced(camel: str) -> str:
    """Words out of CamelCase."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", camel)


@dataclass(frozen=True)
class Seats:
    """Who sits where, as the viewer speaks of them."""

    viewer: int | None = None
    bots: Sequence[str] = field(default_factory=tuple)
    """Per seat, the name of its house bot, or nothing."""
    seats: int = 0

    @classmethod
    def of(cls, session: v1.Session, viewer: int | None) -> Seats:
        """Those of a session."""
        return cls(viewer, [seat.bot for seat in session.seats], len(session.seats))

    def __call__(self, seat: int) -> str:
        """The name of a seat."""
        if seat == self.viewer:
            return "You"
        if self.seats and seat >= self.seats:  # Council of Shadows counts it after the seats.
            return "Automa"
        return f"Seat {seat}"

    def all(self, seats: Sequence[int]) -> str:
        """The names of seats, in a row."""
        return ", ".join(self(seat) for seat in seats) or "nobody"

    def is_person(self, seat: int) -> bool:
        """Whether no house bot holds a seat."""
        return seat < len(self.bots) and not self.bots[seat]

    def introduced(self, seat: int) -> str:
        """The name of a seat with who holds it."""
        bot = self.bots[seat] if seat < len(self.bots) else ""
        return f"{self(seat)} ({bot})" if bot else self(seat)


SUBJECTS = ("seat", "party", "attacker", "giver", "from_seat")
"""Fields that hold the one who acts."""
SEATS = {
    *SUBJECTS,
    *("other_seat", "to_seat", "hand_seat", "by_seat", "first_complete_seat", "winner_seats", "start_player"),
    *("other", "targets", "target", "receiver", "crown", "winners", "order"),
}
"""Fields that hold seats, in events of any game."""

Numbers = dict[str, Callable[[int], str]]
"""How the numbers in some fields of a game are written, such as a space of a board, by the name of the field;
of an enum whose values are but numbers, by its full name."""


def event(told: v1.Event, seats: Seats, numbers: Numbers) -> str:
    """An event as a short sentence, such as "You: gold gained, gold 2, Take Gold"."""
    game = told.WhichOneof("game")
    kind = getattr(told, game).WhichOneof("kind") if game else None
    if not game or not kind:
        return "something that this client is too old to know"
    message = getattr(getattr(told, game), kind)
    fields = {each.name: (each, value) for each, value in message.ListFields()}
    subject = next((name for name in SUBJECTS if name in fields), None)
    parts = [kind.replace("_", " ")]
    parts += [_part(each, value, seats, numbers) for name, (each, value) in fields.items() if name != subject]
    said = ", ".join(part for part in parts if part)
    return f"{seats(fields[subject][1])}: {said}" if subject else said[:1].upper() + said[1:]


def _part(field: FieldDescriptor, value: Any, seats: Seats, numbers: Numbers) -> str:  # noqa: ANN401
    """A field with its value."""
    name = field.name.replace("_", " ")
    if field.is_repeated:
        each = [_value(field, one, seats, numbers) for one in value]
        return f"{name} {' '.join(each) if all(one.isdigit() for one in each) else ' + '.join(each)}"
    if field.type == FieldDescriptor.TYPE_BOOL:
        return name
    said = _value(field, value, seats, numbers)
    return said if field.type == FieldDescriptor.TYPE_ENUM else f"{name.removesuffix(' seat')} {said}"


def _value(field: FieldDescriptor, value: Any, seats: Seats, numbers: Numbers) -> str:  # noqa: ANN401
    """A value in words."""
    if isinstance(value, Message):
        parts = (_part(each, one, seats, numbers) for each, one in value.ListFields())
        return f"({', '.join(parts)})"
    if field.enum_type is not None:
        coded = numbers.get(field.enum_type.full_name)
        return coded(value) if coded else word(field.enum_type, value)
    if field.name in numbers:
        return numbers[field.name](value)
    return seats(value) if field.name in SEATS else str(value)
