/** `play` and `watch` through all the trouble that a network and other players can make. */
import { expect, test } from "vitest";

import { Code, type Policy, TavolaError, v1 } from "tavola";

import { describeBoth, type World } from "./both.js";

/** The decisions of seat 0. */
const OURS = [1n, 3n, 5n];

/** A policy that takes the first legal action, and what it was asked. */
function firstLegal() {
  const asked: bigint[] = [];
  const policy: Policy = (update) => {
    asked.push(update.decision!.decisionId);
    return update.legalActions[0]!;
  };
  return { asked, policy };
}

/** Plays a game and checks that each decision was asked and answered exactly once. */
async function checkWholeGame({ seat, table }: { seat: Awaited<ReturnType<World["seat"]>>; table: World["table"] }) {
  const { asked, policy } = firstLegal();
  const outcome = await seat.play(policy);
  expect(outcome).toMatchObject({ winners: [0], returns: [1, -1] });
  expect(asked).toEqual(OURS);
  expect(OURS.map((decision) => table.replies.get(decision)?.actionId)).toEqual([10, 30, 50]);
}

describeBoth("play", (world) => {
  test("a whole game", async () => {
    await checkWholeGame({ seat: await world.seat(), table: world.table });
    expect(world.table.watched).toEqual([undefined]);
    expect(world.table.submitted).toEqual([
      [1n, 10],
      [3n, 30],
      [5n, 50],
    ]);
  });

  test("a stream that the server ends is resumed where it was", async () => {
    world.table.cuts.set(1n, "word").set(4n, "word");
    await checkWholeGame({ seat: await world.seat(), table: world.table });
    expect(world.table.watched).toEqual([undefined, 1n, 4n]);
  });

  test("a stream whose connection breaks is resumed, whatever was lost on the way", async () => {
    world.table.cuts.set(1n, "connection").set(4n, "connection");
    await checkWholeGame({ seat: await world.seat(), table: world.table });
    expect(world.table.watched).toHaveLength(3);
  });

  test("a silent stream is resumed where it was, however often", async () => {
    world.table.silences.add(2n).add(4n);
    await checkWholeGame({ seat: await world.seat({ quietMs: 150, patienceMs: 0 }), table: world.table });
    expect(world.table.watched).toEqual([undefined, 2n, 4n]);
  });

  test("a policy may think for longer than a stream may be silent", async () => {
    const seat = await world.seat({ quietMs: 50 });
    const outcome = await seat.play(async (update) => {
      await new Promise((resolve) => setTimeout(resolve, 120));
      return update.legalActions[0]!;
    });
    expect(outcome.winners).toEqual([0]);
    expect(world.table.watched).toEqual([undefined]);
  });

  test("a stream that does not open is opened again", async () => {
    world.table.unopened = 1;
    await checkWholeGame({ seat: await world.seat({ timeoutMs: 300 }), table: world.table });
    expect(world.table.watched).toEqual([undefined, undefined]);
  });

  test("an answer that never arrived is given again", async () => {
    world.table.unseen.add(3n);
    await checkWholeGame({ seat: await world.seat(), table: world.table });
    expect(world.table.submitted.map(([decision]) => decision)).toEqual([1n, 3n, 3n, 5n]);
  });

  test("an answer whose reply is lost is given again and counts once", async () => {
    world.table.unheard.add(1n).add(5n);
    await checkWholeGame({ seat: await world.seat(), table: world.table });
    expect(world.table.submitted.map(([decision]) => decision)).toEqual([1n, 1n, 3n, 5n, 5n]);
  });

  test.each(["overtaken", "late"] as const)("a decision that is %s is left alone", async (how) => {
    world.table[how].add(3n);
    const { asked, policy } = firstLegal();
    const outcome = await (await world.seat()).play(policy);
    expect(outcome.winners).toEqual([0]);
    expect(asked).toEqual(OURS);
    expect(world.table.replies.get(3n)?.actionId).toBe(31);
    expect(world.table.submitted.map(([decision]) => decision)).toEqual(OURS);
  });

  test("a decision that is asked for again is answered once", async () => {
    await world.begin(3n, 5n);
    await checkWholeGame({ seat: await world.seat(), table: world.table });
    expect(world.table.submitted.map(([decision]) => decision)).toEqual(OURS);
  });

  test("an answer is an id, an action by meaning, or a promise of one", async () => {
    const answers: Record<string, Policy> = {
      1: () => 11,
      3: () => ({ game: { case: "santorini", value: { kind: { case: "move", value: { worker: 0, to: 31 } } } } }),
      5: async ({ legalActions }) => Promise.resolve(legalActions[1]!),
    };
    const outcome = await (await world.seat()).play((update) => answers[String(update.decision?.decisionId)]!(update));
    expect(outcome.winners).toEqual([0]);
    expect(world.table.submitted.map(([, action]) => action)).toEqual([11, 31, 51]);
  });

  test("an action that is not legal is the bot's fault", async () => {
    await expect((await world.seat()).play(() => 99)).rejects.toMatchObject({ reason: "ACTION_NOT_LEGAL" });
    expect(world.table.submitted).toEqual([[1n, 99]]);
  });

  test.each([-1, 1.5, NaN, 2 ** 32, undefined, null, "10"])("%s is no answer, and is not sent", async (answer) => {
    const playing = (await world.seat()).play(() => answer as number);
    await expect(playing).rejects.toThrow(`an answer is an action or the action_id of one, not ${answer}`);
    expect(world.table.submitted).toEqual([]);
  });

  test("what a policy throws comes out", async () => {
    const trouble = new TavolaError(Code.Unavailable, "the bot's own");
    const playing = (await world.seat()).play(() => {
      throw trouble;
    });
    await expect(playing).rejects.toBe(trouble);
  });

  test("a stream that ends without a result is an error", async () => {
    world.table.hangsUp = true;
    await expect((await world.seat()).play(firstLegal().policy)).rejects.toThrow("without a result");
  });

  test.each([
    [0, 1000],
    [500, 3000],
  ])("patience of %d ms has an end", async (patienceMs, longest) => {
    const seat = await world.seat({ patienceMs });
    const began = performance.now();
    const playing = seat.play(async (update) => {
      await world.server.stop();
      return update.legalActions[0]!;
    });
    await expect(playing).rejects.toMatchObject({ code: Code.Unavailable });
    expect(performance.now() - began).toBeLessThan(longest);
  });

  test("a server that restarts is waited for", async () => {
    const asked: bigint[] = [];
    const outcome = await (
      await world.seat()
    ).play(async (update) => {
      asked.push(update.decision!.decisionId);
      if (asked.length === 2) {
        await world.server.stop();
        setTimeout(() => void world.server.start(), 300);
      }
      return update.legalActions[0]!;
    });
    expect(outcome.winners).toEqual([0]);
    expect(asked).toEqual(OURS);
    expect(world.table.submitted.map(([decision]) => decision)).toEqual(OURS);
    expect(world.table.watched).toEqual([undefined, 3n]);
  });

  test("a watcher sees every version once", async () => {
    await checkWholeGame({ seat: await world.seat(), table: world.table });
    world.table.cuts.set(3n, "connection").set(7n, "word");
    const updates: v1.Update[] = [];
    for await (const update of (await world.seat()).watch({ fromVersion: 1n })) updates.push(update);
    expect(updates).toEqual(world.table.history.slice(1));
    expect(updates.at(-1)?.outcome).toBeDefined();
  });

  test("a signal ends it", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const playing = (await world.seat()).play(
      (update) => {
        if (update.decision?.decisionId === 3n) stop.abort(reason);
        return update.legalActions[0]!;
      },
      { signal: stop.signal },
    );
    await expect(playing).rejects.toBe(reason);
    expect(world.table.submitted).toEqual([[1n, 10]]);
  });

  test("a signal ends the wait for a server", async () => {
    const seat = await world.seat({ patienceMs: 60_000 });
    await world.server.stop();
    const began = performance.now();
    await expect(seat.observe({ signal: AbortSignal.timeout(400) })).rejects.toMatchObject({ name: "TimeoutError" });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test("a client and a signal may have many calls at once, and no warning comes of it", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const { signal } = new AbortController();
    const seat = await world.seat();
    await Promise.all(Array.from({ length: 20 }, async () => seat.observe({ signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  test("closing the client ends its streams", async () => {
    const client = world.client();
    const updates = (await client.join("fake")).watch();
    expect((await updates.next()).done).toBe(false);
    const next = updates.next();
    client.close();
    await expect(next).rejects.toThrow("CANCELLED: the client is closed");
    await expect(client.games()).rejects.toThrow("CANCELLED: the client is closed");
  });
});
