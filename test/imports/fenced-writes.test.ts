import { rmSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { jobs } from "../../jobs/registry.ts";
import { importKinds, type ImportName, importNames } from "../../shared/imports/results/kinds.ts";
import type { ImportFlags } from "../../shared/platform/queue/queues.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { queryOnce } from "../support/database/query-once.ts";
import { query } from "../support/database/query.ts";
import { buildImportRun } from "../support/factories/ops.ts";
import { storeSetting } from "../support/factories/site.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";
import { type Artwork, startArtwork } from "./artwork.ts";
import { newFolder, writeFiles } from "./import-test-site.ts";
import { servuoTree, servuoTreeWithoutMalas } from "./trees.ts";

/**
 * Makes the database record each write of a row. The record tells whether the transaction holds a lock on
 * `import_runs`, and whether the row is staged, so that only the import reads it.
 */
const watchWrites = `
  create schema watch;
  create table watch.writes (table_name text not null, is_held boolean not null, is_staged boolean not null);
  create function watch.note_write() returns trigger language plpgsql as $$
  declare written jsonb := to_jsonb(coalesce(new, old));
  begin
    insert into watch.writes values (
      tg_table_name,
      exists (select from pg_locks where pid = pg_backend_pid() and relation = 'import_runs'::regclass
        and mode in ('RowShareLock', 'RowExclusiveLock')),
      written ? 'stage' or written ? 'generation' and tg_table_name <> 'atlas_state'
        and (written ->> 'generation')::integer <> (select generation from atlas_state));
    return null;
  end $$;
  do $$ declare name text; begin
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition loop
      execute format('create trigger note_write after insert or update or delete on %I
        for each row execute function watch.note_write()', name);
    end loop;
  end $$`;

/** Tables that an import may write without a lock on its run, by reason. */
const unfenced: Readonly<Record<string, string>> = {
  survival_ledger:
    "the entry of an order to a game server, under the job's id: no attempt writes over another's success",
};

const { start, stopAll } = createSurvivalSimulatorPool();
const tree = newFolder();
let art: Artwork;
let game: SurvivalSimulator;
let serverId: number;

beforeAll(async () => {
  [art, game] = await Promise.all([startArtwork({ hasWorker: false }), start({ clock: Date.now })]);
  const { server } = art.shard;
  await writeFiles(tree, servuoTree);
  await storeSetting(server, "atlas_path", path.resolve(tree));
  serverId = (await linkSurvivalServer(server, game)).id;
  const ingest = await startSurvivalIngest(server.context);
  await waitUntil(
    "the world is known",
    async () => (await server.context.models.SurvivalWipe.count()) > 0,
  );
  await ingest.stop();
  await art.plantListings([[3922, 1153, 1]]);
  await queryOnce(server.database.url, watchWrites);
});
afterAll(async () => {
  await art.stop();
  await stopAll();
  rmSync(tree, { recursive: true });
});

interface Write {
  readonly table: string;
  readonly isHeld: boolean;
  readonly isStaged: boolean;
}

/**
 * Runs an attempt of an import.
 * @returns its result, and the tables that it wrote with and without the lock
 */
async function run(name: ImportName, flags: ImportFlags) {
  const { server } = art.shard;
  await query(server, "delete from watch.writes");
  const subject = flags.serverId ?? null;
  const { jobId } = await buildImportRun(server, { kind: name, subject, flags: { ...flags } });
  const attempt = { jobId, signal: new AbortController().signal };
  const job = jobs[importKinds[name].queue];
  const result = await job.run(flags, server.context, attempt);
  const writes = await query<Write>(
    server,
    `select distinct table_name as "table", is_held as "isHeld", is_staged as "isStaged"
     from watch.writes order by 1`,
  );
  const tables = writes.filter(({ isHeld }) => isHeld).map(({ table }) => table);
  return {
    result,
    held: tables,
    unheld: writes
      .filter(({ isHeld, isStaged }) => !isHeld && !isStaged)
      .map(({ table }) => table)
      .filter((table) => unfenced[table] === undefined),
  };
}

/** For each import: the flags of a run, its result, and a table that it writes with the lock. */
const cases: Readonly<
  Record<
    ImportName,
    { readonly flags: () => ImportFlags; readonly status: string; readonly table: string }
  >
> = {
  atlas: { flags: () => ({ force: true }), status: "imported", table: "atlas_state" },
  clilocs: { flags: () => ({ force: true }), status: "imported", table: "clilocs" },
  assets: { flags: () => ({ force: true }), status: "imported", table: "assets" },
  "item-art": { flags: () => ({ force: true }), status: "imported", table: "item_art" },
  map: { flags: () => ({ serverId }), status: "fetched", table: "survival_map_images" },
  "map-render": { flags: () => ({ serverId }), status: "queued", table: "import_runs" },
};

describe("an import's writes outside its staging tables", () => {
  it.each(importNames)("happen only while its attempt holds the run: %s", async (name) => {
    const { flags, status, table } = cases[name];
    const { result, held, unheld } = await run(name, flags());
    expect(result).toMatchObject({ status });
    expect(held).toEqual(expect.arrayContaining(["import_runs", table]));
    expect(unheld).toEqual([]);
  });

  it("happen only while its attempt holds the run, even if it requests and withdraws a review", async () => {
    await run("atlas", { force: true });
    await writeFiles(tree, servuoTreeWithoutMalas);
    const asked = await run("atlas", {});
    await writeFiles(tree, servuoTree);
    const withdrawn = await run("atlas", {});
    expect([asked, withdrawn]).toMatchObject([
      { result: { status: "needsReview" }, unheld: [] },
      { result: { status: "unchanged" }, unheld: [] },
    ]);
    expect(withdrawn.held).toContain("atlas_state");
  });
});
