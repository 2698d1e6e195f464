/** What both entries export: all but the way to connect. */
export { Code } from "@connectrpc/connect";
export { Client } from "./client.js";
export type { CallSettings, ClientSettings, CreateSettings, TakeSettings, WatchSettings } from "./client.js";
export { TavolaError } from "./errors.js";
export type { Reason, Violation } from "./errors.js";
export { Host, Seat } from "./table.js";
export type { Answer, Policy, SeatSettings } from "./table.js";
export * as v1 from "./v1.js";
