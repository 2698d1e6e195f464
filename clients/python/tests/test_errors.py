"""What a refused call says, and how it is read."""

import datetime

import fake
import grpc
import pytest
from conftest import Asyncio, Sync
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import Help, RetryInfo

import tavola
from tavola import v1

Caller = Sync | Asyncio
Code = grpc.StatusCode


def refused(server: fake.Server, caller: Caller, method: str, *args: object) -> tavola.TavolaError:
    """The error that a call of a seat raises."""
    with pytest.raises(tavola.TavolaError) as caught:
        caller.seat(server.address, method, *args)
    assert isinstance(caught.value.__cause__, grpc.RpcError)
    return caught.value


def check_refusal(server: fake.Server, caller: Caller, *details: Message) -> tavola.TavolaError:
    """The error of a refusal with these details."""
    server.table.refusal = (Code.RESOURCE_EXHAUSTED, "enough", list(details))
    error = refused(server, caller, "observe")
    assert (error.code, error.message) == (Code.RESOURCE_EXHAUSTED, "enough")
    return error


def test_a_violation_names_the_field(server: fake.Server, caller: Caller) -> None:
    error = refused(server, caller, "submit", 0, 1)
    assert error.code == Code.INVALID_ARGUMENT
    assert error.reason == "MALFORMED_REQUEST"
    assert error.violations == (tavola.Violation("decision_id", "must be at least 1"),)
    assert str(error) == ("INVALID_ARGUMENT MALFORMED_REQUEST: the request is malformed")
    assert not error.transient


def test_a_stale_decision_tells_the_current_one(server: fake.Server, caller: Caller) -> None:
    caller.seat(server.address, "submit", 1, 10)
    error = refused(server, caller, "submit", 1, 11)
    assert (error.code, error.reason) == (Code.ABORTED, "STALE_DECISION")
    assert error.metadata == {"decision_id": "3", "seats": "0"}


def test_the_same_answer_again_gets_the_first_reply(server: fake.Server, caller: Caller) -> None:
    assert caller.seat(server.address, "submit", 1, 10) == caller.seat(server.address, "submit", 1, 10)


def test_a_missing_token(server: fake.Server, caller: Caller) -> None:
    with pytest.raises(tavola.TavolaError) as caught:
        caller.client(server.address, "observe", fake.SESSION)
    assert (caught.value.code, caught.value.reason) == (Code.UNAUTHENTICATED, "TOKEN_REQUIRED")


def test_a_stream_is_refused_like_a_call(server: fake.Server, caller: Caller) -> None:
    with pytest.raises(tavola.TavolaError) as caught:
        caller.client(server.address, "watch", "another", token=fake.TOKEN)
    assert (caught.value.code, caught.value.reason) == (Code.NOT_FOUND, "SESSION_NOT_FOUND")


def test_a_reason_that_this_client_does_not_know(server: fake.Server, caller: Caller) -> None:
    error = check_refusal(server, caller, fake.info("TABLE_ON_FIRE", since="noon"))
    assert (error.reason, error.metadata) == ("TABLE_ON_FIRE", {"since": "noon"})


def test_the_details_of_others_are_not_ours(server: fake.Server, caller: Caller) -> None:
    error = check_refusal(server, caller, Help(), fake.info("STALE_DECISION", domain="proxy.example"))
    assert (error.reason, error.metadata, error.violations) == ("", {}, ())


def test_a_delay_makes_an_error_transient(server: fake.Server, caller: Caller) -> None:
    delay = Duration()
    delay.FromTimedelta(datetime.timedelta(seconds=1.5))
    error = check_refusal(server, caller, fake.info("LIMIT_REACHED"), RetryInfo(retry_delay=delay))
    assert (error.retry_delay, error.transient) == (1.5, True)
    assert not check_refusal(server, caller, fake.info("LIMIT_REACHED")).transient


def test_details_that_cannot_be_read_leave_the_code() -> None:
    error = tavola.errors.unpack([("grpc-status-details-bin", b"\xff\xff"), ("other-bin", b"\xff")])
    assert error == []


def test_no_server(caller: Caller) -> None:
    with pytest.raises(tavola.TavolaError) as caught:
        caller.client("127.0.0.1:1", "games")
    assert (caught.value.code, caught.value.reason) == (Code.UNAVAILABLE, "")


def test_the_reasons_that_play_acts_on_are_in_the_contract() -> None:
    for reason in "STALE_DECISION", "GAME_OVER":
        assert f"ERROR_REASON_{reason}" in v1.ErrorReason.keys()  # noqa: SIM118, it is no dict
