import { TavolaError } from "./errors.js";

/** The first pause lasts up to this, each further one twice as long. */
const PAUSE_MIN_MS = 100;
const PAUSE_MAX_MS = 2000;

/** How long to go on trying what fails for the moment. */
export class Patience {
  #attempts = 0;
  #since: number | undefined;

  /** Begins with all of its `limitMs`. */
  constructor(
    private readonly limitMs: number,
    private readonly now: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /** Something has worked: what fails from now on is a new trouble. */
  restore(): void {
    this.#attempts = 0;
    this.#since = undefined;
  }

  /** The milliseconds to wait before the next attempt. Throws `error` if there is to be none. */
  spend(error: unknown): number {
    if (!(error instanceof TavolaError) || !error.transient) throw error;
    const now = this.now();
    this.#since ??= now;
    const backoff = Math.min(PAUSE_MIN_MS * 2 ** this.#attempts, PAUSE_MAX_MS) * (0.5 + this.random() / 2);
    const pause = Math.max(backoff, error.retryDelayMs ?? 0);
    if (now + pause - this.#since > this.limitMs) throw error;
    this.#attempts += 1;
    return pause;
  }
}
