/** What the page of browser.test.ts runs: each function is called by the test and returns plain data. */
import { type Client, connect, TavolaError, type v1 } from "tavola/web";

import { atRandom } from "./bots.js";
import { refusals, see, type Seen } from "./refusals.js";

/** A game that was played, as its spectator saw it. */
export interface Played {
  readonly game: string;
  readonly seats: number;
  readonly winners: number[];
  readonly returns: number[];
  /** The versions of the spectator's updates that neither follow the one before nor begin afresh. */
  readonly gaps: number[];
  /** The result that the spectator saw. */
  readonly seen: number[] | undefined;
}

/** Plays a game against house bots while somebody watches, each over a stream and unary calls. */
async function play(client: Client, game: string): Promise<Played> {
  const host = await client.create(game);
  const updates = client.watch(host.sessionId);
  const watching = watch(updates, await updates.next());
  const me = await host.join();
  const { seats } = await client.session(host.sessionId);
  for (let others = 1; others < seats.length; others++) await host.addBot("greedy");
  const { winners, returns } = await me.play(atRandom);
  return { game, seats: seats.length, winners, returns, ...(await watching) };
}

/** What a spectator sees, from its first update on. */
async function watch(updates: ReturnType<Client["watch"]>, first: IteratorResult<v1.Update, void>) {
  const gaps: number[] = [];
  let last = 0n;
  let seen: number[] | undefined;
  for (let next = first; !next.done; next = await updates.next()) {
    const { version, snapshot, outcome } = next.value;
    if (!snapshot && version !== last + 1n) gaps.push(Number(version));
    last = version;
    seen = outcome?.returns;
  }
  return { gaps, seen };
}

const tests = {
  /** A whole game of each of the server's games. */
  async playAll(address: string): Promise<Played[]> {
    const client = connect(address);
    const played: Played[] = [];
    for (const { game } of await client.games()) played.push(await play(client, game));
    client.close();
    return played;
  },

  /** What comes of everything that a server refuses. */
  async refusals(address: string): Promise<Seen[]> {
    const client = connect(address, { patienceMs: 0 });
    const all: Seen[] = [];
    for (const refusal of refusals) all.push(await see(refusal, client));
    client.close();
    return all;
  },

  /** The error of a call that the server refuses, and that of a stream. */
  async refused(address: string): Promise<{ code: number; reason: string; text: string; message: string }[]> {
    const client = connect(address, { patienceMs: 0, timeoutMs: 5000 });
    const thrown = [client.observe("fake", { token: "secret" }), client.watch("fake", { token: "secret" }).next()].map(
      async (call) => call.catch((error: unknown) => error),
    );
    return (await Promise.all(thrown)).map((error) => {
      if (!(error instanceof TavolaError)) throw error;
      const { code, reason, text, message } = error;
      return { code, reason, text, message };
    });
  },

  /** Plays the fake's session to its end. */
  async playFake(address: string): Promise<number[]> {
    const client = connect(address, { patienceMs: 5000, apiKey: "key" });
    await client.games();
    const seat = await client.join("fake");
    const { winners } = await seat.play(({ legalActions }) => legalActions[0]!);
    client.close();
    return winners;
  },
};

declare global {
  interface Window {
    tests: typeof tests;
  }
}
window.tests = tests;
