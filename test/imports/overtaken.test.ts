import path from "node:path";

import type { Sequelize, TransactionOptions } from "sequelize";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { AssetResult } from "../../shared/imports/results/assets.ts";
import type { ClilocResult } from "../../shared/imports/results/clilocs.ts";
import type { ImportResult } from "../../shared/imports/results/codes.ts";
import type { ImportName } from "../../shared/imports/results/kinds.ts";
import {
  type ImportRun,
  type ImportHandler,
  runImport,
} from "../../shared/imports/runs/run-import.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { importAssets } from "../../shared/shard/assets/import.ts";
import { refreshAtlas } from "../../shared/shard/atlas/import/refresh.ts";
import { refreshClilocs } from "../../shared/shard/clilocs/refresh.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { countStagedRows, readImportCounts } from "../support/factories/imports.ts";
import { buildImportRun, buildProcess } from "../support/factories/ops.ts";
import { storeSetting } from "../support/factories/site.ts";
import { type Artwork, startArtwork } from "./artwork.ts";
import { newFolder, writeFiles } from "./import-test-site.ts";
import { servuoTree, servuoTreeWithoutMalas } from "./trees.ts";

let art: Artwork;
const tree = newFolder();
beforeAll(async () => {
  art = await startArtwork({ hasWorker: false });
  await writeFiles(tree, servuoTree);
  await storeSetting(art.shard.server, "atlas_path", path.resolve(tree));
});
afterAll(() => art.stop());

/** Runs an attempt at an import run, as a worker does. */
const attempt = (
  name: ImportName,
  jobId: string,
  work: ImportHandler<SiteContext>,
  context: SiteContext = art.shard.server.context,
): Promise<ImportResult | null> =>
  runImport(
    name,
    { jobId, flags: { force: true }, signal: new AbortController().signal },
    work,
    context,
  );

/**
 * Runs two attempts at one run. The first attempt pauses at its start and resumes when the second attempt is
 * about to replace the data.
 * @returns the outcomes of both
 */
async function overtake(name: ImportName, work: ImportHandler<SiteContext>) {
  const { jobId } = await buildImportRun(art.shard.server, { kind: name });
  const [taken, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const paused = attempt(name, jobId, async (run, context) => {
    taken.resolve();
    await resumed.promise;
    return work(run, context);
  });
  const outcome = paused.then(
    () => "it went on",
    (error: unknown) => (error as Error).message,
  );
  await taken.promise;
  const result = await attempt(name, jobId, (run, context) => {
    const report: ImportRun["report"] = async (phase, done, total) => {
      await run.report(phase, done, total);
      if (phase !== "swap") return;
      resumed.resolve();
      await outcome;
    };
    return work({ ...run, report }, context);
  });
  return { result, outcome: await outcome };
}

const overtaken = "another attempt runs the import, or the import was given up";

it("a paused import of the atlas changes nothing after another attempt has taken over", async () => {
  expect(await overtake("atlas", refreshAtlas)).toMatchObject({
    outcome: overtaken,
    result: { status: "imported", counts: { spawners: 2 } },
  });
  expect(await art.get("/public/atlas?facet=Malas")).toMatchObject({
    facets: [{ spawners: 1 }, { spawners: 1 }],
    regions: [{ rects: [{ x1: expect.any(Number) }] }],
    total: 1,
  });
});

type Work = Parameters<typeof inTransaction>[1];

it("a new atlas stays in place even if the connection breaks before the commit is confirmed", async () => {
  const { jobId } = await buildImportRun(art.shard.server);
  let isSwapping = false;
  const transactionThatIsCutOff = async (work: Work) => {
    const done = await inTransaction(art.shard.server.context.sequelize, work);
    if (!isSwapping) return done;
    isSwapping = false;
    throw new Error("Connection terminated unexpectedly");
  };
  // Cut off only transactions without options: transactions with options only read.
  const cutOffWrites =
    (target: Sequelize) =>
    (...given: [Work] | [TransactionOptions, Work]) =>
      given.length === 1 ? transactionThatIsCutOff(given[0]) : target.transaction(...given);
  const { context } = art.shard.server;
  const sequelize = new Proxy(context.sequelize, {
    get: (target, name) =>
      name === "transaction" ? cutOffWrites(target) : Reflect.get(target, name, target),
  });
  const swapping: ImportHandler<SiteContext> = (run, given) => {
    const report: ImportRun["report"] = async (phase, done, total) => {
      await run.report(phase, done, total);
      isSwapping = phase === "swap";
    };
    return refreshAtlas({ ...run, report }, given);
  };
  const swapped = attempt("atlas", jobId, swapping, { ...context, sequelize });
  await expect(swapped).rejects.toThrow("Connection terminated unexpectedly");
  expect(await art.get("/public/atlas?facet=Malas")).toMatchObject({
    facets: [{ spawners: 1 }, { spawners: 1 }],
    regions: [{ rects: [{ x1: expect.any(Number) }] }],
    total: 1,
  });
});

it("a paused import of texts changes nothing after another attempt has taken over", async () => {
  const { result, outcome } = await overtake("clilocs", refreshClilocs);
  expect([outcome, result?.status]).toEqual([overtaken, "imported"]);
  const { count } = result as ClilocResult;
  expect(await art.shard.server.context.models.Cliloc.count()).toBe(count);
  expect(await countStagedRows(art.shard.server, "cliloc_stage")).toBe(0);
});

it("a paused import of pictures changes nothing after another attempt has taken over", async () => {
  const { result, outcome } = await overtake("assets", importAssets);
  const { assets } = result as AssetResult;
  expect([outcome, result?.status]).toEqual([overtaken, "imported"]);
  expect(assets).toBeGreaterThan(100);
  expect(await art.get("/admin/shard/assets")).toMatchObject({ drift: false, loaded: { assets } });
});

const works = [
  ["atlas", refreshAtlas],
  ["clilocs", refreshClilocs],
  ["assets", importAssets],
] as const;

const shown = async () => (await readImportCounts(art.shard.server)).held;
const applied = async () => (await readImportCounts(art.shard.server)).applied;

describe.each(works)("a canceled import of %s", (name, work) => {
  const route = `POST /admin/shard/${name}/import`;
  const headers = { prefer: "respond-async" };
  const body = { force: true };
  const ask = async (): Promise<string> => {
    await buildProcess(art.shard.server);
    const asked = await art.shard.as(art.admin, route, { headers, body });
    return (asked.body as { jobId: string }).jobId;
  };
  const cancel = (jobId: string) => art.shard.as(art.admin, `POST /admin/jobs/${jobId}/cancel`);
  const resultOf = async (jobId: string) =>
    (await art.shard.server.context.models.ImportRun.findByPk(jobId))?.result;
  const cancelled = { status: "failed", reason: "The import was cancelled" };

  afterEach(() => forgetJobs(art.shard.server, "%"));

  it("changes nothing, even if it is canceled during its last transaction", async () => {
    const before = await applied();
    const jobId = await ask();
    const result = await attempt(name, jobId, (run, context) => {
      const apply: ImportRun["apply"] = (workToApply) =>
        run.apply(async (transaction) => {
          const toStore = await workToApply(transaction);
          expect((await cancel(jobId)).body).toMatchObject({ job: { state: "cancelled" } });
          return toStore;
        });
      return work({ ...run, apply }, context);
    });
    expect(result).toBeNull();
    expect(await applied()).toEqual(before);
    expect(await resultOf(jobId)).toMatchObject(cancelled);
  });

  it("changes nothing of the next import, even if its worker still runs", async () => {
    const before = await shown();
    const first = await ask();
    const [taken, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const paused = attempt(name, first, async (run, context) => {
      taken.resolve();
      await resumed.promise;
      // The attempt's last report was before the cancellation, so the attempt has not noticed the
      // cancellation.
      return work({ ...run, report: () => Promise.resolve() }, context);
    });
    const outcome = paused.catch((error: unknown) => (error as Error).message);
    await taken.promise;
    await cancel(first);
    const second = await ask();
    expect(await resultOf(first)).toMatchObject(cancelled);
    const result = await attempt(name, second, (run, context) => {
      const report: ImportRun["report"] = async (phase, done, total) => {
        await run.report(phase, done, total);
        if (phase !== "swap") return;
        resumed.resolve();
        await outcome;
      };
      return work({ ...run, report }, context);
    });
    expect(await outcome).toBe(overtaken);
    expect(result).toMatchObject({ status: "imported" });
    expect(await shown()).toEqual(before);
  });
});

it("a canceled import of the atlas leaves the review that a later import has requested", async () => {
  const { server } = art.shard;
  const { jobId: loading } = await buildImportRun(server);
  await attempt("atlas", loading, refreshAtlas);
  const unforced = (jobId: string, work: ImportHandler<SiteContext>) =>
    runImport(
      "atlas",
      { jobId, flags: {}, signal: new AbortController().signal },
      work,
      server.context,
    );
  await buildProcess(server);
  const headers = { prefer: "respond-async" };
  const ask = async (): Promise<string> => {
    const asked = await art.shard.as(art.admin, "POST /admin/shard/atlas/import", {
      headers,
      body: {},
    });
    return (asked.body as { jobId: string }).jobId;
  };
  const first = await ask();
  const [taken, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const paused = unforced(first, async (run, context) => {
    taken.resolve();
    await resumed.promise;
    // The attempt's last report was before the cancellation, so the attempt has not noticed the
    // cancellation.
    return refreshAtlas({ ...run, report: () => Promise.resolve() }, context);
  }).catch((error: unknown) => (error as Error).message);
  await taken.promise;
  await art.shard.as(art.admin, `POST /admin/jobs/${first}/cancel`);
  const second = await ask();
  await writeFiles(tree, servuoTreeWithoutMalas);
  expect(await unforced(second, refreshAtlas)).toMatchObject({ status: "needsReview" });
  await writeFiles(tree, servuoTree);
  resumed.resolve();
  expect(await paused).toBe(overtaken);
  expect(await art.get("/admin/shard/atlas")).toMatchObject({ pending: { status: "pending" } });
  await forgetJobs(server, "%");
});
