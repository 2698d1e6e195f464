"""The small things of a client."""

import fake
from conftest import Asyncio, Sync

import tavola


def test_all_pages_of_the_catalog(server: fake.Server, caller: Sync | Asyncio) -> None:
    games = caller.client(server.address, "games")
    assert [game.game for game in games] == ["first", "second", "third"]


def test_the_url_that_the_server_prints_is_an_address(server: fake.Server, caller: Sync | Asyncio) -> None:
    assert caller.client(f"http://{server.address}/", "games")


def test_a_token_does_not_show(server: fake.Server) -> None:
    with tavola.connect(server.address) as client:
        seat = client.join(fake.SESSION)
        assert repr(seat) == "Seat(session_id='fake', seat=0)"
        assert repr(tavola.Host(client, "fake", fake.TOKEN)) == "Host(session_id='fake')"


def test_a_seat_is_taken_up_again(server: fake.Server) -> None:
    with tavola.connect(server.address) as client:
        seat = tavola.Seat(client, fake.SESSION, 0, fake.TOKEN)
        assert seat == client.join(fake.SESSION)
        assert seat.observe().version == 1
