import { mkdir } from "node:fs/promises";
import path from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Simulator } from "../simulator/simulator.ts";
import { createSimulatorPool } from "../simulator/starting.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { textOfTable } from "../support/database/text-of-table.ts";
import { changeSidecarLink } from "../support/factories/shard.ts";
import { callRoute } from "../support/http/call.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { linkSimulator } from "../support/shard/ingest.ts";
import { type ImportTestSite, startImportTestSite, writeFiles } from "./import-test-site.ts";
import { buildTextTable } from "./tables.ts";

const { start, stopAll } = createSimulatorPool();
let ground: ImportTestSite;
let shard: Simulator;

beforeAll(async () => {
  ground = await startImportTestSite();
  shard = await start();
  await link();
});
afterAll(async () => {
  await ground.stop();
  await stopAll();
});
beforeEach(async () => {
  shard.faults.clear();
  await ground.server.context.models.ImportedSource.truncate();
});

async function link(): Promise<void> {
  const { context } = ground.server;
  await linkSimulator(shard, context);
  await waitUntil("the link is taken up", async () => {
    await context.shard.reload();
    return context.shard.call(() => Promise.resolve(true)).catch(() => false);
  });
}

const setLink = async (changes: Parameters<typeof changeSidecarLink>[1]): Promise<void> => {
  await changeSidecarLink(ground.server, changes);
  await ground.server.context.shard.reload();
};

const refresh = async (kind: string, flags: object = {}): Promise<unknown> =>
  (await ground.ask(`POST /admin/shard/${kind}/import`, flags)).body;
const status = async (kind: string): Promise<unknown> =>
  (await ground.ask(`GET /admin/shard/${kind}`)).body;

describe("an import over the shard link", () => {
  it("loads the whole atlas, with the body ids of its creatures", async () => {
    const result = await refresh("atlas");
    expect(result).toMatchObject({
      status: "imported",
      source: "bridge",
      path: null,
      code: null,
      reason: null,
      counts: { regions: 24, spawners: 60 },
      removedFacets: [],
    });
    expect(await status("atlas")).toMatchObject({
      source: "bridge",
      path: null,
      readable: true,
      drift: false,
      loaded: { regions: 24, spawners: 60 },
      counts: { regions: 24, spawners: 60, skipped: 0 },
      tree: null,
    });
    const [first] = (result as { addedFacets: string[] }).addedFacets;
    const page = (await callRoute(ground.server, `GET /public/atlas?facet=${first}`)).body;
    const entries = (
      page as { spawns: { entries: { status: string; body: number }[] }[] }
    ).spawns.flatMap((spawn) => spawn.entries);
    expect(entries.every(({ status: resolved }) => resolved !== null)).toBe(true);
    expect(
      entries.filter(({ status: resolved, body }) => resolved === "ok" && body === null),
    ).toEqual([]);
    expect(await refresh("atlas")).toMatchObject({ status: "unchanged", counts: { regions: 24 } });
  });

  it("loads the whole table of texts, and reports the pages that it read", async () => {
    expect(await refresh("clilocs")).toEqual({
      status: "imported",
      reason: null,
      code: null,
      source: "bridge",
      path: null,
      file: null,
      count: expect.any(Number),
      parsed: 160,
      blank: expect.any(Number),
      pages: 1,
      reported: 160,
      received: 160,
      overlayProblem: null,
      sources: [
        {
          label: "shard",
          kind: "shard",
          entries: expect.any(Number),
          added: expect.any(Number),
          overrode: 0,
        },
      ],
    });
    expect(await status("clilocs")).toMatchObject({
      source: "bridge",
      configured: true,
      problem: null,
      code: null,
      shard: {
        size: expect.any(Number),
        mtime: expect.any(Number),
        extractorVersion: 3,
        hashing: false,
        complete: true,
      },
      drift: false,
      sources: ["shard"],
      loadedSources: [{ label: "shard" }],
    });
    expect(await refresh("clilocs")).toEqual({
      status: "unchanged",
      reason: null,
      code: null,
      source: "bridge",
      path: null,
      file: null,
      count: expect.any(Number),
      parsed: null,
      blank: null,
      pages: null,
      reported: 160,
      received: null,
      overlayProblem: null,
      sources: [expect.objectContaining({ label: "shard", kind: "shard" })],
    });
  });
});

describe("a configured path of client texts while a shard is linked", () => {
  const rests =
    "The link to the shard is on, so texts are read from the shard; the path is used while the link is off";
  const putPath = async (to: string): Promise<unknown> =>
    (await ground.ask("PUT /admin/shard/clilocs/path", { path: to })).body;

  it("is not used, and the status gives the reason", async () => {
    await writeFiles(ground.folder, { "Cliloc.enu": buildTextTable([[1, "one"]]) });
    const seen = {
      source: "bridge",
      path: ground.folder,
      file: path.join(ground.folder, "Cliloc.enu"),
      fileReadable: true,
      problem: rests,
      code: null,
      sources: ["shard"],
    };
    expect(await putPath(ground.folder)).toMatchObject(seen);
    expect(await status("clilocs")).toMatchObject(seen);
    expect(await refresh("clilocs")).toMatchObject({ status: "imported", source: "bridge" });
    expect(await status("clilocs")).toMatchObject({ ...seen, drift: false });
  });

  it.each([
    ["/nowhere/at/all", "NOT_FOUND", "/nowhere/at/all: there is no such file or directory"],
    ["an empty folder", "NO_FILE", "it holds no Cliloc.enu"],
  ])("is reported as missing although it is not used: %s", async (to, code, problem) => {
    const given = to.startsWith("/") ? to : path.join(ground.folder, "empty");
    await mkdir(path.join(ground.folder, "empty"), { recursive: true });
    const seen = { source: "bridge", path: given, file: null, fileReadable: false, code };
    for (const body of [await putPath(given), await status("clilocs")]) {
      expect(body).toMatchObject(seen);
      const told = (body as { problem: string }).problem;
      expect([told.startsWith(`${rests}. `), told.endsWith(problem)]).toEqual([true, true]);
    }
  });

  it("does not hide the shard's own problem in the status", async () => {
    shard.faults.trigger("hashing", { source: "clilocs" });
    const told = await status("clilocs");
    expect(told).toMatchObject({ code: "BUSY" });
    expect((told as { problem: string }).problem).toMatch(
      /^The shard is hashing its files\. The link/,
    );
    expect(await putPath("")).toMatchObject({ path: "", file: null });
  });
});

describe("an import that cannot read the shard's pages", () => {
  type Fault = [name: string, options: object, atlas: string, clilocs: string];
  const faults: Fault[] = [
    ["hashing", {}, "BUSY", "BUSY"],
    ["hashing", { after: 2 }, "BUSY", "BUSY"],
    ["incomplete", {}, "INCOMPLETE", "INCOMPLETE"],
    ["wrongCounts", { by: 5 }, "INCOMPLETE", "INCOMPLETE"],
    ["sourceChanged", { after: 1 }, "SOURCE_CHANGED", "SOURCE_CHANGED"],
    ["stuckCursor", { form: "empty" }, "INCOMPLETE", "STUCK"],
    ["badPage", { times: 0 }, "MALFORMED", "MALFORMED"],
  ];

  const loaded = () =>
    Promise.all(
      ["atlas_regions", "atlas_spawners", "atlas_entries", "clilocs"].map((table) =>
        textOfTable(ground.server, table),
      ),
    );

  for (const [name, options, atlas, clilocs] of faults) {
    for (const [kind, code] of Object.entries({ atlas, clilocs })) {
      it(`answers unavailable with ${code} and changes nothing: ${kind}, ${name} ${JSON.stringify(options)}`, async () => {
        const before = await loaded();
        shard.faults.trigger(name as never, { source: kind, ...options } as never);
        const answered = await ground.ask(`POST /admin/shard/${kind}/import`);
        expect([answered.status, answered.body]).toEqual([
          200,
          expect.objectContaining({
            status: "unavailable",
            code,
            reason: expect.any(String),
            source: "bridge",
          }),
        ]);
        expect(await loaded()).toEqual(before);
      });
    }
  }

  const answers: [name: string, options: object, atlas: string, clilocs: string][] = [
    ["status", { status: 500 }, "SHARD_DOWN", "UNAVAILABLE"],
    ["status", { status: 503, code: "SHARD_DOWN" }, "SHARD_DOWN", "SHARD_DOWN"],
    ["status", { status: 409, code: "BUSY" }, "BUSY", "BUSY"],
    ["status", { status: 422, code: "NO_SOURCE" }, "DISABLED", "NO_SOURCE"],
    ["status", { status: 422, code: "DISABLED" }, "DISABLED", "DISABLED"],
    ["protocol", {}, "SHARD_DOWN", "PROTOCOL"],
    ["unauthorized", {}, "SHARD_DOWN", "PROTOCOL"],
    ["html", {}, "MALFORMED", "MALFORMED"],
    ["oversize", {}, "TOO_LARGE", "TOO_LARGE"],
    ["cut", {}, "SHARD_DOWN", "SHARD_DOWN"],
  ];

  for (const [name, options, atlas, clilocs] of answers) {
    for (const [kind, code] of Object.entries({ atlas, clilocs })) {
      // Run this case over sidecars only: a plugin never sends an answer that exceeds the site's
      // limit.
      const limits = name === "oversize" ? overSidecar : {};
      it(
        `answers unavailable with ${code} if a page fails: ${kind}, ${name} ${JSON.stringify(options)}`,
        limits,
        async () => {
          const page = kind === "atlas" ? "/v1/atlas/records" : "/v1/clilocs/entries";
          shard.faults.trigger(name as never, { path: page, times: 0, ...options } as never);
          expect(await refresh(kind)).toMatchObject({ status: "unavailable", code });
        },
      );
    }
  }

  it("shows in the status of texts why the source cannot be read", async () => {
    shard.faults.trigger("hashing", { source: "clilocs" });
    expect(await status("clilocs")).toMatchObject({
      code: "BUSY",
      drift: null,
      shard: { hashing: true, sha256: null },
    });
    shard.faults.trigger("unauthorized", { path: "/v1/clilocs" });
    expect(await status("clilocs")).toMatchObject({
      code: "PROTOCOL",
      shard: null,
      problem: expect.any(String),
    });
  });
});

describe("an import over a link that cannot provide the data", overSidecar, () => {
  it("answers DISABLED for the atlas and NO_SOURCE for texts at protocol 7", async () => {
    await setLink({ protocol: 7 });
    expect(await refresh("atlas")).toMatchObject({
      status: "unavailable",
      code: "DISABLED",
      source: "bridge",
    });
    expect(await refresh("clilocs")).toMatchObject({
      status: "unavailable",
      code: "NO_SOURCE",
      source: "bridge",
    });
    expect(await status("clilocs")).toMatchObject({ code: "NO_SOURCE" });
    await setLink({ protocol: 8 });
  });

  it("answers DISABLED if the link has no token", async () => {
    await setLink({ tokenSealed: null });
    expect(await refresh("atlas")).toMatchObject({ status: "unavailable", code: "DISABLED" });
    expect(await refresh("clilocs")).toEqual({
      status: "unavailable",
      reason: "The link to the shard is off, or its token is missing",
      code: "DISABLED",
      source: "bridge",
      path: null,
      file: null,
      count: null,
      parsed: null,
      blank: null,
      pages: null,
      reported: null,
      received: null,
      overlayProblem: null,
      sources: [],
    });
    await link();
  });

  it("answers SHARD_DOWN if the sidecar is down", async () => {
    const { baseUrl } = shard;
    await setLink({ baseUrl: "http://127.0.0.1:9" });
    expect(await refresh("atlas")).toMatchObject({ status: "unavailable", code: "SHARD_DOWN" });
    expect(await refresh("clilocs")).toMatchObject({ status: "unavailable", code: "SHARD_DOWN" });
    expect(baseUrl).toContain("127.0.0.1");
    await link();
  });
});
