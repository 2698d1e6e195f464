"""Holds a client against the contract; see README.md.

    run.py --server BINARY [CASE...] -- COMMAND...
    run.py --server BINARY [CASE...] --language Go


The last line counts what passed and what failed; the exit code is 1 if anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # Connections that break are what this is about.
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from kit import calls, scenarios  # noqa: E402
from kit.adapter import Adapter, Wrong  # noqa: E402
from kit.languages import languages  # noqa: E402
from kit.servers import RealServer  # noqa: E402


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Reads the command line."""
    own, command = list(argv), []
    if "--" in own:
        at = own.index("--")
        own, command = own[:at], own[at + 1 :]
    parser = argparse.ArgumentParser(
        description="Holds a client against the contract of Tavola.",
        usage="run.py --server BINARY [OPTION...] [CASE...] (-- COMMAND [ARGUMENT...] | --language NAME)",
    )
    parser.add_argument("--server", metavar="BINARY", help="the path of the server's program")
    parser.add_argument("--timeout", type=float, default=60, metavar="S", help="for each line (default: 60)")
    parser.add_argument(
        "--language", choices=languages(), help="a client of this repository, rather than a command"
    )
    parser.add_argument(
        "--languages", action="store_true", help="list the clients of this repository and end"
    )
    parser.add_argument("--long", action="store_true", help="also the cases that take most of a minute")
    parser.add_argument("--quiet", action="store_true", help="do not tell of the cases that pass")
    parser.add_argument("--list", action="store_true", help="list the cases and end")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="only these cases, such as 'streams/*'")
    arguments = parser.parse_args(own)
    arguments.command = command
    if arguments.list or arguments.languages:
        return arguments
    if not (arguments.server and bool(command) != bool(arguments.language)):
        parser.error("--server is needed, and an adapter: its command after --, or a --language")
    return arguments


def main(argv: Sequence[str]) -> int:
    """Runs the cases."""
    arguments = parse(argv)
    if arguments.languages:
        print(*languages(), sep="\n")
        return 0
    cases: list[dict[str, Any]] = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    chosen = [
        case
        for case in cases
        if any(fnmatch(case["name"], pattern) for pattern in arguments.cases or ["*"])
        and (arguments.long or arguments.list or not case.get("long") or case["name"] in arguments.cases)
    ]
    if arguments.list:
        for case in chosen:
            print(f"{case['name']:<40} {case.get('about', '')}".rstrip())
        return 0
    began = time.monotonic()
    if arguments.language:
        language = languages()[arguments.language]
        language.prepare()
        arguments.command = language.adapter
    server = RealServer(arguments.server, "--store", "memory")
    try:
        bad = _run(chosen, arguments, server)
    finally:
        server.close()
    print(f"{len(chosen) - bad} passed, {bad} failed in {time.monotonic() - began:.0f} s")
    return 1 if bad or not chosen else 0


def _run(cases: list[dict[str, Any]], arguments: argparse.Namespace, server: RealServer) -> int:
    """Runs cases and says what is wrong. Returns how many failed."""
    bad = 0
    adapter = Adapter(arguments.command, arguments.timeout)
    try:
        for case in cases:
            if not adapter.usable:
                adapter.close()
                adapter = Adapter(arguments.command, arguments.timeout)
            began = time.monotonic()
            try:
                context = calls.Context(adapter, server, arguments.server)
                if "scenario" in case:
                    scenarios.SCENARIOS[case["scenario"]](context, **case.get("with", {}))
                else:
                    calls.run(case, context)
                if not arguments.quiet:
                    print(f"pass  {case['name']} ({time.monotonic() - began:.1f} s)", flush=True)
            except Wrong as wrong:
                bad += 1
                print(f"FAIL  {case['name']}: {wrong}", flush=True)
    finally:
        adapter.close()
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
