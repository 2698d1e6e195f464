"""What went wrong, in one sentence."""

from __future__ import annotations

import argparse

import grpc

from tavola.errors import TavolaError


class TroubleError(Exception):
    """A reason to give up, told in one sentence."""


def sentence(error: TavolaError, arguments: argparse.Namespace) -> str:
    """What a refused or failed call means to the one who gave the command."""
    address = getattr(arguments, "address", "")
    if not error.reason and error.code == grpc.StatusCode.UNAVAILABLE:
        return f"no server answers at {address} ({_short(error.message)})"
    if not error.reason and error.code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return f"the server at {address} did not answer in time"
    said = {
        "API_KEY_REQUIRED": "the server wants an API key: give it with --api-key or TAVOLA_API_KEY",
        "SESSION_NOT_FOUND": "there is no such session, or it is private and the token is not one of it",
        "TOKEN_REQUIRED": "the token is not one of this session",
    }.get(error.reason, error.message)
    for wrong in error.violations:
        said += f"; {wrong.field}: {wrong.description}"
    return said if error.reason or error.violations else f"{error.code.name}: {said}"


def _short(message: str) -> str:
    """The end of what grpc says of a connection, which tells the cause."""
    return message.rsplit(": ", 1)[-1].strip() or message
