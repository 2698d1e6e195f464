"""The Python client for the conformance kit: see clients/conformance/README.md."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from contextlib import closing
from typing import Any

from google.protobuf.message import Message

import tavola
from tavola import v1

Line = dict[str, Any]
client: tavola.Client = tavola.connect()


def say(asked: Line, /, **what: object) -> None:
    """Writes a line."""
    print(json.dumps({"id": asked["id"], **what}), flush=True)


def packed(message: Message) -> str:
    """A message as the protocol carries it."""
    return base64.b64encode(message.SerializeToString()).decode()


def connect(asked: Line) -> Line:
    """Reaches a server."""
    global client
    client.close()
    client = tavola.connect(
        asked["address"],
        api_key=asked.get("api_key"),
        timeout=asked["timeout_ms"] / 1000,
        patience=asked["patience_ms"] / 1000,
    )
    return {}


def create(asked: Line) -> Line:
    """Opens a session."""
    options = v1.Options.FromString(base64.b64decode(asked["options"])) if "options" in asked else None
    seed = int(asked["seed"]) if "seed" in asked else None
    host = client.create(
        asked["game"],
        asked.get("seats"),
        options,
        seed,
        private=asked.get("private", False),
        request_id=asked.get("request_id"),
    )
    return {"session_id": host.session_id, "host_token": host.token, "join_token": host.join_token}


def join(asked: Line) -> Line:
    """Takes a seat."""
    seat = client.join(asked["session_id"], asked.get("seat"), asked.get("token"), asked.get("request_id"))
    return {"seat": seat.seat, "seat_token": seat.token}


def add_bot(asked: Line) -> Line:
    """Gives a seat to a house bot."""
    host = tavola.Host(client, asked["session_id"], asked["host_token"])
    return {"seat": host.add_bot(asked["bot"], asked.get("seat"), asked.get("request_id")).seat}


def seat_of(asked: Line) -> tavola.Seat:
    """The seat that is meant."""
    return tavola.Seat(client, asked["session_id"], asked.get("seat", 0), asked["token"])


def submit(asked: Line) -> Line:
    """Answers a decision."""
    action = (
        v1.Action.FromString(base64.b64decode(asked["action"])) if "action" in asked else asked["action_id"]
    )
    return {"reply": packed(seat_of(asked).submit(int(asked["decision_id"]), action))}


def watch(asked: Line) -> Line:
    """Follows a session, up to a version or to the end."""
    from_version = int(asked["from_version"]) if "from_version" in asked else None
    with closing(client.watch(asked["session_id"], from_version, token=asked.get("token"))) as updates:
        for update in updates:
            say(asked, update=packed(update))
            if "stop_at" in asked and update.version >= int(asked["stop_at"]):
                break
    return {}


def play(asked: Line) -> Line:
    """Plays a seat; the driver chooses the answers."""

    def policy(update: v1.Update) -> int:
        say(asked, asked=packed(update))
        return int(json.loads(sys.stdin.readline())["answer"])

    return {"outcome": packed(seat_of(asked).play(policy))}


COMMANDS: dict[str, Callable[[Line], Line]] = {
    "connect": connect,
    "games": lambda _: {"games": [game.game for game in client.games()]},
    "create": create,
    "join": join,
    "add_bot": add_bot,
    "session": lambda asked: {"session": packed(client.session(asked["session_id"], asked.get("token")))},
    "observe": lambda asked: {
        "observation": packed(client.observe(asked["session_id"], token=asked.get("token")))
    },
    "submit": submit,
    "watch": watch,
    "play": play,
    "leave": lambda asked: {"session": packed(seat_of(asked).leave())},
    "replay": lambda asked: {"replay": packed(client.replay(asked["session_id"], token=asked.get("token")))},
}

for text in iter(sys.stdin.readline, ""):
    line: Line = json.loads(text)
    try:
        say(line, ok=COMMANDS[line["do"]](line))
    except tavola.TavolaError as error:
        violations = [violation._asdict() for violation in error.violations]
        told = {"reason": error.reason, "message": error.message, "metadata": error.metadata}
        say(line, error={"code": error.code.value[0], **told, "violations": violations})
