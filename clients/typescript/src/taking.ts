import type { TakeSettings } from "./client.js";

/** The field of a request that makes it safe to repeat, if it is to be. */
export function taking({ requestId }: TakeSettings): { requestId?: string } {
  return requestId === undefined ? {} : { requestId };
}

/** Whether a request is safe to repeat. */
export function safe({ requestId = "" }: TakeSettings): boolean {
  return requestId !== "";
}
