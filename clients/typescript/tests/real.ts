/** Real servers, started for the occasion from the binary that TAVOLA_SERVER_BINARY names. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

import { describe } from "vitest";

const READY = "listening on http://";
const named = process.env.TAVOLA_SERVER_BINARY;

/** Describes what needs a real server: without one it is skipped or, where CI is set, fails. */
export const describeReal = describe.skipIf(!named && !process.env.CI);

/** A real server on any free port, or on that of one before. */
export class RealServer {
  private constructor(
    /** Where it listens: `HOST:PORT`. */
    readonly address: string,
    private readonly process: ChildProcess,
  ) {}

  /** The path of the binary. */
  static get binary(): string {
    if (!named) throw new Error("set TAVOLA_SERVER_BINARY to the path of a server's binary");
    return resolve(named);
  }

  /** Starts one with these flags. */
  static async start(flags: string[] = ["--store", "memory"], address = "127.0.0.1:0"): Promise<RealServer> {
    const child = spawn(RealServer.binary, ["--listen", address, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith(READY)) return new RealServer(line.slice(READY.length), child);
      child.kill();
      throw new Error(`the server says ${line} rather than where it listens`);
    }
    throw new Error("the server ended before it listened");
  }

  /** Ends it and waits until it has ended: by asking, or by killing it. */
  async stop(how: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, "exit");
    this.process.kill(how);
    await ended;
  }
}
