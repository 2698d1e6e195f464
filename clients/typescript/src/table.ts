import { isMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";

import type { CallSettings, Client, TakeSettings, WatchSettings } from "./client.js";
import { TavolaError } from "./errors.js";
import { type LegalAction, LegalActionSchema, View } from "./gen/tavola/v1/decision_pb.js";
import type { ActionSchema } from "./gen/tavola/v1/games_pb.js";
import type { Outcome, Session, Update } from "./gen/tavola/v1/session_pb.js";
import type {
  AddBotResponse,
  GetObservationResponse,
  SubmitActionResponse,
} from "./gen/tavola/v1/session_service_pb.js";
import { taking } from "./taking.js";

/** An answer to a decision: one of the legal actions, the id of one, or an action by meaning. */
export type Answer = number | LegalAction | MessageInitShape<typeof ActionSchema>;

/** Chooses the answer to the decision of an update. */
export type Policy = (update: Update) => Answer | Promise<Answer>;

/** What the calls of a host and a seat take: the token is their own. */
export type SeatSettings = Omit<WatchSettings, "token" | "fromVersion">;

/** The right to set up a session. Its id and its token are all that is needed to come back to it. */
export class Host {
  readonly #client: Client;
  readonly #token: string;
  readonly #joinToken: string;

  /** Comes back to a session. */
  constructor(
    client: Client,
    /** The session. */
    readonly sessionId: string,
    token: string,
    joinToken = "",
  ) {
    this.#client = client;
    this.#token = token;
    this.#joinToken = joinToken;
  }

  /** What allows it. A secret: neither a log nor JSON shows it. */
  get token(): string {
    return this.#token;
  }

  /**
   * What whoever may come to a private session needs, to join or to watch; empty if it is not private. Neither a log nor
   * JSON shows it.
   */
  get joinToken(): string {
    return this.#joinToken;
  }

  /** Takes a seat, 0-based: this one, or the first that is open. The host needs no join token. */
  async join(seat?: number, settings: Omit<TakeSettings, "token"> = {}): Promise<Seat> {
    return this.#client.join(this.sessionId, seat, { ...settings, token: this.#token });
  }

  /**
   * Gives a seat, 0-based, to a house bot: this one, or the first that is open. About lost replies see
   * {@link Client.create}.
   */
  async addBot(bot: string, seat?: number, settings: Omit<TakeSettings, "token"> = {}): Promise<AddBotResponse> {
    const { id, calling } = taking({ ...settings, token: this.#token });
    const request = { sessionId: this.sessionId, bot, seat, ...id };
    return this.#client.call((options) => this.#client.sessions.addBot(request, options), calling);
  }

  /** Ends and forgets the session. */
  async delete(settings: Omit<CallSettings, "token"> = {}): Promise<void> {
    const request = { sessionId: this.sessionId };
    const calling = { ...settings, token: this.#token };
    await this.#client.call((options) => this.#client.sessions.deleteSession(request, options), calling);
  }
}

/** The right to play a seat. Its session, number and token are all that is needed to come back to it. */
export class Seat {
  readonly #client: Client;
  readonly #token: string;

  /** Comes back to a seat. */
  constructor(
    client: Client,
    /** The session. */
    readonly sessionId: string,
    /** The number of the seat, 0-based. */
    readonly seat: number,
    token: string,
  ) {
    this.#client = client;
    this.#token = token;
  }

  /** What allows it. A secret: neither a log nor JSON shows it. */
  get token(): string {
    return this.#token;
  }

  /** What the seat knows now, and what it may answer. */
  async observe(settings: SeatSettings = {}): Promise<GetObservationResponse> {
    return this.#client.observe(this.sessionId, { ...settings, token: this.#token });
  }

  /**
   * Answers a decision.
   *
   * The same answer again gets the first reply and changes nothing. So it is given again while the server cannot be
   * reached, as long as the client has patience.
   */
  async submit(decisionId: bigint, answer: Answer, settings: SeatSettings = {}): Promise<SubmitActionResponse> {
    const { view = View.FULL, signal } = settings;
    const request = { sessionId: this.sessionId, decisionId, answer: field(answer), view };
    const calling = { token: this.#token, signal, repeat: true };
    return this.#client.call((options) => this.#client.sessions.submitAction(request, options), calling);
  }

  /** The updates of the session as the seat sees them: see {@link Client.watch}. */
  watch(settings: Omit<WatchSettings, "token"> = {}): AsyncGenerator<Update, void, undefined> {
    return this.#client.watch(this.sessionId, { ...settings, token: this.#token });
  }

  /** Leaves the seat. In a started game this is a resignation. */
  async leave(settings: Omit<CallSettings, "token"> = {}): Promise<Session> {
    const request = { sessionId: this.sessionId };
    const calling = { ...settings, token: this.#token };
    const reply = await this.#client.call((options) => this.#client.sessions.leaveSession(request, options), calling);
    if (!reply.session) throw new TavolaError(Code.Internal, "the server sent no session");
    return reply.session;
  }

  /**
   * Plays the seat to the end of the game and returns the result.
   *
   * Watches the session and submits what `policy` answers whenever the seat owes a decision. If the decision or
   * the time for it has passed meanwhile it goes on with the next.
   */
  async play(policy: Policy, settings: SeatSettings = {}): Promise<Outcome> {
    let answered = 0n;
    for await (const update of this.watch(settings)) {
      if (update.outcome) return update.outcome;
      const { decision } = update;
      // Where several seats decide at once, updates from before our answer counted still ask us for it.
      if (!decision?.seats.includes(this.seat) || decision.decisionId === answered) continue;
      answered = decision.decisionId;
      const answer = await policy(update);
      try {
        // The stream tells what comes of it, so a lean reply will do.
        await this.submit(answered, answer, { ...settings, view: View.LEAN });
      } catch (error) {
        if (!overtaken(error)) throw error;
      }
    }
    throw new TavolaError(Code.Internal, "the stream ended without a result");
  }
}

/** The field of the request that an answer goes into. Throws a TypeError if there is none, as plain JavaScript can. */
function field(answer: Answer) {
  if (typeof answer === "number" && answer >= 0 && answer < 2 ** 32 && Number.isInteger(answer)) {
    return { case: "actionId", value: answer } as const;
  }
  const given: unknown = answer;
  if (typeof answer !== "object" || given === null) {
    throw new TypeError(`an answer is an action or the action_id of one, not ${String(given)}`);
  }
  if (isMessage(answer, LegalActionSchema)) return { case: "actionId", value: answer.actionId ?? 0 } as const;
  return { case: "action", value: answer } as const;
}

/** Whether an answer came too late: the table has gone on, and the stream will tell how. */
function overtaken(error: unknown): boolean {
  return error instanceof TavolaError && ["STALE_DECISION", "OUT_OF_TIME", "GAME_OVER"].includes(error.reason);
}
