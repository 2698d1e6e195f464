"""A way to the server that breaks when it is told to."""

from __future__ import annotations

import contextlib
import enum
import socket
import struct
import threading


class Trouble(enum.Enum):
    """What is wrong with the way."""

    NONE = enum.auto()
    LOSES_REQUESTS = enum.auto()
    """What the client sends does not arrive."""
    LOSES_REPLIES = enum.auto()
    """What the client sends arrives, and what the server answers does not."""
    REFUSES = enum.auto()
    """Nobody answers at the address."""


class Proxy:
    """Hands on what a client and a server send each other."""

    def __init__(self, target: str) -> None:
        """Listens on any free port."""
        host, port = target.rsplit(":", 1)
        self._target = (host, int(port))
        self._trouble = Trouble.NONE
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._frozen: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, trouble: Trouble) -> None:
        """Begins a trouble, or ends it. Connections stay as they are."""
        self._trouble = trouble

    def cut(self) -> None:
        """Breaks all connections at once."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for end in pair:
                _reset(end)

    def freeze(self) -> None:
        """Has nothing pass any more on the connections that there are; new ones are not concerned."""
        with self._lock:
            self._frozen |= {end for pair in self._pairs for end in pair}

    def close(self) -> None:
        """Breaks all connections and takes no more."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._trouble is Trouble.REFUSES:
                _reset(client)
                continue
            try:
                server = socket.create_connection(self._target, timeout=5)
            except OSError:  # The server is down: so are we.
                _reset(client)
                continue
            server.settimeout(None)
            for end in client, server:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._pairs.append((client, server))
            for source, sink, lost in (
                (client, server, Trouble.LOSES_REQUESTS),
                (server, client, Trouble.LOSES_REPLIES),
            ):
                threading.Thread(target=self._pump, args=(source, sink, lost), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, lost: Trouble) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if self._trouble is not lost and source not in self._frozen:
                    sink.sendall(data)
        for end in source, sink:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def _reset(end: socket.socket) -> None:
    """Closes a socket as a broken connection does. A thread that reads from it is woken."""
    with contextlib.suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
