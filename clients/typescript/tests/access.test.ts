/** What a real server takes once, and whom it lets in. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Client, Code, connect, Host, v1 } from "tavola";
import { connect as connectWeb } from "tavola/web";

import { atRandom } from "./bots.js";
import { Proxy } from "./proxy.js";
import { describeReal, RealServer } from "./real.js";

const missing = { code: Code.NotFound, reason: "SESSION_NOT_FOUND" };

/** The ids of the sessions that a server lists. */
async function listed(client: Client): Promise<string[]> {
  const { sessions } = await client.call((options) => client.sessions.listSessions({}, options));
  return sessions.map(({ sessionId }) => sessionId);
}

describe.each([
  ["grpc", connect],
  ["web", connectWeb],
])("over %s", (_, open) => {
  describeReal("a real server", () => {
    let server: RealServer;
    let client: Client;

    beforeAll(async () => {
      server = await RealServer.start();
      client = open(server.address);
    });

    afterAll(async () => {
      client.close();
      await server.stop();
    });

    test("takes a session and its seats once", async () => {
      const ids = [1, 2, 3].map(() => crypto.randomUUID());
      const hosts = [];
      for (let times = 0; times < 2; times++) {
        hosts.push(await client.create("citadels", { seats: 3 }, { requestId: ids[0] }));
      }
      const [host, same] = hosts;
      expect(same!.sessionId).toBe(host!.sessionId);
      const seat = await host!.join(undefined, { requestId: ids[1] });
      const again = await same!.join(undefined, { requestId: ids[1] });
      expect([again.seat, again.token]).toEqual([seat.seat, seat.token]);
      const bot = await host!.addBot("random", undefined, { requestId: ids[2] });
      expect((await same!.addBot("random", undefined, { requestId: ids[2] })).seat).toBe(bot.seat);
      await expect(host!.join(2, { requestId: ids[1] })).rejects.toMatchObject({ reason: "REQUEST_ID_REUSED" });
    });

    test("is asked again for what has had its effect when the reply is lost", async () => {
      const proxy = await Proxy.start(server.address);
      const lossy = open(proxy.address);
      /** Makes a call whose reply is lost. Checks how many were taken before and after it. */
      async function losing<Reply>(taken: () => Promise<number>, call: () => Promise<Reply>): Promise<Reply> {
        await lossy.games(); // The connection stands.
        const before = await taken();
        proxy.losesReplies = true;
        const reply = call();
        while ((await taken()) === before) await new Promise((resolve) => setTimeout(resolve, 10));
        proxy.cut();
        await reply;
        expect(await taken()).toBe(before + 1);
        return reply;
      }
      const sessions = async () => (await listed(client)).length;
      const host = await losing(sessions, async () => lossy.create("citadels", { seats: 3 }));
      const seats = async () => {
        const session = await client.session(host.sessionId);
        return session.seats.filter(({ holder }) => holder !== v1.SeatHolder.OPEN).length;
      };
      const players = [await losing(seats, async () => host.join()), await losing(seats, async () => host.join())];
      const bot = await losing(seats, async () => host.addBot("random"));
      expect([...players.map(({ seat }) => seat), bot.seat].sort()).toEqual([0, 1, 2]);
      expect((await client.session(host.sessionId)).status).toBe(v1.SessionStatus.RUNNING);
      lossy.close();
      await proxy.stop();
    });

    test("shows a private session to those who have a token of it", async () => {
      const host = await client.create("santorini", { private: true });
      const { sessionId, joinToken } = host;
      expect(await listed(client)).not.toContain(sessionId);
      await expect(client.join(sessionId)).rejects.toMatchObject(missing);
      await expect(client.session(sessionId)).rejects.toMatchObject(missing);
      await expect(client.observe(sessionId)).rejects.toMatchObject(missing);
      await expect(client.watch(sessionId).next()).rejects.toMatchObject(missing);

      const spectator = { token: joinToken };
      const updates: v1.Update[] = [];
      const watching = (async () => {
        for await (const update of client.watch(sessionId, spectator)) updates.push(update);
      })();
      const seat = await new Host(client, sessionId, host.token).join(); // The host needs no join token.
      const guest = await client.join(sessionId, undefined, spectator);
      expect((await client.session(sessionId, spectator)).private).toBe(true);
      expect(await client.observe(sessionId, spectator)).toMatchObject({ legalActions: [] });
      await guest.leave();
      const outcome = await seat.play(atRandom);
      expect(outcome.winners).toEqual([seat.seat]);
      await watching;
      expect(updates.at(-1)?.outcome).toEqual(outcome);
      expect(updates.filter((update) => update.seat !== undefined)).toEqual([]);

      await expect(client.replay(sessionId)).rejects.toMatchObject(missing);
      const replay = await client.replay(sessionId, undefined, spectator);
      expect(replay.steps).toHaveLength(replay.plies + 1);
    });
  });

  describeReal("a server that wants an API key", () => {
    test("lets those create and list who have one", async () => {
      const folder = mkdtempSync(join(tmpdir(), "tavola-keys-"));
      const apiKey = "0123456789abcdef0123456789abcdef";
      writeFileSync(join(folder, "keys"), `somebody = ${apiKey}\n`, { mode: 0o600 });
      const server = await RealServer.start(["--store", "memory", "--api-keys-file", join(folder, "keys")]);
      const clients = [{}, { apiKey: "another key of the same length.." }, { apiKey }].map((settings) =>
        open(server.address, settings),
      );
      const [guest, , client] = clients;
      try {
        for (const stranger of clients.slice(0, 2)) {
          const wanted = { code: Code.Unauthenticated, reason: "API_KEY_REQUIRED" };
          await expect(stranger.create("santorini")).rejects.toMatchObject(wanted);
          await expect(listed(stranger)).rejects.toMatchObject(wanted);
        }
        const { sessionId } = await client!.create("santorini");
        expect(await listed(client!)).toEqual([sessionId]);
        expect((await guest!.join(sessionId)).seat).toBe(0); // Whoever comes needs no key.
      } finally {
        for (const each of clients) each.close();
        await server.stop();
        rmSync(folder, { recursive: true });
      }
    });
  });
});
