import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { truncate } from "node:fs/promises";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { blankClilocResult } from "../../shared/imports/results/clilocs.ts";
import type { ImportRun } from "../../shared/imports/runs/run-import.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { applyClilocs } from "../../shared/shard/clilocs/apply.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { callRoute } from "../support/http/call.ts";
import {
  type FileContents,
  type ImportTestSite,
  startImportTestSite,
  writeFiles,
} from "./import-test-site.ts";
import { packCodes, packTable } from "./packed-table.ts";
import { buildTextTable } from "./tables.ts";

let ground: ImportTestSite;
let folder: string;
let folders = 0;

const base = buildTextTable([
  [500_000, "First"],
  [500_001, ""],
  [1_023_922, "dagger"],
]);

beforeAll(async () => {
  ground = await startImportTestSite();
});
afterAll(() => ground.stop());
beforeEach(async () => {
  await deleteAll(ground.server, "ImportedSource", "Cliloc", "Setting");
  folder = await newFolder({ "Cliloc.enu": base });
});

async function newFolder(files: FileContents): Promise<string> {
  const root = path.join(ground.folder, `client-${(folders += 1)}`);
  mkdirSync(root);
  await writeFiles(root, files);
  return root;
}

const setPath = async (to: string): Promise<unknown> =>
  (await ground.ask("PUT /admin/shard/clilocs/path", { path: to })).body;
const refresh = async (flags: object = {}): Promise<unknown> =>
  (await ground.ask("POST /admin/shard/clilocs/import", flags)).body;
const status = async (): Promise<unknown> => (await ground.ask("GET /admin/shard/clilocs")).body;
const stored = (): Promise<object[]> =>
  ground.server.context.models.Cliloc.findAll({ order: ["number"], raw: true });

describe("an import of texts from files", () => {
  it("reports exactly what it read, stores it, and answers unchanged the next time", async () => {
    await setPath(folder);
    const file = path.join(folder, "Cliloc.enu");
    const sources = [{ label: "Cliloc.enu", kind: "base", entries: 2, added: 2, overrode: 0 }];
    const whole = {
      reason: null,
      source: "file",
      code: null,
      path: folder,
      file,
      count: 2,
      overlayProblem: null,
      sources,
    };
    expect(await refresh()).toEqual({ ...whole, status: "imported", parsed: 3, blank: 1 });
    expect(await stored()).toEqual([
      { number: 500_000, text: "First" },
      { number: 1_023_922, text: "dagger" },
    ]);
    expect(await refresh()).toEqual({ ...whole, status: "unchanged", parsed: null, blank: null });
    expect(await refresh({ force: true })).toEqual({
      ...whole,
      status: "imported",
      parsed: 3,
      blank: 1,
    });
  });

  it("merges overlay files over the base in the byte order of their names, and replaces the whole table", async () => {
    await setPath(folder);
    await refresh();
    await writeFiles(folder, {
      "Cliloc.enu": buildTextTable([
        [1, "one"],
        [2, "two"],
      ]),
      "custom/b.csv": "2;from csv\n3;three\n",
      "custom/a.json": '{"2":"from json","1":""}',
      "custom/B.enu": buildTextTable([[4, "four"]]),
      "custom/notes.txt": "no overlay",
    });
    expect(await refresh()).toMatchObject({
      status: "imported",
      count: 4,
      parsed: 7,
      blank: 1,
      sources: [
        { label: "Cliloc.enu", kind: "base", entries: 2 },
        { label: "custom/B.enu", kind: "custom", entries: 1, added: 1, overrode: 0 },
        { label: "custom/a.json", kind: "custom", entries: 1, added: 0, overrode: 1 },
        { label: "custom/b.csv", kind: "custom", entries: 2, added: 1, overrode: 1 },
      ],
    });
    expect((await stored()).map((row) => Object.values(row))).toEqual([
      [1, "one"],
      [2, "from csv"],
      [3, "three"],
      [4, "four"],
    ]);
  });

  it("finds the file in a folder in any case, prefers the exact name, and accepts a path to the file", async () => {
    const lower = await newFolder({ "cliloc.ENU": buildTextTable([[1, "lower"]]) });
    await setPath(lower);
    expect(await refresh()).toMatchObject({ file: path.join(lower, "cliloc.ENU"), count: 1 });
    const both = await newFolder({ "CLILOC.ENU": buildTextTable([]), "Cliloc.enu": base });
    expect(await setPath(both)).toMatchObject({ file: path.join(both, "Cliloc.enu") });
    const itself = path.join(both, "Cliloc.enu");
    expect(await setPath(itself)).toMatchObject({ file: itself, path: itself, fileReadable: true });
  });

  it("skips an overlay that cannot be read, and reports it", async () => {
    await writeFiles(folder, { "custom/bad.json": "{", "custom/good.csv": "7;seven\n" });
    await setPath(folder);
    expect(await refresh()).toMatchObject({
      status: "imported",
      count: 3,
      overlayProblem: expect.stringMatching(/^custom\/bad\.json: /),
      sources: [{ label: "Cliloc.enu" }, { label: "custom/good.csv" }],
    });
  });

  it("asks for a review before the texts of a vanished file are lost", async () => {
    await writeFiles(folder, { "custom/shop.csv": "7;seven\n" });
    await setPath(folder);
    await refresh();
    rmSync(path.join(folder, "custom/shop.csv"));
    expect(await status()).toMatchObject({
      drift: true,
      missingSources: ["custom/shop.csv"],
      sources: ["Cliloc.enu"],
    });
    expect(await refresh()).toMatchObject({
      status: "needsReview",
      missingSources: ["custom/shop.csv"],
      code: null,
    });
    expect(await stored()).toHaveLength(3);
    const approved = await refresh({ approve: true });
    expect(approved).toMatchObject({
      status: "imported",
      acceptedMissing: ["custom/shop.csv"],
      count: 2,
    });
    expect(approved).not.toHaveProperty("missingSources");
    expect(await stored()).toHaveLength(2);
    expect(await status()).toMatchObject({ drift: false, missingSources: [] });
  });

  it("asks for another review about a file that vanished after the first review", async () => {
    await writeFiles(folder, { "custom/a.csv": "7;seven\n", "custom/b.csv": "8;eight\n" });
    await setPath(folder);
    await refresh();
    rmSync(path.join(folder, "custom/a.csv"));
    expect(await refresh()).toMatchObject({ missingSources: ["custom/a.csv"] });
    rmSync(path.join(folder, "custom/b.csv"));
    const missingSources = ["custom/a.csv", "custom/b.csv"];
    const again = await refresh({ approve: true });
    expect(again).toMatchObject({ status: "needsReview", missingSources });
    expect(again).not.toHaveProperty("acceptedMissing");
    expect(await stored()).toHaveLength(4);
    const approved = await refresh({ approve: true });
    expect(approved).toMatchObject({ status: "imported", acceptedMissing: missingSources });
    expect(await stored()).toHaveLength(2);
  });

  it("asks for a review despite an approval if no administrator has seen which texts would be lost", async () => {
    await writeFiles(folder, { "custom/shop.csv": "7;seven\n" });
    await setPath(folder);
    await refresh();
    rmSync(path.join(folder, "custom/shop.csv"));
    const asked = { status: "needsReview", missingSources: ["custom/shop.csv"] };
    expect(await refresh({ approve: true })).toMatchObject(asked);
    expect(await stored()).toHaveLength(3);
  });

  it("updates the names of the market's listings", async () => {
    const { ListingLabel } = ground.server.context.models;
    await ListingLabel.create({ key: "00000000-0000-4000-8000-000000000001", cliloc: 1_023_922 });
    await setPath(folder);
    await refresh();
    const labels = await ListingLabel.findAll({ attributes: ["displayName"], raw: true });
    expect(labels).toEqual([{ displayName: "dagger" }]);
    await deleteAll(ground.server, "ListingLabel");
  });
});

describe("files of clients since 7.0.104", () => {
  it("are read in packed form, both the table and an overlay", async () => {
    const packed = packTable(base, 15_368);
    const overlay = packTable(buildTextTable([[500_000, "Other"]]));
    const given = await newFolder({ "Cliloc.enu": packed, "custom/shop.enu": overlay });
    expect(await setPath(given)).toMatchObject({ fileReadable: true, problem: null, code: null });
    const sources = [
      { label: "Cliloc.enu", kind: "base", entries: 2, added: 2, overrode: 0 },
      { label: "custom/shop.enu", kind: "custom", entries: 1, added: 0, overrode: 1 },
    ];
    expect(await refresh()).toEqual({
      status: "imported",
      reason: null,
      source: "file",
      code: null,
      path: given,
      file: path.join(given, "Cliloc.enu"),
      count: 2,
      parsed: 4,
      blank: 1,
      overlayProblem: null,
      sources,
    });
    expect(await stored()).toEqual([
      { number: 500_000, text: "Other" },
      { number: 1_023_922, text: "dagger" },
    ]);
    expect(await status()).toMatchObject({ sourceBytes: packed.length + overlay.length });
  });

  it("are imported without a damaged packed overlay, which the result names", async () => {
    const damaged = packCodes({ 1: 2, 2: 2 }, [0, 0, 0, 0]);
    await setPath(await newFolder({ "Cliloc.enu": base, "custom/shop.enu": damaged }));
    expect(await refresh()).toMatchObject({
      status: "imported",
      count: 2,
      overlayProblem: "custom/shop.enu: it is a packed table with a code that is out of range",
    });
  });
});

describe("files that cannot be read", () => {
  const packed = packTable(base);

  it.each([
    [
      "packed and damaged",
      packCodes({ 1: 2, 2: 2 }, [0, 0, 0, 0]),
      ["COMPRESSED", null],
      "Cliloc.enu: it is a packed table with a code that is out of range",
    ],
    [
      "packed and truncated",
      packed.subarray(0, -1),
      ["TRUNCATED", "UNREADABLE"],
      `Cliloc.enu: it is a packed table of ${packed.length - 1} bytes, but its header requires ${packed.length}`,
    ],
    [
      "packed and announced as 4 GiB",
      packCodes({ 1: 0xffff_ffff }, [0]),
      ["TRUNCATED", "UNREADABLE"],
      `Cliloc.enu: it is a packed table of 1029 bytes, but its header requires ${0xffff_ffff + 1_028}`,
    ],
    ["truncated", base.subarray(0, -2), ["TRUNCATED", null], "Cliloc.enu: it ends within a text"],
    ["empty", Buffer.alloc(0), ["UNREADABLE", "UNREADABLE"], "Cliloc.enu: it is empty"],
    ["blank", buildTextTable([[1, ""]]), ["EMPTY", null], "Cliloc.enu: every text of it is blank"],
    [
      "no table",
      Buffer.from("FORM and more"),
      ["UNREADABLE", "UNREADABLE"],
      "Cliloc.enu: expected a plain table of texts (02 00 00 00 01 00) or a packed one, as clients since 7.0.104 have",
    ],
  ])(
    "are answered with status 200 and the result unavailable: %s",
    async (_, bytes, [code, statusCode], reason) => {
      await writeFiles(folder, { "Cliloc.enu": bytes });
      expect(await setPath(folder)).toMatchObject({
        code: statusCode,
        fileReadable: statusCode === null,
      });
      const answered = await ground.ask("POST /admin/shard/clilocs/import");
      expect([answered.status, answered.body]).toEqual([
        200,
        {
          status: "unavailable",
          code,
          reason,
          source: "file",
          path: folder,
          file: path.join(folder, "Cliloc.enu"),
          count: null,
          parsed: null,
          blank: null,
          overlayProblem: null,
          sources: [],
        },
      ]);
    },
  );

  it("are reported by their cause: an absent path, no path, or a folder without the file", async () => {
    expect(await setPath("/nowhere/at/all")).toMatchObject({ code: "NOT_FOUND", configured: true });
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "NOT_FOUND" });
    expect(await setPath(await newFolder({ "other.txt": "x" }))).toMatchObject({ code: "NO_FILE" });
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "NO_FILE" });
    expect(await setPath("")).toEqual({
      source: "file",
      configured: false,
      path: "",
      file: null,
      fileReadable: false,
      problem: "No path is set, and the link to the shard is off",
      code: "NO_PATH",
      shard: null,
      drift: null,
      count: 0,
      sources: [],
      loadedSources: null,
      missingSources: [],
      importedAt: null,
      sourceBytes: null,
    });
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "NO_PATH", path: null });
  });

  it("are refused if there are more than 200 overlays, instead of leaving some out", async () => {
    const overlays = Array.from({ length: 201 }, (_, at) => [`custom/${at}.csv`, `${at};text\n`]);
    await writeFiles(folder, Object.fromEntries(overlays));
    await setPath(folder);
    expect(await refresh()).toMatchObject({
      status: "unavailable",
      code: "TOO_LARGE",
      reason: "custom: it holds more than 200 overlays",
    });
  });

  it("are refused unread if one of them is far too large", async () => {
    await truncate(path.join(folder, "Cliloc.enu"), 2 ** 30);
    await setPath(folder);
    expect(await refresh()).toMatchObject({ status: "unavailable", code: "TOO_LARGE" });
  });
});

describe("the admin routes of the client texts", () => {
  it("show the loaded texts in the status", async () => {
    await setPath(folder);
    await refresh();
    expect(await status()).toEqual({
      source: "file",
      configured: true,
      path: folder,
      file: path.join(folder, "Cliloc.enu"),
      fileReadable: true,
      problem: null,
      code: null,
      shard: null,
      drift: false,
      count: 2,
      sources: ["Cliloc.enu"],
      loadedSources: [{ label: "Cliloc.enu", kind: "base", entries: 2, added: 2, overrode: 0 }],
      missingSources: [],
      importedAt: expect.stringMatching(/Z$/),
      sourceBytes: base.length,
    });
  });

  it.each([
    ["GET /admin/shard/clilocs", undefined],
    ["PUT /admin/shard/clilocs/path", { path: "/x" }],
    ["POST /admin/shard/clilocs/import", {}],
  ])("refuse callers who are not administrators: %s", async (route, body) => {
    const { headers } = await signIn(ground.server, { role: "moderator" });
    const refused = await callRoute(ground.server, route, { headers, ...(body && { body }) });
    expect([refused.status, refused.body]).toEqual([403, { error: "Admin role required" }]);
    expect((await callRoute(ground.server, route, body && { body })).status).toBe(401);
  });

  it("refuse flags that are not booleans", async () => {
    expect((await ground.ask("POST /admin/shard/clilocs/import", { force: "yes" })).status).toBe(
      400,
    );
  });
});

describe("staged texts", () => {
  const texts = new Map([[500_000, "Staged"]]);
  const loaded = { source: "file", count: 1, bytes: 1, sources: [] } as const;
  const result = { ...blankClilocResult, status: "imported" } as const;

  /**
   * Applies an import of one text.
   * @param afterBegin an SQL statement that runs after the stage is created and before its texts
   * are written
   */
  async function apply(afterBegin: string): Promise<void> {
    const { context } = ground.server;
    const run = {
      jobId: randomUUID(),
      flags: {},
      signal: new AbortController().signal,
      report: () => Promise.resolve(),
      apply: (work) => inTransaction(context.sequelize, work),
      requestReview: (asked) => Promise.resolve(asked),
      isLossApproved: () => Promise.resolve(true),
      withLease: (work) => inTransaction(context.sequelize, work),
    } satisfies ImportRun;
    await context.sequelize.query(afterBegin);
    await applyClilocs({ texts, fingerprint: "f", loaded, result }, run, context);
  }

  it("are not published if they belong to another attempt, which is paused", async () => {
    await apply(
      `create function another() returns trigger language plpgsql as '
         begin insert into cliloc_stage values (new.stage + 1, 7, ''of another''); return new; end';
       create trigger another after insert on cliloc_stage for each row
         when (new.number <> 7) execute function another()`,
    );
    await ground.server.context.sequelize.query("drop function another cascade");
    expect(await stored()).toEqual([{ number: 500_000, text: "Staged" }]);
  });

  it("leave the published texts unchanged if a crash loses the staged texts", async () => {
    await setPath(folder);
    await refresh();
    const before = await stored();
    const lost = apply(
      `create function lose() returns trigger language plpgsql as 'begin return null; end';
       create trigger lose before insert on cliloc_stage for each row execute function lose()`,
    );
    await expect(lost).rejects.toThrow("the stage of texts was lost");
    await ground.server.context.sequelize.query("drop function lose cascade");
    expect(await stored()).toEqual(before);
  });
});
