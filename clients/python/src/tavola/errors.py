"""What a refused or failed call says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status


class Violation(NamedTuple):
    """A field of a request that is wrong."""

    field: str
    """Its path, such as `options.santorini.max_turns`."""
    description: str
    """What is wrong with it and what is allowed."""


class TavolaError(Exception):
    """A call that the server refused, or that did not reach it.

    The `grpc.RpcError` that says the same is its `__cause__`.
    """

    def __init__(self, code: grpc.StatusCode, message: str, details: Iterable[Message] = ()) -> None:
        super().__init__(message)
        self.code = code
        """The status code."""
        self.message = message
        """What went wrong, for people."""
        self.reason = ""
        """The name of a `v1.ErrorReason` without its prefix, such as `"STALE_DECISION"`. A newer server
        may send one that is not in there. Empty if the error comes from elsewhere than the table."""
        self.metadata: dict[str, str] = {}
        """The facts that belong to the reason, such as the `decision_id` that is open now."""
        self.violations: tuple[Violation, ...] = ()
        """The fields of the request that are wrong."""
        self.retry_delay: float | None = None
        """The seconds after which the server asks to try again. None if it does not."""
        for detail in details:
            if isinstance(detail, ErrorInfo) and detail.domain == "tavola":
                self.reason = detail.reason
                self.metadata = dict(detail.metadata)
            elif isinstance(detail, BadRequest):
                wrong = detail.field_violations
                self.violations = tuple(Violation(each.field, each.description) for each in wrong)
            elif isinstance(detail, RetryInfo):
                self.retry_delay = detail.retry_delay.ToTimedelta().total_seconds()

    @classmethod
    def of(cls, error: grpc.RpcError) -> TavolaError:
        """The same error, with its details read."""
        call = cast(grpc.Call, error)  # Whatever grpc raises from a call is one, in sync and in asyncio.
        this = cls(call.code(), call.details() or "", unpack(call.trailing_metadata() or ()))
        this.__cause__ = error
        return this

    @property
    def transient(self) -> bool:
        """Whether the same call may succeed a little later.

        That does not say that it had no effect: repeat only what is safe to repeat.
        """
        passing = self.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
        return passing or self.retry_delay is not None

    def __str__(self) -> str:
        head = f"{self.code.name} {self.reason}".rstrip()
        return f"{head}: {self.message}"


def unpack(trailers: Iterable[tuple[str, str | bytes]]) -> list[Message]:
    """The details of a status that we know, out of the trailers of its call."""
    found: list[Message] = []
    for key, value in trailers:
        if key != "grpc-status-details-bin" or not isinstance(value, bytes):
            continue
        try:
            for packed in Status.FromString(value).details:
                for kind in (ErrorInfo, BadRequest, RetryInfo):
                    detail = kind()
                    if packed.Unpack(detail):
                        found.append(detail)
        except DecodeError:
            pass  # The code and the message say what they can.
    return found
