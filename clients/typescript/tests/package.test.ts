/** What the package ships, as a project sees it that has installed it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

const HERE = fileURLToPath(new URL("..", import.meta.url));

const PROGRAM = `
import { Code, connect, type Policy, type Reason, TavolaError, v1 } from "tavola";
import { connect as connectWeb } from "tavola/web";
import { Piece } from "tavola/santorini/v1";
import { Character } from "tavola/citadels/v1";
import { View } from "tavola/v1";

const stale: Reason = "STALE_DECISION";
const policy: Policy = async ({ legalActions }) => legalActions[0] ?? 0;
const build: Policy = () => ({
  game: { case: "santorini", value: { kind: { case: "build", value: { worker: 0, space: 1, piece: Piece.DOME } } } },
});
const client = connect("127.0.0.1:1", { patienceMs: 0 });
const error: unknown = await client.games().catch((thrown: unknown) => thrown);
console.log(error instanceof TavolaError && error.code === Code.Unavailable);
console.log(View === v1.View, Character.QUEEN > 0, typeof connectWeb, stale, [policy, build].length);
client.close();
`;

const SETTINGS = { module: "nodenext", target: "es2022", strict: true, types: ["node"], noEmitOnError: true };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tavola-package-"));
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "tavola"), { recursive: true });
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const packed = execFileSync("npm", pack, { cwd: HERE, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", join(folder, packed), "-C", join(modules, "tavola"), "--strip-components=1"]);
  for (const scope of ["@bufbuild", "@connectrpc", "@types"]) {
    symlinkSync(join(HERE, "node_modules", scope), join(modules, scope));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: SETTINGS }));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

test("its types and its code agree with what the README promises", () => {
  const compiler = join(HERE, "node_modules", "typescript", "bin", "tsc");
  expect(execFileSync(process.execPath, [compiler], { cwd: folder, encoding: "utf8" })).toBe("");
  const printed = execFileSync(process.execPath, ["program.js"], { cwd: folder, encoding: "utf8" });
  expect(printed).toBe("true\ntrue true function STALE_DECISION 2\n");
});

test("it ships no more than it has to", () => {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: HERE,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  const others = files.map(({ path }) => path).filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path));
  expect(others.sort()).toEqual(["README.md", "package.json"]);
});
