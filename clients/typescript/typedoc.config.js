import { OptionDefaults } from "typedoc";

/** @type {Partial<import("typedoc").TypeDocOptions>} */
export default {
  name: "tavola",
  entryPoints: ["src/index.ts", "src/web.ts", "src/gen/tavola/*/v1/*_pb.ts"],
  out: "docs",
  tsconfig: "tsconfig.build.json",
  excludePrivate: true,
  // The generator's word for where in proto/ something comes from.
  blockTags: [...OptionDefaults.blockTags, "@generated"],
  excludeTags: [...OptionDefaults.excludeTags, "@generated"],
  validation: { notExported: true, invalidLink: true },
  treatWarningsAsErrors: true,
};
