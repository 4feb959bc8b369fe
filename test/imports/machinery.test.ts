import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { awaitImport } from "../../shared/imports/runs/request-import.ts";
import { endLostImportRuns, pruneImportRuns } from "../../shared/imports/runs/runs.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeJob } from "../support/database/change-job.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { countHiddenSpawners } from "../support/factories/imports.ts";
import { buildImportRun, buildJobProgress, buildProcess } from "../support/factories/ops.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { newFolder, writeFiles } from "./import-test-site.ts";
import { regionsXml, regionXml, spawnsXml } from "./trees.ts";

let server: TestServer;
let admin: SignedIn;
let folder: string;
/** Two trees of files. The import of the large one takes long enough to be interrupted. */
let trees: { readonly large: string; readonly small: string };
const workers: ChildProgram[] = [];

const largeSpawners = 12_000;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  folder = newFolder();
  trees = { large: path.join(folder, "large"), small: path.join(folder, "small") };
  const regions = { "Data/Regions.xml": regionsXml({ Felucca: regionXml("Ash Hollow") }) };
  const points = Array.from({ length: largeSpawners / 8 }, (_, at) => ({ id: `p${at}`, x: at }));
  const spawns = spawnsXml(...points);
  const files = Array.from({ length: 8 }, (_, at) => [`Spawns/${at}.xml`, spawns]);
  await writeFiles(trees.large, { ...regions, ...Object.fromEntries(files) });
  await writeFiles(trees.small, { ...regions, "Spawns/0.xml": spawnsXml({}) });
  await readFrom(trees.large);
});
afterAll(async () => {
  for (const worker of workers) await worker.kill();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const worker of workers.splice(0)) await worker.kill();
  const { ImportedSource, ImportRun, ServiceProcess } = server.context.models;
  await ServiceProcess.truncate();
  await ImportRun.truncate();
  await ImportedSource.truncate();
});

const ask = (route: string, body?: unknown, headers: object = {}): Promise<ApiAnswer> =>
  callRoute(server, route, {
    headers: { ...admin.headers, ...headers },
    ...(body !== undefined && { body }),
  });

const readFrom = (tree: string) => ask("PUT /admin/shard/atlas/path", { path: tree });

async function startWorker(): Promise<ChildProgram> {
  const worker = await startProgram("worker", {
    database: server.database,
    arguments: ["imports"],
  });
  workers.push(worker);
  return worker;
}

/**
 * Waits for the work of workers. After a timeout, the error contains the workers' output and exit
 * codes.
 */
const untilWorked = (what: string, holds: () => Promise<boolean>) =>
  waitUntil(
    () => [what, ...workers.flatMap(({ deaths, said }) => [...deaths, said])].join("\n"),
    holds,
  );

/** Inserts the row of a worker that seems alive but does not exist, so no job is taken. */
const pretendWorker = () => buildProcess(server);

const later = { prefer: "respond-async" };
const jobIdOf = ({ body }: ApiAnswer): string => (body as { jobId: string }).jobId;
type Result = { readonly status: string } | null;
const resultOf = async (jobId: string): Promise<Result> => {
  const run = await server.context.models.ImportRun.findByPk(jobId);
  return (run?.result ?? null) as Result;
};

describe("a request for an import", () => {
  it("is answered at once, without an import, if no worker is running", async () => {
    const reason = expect.stringContaining("node jobs/worker.ts");
    const atlas = await ask("POST /admin/shard/atlas/import");
    expect([atlas.status, atlas.body]).toEqual([
      200,
      {
        status: "unavailable",
        code: "BUSY",
        reason,
        source: null,
        path: null,
        counts: null,
        addedFacets: [],
        removedFacets: [],
      },
    ]);
    const clilocs = await ask("POST /admin/shard/clilocs/import");
    expect([clilocs.status, clilocs.body]).toEqual([
      200,
      {
        status: "unavailable",
        code: "UNAVAILABLE",
        reason,
        source: null,
        path: null,
        file: null,
        count: null,
        parsed: null,
        blank: null,
        overlayProblem: null,
        sources: [],
      },
    ]);
  });

  it("joins a run with the same flags, and is answered BUSY during a run with other flags", async () => {
    await pretendWorker();
    const asked = await Promise.all(
      [{}, { force: false }, undefined].map((flags) =>
        ask("POST /admin/shard/atlas/import", flags, later),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(asked.map(jobIdOf)).size).toBe(1);
    const [first] = asked;
    expect(first?.headers.get("location")).toBe(
      `/api/v1/admin/jobs/${jobIdOf(first as ApiAnswer)}`,
    );
    const waitingJobs = (await jobsOf(server, "imports.atlas")).filter(
      ({ state }) => state === "created",
    );
    expect(waitingJobs).toHaveLength(1);
    const busy = [
      200,
      expect.objectContaining({
        status: "unavailable",
        code: "BUSY",
        reason: "Another import of this kind runs with other flags",
      }),
    ];
    const other = await ask("POST /admin/shard/atlas/import", { force: true }, later);
    expect([other.status, other.body]).toEqual(busy);
    // Store a flag that only a newer release knows. A request cannot join a run with other flags.
    await server.context.models.ImportRun.update({ flags: { preview: true } }, { where: {} });
    const plain = await ask("POST /admin/shard/atlas/import", {}, later);
    expect([plain.status, plain.body]).toEqual(busy);
  });

  it("ends if its run is canceled before a worker takes it, and the next request starts a new run", async () => {
    await pretendWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", {}, later));
    const listening = vi.spyOn(server.context.listener, "on");
    const waiting = ask("POST /admin/shard/atlas/import", {});
    // The second request must join the first run before that run is canceled. Otherwise it would start a run of
    // its own.
    await waitUntil("it waits for the result", () =>
      listening.mock.calls.some(([channel]) => channel === "import_finished"),
    );
    await ask(`POST /admin/jobs/${jobId}/cancel`);
    expect((await waiting).body).toMatchObject({
      status: "failed",
      code: null,
      reason: "The import was cancelled",
      counts: null,
    });
    const next = jobIdOf(await ask("POST /admin/shard/atlas/import", { force: true }, later));
    expect(next).not.toBe(jobId);
  });
});

describe("the Prefer header", () => {
  const preferring = (prefer: string, isUndescribed = false) =>
    callRoute(server, "POST /admin/shard/atlas/import", {
      body: {},
      headers: { ...admin.headers, prefer },
      isUndescribed,
    });

  it.each(["respond-async", "Respond-Async;foo", "handling=lenient, RESPOND-ASYNC , wait=1"])(
    "makes the service answer with the address of the job and confirm the preference: %s",
    async (prefer) => {
      await pretendWorker();
      const { status, body, headers } = await preferring(prefer);
      const [{ jobId } = { jobId: "" }] = await server.context.models.ImportRun.findAll();
      expect([status, body]).toEqual([202, { jobId }]);
      expect(headers.get("location")).toBe(`/api/v1/admin/jobs/${jobId}`);
      expect(headers.get("preference-applied")).toBe("respond-async");
    },
  );

  it.each(["wait=1", "no-respond-async", 'note="respond-async"'])(
    "has no effect with any other preference, and the service answers the result of the import: %s",
    async (prefer) => {
      await pretendWorker();
      const waiting = preferring(prefer, true);
      await waitUntil(
        "it is asked for",
        async () => (await server.context.models.ImportRun.count()) > 0,
      );
      // Wait longer than the client asked for.
      if (prefer.startsWith("wait")) await sleep(1_200);
      const ended = { finishedAt: clockNow(), result: {} };
      await server.context.models.ImportRun.update(ended, { where: {} });
      const { status, body, headers } = await waiting;
      expect([status, body]).toEqual([200, {}]);
      expect(headers.get("preference-applied")).toBeNull();
    },
  );
});

describe("waiting for an import", () => {
  it("ends with a reason when no worker has been running for a while, and the import stays queued", async () => {
    await pretendWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", {}, later));
    await server.context.models.ServiceProcess.truncate();
    const waiting = { waitMs: 30_000, signal: new AbortController().signal, aloneMs: 0 };
    expect(await awaitImport("atlas", jobId, waiting, server.context)).toMatchObject({
      status: "unavailable",
      code: "BUSY",
      reason: expect.stringMatching(/any more: start `node jobs\/worker.ts`.* continues$/),
      counts: null,
    });
    expect(await resultOf(jobId)).toBeNull();
    await startWorker();
    await untilWorked("the import is done", async () => (await resultOf(jobId)) !== null);
    expect(await resultOf(jobId)).toMatchObject({ status: "imported" });
  });
});

describe("an import run whose job has ended", () => {
  it.each([
    ["gone", "The job of the import was deleted"],
    ["failed", "The import was given up: every worker that ran it was lost"],
    ["completed", "The import ended without a result"],
  ] as const)("is ended with a reason if the state of the job is %s", async (state, reason) => {
    await pretendWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/clilocs/import", {}, later));
    await endLostImportRuns(server.context.sequelize);
    expect(await resultOf(jobId)).toBeNull();
    if (state === "gone") await forgetJobs(server, "imports.clilocs");
    else await changeJob(server, jobId, { state });
    await endLostImportRuns(server.context.sequelize);
    expect(await resultOf(jobId)).toMatchObject({
      status: "failed",
      code: null,
      reason,
      sources: [],
    });
  });

  it("is deleted after three months, with the progress of its job", async () => {
    const longAgo = clockNowPlus(-91 * 86_400_000);
    await buildImportRun(server, { finishedAt: longAgo });
    await buildImportRun(server, { finishedAt: clockNow() });
    await buildJobProgress(server, { updatedAt: longAgo });
    await pruneImportRuns(server.context);
    const { ImportRun, JobProgress } = server.context.models;
    const left = [await ImportRun.count(), await JobProgress.count({ where: { queue: "q" } })];
    expect(left).toEqual([1, 0]);
  });
});

describe("an import that is interrupted", () => {
  /** Waits until an attempt has staged rows, and kills its worker. */
  async function killInTheMiddle(worker: ChildProgram, jobId: string, attempt: number) {
    await untilWorked(
      `attempt ${attempt} is under way`,
      async () => (await isUnderWay(jobId, attempt)) || (await resultOf(jobId)) !== null,
    );
    await worker.kill();
    await expireWorkerHeartbeats(server);
    expect(await resultOf(jobId)).toBeNull();
  }

  const isUnderWay = async (jobId: string, attempt = 1): Promise<boolean> =>
    (await countHiddenSpawners(server)) > 0 &&
    (await server.context.models.ImportRun.count({ where: { jobId, attempt } })) > 0;

  const forget = () => deleteAll(server, "AtlasSpawner", "AtlasEntry", "AtlasRegion");

  it("is completed by the next worker if its worker is lost, and shows nothing of the first attempt", async () => {
    await forget();
    const worker = await startWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", {}, later));
    await killInTheMiddle(worker, jobId, 1);
    await startWorker();
    await untilWorked("the import is done", async () => (await resultOf(jobId)) !== null);
    expect(await resultOf(jobId)).toMatchObject({
      status: "imported",
      counts: { spawners: largeSpawners, entries: 2 * largeSpawners },
    });
    const page = (await ask("GET /public/atlas?facet=Felucca&limit=1")).body;
    expect(page).toMatchObject({ total: largeSpawners, facets: [{ spawners: largeSpawners }] });
    expect(await countHiddenSpawners(server)).toBe(0);
  });

  it("applies nothing if it is canceled, and the next import succeeds", async () => {
    await startWorker();
    // Analyze as autovacuum does. The statistics then do not contain the rows of the next import.
    await query(server, "analyze");
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", { force: true }, later));
    await untilWorked("the import has begun", () => isUnderWay(jobId));
    await ask(`POST /admin/jobs/${jobId}/cancel`);
    await endLostImportRuns(server.context.sequelize);
    await untilWorked("it is put away", async () => (await countHiddenSpawners(server)) === 0);
    expect(await resultOf(jobId)).toMatchObject({
      status: "failed",
      reason: "The import was cancelled",
    });
    expect(await server.context.models.ImportedSource.count()).toBe(0);
    const next = await ask("POST /admin/shard/atlas/import", { force: true });
    expect(next.body).toMatchObject({ status: "imported" });
  });

  it("is given up with a reason if its worker is lost twice, and the loaded atlas stays", async () => {
    const before = (await ask("GET /public/atlas?facet=Felucca&limit=1")).body;
    await pretendWorker();
    const first = await startWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", { force: true }, later));
    await killInTheMiddle(first, jobId, 1);
    await killInTheMiddle(await startWorker(), jobId, 2);
    const waiting = ask("POST /admin/shard/atlas/import", { force: true });
    await startWorker();
    expect((await waiting).body).toMatchObject({
      status: "failed",
      code: null,
      reason: "The import was given up: every worker that ran it was lost",
    });
    expect((await ask("GET /public/atlas?facet=Felucca&limit=1")).body).toEqual(before);
  });
});

describe("an import that meets an internal error", () => {
  beforeAll(() => readFrom(trees.small));

  it("answers failed with the reason after a second attempt", async () => {
    await startWorker();
    await query(
      server,
      "alter table atlas_facets add constraint broken check (name = '') not valid",
    );
    const { body } = await ask("POST /admin/shard/atlas/import", { force: true });
    await query(server, "alter table atlas_facets drop constraint broken");
    expect(body).toMatchObject({
      status: "failed",
      code: null,
      reason: expect.stringMatching(/^The import failed: .*broken/),
      source: null,
    });
    const [run] = await server.context.models.ImportRun.findAll();
    expect(run?.attempt).toBe(2);
  });

  it("runs again when an administrator retries its job", async () => {
    const job = (await jobsOf(server, "imports.atlas")).findLast(({ state }) => state === "failed");
    const jobId = job?.id ?? "";
    await buildImportRun(server, { jobId, result: { status: "failed" }, finishedAt: clockNow() });
    await startWorker();
    await ask(`POST /admin/jobs/${jobId}/retry`);
    const isImported = async () => (await resultOf(jobId))?.status === "imported";
    await untilWorked("it has another result", isImported);
    expect(await resultOf(jobId)).toMatchObject({ status: "imported", counts: { spawners: 1 } });
  });
});
