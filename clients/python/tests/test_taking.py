"""What a client takes once: sessions and seats; and what it shows to be let in: keys and tokens."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import fake
import grpc
import pytest
import real
from conftest import Asyncio, Sync
from test_end_to_end import at_random, raises

import tavola
from tavola import v1

Code = grpc.StatusCode
Caller = Sync | Asyncio


@pytest.fixture
def client(address: str) -> Iterator[tavola.Client]:
    """A client of the real server."""
    with tavola.connect(address) as client:
        yield client


def test_a_join_whose_reply_is_lost_is_repeated_with_its_request_id(
    server: fake.Server, caller: Caller
) -> None:
    server.table.unheard_joins = 2
    seat = caller.client(server.address, "join", fake.SESSION, request_id="join-once-please")
    assert seat.token == fake.TOKEN
    assert server.table.joined == ["join-once-please"] * 3


def test_a_join_without_a_request_id_is_not_repeated(server: fake.Server, caller: Caller) -> None:
    server.table.unheard_joins = 1
    with raises(Code.UNAVAILABLE, "STORE_UNAVAILABLE"):
        caller.client(server.address, "join", fake.SESSION)
    assert server.table.joined == [""]


def test_a_key_goes_with_the_calls(server: fake.Server) -> None:
    with tavola.connect(server.address, api_key="a key") as client:
        client.join(fake.SESSION)
    assert server.table.keys == {"a key"}


def test_a_session_and_its_seats_are_taken_once(client: tavola.Client) -> None:
    ids = [str(uuid.uuid4()) for _ in range(3)]
    hosts = [client.create("citadels", seats=3, request_id=ids[0]) for _ in range(2)]
    assert hosts[0].session_id == hosts[1].session_id
    seats = [host.join(request_id=ids[1]) for host in hosts]
    assert (seats[0].seat, seats[0].token) == (seats[1].seat, seats[1].token)
    bots = [host.add_bot("random", request_id=ids[2]) for host in hosts]
    assert bots[0].seat == bots[1].seat
    holders = [seat.holder for seat in client.session(hosts[0].session_id).seats]
    assert holders == [v1.SEAT_HOLDER_PLAYER, v1.SEAT_HOLDER_BOT, v1.SEAT_HOLDER_OPEN]
    with raises(Code.FAILED_PRECONDITION, "REQUEST_ID_REUSED"):
        hosts[0].join(seat=2, request_id=ids[1])


def test_a_private_session_is_there_for_its_tokens(client: tavola.Client) -> None:
    host = client.create("santorini", private=True)
    assert host.join_token
    with raises(Code.NOT_FOUND, "SESSION_NOT_FOUND"):
        client.join(host.session_id)
    seat = host.join()
    guest = client.join(host.session_id, token=host.join_token)
    assert {seat.seat, guest.seat} == {0, 1}
    with raises(Code.NOT_FOUND, "SESSION_NOT_FOUND"):
        client.observe(host.session_id)
    assert client.session(host.session_id, host.join_token).private
    first = next(client.watch(host.session_id, token=host.join_token))
    assert not first.HasField("seat")
    guest.leave()
    outcome = seat.play(at_random)
    assert list(outcome.winners) == [seat.seat]
    with raises(Code.NOT_FOUND, "SESSION_NOT_FOUND"):
        client.replay(host.session_id)
    tavola.verify(client.replay(host.session_id, token=seat.token))


def test_a_private_session_in_asyncio(address: str) -> None:
    host = Asyncio().client(address, "create", "santorini", private=True, request_id=str(uuid.uuid4()))
    assert host.join_token
    seat = Asyncio().client(address, "join", host.session_id, token=host.join_token)
    assert seat.seat == 0
    session = Asyncio().client(address, "session", host.session_id, token=seat.token)
    assert session.private


@pytest.mark.usefixtures("binary")
def test_a_server_that_wants_a_key(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_text("somebody = 0123456789abcdef0123456789abcdef\n")
    keys.chmod(0o600)
    with real.started("--store", "memory", "--api-keys-file", str(keys)) as url:
        with tavola.connect(url) as client, raises(Code.UNAUTHENTICATED, "API_KEY_REQUIRED"):
            client.create("santorini")
        with tavola.connect(url, api_key="0123456789abcdef0123456789abcdef") as client:
            assert client.create("santorini").session_id
