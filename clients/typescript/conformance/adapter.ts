/** The TypeScript client for the conformance kit: see clients/conformance/README.md. */
import { createInterface } from "node:readline";

import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";

import { type Client, connect, Host, Seat, TavolaError, v1 } from "tavola";

/** What the driver asks. */
interface Asked {
  readonly id: number;
  readonly do: string;
  readonly address: string;
  readonly api_key?: string;
  readonly timeout_ms: number;
  readonly patience_ms: number;
  readonly game: string;
  readonly seats?: number;
  readonly options?: string;
  readonly seed?: string;
  readonly private?: boolean;
  readonly request_id?: string;
  readonly session_id: string;
  readonly host_token: string;
  readonly bot: string;
  readonly seat?: number;
  readonly token?: string;
  readonly decision_id: string;
  readonly action_id: number;
  readonly action?: string;
  readonly from_version?: string;
  readonly stop_at?: string;
}

let client: Client | undefined;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

function say(asked: Asked, what: object): void {
  process.stdout.write(`${JSON.stringify({ id: asked.id, ...what })}\n`);
}

function packed<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return Buffer.from(toBinary(schema, message)).toString("base64");
}

function unpacked<Desc extends DescMessage>(schema: Desc, text: string): MessageShape<Desc> {
  return fromBinary(schema, Buffer.from(text, "base64"));
}

/** Follows a session, up to a version or to the end. */
async function watch(asked: Asked, client: Client): Promise<object> {
  const fromVersion = asked.from_version === undefined ? undefined : BigInt(asked.from_version);
  for await (const update of client.watch(asked.session_id, { token: asked.token, fromVersion })) {
    say(asked, { update: packed(v1.UpdateSchema, update) });
    if (asked.stop_at !== undefined && update.version >= BigInt(asked.stop_at)) break;
  }
  return {};
}

/** Plays a seat; the driver chooses the answers. */
async function play(asked: Asked, seat: Seat): Promise<object> {
  const outcome = await seat.play(async (update) => {
    say(asked, { asked: packed(v1.UpdateSchema, update) });
    const line = await lines.next();
    return (JSON.parse(line.value as string) as { answer: number }).answer;
  });
  return { outcome: packed(v1.OutcomeSchema, outcome) };
}

/** Does what is asked, with a client that is connected. */
async function run(asked: Asked, client: Client): Promise<object> {
  const { session_id: sessionId, token } = asked;
  const taking = { token, requestId: asked.request_id };
  const seat = new Seat(client, sessionId, asked.seat ?? 0, token ?? "");
  switch (asked.do) {
    case "games":
      return { games: (await client.games()).map(({ game }) => game) };
    case "create": {
      const setup = {
        seats: asked.seats,
        options: asked.options === undefined ? undefined : unpacked(v1.OptionsSchema, asked.options),
        seed: asked.seed === undefined ? undefined : BigInt(asked.seed),
        private: asked.private,
      };
      const host = await client.create(asked.game, setup, taking);
      return { session_id: host.sessionId, host_token: host.token, join_token: host.joinToken };
    }
    case "join": {
      const joined = await client.join(sessionId, asked.seat, taking);
      return { seat: joined.seat, seat_token: joined.token };
    }
    case "add_bot": {
      const host = new Host(client, sessionId, asked.host_token);
      return { seat: (await host.addBot(asked.bot, asked.seat, { requestId: asked.request_id })).seat };
    }
    case "session":
      return { session: packed(v1.SessionSchema, await client.session(sessionId, { token })) };
    case "observe":
      return { observation: packed(v1.GetObservationResponseSchema, await client.observe(sessionId, { token })) };
    case "submit": {
      const answer = asked.action === undefined ? asked.action_id : unpacked(v1.ActionSchema, asked.action);
      return { reply: packed(v1.SubmitActionResponseSchema, await seat.submit(BigInt(asked.decision_id), answer)) };
    }
    case "watch":
      return watch(asked, client);
    case "play":
      return play(asked, seat);
    case "leave":
      return { session: packed(v1.SessionSchema, await seat.leave()) };
    case "replay":
      return { replay: packed(v1.GetReplayResponseSchema, await client.replay(sessionId, undefined, { token })) };
    default:
      throw new TypeError(`no such command: ${asked.do}`);
  }
}

for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const asked = JSON.parse(line.value) as Asked;
  try {
    if (asked.do === "connect") {
      client?.close();
      const settings = { apiKey: asked.api_key, timeoutMs: asked.timeout_ms, patienceMs: asked.patience_ms };
      client = connect(asked.address, settings);
      say(asked, { ok: {} });
    } else if (client) {
      say(asked, { ok: await run(asked, client) });
    }
  } catch (error) {
    if (!(error instanceof TavolaError)) throw error;
    const { code, reason, text: message, metadata, violations } = error;
    say(asked, { error: { code, reason, message, metadata, violations } });
  }
}
client?.close();
