import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { QueryTypes } from "sequelize";

import { awaitImport } from "../../shared/imports/ask-import.ts";
import { endLostRuns, pruneRuns } from "../../shared/imports/runs.ts";
import { type Answered, call } from "../support/call.ts";
import type { OwnProcess } from "../support/own-process.ts";
import { startProgram } from "../support/processes.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { until } from "../support/wait.ts";
import { newFolder, writeFiles } from "./ground.ts";
import { regionsXml, regionXml, spawnsXml } from "./trees.ts";

jest.setTimeout(120_000);

let server: TestServer;
let admin: SignedIn;
let folder: string;
/** A world that takes long enough to be interrupted in the middle of it, and one that takes none. */
let trees: { readonly large: string; readonly small: string };
const workers: OwnProcess[] = [];

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
  await run("delete from processes; delete from import_runs; delete from imported_sources");
});

const ask = (route: string, body?: unknown, headers: object = {}): Promise<Answered> =>
  call(server, route, {
    headers: { ...admin.headers, ...headers },
    ...(body !== undefined && { body }),
  });

const readFrom = (tree: string) => ask("PUT /admin/shard/atlas/path", { path: tree });

const run = (sql: string) => server.context.sequelize.query(sql);
const rows = <Row extends object>(sql: string): Promise<Row[]> =>
  server.context.sequelize.query<Row>(sql, { type: QueryTypes.SELECT });

async function startWorker(): Promise<OwnProcess> {
  const worker = await startProgram("worker", {
    database: server.database,
    arguments: ["imports"],
  });
  workers.push(worker);
  return worker;
}

/** Waits for what workers do; in vain, it tells what they said and how they ended. */
const untilWorked = (what: string, holds: () => Promise<boolean>) =>
  until(
    () => [what, ...workers.flatMap(({ deaths, said }) => [...deaths, said])].join("\n"),
    holds,
    60_000,
  );

/** As if a worker were alive that never takes a job. */
const pretendWorker = () =>
  run(`insert into processes (id, kind, queue_groups, host, pid, version)
       values ('${randomUUID()}', 'worker', '{imports}', 'nowhere', 1, '0')`);

const later = { prefer: "respond-async" };
const jobIdOf = ({ body }: Answered): string => (body as { jobId: string }).jobId;
type Result = { readonly status: string } | null;
const resultOf = async (jobId: string): Promise<Result> => {
  const [found] = await rows<{ result: Result }>(
    `select result from import_runs where job_id = '${jobId}'`,
  );
  return found?.result ?? null;
};

describe("asking for an import", () => {
  it("is answered at once while no worker is there", async () => {
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

  it("joins the run that is there with the same flags, and is refused with others", async () => {
    await pretendWorker();
    const asked = await Promise.all(
      [{}, { force: false }, undefined].map((flags) =>
        ask("POST /admin/shard/atlas/import", flags, later),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(asked.map(jobIdOf)).size).toBe(1);
    const [first] = asked;
    expect(first?.headers.get("location")).toBe(`/api/v1/admin/jobs/${jobIdOf(first as Answered)}`);
    expect(
      await rows("select from pgboss.job where name = 'imports.atlas' and state = 'created'"),
    ).toHaveLength(1);
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
    // As a newer release might have asked: it is no longer the same import.
    await run(`update import_runs set flags = '{"preview": true}'`);
    const plain = await ask("POST /admin/shard/atlas/import", {}, later);
    expect([plain.status, plain.body]).toEqual(busy);
  });

  it("gives a run up that was cancelled before a worker took it, and the next one begins", async () => {
    await pretendWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", {}, later));
    const waiting = ask("POST /admin/shard/atlas/import", {});
    // It must have joined before the cancel, or it would begin an import of its own.
    await sleep(500);
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

describe("a client's preference", () => {
  const preferring = (prefer: string) => ask("POST /admin/shard/atlas/import", {}, { prefer });

  it.each(["respond-async", "Respond-Async;foo", "handling=lenient, RESPOND-ASYNC , wait=1"])(
    "for %s gets the job's address, and is told that it was heeded",
    async (prefer) => {
      await pretendWorker();
      const { status, body, headers } = await preferring(prefer);
      const [{ jobId } = { jobId: "" }] = await rows<{ jobId: string }>(
        'select job_id as "jobId" from import_runs',
      );
      expect([status, body]).toEqual([202, { jobId }]);
      expect(headers.get("location")).toBe(`/api/v1/admin/jobs/${jobId}`);
      expect(headers.get("preference-applied")).toBe("respond-async");
    },
  );

  it.each(["wait=1", "no-respond-async", 'note="respond-async"'])(
    "for %s alone is none for another answer than the result",
    async (prefer) => {
      await pretendWorker();
      const waiting = preferring(prefer);
      // Longer than the client said it would wait.
      await sleep(1_200);
      await run("update import_runs set finished_at = now(), result = '{}'");
      const { status, body, headers } = await waiting;
      expect([status, body]).toEqual([200, {}]);
      expect(headers.get("preference-applied")).toBeNull();
    },
  );
});

describe("waiting for an import", () => {
  it("ends in words once no worker has been there for a while, and the import stays asked for", async () => {
    await pretendWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", {}, later));
    await run("delete from processes");
    const waiting = { waitMs: 30_000, signal: new AbortController().signal, aloneMs: 0 };
    expect(await awaitImport("atlas", jobId, waiting, server.context)).toMatchObject({
      status: "unavailable",
      code: "BUSY",
      reason: expect.stringMatching(/any more: start `node jobs\/worker.ts`.* goes on$/),
      counts: null,
    });
    expect(await resultOf(jobId)).toBeNull();
    await startWorker();
    await untilWorked("the import is done", async () => (await resultOf(jobId)) !== null);
    expect(await resultOf(jobId)).toMatchObject({ status: "imported" });
  });
});

describe("a run whose job is gone", () => {
  it.each([
    ["delete from pgboss.job", "The import's job is gone"],
    [
      "update pgboss.job set state = 'failed'",
      "The import was given up: each worker that took it was lost",
    ],
    ["update pgboss.job set state = 'completed'", "The import ended without a result"],
  ])("is ended in words: %s", async (change, reason) => {
    await pretendWorker();
    const jobId = jobIdOf(await ask("POST /admin/shard/clilocs/import", {}, later));
    await endLostRuns(server.context.sequelize);
    expect(await resultOf(jobId)).toBeNull();
    await run(`${change} where id = '${jobId}'`);
    await endLostRuns(server.context.sequelize);
    expect(await resultOf(jobId)).toMatchObject({
      status: "failed",
      code: null,
      reason,
      sources: [],
    });
  });

  it("is forgotten after a while, with the progress of its job", async () => {
    await run(`insert into import_runs (job_id, kind, flags, finished_at) values
      ('${randomUUID()}', 'atlas', '{}', now() - interval '91 days'), ('${randomUUID()}', 'atlas', '{}', now())`);
    await run(`insert into job_progress (job_id, queue, phase, done, updated_at)
      values ('${randomUUID()}', 'q', 'p', 1, now() - interval '91 days')`);
    await pruneRuns(server.context.sequelize);
    expect(await rows("select from import_runs")).toHaveLength(1);
    expect(await rows("select from job_progress where queue = 'q'")).toHaveLength(0);
  });
});

describe("a worker that is lost", () => {
  // Missed after five seconds, not ten: as the queue says and each of its jobs is told.
  beforeAll(() =>
    run("update pgboss.queue set heartbeat_seconds = 5 where name = 'imports.atlas'"),
  );

  /** Waits until an attempt is in the middle of its files, and kills its worker. */
  async function killInTheMiddle(worker: OwnProcess, jobId: string, attempt: number) {
    await untilWorked(
      `attempt ${attempt} is under way`,
      async () => (await isUnderWay(jobId, attempt)) || (await resultOf(jobId)) !== null,
    );
    await worker.kill();
    expect(await resultOf(jobId)).toBeNull();
  }

  /** Rows of another generation than the one that is shown. */
  const hiddenRows =
    "select from atlas_spawners where generation <> (select generation from atlas_state) limit 1";

  const isUnderWay = async (jobId: string, attempt = 1): Promise<boolean> => {
    const found = await rows(
      `select from import_runs where job_id = '${jobId}' and attempt = ${attempt} and exists (${hiddenRows})`,
    );
    return found.length > 0;
  };

  const forget = () =>
    run("delete from atlas_spawners; delete from atlas_entries; delete from atlas_regions");

  it("costs nothing: the next one takes the import up, and nothing of the first is shown", async () => {
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
    expect(await rows(hiddenRows)).toEqual([]);
  });

  it("applies nothing of an import that was cancelled meanwhile", async () => {
    await startWorker();
    // What the database does by itself after a while: nothing of it tells of the next generation.
    await run("analyze");
    const jobId = jobIdOf(await ask("POST /admin/shard/atlas/import", { force: true }, later));
    await untilWorked("the import has begun", () => isUnderWay(jobId));
    await ask(`POST /admin/jobs/${jobId}/cancel`);
    await endLostRuns(server.context.sequelize);
    await untilWorked("it is put away", async () => (await rows(hiddenRows)).length === 0);
    expect(await resultOf(jobId)).toMatchObject({
      status: "failed",
      reason: "The import was cancelled",
    });
    expect(await rows("select from imported_sources")).toEqual([]);
    const next = await ask("POST /admin/shard/atlas/import", { force: true });
    expect(next.body).toMatchObject({ status: "imported" });
  });

  it("is given up in words when it happens twice, and what was loaded stays", async () => {
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
      reason: "The import was given up: each worker that took it was lost",
    });
    expect((await ask("GET /public/atlas?facet=Felucca&limit=1")).body).toEqual(before);
  });
});

describe("an import that meets a fault of ours", () => {
  beforeAll(() => readFrom(trees.small));

  it("is failed in words once it was tried again", async () => {
    await startWorker();
    await run("alter table atlas_facets add constraint broken check (name = '') not valid");
    const { body } = await ask("POST /admin/shard/atlas/import", { force: true });
    await run("alter table atlas_facets drop constraint broken");
    expect(body).toMatchObject({
      status: "failed",
      code: null,
      reason: expect.stringMatching(/^The import failed: .*broken/),
      source: null,
    });
    const [row] = await rows<{ attempt: number }>("select attempt from import_runs");
    expect(row?.attempt).toBe(2);
  });

  it("is begun anew when an administrator retries it", async () => {
    const [job] = await rows<{ id: string }>(
      "select id from pgboss.job where name = 'imports.atlas' and state = 'failed' order by completed_on desc limit 1",
    );
    const jobId = job?.id ?? "";
    await run(`insert into import_runs (job_id, kind, flags, result, finished_at)
      values ('${jobId}', 'atlas', '{}', '{"status": "failed"}', now())`);
    await startWorker();
    await ask(`POST /admin/jobs/${jobId}/retry`);
    const isImported = async () => (await resultOf(jobId))?.status === "imported";
    await untilWorked("it has another result", isImported);
    expect(await resultOf(jobId)).toMatchObject({ status: "imported", counts: { spawners: 1 } });
  });
});
