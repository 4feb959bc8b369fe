import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { truncate } from "node:fs/promises";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

import { type ImportRun, type ImportWork, runImport } from "../../shared/imports/run-import.ts";
import { SourceFault } from "../../shared/imports/source-fault.ts";
import { refreshAtlas } from "../../shared/shard/atlas/refresh.ts";
import { atlasCodeOf, nothingPending } from "../../shared/shard/atlas/result.ts";
import { call } from "../support/call.ts";
import { signIn } from "../support/sign-in.ts";
import { type Files, type ImportGround, startImportGround, writeFiles } from "./ground.ts";
import {
  modernuoTree,
  oldModernuoTree,
  regionsXml,
  regionXml,
  runuoTree,
  servuoTree,
  servuoTreeWithoutMalas,
  spawnsXml,
} from "./trees.ts";

let ground: ImportGround;
let tree: string;
let trees = 0;

beforeAll(async () => {
  ground = await startImportGround();
});
afterAll(() => ground.stop());

beforeEach(async () => {
  await forget();
  tree = await newTree(servuoTree);
});

/** As if nothing had ever been imported. */
async function forget(): Promise<void> {
  const { sequelize } = ground.server.context;
  await sequelize.query(`
    update atlas_state set generation = 0, pending = null, pending_status = null, pending_fingerprint = null;
    delete from imported_sources; delete from atlas_facets; delete from settings`);
}

async function newTree(files: Files): Promise<string> {
  const root = path.join(ground.folder, `tree-${(trees += 1)}`);
  mkdirSync(root);
  await writeFiles(root, files);
  return root;
}

const setPath = async (to: string): Promise<unknown> =>
  (await ground.ask("PUT /admin/shard/atlas/path", { path: to })).body;
const refresh = async (flags: object = {}): Promise<unknown> =>
  (await ground.ask("POST /admin/shard/atlas/import", flags)).body;
const status = async (): Promise<unknown> => (await ground.ask("GET /admin/shard/atlas")).body;
/** Signed in: anonymous callers may be answered what held a moment ago. */
const read = (query = "") => ground.ask(`GET /public/atlas${query}`);

const counts = {
  facets: 2,
  regions: 2,
  rects: 2,
  spawners: 2,
  entries: 3,
  creatures: 2,
  files: 3,
  skipped: 0,
  warnings: 0,
  perFacet: {
    Felucca: { regions: 1, rects: 1, spawners: 1, entries: 2, total: 3 },
    Malas: { regions: 1, rects: 1, spawners: 1, entries: 1, total: 3 },
  },
};

describe("an import from a tree", () => {
  it("says exactly what it read, and that it is unchanged the next time", async () => {
    await setPath(tree);
    const whole = { source: "fs", path: tree, code: null, reason: null, counts, removedFacets: [] };
    expect(await refresh()).toEqual({
      ...whole,
      status: "imported",
      addedFacets: ["Felucca", "Malas"],
    });
    expect(await refresh()).toEqual({ ...whole, status: "unchanged", addedFacets: [] });
    expect(await refresh({ force: true })).toEqual({
      ...whole,
      status: "imported",
      addedFacets: [],
    });
  });

  it("is known to the planner before it is joined, which else would join it row by row", async () => {
    const { sequelize } = ground.server.context;
    await setPath(tree);
    await refresh();
    // As the database does by itself a while after an import: the next one is of another generation.
    await sequelize.query("analyze");
    expect(await refresh({ force: true })).toMatchObject({ status: "imported" });
    const [known] = await sequelize.query(
      `select tablename from pg_stats, atlas_state
       where tablename in ('atlas_regions', 'atlas_rects', 'atlas_spawners', 'atlas_entries')
         and attname = 'generation' and generation = any (most_common_vals::text::integer[])`,
    );
    expect(known).toHaveLength(4);
  });

  it("shows in the status what is loaded, and the drift of a changed tree", async () => {
    const before = {
      source: "fs",
      path: tree,
      readable: true,
      problem: null,
      code: null,
      drift: true,
      pending: null,
    };
    const none = {
      facets: 0,
      regions: 0,
      spawners: 0,
      creatures: 0,
      importedAt: null,
      sources: [],
      kind: null,
      era: null,
    };
    expect(await setPath(tree)).toEqual({ ...before, loaded: none });
    await refresh();
    const stamp = (name: string) => ({
      path: name,
      size: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const loaded = {
      facets: 2,
      regions: 2,
      spawners: 2,
      creatures: 2,
      importedAt: expect.stringMatching(/Z$/),
      sources: ["Data/Regions.xml", "Spawns/Malas/deep.xml", "Spawns/felucca.xml"].map(stamp),
      kind: "servuo",
      era: null,
    };
    expect(await status()).toEqual({ ...before, drift: false, loaded });
    await writeFiles(tree, { "Spawns/felucca.xml": spawnsXml({ id: "other" }) });
    expect(await status()).toEqual({ ...before, loaded });
  });

  it.each([
    [
      "ModernUO",
      modernuoTree,
      { regions: 2, spawners: 2, files: 3 },
      { kind: "modernuo", era: "post-uoml" },
    ],
    [
      "ModernUO's older generation",
      oldModernuoTree,
      { regions: 2, spawners: 1, files: 2 },
      { kind: "modernuo", era: null },
    ],
    [
      "RunUO with Nerun's maps",
      runuoTree,
      { regions: 2, spawners: 3, files: 2, skipped: 1 },
      { kind: "runuo", era: null },
    ],
  ])("reads %s", async (_, files, expected, loaded) => {
    await setPath(await newTree(files));
    expect(await refresh()).toMatchObject({ status: "imported", counts: expected });
    expect(await status()).toMatchObject({ loaded });
  });

  it("finds the one tree below the path", async () => {
    const parent = path.join(ground.folder, "below");
    await writeFiles(parent, { "notes.txt": "x", ".git/Data/Regions.xml": "<ServerRegions/>" });
    await writeFiles(path.join(parent, "server"), servuoTree);
    await setPath(parent);
    expect(await refresh()).toMatchObject({ status: "imported" });
  });
});

describe("a tree that cannot be read", () => {
  it("is told with a code of the contract, which has none for a file that may not be read", () => {
    expect(atlasCodeOf(new SourceFault("UNREADABLE", "it may not be read"))).toBe("NOT_FOUND");
    expect(atlasCodeOf(new SourceFault("MALFORMED", "it is no XML"))).toBe("MALFORMED");
  });

  const damaged: [name: string, files: Files, code: string][] = [
    ["no regions file", { "Spawns/a.xml": spawnsXml({}) }, "NO_REGIONS"],
    [
      "a regions file of another family",
      { ...servuoTree, "Data/Regions.xml": "<Other/>" },
      "NO_REGIONS",
    ],
    ["an empty regions file", { ...servuoTree, "Data/Regions.xml": "" }, "NO_REGIONS"],
    [
      "no region in it",
      { ...servuoTree, "Data/Regions.xml": regionsXml({ Malas: "" }) },
      "NO_REGIONS",
    ],
    [
      "no spawn files",
      { "Data/Regions.xml": regionsXml({ Malas: regionXml("Dusk") }) },
      "NO_SPAWNS",
    ],
    [
      "spawn files of another family",
      { ...servuoTreeWithoutMalas, "Spawns/felucca.xml": "<Spawners/>" },
      "NO_SPAWNS",
    ],
    [
      "no spawner in them",
      { ...servuoTreeWithoutMalas, "Spawns/felucca.xml": "<Spawns></Spawns>" },
      "NO_SPAWNS",
    ],
    [
      "a truncated file",
      { ...servuoTree, "Spawns/felucca.xml": spawnsXml({}).slice(0, -9) },
      "MALFORMED",
    ],
    [
      "a file that is not UTF-8",
      { ...servuoTree, "Spawns/felucca.xml": Buffer.from("<Spawns>\xff</Spawns>", "latin1") },
      "MALFORMED",
    ],
    [
      "an entity bomb",
      {
        ...servuoTree,
        "Spawns/felucca.xml": '<!DOCTYPE x [<!ENTITY a "aa">]><Spawns>&a;</Spawns>',
      },
      "MALFORMED",
    ],
  ];

  it.each(damaged)("answers 200 and unavailable: %s", async (_, files, code) => {
    const root = await newTree(files);
    await setPath(root);
    const answered = await ground.ask("POST /admin/shard/atlas/import");
    expect([answered.status, answered.body]).toEqual([
      200,
      {
        status: "unavailable",
        code,
        reason: expect.any(String),
        source: "fs",
        path: root,
        counts: null,
        addedFacets: [],
        removedFacets: [],
      },
    ]);
  });

  it("tells a path that is absent, a file or blank apart", async () => {
    for (const odd of ["/nowhere/at/all", path.join(tree, "Data/Regions.xml")]) {
      expect(await setPath(odd)).toMatchObject({
        readable: false,
        code: "NOT_FOUND",
        drift: null,
        path: odd,
      });
      expect(await refresh()).toMatchObject({ status: "unavailable", code: "NOT_FOUND" });
    }
    expect(await setPath("  ")).toMatchObject({ source: "bridge", path: null, code: "DISABLED" });
    expect(await refresh()).toMatchObject({
      status: "unavailable",
      code: "DISABLED",
      source: "bridge",
    });
  });

  it("refuses a file that is far too large without reading it", async () => {
    await truncate(path.join(tree, "Spawns/felucca.xml"), 2 ** 30);
    await setPath(tree);
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "TOO_LARGE" });
  });

  it("does not follow links out of the tree, and is not caught in a circle", async () => {
    const outside = await newTree(servuoTree);
    rmSync(path.join(tree, "Spawns"), { recursive: true });
    symlinkSync(path.join(outside, "Spawns"), path.join(tree, "Spawns"));
    await setPath(tree);
    expect(await refresh()).toMatchObject({ code: "NO_SPAWNS" });
    rmSync(path.join(tree, "Spawns"));
    await writeFiles(tree, {
      "Spawns/felucca.xml": spawnsXml({}),
      "Spawns/in/malas.xml": spawnsXml({ map: "Malas" }),
    });
    symlinkSync("..", path.join(tree, "Spawns/in/again"));
    symlinkSync("loop", path.join(tree, "Spawns/loop"));
    symlinkSync("Spawns", path.join(tree, "RevampedSpawns"));
    expect(await refresh()).toMatchObject({
      status: "imported",
      counts: {
        files: 3,
        spawners: 2,
        perFacet: { Felucca: { spawners: 1 }, Malas: { spawners: 1 } },
      },
    });
  });

  it("keeps what is loaded", async () => {
    await setPath(tree);
    await refresh();
    await writeFiles(tree, { "Spawns/felucca.xml": "<Spawns>" });
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "MALFORMED" });
    expect((await read("?facet=Felucca")).body).toMatchObject({ total: 1 });
  });
});

describe("a refresh that would lose a facet", () => {
  const loss = { addedFacets: [], removedFacets: ["Malas"], reason: "It would remove Malas" };

  beforeEach(async () => {
    await setPath(tree);
    await refresh();
    await writeFiles(tree, servuoTreeWithoutMalas);
  });

  it("is staged and not applied", async () => {
    expect(await refresh()).toMatchObject({ status: "needsReview", ...loss, code: null });
    expect(await refresh()).toMatchObject({ status: "needsReview", ...loss });
    expect(await status()).toMatchObject({
      drift: true,
      loaded: { facets: 2 },
      pending: {
        status: "pending",
        removedFacets: ["Malas"],
        addedFacets: [],
        counts: { facets: 1 },
      },
    });
    expect((await read("?facet=Malas")).body).toMatchObject({ total: 1 });
  });

  it("is applied when it is approved, the tree parsed anew", async () => {
    await refresh();
    await writeFiles(tree, { "Spawns/new.xml": spawnsXml({ id: "later", map: "Tokuno" }) });
    expect((await ground.ask("POST /admin/shard/atlas/approve")).body).toMatchObject({
      status: "imported",
      addedFacets: ["Tokuno"],
      removedFacets: ["Malas"],
      counts: { spawners: 2, skipped: 1 },
    });
    expect(await status()).toMatchObject({ drift: false, pending: null, loaded: { facets: 2 } });
    expect((await read("?facet=Malas")).status).toBe(404);
  });

  it("is not applied when it is rejected while its approval is being carried out", async () => {
    await refresh();
    const jobId = randomUUID();
    const { context } = ground.server;
    await context.sequelize.query(
      "insert into import_runs (job_id, kind, flags) values ($1, 'atlas', '{}')",
      { bind: [jobId] },
    );
    const { signal } = new AbortController();
    const approving: ImportWork = (run, given) => {
      const report: ImportRun["report"] = async (phase, done, total) => {
        await run.report(phase, done, total);
        if (phase === "swap") await ground.ask("POST /admin/shard/atlas/reject");
      };
      return refreshAtlas({ ...run, report }, given);
    };
    const run = { jobId, flags: { approve: true }, signal };
    expect(await runImport("atlas", run, approving, context)).toEqual(nothingPending);
    expect(await status()).toMatchObject({
      pending: { status: "rejected" },
      loaded: { facets: 2 },
    });
    expect((await read("?facet=Malas")).body).toMatchObject({ total: 1 });
    const [left] = await context.sequelize.query(
      `select from atlas_spawners, atlas_state
       where atlas_spawners.generation <> atlas_state.generation`,
    );
    expect(left).toEqual([]);
  });

  it("is remembered when it is rejected, until the tree changes", async () => {
    await refresh();
    const rejected = await ground.ask("POST /admin/shard/atlas/reject");
    expect([rejected.status, rejected.body]).toEqual([
      200,
      expect.objectContaining({
        status: "rejected",
        source: "fs",
        path: tree,
        removedFacets: ["Malas"],
      }),
    ]);
    expect(await status()).toMatchObject({
      pending: { status: "rejected" },
      loaded: { facets: 2 },
    });
    expect(await refresh()).toMatchObject({ status: "rejected", removedFacets: ["Malas"] });
    expect((await ground.ask("POST /admin/shard/atlas/reject")).status).toBe(404);
    expect((await ground.ask("POST /admin/shard/atlas/approve")).body).toMatchObject({
      status: "none",
    });
    await writeFiles(tree, { "Spawns/felucca.xml": spawnsXml({ id: "fel" }, { id: "more" }) });
    expect(await refresh()).toMatchObject({ status: "needsReview", ...loss });
    expect(await status()).toMatchObject({ pending: { status: "pending" } });
  });

  it("is forgotten when the tree comes back", async () => {
    await refresh();
    await writeFiles(tree, servuoTree);
    expect(await refresh()).toMatchObject({ status: "unchanged" });
    expect(await status()).toMatchObject({ pending: null });
  });

  it("has nothing to approve or reject when none is staged", async () => {
    const approved = await ground.ask("POST /admin/shard/atlas/approve");
    expect([approved.status, approved.body]).toEqual([
      200,
      {
        status: "none",
        reason: "Nothing awaits review",
        source: null,
        path: null,
        code: null,
        counts: null,
        addedFacets: [],
        removedFacets: [],
      },
    ]);
    const rejected = await ground.ask("POST /admin/shard/atlas/reject");
    expect([rejected.status, rejected.body]).toEqual([404, { error: "Nothing awaits review" }]);
  });
});

describe("the public atlas", () => {
  beforeEach(async () => {
    await setPath(tree);
    await refresh();
  });

  it("answers anyone its summary without a facet", async () => {
    const { status: code, body } = await call(ground.server, "GET /public/atlas?offset=0");
    expect([code, body]).toEqual([
      200,
      {
        facets: [
          { name: "Felucca", regions: 1, rects: 1, spawners: 1, entries: 2, total: 3 },
          { name: "Malas", regions: 1, rects: 1, spawners: 1, entries: 1, total: 3 },
        ],
        facet: null,
        regions: [],
        spawns: [],
        total: 0,
        limit: 100,
        offset: 0,
        importedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it("answers a facet's regions and spawners whole", async () => {
    const entry = { probability: null, status: null, body: null, art: null };
    const { body } = await read("?facet=felucca");
    expect(body).toMatchObject({ facet: "Felucca", total: 1 });
    expect((body as { regions: unknown }).regions).toEqual([
      {
        key: expect.any(String),
        name: "Ash Hollow",
        type: "TownRegion",
        parent: null,
        level: 0,
        priority: 60,
        rects: [{ x1: 0, y1: 0, z1: -128, x2: 100, y2: 100, z2: 128 }],
        go: null,
        entrance: null,
        music: null,
        rune: null,
        guarded: true,
        housing: false,
        logoutDelay: true,
        minExpansion: null,
        maxExpansion: null,
        area: 10_000,
      },
    ]);
    expect((body as { spawns: unknown }).spawns).toEqual([
      {
        key: "fel",
        name: "Camp",
        x: 10,
        y: 10,
        z: 0,
        rect: { x1: 5, y1: 5, x2: 15, y2: 15 },
        homeRange: 5,
        walkRange: 5,
        count: 3,
        minDelaySec: 300,
        maxDelaySec: 600,
        running: true,
        region: "Ash Hollow",
        entries: [
          { type: "Orc", max: 2, ...entry },
          { type: "orc", max: 1, ...entry },
        ],
      },
    ]);
  });

  it.each([
    ["facet=Felucca&region=ash%20hollow", 1, 1],
    ["facet=Felucca&region=Dusk", 0, 0],
    ["facet=Felucca&creature=ORC", 1, 1],
    ["facet=Felucca&creature=imp", 0, 0],
    ["facet=Felucca&x=14&y=14", 1, 1],
    ["facet=Felucca&x=15&y=14", 1, 0],
    ["facet=Felucca&x=100&y=14", 0, 0],
    ["facet=Felucca&bbox=0,0,11,11", 1, 1],
    ["facet=Felucca&bbox=10,10,10,10", 0, 0],
    ["facet=Felucca&bbox=99,99,500,500", 1, 0],
    ["facet=Felucca&q=HOLL", 1, 1],
    ["facet=Felucca&q=rc", 0, 1],
    ["facet=Felucca&q=%25", 0, 0],
    ["facet=Malas", 1, 1],
    ["facet=Felucca&region=&q=", 1, 1],
  ])("narrows by %s", async (query, regions, total) => {
    const { body } = await read(`?${query}`);
    expect([
      (body as { regions: unknown[] }).regions.length,
      (body as { total: number }).total,
    ]).toEqual([regions, total]);
  });

  it("pages", async () => {
    const { body } = await read("?facet=Felucca&limit=1&offset=1");
    expect(body).toMatchObject({ spawns: [], total: 1, limit: 1, offset: 1 });
  });

  it.each([
    ["q=orc", "facet"],
    ["x=1&y=1", "facet"],
    ["facet=Felucca&x=1", "y"],
    ["facet=Felucca&y=1", "x"],
    ["facet=Felucca&bbox=1,2,3", "bbox"],
    ["facet=Felucca&bbox=1,2,3,x", "bbox"],
    ["facet=Felucca&limit=1001", "limit"],
    ["facet=Felucca&limit=0", "limit"],
    ["facet=Felucca&x=a&y=1", "x"],
  ])("refuses %s", async (query, named) => {
    const { status: code, body } = await read(`?${query}`);
    expect([code, body]).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [{ path: named, message: expect.stringContaining(named) }],
      },
    ]);
  });

  it("answers 404 for an unknown facet and for a feature that is off", async () => {
    expect([(await read("?facet=Nowhere")).body]).toEqual([{ error: "Unknown facet" }]);
    const features = { atlas: { enabled: false } };
    await ground.ask("PUT /admin/shard/visibility", { features });
    expect((await read()).status).toBe(404);
    await ground.ask("PUT /admin/shard/visibility", { features: { atlas: null } });
    expect((await read()).status).toBe(200);
  });
});

describe("the routes of the atlas", () => {
  it.each([
    ["GET /admin/shard/atlas", undefined],
    ["PUT /admin/shard/atlas/path", { path: "/x" }],
    ["POST /admin/shard/atlas/import", {}],
    ["POST /admin/shard/atlas/approve", undefined],
    ["POST /admin/shard/atlas/reject", undefined],
  ])("%s is for administrators", async (route, body) => {
    const editor = await signIn(ground.server, { role: "moderator" });
    const refused = await call(ground.server, route, {
      headers: editor.headers,
      ...(body && { body }),
    });
    expect([refused.status, refused.body]).toEqual([403, { error: "Admin role required" }]);
    expect((await call(ground.server, route, body && { body })).status).toBe(401);
  });

  it.each([[{}], [{ path: 5 }], [{ path: "a\0b" }], [{ path: "x".repeat(4097) }]])(
    "refuses the path of %j",
    async (body) => {
      expect((await ground.ask("PUT /admin/shard/atlas/path", body)).status).toBe(400);
    },
  );

  it("prefers the setting to the deploy's own path, and falls back to that", async () => {
    const own = await startImportGround({ environment: { ATLAS_PATH: tree } });
    try {
      expect((await own.ask("GET /admin/shard/atlas")).body).toMatchObject({
        source: "fs",
        path: tree,
      });
      const set = await own.ask("PUT /admin/shard/atlas/path", { path: "/elsewhere" });
      expect(set.body).toMatchObject({ path: "/elsewhere", code: "NOT_FOUND" });
      const cleared = await own.ask("PUT /admin/shard/atlas/path", { path: "" });
      expect(cleared.body).toMatchObject({ path: tree, readable: true });
    } finally {
      await own.stop();
    }
  });
});
