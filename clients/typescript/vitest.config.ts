import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

// The tests speak of the package by its name and get its sources; package.test.ts tries what is shipped.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^tavola$/, replacement: source("index.ts") },
      { find: /^tavola\/(web|v1)$/, replacement: source("$1.ts") },
      { find: /^tavola\/(\w+)\/v1$/, replacement: source("gen/tavola/$1/v1/$1_pb.ts") },
    ],
  },
  test: { include: ["tests/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 30_000 },
});
