import { mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { truncate } from "node:fs/promises";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { toAtlasFaultCode, nothingPendingResult } from "../../shared/imports/results/atlas.ts";
import { SourceFault } from "../../shared/imports/results/source-fault.ts";
import {
  type ImportRun,
  type ImportHandler,
  runImport,
} from "../../shared/imports/runs/run-import.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { refreshAtlas } from "../../shared/shard/atlas/import/refresh.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { countHiddenSpawners } from "../support/factories/imports.ts";
import { buildImportRun } from "../support/factories/ops.ts";
import { callRoute } from "../support/http/call.ts";
import {
  type FileContents,
  type ImportTestSite,
  startImportTestSite,
  writeFiles,
} from "./import-test-site.ts";
import {
  mapLine,
  modernuoTree,
  oldModernuoTree,
  regionsXml,
  regionXml,
  runuoTree,
  runuoTreeOfWorlds,
  servuoTree,
  servuoTreeWithoutMalas,
  spawnersXml,
  spawnsXml,
  xrunuoTree,
} from "./trees.ts";

let ground: ImportTestSite;
let tree: string;
let trees = 0;

beforeAll(async () => {
  ground = await startImportTestSite();
});
afterAll(() => ground.stop());

beforeEach(async () => {
  await forget();
  tree = await newTree(servuoTree);
});

/** Deletes what is stored about earlier imports, so that the next import is the first one. */
async function forget(): Promise<void> {
  const nothing = {
    generation: 0,
    pending: null,
    pendingStatus: null,
    pendingFingerprint: null,
  };
  await ground.server.context.models.AtlasState.update(nothing, { where: {} });
  await deleteAll(ground.server, "ImportedSource", "AtlasFacet", "Setting");
}

async function newTree(files: FileContents): Promise<string> {
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
/** Reads as the administrator, because the answers to anonymous callers are cached. */
const read = (query = "") => ground.ask(`GET /public/atlas${query}`);

/** Runs an import in the test process instead of the worker, so that a test can pass its own import function. */
async function runBeside(work: ImportHandler<SiteContext>, flags: object = {}): Promise<unknown> {
  const { context } = ground.server;
  const { jobId } = await buildImportRun(ground.server);
  const { signal } = new AbortController();
  return runImport("atlas", { jobId, flags, signal }, work, context);
}

const counts = {
  facets: 2,
  regions: 2,
  rects: 2,
  spawners: 2,
  entries: 3,
  creatures: 2,
  files: 3,
  skipped: 0,
  skippedBy: {},
  warnings: 0,
  regionSpawns: 0,
  perFacet: {
    Felucca: { regions: 1, rects: 1, spawners: 1, entries: 2, total: 3 },
    Malas: { regions: 1, rects: 1, spawners: 1, entries: 1, total: 3 },
  },
};

describe("an atlas import from a server tree", () => {
  it("reports exactly what it read, and answers unchanged the next time", async () => {
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

  it("updates the statistics of the new rows before joining them, so that the planner does not join row by row", async () => {
    const { sequelize } = ground.server.context;
    await setPath(tree);
    await refresh();
    // Analyze as autovacuum does after an import. The statistics then do not contain the rows of the next import.
    await sequelize.query("analyze");
    expect(await refresh({ force: true })).toMatchObject({ status: "imported" });
    const [known] = await sequelize.query(
      `select tablename from pg_stats, atlas_state
       where tablename in ('atlas_regions', 'atlas_rects', 'atlas_spawners', 'atlas_entries')
         and attname = 'generation' and generation = any (most_common_vals::text::integer[])`,
    );
    expect(known).toHaveLength(4);
  });

  it("is shown in the status, together with a change of the tree since the import", async () => {
    const before = {
      source: "fs",
      path: tree,
      readable: true,
      problem: null,
      code: null,
      drift: true,
      counts: null as object | null,
      tree: { kind: "servuo", era: null, folders: ["Spawns"], leftOut: [] },
      pending: null,
    };
    const none = {
      facets: 0,
      regions: 0,
      spawners: 0,
      creatures: 0,
      importedAt: null,
      sources: [],
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
    };
    before.counts = counts;
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
      { kind: "runuo", era: null, leftOut: [{ files: 1 }] },
    ],
    [
      "X-RunUO",
      xrunuoTree,
      { regions: 2, spawners: 3, entries: 3, creatures: 2, files: 3, skipped: 0, warnings: 0 },
      { kind: "xrunuo", era: null, folders: ["Data/Spawns"] },
    ],
  ])("reads a tree of %s", async (_, files, expected, loaded) => {
    await setPath(await newTree(files));
    expect(await refresh()).toMatchObject({ status: "imported", counts: expected });
    expect(await status()).toMatchObject({ tree: loaded, counts: expected });
  });

  it("reads one world of a RunUO tree, and names the worlds that it leaves out", async () => {
    expect(await setPath(await newTree(runuoTreeOfWorlds))).toMatchObject({
      readable: true,
      tree: {
        kind: "runuo",
        era: null,
        folders: ["Data/Nerun's Distro/Spawns"],
        leftOut: [
          { path: "Data/Nerun's Distro/Spawns/Spawns.map", files: 1 },
          { path: "Data/Monsters", files: 1 },
          { path: "Data/Nerun's Distro/Spawns/uoml", files: 1 },
          { path: "Data/Nerun's Distro/Spawns/uoclassic", files: 1 },
        ],
      },
    });
    expect(await refresh()).toMatchObject({
      status: "imported",
      reason:
        "Spawners were read from Data/Nerun's Distro/Spawns; ignored, because they are separate worlds: " +
        "Data/Nerun's Distro/Spawns/Spawns.map (files: 1), Data/Monsters (files: 1), " +
        "Data/Nerun's Distro/Spawns/uoml (files: 1), Data/Nerun's Distro/Spawns/uoclassic (files: 1)",
      counts: {
        spawners: 3,
        files: 4,
        skipped: 0,
        perFacet: { Felucca: { spawners: 2 }, Malas: { spawners: 1 } },
      },
    });
  });

  it.each([
    [
      "the larger of two folders without facets",
      { "Data/Monsters/Nerun/A.map": mapLine("Orc", 1, 10) + mapLine("Orc", 1, 20) },
      { "Data/Monsters/Another/A.map": mapLine("Orc", 1) },
      "Data/Monsters/Nerun",
    ],
    [
      "a folder with facets before a larger one without",
      { "Data/Monsters/Nerun/Felucca/A.map": mapLine("Orc", 1) + mapLine("Imp", 4) },
      { "Data/Monsters/World.map": mapLine("Orc", 1).repeat(9) },
      "Data/Monsters/Nerun",
    ],
    [
      "ServUO's own files before maps that an older release left",
      { "Spawns/felucca.xml": spawnsXml({ id: "a" }, { id: "b", x: 20 }) },
      { "Data/Monsters/Felucca/A.map": mapLine("Orc", 1).repeat(9) },
      "Spawns",
    ],
    [
      "the only folder with maps, even if the server itself saved them",
      { "Data/Monsters/spawns.map": mapLine("Orc", 1) + mapLine("Imp", 4) },
      {},
      "Data/Monsters",
    ],
  ])("picks, among several folders, %s", async (_, read_, others, folder) => {
    const files = { "Data/Regions.xml": runuoTreeOfWorlds["Data/Regions.xml"] ?? "" };
    await setPath(await newTree({ ...files, ...read_, ...others }));
    expect(await refresh()).toMatchObject({ status: "imported", counts: { spawners: 2 } });
    expect(await status()).toMatchObject({
      tree: { folders: [folder], leftOut: Object.keys(others).map(() => ({ files: 1 })) },
    });
  });

  it("counts skipped records by reason, in its result and in the status", async () => {
    const withoutPlace = spawnsXml({ id: "a" }, { id: "b", map: "Internal" }, { id: "c", map: "" });
    await writeFiles(tree, {
      "Spawns/felucca.xml": withoutPlace.replace(
        "</Spawns>",
        "<Points><Name>Lost</Name><Map>Felucca</Map></Points></Spawns>",
      ),
      "Spawns/other.xml": "<Other/>",
      "Spawns/empty.xml": "",
    });
    const left = {
      skipped: 5,
      skippedBy: { noFacet: 2, noPosition: 1, otherFormat: 1, emptyFile: 1 },
    };
    await setPath(tree);
    expect(await refresh()).toMatchObject({ status: "imported", counts: left });
    expect(await status()).toMatchObject({ counts: left });
  });

  it("skips spawners outside the map of their facet, counts them and names the first five", async () => {
    const camps = [
      { id: "a", x: 7_167, y: 4_095 },
      { id: "b", x: 0, y: 0 },
      { id: "c", x: 7_168, y: 10 },
      { id: "d", x: 10, y: 4_096 },
      { id: "e", x: -1, y: 10 },
      { id: "f", x: 10, y: -1 },
      { id: "g", map: "malas", x: 2_560, y: 10 },
      { id: "h", map: "Malas", x: 2_559, y: 2_047 },
      { id: "i", map: "TERMUR", x: 1_280, y: 10 },
      { id: "j", map: "Own World", x: 65_535, y: 65_535 },
      { id: "k", map: "Own World", x: 65_536, y: 10 },
    ];
    await writeFiles(tree, { "Spawns/felucca.xml": spawnsXml(...camps) });
    await setPath(tree);
    const left = {
      spawners: 5,
      skipped: 7,
      skippedBy: { outsideMap: 7 },
      skippedExamples: {
        outsideMap: [
          "Spawns/felucca.xml: Felucca 7168, 10",
          "Spawns/felucca.xml: Felucca 10, 4096",
          "Spawns/felucca.xml: Felucca -1, 10",
          "Spawns/felucca.xml: Felucca 10, -1",
          "Spawns/felucca.xml: Malas 2560, 10",
        ],
      },
    };
    expect(await refresh()).toMatchObject({ status: "imported", counts: left });
    expect(await status()).toMatchObject({ counts: left });
  });

  it.each([
    ["ServUO", { "Spawns/felucca.xml": spawnsXml({ id: "a" }, { id: "b", x: 9_000 }) }],
    [
      "X-RunUO",
      {
        "Spawns/felucca.xml": "",
        "Spawns/Malas/deep.xml": "",
        "Data/Spawns/a.xml": spawnersXml({}, { location: 'X="9000" Y="12" Z="0"' }),
      },
    ],
    [
      "RunUO",
      {
        "Spawns/felucca.xml": "",
        "Spawns/Malas/deep.xml": "",
        "Data/Monsters/A.map": mapLine("Orc", 1) + mapLine("Orc", 1, 9_000),
      },
    ],
    [
      "ModernUO",
      {
        "Data/regions.json": oldModernuoTree["Data/regions.json"] ?? "",
        "Data/Spawns/a.json": JSON.stringify([
          { map: "Felucca", location: [10, 10, 0], entries: [{ name: "Orc" }] },
          { map: "Felucca", location: [9_000, 10, 0], entries: [{ name: "Orc" }] },
        ]),
      },
    ],
  ] satisfies [string, FileContents][])(
    "skips spawners outside the map in the files of %s",
    async (_, files) => {
      await writeFiles(tree, { "Spawns/Malas/deep.xml": "", ...files });
      await setPath(tree);
      expect(await refresh()).toMatchObject({
        counts: { spawners: 1, skippedBy: { outsideMap: 1 } },
      });
    },
  );

  describe("an atlas import of files in another encoding", () => {
    const camp = (declared: string): string =>
      `<?xml version="1.0"${declared && ` encoding="${declared}"`}?>${spawnsXml({ id: "a" }).replace("Camp", "Café “€”")}`;
    const big = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
    const windows = (text: string): Buffer =>
      Buffer.from(text.replace("“€”", "\x93\x80\x94"), "latin1");
    const mark = "\uFEFF";

    it.each([
      ["UTF-16LE with a byte order mark", Buffer.from(mark + camp("utf-16"), "utf16le")],
      ["UTF-16BE with a byte order mark", big(mark + camp("UTF-16"))],
      ["UTF-16LE without a byte order mark", Buffer.from(camp("utf-16"), "utf16le")],
      ["UTF-16BE without a byte order mark", big(camp("utf-16"))],
      ["UTF-16LE without a declaration", Buffer.from(mark + camp("").slice(21), "utf16le")],
      ["windows-1252", windows(camp("Windows-1252"))],
      ["ISO-8859-1 as browsers read it", windows(camp("iso-8859-1"))],
      ["UTF-8", Buffer.from(camp("UTF-8"))],
      ["UTF-8 without a declared encoding", Buffer.from(camp(""))],
      [
        "UTF-8 whose byte order mark contradicts its declaration",
        Buffer.from(mark + camp("windows-1252")),
      ],
      ["UTF-8 that .NET declared UTF-16", Buffer.from(camp("utf-16"))],
    ])("reads XML in %s", async (_, bytes) => {
      await writeFiles(tree, { "Spawns/felucca.xml": bytes });
      await setPath(tree);
      expect(await refresh()).toMatchObject({ status: "imported", counts: { ...counts } });
      const { AtlasSpawner } = ground.server.context.models;
      const found = await AtlasSpawner.findAll({ where: { name: "Café “€”" } });
      expect(found.length).toBeGreaterThan(0);
      await AtlasSpawner.destroy({ where: { name: "Café “€”" } });
    });

    it("reads the regions file in UTF-16", async () => {
      const regions = regionsXml({ Felucca: regionXml("Ash Höllow") }).replace("utf-8", "utf-16");
      await writeFiles(tree, { "Data/Regions.xml": Buffer.from(mark + regions, "utf16le") });
      await setPath(tree);
      expect(await refresh()).toMatchObject({ status: "imported", counts: { regions: 1 } });
    });

    it.each([
      [
        "KOI8-R",
        Buffer.from(camp("KOI8-R"), "latin1"),
        "it declares the encoding KOI8-R; the site reads UTF-8, UTF-16, windows-1252 and ISO-8859-1",
      ],
      [
        "an unknown encoding",
        Buffer.from(camp("x-made-up"), "latin1"),
        "it declares the encoding x-made-up; the site reads UTF-8, UTF-16, windows-1252 and ISO-8859-1",
      ],
      [
        "UTF-32",
        Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from(camp("utf-32"))]),
        "it has the byte order mark of UTF-32LE; the site reads UTF-8, UTF-16, windows-1252 and ISO-8859-1",
      ],
      [
        "bytes that are not UTF-8, as which they are declared",
        windows(camp("utf-8")),
        "it declares the encoding utf-8, and some of its bytes are invalid in this encoding",
      ],
      [
        "bytes that are not UTF-16, as which they are declared",
        windows(camp("UTF-16")),
        "it declares the encoding UTF-16, and some of its bytes are invalid in this encoding",
      ],
      [
        "no declared encoding",
        windows(camp("")),
        "it declares no encoding, so it must be UTF-8, and some of its bytes are invalid in this encoding",
      ],
      [
        "UTF-16 that ends in half a character",
        Buffer.from(mark + camp("utf-16"), "utf16le").subarray(0, -1),
        "it has the byte order mark of UTF-16LE, and some of its bytes are invalid in this encoding",
      ],
    ])("refuses XML of %s, and names the encoding in its reason", async (_, bytes, reason) => {
      await writeFiles(tree, { "Spawns/felucca.xml": bytes });
      await setPath(tree);
      expect(await refresh()).toEqual({
        status: "unavailable",
        code: "MALFORMED",
        reason: `Spawns/felucca.xml: ${reason}`,
        source: "fs",
        path: tree,
        counts: null,
        addedFacets: [],
        removedFacets: [],
      });
    });

    it("reads JSON in UTF-16 with a byte order mark, and refuses JSON that is not Unicode", async () => {
      const text = JSON.stringify([
        { map: "Felucca", name: "Café", location: [10, 10, 0], entries: [{ name: "Orc" }] },
      ]);
      const regions = oldModernuoTree["Data/regions.json"]?.toString() ?? "";
      await writeFiles(tree, {
        "Data/regions.json": Buffer.from(mark + regions, "utf16le"),
        "Data/Spawns/a.json": big(mark + text),
      });
      await setPath(tree);
      expect(await refresh()).toMatchObject({ status: "imported", counts: { spawners: 1 } });
      await writeFiles(tree, { "Data/Spawns/a.json": Buffer.from(text, "latin1") });
      expect(await refresh()).toMatchObject({
        code: "MALFORMED",
        reason:
          "Data/Spawns/a.json: it has no byte order mark, so it must be UTF-8, and some of its bytes are invalid in this encoding",
      });
    });

    it("reads Nerun's maps in UTF-16 with a byte order mark", async () => {
      await setPath(
        await newTree({
          "Data/Regions.xml": runuoTreeOfWorlds["Data/Regions.xml"] ?? "",
          "Data/Monsters/A.map": Buffer.from(mark + mapLine("Orc", 1), "utf16le"),
        }),
      );
      expect(await refresh()).toMatchObject({ status: "imported", counts: { spawners: 1 } });
    });
  });

  it("reports its progress in bytes, also within one file", async () => {
    const points = Array.from({ length: 2_000 }, (_, at) => ({ id: `p${at}`, x: at + 10 }));
    await writeFiles(tree, { "Spawns/felucca.xml": spawnsXml(...points) });
    const size = (name: string): number => statSync(path.join(tree, name)).size;
    const spawns = size("Spawns/felucca.xml") + size("Spawns/Malas/deep.xml");
    const regions = size("Data/Regions.xml");
    await setPath(tree);
    const told: Parameters<ImportRun["report"]>[] = [];
    const listening: ImportHandler<SiteContext> = (run, given) =>
      refreshAtlas({ ...run, report: async (...counted) => void told.push(counted) }, given);
    expect(await runBeside(listening)).toMatchObject({ status: "imported" });
    const of = (phase: string) => told.filter(([name, , total]) => name === phase && total);
    expect([of("source"), of("regions"), of("spawns")].map((all) => all.at(-1))).toEqual([
      ["source", spawns + regions, spawns + regions, "bytes"],
      ["regions", regions, regions, "bytes"],
      ["spawns", spawns, spawns, "bytes"],
    ]);
    const inFile = of("spawns").filter(([, done]) => done > size("Spawns/Malas/deep.xml"));
    expect(inFile.length).toBeGreaterThan(spawns / 65_536 - 1);
  });

  it("finds the only server tree below the configured path", async () => {
    const parent = path.join(ground.folder, "below");
    await writeFiles(parent, { "notes.txt": "x", ".git/Data/Regions.xml": "<ServerRegions/>" });
    await writeFiles(path.join(parent, "server"), servuoTree);
    await setPath(parent);
    expect(await refresh()).toMatchObject({ status: "imported" });
  });
});

describe("a server tree that cannot be read", () => {
  it("is reported with a code of the contract, which is NOT_FOUND for an unreadable file", () => {
    expect(toAtlasFaultCode(new SourceFault("UNREADABLE", "it may not be read"))).toBe("NOT_FOUND");
    expect(toAtlasFaultCode(new SourceFault("MALFORMED", "it is no XML"))).toBe("MALFORMED");
  });

  const damaged: [name: string, files: FileContents, code: string][] = [
    ["no regions file", { "Spawns/a.xml": spawnsXml({}) }, "NO_REGIONS"],
    [
      "a regions file of another family",
      { ...servuoTree, "Data/Regions.xml": "<Other/>" },
      "NO_REGIONS",
    ],
    ["an empty regions file", { ...servuoTree, "Data/Regions.xml": "" }, "NO_REGIONS"],
    [
      "a regions file without regions",
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
      "spawn files without spawners",
      { ...servuoTreeWithoutMalas, "Spawns/felucca.xml": "<Spawns></Spawns>" },
      "NO_SPAWNS",
    ],
    [
      "a truncated file",
      { ...servuoTree, "Spawns/felucca.xml": spawnsXml({}).slice(0, -9) },
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

  it.each(damaged)(
    "is answered with status 200 and the result unavailable: %s",
    async (_, files, code) => {
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
    },
  );

  it("is reported as NOT_FOUND if the path is absent or names a file, and as DISABLED if it is blank", async () => {
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

  it("is refused without being read if a file is far too large", async () => {
    await truncate(path.join(tree, "Spawns/felucca.xml"), 2 ** 30);
    await setPath(tree);
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "TOO_LARGE" });
  });

  it("is not read through links that lead outside, and circular links are followed only once", async () => {
    const outside = await newTree(servuoTree);
    rmSync(path.join(tree, "Spawns"), { recursive: true });
    symlinkSync(path.join(outside, "Spawns"), path.join(tree, "Spawns"));
    await setPath(tree);
    expect(await refresh()).toMatchObject({
      code: "NO_SPAWNS",
      reason:
        "Data/Regions.xml: the server tree has no spawn files in Spawns, RevampedSpawns or Data/Spawns (XML), " +
        "Data/Nerun's Distro/Spawns or Data/Monsters (maps)",
    });
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

  it("leaves the loaded atlas unchanged", async () => {
    await setPath(tree);
    await refresh();
    await writeFiles(tree, { "Spawns/felucca.xml": "<Spawns>" });
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "MALFORMED" });
    expect((await read("?facet=Felucca")).body).toMatchObject({ total: 1 });
  });
});

describe("an atlas refresh that would lose a facet", () => {
  const loss = {
    addedFacets: [],
    removedFacets: ["Malas"],
    reason: "The import would remove Malas",
  };

  beforeEach(async () => {
    await setPath(tree);
    await refresh();
    await writeFiles(tree, servuoTreeWithoutMalas);
  });

  it("is staged for review and not applied", async () => {
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

  it("is applied on approval, after the tree was read again", async () => {
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

  it("needs another review if it would lose another facet when it is approved", async () => {
    await refresh();
    await writeFiles(tree, {
      "Data/Regions.xml": regionsXml({ Tokuno: regionXml("Zento") }),
      "Spawns/felucca.xml": spawnsXml({ id: "later", map: "Tokuno" }),
    });
    const removedFacets = ["Felucca", "Malas"];
    expect((await ground.ask("POST /admin/shard/atlas/approve")).body).toMatchObject({
      status: "needsReview",
      removedFacets,
    });
    expect(await status()).toMatchObject({
      pending: { status: "pending", removedFacets },
      loaded: { facets: 2 },
    });
    expect((await ground.ask("POST /admin/shard/atlas/approve")).body).toMatchObject({
      status: "imported",
      removedFacets,
    });
  });

  it("is not applied if it is rejected while its approval is running", async () => {
    await refresh();
    const approving: ImportHandler<SiteContext> = (run, given) => {
      const report: ImportRun["report"] = async (...counted) => {
        await run.report(...counted);
        if (counted[0] === "swap") await ground.ask("POST /admin/shard/atlas/reject");
      };
      return refreshAtlas({ ...run, report }, given);
    };
    expect(await runBeside(approving, { approve: true })).toEqual(nothingPendingResult);
    expect(await status()).toMatchObject({
      pending: { status: "rejected" },
      loaded: { facets: 2 },
    });
    expect((await read("?facet=Malas")).body).toMatchObject({ total: 1 });
    expect(await countHiddenSpawners(ground.server)).toBe(0);
  });

  it("stays rejected until the tree changes", async () => {
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

  it("is withdrawn when the facet is back in the tree", async () => {
    await refresh();
    await writeFiles(tree, servuoTree);
    expect(await refresh()).toMatchObject({ status: "unchanged" });
    expect(await status()).toMatchObject({ pending: null });
  });

  it("cannot be approved or rejected while no refresh is staged", async () => {
    const approved = await ground.ask("POST /admin/shard/atlas/approve");
    expect([approved.status, approved.body]).toEqual([
      200,
      {
        status: "none",
        reason: "No import waits for review",
        source: null,
        path: null,
        code: null,
        counts: null,
        addedFacets: [],
        removedFacets: [],
      },
    ]);
    const rejected = await ground.ask("POST /admin/shard/atlas/reject");
    expect([rejected.status, rejected.body]).toEqual([
      404,
      { error: "No import waits for review" },
    ]);
  });
});

describe("the public atlas", () => {
  beforeEach(async () => {
    await setPath(tree);
    await refresh();
  });

  it("answers anyone a summary of the facets if no facet is named", async () => {
    ground.server.context.keptAnswers.clear();
    const { status: code, body } = await callRoute(ground.server, "GET /public/atlas");
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

  it("answers a facet's regions and spawners in full", async () => {
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
  ])("narrows the page by %s", async (query, regions, total) => {
    const { body } = await read(`?${query}`);
    expect([
      (body as { regions: unknown[] }).regions.length,
      (body as { total: number }).total,
    ]).toEqual([regions, total]);
  });

  it("returns the page of the given limit and offset", async () => {
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
    ...["1e0", "%2B1", "01", "1.0", "%201", "0x1", "-0", ""].map((alias): [string, string] => [
      `facet=Felucca&bbox=0,0,5,${alias}`,
      "bbox",
    ]),
    ["facet=Felucca&limit=1001", "limit"],
    ["facet=Felucca&limit=0", "limit"],
    ["facet=Felucca&x=a&y=1", "x"],
  ])("answers 400 to %s", async (query, named) => {
    const { status: code, body } = await read(`?${query}`);
    expect([code, body]).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [{ path: named, message: expect.stringContaining(named) }],
      },
    ]);
  });

  it("answers 404 for an unknown facet and while the feature is off", async () => {
    expect([(await read("?facet=Nowhere")).body]).toEqual([{ error: "Unknown facet" }]);
    const features = { atlas: { enabled: false } };
    await ground.ask("PUT /admin/shard/visibility", { features });
    expect((await read()).status).toBe(404);
    await ground.ask("PUT /admin/shard/visibility", { features: { atlas: null } });
    expect((await read()).status).toBe(200);
  });
});

describe("the admin routes of the atlas", () => {
  it.each([
    ["GET /admin/shard/atlas", undefined],
    ["PUT /admin/shard/atlas/path", { path: "/x" }],
    ["POST /admin/shard/atlas/import", {}],
    ["POST /admin/shard/atlas/approve", undefined],
    ["POST /admin/shard/atlas/reject", undefined],
  ])("refuse callers who are not administrators: %s", async (route, body) => {
    const editor = await signIn(ground.server, { role: "moderator" });
    const refused = await callRoute(ground.server, route, {
      headers: editor.headers,
      ...(body && { body }),
    });
    expect([refused.status, refused.body]).toEqual([403, { error: "Admin role required" }]);
    expect((await callRoute(ground.server, route, body && { body })).status).toBe(401);
  });

  it.each([[{}], [{ path: 5 }], [{ path: "a\0b" }], [{ path: "x".repeat(4097) }]])(
    "refuse the invalid path %j",
    async (body) => {
      expect((await ground.ask("PUT /admin/shard/atlas/path", body)).status).toBe(400);
    },
  );

  it("prefer the stored path, and use the path of the environment variable if none is stored", async () => {
    const own = await startImportTestSite({ environment: { ATLAS_PATH: tree } });
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
