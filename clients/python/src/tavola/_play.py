"""What the sync and the asyncio client share of playing: all that does no I/O."""

from __future__ import annotations

import random
import time

import grpc

from tavola import v1
from tavola.errors import TavolaError

_jitter = random.Random()  # Not the global one, which a bot may have seeded.


class Patience:
    """How long to go on trying what fails for the moment."""

    def __init__(self, limit: float) -> None:
        """Begins with all of its `limit`, in seconds."""
        self._limit = limit
        self.restore()

    def restore(self) -> None:
        """Something has worked: what fails from now on is a new trouble."""
        self._attempts = 0
        self._since: float | None = None

    def spend(self, error: TavolaError) -> float:
        """The seconds to wait before the next attempt. Raises `error` if there is to be none."""
        if not error.transient:
            raise error
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        pause = min(0.1 * 2.0**self._attempts, 2.0) * _jitter.uniform(0.5, 1.0)
        pause = max(pause, error.retry_delay or 0.0)
        if now + pause - self._since > self._limit:
            raise error
        self._attempts += 1
        return pause


def asked(update: v1.Update, seat: int, answered: int) -> bool:
    """Whether a seat, which has answered the decision `answered`, owes another answer.

    Where several seats decide at once, updates from before our own answer counted still ask us for it.
    """
    return seat in update.decision.seats and update.decision.decision_id != answered


def submission(
    session_id: str, decision_id: int, action: int | v1.Action, view: v1.View.ValueType
) -> v1.SubmitActionRequest:
    """The request that answers a decision, by number or by meaning."""
    request = v1.SubmitActionRequest(session_id=session_id, decision_id=decision_id, view=view)
    if isinstance(action, v1.Action):
        request.action.CopyFrom(action)
    else:
        request.action_id = action
    return request


def overtaken(error: TavolaError) -> bool:
    """Whether an answer came too late: the table has gone on, and the stream will tell how."""
    return error.reason in ("STALE_DECISION", "OUT_OF_TIME", "GAME_OVER")


def unfinished() -> TavolaError:
    """What is wrong with a stream that ends well before its game does."""
    return TavolaError(grpc.StatusCode.INTERNAL, "the stream ended without a result")
