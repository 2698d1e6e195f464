"""How the command line reaches a server."""

from __future__ import annotations

import argparse
from pathlib import Path

import grpc

import tavola
from tavola._channel import resolve
from tavola.terminal.trouble import TroubleError


def connect(arguments: argparse.Namespace) -> tavola.Client:
    """A client of the server that the command line names."""
    pems = [arguments.tls_ca, arguments.tls_key, arguments.tls_cert]
    credentials = None
    if any(pems):
        if bool(arguments.tls_key) != bool(arguments.tls_cert):
            raise TroubleError("--tls-cert and --tls-key go together")
        credentials = grpc.ssl_channel_credentials(*(path and _read(Path(path)) for path in pems))
    target, credentials = resolve(arguments.address, credentials)
    if not target:
        raise TroubleError("--address is empty")
    address = f"https://{target}" if credentials else target
    return tavola.connect(address, credentials=credentials, api_key=arguments.api_key)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TroubleError(f"{path} cannot be read: {error.strerror}") from error
