/**
 * What a real server refuses, and with which error. Runs in Node and in a browser: it knows the package and nothing
 * else. The server allows one spectator per session.
 */
import { type Client, Code, type Reason, Seat, TavolaError, v1 } from "tavola/web";

/** A call that is refused. */
export interface Refusal {
  /** What is wrong with it. */
  readonly name: string;
  /** The code that it is refused with. */
  readonly code: Code;
  /** The reason that it is refused with. */
  readonly reason: Reason;
  /** The fields that are named. */
  readonly fields?: readonly string[];
  /** The facts that come with it, by their names. */
  readonly facts?: readonly string[];
  /** Makes it. */
  provoke(client: Client): Promise<unknown>;
}

/** A game of Santorini that waits for a seat's answer. */
async function table(client: Client) {
  const host = await client.create("santorini");
  const seats = [await host.join(), await host.join()];
  const { decision } = await seats[0]!.observe();
  const asked = seats.find(({ seat }) => decision?.seats.includes(seat))!;
  const other = seats.find((seat) => seat !== asked)!;
  const legal = (await asked.observe({ view: v1.View.LEAN })).legalActionIds;
  return { host, asked, other, legal, decisionId: decision!.decisionId };
}

/** The first number from 0 that is not among these. */
function absent(ids: readonly number[]): number {
  let id = 0;
  while (ids.includes(id)) id++;
  return id;
}

const malformed = { code: Code.InvalidArgument, reason: "MALFORMED_REQUEST" } as const;
const unknown = { code: Code.NotFound, reason: "SESSION_NOT_FOUND" } as const;
const tokenless = { code: Code.Unauthenticated, reason: "TOKEN_REQUIRED" } as const;
const mismatched = { code: Code.PermissionDenied, reason: "SEAT_MISMATCH" } as const;

/** All of them. */
export const refusals: readonly Refusal[] = [
  {
    name: "a game that there is not",
    code: Code.NotFound,
    reason: "GAME_NOT_FOUND",
    provoke: async (client) => client.create("chess"),
  },
  {
    name: "a session that there is not",
    ...unknown,
    provoke: async (client) => client.session("no-such-session"),
  },
  {
    name: "a session that was deleted",
    ...unknown,
    provoke: async (client) => {
      const host = await client.create("santorini");
      await host.delete();
      await client.watch(host.sessionId).next();
    },
  },
  {
    name: "more seats than the game has",
    code: Code.InvalidArgument,
    reason: "OPTIONS_NOT_LEGAL",
    fields: ["seats"],
    provoke: async (client) => client.create("santorini", { seats: 9 }),
  },
  {
    name: "options that the game forbids",
    code: Code.InvalidArgument,
    reason: "OPTIONS_NOT_LEGAL",
    fields: ["options.santorini.max_turns"],
    provoke: async (client) =>
      client.create("santorini", { options: { game: { case: "santorini", value: { maxTurns: 0 } } } }),
  },
  {
    name: "a bot that there is not",
    ...malformed,
    fields: ["bot"],
    provoke: async (client) => (await client.create("santorini")).addBot("deep-thought"),
  },
  {
    name: "a page that was never sent",
    ...malformed,
    fields: ["page_token"],
    provoke: async (client) =>
      client.call((options) => client.sessions.listSessions({ pageToken: "no such page" }, options)),
  },
  {
    name: "a seat that the game does not have",
    ...malformed,
    fields: ["seat"],
    provoke: async (client) => (await client.create("santorini")).join(7),
  },
  {
    name: "a seat that is taken",
    code: Code.FailedPrecondition,
    reason: "SEAT_TAKEN",
    facts: ["seat"],
    provoke: async (client) => {
      const host = await client.create("santorini");
      await host.join(1);
      await host.join(1);
    },
  },
  {
    name: "a table that is full",
    code: Code.FailedPrecondition,
    reason: "SESSION_FULL",
    provoke: async (client) => (await table(client)).host.join(),
  },
  {
    name: "an answer before the game begins",
    code: Code.FailedPrecondition,
    reason: "SESSION_NOT_STARTED",
    provoke: async (client) => (await (await client.create("santorini")).join()).submit(1n, 0),
  },
  {
    name: "the replay of a game that is on",
    code: Code.FailedPrecondition,
    reason: "SESSION_NOT_FINISHED",
    provoke: async (client) => {
      const { sessionId } = (await table(client)).asked;
      await client.call((options) => client.sessions.getReplay({ sessionId }, options));
    },
  },
  {
    name: "an answer without a token",
    ...tokenless,
    provoke: async (client) => {
      const { asked, decisionId, legal } = await table(client);
      await new Seat(client, asked.sessionId, asked.seat, "").submit(decisionId, legal[0]!);
    },
  },
  {
    name: "a look with a forged token",
    ...tokenless,
    provoke: async (client) => {
      const { asked } = await table(client);
      await client.observe(asked.sessionId, { token: asked.token.replace(/./g, (each) => (each === "a" ? "b" : "a")) });
    },
  },
  {
    name: "an answer of the host for a seat",
    ...mismatched,
    provoke: async (client) => {
      const { host, asked, decisionId, legal } = await table(client);
      await new Seat(client, host.sessionId, asked.seat, host.token).submit(decisionId, legal[0]!);
    },
  },
  {
    name: "a bot that a player sets",
    ...mismatched,
    provoke: async (client) => {
      const seat = await (await client.create("santorini")).join();
      const request = { sessionId: seat.sessionId, bot: "random" };
      await client.call((options) => client.sessions.addBot(request, options), { token: seat.token });
    },
  },
  {
    name: "an answer to no decision",
    ...malformed,
    fields: ["decision_id"],
    provoke: async (client) => (await table(client)).asked.submit(0n, 0),
  },
  {
    name: "no answer",
    ...malformed,
    fields: ["answer"],
    provoke: async (client) => {
      const { asked, decisionId } = await table(client);
      const request = { sessionId: asked.sessionId, decisionId };
      await client.call((options) => client.sessions.submitAction(request, options), { token: asked.token });
    },
  },
  {
    name: "a number that no action has",
    ...malformed,
    fields: ["action_id"],
    provoke: async (client) => {
      const { asked, decisionId } = await table(client);
      await asked.submit(decisionId, 1_000_000);
    },
  },
  {
    name: "an action of another game",
    ...malformed,
    fields: ["action.santorini"],
    provoke: async (client) => {
      const { asked, decisionId } = await table(client);
      await asked.submit(decisionId, { game: { case: "citadels", value: {} } });
    },
  },
  {
    name: "an action that the rules forbid now",
    code: Code.FailedPrecondition,
    reason: "ACTION_NOT_LEGAL",
    provoke: async (client) => {
      const { asked, decisionId, legal } = await table(client);
      await asked.submit(decisionId, absent(legal));
    },
  },
  {
    name: "an answer out of turn",
    code: Code.FailedPrecondition,
    reason: "NOT_TO_ACT",
    facts: ["seat", "seats"],
    provoke: async (client) => {
      const { other, decisionId, legal } = await table(client);
      await other.submit(decisionId, legal[0]!);
    },
  },
  {
    name: "another answer to the same decision",
    code: Code.Aborted,
    reason: "STALE_DECISION",
    facts: ["decision_id", "seats"],
    provoke: async (client) => {
      const { asked, decisionId, legal } = await table(client);
      await asked.submit(decisionId, legal[0]!);
      await asked.submit(decisionId, legal[1]!);
    },
  },
  {
    name: "an answer after the end",
    code: Code.FailedPrecondition,
    reason: "GAME_OVER",
    provoke: async (client) => {
      const { asked, other, decisionId, legal } = await table(client);
      await other.leave();
      await asked.submit(decisionId, legal[0]!);
    },
  },
  {
    name: "one spectator too many",
    code: Code.ResourceExhausted,
    reason: "LIMIT_REACHED",
    facts: ["limit", "max"],
    provoke: async (client) => {
      const { sessionId } = await client.create("santorini");
      const first = client.watch(sessionId);
      await first.next();
      try {
        await client.watch(sessionId).next();
      } finally {
        await first.return();
      }
    },
  },
];

/** What came of a refusal, as plain data: a browser hands it over to the test. */
export interface Seen {
  readonly code: number | undefined;
  readonly reason: string | undefined;
  readonly text: string;
  readonly fields: string[];
  readonly facts: string[];
}

/** Makes a call that should be refused, and tells what came of it. */
export async function see(refusal: Refusal, client: Client): Promise<Seen> {
  try {
    await refusal.provoke(client);
    return { code: undefined, reason: undefined, text: "not refused", fields: [], facts: [] };
  } catch (error) {
    if (!(error instanceof TavolaError)) {
      return { code: undefined, reason: undefined, text: String(error), fields: [], facts: [] };
    }
    const { code, reason, text, violations, metadata } = error;
    return { code, reason, text, fields: violations.map(({ field }) => field), facts: Object.keys(metadata).sort() };
  }
}
