/**
 * Play board games on a Tavola server, from Node over gRPC. `tavola/web` is the same for browsers.
 *
 * ```ts
 * import { connect } from "tavola";
 *
 * const client = connect("localhost:50051");
 * const seat = await client.join(sessionId);
 * const outcome = await seat.play((update) => update.legalActions[0]!);
 * client.close();
 * ```
 *
 * The client is thin: it adds tokens, deadlines and typed errors to the calls of `proto/`, repeats what is safe to
 * repeat, and `play` and `watch` come back after a broken connection. What has no method here goes through
 * {@link Client.call} and the stubs {@link Client.catalog} and {@link Client.sessions}.
 *
 * @module
 */
import type { SecureClientSessionOptions } from "node:http2";

import { createGrpcTransport } from "@connectrpc/connect-node";

import { keyed, resolve } from "./address.js";
import { Client, type ClientSettings } from "./client.js";
import { Connection } from "./connection.js";

export * from "./api.js";

/** Shorter, and servers and proxies take pings for an attack. */
const KEEPALIVE_MIN_MS = 10_000;

/** How to reach a server from Node. */
export interface ConnectSettings extends ClientSettings {
  /** The operator's key, sent as `x-api-key` with each call. None: none is sent. */
  readonly apiKey?: string | undefined;
  /** What TLS needs beyond the authorities that Node knows: `ca`, or `cert` and `key`. Given, even empty: TLS is used. */
  readonly tls?: SecureClientSessionOptions | undefined;
  /**
   * The milliseconds after which a silent connection with open calls is pinged, 10 000 or more (30 000). What does not
   * answer within 10 seconds is dead, and its streams are resumed.
   */
  readonly keepaliveMs?: number | undefined;
}

/**
 * A client of the server at `address`: `HOST:PORT`, or the URL that the server prints.
 *
 * The connection is made with the first call. It uses TLS if `tls` is given or the address begins with `https://`.
 *
 * @throws RangeError if `keepaliveMs` is below 10 000, TypeError if the address is none.
 */
export function connect(address = "localhost:50051", settings: ConnectSettings = {}): Client {
  const { apiKey, tls, keepaliveMs = 30_000, ...rest } = settings;
  if (!(keepaliveMs >= KEEPALIVE_MIN_MS)) throw new RangeError(`keepaliveMs is ${keepaliveMs}: must be 10000 or more`);
  const baseUrl = resolve(address, tls !== undefined);
  const connection = new Connection(baseUrl, { pingIntervalMs: keepaliveMs, pingTimeoutMs: 10_000 }, tls);
  const transport = createGrpcTransport({ baseUrl, sessionManager: connection, interceptors: keyed(apiKey) });
  return new Client(transport, rest, () => connection.abort());
}
