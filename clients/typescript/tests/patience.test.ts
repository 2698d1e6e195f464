/** How often and how long something is tried again. */
import { expect, test } from "vitest";

import { Code, TavolaError } from "tavola";

import { Patience } from "../src/patience.js";
import { refusal } from "./fake.js";
import { RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";

const gone = new TavolaError(Code.Unavailable, "gone");

/** The pauses until there are no more, where each attempt fails at once and chance is `random`. */
function pauses(limitMs: number, random: number, error: unknown = gone): number[] {
  let now = 0;
  const patience = new Patience(
    limitMs,
    () => now,
    () => random,
  );
  const all: number[] = [];
  for (;;) {
    try {
      const pause = patience.spend(error);
      all.push(pause);
      now += pause;
    } catch (thrown) {
      expect(thrown).toBe(error);
      return all;
    }
  }
}

test("pauses double up to two seconds, within the limit", () => {
  expect(pauses(8000, 1)).toEqual([100, 200, 400, 800, 1600, 2000, 2000]);
});

test("chance halves them at most", () => {
  expect(pauses(1600, 0)).toEqual([50, 100, 200, 400, 800]);
});

test("without patience nothing is tried again", () => {
  expect(pauses(0, 0)).toEqual([]);
});

test("what the server asks for is the least", () => {
  const details = { desc: RetryInfoSchema, value: { retryDelay: { seconds: 1n, nanos: 5e8 } } };
  const limit = TavolaError.from(refusal(Code.ResourceExhausted, "enough", "LIMIT_REACHED", {}, details));
  expect(pauses(5000, 1, limit)).toEqual([1500, 1500, 1500]);
});

test("a success restores it", () => {
  let now = 0;
  const patience = new Patience(
    150,
    () => now,
    () => 1,
  );
  expect(patience.spend(gone)).toBe(100);
  now += 100;
  expect(() => patience.spend(gone)).toThrow(gone);
  patience.restore();
  expect(patience.spend(gone)).toBe(100);
});

test.each([Code.InvalidArgument, Code.NotFound, Code.Aborted, Code.ResourceExhausted, Code.Internal])(
  "code %d is not tried again",
  (code) => {
    expect(pauses(60_000, 0, new TavolaError(code, "no"))).toEqual([]);
  },
);

test("an error that is none of ours is not tried again", () => {
  expect(pauses(60_000, 0, new TypeError("a bug"))).toEqual([]);
});
