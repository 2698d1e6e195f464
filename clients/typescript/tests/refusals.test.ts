/** The errors of a real server, as they come out of the client. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Client, Code, connect, TavolaError } from "tavola";
import { connect as connectWeb } from "tavola/web";

import { describeReal, RealServer } from "./real.js";
import { refusals, see } from "./refusals.js";

describeReal("a real server", () => {
  let server: RealServer;
  const clients: Partial<Record<"grpc" | "web", Client>> = {};

  beforeAll(async () => {
    server = await RealServer.start(["--store", "memory", "--watchers-per-session-max", "1"]);
    clients.grpc = connect(server.address, { patienceMs: 0 });
    clients.web = connectWeb(server.address, { patienceMs: 0 });
  });

  afterAll(async () => {
    clients.grpc?.close();
    clients.web?.close();
    await server.stop();
  });

  for (const transport of ["grpc", "web"] as const) {
    test.each(refusals)(`refuses $name over ${transport}`, async (refusal) => {
      const { code, reason, fields = [], facts = [] } = refusal;
      const seen = await see(refusal, clients[transport]!);
      expect(seen).toMatchObject({ code, reason, fields, facts });
      expect(seen.text).not.toBe("");
    });
  }

  test.each([connect, connectWeb])("says that it is going down", async (open) => {
    const leaving = await RealServer.start();
    const client = open(leaving.address, { patienceMs: 0 });
    const { sessionId } = await client.create("santorini");
    const updates = client.watch(sessionId);
    await updates.next();
    const next = updates.next();
    const refused = expect(next).rejects.toMatchObject({
      code: Code.Unavailable,
      reason: "SHUTTING_DOWN",
      metadata: { resume_version: "1" },
    });
    await leaving.stop();
    await refused;
    await expect(client.games()).rejects.toMatchObject({ code: Code.Unavailable, reason: "" });
    await expect(client.games()).rejects.toBeInstanceOf(TavolaError);
    client.close();
  });
});
