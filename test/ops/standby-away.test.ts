import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  countNeededConnections,
  createConnectionPool,
} from "../../shared/platform/db/connection/connection.ts";
import { firstRow } from "../../shared/platform/db/rows.ts";
import { startHeartbeat } from "../../shared/platform/job-records/processes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf, retryAfter } from "../support/http/call.ts";
import { DatabasePair } from "../support/pair/database-pair.ts";
import { makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const databaseName = "pair";
/**
 * The timeout of a statement, and the earlier time at which the client asks to cancel it. The time between the
 * two lets a busy server execute the cancellation.
 */
const [patienceMs, askedMs] = [12_000, 11_400];

let pair: DatabasePair;
let server: TestServer;
let editor: SignedIn;
beforeAll(async () => {
  pair = await DatabasePair.start();
  const url = await pair.createDatabase(databaseName);
  server = await startTestServer({
    database: { url, drop: () => Promise.resolve() },
    environment: { ...unlimited, DATABASE_TIMEOUT: `${patienceMs}ms` },
  });
  editor = await signIn(server, { role: "editor" });
});
afterAll(async () => {
  await server?.stop();
  await pair?.stop();
});

const write = (title: string): Promise<ApiAnswer> => {
  const { headers } = editor;
  return callRoute(server, "POST /admin/posts", {
    headers,
    body: { title, body: "As it was sent." },
  });
};

/**
 * Changes a row that belongs to the user alone, so that requests of different users do not wait for
 * each other.
 */
const follow = ({ headers }: SignedIn): Promise<ApiAnswer> => {
  const body = { streams: ["news.post"] };
  return callRoute(server, "PUT /auth/me/notifications/subscriptions", { headers, body });
};

/** Returns the user ids of the stored rows. An id occurs twice if a request was executed twice. */
async function storedFollowers(): Promise<number[]> {
  const rows = await pair.query<{ userId: number }>(
    databaseName,
    'select user_id::integer as "userId" from push_subscriptions order by 1',
  );
  return rows.map(({ userId }) => userId);
}

/**
 * Returns the titles of the posts with this prefix. A title occurs twice if a request was executed
 * twice.
 */
async function storedTitles(beginning: string): Promise<string[]> {
  const rows = await pair.query<{ title: string }>(
    databaseName,
    "select title from posts where starts_with(title, $1)",
    [beginning],
  );
  return rows.map(({ title }) => title).toSorted();
}

/** Counts the service's connections, and those of them that wait for the standby. */
async function countConnections() {
  const [counted] = await pair.query<{ waiting: number; all: number }>(
    databaseName,
    `select count(*) filter (where wait_event = 'SyncRep')::integer as waiting,
       count(*)::integer as all
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return counted ?? { waiting: -1, all: -1 };
}

const refusal = [503, { error: "The database cannot be used at present" }];

describe("while the only standby is away", () => {
  it("a write succeeds after the timeout of its wait for the standby, and reads are answered at once", async () => {
    await pair.withoutStandby(async () => {
      const begunAt = performance.now();
      const writing = write("Alone");
      await waitUntil("it waits", async () => (await countConnections()).waiting === 1);
      const { headers } = editor;
      expect((await callRoute(server, "GET /admin/posts", { headers })).status).toBe(200);
      expect(performance.now() - begunAt).toBeLessThan(askedMs);
      const { status, body } = await writing;
      expect(performance.now() - begunAt).toBeGreaterThan(askedMs - 1);
      const { id } = body as { id: number };
      const read = await callRoute(server, `GET /admin/posts/${id}`, { headers });
      expect([status, statusAndBodyOf(read)]).toEqual([201, [200, body]]);
      expect(await storedTitles("Alone")).toEqual(["Alone"]);
      expect((await countConnections()).waiting).toBe(0);
    });
  });

  it("acknowledged writes are stored, refused writes are not, and no connection is left waiting", async () => {
    const players = await Promise.all(makeList(15, () => signIn(server)));
    await pair.withoutStandby(async () => {
      const answers = await Promise.all(players.map(follow));
      const isDone = answers.map(({ status }) => status === 200);
      const refused = answers.filter((_, index) => !isDone[index]);
      expect(isDone.filter(Boolean).length).toBeGreaterThanOrEqual(server.config.DATABASE_POOL);
      expect(refused.map(statusAndBodyOf)).toEqual(refused.map(() => refusal));
      const waits = refused.map(retryAfter);
      expect(waits.filter((seconds) => !(seconds > 0))).toEqual([]);
      expect((await countConnections()).waiting).toBe(0);
      const need = countNeededConnections("web", server.config);
      // The database health check uses one additional connection for a while.
      await waitUntil("it has its own alone", async () => (await countConnections()).all <= need);
      const followers = players.filter((_, index) => isDone[index]).map(({ userId }) => userId);
      expect(await storedFollowers()).toEqual(followers.toSorted((one, other) => one - other));
    });
  });

  it("a worker's write succeeds after the commit timeout, even if its statement runs longer than a request may", async () => {
    const worker = createConnectionPool(server.config, "worker", 900_000);
    const log = (action: string, seconds: number) =>
      firstRow(
        worker,
        `with computed as materialized (select pg_sleep($2))
         insert into activity_log (action) select $1::text from computed returning action`,
        [action, seconds],
      );
    const answered: unknown[] = [];
    const note = (written: unknown) => answered.push(written);
    await pair.withoutStandby(async () => {
      const begunAt = performance.now();
      const [quick, slow] = [log("quick", 0), log("slow", (patienceMs * 1.2) / 1_000)];
      void Promise.all([quick.then(note), slow.then(note)]);
      await waitUntil("one is answered", () => answered.length === 1, patienceMs * 2);
      expect(performance.now() - begunAt).toBeGreaterThan(askedMs - 1);
      await waitUntil("both are answered", () => answered.length === 2, patienceMs * 3);
      expect(answered).toEqual([{ action: "quick" }, { action: "slow" }]);
      expect(performance.now() - begunAt).toBeGreaterThan(patienceMs * 1.2 + askedMs / 2);
      expect((await countConnections()).waiting).toBe(0);
    });
    await worker.close();
  });

  it("the heartbeats of a process do not wait for the standby", async () => {
    const row = await startHeartbeat(server.context, "web");
    const seenAt = async () =>
      (
        await pair.query<{ at: string }>(
          databaseName,
          "select seen_at::text as at from processes where id = $1",
          [row.id],
        )
      )[0]?.at;
    await pair.withoutStandby(async () => {
      const first = await seenAt();
      await waitUntil("it is seen", async () => (await seenAt()) !== first);
      expect((await countConnections()).waiting).toBe(0);
      const second = await seenAt();
      await waitUntil("it is seen again", async () => (await seenAt()) !== second);
      expect((await countConnections()).waiting).toBe(0);
    });
    await row.stop();
  });

  it("a second change of a post is stored after the first change, or is refused and has no effect", async () => {
    const { headers } = editor;
    const { id } = (await write("Twice")).body as { id: number };
    await pair.withoutStandby(async () => {
      const change = (body: string) =>
        callRoute(server, `PUT /admin/posts/${id}`, { headers, body: { body } });
      const first = change("By the first.");
      await waitUntil("it waits", async () => (await countConnections()).waiting === 1);
      const second = await change("By the second.");
      expect((await first).status).toBe(200);
      expect(second.status === 200 ? refusal : statusAndBodyOf(second)).toEqual(refusal);
      const { body } = await callRoute(server, `GET /admin/posts/${id}`, { headers });
      const last = second.status === 200 ? "By the second." : "By the first.";
      expect(body).toMatchObject({ body: last });
    });
  });

  it("the standby's return makes writes fast again, and a failover to it loses no write", async () => {
    const begunAt = performance.now();
    expect((await write("Again")).status).toBe(201);
    expect(performance.now() - begunAt).toBeLessThan(askedMs);
    const stored = await storedTitles("");
    expect(stored).toEqual(expect.arrayContaining(["Again", "Alone", "Twice"]));
    await pair.failOver();
    expect(await storedTitles("")).toEqual(stored);
    await waitUntil("writes are done there", async () => (await write("There")).status === 201);
  });
});
