"""The kit tells a client that is wrong what is wrong with it, and which case says so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tables
from kit.adapter import Wrong
from kit.languages import Language
from kit.servers import RealServer

HERE = Path(__file__).parent
RUN = [sys.executable, str(HERE.parent / "run.py")]


def run(command: list[str], *cases: str) -> subprocess.CompletedProcess[str]:
    """Holds an adapter against some cases."""
    server = os.environ["TAVOLA_SERVER_BINARY"]
    return subprocess.run(
        [*RUN, "--server", server, "--timeout", "8", *cases, "--", *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


FAULTS = [
    ("says nothing", "calls/games", "games: no answer within 8 s"),
    ("says what is no JSON", "calls/games", "games: answers 'hello\\n', which is not JSON"),
    ("ends", "games/santorini-2", "the adapter has ended with exit code 3"),
    ("drops an update", "streams/cut", "is missing"),
    ("repeats an update", "streams/cut", ": again"),
    ("loses the reason", "errors/game-not-found", "reason is '' rather than 'GAME_NOT_FOUND'"),
    ("loses the violations", "errors/no-such-bot", "the fields that are wrong are [] rather than ['bot']"),
    ("confuses the codes", "errors/session-full", "code is 2 rather than 9"),
    ("loses the error", "errors/stale-decision", "submit succeeds, and should fail"),
    ("asks twice", "games/santorini-2", "is asked decision "),
    ("takes numbers for floats", "contract/large-numbers", "the seed is not the one that was given"),
    ("forgets request ids", "repeats/join", "join fails: code 14"),
    ("joins again", "repeats/join-without-id", "2 seats were taken rather than one"),
    ("forgets the token", "games/private", "join fails: code 5 SESSION_NOT_FOUND"),
]


@pytest.mark.parametrize(("fault", "case", "said"), FAULTS, ids=[fault for fault, _, _ in FAULTS])
def test_a_fault_is_told(fault: str, case: str, said: str) -> None:
    done = run([sys.executable, str(HERE / "wrong.py"), fault], case, "errors/internal-*")
    assert done.returncode == 1
    told, closing = done.stdout.splitlines()
    assert told.startswith(f"FAIL  {case}: ")
    assert said in told
    assert re.fullmatch(r"0 passed, 1 failed in \d+ s", closing)


def test_without_a_fault_the_same_cases_pass() -> None:
    cases = sorted({case for _, case, _ in FAULTS})
    done = run([sys.executable, str(HERE / "wrong.py"), "none"], *cases)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(rf"{len(cases)} passed, 0 failed in \d+ s", done.stdout.splitlines()[-1])


def test_the_cases_that_follow_a_fault_are_tried() -> None:
    done = run([sys.executable, str(HERE / "wrong.py"), "ends"], "games/private", "errors/session-full")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["pass", "FAIL", "1"]


def test_no_case_is_no_success() -> None:
    done = run([sys.executable, str(HERE / "wrong.py"), "none"], "no/such/case")
    assert done.returncode == 1
    assert done.stdout.startswith("0 passed, 0 failed")


def test_a_command_that_says_too_little() -> None:
    done = subprocess.run(RUN, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--server" in done.stderr


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import time; time.sleep(60)", "Idle does not come to an end"),
        ("raise SystemExit('no such seat')", "Idle ends with exit code 1: no such seat"),
        ("print('hello')", "Idle prints 'hello\\n', which is not JSON"),
        ("print('{}')", "the players have ended, and the game has not"),
    ],
    ids=["idle", "fails", "no JSON", "leaves"],
)
def test_a_player_that_does_not_play_is_told(program: str, said: str) -> None:
    server = RealServer(os.environ["TAVOLA_SERVER_BINARY"], "--store", "memory")
    idle = Language("Idle", [], [sys.executable, "-c", program], [])
    try:
        with pytest.raises(Wrong, match=re.escape(said)):
            tables.play(server.address, "santorini", [idle, idle], timeout=2)
    finally:
        server.close()


def test_the_cases_are_listed() -> None:
    done = subprocess.run([*RUN, "--list", "streams/*"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "streams/cut" in done.stdout
    assert "errors/" not in done.stdout
