import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";

import { Http2SessionManager } from "@connectrpc/connect-node";

type Request = Parameters<Http2SessionManager["request"]>;

/**
 * The connection of a client. If the server goes away while the client is closed, Node reports that when nobody listens
 * any more, which would end the process: here somebody does.
 */
export class Connection extends Http2SessionManager {
  readonly #heard = new WeakSet<ClientHttp2Session>();

  override async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Request[3],
  ): Promise<ClientHttp2Stream> {
    const stream = await super.request(method, path, headers, options);
    const session = stream.session as ClientHttp2Session | undefined;
    if (session && !this.#heard.has(session)) {
      this.#heard.add(session);
      session.on("error", () => undefined);
    }
    return stream;
  }
}
