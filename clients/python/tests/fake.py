"""A server that makes trouble on demand.

It holds one session: two seats answer in turns, and seat 1 answers by itself at once. Decision N has the
legal actions 10 * N and 10 * N + 1. The player of seat 0 has the token "secret".
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from tavola import v1

Code = grpc.StatusCode
SESSION = "fake"
TOKEN = "secret"
DECISIONS = 6


def info(reason: str, domain: str = "tavola", **metadata: str) -> ErrorInfo:
    """The ErrorInfo of a reason."""
    return ErrorInfo(reason=reason, domain=domain, metadata=metadata)


def abort(context: grpc.ServicerContext, code: grpc.StatusCode, message: str, *details: Message) -> NoReturn:
    """Ends a call with a status and its details."""
    status = Status(code=code.value[0], message=message)
    for detail in details:
        packed = Packed()
        packed.Pack(detail)
        status.details.append(packed)
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
    context.abort(code, message)
    raise AssertionError("abort raises")


class Table(v1.SessionServiceServicer):
    """The session, the trouble to make, and what was asked of it."""

    def __init__(self) -> None:
        """Opens the session at its first decision."""
        self.changed = threading.Condition()
        self.closing = False
        self.history: list[v1.Update] = []
        self.replies: dict[int, tuple[int, v1.SubmitActionResponse]] = {}
        # The trouble.
        self.refusal: tuple[grpc.StatusCode, str, list[Message]] | None = None
        self.unseen: set[int] = set()  # Decisions to which one submission fails before it has an effect.
        self.unheard: set[int] = set()  # Decisions to which one submission counts, but its reply is lost.
        self.overtaken: set[int] = set()  # Decisions that somebody else answers before our submission.
        self.overtaken_by = "STALE_DECISION"  # The reason that is given then.
        self.lagging: set[int] = set()  # Decisions that two updates in a row ask for.
        self.cuts: set[int] = set()  # Versions after which a stream breaks, once.
        self.unheard_joins = 0  # How many joins count, but their replies are lost.
        self.hangs_up = False  # Whether a stream ends well before the game does.
        # What was asked.
        self.watched: list[int | None] = []
        self.submitted: list[tuple[int, int]] = []
        self.joined: list[str] = []  # The request ids, in order.
        self.keys: set[str] = set()  # The API keys that came with a join.
        self.ask(1)

    def append(self, update: v1.Update) -> None:
        """Publishes an update."""
        update.version = len(self.history) + 1
        update.seat = 0
        self.history.append(update)

    def ask(self, decision_id: int) -> None:
        """Publishes a decision, and answers it if it is seat 1's."""
        if decision_id > DECISIONS:
            outcome = v1.Outcome(winners=[0], returns=[1, -1])
            self.append(v1.Update(status=v1.SESSION_STATUS_FINISHED, outcome=outcome))
            return
        seat = (decision_id - 1) % 2
        legal = [10 * decision_id, 10 * decision_id + 1] if seat == 0 else []
        for _ in range(2 if decision_id in self.lagging else 1):
            self.append(
                v1.Update(
                    status=v1.SESSION_STATUS_RUNNING,
                    decision=v1.Decision(decision_id=decision_id, seats=[seat]),
                    legal_actions=[v1.LegalAction(action_id=action_id) for action_id in legal],
                )
            )
        if seat == 1:
            self.apply(decision_id, 0)

    def apply(self, decision_id: int, action_id: int) -> None:
        """Lets an answer count."""
        self.replies[decision_id] = (action_id, v1.SubmitActionResponse(version=len(self.history) + 1))
        self.ask(decision_id + 1)

    def admit(self, session_id: str, context: grpc.ServicerContext) -> None:
        """Checks session and token, and refuses whatever a test wants refused."""
        if self.refusal:
            code, message, details = self.refusal
            abort(context, code, message, *details)
        if session_id != SESSION:
            abort(context, Code.NOT_FOUND, "no such session", info("SESSION_NOT_FOUND"))
        if ("authorization", f"Bearer {TOKEN}") not in list(context.invocation_metadata()):
            abort(context, Code.UNAUTHENTICATED, "needs a seat token", info("TOKEN_REQUIRED"))

    def JoinSession(self, request: v1.JoinSessionRequest, context: Any) -> v1.JoinSessionResponse:
        """Gives seat 0 to everybody."""
        with self.changed:
            self.joined.append(request.request_id)
            self.keys |= {str(value) for name, value in context.invocation_metadata() if name == "x-api-key"}
            if self.unheard_joins:
                self.unheard_joins -= 1
                abort(context, Code.UNAVAILABLE, "not stored", info("STORE_UNAVAILABLE"))
        return v1.JoinSessionResponse(seat=0, seat_token=TOKEN)

    def GetObservation(self, request: v1.GetObservationRequest, context: Any) -> v1.GetObservationResponse:
        """Tells the version and what is legal."""
        self.admit(request.session_id, context)
        with self.changed:
            latest = self.history[-1]
            return v1.GetObservationResponse(
                version=latest.version, decision=latest.decision, legal_actions=latest.legal_actions
            )

    def SubmitAction(self, request: v1.SubmitActionRequest, context: Any) -> v1.SubmitActionResponse:
        """Takes an answer as the contract says, apart from the trouble."""
        self.admit(request.session_id, context)
        decision_id, action_id = request.decision_id, request.action_id or request.action.santorini.move.to
        with self.changed:
            self.submitted.append((decision_id, action_id))
            if decision_id == 0:
                wrong = [BadRequest.FieldViolation(field="decision_id", description="must be at least 1")]
                details = info("MALFORMED_REQUEST"), BadRequest(field_violations=wrong)
                abort(context, Code.INVALID_ARGUMENT, "the request is malformed", *details)
            if decision_id in self.unseen:
                self.unseen.remove(decision_id)
                abort(context, Code.UNAVAILABLE, "going down", info("SHUTTING_DOWN"))
            if decision_id in self.overtaken:
                self.overtaken.remove(decision_id)
                self.apply(decision_id, 10 * decision_id + 1)
                self.changed.notify_all()
            if decision_id in self.replies:
                first, reply = self.replies[decision_id]
                if first == action_id:
                    return reply
                stale = info(self.overtaken_by, decision_id=str(max(self.replies) + 1), seats="0")
                abort(context, Code.ABORTED, "the decision has passed", stale)
            if action_id not in [legal.action_id for legal in self.history[-1].legal_actions]:
                abort(context, Code.FAILED_PRECONDITION, "not legal now", info("ACTION_NOT_LEGAL"))
            self.apply(decision_id, action_id)
            self.changed.notify_all()
            if decision_id in self.unheard:
                self.unheard.remove(decision_id)
                abort(context, Code.UNAVAILABLE, "not stored", info("STORE_UNAVAILABLE"))
            return self.replies[decision_id][1]

    def WatchSession(
        self, request: v1.WatchSessionRequest, context: Any
    ) -> Iterator[v1.WatchSessionResponse]:
        """Streams as the contract says, apart from the trouble."""
        self.admit(request.session_id, context)
        with self.changed:
            resumes = request.HasField("from_version")
            self.watched.append(request.from_version if resumes else None)
            seen = request.from_version if resumes else len(self.history) - 1
        while True:
            with self.changed:
                while len(self.history) == seen:
                    if self.closing:
                        abort(context, Code.UNAVAILABLE, "going down", info("SHUTTING_DOWN"))
                    self.changed.wait()
                update = self.history[seen]
            yield v1.WatchSessionResponse(update=update)
            seen += 1
            if update.HasField("outcome") or self.hangs_up:
                return
            if seen in self.cuts:
                self.cuts.remove(seen)
                resume = info("SHUTTING_DOWN", resume_version=str(seen))
                abort(context, Code.UNAVAILABLE, "going down", resume)


class Catalog(v1.CatalogServiceServicer):
    """Three games on two pages."""

    def ListGames(self, request: v1.ListGamesRequest, context: Any) -> v1.ListGamesResponse:
        """A page."""
        if request.page_token:
            return v1.ListGamesResponse(games=[v1.Game(game="third")])
        games = [v1.Game(game="first"), v1.Game(game="second")]
        return v1.ListGamesResponse(games=games, next_page_token="2")


class Server:
    """A running server with a table and a catalog."""

    def __init__(self) -> None:
        """Starts it on any free port."""
        self.table = Table()  # type: ignore[abstract]
        self.address = "127.0.0.1:0"
        self.start()

    def start(self) -> None:
        """Starts it, again at its address and with its table if it was stopped."""
        self.table.closing = False
        self._server = grpc.server(ThreadPoolExecutor(max_workers=8))
        v1.add_SessionServiceServicer_to_server(self.table, self._server)
        v1.add_CatalogServiceServicer_to_server(Catalog(), self._server)  # type: ignore[abstract]
        self.address = f"127.0.0.1:{self._server.add_insecure_port(self.address)}"
        self._server.start()

    def stop(self) -> None:
        """Cuts all connections and stops."""
        with self.table.changed:
            self.table.closing = True
            self.table.changed.notify_all()
        self._server.stop(grace=None).wait()
