import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallOptions, type Client as Stub, Code, createClient, type Transport } from "@connectrpc/connect";

import { Cancellation } from "./cancellation.js";
import { TavolaError } from "./errors.js";
import { CatalogService, type Game } from "./gen/tavola/v1/catalog_service_pb.js";
import type { ClockSchema } from "./gen/tavola/v1/clock_pb.js";
import { View } from "./gen/tavola/v1/decision_pb.js";
import type { OptionsSchema } from "./gen/tavola/v1/games_pb.js";
import type { Session, Update } from "./gen/tavola/v1/session_pb.js";
import {
  type GetObservationResponse,
  type GetReplayResponse,
  SessionService,
} from "./gen/tavola/v1/session_service_pb.js";
import { Patience } from "./patience.js";
import { Host, Seat } from "./table.js";
import { taking } from "./taking.js";

/** How patient a client is. */
export interface ClientSettings {
  /** The milliseconds after which an attempt of a call fails, and that of opening a stream (20 000). */
  readonly timeoutMs?: number | undefined;
  /**
   * The milliseconds for which that is tried again which is safe to repeat while the server cannot be reached (60 000);
   * 0: it is not tried again.
   */
  readonly patienceMs?: number | undefined;
  /**
   * The milliseconds after which a silent stream is opened anew from its last version; 0: never. Over gRPC (0) pings
   * find a dead connection, over gRPC-Web (60 000) nothing else does.
   */
  readonly quietMs?: number | undefined;
}

/** What every call takes. */
export interface CallSettings {
  /** The token of a seat, of the host or to join: sent as `authorization: Bearer TOKEN`. None: none is sent. */
  readonly token?: string | undefined;
  /** Ends the call: it throws the signal's reason. It may have had its effect. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call takes that takes a session or a seat. */
export interface TakeSettings extends CallSettings {
  /**
   * Makes the call safe to repeat, which is done while the server cannot be reached: 16 to 64 visible ASCII characters
   * that nobody can guess, such as those of `crypto.randomUUID()`. None: the call gets a fresh one.
   */
  readonly requestId?: string | undefined;
}

/** What a session is set up with. */
export interface CreateSettings {
  /** The number of seats. None: the fewest of the game. */
  readonly seats?: number | undefined;
  /** The options of the game, such as `{ game: { case: "santorini", value: { maxTurns: 100 } } }`. None: its defaults. */
  readonly options?: MessageInitShape<typeof OptionsSchema> | undefined;
  /** A seed for the game's chance. None: 256 bits that nobody knows. */
  readonly seed?: bigint | undefined;
  /** How long the players may think. None: as long as they like. */
  readonly clock?: MessageInitShape<typeof ClockSchema> | undefined;
  /** Whether it is private: not listed, and there for those only who have a token of it. */
  readonly private?: boolean | undefined;
}

/** How to look at a session. */
export interface WatchSettings extends CallSettings {
  /** How to show legal actions: full, unless said otherwise. */
  readonly view?: View | undefined;
  /** The version of the last update that is known: goes on with the one after it. None: begins with a snapshot. */
  readonly fromVersion?: bigint | undefined;
}

/** Why a silent stream is opened anew. */
const QUIET = Symbol("quiet");

/**
 * A connection to a server: what `connect` returns. Close it when it is done with.
 *
 * It carries as many calls and streams at once as the server allows (`Limits.streamsPerConnectionMax`), the others
 * wait. Whoever plays more seats needs more clients.
 */
export class Client {
  /** The stub of CatalogService, for {@link call}. */
  readonly catalog: Stub<typeof CatalogService>;
  /** The stub of SessionService, for {@link call}. */
  readonly sessions: Stub<typeof SessionService>;
  readonly #timeoutMs: number;
  readonly #patienceMs: number;
  readonly #quietMs: number;
  readonly #closing = new AbortController();
  readonly #disconnect: () => void;

  /** Wraps a transport of Connect; `disconnect` is called when the client is closed. */
  constructor(transport: Transport, settings: ClientSettings = {}, disconnect: () => void = () => undefined) {
    this.catalog = createClient(CatalogService, transport);
    this.sessions = createClient(SessionService, transport);
    this.#timeoutMs = settings.timeoutMs ?? 20_000;
    this.#patienceMs = settings.patienceMs ?? 60_000;
    this.#quietMs = settings.quietMs ?? 0;
    this.#disconnect = disconnect;
  }

  /** Ends the connection and all that goes on over it. */
  close(): void {
    this.#closing.abort(new TavolaError(Code.Canceled, "the client is closed"));
    this.#disconnect();
  }

  /**
   * Calls a method of a stub with token and deadline: `client.call((o) => client.sessions.getState({ sessionId }, o))`.
   *
   * With `repeat` it is tried again while the server cannot be reached: only for what may happen twice.
   *
   * @throws {@link TavolaError} if that fails.
   */
  async call<Reply>(
    run: (options: CallOptions) => Promise<Reply>,
    { token, signal, repeat = false }: CallSettings & { readonly repeat?: boolean | undefined } = {},
  ): Promise<Reply> {
    const patience = new Patience(repeat ? this.#patienceMs : 0);
    const cancellation = this.#cancellation(signal);
    try {
      for (;;) {
        try {
          return await run({ headers: bearer(token), timeoutMs: this.#timeoutMs, signal: cancellation.signal });
        } catch (error) {
          cancellation.check();
          await cancellation.pause(patience.spend(TavolaError.from(error)));
        }
      }
    } finally {
      cancellation.release();
    }
  }

  /** All games that can be played here. */
  async games(settings: CallSettings = {}): Promise<Game[]> {
    const games: Game[] = [];
    for (let pageToken = ""; ;) {
      const request = { pageToken };
      const page = await this.call((options) => this.catalog.listGames(request, options), {
        ...settings,
        repeat: true,
      });
      games.push(...page.games);
      pageToken = page.nextPageToken;
      if (pageToken === "") return games;
    }
  }

  /**
   * Opens a session. It starts when all its seats are taken.
   *
   * If no reply comes it asks again with the same request id, as long as the client has patience: one session is opened.
   * So it is with {@link join} and {@link Host.addBot}.
   */
  async create(game: string, setup: CreateSettings = {}, settings: TakeSettings = {}): Promise<Host> {
    const { id, calling } = taking(settings);
    const request = { game, ...setup, private: setup.private ?? false, ...id };
    const reply = await this.call((options) => this.sessions.createSession(request, options), calling);
    return new Host(this, reply.sessionId, reply.hostToken, reply.joinToken);
  }

  /** Takes a seat, 0-based: this one, or the first that is open. A private session wants its join token. */
  async join(sessionId: string, seat?: number, settings: TakeSettings = {}): Promise<Seat> {
    const { id, calling } = taking(settings);
    const request = { sessionId, seat, ...id };
    const reply = await this.call((options) => this.sessions.joinSession(request, options), calling);
    return new Seat(this, sessionId, reply.seat ?? 0, reply.seatToken);
  }

  /** A session with its seats, as it is now. A private one wants a token of it. */
  async session(sessionId: string, settings: CallSettings = {}): Promise<Session> {
    const reply = await this.call((options) => this.sessions.getSession({ sessionId }, options), {
      ...settings,
      repeat: true,
    });
    if (!reply.session) throw new TavolaError(Code.Internal, "the server sent no session");
    return reply.session;
  }

  /** What a spectator knows now or, with a seat token, what that seat knows. */
  async observe(sessionId: string, settings: Omit<WatchSettings, "fromVersion"> = {}): Promise<GetObservationResponse> {
    const request = { sessionId, view: settings.view ?? View.FULL };
    return this.call((options) => this.sessions.getObservation(request, options), { ...settings, repeat: true });
  }

  /** The replay of a finished game, all its pages in one, with the events of a seat, 0-based, or a spectator's. */
  async replay(sessionId: string, seat?: number, settings: CallSettings = {}): Promise<GetReplayResponse> {
    const page = async (pageToken: string) =>
      this.call((options) => this.sessions.getReplay({ sessionId, seat, pageToken }, options), {
        ...settings,
        repeat: true,
      });
    const replay = await page("");
    while (replay.nextPageToken !== "") {
      const { steps, nextPageToken } = await page(replay.nextPageToken);
      replay.steps.push(...steps);
      replay.nextPageToken = nextPageToken;
    }
    return replay;
  }

  /**
   * The updates of a session up to its result: a spectator's or, with a seat token, that seat's.
   *
   * If the stream is cut off it is resumed where it was, as long as the client has patience. A private session wants a
   * token of it; its join token shows what a spectator sees.
   */
  async *watch(sessionId: string, settings: WatchSettings = {}): AsyncGenerator<Update, void, undefined> {
    const patience = new Patience(this.#patienceMs);
    let { fromVersion } = settings;
    for (;;) {
      const cancellation = this.#cancellation(settings.signal);
      try {
        for await (const update of this.#stream(sessionId, { ...settings, fromVersion }, cancellation)) {
          patience.restore();
          fromVersion = update.version;
          yield update;
        }
        return;
      } catch (error) {
        const { aborted, reason } = cancellation.signal as { aborted: boolean; reason: unknown };
        if (reason === QUIET) patience.restore();
        else await this.#pause(patience.spend(aborted ? reason : TavolaError.from(error)), settings.signal);
      } finally {
        cancellation.release();
      }
    }
  }

  /** The updates of one stream. An alarm goes off if it does not open, or falls silent. */
  async *#stream(
    sessionId: string,
    { view = View.FULL, fromVersion, token }: WatchSettings,
    cancellation: Cancellation,
  ): AsyncGenerator<Update, void, undefined> {
    cancellation.alarm(this.#timeoutMs, new TavolaError(Code.DeadlineExceeded, "the stream did not open in time"));
    const responses = this.sessions.watchSession(
      { sessionId, view, fromVersion },
      {
        headers: bearer(token),
        signal: cancellation.signal,
        onHeader: () => cancellation.alarm(this.#quietMs, QUIET),
      },
    );
    for await (const { update } of responses) {
      cancellation.alarm(0);
      if (update) yield update;
      cancellation.alarm(this.#quietMs, QUIET);
    }
  }

  #cancellation(signal: AbortSignal | undefined): Cancellation {
    return new Cancellation(signal ? [this.#closing.signal, signal] : [this.#closing.signal]);
  }

  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const cancellation = this.#cancellation(signal);
    try {
      await cancellation.pause(ms);
    } finally {
      cancellation.release();
    }
  }
}

/** The headers that carry a token. */
function bearer(token: string | undefined): Record<string, string> {
  return token === undefined || token === "" ? {} : { authorization: `Bearer ${token}` };
}
