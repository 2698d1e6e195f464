/** The two ways to call, so that what holds of one is tested of both. */
import { afterEach, beforeEach, describe } from "vitest";

import { type Client, type ClientSettings, connect } from "tavola";
import { connect as connectWeb } from "tavola/web";

import { Server, SESSION } from "./fake.js";

/** A fake server for one test, and clients of it. */
export class World {
  server!: Server;
  readonly #clients: Client[] = [];

  constructor(readonly transport: "grpc" | "web") {}

  /** Calls over this transport, closed with the test. */
  connect(address: string, settings: ClientSettings & { apiKey?: string } = {}): Client {
    const client = (this.transport === "grpc" ? connect : connectWeb)(address, settings);
    this.#clients.push(client);
    return client;
  }

  async begin(...lagging: bigint[]): Promise<void> {
    await this.end();
    this.server = await Server.start(...lagging);
  }

  async end(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.close();
    if (this.server as Server | undefined) await this.server.stop();
  }

  get table() {
    return this.server.table;
  }

  client(settings: ClientSettings & { apiKey?: string } = {}): Client {
    return this.connect(this.server.addresses[this.transport], { patienceMs: 5000, ...settings });
  }

  async seat(settings: ClientSettings = {}) {
    return this.client(settings).join(SESSION);
  }
}

/** Describes what holds over gRPC and over gRPC-Web, each test with a fake server of its own. */
export function describeBoth(subject: string, tests: (world: World) => void): void {
  describe.each(["grpc", "web"] as const)(`${subject} over %s`, (transport) => {
    const world = new World(transport);
    beforeEach(async () => world.begin());
    afterEach(async () => world.end());
    tests(world);
  });
}
