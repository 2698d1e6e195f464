"""The cases that are more than calls: streams that are cut, servers that restart, whole games."""

from __future__ import annotations

import contextlib
import random
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo

from kit.adapter import Failure, Wrong, failed, packed, succeeded, unpacked
from kit.calls import Context
from kit.proxy import Proxy, Trouble
from kit.servers import RealServer, Refusal, Script, ScriptedServer, refused, stubs
from kit.table import Table, play_in_background
from tavola import v1

UNAVAILABLE, DEADLINE_EXCEEDED = 14, 4
PATIENCE_MS = 20_000
HELD_S = 0.3
"""For how long what was sent on a lossy way is given to arrive, before the way is cut."""


def check(holds: object, otherwise: str) -> None:
    """Says what is wrong unless something holds."""
    if not holds:
        raise Wrong(otherwise)


class Sequence:
    """The updates of a watched session: they have to come without gap or repeat."""

    def __init__(self, after: int | None = None) -> None:
        """Begins with a snapshot or, resuming, after a version."""
        self.updates: list[v1.Update] = []
        self._version = after

    def __call__(self, update: v1.Update) -> None:
        """Takes the next update."""
        if self._version is None:
            check(update.snapshot, "the first update is no snapshot")
        elif update.version <= self._version:
            raise Wrong(
                f"the update with version {update.version} comes after version {self._version}: again"
            )
        elif update.version > self._version + 1 and not update.snapshot:
            raise Wrong(
                f"the update with version {self._version + 1} is missing: {update.version} comes next"
            )
        check(
            not self.updates or not self.updates[-1].HasField("outcome"), "an update comes after the result"
        )
        self._version = update.version
        self.updates.append(update)

    def check_end(self) -> None:
        """The last update of a whole game has its result."""
        check(self.updates and self.updates[-1].HasField("outcome"), "the watch ends without the result")


class Player:
    """A policy that answers at random, and notes what it was asked."""

    def __init__(self, seat: int, seed: int, trouble: Callable[[int], None] = lambda _: None) -> None:
        """`trouble` is told the number of each question before it is answered, from 1."""
        self._seat = seat
        self._chance = random.Random(seed)
        self._trouble = trouble
        self.answers: dict[int, int] = {}

    def __call__(self, update: v1.Update) -> int:
        """Answers."""
        decision = update.decision
        check(self._seat in decision.seats, f"is asked for version {update.version}, which asks others")
        check(decision.decision_id not in self.answers, f"is asked decision {decision.decision_id} again")
        check(update.legal_actions, f"decision {decision.decision_id} has no legal actions")
        check(all(legal.label for legal in update.legal_actions), "a legal action has no label")
        check(
            all(legal.HasField("action") for legal in update.legal_actions), "a legal action has no meaning"
        )
        chosen = self._chance.choice(update.legal_actions).action_id
        self.answers[decision.decision_id] = chosen
        self._trouble(len(self.answers))
        return chosen


def sit_down(context: Context, address: str, table: Table, **connect: object) -> tuple[int, str]:
    """Connects the client and has it take a seat: its number and its token."""
    settings = {"timeout_ms": 5000, "patience_ms": PATIENCE_MS, **connect}
    context.adapter.need("connect", address=address, **settings)
    joined = context.adapter.need("join", session_id=table.session_id, token=table.join_token or None)
    check(isinstance(joined.get("seat"), int), "join: the answer has no seat")
    check(isinstance(joined.get("seat_token"), str), "join: the answer has no seat_token")
    return joined["seat"], joined["seat_token"]


def finish(context: Context, table: Table, seat: int, token: str, player: Player) -> None:
    """Has the client play its seat to the end, and checks what came of it."""
    answer = context.adapter.play(player, session_id=table.session_id, seat=seat, token=token)
    outcome = unpacked(v1.Outcome, succeeded("play", answer).get("outcome"), "outcome")
    session = table.session()
    check(outcome == session.outcome, "play: the outcome is not the one of the session")
    counted = [
        step.action_id for step in table.replay() if step.ply and step.seat == seat and not step.out_of_time
    ]
    check(counted == list(player.answers.values()), "the answers that counted are not those that were given")


@contextlib.contextmanager
def on_the_way(server: RealServer) -> Iterator[Proxy]:
    """A proxy to a server."""
    proxy = Proxy(server.address)
    try:
        yield proxy
    finally:
        proxy.close()


# === whole games


def whole_game(context: Context, game: str, seats: int) -> None:
    """A whole game of one seat of the client against random players of the driver."""
    table = Table(context.server.address, game, seats, joined=seats - 1, seed=seats)
    for other in range(seats - 1):
        play_in_background(table, other, seed=7)
    seat, token = sit_down(context, context.server.address, table)
    finish(context, table, seat, token, Player(seat, seed=seats))


def simultaneous_decisions(context: Context) -> None:
    """The client thinks for longer than the others, whose answers make updates that still ask for its own."""
    table = Table(context.server.address, "council_of_shadows", 4, joined=3, seed=4)
    for other in range(3):
        play_in_background(table, other, seed=4)
    seat, token = sit_down(context, context.server.address, table)
    at_once = 0

    def slowly(update: v1.Update) -> int:
        nonlocal at_once
        if len(update.decision.seats) > 1 and at_once < 12:
            at_once += 1
            time.sleep(0.15)
        return player(update)

    player = Player(seat, seed=4)
    answer = context.adapter.play(slowly, session_id=table.session_id, seat=seat, token=token)
    outcome = unpacked(v1.Outcome, succeeded("play", answer).get("outcome"), "outcome")
    check(outcome == table.session().outcome, "play: the outcome is not the one of the session")
    check(at_once > 3, "the client was hardly ever asked together with others")


def private_table(context: Context) -> None:
    """A private session is joined, played and watched with its tokens."""
    table = Table(context.server.address, "santorini", 2, bots=1, private=True)
    seat, token = sit_down(context, context.server.address, table)
    finish(context, table, seat, token, Player(seat, seed=1))
    sequence = Sequence()
    watched = context.adapter.watch(sequence, session_id=table.session_id, token=table.join_token)
    succeeded("watch", watched)
    sequence.check_end()


# === streams


def watch(context: Context, cuts: list[int]) -> None:
    """A game is watched from its first version on; the way is cut after some of the updates."""
    table = Table(context.server.address, "santorini", 2, joined=1)
    sequence = Sequence()

    def on_update(update: v1.Update) -> None:
        sequence(update)
        if len(sequence.updates) == 1:
            table.add_bot()
        elif len(sequence.updates) == 2:  # Not earlier: the game must not be over before it is watched.
            play_in_background(table, 0, seed=2)
        if len(sequence.updates) in cuts:
            proxy.cut()

    with on_the_way(context.server) as proxy:
        context.adapter.need("connect", address=proxy.address, timeout_ms=5000, patience_ms=PATIENCE_MS)
        succeeded("watch", context.adapter.watch(on_update, session_id=table.session_id))
    sequence.check_end()
    check(len(sequence.updates) > max(cuts, default=0), "the game was over before the last cut")


def watch_from(context: Context) -> None:
    """A watch that was ended is taken up again after its last version."""
    table = Table(context.server.address, "santorini", 2, bots=2, seed=3)
    while table.session().status != v1.SESSION_STATUS_FINISHED:
        time.sleep(0.05)
    last = table.session().version
    context.adapter.need("connect", address=context.server.address, timeout_ms=5000, patience_ms=PATIENCE_MS)
    for known in last - 1, last - 5, last:
        sequence = Sequence(after=known)
        answer = context.adapter.watch(sequence, session_id=table.session_id, from_version=str(known))
        succeeded("watch", answer)
        check(
            len(sequence.updates) == last - known,
            f"after version {known} of {last}: {len(sequence.updates)} come",
        )


def watch_stopped(context: Context) -> None:
    """A watch is ended by the client, and another one goes on where it was."""
    table = Table(context.server.address, "santorini", 2, joined=2, seed=3)
    for seat in range(2):
        play_in_background(table, seat, seed=3)
    context.adapter.need("connect", address=context.server.address, timeout_ms=5000, patience_ms=PATIENCE_MS)
    first = Sequence()
    version = table.session().version + 4
    answer = context.adapter.watch(first, session_id=table.session_id, stop_at=str(version))
    succeeded("watch", answer)
    check(first.updates and first.updates[-1].version >= version, "the watch ends before it should")
    rest = Sequence(after=first.updates[-1].version)
    known = str(first.updates[-1].version)
    succeeded("watch", context.adapter.watch(rest, session_id=table.session_id, from_version=known))
    if rest.updates:
        rest.check_end()


def deleted_while_watched(context: Context) -> None:
    """A session that is deleted ends its stream with NOT_FOUND, and there is no use in trying again."""
    table = Table(context.server.address, "santorini", 2, joined=1)

    def on_update(_: v1.Update) -> None:
        table.delete()

    context.adapter.need("connect", address=context.server.address, timeout_ms=5000, patience_ms=PATIENCE_MS)
    began = time.monotonic()
    refusal = failed("watch", context.adapter.watch(on_update, session_id=table.session_id), 5)
    check(refusal.reason == "SESSION_NOT_FOUND", f"watch: the reason is {refusal.reason!r}")
    check(time.monotonic() - began < 5, "watch goes on trying what cannot succeed")


def silent_connection(context: Context) -> None:
    """The connection dies without a word: pings find that, and the watch is resumed over another one."""
    table = Table(context.server.address, "santorini", 2, joined=2)
    sequence = Sequence()

    def on_update(update: v1.Update) -> None:
        sequence(update)
        if len(sequence.updates) == 1:
            proxy.freeze()
            for seat in range(2):
                play_in_background(table, seat, seed=2)

    with on_the_way(context.server) as proxy:
        context.adapter.need("connect", address=proxy.address, timeout_ms=5000, patience_ms=PATIENCE_MS)
        succeeded("watch", context.adapter.watch(on_update, session_id=table.session_id))
    sequence.check_end()


def play_cut(context: Context) -> None:
    """The way is cut before some of the answers of a game, and in the middle of the thinking."""
    table = Table(context.server.address, "santorini", 2, bots=1)
    with on_the_way(context.server) as proxy:
        seat, token = sit_down(context, proxy.address, table)
        player = Player(seat, 5, lambda number: proxy.cut() if number in (1, 2, 5, 9) else None)
        finish(context, table, seat, token, player)


def lost_on_the_way(context: Context, trouble: str) -> None:
    """Some answers of a game do not arrive, or their replies do not: each counts once."""
    table = Table(context.server.address, "santorini", 2, bots=1)
    with on_the_way(context.server) as proxy:

        def lose(number: int) -> None:
            if number in (2, 6):
                proxy.set(Trouble[trouble])
                threading.Timer(HELD_S, cut).start()

        def cut() -> None:
            proxy.cut()
            proxy.set(Trouble.NONE)

        seat, token = sit_down(context, proxy.address, table)
        finish(context, table, seat, token, Player(seat, 6, lose))


def restarted(context: Context, gently: bool) -> None:
    """The server goes down in the middle of a game and comes back: the game goes on where it was."""
    server = RealServer(context.binary, "--data", "data")
    try:
        table = Table(server.address, "santorini", 2, bots=1)
        seat, token = sit_down(context, server.address, table)

        def restart(number: int) -> None:
            if number in (3, 7):
                server.stop() if gently else server.kill()
                threading.Timer(0.5, server.start).start()

        finish(context, table, seat, token, Player(seat, 8, restart))
    finally:
        server.close()


def out_of_time(context: Context) -> None:
    """An answer comes too late: the session has answered, and the client goes on with the next decision."""
    clock = v1.Clock(
        per_move=v1.ClockPerMove(time=Duration(nanos=400_000_000)), on_expiry=v1.CLOCK_EXPIRY_RANDOM_ACTION
    )
    table = Table(context.server.address, "santorini", 2, bots=1, clock=clock)
    seat, token = sit_down(context, context.server.address, table)
    player = Player(seat, 9, lambda number: time.sleep(0.8) if number in (2, 4) else None)
    answer = context.adapter.play(player, session_id=table.session_id, seat=seat, token=token)
    outcome = unpacked(v1.Outcome, succeeded("play", answer).get("outcome"), "outcome")
    check(outcome == table.session().outcome, "play: the outcome is not the one of the session")
    late = [step for step in table.replay() if step.out_of_time]
    check(late, "no answer was late: the case has not tried anything")


# === what is safe to repeat


def repeated_answers(context: Context) -> None:
    """The same answer again gets the same reply, during the game and after it; another one is stale."""
    table = Table(context.server.address, "santorini", 2, bots=1)
    seat, token = sit_down(context, context.server.address, table)
    seen = None
    while seen is None or seat not in seen.decision.seats:
        seen = table.observe(token)
    decision, legal = str(seen.decision.decision_id), seen.legal_actions
    asking: dict[str, Any] = {"session_id": table.session_id, "token": token, "decision_id": decision}

    def reply(**answer: object) -> v1.SubmitActionResponse:
        told = context.adapter.need("submit", **asking, **answer)
        return unpacked(v1.SubmitActionResponse, told.get("reply"), "reply")

    first = reply(action_id=legal[0].action_id)
    check(first.version > seen.version, "submit: the reply has no later version")
    check(reply(action_id=legal[0].action_id) == first, "the same answer again gets another reply")
    check(reply(action=packed(legal[0].action)) == first, "the same answer by meaning gets another reply")
    stale = failed("submit", context.adapter.ask("submit", **asking, action_id=legal[1].action_id), 10)
    check(stale.reason == "STALE_DECISION", f"another answer: the reason is {stale.reason!r}")
    table.leave(token)
    check(reply(action_id=legal[0].action_id) == first, "the same answer after the game gets another reply")


def taken_once(context: Context, do: str) -> None:
    """A session or a seat is taken, and the reply is lost: with a request id the client asks again."""
    table = Table(context.server.address, "citadels", 3)
    given: dict[str, Any] = {"request_id": str(uuid.uuid4())}
    if do == "create":
        given |= {"game": "citadels", "seats": 7}
    else:
        given |= {"session_id": table.session_id}
        if do == "add_bot":
            given |= {"host_token": table.host, "bot": "random"}
    before = _listed(context.server.address)
    with on_the_way(context.server) as proxy:
        context.adapter.need("connect", address=proxy.address, timeout_ms=5000, patience_ms=PATIENCE_MS)
        context.adapter.need("session", session_id=table.session_id)  # The connection stands.
        _lose_a_reply(proxy)
        answer = context.adapter.need(do, **given)
    if do == "create":
        check(_listed(context.server.address) == before + 1, "more than one session was opened")
    else:
        taken = [seat.seat for seat in table.session().seats if seat.holder != v1.SEAT_HOLDER_OPEN]
        check(
            taken == [answer.get("seat")],
            f"the seats {taken} were taken, and the answer tells {answer.get('seat')}",
        )


def taken_without_id(context: Context) -> None:
    """The caller of a join gives no request id, and the reply is lost.

    The client gives up, or it has given an id of its own and asks again: it takes no second seat.
    """
    table = Table(context.server.address, "citadels", 3)
    with on_the_way(context.server) as proxy:
        context.adapter.need("connect", address=proxy.address, timeout_ms=5000, patience_ms=PATIENCE_MS)
        context.adapter.need("session", session_id=table.session_id)
        _lose_a_reply(proxy)
        answer = context.adapter.ask("join", session_id=table.session_id)
    taken = [seat.seat for seat in table.session().seats if seat.holder != v1.SEAT_HOLDER_OPEN]
    check(len(taken) == 1, f"{len(taken)} seats were taken rather than one")
    if isinstance(answer, Failure):
        failed("join", answer, UNAVAILABLE)
    else:
        check(taken == [answer.get("seat")], f"seat {taken[0]} was taken, and the answer is {answer}")


def _lose_a_reply(proxy: Proxy) -> None:
    """Loses what comes back to the next call, and cuts the connection then."""

    def cut() -> None:
        proxy.cut()
        proxy.set(Trouble.NONE)

    proxy.set(Trouble.LOSES_REPLIES)
    threading.Timer(HELD_S, cut).start()


def _listed(address: str) -> int:
    """How many sessions of Citadels there are."""
    with stubs(address) as sessions:
        request = v1.ListSessionsRequest(game="citadels", page_size=100)
        count = 0
        while True:
            page = sessions.ListSessions(request, timeout=20)
            count += len(page.sessions)
            if not page.next_page_token:
                return count
            request.page_token = page.next_page_token


# === deadlines


def deadline(context: Context) -> None:
    """A server that does not answer: the call fails when its time is up."""
    table = Table(context.server.address)
    with on_the_way(context.server) as proxy:
        context.adapter.need("connect", address=proxy.address, timeout_ms=1000, patience_ms=0)
        context.adapter.need("session", session_id=table.session_id)
        proxy.set(Trouble.LOSES_REPLIES)
        began = time.monotonic()
        failed("session", context.adapter.ask("session", session_id=table.session_id), DEADLINE_EXCEEDED)
        took = time.monotonic() - began
    check(0.5 < took < 4, f"the call took {took:.1f} s rather than about 1 s")


def nobody_there(context: Context) -> None:
    """Where nobody answers, a call fails; a watch does when the patience is at its end."""
    with on_the_way(context.server) as proxy:
        proxy.set(Trouble.REFUSES)
        context.adapter.need("connect", address=proxy.address, timeout_ms=3000, patience_ms=1500)
        codes = UNAVAILABLE, DEADLINE_EXCEEDED
        failed("join", context.adapter.ask("join", session_id="none"), *codes)
        began = time.monotonic()
        failed("watch", context.adapter.watch(lambda _: None, session_id="none"), *codes)
        took = time.monotonic() - began
    check(took < 10, f"the watch took {took:.1f} s to give up, with a patience of 1.5 s")


# === what no server of today says


@contextlib.contextmanager
def scripted(
    context: Context, connect: dict[str, object] | None = None, **scripts: Script
) -> Iterator[ScriptedServer]:
    """A client that is connected to a scripted server."""
    server = ScriptedServer(**scripts)  # type: ignore[abstract]
    try:
        settings = {"timeout_ms": 5000, "patience_ms": PATIENCE_MS, **(connect or {})}
        context.adapter.need("connect", address=server.address, **settings)
        yield server
    finally:
        server.close()


OUTCOME = v1.Outcome(winners=[0], returns=[1, -1])


def _updates(*updates: v1.Update) -> Callable[[v1.WatchSessionRequest], list[v1.WatchSessionResponse]]:
    """Those after the version that the caller has."""

    def script(request: v1.WatchSessionRequest) -> list[v1.WatchSessionResponse]:
        return [
            v1.WatchSessionResponse(update=each) for each in updates if each.version > request.from_version
        ]

    return script


def large_numbers(context: Context) -> None:
    """Ids of 64 bits come and go unharmed."""
    version, decision, seed = 2**64 - 3, 2**63 + 2**53 + 1, 2**64 - 1
    asked = v1.Update(
        version=version,
        snapshot=True,
        decision=v1.Decision(decision_id=decision, seats=[0]),
        legal_actions=[v1.LegalAction(action_id=2**32 - 1, label="x")],
    )
    over = v1.Update(version=version + 1, outcome=OUTCOME)

    def watching(request: v1.WatchSessionRequest) -> list[v1.WatchSessionResponse | Refusal]:
        if not request.HasField("from_version"):
            return [v1.WatchSessionResponse(update=asked), refused(UNAVAILABLE, "SHUTTING_DOWN")]
        return [v1.WatchSessionResponse(update=over)]

    with scripted(
        context,
        WatchSession=watching,
        SubmitAction=lambda _: [v1.SubmitActionResponse(version=version)],
        CreateSession=lambda _: [v1.CreateSessionResponse(session_id="s", host_token="h")],
    ) as server:
        context.adapter.need("create", game="santorini", seed=str(seed))
        check(
            server.requests("CreateSession")[0].seed == seed, "create: the seed is not the one that was given"
        )

        def policy(update: v1.Update) -> int:
            check(update == asked, "the update that asks is not the one that was sent")
            return 2**32 - 1

        succeeded("play", context.adapter.play(policy, session_id="s", seat=0, token="t"))
        submitted = server.requests("SubmitAction")[0]
        check(
            submitted.decision_id == decision, f"decision {submitted.decision_id} is answered, not {decision}"
        )
        check(submitted.action_id == 2**32 - 1, "the answer is not the one that was given")
        resumed = server.requests("WatchSession")[-1]
        check(resumed.from_version == version, f"resumes from {resumed.from_version} rather than {version}")


def from_the_future(context: Context) -> None:
    """Enum values, fields and games that the client does not know are no trouble."""
    unknown = b"\xfa\x3f\x03new"  # Field 1023: bytes.
    update = v1.Update(
        version=1,
        snapshot=True,
        status=99,  # type: ignore[arg-type]
        decision=v1.Decision(decision_id=1, seats=[0]),
        legal_actions=[v1.LegalAction(action_id=5, label="x")],
    )
    update.observation.ParseFromString(unknown)
    update.legal_actions[0].action.ParseFromString(unknown)
    update.session.seats.add(seat=0, holder=77)
    update.events.add().ParseFromString(unknown)
    over = v1.Update(version=2, outcome=OUTCOME)
    session = v1.Session(session_id="s", game="a_sixth_game", status=99)  # type: ignore[arg-type]
    session.MergeFromString(unknown)
    with scripted(
        context,
        WatchSession=_updates(update, over),
        SubmitAction=lambda _: [v1.SubmitActionResponse(version=2)],
        GetSession=lambda _: [v1.GetSessionResponse(session=session)],
    ):
        told = unpacked(v1.Session, context.adapter.need("session", session_id="s").get("session"), "session")
        check(told.game == "a_sixth_game", "session: the game is not the one that was sent")
        asked: list[int] = []

        def policy(update: v1.Update) -> int:
            asked.append(update.decision.decision_id)
            return 5

        answer = succeeded("play", context.adapter.play(policy, session_id="s", seat=0, token="t"))
        outcome = unpacked(v1.Outcome, answer.get("outcome"), "outcome")
        check(outcome == OUTCOME, "play: the outcome is not the one that was sent")
        check(asked == [1], f"the decisions {asked} were asked rather than 1")


def fell_behind(context: Context) -> None:
    """A watcher that was too slow gets a snapshot, and resumes after that; one that is told to wait does."""
    early = v1.Update(version=3, snapshot=True)
    leap = v1.Update(version=40, snapshot=True)
    over = v1.Update(version=41, outcome=OUTCOME)
    wait = RetryInfo()
    wait.retry_delay.FromMilliseconds(700)
    slow = Refusal(8, "too slow", ErrorInfo(reason="LIMIT_REACHED", domain="tavola"), wait)
    when: list[float] = []

    def watching(request: v1.WatchSessionRequest) -> list[v1.WatchSessionResponse | Refusal]:
        when.append(time.monotonic())
        if request.from_version == 0:
            return [v1.WatchSessionResponse(update=early), v1.WatchSessionResponse(update=leap), slow]
        return [v1.WatchSessionResponse(update=over)]

    with scripted(context, WatchSession=watching) as server:
        sequence = Sequence()
        succeeded("watch", context.adapter.watch(sequence, session_id="s"))
        versions = [update.version for update in sequence.updates]
        check(versions == [3, 40, 41], f"the versions {versions} come rather than 3, 40 and 41")
        check(server.requests("WatchSession")[-1].from_version == 40, "does not resume from version 40")
        check(when[1] - when[0] >= 0.7, "does not wait for as long as the server asks")


def ends_early(context: Context) -> None:
    """A stream that ends well before the game does is no result."""
    with scripted(context, WatchSession=_updates(v1.Update(version=1, snapshot=True))):
        answer = context.adapter.play(lambda _: 0, session_id="s", seat=0, token="t")
        check(isinstance(answer, Failure), "play succeeds though there was no result")


def credentials(context: Context) -> None:
    """Tokens and keys go where they belong, and nowhere else."""
    over = v1.Update(version=1, snapshot=True, outcome=OUTCOME)
    with scripted(
        context,
        {"api_key": "the key"},
        WatchSession=_updates(over),
        GetSession=lambda _: [v1.GetSessionResponse(session=v1.Session(session_id="s"))],
        JoinSession=lambda _: [v1.JoinSessionResponse(seat=0, seat_token="t")],
        AddBot=lambda _: [v1.AddBotResponse(seat=1)],
    ) as server:
        context.adapter.need("session", session_id="s")
        context.adapter.need("join", session_id="s", token="join")
        context.adapter.need("add_bot", session_id="s", host_token="host", bot="random")
        succeeded("play", context.adapter.play(lambda _: 0, session_id="s", seat=0, token="t"))
        shown = {name: metadata.get("authorization") for name, _, metadata in server.asked}
        expected = {
            "GetSession": None,
            "JoinSession": "Bearer join",
            "AddBot": "Bearer host",
            "WatchSession": "Bearer t",
        }
        check(shown == expected, f"authorization is {shown} rather than {expected}")
        keys = {metadata.get("x-api-key") for _, _, metadata in server.asked}
        check(keys == {"the key"}, f"x-api-key is {keys}")


SCENARIOS: dict[str, Callable[..., None]] = {
    scenario.__name__: scenario
    for scenario in (
        whole_game,
        simultaneous_decisions,
        private_table,
        watch,
        watch_from,
        watch_stopped,
        deleted_while_watched,
        silent_connection,
        play_cut,
        lost_on_the_way,
        restarted,
        out_of_time,
        repeated_answers,
        taken_once,
        taken_without_id,
        deadline,
        nobody_there,
        large_numbers,
        from_the_future,
        fell_behind,
        ends_early,
        credentials,
    )
}
