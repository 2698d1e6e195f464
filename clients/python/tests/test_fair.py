"""`verify`: what is found without the rules, and what with them."""

import hashlib
import os
import random
from collections.abc import Callable

import pytest
import real
from conftest import Asyncio, Sync

import tavola
from tavola import v1


def made_up() -> v1.GetReplayResponse:
    """A replay of two plies that is bound to its seed, of no game in particular."""
    seed, nonce = b"\x07" + bytes(31), bytes(range(32))
    replay = v1.GetReplayResponse(
        game="none",
        seats=2,
        seed=seed,
        seed_given=True,
        seed_nonce=nonce,
        seed_commitment=hashlib.sha256(seed + nonce).digest(),
        outcome=v1.Outcome(winners=[0], returns=[1, -1]),
        plies=2,
    )
    replay.steps.add(ply=0, state_hash=bytes(32))
    replay.steps.add(ply=1, seat=0, action_id=0, state_hash=bytes(32))
    replay.steps.add(ply=2, seat=1, resignation=v1.Resignation(), state_hash=bytes(32))
    return replay


def flipped(secret: bytes) -> bytes:
    """The same bytes but for a bit."""
    bit = random.randrange(8 * len(secret))
    return (int.from_bytes(secret, "big") ^ 1 << bit).to_bytes(len(secret), "big")


def test_what_is_bound_and_whole_is_verified() -> None:
    replay = made_up()
    tavola.verify(replay)
    tavola.verify(replay, replay.seed_commitment)


def change_seed(replay: v1.GetReplayResponse) -> None:
    replay.seed = flipped(replay.seed)


def change_nonce(replay: v1.GetReplayResponse) -> None:
    replay.seed_nonce = flipped(replay.seed_nonce)


def change_commitment(replay: v1.GetReplayResponse) -> None:
    replay.seed_commitment = flipped(replay.seed_commitment)


def lose_the_nonce(replay: v1.GetReplayResponse) -> None:
    replay.seed_nonce = b""


def lose_a_step(replay: v1.GetReplayResponse) -> None:
    del replay.steps[1]


def lose_a_hash(replay: v1.GetReplayResponse) -> None:
    replay.steps[1].state_hash = b""


def swap_steps(replay: v1.GetReplayResponse) -> None:
    replay.steps[1].ply = 2
    replay.steps[2].ply = 1


def lose_an_action(replay: v1.GetReplayResponse) -> None:
    replay.steps[1].ClearField("action_id")


def lose_the_result(replay: v1.GetReplayResponse) -> None:
    replay.ClearField("outcome")


@pytest.mark.parametrize(
    "change",
    [
        change_seed,
        change_nonce,
        change_commitment,
        lose_the_nonce,
        lose_a_step,
        lose_a_hash,
        swap_steps,
        lose_an_action,
        lose_the_result,
    ],
)
def test_what_is_changed_is_not(change: Callable[[v1.GetReplayResponse], None]) -> None:
    replay = made_up()
    change(replay)
    with pytest.raises(tavola.VerificationError):
        tavola.verify(replay)


def fork(replay: v1.GetReplayResponse) -> None:
    """Makes it the replay of a fork after its first ply."""
    replay.reseeds.add(after_ply=1, seed=bytes(range(32, 64)))
    replay.seed_given = False
    bound = replay.reseeds[-1].seed + replay.seed_nonce
    replay.seed_commitment = hashlib.sha256(bound).digest()


def test_a_fork_is_bound_to_the_seed_of_what_comes_after_it() -> None:
    replay = made_up()
    fork(replay)
    tavola.verify(replay, replay.seed_commitment)
    replay.reseeds[-1].seed = flipped(replay.reseeds[-1].seed)
    with pytest.raises(tavola.VerificationError, match="SHA-256"):
        tavola.verify(replay)


def test_a_fork_whose_origin_keeps_its_seed_cannot_be_checked() -> None:
    replay = made_up()
    fork(replay)
    replay.seed = b""
    with pytest.raises(tavola.VerificationError, match="has not told"):
        tavola.verify(replay)


def test_another_commitment_than_the_noted_one_is_not() -> None:
    with pytest.raises(tavola.VerificationError, match="noted"):
        tavola.verify(made_up(), bytes(32))


def test_a_real_game_is_verified_and_played_again(address: str, caller: Sync | Asyncio) -> None:
    with tavola.connect(address) as client:
        for game in client.games():
            host = client.create(game.game)
            bound = client.session(host.session_id).seed_commitment
            for _ in client.session(host.session_id).seats:
                host.add_bot("random")
            for _ in client.watch(host.session_id):
                pass
            replay = caller.client(address, "replay", host.session_id)
            binary = os.environ.get(real.BINARY)
            tavola.verify(replay, bound, binary=binary)
            if binary is None:
                continue
            replay.steps[1].state_hash = flipped(replay.steps[1].state_hash)
            tavola.verify(replay, bound)  # This is beyond what can be seen without the rules.
            with pytest.raises(tavola.VerificationError, match="ply 1"):
                tavola.verify(replay, bound, binary=binary)
