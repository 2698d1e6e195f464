/**
 * Play board games on a Tavola server, from a browser over gRPC-Web: `tavola` with another {@link connect}.
 *
 * @module
 */
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { keyed, resolve } from "./address.js";
import { Client, type ClientSettings } from "./client.js";

export * from "./api.js";

/** How to reach a server from a browser. */
export interface ConnectSettings extends ClientSettings {
  /** The operator's key, sent as `x-api-key` with each call. None: none is sent. A page shows it to its reader. */
  readonly apiKey?: string | undefined;
}

/**
 * A client of the server at `address`: its URL, or `HOST:PORT`. The server has to allow the page's origin
 * (`--web-origins`).
 *
 * A page cannot ping, so a stream that is silent for `quietMs` (here 60 000) is taken for dead and resumed. Over
 * plain HTTP a browser opens six connections to a server and each stream needs one: over TLS there is no such limit.
 *
 * @throws TypeError if the address is none.
 */
export function connect(address: string, settings: ConnectSettings = {}): Client {
  const { apiKey, ...rest } = settings;
  const transport = createGrpcWebTransport({ baseUrl: resolve(address, false), interceptors: keyed(apiKey) });
  return new Client(transport, { quietMs: 60_000, ...rest });
}
