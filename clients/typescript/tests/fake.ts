/**
 * A server that makes trouble on demand.
 *
 * It holds one session: two seats answer in turns, and seat 1 answers by itself at once. Decision N has the legal
 * actions 10 * N and 10 * N + 1. The player of seat 0, who is the first to join, has the token "secret".
 */
import { once } from "node:events";
import * as http from "node:http";
import * as http2 from "node:http2";
import type { AddressInfo, Server as Listener, Socket } from "node:net";

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, cors, type HandlerContext } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { v1 } from "tavola";

import { BadRequestSchema, ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";

export const SESSION = "fake";
export const TOKEN = "secret";
const DECISIONS = 6n;

type Details = ConstructorParameters<typeof ConnectError>[3];

/** An error that a server of ours could send. */
export function refusal(code: Code, message: string, reason: string, metadata = {}, ...more: NonNullable<Details>) {
  const info = { desc: ErrorInfoSchema, value: { reason, domain: "tavola", metadata } };
  return new ConnectError(message, code, undefined, [info, ...more]);
}

/** The session, the trouble to make, and what was asked of it. */
export class Table {
  readonly history: v1.Update[] = [];
  readonly replies = new Map<bigint, { actionId: number; reply: v1.SubmitActionResponse }>();

  // The trouble.
  /** What every call is refused with. */
  refusal: ConnectError | undefined;
  /** Decisions to which one submission fails before it has an effect. */
  readonly unseen = new Set<bigint>();
  /** Decisions to which one submission counts, but its reply is lost. */
  readonly unheard = new Set<bigint>();
  /** Decisions that somebody else answers before our submission. */
  readonly overtaken = new Set<bigint>();
  /** Decisions whose time is up before our submission: the session answers them. */
  readonly late = new Set<bigint>();
  /** Decisions that two updates in a row ask for. */
  readonly lagging = new Set<bigint>();
  /** Versions after which a stream ends once: with a word of the server, or with its connection. */
  readonly cuts = new Map<bigint, "word" | "connection">();
  /** Versions after which a stream falls silent once. */
  readonly silences = new Set<bigint>();
  /** How many streams never open. */
  unopened = 0;
  /** Whether a stream ends well before the game does. */
  hangsUp = false;
  /** How the replies to the next calls that take something are lost, though they count. */
  readonly lost: Code[] = [];

  // What was asked.
  readonly watched: (bigint | undefined)[] = [];
  readonly submitted: [decision: bigint, action: number][] = [];
  readonly keys: (string | null)[] = [];
  /** The request ids of all calls that take something. */
  readonly asked: string[] = [];
  /** The request ids by which something was taken, once each. */
  readonly taken: string[] = [];
  readonly authorizations: (string | null)[] = [];

  #wake: () => void = () => undefined;
  #changed = Promise.resolve();

  /** Opens the session at its first decision, with the trouble that there is. */
  constructor(
    private readonly cutConnections: () => void,
    lagging: bigint[],
  ) {
    for (const decisionId of lagging) this.lagging.add(decisionId);
    this.#change();
    this.#ask(1n);
  }

  readonly routes = (router: ConnectRouter): void => {
    router.service(v1.CatalogService, {
      listGames: ({ pageToken }, context) => {
        this.keys.push(context.requestHeader.get("x-api-key"));
        if (pageToken !== "") return { games: [{ game: "third" }] };
        return { games: [{ game: "first" }, { game: "second" }], nextPageToken: "2" };
      },
    });
    router.service(v1.SessionService, {
      createSession: async ({ requestId }, context) => {
        return { sessionId: `${await this.#take(requestId, context)}`, hostToken: TOKEN, joinToken: "join" };
      },
      joinSession: async ({ requestId }, context) => {
        return { seat: await this.#take(requestId, context), seatToken: TOKEN };
      },
      addBot: async ({ requestId }, context) => ({ seat: await this.#take(requestId, context) }),
      getObservation: (request, context) => {
        this.#admit(request.sessionId, context);
        const { version, decision, legalActions } = this.history.at(-1)!;
        return { version, ...(decision && { decision }), legalActions };
      },
      leaveSession: (request, context) => {
        this.#admit(request.sessionId, context);
        return {};
      },
      submitAction: (request, context) => this.#submit(request, context),
      watchSession: (request, context) => this.#watch(request, context),
    });
  };

  #change(): void {
    this.#wake();
    this.#changed = new Promise((resolve) => (this.#wake = resolve));
  }

  #append(update: MessageInitShape<typeof v1.UpdateSchema>): void {
    this.history.push(create(v1.UpdateSchema, { ...update, version: BigInt(this.history.length + 1), seat: 0 }));
  }

  /** Publishes a decision, and answers it if it is seat 1's. */
  #ask(decisionId: bigint): void {
    if (decisionId > DECISIONS) {
      this.#append({ status: v1.SessionStatus.FINISHED, outcome: { winners: [0], returns: [1, -1] } });
      return;
    }
    const seat = Number((decisionId - 1n) % 2n);
    const actionIds = seat === 0 ? [10 * Number(decisionId), 10 * Number(decisionId) + 1] : [];
    const legalActions = actionIds.map((actionId) => ({ actionId }));
    const update = { status: v1.SessionStatus.RUNNING, decision: { decisionId, seats: [seat] }, legalActions };
    for (let times = this.lagging.has(decisionId) ? 2 : 1; times > 0; times--) this.#append(update);
    if (seat === 1) this.#apply(decisionId, 0);
  }

  #apply(decisionId: bigint, actionId: number): void {
    const version = BigInt(this.history.length + 1);
    this.replies.set(decisionId, { actionId, reply: create(v1.SubmitActionResponseSchema, { version }) });
    this.#ask(decisionId + 1n);
    this.#change();
  }

  #admit(sessionId: string, { requestHeader }: HandlerContext): void {
    if (this.refusal) throw this.refusal;
    if (sessionId !== SESSION) throw refusal(Code.NotFound, "no such session", "SESSION_NOT_FOUND");
    if (requestHeader.get("authorization") !== `Bearer ${TOKEN}`) {
      throw refusal(Code.Unauthenticated, "needs a seat token", "TOKEN_REQUIRED");
    }
  }

  /** Takes something, once per request id, and tells which it was, from 0. */
  async #take(requestId: string, context: HandlerContext): Promise<number> {
    if (this.refusal) throw this.refusal;
    this.asked.push(requestId);
    this.authorizations.push(context.requestHeader.get("authorization"));
    let number = this.taken.indexOf(requestId);
    if (number < 0 || requestId === "") number = this.taken.push(requestId) - 1;
    const code = this.lost.shift();
    if (code === Code.DeadlineExceeded) await gone(context.signal);
    if (code !== undefined) throw new ConnectError("lost", code);
    return number;
  }

  /** Takes an answer as the contract says, apart from the trouble. */
  #submit(request: v1.SubmitActionRequest, context: HandlerContext): v1.SubmitActionResponse {
    this.#admit(request.sessionId, context);
    const { decisionId, answer } = request;
    const actionId = answer.case === "actionId" ? answer.value : meaning(answer.value);
    this.submitted.push([decisionId, actionId]);
    if (decisionId === 0n) {
      const fieldViolations = [{ field: "decision_id", description: "must be at least 1" }];
      const details = { desc: BadRequestSchema, value: { fieldViolations } };
      throw refusal(Code.InvalidArgument, "the request is malformed", "MALFORMED_REQUEST", {}, details);
    }
    if (this.unseen.delete(decisionId)) throw refusal(Code.Unavailable, "going down", "SHUTTING_DOWN");
    if (this.overtaken.delete(decisionId)) this.#apply(decisionId, 10 * Number(decisionId) + 1);
    if (this.late.delete(decisionId)) {
      this.#apply(decisionId, 10 * Number(decisionId) + 1);
      throw refusal(Code.Aborted, "the time was up", "OUT_OF_TIME");
    }
    const first = this.replies.get(decisionId);
    if (first) {
      if (first.actionId === actionId) return first.reply;
      const current = [...this.replies.keys()].reduce((a, b) => (a > b ? a : b)) + 1n;
      const metadata = { decision_id: String(current), seats: "0" };
      throw refusal(Code.Aborted, "the decision has passed", "STALE_DECISION", metadata);
    }
    if (!this.history.at(-1)!.legalActions.some((legal) => legal.actionId === actionId)) {
      throw refusal(Code.FailedPrecondition, "not legal now", "ACTION_NOT_LEGAL");
    }
    this.#apply(decisionId, actionId);
    if (this.unheard.delete(decisionId)) throw refusal(Code.Unavailable, "not stored", "STORE_UNAVAILABLE");
    return this.replies.get(decisionId)!.reply;
  }

  /** Streams as the contract says, apart from the trouble. */
  async *#watch(request: v1.WatchSessionRequest, context: HandlerContext) {
    this.#admit(request.sessionId, context);
    this.watched.push(request.fromVersion);
    if (this.unopened > 0) {
      this.unopened--;
      await gone(context.signal);
    }
    let seen = Number(request.fromVersion ?? this.history.length - 1);
    for (;;) {
      while (seen >= this.history.length) {
        await Promise.race([this.#changed, gone(context.signal)]);
        if (context.signal.aborted) return;
      }
      const update = this.history[seen]!;
      yield { update };
      seen++;
      if (update.outcome || this.hangsUp) return;
      const cut = this.cuts.get(update.version);
      this.cuts.delete(update.version);
      if (cut === "word") throw refusal(Code.Unavailable, "going down", "SHUTTING_DOWN");
      if (cut === "connection") {
        this.cutConnections();
        await gone(context.signal);
        return;
      }
      if (this.silences.delete(update.version)) {
        await gone(context.signal);
        return;
      }
    }
  }
}

/** The number in an action by meaning, as the tests write it. */
function meaning(action: v1.Action | undefined): number {
  const game = action?.game;
  return game?.case === "santorini" && game.value.kind.case === "move" ? (game.value.kind.value.to ?? 0) : 0;
}

/** Resolves when the caller has gone. */
async function gone(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

/** Lets pages of any origin call. */
function forPages(handler: http.RequestListener): http.RequestListener {
  return (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", [...cors.allowedHeaders, "authorization", "x-api-key"].join());
    response.setHeader("access-control-expose-headers", cors.exposedHeaders.join());
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else handler(request, response);
  };
}

/** A running server with a table and a catalog: gRPC on one port, gRPC-Web on another. */
export class Server {
  readonly table: Table;
  readonly #ports: [number, number] = [0, 0];
  #listeners: Listener[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(lagging: bigint[]) {
    this.table = new Table(() => setImmediate(() => this.#cutConnections()), lagging);
  }

  /** Starts it on any free ports; these decisions are asked for twice. */
  static async start(...lagging: bigint[]): Promise<Server> {
    const server = new Server(lagging);
    await server.start();
    return server;
  }

  get addresses() {
    const [grpc, web] = this.#ports.map((port) => `127.0.0.1:${port}`) as [string, string];
    return { grpc, web };
  }

  /** Starts it, again at its addresses and with its table if it was stopped. */
  async start(): Promise<void> {
    const adapter = connectNodeAdapter({ routes: this.table.routes });
    this.#listeners = [http2.createServer(adapter), http.createServer(forPages(adapter))];
    for (const [index, listener] of this.#listeners.entries()) {
      listener.on("connection", (socket: Socket) => {
        this.#sockets.add(socket);
        socket.on("close", () => this.#sockets.delete(socket));
      });
      listener.listen(this.#ports[index], "127.0.0.1");
      await once(listener, "listening");
      this.#ports[index] = (listener.address() as AddressInfo).port;
    }
  }

  /** Cuts all connections and stops. */
  async stop(): Promise<void> {
    const closed = this.#listeners.filter((listener) => listener.listening).map((listener) => once(listener, "close"));
    for (const listener of this.#listeners) listener.close();
    this.#cutConnections();
    await Promise.all(closed);
  }

  #cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
