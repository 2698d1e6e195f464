#!/usr/bin/env bash
# The README's walk through the service with grpcurl: no .proto file at hand, only reflection.
#
#   tests/grpcurl.sh SERVER      the server's binary; grpcurl is taken from .cache/go or the PATH
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/.cache/go:$PATH
work=$(mktemp -d)

"$1" --listen 127.0.0.1:0 --data "$work/data" >"$work/out" 2>"$work/err" &
server=$!
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    grep -qs listening "$work/out" && break
    sleep 0.1
done
address=$(sed -n 's#^listening on http://##p' "$work/out")
[ -n "$address" ] || { cat "$work/err"; exit 1; }

sessions=tavola.v1.SessionService
fail() { printf 'grpcurl.sh: %s\n' "$*" >&2; exit 1; }
# call METHOD JSON [TOKEN]
call() {
    local token=()
    [ $# -lt 3 ] || token=(-H "authorization: Bearer $3")
    grpcurl -plaintext "${token[@]}" -d "$2" "$address" "$1"
}
# field EXPRESSION: a Python expression over `reply`, the JSON on standard input.
field() { python3 -c "import json, sys; reply = json.load(sys.stdin); print($1)"; }
# refused CODE REASON METHOD JSON [TOKEN]
refused() {
    if call "${@:3}" >"$work/refusal" 2>&1; then
        fail "$3 was not refused: $4"
    fi
    grep -q "Code: $1" "$work/refusal" || fail "$3 $4 should be $1: $(cat "$work/refusal")"
    grep -q "\"reason\": \"$2\"" "$work/refusal" || fail "$3 $4 should be $2: $(cat "$work/refusal")"
}

# What is here?
grpcurl -plaintext "$address" list >"$work/list"
for service in grpc.health.v1.Health grpc.reflection.v1.ServerReflection tavola.v1.CatalogService $sessions; do
    grep -qx "$service" "$work/list" || fail "$service is not listed"
done
described=$(grpcurl -plaintext "$address" describe $sessions)
for method in CreateSession GetSession ListSessions JoinSession AddBot LeaveSession DeleteSession GetObservation \
    SubmitAction WatchSession Play GetState GetReplay ForkSession; do
    grep -q "rpc $method " <<<"$described" || fail "$method is not described"
done
[ "$(call tavola.v1.CatalogService/ListGames '{}' | field 'reply["games"][0]["game"]')" ] || fail "no games"
call tavola.v1.CatalogService/GetGame '{"game":"santorini"}' | field 'reply["game"]["actionSpace"]' >/dev/null
call tavola.v1.CatalogService/GetServerInfo '{}' | field 'reply["version"]' >/dev/null
[ "$(call grpc.health.v1.Health/Check "{\"service\":\"$sessions\"}" | field 'reply["status"]')" = SERVING ] || fail "not serving"

# A session with a player and a house bot.
created=$(call $sessions/CreateSession '{"game":"santorini","seats":2,"clock":{"bank":{"bank":"3600s","increment":"0.5s"}}}')
session=$(field 'reply["sessionId"]' <<<"$created")
host=$(field 'reply["hostToken"]' <<<"$created")
commitment=$(field 'reply["session"]["seedCommitment"]' <<<"$created")
id="\"session_id\":\"$session\""
joined=$(call $sessions/JoinSession "{$id}")
[ "$(field 'reply["seat"]' <<<"$joined")" = 0 ] || fail "the first seat is 0"
seat=$(field 'reply["seatToken"]' <<<"$joined")
refused FailedPrecondition SESSION_NOT_STARTED $sessions/SubmitAction "{$id,\"decision_id\":\"1\",\"action_id\":0}" "$seat"
[ "$(call $sessions/AddBot "{$id,\"bot\":\"random\"}" "$host" | field 'reply["session"]["status"]')" = SESSION_STATUS_RUNNING ] ||
    fail "the session does not start when all seats are taken"
call $sessions/ListSessions '{"game":"santorini","status":"SESSION_STATUS_RUNNING"}' | grep -q "$session" || fail "not listed"

# Somebody watches from here on.
grpcurl -plaintext -d "{$id}" "$address" $sessions/WatchSession >"$work/watch" &
watch=$!

refused Unauthenticated TOKEN_REQUIRED $sessions/SubmitAction "{$id,\"decision_id\":\"1\",\"action_id\":0}"
refused PermissionDenied SEAT_MISMATCH $sessions/SubmitAction "{$id,\"decision_id\":\"1\",\"action_id\":0}" "$host"
refused InvalidArgument MALFORMED_REQUEST $sessions/SubmitAction "{$id,\"decision_id\":\"1\"}" "$seat"
refused InvalidArgument MALFORMED_REQUEST $sessions/SubmitAction "{$id,\"decision_id\":\"1\",\"action\":{\"santorini\":{\"move\":{\"worker\":0}}}}" "$seat"
refused NotFound SESSION_NOT_FOUND $sessions/GetObservation '{"session_id":"00000000000000000000000000000000"}'
refused NotFound GAME_NOT_FOUND $sessions/CreateSession '{"game":"chess"}'
refused InvalidArgument MALFORMED_REQUEST $sessions/CreateSession '{"game":"santorini","clock":{"per_move":{"time":"0s"}}}'
refused InvalidArgument OPTIONS_NOT_LEGAL $sessions/CreateSession '{"game":"santorini","options":{"santorini":{"max_turns":0}}}'
refused FailedPrecondition SESSION_NOT_FINISHED $sessions/GetReplay "{$id}"

# A whole game: observe, answer by meaning and by number in turn, until it is over.
plies=0
for _ in $(seq 2000); do
    call $sessions/GetObservation "{$id}" "$seat" >"$work/observation"
    status=$(field 'reply["status"]' <"$work/observation")
    [ "$status" != SESSION_STATUS_FINISHED ] || break
    decision=$(field 'reply["decision"]["decisionId"] if reply.get("legalActions") else ""' <"$work/observation")
    [ -n "$decision" ] || continue
    if [ $((plies % 2)) = 0 ]; then
        answer=$(field '"\"action_id\":%d" % reply["legalActions"][0]["actionId"]' <"$work/observation")
    else
        answer=$(field '"\"action\":" + json.dumps(reply["legalActions"][0]["action"])' <"$work/observation")
    fi
    submission="{$id,\"decision_id\":\"$decision\",$answer}"
    call $sessions/SubmitAction "$submission" "$seat" >"$work/reply"
    if [ $plies = 0 ]; then
        call $sessions/SubmitAction "$submission" "$seat" | cmp - "$work/reply" || fail "a repeated answer gets another reply"
    fi
    plies=$((plies + 1))
done
[ "$status" = SESSION_STATUS_FINISHED ] || fail "the game does not end"
refused FailedPrecondition GAME_OVER $sessions/SubmitAction "{$id,\"decision_id\":\"999999\",\"action_id\":0}" "$seat"

# The watcher was told of every version, of the result, and its stream has ended with OK.
wait "$watch" || fail "the watched stream did not end with OK"
python3 - "$work/watch" <<'PY'
import json, sys

text, at, updates = open(sys.argv[1]).read(), 0, []
while text[at:].strip():
    at += len(text[at:]) - len(text[at:].lstrip())
    update, at = json.JSONDecoder().raw_decode(text, at)
    updates.append(update["update"])
versions = [int(update["version"]) for update in updates]
assert updates[0]["snapshot"], "the first update is a snapshot"
assert versions == list(range(versions[0], versions[0] + len(versions))), versions
assert updates[-1]["outcome"]["winners"], updates[-1]
assert not any(update.get("outcome") for update in updates[:-1])
PY

# The replay, page by page, and the whole truth.
steps=0 page=
for _ in $(seq 1000); do
    call $sessions/GetReplay "{$id,\"page_size\":50,\"page_token\":\"$page\"}" >"$work/replay"
    cat "$work/replay" >>"$work/pages"
    steps=$((steps + $(field 'len(reply["steps"])' <"$work/replay")))
    page=$(field 'reply.get("nextPageToken", "")' <"$work/replay")
    [ -n "$page" ] || break
done
"$1" verify "$work/pages" --commitment "$commitment" | grep -q "^verified: $((steps - 1)) plies of santorini" ||
    fail "the replay does not verify"
[ "$steps" = $(($(field 'reply["plies"]' <"$work/replay") + 1)) ] || fail "the replay has $steps steps"
call $sessions/GetState "{$id}" | field 'reply["state"]["santorini"]' >/dev/null

# Another game that goes on from the tenth ply, for whoever likes.
forked=$(call $sessions/ForkSession "{$id,\"ply\":10}")
fork="\"session_id\":\"$(field 'reply["sessionId"]' <<<"$forked")\""
[ "$(field 'reply["session"]["forkedFrom"]["sessionId"]' <<<"$forked")" = "$session" ] || fail "a fork says what it is"
[ "$(call $sessions/GetObservation "{$fork}" "$(field 'reply["seatTokens"][1]["seatToken"]' <<<"$forked")" |
    field 'reply["version"]')" = 11 ] || fail "a fork begins where it was forked"

# Leaving a seat before the start, deleting, and being gone.
other=$(call $sessions/CreateSession '{"game":"santorini"}' | field 'reply["sessionId"]')
left=$(call $sessions/JoinSession "{\"session_id\":\"$other\",\"seat\":1}" | field 'reply["seatToken"]')
[ "$(call $sessions/LeaveSession "{\"session_id\":\"$other\"}" "$left" | field 'reply["session"]["seats"][1]["holder"]')" = SEAT_HOLDER_OPEN ] ||
    fail "a seat that is left is open again"
refused Unauthenticated TOKEN_REQUIRED $sessions/GetObservation "{\"session_id\":\"$other\"}" "$left"
call $sessions/DeleteSession "{$id}" "$host" >/dev/null
refused NotFound SESSION_NOT_FOUND $sessions/GetSession "{$id}"

kill -TERM "$server"
wait "$server" || fail "the server did not stop with exit code 0"
trap 'rm -rf "$work"' EXIT
echo "grpcurl: a whole game of $steps steps, $plies of them ours"
