import { rmSync } from "node:fs";

import { QueryTypes } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runScript } from "../../jobs/commands/launch/script.ts";
import { migrate } from "../../migrations/migrate.ts";
import { version } from "../../shared/platform/process/version.ts";
import { createPgBoss } from "../../shared/platform/queue/queue.ts";
import { newFolder, writeFiles } from "../imports/import-test-site.ts";
import { buildTextTable } from "../imports/tables.ts";
import { servuoTree } from "../imports/trees.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { buildImportRun } from "../support/factories/ops.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { makeNextRelease, nextVersion } from "../support/service/other-releases.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import {
  type ApiProcess,
  toProjectPath,
  startApiProcess,
  startProgram,
} from "../support/service/processes.ts";
import type { Release } from "../support/service/release.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";
import { storeEvents } from "../support/shard/shard-events.ts";

let server: TestServer;
let admin: SignedIn;
let folder: string;
let next: Release;
const webs: Record<"old" | "new", ApiProcess | undefined> = { old: undefined, new: undefined };
const workers: Record<"old" | "new", ChildProgram | undefined> = { old: undefined, new: undefined };

const startWorker = (release?: Release): Promise<ChildProgram> =>
  startProgram("worker", {
    database: server.database,
    // A worker of the next release works on all queue groups, including a group that only this release has.
    ...(release ? { folder: release.folder } : { arguments: ["imports"] }),
  });
const startWeb = (release?: Release): Promise<ApiProcess> =>
  startApiProcess(server.database, {}, release?.folder);

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  folder = newFolder();
  await writeFiles(folder, {
    ...servuoTree,
    "Cliloc.enu": buildTextTable([
      [500_000, "one"],
      [500_001, "two"],
    ]),
  });
  next = makeNextRelease();
  webs.old = await startWeb();
  workers.old = await startWorker();
  for (const kind of ["atlas", "clilocs"]) {
    await ask("old", `PUT /admin/shard/${kind}/path`, { path: folder });
  }
});
afterAll(async () => {
  for (const process of [...Object.values(workers), ...Object.values(webs)]) await process?.kill();
  await server?.stop();
  next?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (web: "old" | "new", route: string, body?: unknown): Promise<ApiAnswer> =>
  callRoute(webs[web] as ApiProcess, route, {
    headers: admin.headers,
    // The answers may contain fields of the other release, which the API description does not list.
    isUndescribed: true,
    ...(body !== undefined && { body }),
  });
const rows = <Row extends object>(sql: string): Promise<Row[]> =>
  server.context.sequelize.query<Row>(sql, { type: QueryTypes.SELECT });

const rounds = 4;

/** Runs both imports several times through each of these web processes. All must succeed. */
async function importThrough(...names: readonly ("old" | "new")[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const web of names) {
      const atlas = await ask(web, "POST /admin/shard/atlas/import", { force: true });
      expect([atlas.status, atlas.body]).toMatchObject([
        200,
        { status: "imported", counts: { spawners: 2, entries: 3 } },
      ]);
      const clilocs = await ask(web, "POST /admin/shard/clilocs/import", { force: true });
      expect([clilocs.status, clilocs.body]).toMatchObject([200, { status: "imported", count: 2 }]);
    }
  }
  for (const web of names) await readThrough(web);
}

/** Reads the results of the imports from a web process. */
async function readThrough(web: "old" | "new"): Promise<void> {
  const atlas = (await ask(web, "GET /admin/shard/atlas")).body;
  expect(atlas).toMatchObject({ drift: false, loaded: { facets: 2, spawners: 2 } });
  const clilocs = (await ask(web, "GET /admin/shard/clilocs")).body;
  expect(clilocs).toMatchObject({ drift: false, count: 2 });
  const page = await ask(web, "GET /public/atlas?facet=Felucca");
  expect([page.status, page.body]).toMatchObject([200, { total: 1 }]);
}

const versionsSeen = async (web: "old" | "new"): Promise<string[]> => {
  const { workers: seen } = (await ask(web, "GET /admin/jobs")).body as {
    workers: { kind: string; version: string }[];
  };
  return seen.map(({ kind, version: of }) => `${kind} ${of}`).toSorted();
};

describe("while a new release takes over", () => {
  it("imports succeed with the old processes before and after the migration", async () => {
    await importThrough("old");
    await runScript(
      {
        name: "release",
        file: toProjectPath(next.folder, "jobs/commands/migrate.ts"),
        environment: testEnvironment(server.database.url),
      },
      new AbortController().signal,
    );
    expect(await rows("select from pgboss.queue where name = 'surveys.houses'")).toHaveLength(1);
    await importThrough("old");
  });

  it("imports succeed with a new web process and the old worker, which ignores unknown fields", async () => {
    webs.new = await startWeb(next);
    await importThrough("old", "new");
    expect(await versionsSeen("old")).toEqual([
      `web ${version}`,
      `web ${nextVersion}`,
      `worker ${version}`,
    ]);
    const told = (await jobsOf(server, "imports.atlas")).at(-1);
    expect(told?.data).toEqual({ force: true, preview: false });
  });

  it("imports succeed with workers of both releases", async () => {
    workers.new = await startWorker(next);
    await importThrough("old", "new");
    expect((await versionsSeen("new")).slice(-2)).toEqual([
      `worker ${version}`,
      `worker ${nextVersion}`,
    ]);
  });

  it("imports succeed with the old web process and the new worker, whose results it returns unchanged", async () => {
    await workers.old?.stop();
    workers.old = undefined;
    await importThrough("old", "new");
    expect(await versionsSeen("old")).toEqual([
      `web ${version}`,
      `web ${nextVersion}`,
      `worker ${nextVersion}`,
    ]);
    const { url } = webs.old as ApiProcess;
    const stream = await openStream(`${url}/api/v1/admin/shardlink/stream`, admin);
    await stream.waitFor(({ event }) => event === "hello");
    const atlas = await ask("old", "POST /admin/shard/atlas/import", { force: true });
    expect(atlas.body).toMatchObject({ status: "imported", proven: true });
    const { data } = await stream.waitFor(({ event, data: told }) => {
      return event === "job.progress" && (told as { phase: string }).phase === "proof";
    });
    expect(data).toMatchObject({ queue: "imports.atlas", phase: "proof", done: 1, total: 2 });
    stream.close();
  });

  it("the old worker does not run an import of a kind that the old release does not know", async () => {
    await buildImportRun(server, { kind: "houses" });
    await importThrough("old");
    const unfinished = { kind: "houses", result: null };
    expect(await server.context.models.ImportRun.count({ where: unfinished })).toBe(1);
  });

  it("jobs of a new queue are run by the new worker and shown by the old web process", async () => {
    const boss = createPgBoss(server.context.config, server.context.log);
    await boss.start();
    const id = await boss.send("surveys.houses", {});
    await boss.stop({ graceful: false });
    const job = async () =>
      ((await ask("old", `GET /admin/jobs/${id}`)).body as { job: object }).job;
    await waitUntil(
      "the new queue's job is done",
      async () => "completed" === ((await job()) as { state: string }).state,
    );
    expect(await job()).toMatchObject({ queue: "surveys.houses", output: { status: "surveyed" } });
    const listed = await ask("old", "GET /admin/jobs?state=completed");
    expect(listed.body).toMatchObject({
      jobs: expect.arrayContaining([expect.objectContaining({ id })]),
    });
    const { status, body } = await ask("old", "GET /admin/jobs");
    expect([status, JSON.stringify(body)]).toEqual([
      200,
      expect.not.stringContaining("surveys.houses"),
    ]);
  });

  it("an event of a kind that the old release does not know goes only to staff", async () => {
    const url = (webs.old as ApiProcess).url;
    const open = (path: string, headers = {}) => openStream(`${url}/api/v1${path}`, { headers });
    const [seen, staff] = [
      await open("/public/shard/stream"),
      await open("/admin/shardlink/stream", admin.headers),
    ];
    for (const one of [seen, staff]) await one.waitFor(({ event }) => event === "hello");
    const text = { text: "all is well", access: "Player" };
    const [unknown, known] = await storeEvents(server, [
      { kind: "house.surveyed", payload: { secret: 7 } },
      { kind: "world.broadcast", payload: text },
    ]);
    await seen.waitFor(({ id }) => id === known);
    await staff.waitFor(({ id }) => id === known);
    expect(seen.blocks.map(({ id }) => id)).not.toContain(unknown);
    expect(staff.blocks.map(({ id }) => id)).toContain(unknown);
    for (const one of [seen, staff]) one.close();
  });

  it("the old release works again on the newer schema", async () => {
    expect(await migrate(server.database.url)).toEqual([]);
    await workers.new?.stop();
    workers.new = undefined;
    workers.old = await startWorker();
    await importThrough("old", "new");
  });
});
