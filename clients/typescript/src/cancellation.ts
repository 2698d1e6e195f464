/**
 * What ends a call early: the caller's signal, the closing of the client, or an alarm.
 *
 * `AbortSignal.any` would do, but its signals stay with a long-lived source for as long as that lives, and a bot makes
 * a great many calls.
 */
export class Cancellation {
  readonly #controller = new AbortController();
  readonly #abort: () => void;
  #alarm: ReturnType<typeof setTimeout> | undefined;

  /** Follows these sources until it is released. */
  constructor(private readonly sources: readonly AbortSignal[]) {
    this.#abort = () => {
      this.#controller.abort(this.sources.find((source) => source.aborted)?.reason);
    };
    if (sources.some((source) => source.aborted)) this.#abort();
    for (const source of sources) source.addEventListener("abort", this.#abort);
  }

  /** Is aborted with the reason of whatever ended the call. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts with `reason` after so many milliseconds; 0 is never. Takes the place of the alarm before. */
  alarm(ms: number, reason?: unknown): void {
    clearTimeout(this.#alarm);
    this.#alarm = ms > 0 ? setTimeout(() => this.#controller.abort(reason), ms) : undefined;
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
    for (const source of this.sources) source.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }
}
