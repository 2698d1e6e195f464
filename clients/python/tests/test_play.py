"""`play` and `watch` through all the trouble that a network and other players can make."""

import threading
import time
from collections.abc import Callable

import fake
import grpc
import pytest
from conftest import Asyncio, Sync

import tavola
from tavola import v1
from tavola.santorini import v1 as santorini

OURS = [1, 3, 5]  # The decisions of seat 0.

Caller = Sync | Asyncio


class FirstLegal:
    """A policy that takes the first legal action and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, update: v1.Update) -> int:
        """Answers."""
        self.asked.append(update.decision.decision_id)
        return update.legal_actions[0].action_id


def check_whole_game(server: fake.Server, caller: Caller) -> None:
    """Plays a game and checks that each decision was asked and answered exactly once."""
    policy = FirstLegal()
    outcome = caller.seat(server.address, "play", policy)
    assert outcome == v1.Outcome(winners=[0], returns=[1, -1])
    assert policy.asked == OURS
    assert {n: answer for n, (answer, _) in server.table.replies.items() if n in OURS} == {
        1: 10,
        3: 30,
        5: 50,
    }


def test_a_whole_game(server: fake.Server, caller: Caller) -> None:
    check_whole_game(server, caller)
    assert server.table.watched == [None]
    assert server.table.submitted == [(1, 10), (3, 30), (5, 50)]


def test_a_stream_that_breaks_is_resumed_where_it_was(server: fake.Server, caller: Caller) -> None:
    server.table.cuts = {1, 4}
    check_whole_game(server, caller)
    assert server.table.watched == [None, 1, 4]


def test_an_answer_that_never_arrived_is_given_again(server: fake.Server, caller: Caller) -> None:
    server.table.unseen = {3}
    check_whole_game(server, caller)
    assert server.table.submitted == [(1, 10), (3, 30), (3, 30), (5, 50)]


def test_an_answer_whose_reply_is_lost_is_given_again_and_counts_once(
    server: fake.Server, caller: Caller
) -> None:
    server.table.unheard = {1, 5}
    check_whole_game(server, caller)
    assert server.table.submitted == [(1, 10), (1, 10), (3, 30), (5, 50), (5, 50)]


@pytest.mark.parametrize("reason", ["STALE_DECISION", "OUT_OF_TIME"])
def test_a_decision_that_has_passed_is_left_alone(server: fake.Server, caller: Caller, reason: str) -> None:
    server.table.overtaken = {3}
    server.table.overtaken_by = reason
    policy = FirstLegal()
    outcome = caller.seat(server.address, "play", policy)
    assert outcome.winners == [0]
    assert policy.asked == OURS
    assert server.table.replies[3][0] == 31
    assert server.table.submitted == [(1, 10), (3, 30), (5, 50)]


def test_a_decision_that_is_asked_for_again_is_answered_once(server: fake.Server, caller: Caller) -> None:
    server.table.lagging = {3, 5}
    check_whole_game(server, caller)
    assert server.table.submitted == [(1, 10), (3, 30), (5, 50)]


def test_an_action_by_meaning(server: fake.Server, caller: Caller) -> None:
    def policy(update: v1.Update) -> v1.Action:
        move = santorini.Move(worker=0, to=update.legal_actions[1].action_id)
        return v1.Action(santorini=santorini.Action(move=move))

    assert caller.seat(server.address, "play", policy).winners == [0]
    assert server.table.submitted == [(1, 11), (3, 31), (5, 51)]


def test_a_policy_may_be_a_coroutine_function(server: fake.Server) -> None:
    async def policy(update: v1.Update) -> int:
        return update.legal_actions[0].action_id

    assert Asyncio().seat(server.address, "play", policy).winners == [0]


def test_an_action_that_is_not_legal_is_the_bots_fault(server: fake.Server, caller: Caller) -> None:
    with pytest.raises(tavola.TavolaError) as caught:
        caller.seat(server.address, "play", lambda _: 99)
    assert caught.value.reason == "ACTION_NOT_LEGAL"
    assert server.table.submitted == [(1, 99)]


def test_what_a_policy_raises_comes_out(server: fake.Server, caller: Caller) -> None:
    trouble = tavola.TavolaError(grpc.StatusCode.UNAVAILABLE, "the bot's own")

    def policy(_: v1.Update) -> int:
        raise trouble

    with pytest.raises(tavola.TavolaError) as caught:
        caller.seat(server.address, "play", policy)
    assert caught.value is trouble


def test_a_stream_that_ends_without_a_result_is_an_error(server: fake.Server, caller: Caller) -> None:
    server.table.hangs_up = True
    with pytest.raises(tavola.TavolaError, match="without a result"):
        caller.seat(server.address, "play", FirstLegal())


def stop_while_thinking(server: fake.Server) -> Callable[[v1.Update], int]:
    """A policy during which the server goes away for good."""

    def policy(update: v1.Update) -> int:
        server.stop()
        return update.legal_actions[0].action_id

    return policy


@pytest.mark.parametrize(("patience", "longest"), [(0.0, 1.0), (0.5, 3.0)])
def test_patience_has_an_end(server: fake.Server, caller: Caller, patience: float, longest: float) -> None:
    began = time.monotonic()
    with pytest.raises(tavola.TavolaError) as caught:
        caller.seat(server.address, "play", stop_while_thinking(server), patience=patience)
    assert caught.value.code == grpc.StatusCode.UNAVAILABLE
    assert time.monotonic() - began < longest


def test_a_server_that_restarts_is_waited_for(server: fake.Server, caller: Caller) -> None:
    asked: list[int] = []

    def policy(update: v1.Update) -> int:
        asked.append(update.decision.decision_id)
        if asked == [1, 3]:
            server.stop()
            threading.Timer(0.3, server.start).start()
        return update.legal_actions[0].action_id

    assert caller.seat(server.address, "play", policy).winners == [0]
    assert asked == OURS
    assert server.table.submitted == [(1, 10), (3, 30), (5, 50)]
    assert server.table.watched == [None, 3]


def test_a_watcher_sees_every_version_once(server: fake.Server, caller: Caller) -> None:
    check_whole_game(server, caller)
    server.table.cuts = {3, 7}
    updates = caller.seat(server.address, "watch", 1)
    assert [update.version for update in updates] == list(range(2, len(server.table.history) + 1))
    assert updates[-1].HasField("outcome")
