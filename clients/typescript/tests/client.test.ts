/** The small things of a client. */
import { once } from "node:events";
import * as http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";

import { connectNodeAdapter } from "@connectrpc/connect-node";
import { expect, test } from "vitest";

import { connect, Host, Seat, v1 } from "tavola";

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
    const host = new Host(world.client(), SESSION, TOKEN, `join ${TOKEN}`);
    expect(host.joinToken).toBe(`join ${TOKEN}`);
    for (const holder of [seat, host]) {
      expect(holder.token).toBe(TOKEN);
      expect(inspect(holder, { depth: null, showHidden: true })).not.toContain(TOKEN);
      expect(JSON.stringify(holder)).not.toContain(TOKEN);
    }
    expect(JSON.stringify(seat)).toBe('{"sessionId":"fake","seat":0}');
  });
});

test("a server that goes away while the client is closed does no harm", async () => {
  for (let turns = 0; turns < 30; turns++) {
    const server = http2.createServer();
    server.on(
      "request",
      connectNodeAdapter({ routes: (r) => r.service(v1.CatalogService, { listGames: () => ({}) }) }),
    );
    const sessions: http2.ServerHttp2Session[] = [];
    server.on("session", (session) => sessions.push(session));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const client = connect(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await client.games()).toEqual([]);
    for (const session of sessions) session.goaway(http2.constants.NGHTTP2_NO_ERROR);
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    client.close();
    server.close();
  }
  await new Promise((resolve) => setTimeout(resolve, 50)); // What is reported late fails this test.
});

test("an address that is none is refused", () => {
  expect(() => connect("no address")).toThrow(TypeError);
});

test.each([9999, 0, NaN])("a keepalive of %d ms is refused", (keepaliveMs) => {
  expect(() => connect("localhost:1", { keepaliveMs })).toThrow(RangeError);
});
