"""The servers that a client is tried on: the real one, and one that says what no server of today says."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from tavola import v1

READY = "listening on http://"


class RealServer:
    """A server that runs on a store of its own, and can be stopped and started again where it was."""

    def __init__(self, binary: str, *flags: str) -> None:
        """Starts it on any free port."""
        self._binary = str(Path(binary).resolve())
        self._flags = flags
        self._folder = tempfile.TemporaryDirectory(prefix="tavola-conformance-")
        self.address = "127.0.0.1:0"
        self.start()

    def start(self) -> None:
        """Starts it, at the address that it had."""
        command = [self._binary, "--listen", self.address, *self._flags]
        environment = {"TAVOLA_LOG": "warn", **os.environ}
        self._process = subprocess.Popen(
            command, cwd=self._folder.name, env=environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        line = self._process.stdout.readline().strip()
        if not line.startswith(READY):
            self.kill()
            raise RuntimeError(f"{self._binary} says {line!r} rather than where it listens")
        self.address = line.removeprefix(READY)

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Has it go down in order."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()

    def close(self) -> None:
        """Ends it and forgets its store."""
        self.kill()
        self._folder.cleanup()


@contextlib.contextmanager
def stubs(address: str) -> Iterator[v1.SessionServiceStub]:
    """The driver's own way to a server."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    with grpc.insecure_channel(address, options) as channel:
        yield v1.SessionServiceStub(channel)


class Refusal(Exception):  # noqa: N818  # A part of a script.
    """A status that a scripted server ends a call with."""

    def __init__(self, code: int, message: str, *details: Message, raw: bytes | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.raw = raw
        if raw is None:
            status = Status(code=code, message=message)
            for detail in details:
                packed = detail if isinstance(detail, Packed) else Packed()
                if packed is not detail:
                    packed.Pack(detail)
                status.details.append(packed)
            self.raw = status.SerializeToString()


def refused(code: int, reason: str, **metadata: str) -> Refusal:
    """A refusal for a reason of the table."""
    return Refusal(code, reason.lower(), ErrorInfo(reason=reason, domain="tavola", metadata=metadata))


Script = Callable[[Any], Sequence[Message | Refusal]]
"""What a scripted server answers to a request: replies, and perhaps a refusal at the end."""


class ScriptedServer(v1.SessionServiceServicer):
    """A server that answers as a case says, and notes what it was asked."""

    def __init__(self, **scripts: Script) -> None:
        """Starts it on any free port. A method that has no script is not there."""
        self._scripts = scripts
        self._lock = threading.Lock()
        self.asked: list[tuple[str, Any, dict[str, str]]] = []
        """Each call: its method, its request and its metadata."""
        self._server = grpc.server(ThreadPoolExecutor(max_workers=16))
        v1.add_SessionServiceServicer_to_server(self, self._server)
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def close(self) -> None:
        """Stops it."""
        self._server.stop(grace=None).wait()

    def requests(self, method: str) -> list[Any]:
        """The requests of a method, in order."""
        with self._lock:
            return [request for name, request, _ in self.asked if name == method]

    def _play(self, method: str, request: Message, context: Any) -> Iterator[Any]:  # noqa: ANN401
        metadata = {name: str(value) for name, value in context.invocation_metadata()}
        with self._lock:
            self.asked.append((method, request, metadata))
        script = self._scripts.get(method)
        if script is None:
            context.abort(grpc.StatusCode.UNIMPLEMENTED, f"{method} is not in the script")
            return
        for reply in script(request):
            if isinstance(reply, Refusal):
                if reply.raw:
                    context.set_trailing_metadata((("grpc-status-details-bin", reply.raw),))
                code = next(each for each in grpc.StatusCode if each.value[0] == reply.code)
                context.abort(code, reply.message)
            yield reply


def _unary(method: str) -> Callable[[ScriptedServer, Message, Any], Any]:
    return lambda server, request, context: next(server._play(method, request, context))


def _stream(method: str) -> Callable[[ScriptedServer, Message, Any], Iterator[Any]]:
    return lambda server, request, context: server._play(method, request, context)


for _method in v1.SessionServiceServicer.__dict__:
    if _method[0].isupper() and _method != "Play":
        setattr(ScriptedServer, _method, (_stream if _method == "WatchSession" else _unary)(_method))
