import { afterAll, beforeAll, expect, it } from "vitest";

import { runScript } from "../../jobs/commands/launch/script.ts";
import { listMigrationNames } from "../../shared/ops/schema.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { createEmptyDatabase } from "../support/database/database.ts";
import { queryOnce } from "../support/database/query-once.ts";
import { makeReleaseWithMigration } from "../support/service/other-releases.ts";
import { toProjectPath } from "../support/service/processes.ts";
import type { Release } from "../support/service/release.ts";
import { testEnvironment } from "../support/service/server.ts";

let releases: Release[] = [];
beforeAll(() => {
  releases = [1, 2, 3].map(makeReleaseWithMigration);
});
afterAll(() => {
  for (const release of releases) release.remove();
});

const rounds = Number(process.env["RACE_ROUNDS"] ?? 2);
const cases = [2, 3].flatMap((count) =>
  Array.from({ length: rounds }, (_, round) => ({ count, round: round + 1 })),
);

it.each(cases)(
  "$count releases that start at once on an empty database all succeed (round $round)",
  async ({ count }) => {
    const database = await createEmptyDatabase();
    const chosen = releases.slice(0, count);
    await Promise.all(
      chosen.map(({ folder }) =>
        runScript(
          {
            name: "release",
            file: toProjectPath(folder, "jobs/commands/migrate.ts"),
            environment: testEnvironment(database.url),
          },
          new AbortController().signal,
        ),
      ),
    );
    const names = async (sql: string) =>
      (await queryOnce<{ name: string }>(database.url, sql, [])).map(({ name }) => name);
    const added = chosen.map((_, place) => place + 1);
    expect(await names("select name from migrations order by 1")).toEqual([
      ...(await listMigrationNames()),
      ...added.map((number) => `999${number}-next`),
    ]);
    expect((await names("select name from pgboss.queue")).toSorted()).toEqual(
      expect.arrayContaining([
        ...Object.keys(queues),
        ...added.map((number) => `surveys.n${number}`),
      ]),
    );
    const triggers = "select tgname as name from pg_trigger where tgname = 'keep_paused_jobs'";
    expect(new Set(await names(triggers))).toEqual(new Set(["keep_paused_jobs"]));
    await database.drop();
  },
);
