"""Replays as files."""

from __future__ import annotations

from pathlib import Path

from google.protobuf.json_format import MessageToJson
from rich.text import Text

import tavola
from tavola.terminal.screen import Screen
from tavola.terminal.trouble import TroubleError


def save(client: tavola.Client, session_id: str, token: str | None, path: Path, screen: Screen) -> None:
    """Writes the replay of a finished game, as `tavola verify` reads it."""
    replay = client.replay(session_id, token=token)
    try:
        path.write_text(MessageToJson(replay), encoding="utf-8")
    except OSError as error:
        raise TroubleError(f"{path} cannot be written: {error.strerror}") from error
    screen.show(Text(f"The replay is in {path}."))
