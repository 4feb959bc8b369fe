import path from "node:path";

import { describe, expect, it } from "vitest";

import { findUpwardImports, readSharedImports } from "./domain-order.ts";

describe("the order of domains", () => {
  it("is violated by an import of a later domain or an unknown folder, and by no other import", () => {
    const down = { from: "shard/kinds/kinds.ts", to: "platform/errors/errors.ts" };
    const within = { from: "shard/kinds/kinds.ts", to: "shard/kinds/houses.ts" };
    const up = { from: "auth/users/users.ts", to: "events/vocabulary.ts" };
    const unknown = { from: "shard/kinds/kinds.ts", to: "helpers/texts.ts" };
    expect(findUpwardImports([down, within, up, unknown])).toEqual([up, unknown]);
  });

  it("is respected by every import of the project, types included", () => {
    const imports = readSharedImports(path.join(import.meta.dirname, "../.."));
    expect(imports).toContainEqual({
      from: "push/dispatch/dispatch.ts",
      to: "shard/market/filters.ts",
    });
    expect(findUpwardImports(imports)).toEqual([]);
  });
});
