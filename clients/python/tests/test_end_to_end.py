"""Bots and a real server: whole games of everything that it offers, and the promises that a bot relies on."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from thousand_games import options_for, play_all

import tavola
from tavola import v1
from tavola.santorini import v1 as santorini

Code = grpc.StatusCode
HERE = Path(__file__).parents[1]


@pytest.fixture
def client(address: str) -> Iterator[tavola.Client]:
    """A client of the real server."""
    with tavola.connect(address) as client:
        yield client


def at_random(update: v1.Update) -> int:
    """Any legal action, in either view."""
    return random.choice([each.action_id for each in update.legal_actions] or list(update.legal_action_ids))


def sessions(client: tavola.Client) -> Iterator[tuple[v1.Game, tavola.Host]]:
    """A new session of each game with each number of seats."""
    for game in client.games():
        for seats in range(game.seats_min, game.seats_max + 1):
            yield game, client.create(game.game, seats, options_for(game.game, seats))


def check_outcome(outcome: v1.Outcome, session: v1.Session) -> None:
    """The result is one number per seat and what the session says of itself."""
    assert session.status == v1.SESSION_STATUS_FINISHED
    assert outcome == session.outcome
    assert len(outcome.returns) == len(session.seats)
    assert set(outcome.winners) <= set(range(len(session.seats)))


def raises(code: grpc.StatusCode, reason: str) -> pytest.RaisesExc[tavola.TavolaError]:
    """Expects an error with this code and reason."""
    return pytest.RaisesExc(
        tavola.TavolaError, check=lambda error: error.code == code and error.reason == reason
    )


def test_bots_play_each_other_in_threads(client: tavola.Client) -> None:
    for _, host in sessions(client):
        seats = [host.join() for _ in client.session(host.session_id).seats]
        with ThreadPoolExecutor(len(seats)) as threads:
            outcomes = list(threads.map(lambda seat: seat.play(at_random), seats))
        assert all(outcome == outcomes[0] for outcome in outcomes)
        check_outcome(outcomes[0], client.session(host.session_id))


def test_bots_play_each_other_in_asyncio(address: str) -> None:
    plies, errors = asyncio.run(play_all(address, games=24, at_once=6, game=None, seed=1))
    assert errors == 0
    assert (plies, errors) == asyncio.run(play_all(address, games=24, at_once=1, game=None, seed=1))


@pytest.mark.parametrize("view", [v1.VIEW_FULL, v1.VIEW_LEAN], ids=["full", "lean"])
def test_a_bot_plays_each_house_bot(client: tavola.Client, view: v1.View.ValueType) -> None:
    for game, _ in sessions(client):
        assert {"random", "greedy"} <= set(game.bots)
        for bot in game.bots:
            host = client.create(game.game)
            seat = host.join()
            for place in client.session(host.session_id).seats[1:]:
                assert host.add_bot(bot, place.seat).seat == place.seat
            check_outcome(seat.play(at_random, view), client.session(host.session_id))


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_the_example_prints_a_result(address: str, bot: str) -> None:
    command = [sys.executable, str(HERE / "examples" / "random_bot.py"), "--address", address, "--bot", bot]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"santorini against {bot}: ")
    assert "won. Returns by seat:" in done.stdout
    assert done.stdout.count("\n") == 1


def test_the_bot_that_thinks_wins_of_chance_and_plays_every_game(address: str) -> None:
    def climb(*arguments: str) -> int:
        command = [sys.executable, str(HERE / "examples" / "climber.py"), "--address", address, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return int(done.stdout.split(": won ")[1].split(" of ")[0])

    assert climb("--games", "20") >= 15  # By chance alone it would be ten.
    for game in "citadels", "council_of_shadows", "shadow_hunters", "under_falling_skies":
        assert climb(game) in (0, 1)


def test_the_bot_of_the_readme_plays(address: str) -> None:
    bot = (HERE / "README.md").read_text().split("```python\n")[1].split("```")[0]
    bot = bot.replace("localhost:50051", address)
    done = subprocess.run(
        [sys.executable, "-c", bot], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout in ("won\n", "lost\n")


def against_random(client: tavola.Client, seed: int | None = None) -> tavola.Seat:
    """A seat in a session of Santorini against a house bot."""
    host = client.create("santorini", seed=seed)
    seat = host.join()
    host.add_bot("random")
    return seat


def asked(seat: tavola.Seat) -> v1.Update:
    """The first update in which the seat owes a decision."""
    return next(update for update in seat.watch() if seat.seat in update.decision.seats)


def test_a_stream_is_resumed_without_gap_or_repeat(client: tavola.Client) -> None:
    seat = against_random(client)
    first: list[v1.Update] = []
    for update in seat.watch():
        first.append(update)
        if seat.seat in update.decision.seats:
            if len(first) > 12:
                break
            seat.submit(update.decision.decision_id, at_random(update))
    seat.play(at_random)

    cut = len(first) // 2
    rest = list(seat.watch(from_version=first[cut - 1].version))
    assert rest[: len(first) - cut] == first[cut:]
    last = client.session(seat.session_id).version
    assert [update.version for update in rest] == list(range(first[cut].version, last + 1))
    assert rest[-1].HasField("outcome")
    assert not list(seat.watch(from_version=last))


def test_the_same_submission_twice_gets_the_same_reply(client: tavola.Client) -> None:
    seat = against_random(client)
    update = asked(seat)
    decision_id, action_id = update.decision.decision_id, update.legal_actions[0].action_id
    reply = seat.submit(decision_id, action_id)
    assert seat.submit(decision_id, action_id) == reply
    assert seat.submit(decision_id, update.legal_actions[0].action) == reply
    with raises(Code.ABORTED, "STALE_DECISION"):
        seat.submit(decision_id, update.legal_actions[1].action_id)

    seat.play(at_random)
    assert seat.submit(decision_id, action_id) == reply
    with raises(Code.ABORTED, "STALE_DECISION"):
        seat.submit(decision_id, update.legal_actions[1].action_id)


def test_the_views_show_the_same(client: tavola.Client) -> None:
    seat = against_random(client)
    asked(seat)
    full, lean = seat.observe(), seat.observe(v1.VIEW_LEAN)
    assert [each.action_id for each in full.legal_actions] == lean.legal_action_ids
    assert full.observation == lean.observation


def test_a_seed_repeats_a_game(client: tavola.Client) -> None:
    starts = [asked(against_random(client, seed=7)).observation.santorini.start_player for _ in range(3)]
    assert len(set(starts)) == 1


def test_tokens(client: tavola.Client) -> None:
    host = client.create("santorini")
    seat, other = host.join(), host.join()
    nobody = tavola.Seat(client, seat.session_id, seat.seat, "")
    forger = tavola.Seat(client, seat.session_id, seat.seat, other.token[::-1])
    owner = tavola.Seat(client, seat.session_id, seat.seat, host.token)
    with raises(Code.UNAUTHENTICATED, "TOKEN_REQUIRED"):
        nobody.submit(1, 0)
    with raises(Code.UNAUTHENTICATED, "TOKEN_REQUIRED"):
        forger.submit(1, 0)
    with raises(Code.UNAUTHENTICATED, "TOKEN_REQUIRED"):
        forger.observe()
    with raises(Code.UNAUTHENTICATED, "TOKEN_REQUIRED"):
        next(forger.watch())
    with raises(Code.PERMISSION_DENIED, "SEAT_MISMATCH"):
        owner.submit(1, 0)
    with raises(Code.PERMISSION_DENIED, "SEAT_MISMATCH"):
        tavola.Host(client, host.session_id, seat.token).delete()
    host.delete()
    with raises(Code.NOT_FOUND, "SESSION_NOT_FOUND"):
        client.session(host.session_id)


def test_refusals(client: tavola.Client) -> None:
    with raises(Code.NOT_FOUND, "GAME_NOT_FOUND"):
        client.create("chess")
    with raises(Code.NOT_FOUND, "SESSION_NOT_FOUND"):
        client.join("no such session")
    options = v1.Options(santorini=santorini.Options(max_turns=0))
    with pytest.raises(tavola.TavolaError) as caught:
        client.create("santorini", options=options)
    assert (caught.value.code, caught.value.reason) == (Code.INVALID_ARGUMENT, "OPTIONS_NOT_LEGAL")
    assert [violation.field for violation in caught.value.violations] == ["options.santorini.max_turns"]

    seat = against_random(client)
    update = asked(seat)
    with raises(Code.FAILED_PRECONDITION, "ACTION_NOT_LEGAL"):
        seat.submit(update.decision.decision_id, 499)
    with raises(Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"):
        seat.submit(update.decision.decision_id, 1_000_000)
    with raises(Code.INVALID_ARGUMENT, "MALFORMED_REQUEST"):
        seat.submit(0, 0)


def test_leaving_a_started_game_loses_it(client: tavola.Client) -> None:
    host = client.create("santorini")
    leaver, other = host.join(), host.join()
    session = leaver.leave()
    assert session.seats[leaver.seat].resigned
    outcome = other.play(at_random)
    assert list(outcome.winners) == [other.seat]
    check_outcome(outcome, client.session(host.session_id))
