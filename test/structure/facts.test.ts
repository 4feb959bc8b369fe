import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { pushStreamNames, streamOf } from "../../shared/facts/streams.ts";
import { triggers } from "../../shared/facts/triggers.ts";
import { kindNames } from "../../shared/shard/kinds/kinds.ts";
import { notificationRoutes } from "../../shared/survival/notifications/registrations.ts";

const root = path.join(import.meta.dirname, "../..");

const textOf = (folder: string): string =>
  globSync(`shared/${folder}/**/*.ts`, { cwd: root })
    .map((file) => readFileSync(path.join(root, file), "utf8"))
    .join("\n");

const tellers = ["content", "shard", "survival", "events", "appeals"] as const;
const texts = new Map(tellers.map((teller) => [teller, textOf(teller)]));

describe("the catalog of facts (the push streams and triggers of the domains)", () => {
  it.each(pushStreamNames)(
    "assigns the push stream %s to a domain whose code contains its name",
    (stream) => {
      expect(texts.get(streamOf(stream).toldBy)).toContain(`"${stream}"`);
    },
  );

  it("has shard triggers that are event kinds, and survival triggers that are registered", () => {
    const of = (owner: string) => triggers.filter((one) => one.owner === owner).map(({ id }) => id);
    expect(kindNames).toEqual(expect.arrayContaining(of("shard")));
    expect(Object.keys(notificationRoutes).toSorted()).toEqual(of("survival").toSorted());
  });

  it("has its facts published by one file only, the only caller of announce and emitTriggers", () => {
    const importers = globSync("{api,jobs,shared}/**/*.ts", { cwd: root }).filter((file) =>
      /^import \{[^}]*(?<!type )\b(?:announce|emitTriggers)\b/m.test(
        readFileSync(path.join(root, file), "utf8"),
      ),
    );
    expect(importers).toEqual(["shared/facts/publish-facts.ts"]);
  });
});
