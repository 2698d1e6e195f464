/** The small things of a client. */
import { inspect } from "node:util";

import { expect, test } from "vitest";

import { connect, Host, Seat } from "tavola";

import { describeBoth } from "./both.js";
import { SESSION, TOKEN } from "./fake.js";

describeBoth("a client", (world) => {
  test("reads all pages of the catalog", async () => {
    const games = await world.client().games();
    expect(games.map((each) => each.game)).toEqual(["first", "second", "third"]);
  });

  test("takes the URL that the server prints", async () => {
    const client = world.connect(`http://${world.server.addresses[world.transport]}/`);
    expect(await client.games()).toHaveLength(3);
  });

  test("sends the operator's key with each call", async () => {
    await world.client({ apiKey: "key" }).games();
    await world.client().games();
    expect(world.table.keys).toEqual(["key", "key", null, null]);
  });

  test("takes up a seat again", async () => {
    const { sessionId, seat, token } = await world.seat();
    const again = new Seat(world.client(), sessionId, seat, token);
    expect((await again.observe()).version).toBe(1n);
  });

  test("does not show a token", async () => {
    const seat = await world.seat();
    const host = new Host(world.client(), SESSION, TOKEN);
    for (const holder of [seat, host]) {
      expect(holder.token).toBe(TOKEN);
      expect(inspect(holder, { depth: null, showHidden: true })).not.toContain(TOKEN);
      expect(JSON.stringify(holder)).not.toContain(TOKEN);
    }
    expect(JSON.stringify(seat)).toBe('{"sessionId":"fake","seat":0}');
  });
});

test("an address that is none is refused", () => {
  expect(() => connect("no address")).toThrow(TypeError);
});

test.each([9999, 0, NaN])("a keepalive of %d ms is refused", (keepaliveMs) => {
  expect(() => connect("localhost:1", { keepaliveMs })).toThrow(RangeError);
});
