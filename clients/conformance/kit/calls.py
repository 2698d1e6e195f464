"""The cases that are calls with what has to come of them: the list is cases.json."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status

from kit.adapter import Adapter, Answer, Failure, Wrong, packed, unpacked
from kit.servers import RealServer, Refusal, ScriptedServer
from kit.table import Table
from tavola import v1

KEY = "0123456789abcdef0123456789abcdef"
KINDS: dict[str, type[Message]] = {
    "session": v1.Session,
    "observation": v1.GetObservationResponse,
    "reply": v1.SubmitActionResponse,
    "replay": v1.GetReplayResponse,
    "outcome": v1.Outcome,
}
"""What the messages in the answers of an adapter are."""


@dataclass
class Context:
    """Where a case is run."""

    adapter: Adapter
    server: RealServer
    binary: str
    variables: dict[str, Any] = field(default_factory=dict)
    """The $names of the case."""


def run(case: dict[str, Any], context: Context) -> None:
    """Runs a case of calls. Raises `Wrong` if the client is."""
    server = context.server
    scripted: ScriptedServer | None = None
    with TemporaryDirectory(prefix="tavola-conformance-") as folder:
        keys = Path(folder, "keys")
        keys.write_text(f"kit = {KEY}\n")
        keys.chmod(0o600)
        context.variables = {"key": KEY, "keys": str(keys)}
        if "flags" in case:
            flags = _filled(case["flags"], context.variables)
            server = RealServer(context.binary, "--store", "memory", *flags)
    if "script" in case:
        scripts = {method: _script(says) for method, says in case["script"].items()}
        scripted = ScriptedServer(**scripts)  # type: ignore[abstract]
    try:
        if "table" in case:
            context.variables |= _set_up(server.address, dict(case["table"]))
        settings = {"timeout_ms": 5000, "patience_ms": 0} | _filled(
            case.get("connect", {}), context.variables
        )
        context.adapter.need("connect", address=scripted.address if scripted else server.address, **settings)
        for step in case["steps"]:
            _step(step, context)
    finally:
        if scripted:
            scripted.close()
        if server is not context.server:
            server.close()


def _set_up(address: str, table: dict[str, Any]) -> dict[str, Any]:
    """The names that a table has in the steps."""
    finished = table.pop("finished", False)
    passed = table.pop("passed", False)
    if "clock" in table:
        table["clock"] = ParseDict(table["clock"], v1.Clock())
    set_up = Table(address, **table)
    names: dict[str, Any] = {
        "session": set_up.session_id,
        "host": set_up.host,
        "join": set_up.join_token,
        **{f"seat{seat}": token for seat, token in enumerate(set_up.tokens)},
    }
    if set_up.tokens and set_up.session().status == v1.SESSION_STATUS_RUNNING:
        seat, decision_id, legal = set_up.asked()
        names |= {
            "asked": set_up.tokens[seat],
            "other": set_up.tokens[1 - seat],
            "decision": str(decision_id),
            "legal": legal[0].action_id,
            "legal2": legal[-1].action_id,
            "meaning": packed(legal[0].action),
        }
        if passed:
            set_up.submit(names["asked"], decision_id, names["legal"])
    if finished:
        set_up.finish()
    return names


def _script(says: dict[str, Any]) -> Any:  # noqa: ANN401
    """A script that always answers the same refusal."""
    if "trailer" in says:
        refusal = Refusal(says["code"], says["message"], raw=base64.b64decode(says["trailer"]))
    else:
        status = ParseDict({"details": says.get("details", [])}, Status())
        refusal = Refusal(says["code"], says["message"], *status.details)
    return lambda _: [refusal]


def _step(step: dict[str, Any], context: Context) -> None:
    given = {name: _filled(value, context.variables) for name, value in step.items()}
    expected = given.pop("expect", {"ok": {}})
    saved = given.pop("save", {})
    do = given.pop("do")
    if isinstance(given.get("options"), dict):
        given["options"] = packed(ParseDict(given["options"], v1.Options()))
    if do == "watch":
        answer = context.adapter.watch(lambda _: None, **given)
    elif do == "play":
        answer = context.adapter.play(lambda update: update.legal_actions[0].action_id, **given)
    else:
        answer = context.adapter.ask(do, **given)
    if "error" in expected:
        _check_error(do, answer, expected["error"])
    else:
        if isinstance(answer, Failure):
            raise Wrong(f"{do} fails: {answer}")
        _check_ok(do, answer, expected["ok"])
        for field_name, variable in saved.items():
            context.variables[variable] = answer.get(field_name)


def _filled(value: Any, variables: dict[str, Any]) -> Any:  # noqa: ANN401
    """A value with its $names replaced."""
    if isinstance(value, str) and value.startswith("$"):
        return variables[value[1:]]
    if isinstance(value, dict):
        return {name: _filled(each, variables) for name, each in value.items()}
    return [_filled(each, variables) for each in value] if isinstance(value, list) else value


def _check_error(do: str, answer: Answer | Failure, expected: dict[str, Any]) -> None:
    if not isinstance(answer, Failure):
        raise Wrong(f"{do} succeeds, and should fail with {expected}")
    for name in "code", "reason":
        told = getattr(answer, name)
        allowed = expected.get(name, told)
        if told != allowed and not (isinstance(allowed, list) and told in allowed):
            raise Wrong(f"{do}: {name} is {told!r} rather than {allowed!r}: {answer}")
    if "message" in expected and expected["message"] not in answer.message:
        raise Wrong(f"{do}: the message {answer.message!r} does not have {expected['message']!r} in it")
    for name, value in expected.get("metadata", {}).items():
        told = answer.metadata.get(name)
        if told is None or value not in ("*", told):
            raise Wrong(f"{do}: {name} in the metadata is {told!r} rather than {value!r}")
    if expected.get("metadata") == {} and answer.metadata:
        raise Wrong(f"{do}: there is metadata {answer.metadata}, and should be none")
    fields = [violation.get("field") for violation in answer.violations]
    if fields != expected.get("violations", []):
        raise Wrong(
            f"{do}: the fields that are wrong are {fields} rather than {expected.get('violations', [])}"
        )
    if not all(violation.get("description") for violation in answer.violations):
        raise Wrong(f"{do}: a violation has no description")


def _check_ok(do: str, answer: Answer, expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        if name in KINDS:
            message = unpacked(KINDS[name], answer.get(name), name)
            shown = MessageToDict(message, preserving_proto_field_name=True)
            _check_part(f"{do}: {name}", shown, value)
            if isinstance(message, v1.GetReplayResponse) and len(message.steps) != message.plies + 1:
                raise Wrong(
                    f"{do}: there are {len(message.steps)} steps of {message.plies} plies and the set-up"
                )
        elif name not in answer:
            raise Wrong(f"{do}: the answer has no {name}")
        elif value not in ("*", answer[name]):
            raise Wrong(f"{do}: {name} is {answer[name]!r} rather than {value!r}")


def _check_part(where: str, shown: Any, expected: Any) -> None:  # noqa: ANN401
    """What is expected has to be there; there may be more."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            if not isinstance(shown, dict) or name not in shown:
                raise Wrong(f"{where} has no {name}")
            _check_part(f"{where}.{name}", shown[name], value)
    elif expected not in ("*", shown):
        raise Wrong(f"{where} is {shown!r} rather than {expected!r}")
