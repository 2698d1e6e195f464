"""The client for asyncio.

    async with tavola.aio.connect("localhost:50051") as client:
        seat = await client.join(session_id)
        outcome = await seat.play(lambda update: update.legal_actions[0].action_id)

It has what `tavola.client` has, to be awaited, and a policy may be a coroutine function.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import grpc
import grpc.aio

from tavola import v1
from tavola._channel import OPTIONS, credentials_of, resolve
from tavola._play import Patience, asked, overtaken, submission, unfinished
from tavola.errors import TavolaError

Request = TypeVar("Request")
Response = TypeVar("Response")
Taking = TypeVar("Taking", v1.CreateSessionRequest, v1.JoinSessionRequest, v1.AddBotRequest)

Policy: TypeAlias = Callable[[v1.Update], int | v1.Action | Awaitable[int | v1.Action]]
"""Chooses the answer to the decision of an update, as a function or a coroutine function: the id of a legal
action, or an action by meaning."""


def connect(
    address: str = "localhost:50051",
    *,
    credentials: grpc.ChannelCredentials | None = None,
    api_key: str | None = None,
    timeout: float = 20.0,
    patience: float = 60.0,
) -> Client:
    """A client of the server at `address`: `HOST:PORT`, or the URL that the server prints.

    To be called where the event loop runs; the connection is made with the first call to the server. It
    uses TLS if `credentials` are given or the address begins with `https://`. `timeout` and `patience`
    are those of `Client`.
    """
    target, credentials = resolve(address, credentials)
    if credentials is None:
        channel = grpc.aio.insecure_channel(target, OPTIONS)
    else:
        channel = grpc.aio.secure_channel(target, credentials, OPTIONS)
    return Client(channel, api_key=api_key, timeout=timeout, patience=patience)


class Client:
    """A connection to a server. Close it, or use it in an `async with`.

    The connection carries as many calls and streams at once as the server allows
    (`v1.Limits.streams_per_connection_max`), the others wait. Whoever plays more seats needs more clients.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        api_key: str | None = None,
        timeout: float = 20.0,
        patience: float = 60.0,
    ) -> None:
        """Wraps a channel.

        `api_key` goes with every call, for a server that wants one. A call fails after `timeout` seconds;
        streams have no end of their own. `watch`, `play` and the calls that carry a `request_id` go on
        trying for `patience` seconds while the server cannot be reached; 0: they do not try again.
        """
        self.channel = channel
        self.api_key = api_key
        self.timeout = timeout
        self.patience = patience
        self.catalog = v1.CatalogServiceStub(channel)
        """The stub of CatalogService, for `call`."""
        self.sessions = v1.SessionServiceStub(channel)
        """The stub of SessionService, for `call`."""

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connection and all that goes on over it."""
        await self.channel.close()

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        token: str | None = None,
    ) -> Response:
        """Calls a method of a stub with a token and a deadline. Raises a `TavolaError` if that fails."""
        try:
            return await method(request, metadata=credentials_of(token, self.api_key), timeout=self.timeout)
        except grpc.RpcError as error:
            raise TavolaError.of(error) from error

    async def games(self) -> list[v1.Game]:
        """All games that can be played here."""
        games: list[v1.Game] = []
        request = v1.ListGamesRequest()
        while True:
            page = await self.call(self.catalog.ListGames, request)
            games += page.games
            if not page.next_page_token:
                return games
            request.page_token = page.next_page_token

    async def create(
        self,
        game: str,
        seats: int | None = None,
        options: v1.Options | None = None,
        seed: int | None = None,
        clock: v1.Clock | None = None,
        private: bool = False,
        request_id: str | None = None,
    ) -> Host:
        """Opens a session. It starts when all its seats are taken.

        With a `request_id` of your own, best `str(uuid.uuid4())`, it is opened once however often it is asked
        for, and the call is repeated while the server cannot be reached. So are `join` and `add_bot`.
        """
        request = v1.CreateSessionRequest(
            game=game,
            seats=seats,
            options=options,
            seed=seed,
            clock=clock,
            private=private,
            request_id=request_id or "",
        )
        response = await self._take(self.sessions.CreateSession, request)
        return Host(self, response.session_id, response.host_token, response.join_token)

    async def join(
        self,
        session_id: str,
        seat: int | None = None,
        token: str | None = None,
        request_id: str | None = None,
    ) -> Seat:
        """Takes a seat: this one, or the first that is open.

        A private session wants its join token. About `request_id` see `create`.
        """
        request = v1.JoinSessionRequest(session_id=session_id, seat=seat, request_id=request_id or "")
        response = await self._take(self.sessions.JoinSession, request, token)
        return Seat(self, session_id, response.seat, response.seat_token)

    async def session(self, session_id: str, token: str | None = None) -> v1.Session:
        """A session with its seats, as it is now. A private one wants a token of it."""
        request = v1.GetSessionRequest(session_id=session_id)
        return (await self.call(self.sessions.GetSession, request, token)).session

    async def observe(
        self, session_id: str, view: v1.View.ValueType = v1.VIEW_FULL, token: str | None = None
    ) -> v1.GetObservationResponse:
        """What a spectator knows now or, with a seat token, what that seat knows."""
        request = v1.GetObservationRequest(session_id=session_id, view=view)
        return await self.call(self.sessions.GetObservation, request, token)

    async def replay(
        self, session_id: str, seat: int | None = None, token: str | None = None
    ) -> v1.GetReplayResponse:
        """The replay of a finished game, all its pages in one, with the events of a seat or a spectator's.

        That of a private session wants a token of it.
        """
        request = v1.GetReplayRequest(session_id=session_id, seat=seat)
        replay = await self.call(self.sessions.GetReplay, request, token)
        while replay.next_page_token:
            request.page_token = replay.next_page_token
            page = await self.call(self.sessions.GetReplay, request, token)
            replay.steps.extend(page.steps)
            replay.next_page_token = page.next_page_token
        return replay

    async def watch(
        self,
        session_id: str,
        from_version: int | None = None,
        view: v1.View.ValueType = v1.VIEW_FULL,
        token: str | None = None,
    ) -> AsyncGenerator[v1.Update, None]:
        """The updates of a session up to its result: a spectator's or, with a seat token, that seat's.

        Begins with a snapshot, or with the update after `from_version`. If the stream is cut off it is
        resumed where it was, as long as the client has patience. A private session wants a token of it; its
        join token shows what a spectator sees.
        """
        patience = Patience(self.patience)
        while True:
            request = v1.WatchSessionRequest(session_id=session_id, from_version=from_version, view=view)
            stream = self.sessions.WatchSession(request, metadata=credentials_of(token, self.api_key))
            try:
                async for response in stream:
                    patience.restore()
                    from_version = response.update.version
                    yield response.update
                return
            except grpc.RpcError as error:
                pause = patience.spend(TavolaError.of(error))
            finally:
                stream.cancel()
            await asyncio.sleep(pause)

    async def _take(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Taking, Response],
        request: Taking,
        token: str | None = None,
    ) -> Response:
        """Calls what takes a session or a seat: until there is a reply, where its request id allows."""
        patience = Patience(self.patience)
        while True:
            try:
                return await self.call(method, request, token)
            except TavolaError as error:
                if not request.request_id:
                    raise
                pause = patience.spend(error)
            await asyncio.sleep(pause)


@dataclass(frozen=True)
class Host:
    """The right to set up a session. Its fields are all that is needed to come back to it."""

    client: Client = field(repr=False)
    session_id: str
    token: str = field(repr=False)
    join_token: str = field(default="", repr=False)
    """What whoever may come to a private session needs. Empty if it is not private."""

    async def join(self, seat: int | None = None, request_id: str | None = None) -> Seat:
        """Takes a seat, as everybody may who knows the session's id and, if it is private, its join token."""
        return await self.client.join(self.session_id, seat, self.join_token or None, request_id)

    async def add_bot(
        self, bot: str, seat: int | None = None, request_id: str | None = None
    ) -> v1.AddBotResponse:
        """Gives a seat to a house bot: this one, or the first that is open."""
        request = v1.AddBotRequest(
            session_id=self.session_id, bot=bot, seat=seat, request_id=request_id or ""
        )
        return await self.client._take(self.client.sessions.AddBot, request, self.token)

    async def delete(self) -> None:
        """Ends and forgets the session."""
        request = v1.DeleteSessionRequest(session_id=self.session_id)
        await self.client.call(self.client.sessions.DeleteSession, request, self.token)


@dataclass(frozen=True)
class Seat:
    """The right to play a seat. Its fields are all that is needed to come back to it."""

    client: Client = field(repr=False)
    session_id: str
    seat: int
    token: str = field(repr=False)

    async def observe(self, view: v1.View.ValueType = v1.VIEW_FULL) -> v1.GetObservationResponse:
        """What the seat knows now, and what it may answer."""
        return await self.client.observe(self.session_id, view, self.token)

    async def submit(
        self,
        decision_id: int,
        action: int | v1.Action,
        view: v1.View.ValueType = v1.VIEW_FULL,
    ) -> v1.SubmitActionResponse:
        """Answers a decision, by the id of a legal action or by meaning.

        Safe to repeat: the same answer again gets the first reply and changes nothing.
        """
        request = submission(self.session_id, decision_id, action, view)
        return await self.client.call(self.client.sessions.SubmitAction, request, self.token)

    def watch(
        self, from_version: int | None = None, view: v1.View.ValueType = v1.VIEW_FULL
    ) -> AsyncGenerator[v1.Update, None]:
        """The updates of the session as the seat sees them: see `Client.watch`."""
        return self.client.watch(self.session_id, from_version, view, self.token)

    async def leave(self) -> v1.Session:
        """Leaves the seat. In a started game this is a resignation."""
        request = v1.LeaveSessionRequest(session_id=self.session_id)
        return (await self.client.call(self.client.sessions.LeaveSession, request, self.token)).session

    async def play(self, policy: Policy, view: v1.View.ValueType = v1.VIEW_FULL) -> v1.Outcome:
        """Plays the seat to the end of the game and returns the result.

        Watches the session and submits what `policy` answers whenever the seat owes a decision. If the
        reply does not come it submits the same again, which is safe; if the decision has passed
        meanwhile it goes on with the next.
        """
        answered = 0
        async with aclosing(self.watch(view=view)) as updates:
            async for update in updates:
                if update.HasField("outcome"):
                    return update.outcome
                if asked(update, self.seat, answered):
                    answered = update.decision.decision_id
                    action = policy(update)
                    if inspect.isawaitable(action):
                        action = await action
                    await self.answer(answered, action)
        raise unfinished()

    async def answer(self, decision_id: int, action: int | v1.Action) -> None:
        """Submits until there is a reply; if the decision has passed meanwhile, that is left alone.

        For whoever watches at the same time: the updates tell what comes of it.
        """
        patience = Patience(self.client.patience)
        while True:
            try:
                await self.submit(decision_id, action, v1.VIEW_LEAN)
                return
            except TavolaError as error:
                if overtaken(error):
                    return
                pause = patience.spend(error)
            await asyncio.sleep(pause)
