"""A table that the driver sets up by its own stubs, for a client to come to."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from typing import TypeVar

import grpc

from tavola import v1

GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.NOT_FOUND)
"""How calls end when the server or the session is no more."""
Request = TypeVar("Request")
Response = TypeVar("Response")
Metadata = tuple[tuple[str, str], ...]


def bearer(token: str) -> Metadata:
    """The metadata that carries a token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


class Table:
    """A session with its tokens."""

    def __init__(
        self,
        address: str,
        game: str = "santorini",
        seats: int = 2,
        *,
        joined: int = 0,
        bots: int = 0,
        options: v1.Options | None = None,
        clock: v1.Clock | None = None,
        private: bool = False,
        seed: int | None = None,
    ) -> None:
        """Opens it: the first seats are the driver's, house bots take the ones after."""
        self.address = address
        self.tokens: list[str] = []
        channel = grpc.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)])
        self._sessions = v1.SessionServiceStub(channel)
        request = v1.CreateSessionRequest(
            game=game, seats=seats, options=options, clock=clock, private=private, seed=seed
        )
        opened = self._call(self._sessions.CreateSession, request)
        self.session_id = opened.session_id
        self.host = opened.host_token
        self.join_token = opened.join_token
        for _ in range(joined):
            join = v1.JoinSessionRequest(session_id=self.session_id)
            self.tokens.append(self._call(self._sessions.JoinSession, join, self.host).seat_token)
        for _ in range(bots):
            self.add_bot()

    def _call(
        self, method: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request, token: str = ""
    ) -> Response:
        return method(request, metadata=bearer(token), timeout=20, wait_for_ready=True)

    def add_bot(self) -> None:
        """Gives the next seat to a house bot."""
        bot = v1.AddBotRequest(session_id=self.session_id, bot="random")
        self._call(self._sessions.AddBot, bot, self.host)

    def session(self) -> v1.Session:
        """The session as it is now."""
        request = v1.GetSessionRequest(session_id=self.session_id)
        return self._call(self._sessions.GetSession, request, self.host).session

    def observe(self, token: str) -> v1.GetObservationResponse:
        """What a seat sees."""
        request = v1.GetObservationRequest(session_id=self.session_id)
        return self._call(self._sessions.GetObservation, request, token)

    def submit(self, token: str, decision_id: int, action_id: int) -> v1.SubmitActionResponse:
        """Answers for a seat."""
        request = v1.SubmitActionRequest(
            session_id=self.session_id, decision_id=decision_id, action_id=action_id, view=v1.VIEW_LEAN
        )
        return self._call(self._sessions.SubmitAction, request, token)

    def replay(self) -> list[v1.ReplayStep]:
        """The steps of the finished game."""
        steps: list[v1.ReplayStep] = []
        request = v1.GetReplayRequest(session_id=self.session_id, page_size=1000)
        while True:
            page = self._call(self._sessions.GetReplay, request, self.host)
            steps += page.steps
            if not page.next_page_token:
                return steps
            request.page_token = page.next_page_token

    def leave(self, token: str) -> None:
        """Has a seat resign."""
        self._call(self._sessions.LeaveSession, v1.LeaveSessionRequest(session_id=self.session_id), token)

    def delete(self) -> None:
        """Forgets the session."""
        request = v1.DeleteSessionRequest(session_id=self.session_id)
        self._call(self._sessions.DeleteSession, request, self.host)

    def watch(self, token: str) -> Iterator[v1.Update]:
        """What a seat is told, in the lean view."""
        request = v1.WatchSessionRequest(session_id=self.session_id, view=v1.VIEW_LEAN)
        for response in self._sessions.WatchSession(request, metadata=bearer(token)):
            yield response.update

    def asked(self) -> tuple[int, int, Sequence[v1.LegalAction]]:
        """Of the seats of the driver, one that has to decide, the decision and its legal actions."""
        for seat, token in enumerate(self.tokens):
            seen = self.observe(token)
            if seat in seen.decision.seats:
                return seat, seen.decision.decision_id, seen.legal_actions
        raise RuntimeError("no seat of the driver has to decide")

    def finish(self) -> None:
        """Plays on at random until the game is over."""
        chance = random.Random(1)
        while self.session().status == v1.SESSION_STATUS_RUNNING:
            seat, decision_id, legal = self.asked()
            self.submit(self.tokens[seat], decision_id, chance.choice(legal).action_id)


def play_in_background(table: Table, seat: int, seed: int) -> threading.Thread:
    """Plays one of the driver's seats at random to the end, on a thread."""

    def play() -> None:
        chance = random.Random(f"{seed} {seat}")
        token = table.tokens[seat]
        try:
            answer_all(chance, token)
        except grpc.RpcError as error:
            if error.code() not in GONE:
                raise

    def answer_all(chance: random.Random, token: str) -> None:
        answered = 0
        for update in table.watch(token):
            if seat in update.decision.seats and update.decision.decision_id != answered:
                answered = update.decision.decision_id
                table.submit(token, answered, chance.choice(update.legal_action_ids))

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    return thread
