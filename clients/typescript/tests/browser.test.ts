/** The client in a real browser, on a page of another origin than the server's. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type Server as PageServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Code } from "tavola";

import { refusal, Server } from "./fake.js";
import { describeReal, RealServer } from "./real.js";
import { refusals } from "./refusals.js";

/** The path of the browser: that of TAVOLA_CHROMIUM, or of the first that is installed. */
function installed(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
  const found = process.env.TAVOLA_CHROMIUM ?? places.find((place) => existsSync(place));
  if (found === undefined) throw new Error("needs Chromium: install it, or set TAVOLA_CHROMIUM to its path");
  return found;
}

/** A page that has the client and page.ts, bundled from what the package ships. */
async function serve(): Promise<PageServer> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("page.ts", import.meta.url))],
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    write: false,
  });
  const script = outputFiles[0]!.text;
  const server = createServer((request, response) => {
    const asked =
      request.url === "/page.js" ? ["text/javascript", script] : ["text/html", '<script src="page.js"></script>'];
    response.writeHead(200, { "content-type": `${asked[0]}; charset=utf-8` }).end(asked[1]);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

describeReal("a page", () => {
  let pages: PageServer;
  let browser: Browser;
  let page: Page;
  let origin: string;

  beforeAll(async () => {
    pages = await serve();
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: installed() });
    page = await browser.newPage();
    await page.goto(`${origin}/`);
  }, 60_000);

  afterAll(async () => {
    await browser.close();
    pages.close();
  });

  test("plays a whole game of each game by stream and unary calls", async () => {
    const server = await RealServer.start();
    const played = await page.evaluate(async (address) => window.tests.playAll(address), server.address);
    await server.stop();
    expect(played.map(({ game }) => game)).toEqual([
      "citadels",
      "council_of_shadows",
      "santorini",
      "shadow_hunters",
      "under_falling_skies",
    ]);
    for (const { seats, winners, returns, gaps, seen } of played) {
      expect(returns).toHaveLength(seats);
      expect(winners.every((seat) => seat < seats)).toBe(true);
      expect(seen).toEqual(returns);
      expect(gaps).toEqual([]);
    }
  });

  test("sees status, message and details of each refusal", async () => {
    const server = await RealServer.start(["--store", "memory", "--watchers-per-session-max", "1"]);
    const seen = await page.evaluate(async (address) => window.tests.refusals(address), server.address);
    await server.stop();
    expect(seen).toHaveLength(refusals.length);
    for (const [index, { name, code, reason, fields = [], facts = [] }] of refusals.entries()) {
      expect({ name, ...seen[index]! }).toMatchObject({ name, code, reason, fields, facts });
      expect(seen[index]?.text).not.toBe("");
    }
  });

  test("sees each status code, of calls and of streams", async () => {
    const server = await Server.start();
    for (const code of Object.values(Code).filter((each) => typeof each === "number")) {
      server.table.refusal = refusal(code, `because of ${code}`, "INTERNAL");
      const seen = await page.evaluate(async (address) => window.tests.refused(address), server.addresses.web);
      expect(seen).toHaveLength(2);
      for (const each of seen) expect(each).toMatchObject({ code, reason: "INTERNAL", text: `because of ${code}` });
    }
    await server.stop();
  });

  test("comes back when its stream is cut", async () => {
    const server = await Server.start();
    server.table.cuts.set(1n, "connection").set(4n, "word");
    expect(await page.evaluate(async (address) => window.tests.playFake(address), server.addresses.web)).toEqual([0]);
    expect(server.table.watched).toHaveLength(3);
    expect(server.table.submitted.map(([decision]) => decision)).toEqual([1n, 3n, 5n]);
    expect(server.table.keys).toEqual(["key", "key"]);
    await server.stop();
  });

  test("may call from an origin that the server allows, and from no other", async () => {
    const call = async (origins: string) => {
      const server = await RealServer.start(["--store", "memory", "--web-origins", origins]);
      const seen = await page.evaluate(async (address) => window.tests.refused(address), server.address);
      await server.stop();
      return seen.map(({ code, reason }) => [code, reason]);
    };
    const answered = [Code.Unauthenticated, "TOKEN_REQUIRED"];
    expect(await call(origin)).toEqual([answered, answered]);
    expect(await call("http://elsewhere.example")).toEqual([
      [Code.Unavailable, ""],
      [Code.Unavailable, ""],
    ]);
  });
});
