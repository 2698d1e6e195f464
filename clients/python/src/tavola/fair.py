"""Whether a finished game was what its server was bound to: `verify`."""

from __future__ import annotations

import hashlib
import hmac
import subprocess
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf.json_format import MessageToJson

from tavola import v1


class VerificationError(Exception):
    """A replay that is not what it says it is, or that could not be checked."""


def verify(
    replay: v1.GetReplayResponse,
    commitment: bytes | None = None,
    *,
    binary: str | PathLike[str] | None = None,
) -> None:
    """Checks the replay of a finished game, as `Client.replay` returns it. Raises `VerificationError`.

    Python has no rules: by itself this checks that seed and nonce are the ones that the session was bound
    to, that every step is there, in order, with a hash of its state, and that the result has a number per
    seat. Whether the shuffles, rolls, events, hashes and the result are those that follow from the seed is
    checked by the server's own program: give its path as `binary`, and `tavola verify` does it here.

    `commitment` is the `seed_commitment` that you noted when the session was created. Without it a replay
    can only be compared with what it says of itself.
    """
    seeds = [replay.seed, *(reseed.seed for reseed in replay.reseeds)]
    _check(len(seeds) == 1 or all(seeds), "it was forked from a session that has not told its seed")
    _check(all(len(seed) == 32 for seed in seeds), "its seed is not 32 bytes")
    _check(len(replay.seed_nonce) == 32, "its nonce is not 32 bytes")
    # A fork is bound to the seed of what comes after it.
    hashed = hashlib.sha256(seeds[-1] + replay.seed_nonce).digest()
    _check(
        hmac.compare_digest(hashed, replay.seed_commitment),
        "seed_commitment is not the SHA-256 of seed and seed_nonce",
    )
    _check(
        commitment is None or hmac.compare_digest(hashed, commitment),
        "its commitment is not the one that was noted",
    )
    _check(not replay.seed_given or not any(replay.seed[8:]), "its seed is none that a host can give")
    _check(len(replay.steps) == replay.plies + 1, "it does not have all its steps")
    for ply, step in enumerate(replay.steps):
        _check(step.ply == ply, f"ply {ply}: its step is missing")
        _check(len(step.state_hash) == 32, f"ply {ply}: its state has no hash")
        acts = step.HasField("seat") and step.WhichOneof("entry") is not None
        _check(acts == (ply > 0), f"ply {ply}: somebody acts in every step but the set-up")
        _check(step.seat < replay.seats, f"ply {ply}: there is no such seat")
    _check(len(replay.outcome.returns) == replay.seats, "its result is not one of all seats")
    if binary is not None:
        _verify_with(binary, replay)


def _verify_with(binary: str | PathLike[str], replay: v1.GetReplayResponse) -> None:
    """Has the server's program play the replay again."""
    with TemporaryDirectory(prefix="tavola-") as folder:
        file = Path(folder, "replay.json")
        file.write_text(MessageToJson(replay), encoding="utf-8")
        command = [str(binary), "verify", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    _check(done.returncode == 0, (done.stdout or done.stderr).strip())


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise VerificationError(otherwise)
