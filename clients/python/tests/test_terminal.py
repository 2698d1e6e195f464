"""The command line: its dialog, its errors, and whole games in a terminal."""

from __future__ import annotations

import base64
import io
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import fake
import pexpect
import pytest
import real
from google.protobuf.json_format import MessageToJson
from rich.console import Console
from test_end_to_end import at_random
from test_fair import made_up

import tavola
from tavola import v1
from tavola.terminal import main
from tavola.terminal.menu import choose
from tavola.terminal.screen import Screen

COMMAND = [sys.executable, "-m", "tavola.terminal"]
GAMES = ["citadels", "council_of_shadows", "santorini", "shadow_hunters", "under_falling_skies"]
LINES, COLUMNS = 24, 80


# === the dialog


class Scripted(Screen):
    """A screen on which somebody types these lines."""

    def __init__(self, *typed: str, lines: int | None = None) -> None:
        super().__init__(Console(file=io.StringIO(), width=COLUMNS, color_system=None))
        self._typed = iter(typed)
        self._lines = lines

    def ask(self, prompt: str) -> str:
        """The next line."""
        self.console.print(prompt)
        try:
            return next(self._typed)
        except StopIteration:
            raise EOFError from None

    @property
    def lines(self) -> int | None:
        """As many as were given."""
        return self._lines

    @property
    def shown(self) -> str:
        """All that was written."""
        assert isinstance(self.console.file, io.StringIO)
        return self.console.file.getvalue()


LEGAL = [
    v1.LegalAction(action_id=100 + n, label=f"build {name}") for n, name in enumerate(["Keep", "Town Hall"])
]
LEGAL += [v1.LegalAction(action_id=200 + n, label=f"destroy number {n}") for n in range(100)]


def table() -> int:
    return 10


def chosen(screen: Screen) -> int | None:
    action = choose(screen, "citadels", LEGAL, table)
    return action and action.action_id


def test_a_number_answers() -> None:
    assert chosen(Scripted("2")) == 101
    assert chosen(Scripted("102")) == 299


def test_numbers_stay_when_the_list_is_searched() -> None:
    screen = Scripted("NUMBER 7 destr", "15")
    assert chosen(screen) == 212
    listed = screen.shown.split("help):")[1]
    found = {(int(number), int(label)) for number, label in re.findall(r"(\d+) destroy number (\d+)", listed)}
    assert found == {(n + 3, n) for n in range(100) if "7" in str(n)}
    assert "Keep" not in listed


def test_what_is_no_answer_says_so_and_asks_again() -> None:
    screen = Scripted("0", "103", "-1", "nothing like it", "1")
    assert chosen(screen) == 100
    assert "There is no number 0 here: 1 to 102." in screen.shown
    assert "There is no number 103 here: 1 to 102." in screen.shown
    assert "No answer has “nothing like it” in it." in screen.shown


def test_help_explains_the_keys_the_drawing_and_the_cards() -> None:
    screen = Scripted("?", "? keep", "?no such card", "1")
    assert chosen(screen) == 100
    assert "leaves the table" in screen.shown
    assert "A number after a district is its cost" in screen.shown
    assert "Keep: Keep: purple, cost 3" in " ".join(screen.shown.split())
    assert "Nothing in this game is called “no such card”." in screen.shown


def test_a_list_that_is_too_long_for_the_screen_is_cut() -> None:
    screen = Scripted("all", "1", lines=LINES)
    assert chosen(screen) == 100
    first, everything = screen.shown.split("help):")[:2]
    assert len(first.splitlines()) <= LINES - table()
    left = re.search(r"and (\d+) more", first)
    assert left
    assert len(re.findall(r"\d+ (?:build|destroy) ", first)) + int(left[1]) == 102
    assert len(re.findall(r"\d+ (?:build|destroy) ", everything)) == 102


def test_leaving_and_the_end_of_the_input() -> None:
    assert chosen(Scripted("q")) is None
    with pytest.raises(EOFError):
        chosen(Scripted())


# === what goes wrong

Fails = Callable[..., str]


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """Runs a command that has to fail, and returns the one sentence that it says."""

    def run(*arguments: str) -> str:
        assert main(arguments) == 1
        said = capsys.readouterr().err
        assert re.fullmatch(r"tavola: [^\n]+\n", said)
        return said.removeprefix("tavola: ").rstrip("\n")

    return run


def test_what_is_not_understood_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in [], ["chess"], ["play", "--seats", "many"], ["watch"], ["verify"]:
        with pytest.raises(SystemExit) as left:
            main(wrong)
        assert left.value.code == 2
        assert "usage: tavola" in capsys.readouterr().err


def test_a_server_that_is_not_there(fails: Fails) -> None:
    said = fails("games", "--address", "127.0.0.1:1")
    assert said.startswith("no server answers at 127.0.0.1:1 (")


def test_a_key_that_is_missing(server: fake.Server, fails: Fails) -> None:
    server.table.refusal = (fake.Code.UNAUTHENTICATED, "no key", [fake.info("API_KEY_REQUIRED")])
    assert "--api-key" in fails("watch", "fake", "--address", server.address)


def test_a_command_that_says_too_much_or_too_little(fails: Fails) -> None:
    assert "a GAME to begin" in fails("play")
    assert "a GAME to begin" in fails("play", "santorini", "--session", "x")
    assert "go together" in fails("games", "--tls-key", "x.pem")
    assert "nowhere.pem cannot be read" in fails("games", "--tls-ca", "nowhere.pem")


def test_what_the_server_does_not_have(address: str, fails: Fails) -> None:
    at = ("--address", address)
    assert "no such game" in fails("games", "chess", *at)
    assert "no such game" in fails("play", "chess", *at)
    assert "there are random, greedy" in fails("play", "santorini", "--bot", "deep", *at)
    assert "no such session" in fails("watch", "nothing", *at)
    assert "no such session" in fails("play", "--session", "nothing", *at)
    assert "seats" in fails("play", "santorini", "--seats", "9", *at)
    assert "NAME=VALUE" in fails("play", "santorini", "--option", "x", *at)
    assert "tavola games santorini" in fails("play", "santorini", "--option", "height=3", *at)
    assert "max_turns" in fails("play", "santorini", "--option", "max_turns=0", *at)


# === verify


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a replay that holds, as far as Python can tell."""
    monkeypatch.delenv(real.BINARY, raising=False)
    file = tmp_path / "replay.json"
    file.write_text(MessageToJson(made_up()))
    return file


def test_a_replay_that_holds(replay: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commitment = base64.b64encode(made_up().seed_commitment).decode()
    assert main(["verify", str(replay), "--commitment", commitment]) == 0
    assert f"verified: 2 plies of none, commitment {commitment}" in " ".join(capsys.readouterr().out.split())


def test_pages_one_after_another(replay: Path) -> None:
    whole = made_up()
    pages = []
    for step in whole.steps:
        page = v1.GetReplayResponse()
        page.CopyFrom(whole)
        del page.steps[:]
        page.steps.append(step)
        pages.append(MessageToJson(page))
    replay.write_text("\n".join(pages))
    assert main(["verify", str(replay)]) == 0


def test_a_file_that_is_no_replay_that_holds(replay: Path, fails: Fails) -> None:
    other = base64.b64encode(bytes(32)).decode()
    assert "not the one that was noted" in fails("verify", str(replay), "--commitment", other)
    assert "not base64" in fails("verify", str(replay), "--commitment", "?")
    assert "cannot be run" in fails("verify", str(replay), "--binary", str(replay) + "-nothing")
    assert "cannot be read" in fails("verify", str(replay) + "-nothing")
    for text in "", "{", "[]", "7", '"text"', "null", '{"seed": 7}', '{"no_field": 7}':
        replay.write_text(text)
        fails("verify", str(replay))
    replay.write_bytes(b"\xff\xfe\x00")
    assert "not text" in fails("verify", str(replay))
    replay.write_text(MessageToJson(made_up()).replace('"ply": 1', '"ply": 2'))
    assert "ply 1: its step is missing" in fails("verify", str(replay))


# === without a terminal


def run(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command with lines piped in."""
    return subprocess.run(
        [*COMMAND, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def test_games_are_listed(address: str) -> None:
    done = run("games", TAVOLA_ADDRESS=address)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(
        re.search(rf"^{game}  .*seat.*house bots random, greedy$", done.stdout, re.M) for game in GAMES
    )
    done = run("games", "santorini", "--address", f"http://{address}")
    assert "god_mode  How the gods come" in done.stdout
    assert "1 to 1000 (default: 500)" in done.stdout


def test_answers_may_be_piped_in(address: str) -> None:
    typed = "1\n" * 2000
    done = run("play", "santorini", "--option", "god_mode=GOD_MODE_NONE", "--address", address, typed=typed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Returns: You " in done.stdout
    assert "\x1b" not in done.stdout


def test_a_terminal_that_knows_no_unicode(address: str) -> None:
    done = run(
        "play", "santorini", "--address", address, typed="1\nq\n", PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


def test_input_that_ends_before_the_game_does(address: str) -> None:
    done = run("play", "citadels", "--address", address, typed="1\n")
    assert done.returncode == 1
    assert done.stderr == "tavola: the input ended before the game did\n"
    assert "Come back with" in done.stdout


def test_a_private_session_is_watched_with_its_token(address: str, tmp_path: Path) -> None:
    with tavola.connect(address) as client:
        host = client.create("santorini", private=True)
        seat = host.join()
        host.add_bot("random")
        assert run("watch", host.session_id, "--address", address).returncode == 1
        watching = subprocess.Popen(
            [*COMMAND, "watch", host.session_id, "--address", address, "--save", str(tmp_path / "replay")],
            env={**os.environ, "TAVOLA_TOKEN": host.join_token},
            stdout=subprocess.PIPE,
            text=True,
        )
        outcome = seat.play(at_random)
        said, _ = watching.communicate(timeout=60)
    assert watching.returncode == 0
    assert "santorini with Seat 0, Seat 1 (random)" in said
    assert f"Seat {outcome.winners[0]} has won." in said
    assert main(["verify", str(tmp_path / "replay")]) == 0


def test_a_watcher_survives_a_cut(server: fake.Server, capsys: pytest.CaptureFixture[str]) -> None:
    with tavola.connect(server.address) as client:
        client.join(fake.SESSION).play(lambda update: update.legal_actions[0].action_id)
    server.table.cuts = {len(server.table.history) - 1}
    server.table.history.pop()
    server.table.append(v1.Update(outcome=v1.Outcome(winners=[0], returns=[1, -1])))
    assert main(["watch", "fake", "--token", fake.TOKEN, "--address", server.address]) == 0
    assert "won!" in capsys.readouterr().out


# === in a terminal


@pytest.fixture
def terminal(address: str) -> Iterator[Callable[..., pexpect.spawn[str]]]:
    """Starts the command in a terminal of 24 lines and 80 columns."""
    children: list[pexpect.spawn[str]] = []
    here = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}

    def start(*arguments: str, **environment: str) -> pexpect.spawn[str]:
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            dimensions=(LINES, COLUMNS),
            env={**here, "TAVOLA_ADDRESS": address, "TERM": "xterm-256color", **environment},
            encoding="utf-8",
            timeout=30,
            echo=False,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


# What is awaited ends where a line does: before that, only a part of it may have come.
WAY_BACK = r"TAVOLA_TOKEN=(\S+) tavola (play --session \w+ --address \S+)\s"
PROMPT = r"Your answer \(1(?: to (\d+))?, or \? for help\): "


def play_on(child: pexpect.spawn[str], chance: random.Random) -> str:
    """Answers with any number until the game is over, and returns what the end says."""
    while child.expect([PROMPT, r"Returns: ([^\r\n]*)[\r\n]"]) == 0:
        assert isinstance(child.match, re.Match)
        child.sendline(str(chance.randint(1, int(child.match[1] or 1))))
    assert isinstance(child.match, re.Match)
    said: str = child.match[1]
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    return said


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_by_numbers(
    terminal: Callable[..., pexpect.spawn[str]], game: str, tmp_path: Path
) -> None:
    save = tmp_path / "replay.json"
    child = terminal("play", game, "--bot", "greedy", "--seed", "7", "--save", str(save))
    child.expect(r"The dice are bound by (\S+?)(\x1b|\s)")
    assert isinstance(child.match, re.Match)
    commitment = child.match[1]
    assert play_on(child, random.Random(7)).startswith("You ")
    assert main(["verify", str(save), "--commitment", commitment]) == 0


def test_a_person_leaves_and_comes_back(terminal: Callable[..., pexpect.spawn[str]]) -> None:
    child = terminal("play", "santorini", "--option", "god_mode=GOD_MODE_NONE")
    child.expect(PROMPT)
    # The bot may have been first, and be in the middle of the board.
    child.sendline("place P1f on 3")
    child.expect(r"(\d+)\x1b\[0m place P1f on \w3")
    assert isinstance(child.match, re.Match)
    child.sendline(child.match[1])
    child.expect(PROMPT)
    child.sendline("q")
    child.expect(WAY_BACK)
    assert isinstance(child.match, re.Match)
    token, again = child.match[1], child.match[2].split()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0

    child = terminal(*again, TAVOLA_TOKEN=token)
    child.expect("P1f")
    play_on(child, random.Random(1))


def test_ctrl_c_leaves_and_tells_the_way_back(terminal: Callable[..., pexpect.spawn[str]]) -> None:
    child = terminal("play", "citadels")
    child.expect(PROMPT)
    child.sendintr()
    child.expect("Come back with")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_colors_are_for_terminals_that_want_them(terminal: Callable[..., pexpect.spawn[str]]) -> None:
    child = terminal("play", "citadels")
    child.expect(PROMPT)
    assert "\x1b[1m" in (child.before or "")
    assert re.search(r"\x1b\[(\d;)?3\dm", child.before or "")
    child = terminal("play", "citadels", NO_COLOR="1")
    child.expect(PROMPT)
    assert not re.search(r"\x1b\[(\d;)?3\dm", child.before or "")


def test_two_people_at_one_table(terminal: Callable[..., pexpect.spawn[str]]) -> None:
    first = terminal("play", "citadels", "--seats", "3", "--people", "2", "--private")
    first.expect(WAY_BACK)
    assert isinstance(first.match, re.Match)
    token, join = first.match[1], first.match[2].split()
    first.expect("Waiting for the other seats")
    second = terminal(*join, TAVOLA_TOKEN=token)
    second.expect("Seat 2 is yours")
    first.expect(r"Waiting for Seat 2\.|" + PROMPT)
    for child in first, second:
        child.sendintr()
        child.expect("Come back with")


@pytest.mark.usefixtures("binary")
def test_a_server_that_restarts_in_mid_game_is_waited_for(
    terminal: Callable[..., pexpect.spawn[str]], tmp_path: Path
) -> None:
    data = ("--data", str(tmp_path / "data"))
    with real.started(*data) as url:
        child = terminal("play", "santorini", "--option", "god_mode=GOD_MODE_NONE", TAVOLA_ADDRESS=url)
        child.expect(PROMPT)
    with real.started(*data, listen=url.removeprefix("http://")):
        play_on_from_here(child)


def play_on_from_here(child: pexpect.spawn[str]) -> None:
    """Plays on after the prompt that was read."""
    child.sendline("1")
    play_on(child, random.Random(3))
