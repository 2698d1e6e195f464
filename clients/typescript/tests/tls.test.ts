/** Over TLS, with certificates made for the occasion. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import * as http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Code, connect, type ConnectSettings } from "tavola";

import { Table } from "./fake.js";

let folder: string;
let server: http2.Http2SecureServer;
let address: string;
const read = (name: string) => readFileSync(join(folder, name));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tavola-tls-"));
  for (const name of ["localhost", "player"]) {
    const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
    const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
    const command = [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
    ];
    execFileSync("openssl", [...command, ...files, ...subject], { cwd: folder, stdio: "pipe" });
  }
  const { routes } = new Table(() => undefined, []);
  const certificates = { key: read("localhost.key"), cert: read("localhost.pem"), ca: read("player.pem") };
  const settings = { ...certificates, requestCert: true, rejectUnauthorized: true };
  server = http2.createSecureServer(settings, connectNodeAdapter({ routes }));
  server.listen(0, "localhost");
  await once(server, "listening");
  address = `localhost:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  const closed = once(server, "close");
  server.close();
  await closed;
  rmSync(folder, { recursive: true });
});

/** The number of games that a client with these settings is told of. */
async function games(at: string, tls: ConnectSettings["tls"]): Promise<number> {
  const client = connect(at, { tls, patienceMs: 0 });
  try {
    return (await client.games()).length;
  } finally {
    client.close();
  }
}

test("a player with a certificate, and a server with another, trust each other", async () => {
  const tls = { ca: read("localhost.pem"), cert: read("player.pem"), key: read("player.key") };
  expect(await games(address, tls)).toBe(3);
  expect(await games(`https://${address}`, tls)).toBe(3);
});

test("a server that nobody vouches for is not trusted", async () => {
  const tls = { cert: read("player.pem"), key: read("player.key") };
  await expect(games(`https://${address}`, tls)).rejects.toMatchObject({ code: Code.Unavailable });
  await expect(games(`https://${address}`, undefined)).rejects.toMatchObject({ code: Code.Unavailable });
});

test("a player without a certificate is not let in", async () => {
  await expect(games(address, { ca: read("localhost.pem") })).rejects.toMatchObject({ code: Code.Unavailable });
});
