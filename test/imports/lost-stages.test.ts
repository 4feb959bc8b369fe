import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Models } from "../../models/index.ts";
import type { ImportResult } from "../../shared/imports/results/codes.ts";
import type { ImportName } from "../../shared/imports/results/kinds.ts";
import {
  type ImportRun,
  type ImportHandler,
  runImport,
} from "../../shared/imports/runs/run-import.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { importAssets } from "../../shared/shard/assets/import.ts";
import { refreshAtlas } from "../../shared/shard/atlas/import/refresh.ts";
import { refreshClilocs } from "../../shared/shard/clilocs/refresh.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { DatabaseServer } from "../support/database/database-server.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { hiddenAtlas, readImportCounts } from "../support/factories/imports.ts";
import { buildImportRun } from "../support/factories/ops.ts";
import { storeSetting } from "../support/factories/site.ts";
import { type Artwork, startArtwork } from "./artwork.ts";
import { newFolder, writeFiles } from "./import-test-site.ts";
import { servuoTree } from "./trees.ts";

let ground: DatabaseServer;
let art: Artwork;
beforeAll(async () => {
  ground = await DatabaseServer.start({
    throwaway: true,
    // Make commits wait for the disk, so that committed rows survive the crash.
    settings: ["synchronous_commit=on"],
  });
  const url = await ground.createDatabase("crashing");
  art = await startArtwork({ hasWorker: false, database: { url, drop: () => Promise.resolve() } });
  const tree = newFolder();
  await writeFiles(tree, servuoTree);
  await storeSetting(art.shard.server, "atlas_path", path.resolve(tree));
  for (const [name, work] of works) {
    await attempt(name, work);
  }
});
afterAll(async () => {
  await art.stop();
  await ground.stop();
});

const works = [
  ["atlas", refreshAtlas],
  ["clilocs", refreshClilocs],
  ["assets", importAssets],
] as const;

/** Runs an import as a worker does, with a run of its own. */
async function attempt(
  name: ImportName,
  work: ImportHandler<SiteContext>,
): Promise<ImportResult | null> {
  const { server } = art.shard;
  const { jobId } = await buildImportRun(server, { kind: name });
  const { signal } = new AbortController();
  try {
    return await runImport(name, { jobId, flags: { force: true }, signal }, work, server.context);
  } finally {
    // Remove the run, so that another run of this kind can start.
    await deleteAll(server, "ImportRun");
  }
}

/** Wraps an import. `lose` deletes staged rows after all rows are staged and before they are applied. */
const losing =
  (work: ImportHandler<SiteContext>, lose: () => Promise<unknown>): ImportHandler<SiteContext> =>
  (run, context) => {
    const apply: ImportRun["apply"] = async (workToApply) => {
      await lose();
      return run.apply(workToApply);
    };
    return work({ ...run, apply }, context);
  };

const shown = () => readImportCounts(art.shard.server);

async function crash(): Promise<void> {
  await ground.crash();
  const answers = () =>
    art.rows("select 1").then(
      () => true,
      () => false,
    );
  await waitUntil("the database answers again", answers);
}

describe("a database crash between the statements of an import", () => {
  it.each([works[1], works[2]])(
    "removes no stored %s, and the next import loads all rows",
    async (name, work) => {
      const before = await shown();
      expect(before.held.pictures).toBeGreaterThan(20);
      await expect(attempt(name, losing(work, crash))).rejects.toThrow(/^the stage of .* was lost/);
      expect(await shown()).toEqual(before);
      expect(await attempt(name, work)).toMatchObject({ status: "imported" });
      expect((await shown()).held).toEqual(before.held);
    },
  );

  it("fails the import of pictures instead of proposing to remove all pictures", async () => {
    const crashing: ImportHandler<SiteContext> = (run, context) => {
      let isDone = false;
      const report: ImportRun["report"] = async (phase, done, total) => {
        await run.report(phase, done, total);
        // Crash only once, after all keys are staged.
        if (isDone || phase !== "keys" || done !== total) return;
        isDone = true;
        await crash();
      };
      return importAssets({ ...run, report }, context);
    };
    await expect(attempt("assets", crashing)).rejects.toThrow("the stage of pictures was lost");
  });
});

type Losing = (models: Models) => Promise<unknown>;

/** CATALOGUE of ways to lose or damage staged rows. */
const losses: readonly (readonly [name: string, work: ImportHandler<SiteContext>, lose: Losing])[] =
  [
    ["the atlas", refreshAtlas, ({ AtlasRect }) => AtlasRect.destroy({ where: hiddenAtlas })],
    [
      "the atlas",
      refreshAtlas,
      ({ AtlasEntry }) => AtlasEntry.update({ type: "other" }, { where: hiddenAtlas }),
    ],
    [
      "the atlas",
      refreshAtlas,
      ({ AtlasCreature }) => AtlasCreature.destroy({ where: hiddenAtlas }),
    ],
    ["texts", refreshClilocs, () => art.rows("delete from cliloc_stage")],
    ["texts", refreshClilocs, () => art.rows("update cliloc_stage set text = 'other'")],
    ["pictures", importAssets, () => art.rows("delete from asset_stage where key like 'land:%'")],
    [
      "pictures",
      importAssets,
      () => art.rows("update asset_stage set sha256 = 'other' where key like 'land:%'"),
    ],
    ["pictures", importAssets, () => art.rows("delete from creature_stage")],
  ];

const importNames = { "the atlas": "atlas", texts: "clilocs", pictures: "assets" } as const;

describe("an import whose staged rows were lost", () => {
  it.each(losses)(
    "applies nothing of %s, and the next import loads all rows (%#)",
    async (stage, work, lose) => {
      const name = importNames[stage as keyof typeof importNames];
      const before = await shown();
      const losingRows = losing(work, () => lose(art.shard.server.context.models));
      const words = `the stage of ${stage} was lost`;
      await expect(attempt(name, losingRows)).rejects.toThrow(words);
      expect(await shown()).toEqual(before);
      expect(await attempt(name, work)).toMatchObject({ status: "imported" });
      expect((await shown()).held).toEqual(before.held);
    },
  );
});
