import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Op, type WhereOptions } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AtlasRegion as Region } from "../../models/atlas/atlas-region.ts";
import type { CreatureBodyAnswer } from "../../shared/shard/calls/body-calls.ts";
import { startCallServer } from "../bridge/call-server.ts";
import { query } from "../support/database/query.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { startProgram } from "../support/service/processes.ts";
import { linkSimulator } from "../support/shard/ingest.ts";
import { type ImportTestSite, startImportTestSite } from "./import-test-site.ts";

/**
 * The folder next to the project for data of real servers. Their licenses forbid copies in this repository, so
 * the tests run only if the folder exists.
 */
const data = path.join(import.meta.dirname, "../../../shared/data");
const isThere = existsSync(data);
if (!isThere) {
  process.stderr.write(
    `\nNO REAL TREES: ${data} is absent, test/imports/real-trees.test.ts checks nothing\n`,
  );
}

let ground: ImportTestSite;

(isThere ? describe : describe.skip)("the trees of real servers", () => {
  beforeAll(async () => {
    ground = await startImportTestSite();
  });
  afterAll(() => ground.stop());

  const refreshFrom = async (folder: string, flags: object = {}): Promise<unknown> => {
    await ground.ask("PUT /admin/shard/atlas/path", { path: path.resolve(data, folder) });
    return (await ground.ask("POST /admin/shard/atlas/import", flags)).body;
  };

  const facet = (
    regions: number,
    rects: number,
    spawners: number,
    [entries, total]: [number, number],
  ) => ({
    regions,
    rects,
    spawners,
    entries,
    total,
  });

  it("yield exact counts for ServUO", async () => {
    expect(await refreshFrom("servuo")).toMatchObject({
      status: "imported",
      counts: {
        facets: 6,
        regions: 439,
        rects: 1_180,
        spawners: 6_717,
        entries: 24_810,
        creatures: 821,
        files: 21,
        skipped: 0,
        regionSpawns: 50,
        perFacet: {
          Felucca: facet(128, 455, 2_421, [10_106, 17_301]),
          Trammel: facet(156, 482, 2_809, [11_223, 19_421]),
          Ilshenar: facet(73, 107, 514, [1_001, 2_218]),
          Malas: facet(24, 35, 251, [670, 1_305]),
          Tokuno: facet(6, 8, 476, [1_279, 2_396]),
          TerMur: facet(52, 93, 246, [531, 1_801]),
        },
      },
    });
  });

  it("are stored for ServUO as they were counted, with each spawner in its region", async () => {
    const { AtlasEntry, AtlasRegion, AtlasSpawner } = ground.server.context.models;
    const outside = await AtlasSpawner.count({ where: { region: null }, group: ["facet"] });
    expect(outside.toSorted((one, next) => next.count - one.count)).toEqual([
      { facet: "Trammel", count: 964 },
      { facet: "Felucca", count: 939 },
      { facet: "Tokuno", count: 427 },
      { facet: "Ilshenar", count: 174 },
      { facet: "TerMur", count: 76 },
      { facet: "Malas", count: 69 },
    ]);
    const places = await query(
      ground.server,
      `select facet || '/' || region as place, count(distinct spawner.id) as spawners,
         count(distinct type_key) as types
       from atlas_spawners spawner left join atlas_entries entry
         on entry.generation = spawner.generation and entry.spawner_id = spawner.id
       where region is not null group by 1 order by 2 desc, 1`,
    );
    expect(places).toHaveLength(226);
    expect(places.slice(0, 6)).toEqual([
      { place: "Trammel/Shame", spawners: 265, types: 39 },
      { place: "Felucca/Shame", spawners: 211, types: 38 },
      { place: "Trammel/Hythloth", spawners: 130, types: 16 },
      { place: "Trammel/Britain", spawners: 105, types: 110 },
      { place: "Felucca/Britain", spawners: 101, types: 105 },
      { place: "Trammel/Despise", spawners: 94, types: 16 },
    ]);
    const levels = await AtlasRegion.count({ group: ["level"] });
    expect(new Map(levels.map(({ level, count }) => [level, count]))).toEqual(
      new Map([
        [0, 303],
        [1, 111],
        [2, 12],
        [3, 12],
        [4, 1],
      ]),
    );
    const regionsWhere = (where: WhereOptions<Region>) => AtlasRegion.count({ where });
    expect({
      nameless: await regionsWhere({ name: null }),
      plain: await regionsWhere({ type: null }),
      go: await regionsWhere({ go: { [Op.not]: null } }),
      entrances: await regionsWhere({ entrance: { [Op.not]: null } }),
    }).toEqual({ nameless: 52, plain: 235, go: 340, entrances: 61 });
    expect(await AtlasEntry.count({ distinct: true, col: "type" })).toBe(1_183);
    expect(await AtlasSpawner.count({ where: { z: { [Op.lt]: 0 } } })).toBe(1_510);
  });

  it("get the body ids of creatures from the shard, as the server's scripts define them", async () => {
    const bodies = JSON.parse(
      readFileSync(path.join(data, "servuo/creature-bodies.json"), "utf8"),
    ) as Readonly<Record<string, { readonly body: number | null }>>;
    const known = new Map(
      Object.entries(bodies).map(([type, { body }]) => [type.toLowerCase(), body]),
    );
    /**
     * Answers as the shard does: the spawner keyword `set` is an unknown type, and an item type is not a
     * creature.
     */
    const resolve = (type: string): CreatureBodyAnswer => {
      const body = known.get(type.toLowerCase());
      if (body === undefined) {
        return { type, status: type === "set" ? "unknown" : "notCreature", body: null };
      }
      return body === null ? { type, status: "failed", body } : { type, status: "ok", body };
    };
    const { context } = ground.server;
    const shard = await startCallServer();
    const asked: number[] = [];
    shard.answer(({ text }) => {
      const { types } = JSON.parse(text) as { types: string[] };
      asked.push(types.length);
      return { body: { answers: types.map(resolve) } };
    });
    const wsUrl = shard.baseUrl.replace("http", "ws");
    await linkSimulator({ baseUrl: shard.baseUrl, wsUrl, token: "token" }, context);
    await context.shard.reload();
    expect(await refreshFrom("servuo", { force: true })).toMatchObject({ status: "imported" });
    await changeSidecarLink({ context }, { enabled: false });
    await context.shard.reload();
    await shard.close();
    expect(asked).toEqual([500, 321]);
    const shown = context.models.AtlasCreature.scope("shown");
    const counted = await shown.count({ group: ["status"] });
    expect(new Map(counted.map(({ status, count }) => [status, count]))).toEqual(
      new Map([
        ["failed", 49],
        ["notCreature", 44],
        ["ok", 776 - 49],
        ["unknown", 1],
      ]),
    );
    const camps = ["farmablecotton", "orccamp", "pumpkin", "treasurelevel1", "treasurelevel4"];
    const creatures = await shown.findAll({
      where: { typeKey: camps },
      attributes: ["typeKey", "status"],
      order: ["typeKey"],
      raw: true,
    });
    expect(creatures).toEqual(camps.map((typeKey) => ({ typeKey, status: "notCreature" })));
    expect(await shown.count({ distinct: true, col: "body" })).toBe(258);
    expect(await shown.max("body")).toBe(1_419);
  });

  it("yield exact counts for one era of ModernUO", async () => {
    // The facets are the same as in the previous import, so no review is needed.
    expect(await refreshFrom("modernuo")).toMatchObject({
      status: "imported",
      removedFacets: [],
      counts: {
        regions: 398,
        rects: 839,
        spawners: 5_536,
        entries: 23_578,
        perFacet: {
          Trammel: { regions: 145 },
          Felucca: { regions: 107 },
          Ilshenar: { regions: 72 },
          TerMur: { regions: 49, spawners: 160 },
          Malas: { regions: 20 },
          Tokuno: { regions: 5 },
        },
      },
    });
    expect((await ground.ask("GET /admin/shard/atlas")).body).toMatchObject({
      drift: false,
      tree: {
        kind: "modernuo",
        era: "post-uoml",
        folders: ["Distribution/Data/Spawns"],
        leftOut: [{ path: "Distribution/Data/Spawns/uoml", files: 9 }],
      },
    });
  });

  /** Copies the files of ServUO, so that a test can change them. */
  const copyServuo = (name: string): string => {
    const copy = path.join(ground.folder, name);
    for (const part of ["Data/Regions.xml", "Spawns"]) {
      cpSync(path.join(data, "servuo", part), path.join(copy, part), { recursive: true });
    }
    return copy;
  };
  /** Changes the text of every XML file in a folder. */
  const rewrite = (folder: string, change: (text: string) => string): void => {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      if (name.endsWith(".xml")) writeFileSync(file, change(readFileSync(file, "utf8")));
    }
  };

  it("show a change if their regions are those of an older release, and are imported without a review", async () => {
    await refreshFrom("servuo", { force: true });
    const copy = copyServuo("older-regions");
    expect(await refreshFrom(copy)).toMatchObject({ status: "unchanged" });
    cpSync(path.join(data, "servuo-pub57/Data/Regions.xml"), path.join(copy, "Data/Regions.xml"));
    expect((await ground.ask("GET /admin/shard/atlas")).body).toMatchObject({
      readable: true,
      drift: true,
      loaded: { regions: 439 },
    });
    const regions = (count: number) => expect.objectContaining({ regions: count });
    expect(await refreshFrom(copy)).toMatchObject({
      status: "imported",
      addedFacets: [],
      removedFacets: [],
      counts: {
        regions: 456,
        rects: 1_197,
        spawners: 6_717,
        perFacet: {
          Felucca: regions(129),
          Trammel: regions(157),
          Ilshenar: regions(73),
          Malas: regions(39),
          Tokuno: regions(6),
          TerMur: regions(52),
        },
      },
    });
  });

  it("an import that would delete a facet needs a review, and a second review if the files change after a rejection", async () => {
    await refreshFrom("servuo", { force: true });
    const copy = copyServuo("without-termur");
    const regionsFolder = path.join(copy, "Data");
    rewrite(regionsFolder, (text) => text.replace(/<Facet name="TerMur">.*?<\/Facet>/s, ""));
    rewrite(path.join(copy, "Spawns"), (text) =>
      text.replaceAll(/<Points>(?:(?!<\/Points>).)*<Map>TerMur<\/Map>.*?<\/Points>/gs, ""),
    );
    const loss = {
      addedFacets: [],
      removedFacets: ["TerMur"],
      counts: { facets: 5, regions: 439 - 52, spawners: 6_717 - 246, entries: 24_810 - 531 },
    };
    const facets = async () =>
      ((await ground.ask("GET /public/atlas")).body as { facets: unknown[] }).facets.length;
    expect(await refreshFrom(copy)).toMatchObject({ status: "needsReview", ...loss });
    expect(await facets()).toBe(6);
    expect((await ground.ask("POST /admin/shard/atlas/reject")).body).toMatchObject({
      status: "rejected",
      ...loss,
    });
    expect(await refreshFrom(copy)).toMatchObject({ status: "rejected", ...loss });
    rewrite(regionsFolder, (text) => `${text}\n`);
    expect(await refreshFrom(copy)).toMatchObject({ status: "needsReview", ...loss });
    expect(await facets()).toBe(6);
    expect((await ground.ask("POST /admin/shard/atlas/approve")).body).toMatchObject({
      status: "imported",
      ...loss,
    });
    expect(await facets()).toBe(5);
    expect((await ground.ask("GET /public/atlas?facet=TerMur")).status).toBe(404);
  });

  it("make the import answer NO_SPAWNS if a tree has regions but no spawners", async () => {
    expect(await refreshFrom("servuo-pub57")).toMatchObject({
      status: "unavailable",
      code: "NO_SPAWNS",
    });
    expect((await ground.ask("GET /admin/shard/atlas")).body).toMatchObject({
      readable: false,
      drift: null,
    });
  });

  it("are imported in less than 250 MiB of a worker's memory", async () => {
    await ground.stopWorker();
    const { database } = ground.server;
    const program = await startProgram("worker", { database, arguments: ["imports"] });
    try {
      expect(await refreshFrom("servuo", { force: true })).toMatchObject({ status: "imported" });
      const peak = /VmHWM:\s+(\d+) kB/.exec(
        readFileSync(`/proc/${program.pid}/status`, "utf8"),
      )?.[1];
      process.stderr.write(
        `peak of a worker that imported 10.8 MB of spawns: ${Math.round(Number(peak) / 1024)} MiB\n`,
      );
      expect(Number(peak) / 1024).toBeLessThan(250);
    } finally {
      await program.stop();
    }
  });
});
