/** A way to a server that can lose replies. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class Proxy {
  /** Whether what comes back from the server is lost. */
  losesReplies = false;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: string) {
    const [host, port] = server.split(":") as [string, string];
    this.#listener = createServer((client) => {
      const upstream = connect(Number(port), host);
      client.on("data", (chunk) => upstream.write(chunk));
      upstream.on("data", (chunk) => {
        if (!this.losesReplies) client.write(chunk);
      });
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined); // It is closed, too.
        socket.on("close", () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
      }
    });
  }

  /** Leads to this server, from any free port. */
  static async start(server: string): Promise<Proxy> {
    const proxy = new Proxy(server);
    await once(proxy.#listener.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  /** `HOST:PORT`. */
  get address(): string {
    return `127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  /** Breaks all connections. On new ones replies come back. */
  cut(): void {
    this.losesReplies = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends it. */
  async stop(): Promise<void> {
    const closed = once(this.#listener, "close");
    this.#listener.close();
    this.cut();
    await closed;
  }
}
