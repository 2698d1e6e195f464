"""The clients of this repository, as languages.json lists them: how each is built and run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
BUILT = ROOT / ".cache" / "conformance"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


@dataclass(frozen=True)
class Language:
    """A client."""

    name: str
    adapter: list[str]
    """The command of its adapter."""
    player: list[str]
    """The command that plays a seat, to be followed by the server's address and the session's id."""
    build: list[str]
    """What has to be run before, if anything."""

    def prepare(self) -> None:
        """Builds the commands."""
        if self.build:
            BUILT.mkdir(parents=True, exist_ok=True)
            subprocess.run(self.build, check=True)


def languages() -> dict[str, Language]:
    """All of them, by their names."""
    places = {
        "python": sys.executable,
        "clients": str(HERE.parent),
        "built": str(BUILT),
        "target": str(TARGET.absolute()),
    }

    def placed(command: list[str]) -> list[str]:
        return [word.format_map(places) for word in command]

    listed = json.loads((HERE / "languages.json").read_text(encoding="utf-8"))
    return {
        name: Language(name, placed(says["adapter"]), placed(says["player"]), placed(says.get("build", [])))
        for name, says in listed.items()
    }
