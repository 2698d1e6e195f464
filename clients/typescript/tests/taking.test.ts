/** What a client takes once: sessions and seats. */
import { expect, test } from "vitest";

import { type Client, Code, Host, type TakeSettings } from "tavola";

import { describeBoth } from "./both.js";
import { SESSION, TOKEN } from "./fake.js";

/** The calls that take something from a fake: each tells which it was. */
const takers: [string, (client: Client, settings?: TakeSettings) => Promise<number>][] = [
  ["create", async (client, settings) => Number((await client.create("first", {}, settings)).sessionId)],
  ["join", async (client, settings) => (await client.join(SESSION, undefined, settings)).seat],
  [
    "addBot",
    async (client, settings) => (await new Host(client, SESSION, TOKEN).addBot("random", undefined, settings)).seat!,
  ],
];

describeBoth("what takes something", (world) => {
  test.each(takers)("asks again for a lost reply, and takes once: %s", async (_, take) => {
    const { table } = world;
    const client = world.client({ timeoutMs: 300 });
    for (const requestId of [undefined, "", "one-of-our-own-ids"]) {
      table.asked.length = 0;
      table.lost.push(Code.Unavailable, Code.DeadlineExceeded);
      const before = table.taken.length;
      expect(await take(client, { requestId })).toBe(before);
      expect(table.taken).toHaveLength(before + 1);
      const id = table.taken[before]!;
      expect(table.asked).toEqual([id, id, id]);
      expect(id).toMatch(/^[!-~]{16,64}$/);
      expect(id).toBe(requestId === undefined || requestId === "" ? id : requestId);
      expect(new Set(table.taken).size).toBe(before + 1);
    }
  });

  test.each(takers)("asks no more when it is refused, nor without patience: %s", async (_, take) => {
    const { table } = world;
    for (const [code, patienceMs] of [
      [Code.FailedPrecondition, 5000],
      [Code.Unavailable, 0],
    ] as const) {
      table.asked.length = 0;
      table.lost.push(code);
      await expect(take(world.client({ patienceMs }))).rejects.toMatchObject({ code });
      expect(table.asked).toHaveLength(1);
    }
  });

  test("shows the token that it was given, and the host its own", async () => {
    const client = world.client();
    await client.join(SESSION);
    await client.join(SESSION, 1, { token: "join" });
    const host = await client.create("first", { private: true });
    expect(host.joinToken).toBe("join");
    await host.join();
    await host.addBot("random");
    const own = `Bearer ${TOKEN}`;
    expect(world.table.authorizations).toEqual([null, "Bearer join", null, own, own]);
  });
});
