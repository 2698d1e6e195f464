import type { TakeSettings } from "./client.js";

/**
 * What makes a request that takes something safe to repeat, and the settings of a call that is repeated: the caller's
 * request id, or one that nobody can guess.
 */
export function taking({ requestId = "", ...calling }: TakeSettings) {
  return { id: { requestId: requestId === "" ? freshId() : requestId }, calling: { ...calling, repeat: true } };
}

/** 128 bits of chance. (`crypto.randomUUID` is not there for pages of plain HTTP.) */
function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
