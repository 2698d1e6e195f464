import { Code, ConnectError } from "@connectrpc/connect";

import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { ErrorReason } from "./gen/tavola/v1/error_reason_pb.js";

/** The name of an {@link ErrorReason}, such as `"STALE_DECISION"`. */
export type Reason = Exclude<keyof typeof ErrorReason, "UNSPECIFIED">;

/** A field of a request that is wrong. */
export interface Violation {
  /** Its path, such as `options.santorini.max_turns`. */
  readonly field: string;
  /** What is wrong with it and what is allowed. */
  readonly description: string;
}

/** A call that the server refused, or that did not reach it. */
export class TavolaError extends Error {
  override readonly name = "TavolaError";
  /**
   * Why the table refused. A newer server may send a reason that is not in the list of this package. Empty if the
   * error comes from elsewhere than the table.
   */
  readonly reason: Reason | "" | (string & {}) = "";
  /** The facts that belong to the reason, such as the `decision_id` that is open now. */
  readonly metadata: Readonly<Record<string, string>> = {};
  /** The fields of the request that are wrong. */
  readonly violations: readonly Violation[] = [];
  /** The milliseconds after which the server asks to try again. Undefined if it does not. */
  readonly retryDelayMs: number | undefined;

  /** An error of this code; its details are those of `cause`. */
  constructor(
    /** The status code. */
    readonly code: Code,
    /** What went wrong, for people, without code and reason. */
    readonly text: string,
    cause?: ConnectError,
  ) {
    const info = cause?.findDetails(ErrorInfoSchema).find((each) => each.domain === "tavola");
    super([codeName(code), info?.reason].filter(Boolean).join(" ") + `: ${text}`, { cause });
    if (info) {
      this.reason = info.reason;
      this.metadata = { ...info.metadata };
    }
    this.violations = (cause?.findDetails(BadRequestSchema) ?? [])
      .flatMap((each) => each.fieldViolations)
      .map(({ field, description }) => ({ field, description }));
    const delay = cause?.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.retryDelayMs = delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6;
  }

  /** The same error with its details read, or whatever else was thrown as it is. */
  static from(error: unknown): unknown {
    if (!(error instanceof ConnectError)) return error;
    return new TavolaError(broke(error) ? Code.Unavailable : error.code, error.rawMessage, error);
  }

  /**
   * Whether the same call may succeed a little later. That does not say that it had no effect: repeat only what is
   * safe to repeat.
   */
  get transient(): boolean {
    return [Code.Unavailable, Code.DeadlineExceeded].includes(this.code) || this.retryDelayMs !== undefined;
  }
}

/** The name of a code as gRPC writes it. */
function codeName(code: Code): string {
  return code === Code.Canceled ? "CANCELLED" : Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

/**
 * Whether the connection broke, which the transports report under many codes and which is UNAVAILABLE to everybody
 * else. What has a status is the server's own word.
 */
function broke(error: ConnectError): boolean {
  if (error.metadata.has("grpc-status") || error.code === Code.DeadlineExceeded) return false;
  return (
    error.cause instanceof Error ||
    [Code.Aborted, Code.Canceled, Code.DataLoss].includes(error.code) ||
    /^(http\/2 stream closed|sentinel|protocol error: missing|missing (trailer|message)|premature)/.test(
      error.rawMessage,
    )
  );
}
