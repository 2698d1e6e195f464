"""`tavola verify`: the dice of a finished game."""

from __future__ import annotations

import argparse
import base64
import binascii
import json
from pathlib import Path

from google.protobuf.json_format import ParseDict, ParseError
from rich.text import Text

from tavola import v1
from tavola.fair import verify
from tavola.terminal.screen import Screen
from tavola.terminal.trouble import TroubleError


def run(arguments: argparse.Namespace, screen: Screen) -> None:
    """Checks a replay, and says what was checked."""
    replay = _read(arguments.file)
    commitment = _decode(arguments.commitment)
    try:
        verify(replay, commitment, binary=arguments.binary)
    except OSError as error:
        raise TroubleError(f"{arguments.binary} cannot be run: {error.strerror}") from error
    shown = base64.b64encode(replay.seed_commitment).decode()
    seed = "the host chose the seed" if replay.seed_given else "the server drew the seed"
    screen.whole(f"verified: {replay.plies} plies of {replay.game}, commitment {shown}, {seed}")
    if commitment is None:
        screen.show(
            Text("Give the commitment that you noted with --commitment, to know that it is the same.")
        )
    if arguments.binary is None:
        screen.show(Text("Seed and completeness were checked; with --binary the game is played again, too."))


def _read(path: Path) -> v1.GetReplayResponse:
    """The pages in a file, one after another, as one."""
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise TroubleError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TroubleError(f"{path} is no replay: it is not text") from error
    replay: v1.GetReplayResponse | None = None
    decoder = json.JSONDecoder()
    while text:
        try:
            value, end = decoder.raw_decode(text)
            page = ParseDict(value, v1.GetReplayResponse())
        except (json.JSONDecodeError, ParseError, TypeError, AttributeError) as error:
            raise TroubleError(f"{path} is no replay: {str(error).splitlines()[0]}") from error
        text = text[end:].lstrip()
        if replay is None:
            replay = page
        else:
            replay.steps.extend(page.steps)
    if replay is None:
        raise TroubleError(f"{path} is no replay: it is empty")
    return replay


def _decode(commitment: str | None) -> bytes | None:
    if commitment is None:
        return None
    try:
        return base64.b64decode(commitment, validate=True)
    except binascii.Error as error:
        raise TroubleError("--commitment is not base64") from error
