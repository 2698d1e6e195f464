"""A real server: one that runs already, or one that is started for the occasion."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

ADDRESS = "TAVOLA_ADDRESS"
BINARY = "TAVOLA_SERVER_BINARY"
READY = "listening on "


def configured() -> bool:
    """Whether the environment names a server."""
    return bool(os.environ.get(ADDRESS) or os.environ.get(BINARY))


@contextmanager
def server() -> Iterator[str]:
    """The address of the server that the environment names."""
    if address := os.environ.get(ADDRESS):
        yield address
    else:
        with started("--store", "memory") as address:
            yield address.removeprefix("http://")


@contextmanager
def started(*flags: str, listen: str = "127.0.0.1:0") -> Iterator[str]:
    """The URL of a server that was started with these flags."""
    binary = os.path.abspath(os.environ[BINARY])
    with tempfile.TemporaryDirectory(prefix="tavola-") as folder:
        command = [binary, "--listen", listen, *flags]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            try:
                line = process.stdout.readline().strip()
                if not line.startswith(READY):
                    raise RuntimeError(f"{binary} says {line!r} rather than where it listens")
                yield line.removeprefix(READY)
            finally:
                process.terminate()
