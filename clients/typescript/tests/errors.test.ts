/** What a refused call says, and how it is read. */
import { expect, test } from "vitest";

import { Code, type Reason, TavolaError, v1 } from "tavola";

import { ErrorInfoSchema, HelpSchema, RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";
import { describeBoth } from "./both.js";
import { refusal, SESSION, TOKEN } from "./fake.js";

/** The error that a call ends with. */
async function refused(call: Promise<unknown>): Promise<TavolaError> {
  const error: unknown = await call.then(
    () => expect.fail("the call was not refused"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TavolaError);
  return error as TavolaError;
}

/** Each reason of the contract, and the code that comes with it. */
const reasons: Record<Reason, Code> = {
  MALFORMED_REQUEST: Code.InvalidArgument,
  OPTIONS_NOT_LEGAL: Code.InvalidArgument,
  ACTION_NOT_LEGAL: Code.FailedPrecondition,
  NOT_TO_ACT: Code.FailedPrecondition,
  GAME_OVER: Code.FailedPrecondition,
  SESSION_FULL: Code.FailedPrecondition,
  SEAT_TAKEN: Code.FailedPrecondition,
  SESSION_NOT_STARTED: Code.FailedPrecondition,
  SESSION_NOT_FINISHED: Code.FailedPrecondition,
  STALE_DECISION: Code.Aborted,
  SESSION_NOT_FOUND: Code.NotFound,
  GAME_NOT_FOUND: Code.NotFound,
  TOKEN_REQUIRED: Code.Unauthenticated,
  SEAT_MISMATCH: Code.PermissionDenied,
  LIMIT_REACHED: Code.ResourceExhausted,
  SHUTTING_DOWN: Code.Unavailable,
  STORE_UNAVAILABLE: Code.Unavailable,
  INTERNAL: Code.Internal,
  CALL_TIMED_OUT: Code.DeadlineExceeded,
  SESSION_DAMAGED: Code.DataLoss,
  SESSION_OUTDATED: Code.FailedPrecondition,
  OUT_OF_TIME: Code.Aborted,
  API_KEY_REQUIRED: Code.Unauthenticated,
  REQUEST_ID_REUSED: Code.FailedPrecondition,
  SANDBOX: Code.FailedPrecondition,
};

test("the reasons that are tried are those of the contract", () => {
  const names = Object.values(v1.ErrorReason).filter((each) => typeof each === "string");
  expect(Object.keys(reasons).sort()).toEqual(names.filter((name) => name !== "UNSPECIFIED").sort());
});

describeBoth("a refusal", (world) => {
  test.each(Object.entries(reasons))("for %s is told as that", async (reason, code) => {
    world.table.refusal = refusal(code, "because", reason, { fact: "value" });
    const told = { code, reason, metadata: { fact: "value" }, text: "because" };
    const client = world.client({ patienceMs: 0 });
    expect(await refused(client.observe(SESSION, { token: TOKEN }))).toMatchObject(told);
    expect(await refused(client.watch(SESSION, { token: TOKEN }).next())).toMatchObject(told);
  });

  test("names the field", async () => {
    const error = await refused((await world.seat()).submit(0n, 1));
    expect(error).toMatchObject({ code: Code.InvalidArgument, reason: "MALFORMED_REQUEST", transient: false });
    expect(error.violations).toEqual([{ field: "decision_id", description: "must be at least 1" }]);
    expect(error.message).toBe("INVALID_ARGUMENT MALFORMED_REQUEST: the request is malformed");
    expect(error.text).toBe("the request is malformed");
  });

  test("tells the current decision to a stale answer", async () => {
    const seat = await world.seat();
    await seat.submit(1n, 10);
    const error = await refused(seat.submit(1n, 11));
    expect(error).toMatchObject({ code: Code.Aborted, reason: "STALE_DECISION" });
    expect(error.metadata).toEqual({ decision_id: "3", seats: "0" });
  });

  test("does not meet the same answer again", async () => {
    const seat = await world.seat();
    expect(await seat.submit(1n, 10)).toEqual(await seat.submit(1n, 10));
  });

  test("meets a call without a token", async () => {
    const error = await refused(world.client().observe(SESSION));
    expect(error).toMatchObject({ code: Code.Unauthenticated, reason: "TOKEN_REQUIRED" });
  });

  test("meets a stream like a call", async () => {
    const error = await refused(world.client().watch("another", { token: TOKEN }).next());
    expect(error).toMatchObject({ code: Code.NotFound, reason: "SESSION_NOT_FOUND" });
  });

  test("may have a reason that this client does not know", async () => {
    world.table.refusal = refusal(Code.ResourceExhausted, "enough", "TABLE_ON_FIRE", { since: "noon" });
    const error = await refused(world.client().join(SESSION));
    expect(error).toMatchObject({ reason: "TABLE_ON_FIRE", metadata: { since: "noon" } });
  });

  test.each(Object.values(Code).filter((code) => typeof code === "number"))("shows code %d", async (code) => {
    world.table.refusal = refusal(code, "because", "INTERNAL");
    const error = await refused(world.client({ patienceMs: 0 }).observe(SESSION, { token: TOKEN }));
    expect(error).toMatchObject({ code, reason: "INTERNAL", text: "because" });
    const streamed = await refused(world.client({ patienceMs: 0 }).watch(SESSION, { token: TOKEN }).next());
    expect(streamed).toMatchObject({ code, reason: "INTERNAL", text: "because" });
  });

  test("is tried again for what is safe to repeat alone", async () => {
    const seat = await world.seat();
    world.table.refusal = refusal(Code.Unavailable, "going down", "SHUTTING_DOWN");
    setTimeout(() => (world.table.refusal = undefined), 400);
    expect(await refused(seat.leave())).toMatchObject({ code: Code.Unavailable, reason: "SHUTTING_DOWN" });
    expect((await seat.observe()).version).toBe(1n);
  });
});

describeBoth("no server", (world) => {
  test("is UNAVAILABLE", async () => {
    const client = world.client({ patienceMs: 0 });
    await world.server.stop();
    expect(await refused(client.games())).toMatchObject({ code: Code.Unavailable, reason: "" });
    expect(await refused(client.watch(SESSION).next())).toMatchObject({ code: Code.Unavailable, reason: "" });
  });
});

describeBoth("a server that does not answer", (world) => {
  test("is DEADLINE_EXCEEDED", async () => {
    world.table.unopened = 1;
    const client = world.client({ patienceMs: 0, timeoutMs: 200 });
    const error = await refused(client.watch(SESSION, { token: TOKEN }).next());
    expect(error).toMatchObject({ code: Code.DeadlineExceeded, transient: true });
  });
});

test("the details of others are not ours", () => {
  const info = { desc: ErrorInfoSchema, value: { reason: "STALE_DECISION", domain: "proxy.example" } };
  const theirs = refusal(Code.Unknown, "what", "", {}, { desc: HelpSchema, value: {} }, info);
  theirs.details.shift();
  expect(TavolaError.from(theirs)).toMatchObject({ reason: "", metadata: {}, violations: [] });
});

test("a delay makes an error transient", () => {
  const retry = { desc: RetryInfoSchema, value: { retryDelay: { seconds: 1n, nanos: 500_000_000 } } };
  const limit = TavolaError.from(refusal(Code.ResourceExhausted, "enough", "LIMIT_REACHED", {}, retry));
  expect(limit).toMatchObject({ retryDelayMs: 1500, transient: true });
  expect(TavolaError.from(refusal(Code.ResourceExhausted, "enough", "LIMIT_REACHED"))).toMatchObject({
    retryDelayMs: undefined,
    transient: false,
  });
});

test("an error says its code as gRPC writes it", () => {
  const names = [Code.Canceled, Code.DeadlineExceeded].map((code) => new TavolaError(code, "x").message);
  expect(names).toEqual(["CANCELLED: x", "DEADLINE_EXCEEDED: x"]);
});

test("the reasons that play acts on are in the contract", () => {
  expect(v1.ErrorReason).toMatchObject({ STALE_DECISION: 10, OUT_OF_TIME: 30, GAME_OVER: 5 });
});
