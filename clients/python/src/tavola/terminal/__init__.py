"""The command line: `tavola games`, `tavola play`, `tavola watch` and `tavola verify`.

It is a client like any other: what it shows is what `tavola.v1.Observation` says, and what may be answered
is what the server lists. Nothing here is meant to be imported but `main`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from tavola.errors import TavolaError
from tavola.fair import VerificationError
from tavola.terminal.arguments import parse
from tavola.terminal.screen import Screen
from tavola.terminal.trouble import TroubleError, sentence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code: 0 done, 1 failed, 2 not understood, 130 interrupted."""
    arguments = parse(sys.argv[1:] if argv is None else argv)
    screen = Screen()
    try:
        arguments.command(arguments, screen)
    except TavolaError as error:
        return _fails(sentence(error, arguments))
    except (TroubleError, VerificationError) as error:
        return _fails(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # Whoever read our output has gone.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # There is nobody to flush the rest to.
        return 1
    return 0


def _fails(why: str) -> int:
    print(f"tavola: {why}", file=sys.stderr)
    return 1
