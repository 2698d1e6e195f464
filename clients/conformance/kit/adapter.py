"""The client under test: a command that is asked in lines of JSON, and answers in lines of JSON."""

from __future__ import annotations

import base64
import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from tavola import v1


class Wrong(Exception):  # noqa: N818  # It is what a case says, not what has gone wrong with the kit.
    """What a client has done and should not have, or the other way round."""


@dataclass(frozen=True)
class Failure:
    """An error as an adapter tells it."""

    code: int
    reason: str = ""
    message: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    violations: list[dict[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        return f"code {self.code} {self.reason} ({self.message})"


MessageType = TypeVar("MessageType", bound=Message)
Answer = dict[str, Any]
OnUpdate = Callable[[v1.Update], None]
Policy = Callable[[v1.Update], int]


def packed(message: Message) -> str:
    """A message as the protocol carries it: its bytes in base64."""
    return base64.b64encode(message.SerializeToString()).decode()


def unpacked(kind: type[MessageType], text: object, what: str) -> MessageType:
    """A message out of an answer."""
    if not isinstance(text, str):
        raise Wrong(f"the answer has no {what}")
    try:
        return kind.FromString(base64.b64decode(text, validate=True))
    except (ValueError, DecodeError) as error:
        raise Wrong(f"the {what} of the answer is no {kind.DESCRIPTOR.name} in base64: {error}") from error


class Adapter:
    """A running adapter. One thing is asked at a time."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        """Starts the command. Whatever it is asked has to bring a line within `patience` seconds."""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._patience = patience
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._asked = 0
        threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        """Ends the command, which ends by itself when its input does."""
        assert self._process.stdin
        try:
            self._process.stdin.close()
            self._process.wait(5)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self._process.kill()
        self._process.wait()

    @property
    def usable(self) -> bool:
        """Whether it runs and owes no answer."""
        return self._process.poll() is None and not self._owing

    _owing = False

    def ask(self, do: str, **arguments: object) -> Answer | Failure:
        """What a command brings: its answer, or the error that the client gave."""
        return self._dialog(do, arguments, None, None)

    def need(self, do: str, **arguments: object) -> Answer:
        """The answer of a command that has to succeed."""
        return succeeded(do, self.ask(do, **arguments))

    def watch(self, on_update: OnUpdate, **arguments: object) -> Answer | Failure:
        """Has a session watched, and is told each update."""
        return self._dialog("watch", arguments, on_update, None)

    def play(self, policy: Policy, **arguments: object) -> Answer | Failure:
        """Has a seat played; `policy` chooses the answers."""
        return self._dialog("play", arguments, None, policy)

    def _dialog(
        self, do: str, arguments: dict[str, object], on_update: OnUpdate | None, policy: Policy | None
    ) -> Answer | Failure:
        self._asked += 1
        given = {name: value for name, value in arguments.items() if value is not None}
        self._owing = True
        self._write({"id": self._asked, "do": do, **given})
        while True:
            line = self._line(do)
            if "update" in line and on_update:
                on_update(unpacked(v1.Update, line["update"], "update"))
            elif "asked" in line and policy:
                update = unpacked(v1.Update, line["asked"], "asked")
                self._write({"id": self._asked, "answer": policy(update)})
            elif isinstance(line.get("ok"), dict):
                self._owing = False
                ok: Answer = line["ok"]
                return ok
            elif isinstance(line.get("error"), dict):
                self._owing = False
                try:
                    return Failure(**line["error"])
                except TypeError as error:
                    raise Wrong(f"{do}: the error is not as the protocol says: {error}") from error
            else:
                raise Wrong(f"{do}: answers {json.dumps(line)[:200]}, which the protocol does not have here")

    def _line(self, do: str) -> dict[str, Any]:
        """The next line of the command that belongs to what was asked."""
        until = time.monotonic() + self._patience
        while True:
            try:
                text = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise Wrong(f"{do}: no answer within {self._patience:g} s") from None
            if text is None:
                code = self._process.wait()
                raise Wrong(f"{do}: the adapter has ended with exit code {code}")
            try:
                line = json.loads(text)
            except json.JSONDecodeError as error:
                raise Wrong(f"{do}: answers {text[:200]!r}, which is not JSON") from error
            if not isinstance(line, dict) or line.get("id") != self._asked:
                raise Wrong(f"{do}: answers {text[:200]!r}, which is not to line {self._asked}")
            return line

    def _write(self, line: dict[str, object]) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise Wrong(f"the adapter has ended with exit code {self._process.wait()}") from error

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)


def succeeded(do: str, answer: Answer | Failure) -> Answer:
    """An answer that has to be none of an error."""
    if isinstance(answer, Failure):
        raise Wrong(f"{do} fails: {answer}")
    return answer


def failed(do: str, answer: Answer | Failure, *codes: int) -> Failure:
    """An answer that has to be an error of one of these codes."""
    if not isinstance(answer, Failure):
        raise Wrong(f"{do} succeeds, and should fail with code {' or '.join(map(str, codes))}")
    if answer.code not in codes:
        raise Wrong(f"{do} fails with {answer}, and should with code {' or '.join(map(str, codes))}")
    return answer
