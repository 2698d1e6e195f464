"""An adapter with a fault, around the one of the Python client: `wrong.py FAULT`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ADAPTER = Path(__file__).parents[2] / "python" / "conformance" / "adapter.py"
Line = dict[str, Any]


def lines(source: Any) -> Iterator[Line]:  # noqa: ANN401
    """The lines of a stream."""
    for text in iter(source.readline, ""):
        yield json.loads(text)


def say(sink: Any, line: Line) -> None:  # noqa: ANN401
    """Writes a line."""
    sink.write(json.dumps(line) + "\n")
    sink.flush()


def main(fault: str) -> None:
    """Hands on what the driver and the adapter say, with the fault."""
    adapter = subprocess.Popen(
        [sys.executable, str(ADAPTER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    for asked in lines(sys.stdin):
        if fault == "says nothing" and asked["do"] != "connect":
            continue
        if fault == "says what is no JSON" and asked["do"] != "connect":
            print("hello", flush=True)
            continue
        if fault == "ends" and asked["do"] == "play":
            sys.exit(3)
        if fault == "takes numbers for floats" and "seed" in asked:
            asked["seed"] = str(min(int(float(asked["seed"])), 2**64 - 2**11))
        if fault == "forgets request ids":
            asked.pop("request_id", None)
        if fault == "forgets the token":
            asked.pop("token", None)
        say(adapter.stdin, asked)
        updates = 0
        again = fault == "joins again" and asked["do"] == "join"
        for line in lines(adapter.stdout):
            if again and "error" in line:
                say(adapter.stdin, asked)
                again = False
                continue
            updates += "update" in line
            if fault == "drops an update" and "update" in line and updates == 4:
                continue
            if fault == "repeats an update" and "update" in line and updates == 4:
                say(sys.stdout, line)
            if fault == "loses the reason" and "error" in line:
                line["error"]["reason"] = ""
            if fault == "loses the violations" and "error" in line:
                line["error"]["violations"] = []
            if fault == "confuses the codes" and "error" in line:
                line["error"]["code"] = 2
            if fault == "loses the error" and "error" in line:
                line = {"id": line["id"], "ok": {}}
            say(sys.stdout, line)
            if "asked" in line:
                answer = json.loads(sys.stdin.readline())
                if fault == "asks twice":
                    say(sys.stdout, line)
                    sys.stdin.readline()
                say(adapter.stdin, answer)
            if "ok" in line or "error" in line:
                break


main(sys.argv[1])
