/**
 * What ends a call early: the caller's signal, the closing of the client, or an alarm.
 *
 * `AbortSignal.any` would do, but its signals stay with a long-lived source for as long as that lives, and a bot makes
 * a great many calls.
 */
export class Cancellation {
  readonly #controller = new AbortController();
  readonly #followed: Set<Cancellation>[];
  #alarm: ReturnType<typeof setTimeout> | undefined;

  /** Follows these sources until it is released. */
  constructor(sources: readonly AbortSignal[]) {
    this.#followed = sources.map((source) => followers(source).add(this));
    const ended = sources.find((source) => source.aborted);
    if (ended) this.abort(ended.reason);
  }

  /** Is aborted with the reason of whatever ended the call. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the call. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Aborts with `reason` after so many milliseconds; 0 is never. Takes the place of the alarm before. */
  alarm(ms: number, reason?: unknown): void {
    clearTimeout(this.#alarm);
    this.#alarm = ms > 0 ? setTimeout(() => this.abort(reason), ms) : undefined;
  }

  /** Throws the reason if there was one. */
  check(): void {
    this.signal.throwIfAborted();
  }

  /** Resolves after so many milliseconds. Rejects with the reason if there is one. */
  async pause(ms: number): Promise<void> {
    this.check();
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.signal.addEventListener("abort", done);
    });
    this.check();
  }

  /** Ends what still goes on, and lets go of the sources. */
  release(): void {
    clearTimeout(this.#alarm);
    for (const others of this.#followed) others.delete(this);
    this.abort();
  }
}

const followed = new WeakMap<AbortSignal, Set<Cancellation>>();

/** Those who follow a signal. They share one listener: Node takes more than ten of one signal for a leak. */
function followers(source: AbortSignal): Set<Cancellation> {
  const known = followed.get(source);
  if (known) return known;
  const all = new Set<Cancellation>();
  followed.set(source, all);
  source.addEventListener("abort", () => {
    for (const each of all) each.abort(source.reason);
  });
  return all;
}
