import { version } from "../../../shared/platform/process/version.ts";
import { makeRelease, type Release } from "./release.ts";

export const nextVersion = "99.0.0";

/**
 * Makes a next release with the additions that a release may make: fields, phases, queues and
 * groups of queues.
 */
export const makeNextRelease = (): Release =>
  makeRelease(
    {
      "package.json": [[`"version": "${version}"`, `"version": "${nextVersion}"`]],
      "shared/platform/queue/queue-spec.ts": [
        [`"push", "events"] as const`, `"push", "events", "surveys"] as const`],
      ],
      "shared/platform/queue/queues.ts": [
        [`approve: Joi.boolean(),`, `approve: Joi.boolean(), preview: Joi.boolean(),`],
        [
          `"imports.atlas": importQueue,`,
          `"imports.atlas": importQueue,
           "surveys.houses": defineQueue({ group: "surveys", payload: emptyPayload, cron: "* * * * *" }),`,
        ],
      ],
      "jobs/registry.ts": [
        [
          `"imports.atlas": importAtlasJob,`,
          `"imports.atlas": importAtlasJob,
           "surveys.houses": { queue: "surveys.houses", run: async () => ({ status: "surveyed" }) },`,
        ],
      ],
      // The job's payload has an additional field in the new release.
      "shared/imports/runs/request-import.ts": [
        [`{ ...flags }, { id: jobId`, `{ ...flags, preview: false }, { id: jobId`],
      ],
      // The new release reports an additional phase of an import, and adds a field to its result and its record.
      "shared/shard/atlas/import/refresh.ts": [
        [
          `await run.report("swap", 0);`,
          `await run.report("proof", 1, 2); await run.report("swap", 0);`,
        ],
        [
          `reason: describeLeftOut(source.tree),`,
          `reason: describeLeftOut(source.tree), proven: true,`,
        ],
      ],
      "shared/shard/atlas/import/store.ts": [
        [`sources: files, kind, era }`, `sources: files, kind, era, proven: true }`],
      ],
      "shared/shard/clilocs/refresh.ts": [
        [
          `await run.report("swap", 0);`,
          `await run.report("proof", 1, 2); await run.report("swap", 0);`,
        ],
        [
          `{ ...found, status: "imported", ...accepted }`,
          `{ ...found, status: "imported", proven: true, ...accepted }`,
        ],
      ],
    },
    {
      "migrations/9999-next.ts": `
        const tables = ["import_runs", "imported_sources", "job_progress", "processes", "clilocs", "settings",
          "activity_log", "atlas_state", "atlas_facets", "atlas_regions", "atlas_rects", "atlas_spawners",
          "atlas_entries", "atlas_creatures"];
        export const up = async (queries) => {
          for (const table of tables) {
            await queries.sequelize.query(\`alter table \${table} add column proven boolean not null default false\`);
          }
        };
        export const down = async () => {};`,
    },
  );

/** Makes a release with one additional migration and one additional queue. */
export const makeReleaseWithMigration = (number: number): Release =>
  makeRelease(
    {
      "shared/platform/queue/queues.ts": [
        [
          `"imports.atlas": importQueue,`,
          `"imports.atlas": importQueue,
           "surveys.n${number}": defineQueue({ group: "upkeep", payload: emptyPayload, partition: true }),`,
        ],
      ],
      "jobs/registry.ts": [
        [
          `"imports.atlas": importAtlasJob,`,
          `"imports.atlas": importAtlasJob,
           "surveys.n${number}": { queue: "surveys.n${number}", run: async () => null },`,
        ],
      ],
    },
    {
      [`migrations/999${number}-next.ts`]: `
        export const up = (queries) => queries.sequelize.query("create table next_${number} (id integer)");
        export const down = (queries) => queries.sequelize.query("drop table next_${number}");`,
    },
  );

/** Makes a release that begins a slow answer after three instead of twenty seconds. */
export const makeImpatientRelease = (): Release =>
  makeRelease(
    { "api/shard/answer-import.ts": [["plainWaitMs = 20_000", "plainWaitMs = 3_000"]] },
    {},
  );
