import path from "node:path";

import { literal, Op } from "sequelize";
import { afterAll, beforeAll, expect, it } from "vitest";

import type { ImportName } from "../../shared/imports/results/kinds.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { assetsOf, countHiddenSpawners, countStagedRows } from "../support/factories/imports.ts";
import { storeSetting } from "../support/factories/site.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { type Artwork, startArtwork } from "./artwork.ts";
import { newFolder, writeFiles } from "./import-test-site.ts";
import { regionsXml, regionXml, spawnsXml } from "./trees.ts";

/**
 * The imports of the shard. Maps are left out, because a map is a single picture without phases.
 */
const shardImports = [
  "atlas",
  "clilocs",
  "assets",
  "item-art",
] as const satisfies readonly ImportName[];
type ShardImport = (typeof shardImports)[number];

/** The phases of each import, in the order in which an attempt goes through them. */
const phases: Readonly<Record<ShardImport, readonly string[]>> = {
  atlas: ["source", "regions", "spawns", "bodies", "swap"],
  clilocs: ["source", "texts", "swap"],
  assets: ["source", "keys", "bodies", "images", "swap"],
  "item-art": ["source", "images"],
};

const routes: Readonly<Record<ShardImport, string>> = {
  atlas: "/admin/shard/atlas/import",
  clilocs: "/admin/shard/clilocs/import",
  assets: "/admin/shard/assets/import",
  "item-art": "/admin/shard/assets/warm",
};

let art: Artwork;
let worker: ChildProgram;
/** The visible data after all imports have succeeded. */
let loaded: Awaited<ReturnType<typeof shown>>;
const tree = newFolder();

beforeAll(async () => {
  art = await startArtwork({ hasWorker: false });
  await storeSetting(art.shard.server, "atlas_path", path.resolve(tree));
  await art.plantListings([[3_922, 0, 2]]);
  await writeTree(1);
  // An attempt sleeps when it reaches a phase in the table `halts`.
  await art.rows("create table halts (queue text, phase text)");
  await art.rows(`create function halt() returns trigger language plpgsql as '
    begin
      if exists (select from halts where halts.queue = new.queue and halts.phase = new.phase) then
        perform pg_sleep(600);
      end if;
      return new;
    end'`);
  await art.rows(
    "create trigger halt before insert on job_progress for each row execute function halt()",
  );
  worker = await startWorker();
  await finish(await askForAll(["atlas"]));
  await finish(await askForAll(["clilocs", "assets", "item-art"]));
  loaded = await shown();
});
afterAll(async () => {
  await worker.kill();
  await art.stop();
});

const writeTree = (spawners: number) =>
  writeFiles(tree, {
    "Data/Regions.xml": regionsXml({ Felucca: regionXml("Ash Hollow") }),
    "Spawns/felucca.xml": spawnsXml(
      ...Array.from({ length: spawners }, (_, at) => ({ id: `p${at}`, x: at })),
    ),
  });

const startWorker = () =>
  startProgram("worker", { database: art.shard.server.database, arguments: ["imports"] });

type Jobs = ReadonlyMap<ShardImport, string>;

async function askForAll(names: readonly ShardImport[]): Promise<Jobs> {
  const asked = names.map(async (name) => {
    const headers = { prefer: "respond-async" };
    const body = { force: true };
    const answered = await art.shard.as(art.admin, `POST ${routes[name]}`, { headers, body });
    return [name, (answered.body as { jobId: string }).jobId] as const;
  });
  return new Map(await Promise.all(asked));
}

interface Run {
  readonly kind: string;
  readonly status: string | null;
  readonly attempt: number;
}

async function readRuns(jobs: Jobs): Promise<Run[]> {
  const { ImportRun } = art.shard.server.context.models;
  const runs = await ImportRun.findAll({ where: { jobId: [...jobs.values()] }, order: ["kind"] });
  return runs.map(({ kind, result, attempt }) => {
    const status = (result?.["status"] as string | undefined) ?? null;
    return { kind, status, attempt };
  });
}

async function finish(jobs: Jobs): Promise<Run[]> {
  const isDone = async () => (await readRuns(jobs)).every(({ status }) => status !== null);
  await waitUntil(() => `every import is done\n${worker.said}`, isDone);
  return readRuns(jobs);
}

/** Returns the imported data that callers see. */
const shown = async () => ({
  atlas: await art.get("/public/atlas?facet=Felucca"),
  texts: await art.shard.server.context.models.Cliloc.findAll({ order: ["number"], raw: true }),
  pictures: await assetsOf(art.shard.server, { image: { [Op.not]: null } }),
});

const sleeping =
  "from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";

/** Changes the sources or the stored data, so that each import has something to do. */
async function leaveWork(round: number): Promise<void> {
  await writeTree(round + 2);
  const { Asset, Cliloc } = art.shard.server.context.models;
  await Cliloc.update({ text: literal("text || '.'") }, { where: {} });
  await Asset.update({ image: null }, { where: {} });
  await deleteAll(art.shard.server, "AssetImage", "ItemArt");
}

/** Returns the number of staged rows, which no caller sees. */
const countLeftovers = async () =>
  (await countStagedRows(art.shard.server, "asset_stage")) +
  (await countHiddenSpawners(art.shard.server));

const rounds = Math.max(...Object.values(phases).map(({ length }) => length));

it.each(Array.from({ length: rounds }, (_, round) => [round]))(
  "a worker killed in phase %i of every import changes nothing visible, and the next worker completes the imports",
  async (round) => {
    const halted = shardImports.filter((name) => phases[name][round] !== undefined);
    await leaveWork(round);
    const before = await shown();
    for (const name of halted) {
      await art.rows("insert into halts values ($1, $2)", [`imports.${name}`, phases[name][round]]);
    }
    const jobs = await askForAll(halted);
    await waitUntil(
      () =>
        `each stands still in ${halted.map((name) => phases[name][round]).join(", ")}\n${worker.said}`,
      async () => (await art.rows(`select ${sleeping}`)).length === halted.length,
    );
    await worker.kill();
    await expireWorkerHeartbeats(art.shard.server);
    await art.rows("delete from halts");
    await art.rows(`select pg_terminate_backend(pid) ${sleeping}`);
    expect(await shown()).toEqual(before);
    worker = await startWorker();
    const expected = halted.map((kind) => ({ kind, status: "imported", attempt: 2 }));
    expect((await finish(jobs)).toSorted(byKind)).toEqual(expected.toSorted(byKind));
    const after = await shown();
    expect(after.atlas).toMatchObject({ total: round + 2 });
    expect(after.texts).toEqual(halted.includes("clilocs") ? loaded.texts : before.texts);
    const withItems = halted.includes("item-art");
    expect(after.pictures).toEqual(
      loaded.pictures.filter(({ family }) => family !== "item" || withItems),
    );
    await waitUntil("nothing is left of any attempt", async () => (await countLeftovers()) === 0);
  },
);

const byKind = (one: { kind: string }, other: { kind: string }): number =>
  one.kind.localeCompare(other.kind);
