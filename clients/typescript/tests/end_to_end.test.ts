/** Bots and a real server: whole games of everything that it offers, and the promises that a bot relies on. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Client, Code, connect, type Seat, v1 } from "tavola";
import { connect as connectWeb } from "tavola/web";

import { atRandom, setup } from "./bots.js";
import { describeReal, RealServer } from "./real.js";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

/** What a script of the package prints, run as a newcomer would. */
async function script(path: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, ["--import", "tsx", path, ...args], { cwd: HERE });
  expect(stderr).toBe("");
  return stdout;
}

/** The result is one number per seat and what the session says of itself. */
function checkOutcome(outcome: v1.Outcome, session: v1.Session): void {
  expect(session.status).toBe(v1.SessionStatus.FINISHED);
  expect(outcome).toEqual(session.outcome);
  expect(outcome.returns).toHaveLength(session.seats.length);
  expect(outcome.winners.every((seat) => seat < session.seats.length)).toBe(true);
}

/** A seat in a session of Santorini against a house bot. */
async function againstRandom(client: Client, seed?: bigint): Promise<Seat> {
  const host = await client.create("santorini", { seed });
  const seat = await host.join();
  await host.addBot("random");
  return seat;
}

/** The first update in which the seat owes a decision. */
async function asked(seat: Seat): Promise<v1.Update> {
  for await (const update of seat.watch()) {
    if (update.decision?.seats.includes(seat.seat)) return update;
  }
  return expect.fail("the game ended without a question");
}

describeReal("a bot", () => {
  let server: RealServer;
  let client: Client;

  beforeAll(async () => {
    server = await RealServer.start();
    client = connect(server.address);
  });

  afterAll(async () => {
    client.close();
    await server.stop();
  });

  test("plays its like with each number of seats in each game", async () => {
    for (const { game, seatsMin, seatsMax } of await client.games()) {
      for (let seats = seatsMin; seats <= seatsMax; seats++) {
        const host = await client.create(game, setup(game, seats));
        const players: Seat[] = [];
        while (players.length < seats) players.push(await host.join());
        const outcomes = await Promise.all(players.map(async (player) => player.play(atRandom)));
        for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
        checkOutcome(outcomes[0]!, await client.session(host.sessionId));
      }
    }
  });

  describe.each([
    ["grpc", connect],
    ["web", connectWeb],
  ])("over %s", (_, open) => {
    test.each([v1.View.FULL, v1.View.LEAN])("plays each house bot in view %d", async (view) => {
      const mine = open(server.address);
      for (const { game, bots } of await mine.games()) {
        expect(bots).toEqual(expect.arrayContaining(["random", "greedy"]));
        for (const bot of bots) {
          const host = await mine.create(game);
          const seat = await host.join();
          for (const other of (await mine.session(host.sessionId)).seats.slice(1)) {
            expect((await host.addBot(bot, other.seat)).seat).toBe(other.seat);
          }
          checkOutcome(await seat.play(atRandom, { view }), await mine.session(host.sessionId));
        }
      }
      mine.close();
    });

    test("resumes a stream without gap or repeat", async () => {
      const mine = open(server.address);
      const seat = await againstRandom(mine);
      const first: v1.Update[] = [];
      for await (const update of seat.watch()) {
        first.push(update);
        if (!update.decision?.seats.includes(seat.seat)) continue;
        if (first.length > 12) break;
        await seat.submit(update.decision.decisionId, await atRandom(update));
      }
      await seat.play(atRandom);

      const cut = Math.floor(first.length / 2);
      const rest: v1.Update[] = [];
      for await (const update of seat.watch({ fromVersion: first[cut - 1]!.version })) rest.push(update);
      expect(rest.slice(0, first.length - cut)).toEqual(first.slice(cut));
      const { version: last } = await mine.session(seat.sessionId);
      expect(rest.map(({ version }) => version)).toEqual(
        rest.map((_each, index) => first[cut]!.version + BigInt(index)),
      );
      expect(rest.at(-1)).toMatchObject({ version: last, outcome: { returns: expect.any(Array) as number[] } });
      expect(await seat.watch({ fromVersion: last }).next()).toMatchObject({ done: true });
      mine.close();
    });
  });

  test("is told at once that its stream is open, even if there is nothing to say", async () => {
    const mine = connect(server.address, { timeoutMs: 2000, patienceMs: 0, quietMs: 300 });
    const host = await mine.create("santorini");
    const updates = mine.watch(host.sessionId, { fromVersion: (await mine.session(host.sessionId)).version });
    const next = updates.next();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await host.join();
    expect(await next).toMatchObject({ done: false, value: { version: 2n } });
    mine.close();
  });

  test("gets the same reply to the same submission", async () => {
    const seat = await againstRandom(client);
    const { decision, legalActions } = await asked(seat);
    const { decisionId } = decision!;
    const [first, second] = legalActions;
    const reply = await seat.submit(decisionId, first!);
    expect(await seat.submit(decisionId, first!.actionId!)).toEqual(reply);
    expect(await seat.submit(decisionId, first!.action!)).toEqual(reply);
    const stale = { code: Code.Aborted, reason: "STALE_DECISION" };
    await expect(seat.submit(decisionId, second!)).rejects.toMatchObject(stale);
    await seat.play(atRandom);
    expect(await seat.submit(decisionId, first!)).toEqual(reply);
    await expect(seat.submit(decisionId, second!)).rejects.toMatchObject(stale);
  });

  test("sees the same in both views", async () => {
    const seat = await againstRandom(client);
    await asked(seat);
    const [full, lean] = [await seat.observe(), await seat.observe({ view: v1.View.LEAN })];
    expect(full.legalActions.map(({ actionId }) => actionId)).toEqual(lean.legalActionIds);
    expect(full.observation).toEqual(lean.observation);
  });

  test("gets the same chance from the same seed", async () => {
    const starts = new Set<string>();
    for (let times = 0; times < 3; times++) {
      const { observation } = await asked(await againstRandom(client, 7n));
      const game = observation!.game;
      if (game.case === "santorini") starts.add(`${game.value.startPlayer} ${game.value.challenger}`);
    }
    expect(starts.size).toBe(1);
  });

  test("can check the dice of a finished game", async () => {
    const seat = await againstRandom(client);
    const { seedCommitment } = await client.session(seat.sessionId);
    const outcome = await seat.play(atRandom);
    const replay = await client.replay(seat.sessionId, seat.seat);
    expect(createHash("sha256").update(replay.seed).update(replay.seedNonce).digest()).toEqual(
      Buffer.from(seedCommitment),
    );
    expect(replay.steps.map(({ ply }) => ply)).toEqual(Array.from({ length: replay.plies + 1 }, (_, ply) => ply));
    expect(replay).toMatchObject({ game: "santorini", outcome, seat: seat.seat, nextPageToken: "" });
  });

  test("may run out of time, and plays on", async () => {
    const seats = 2;
    const pace = { case: "perMove", value: { time: { nanos: 50_000_000 } } } as const;
    const host = await client.create("santorini", { seats, clock: { pace, onExpiry: v1.ClockExpiry.RANDOM_ACTION } });
    const seat = await host.join();
    await host.addBot("random");
    let slow = 0;
    const outcome = await seat.play(async (update) => {
      expect(update.clocks.map((clock) => clock.seat)).toEqual([seat.seat]);
      if (slow++ < 3) await new Promise((resolve) => setTimeout(resolve, 150));
      return atRandom(update);
    });
    checkOutcome(outcome, await client.session(host.sessionId));
    const { steps } = await client.replay(host.sessionId);
    expect(steps.filter(({ outOfTime }) => outOfTime).length).toBeGreaterThanOrEqual(3);
  });

  test("loses a started game that it leaves", async () => {
    const host = await client.create("santorini");
    const [leaver, other] = [await host.join(), await host.join()];
    const session = await leaver.leave();
    expect(session.seats[leaver.seat]?.resigned).toBe(true);
    const outcome = await other.play(atRandom);
    expect(outcome.winners).toEqual([other.seat]);
    checkOutcome(outcome, await client.session(host.sessionId));
  });

  test("that is random prints a result of each game", async () => {
    for (const { game } of await client.games()) {
      const printed = await script("examples/random_bot.ts", game, "--bot", "greedy", "--address", server.address);
      expect(printed).toMatch(new RegExp(`^${game}: .* won\\. Returns by seat: [-0-9 ]+\\n$`));
    }
  });

  test("that climbs wins of chance, and plays what it does not know", async () => {
    const address = ["--address", server.address];
    const printed = await script("examples/climber.ts", "--games", "20", ...address);
    const won = Number(/^santorini against random: won (\d+) of 20\.\n$/.exec(printed)?.[1]);
    expect(won).toBeGreaterThanOrEqual(15);
    const other = await script("examples/climber.ts", "citadels", "--games", "1", ...address);
    expect(other).toMatch(/^citadels against random: won [01] of 1\.\n$/);
  });

  test("of the README plays", async () => {
    const bot = readFileSync(join(HERE, "README.md"), "utf8").split("```ts\n")[1]!.split("```")[0]!;
    const folder = mkdtempSync(join(HERE, "tests", "readme-"));
    try {
      const path = join(folder, "bot.ts");
      writeFileSync(path, bot.replace("localhost:50051", server.address));
      expect(await script(path)).toMatch(/^(won|lost)\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describeReal("a server that is killed in mid-game", () => {
  /** Plays against a server that is killed after some moves and started again where it was. */
  async function playOn(open: typeof connectWeb, flags: string[]) {
    let server = await RealServer.start(flags);
    const client = open(server.address, { patienceMs: 20_000 });
    const seat = await againstRandom(client);
    const answered: bigint[] = [];
    let restarted = Promise.resolve();
    try {
      const outcome = await seat.play(async (update) => {
        answered.push(update.decision!.decisionId);
        if (answered.length === 5) {
          await server.stop("SIGKILL");
          restarted = restart(server.address);
        }
        return atRandom(update);
      });
      return { outcome, answered, session: await client.session(seat.sessionId) };
    } finally {
      client.close();
      await restarted;
      await server.stop();
    }

    async function restart(address: string): Promise<void> {
      await new Promise((resolve) => setTimeout(resolve, 300));
      server = await RealServer.start(flags, address);
    }
  }

  test.each([connect, connectWeb])("goes on with the game", async (open) => {
    const folder = mkdtempSync(join(tmpdir(), "tavola-"));
    try {
      const { outcome, answered, session } = await playOn(open, ["--store", "sqlite", "--data", folder]);
      expect(answered.length).toBeGreaterThan(5);
      expect(new Set(answered).size).toBe(answered.length);
      checkOutcome(outcome, session);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([connect, connectWeb])("says that it has forgotten the session if it keeps it in memory", async (open) => {
    await expect(playOn(open, ["--store", "memory"])).rejects.toMatchObject({
      code: Code.NotFound,
      reason: "SESSION_NOT_FOUND",
    });
  });
});
