import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { transactionStartPlus } from "../../models/queries/clock.ts";
import { beginActivity, recordActivityOutcome } from "../../shared/platform/activity/activity.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { messageOf } from "../../shared/platform/errors/errors.ts";
import { pruneActivity } from "../../shared/site/prune-activity.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { buildActivity } from "../support/factories/site.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

interface Page {
  readonly activity: readonly { readonly id: number; readonly action: string }[];
  readonly nextBefore: number | null;
}

const read = (search = "") =>
  callRoute(server, `GET /admin/activity${search}`, { headers: admin.headers });
const page = async (search: string) => (await read(search)).body as Page;

async function plant(...actions: string[]): Promise<void> {
  for (const action of actions) {
    await buildActivity(server, { actorId: admin.userId, action });
  }
}

const found = async (search: string) => (await page(search)).activity.map(({ action }) => action);

describe("GET /admin/activity", () => {
  it("shows the actor, the action and the target, newest first", async () => {
    const { userId } = await createTestUser(server);
    await callRoute(server, `PATCH /admin/users/${userId}`, {
      headers: admin.headers,
      body: { role: "editor" },
    });
    const wrong = { username: "nobody", password: "wrong" };
    await callRoute(server, "POST /auth/login", { body: wrong });
    const answered = await read("?limit=2");
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        activity: [
          {
            id: expect.any(Number),
            at: expect.stringMatching(/Z$/),
            actor: null,
            action: "auth.login.failure",
            target: null,
            detail: { fault: "credentials", username: expect.any(String) },
          },
          {
            id: expect.any(Number),
            at: expect.stringMatching(/Z$/),
            actor: { id: admin.userId, username: admin.username },
            action: "user.role_changed",
            target: { type: "user", id: String(userId) },
            detail: { before: "player", after: "editor" },
          },
        ],
        nextBefore: expect.any(Number),
      },
    ]);
    expect(answered.text).not.toContain("nobody");
  });

  it("keeps the id of a deleted actor", async () => {
    const gone = await signIn(server, { role: "admin" });
    const { userId } = await createTestUser(server);
    await callRoute(server, `DELETE /admin/users/${userId}`, { headers: gone.headers });
    await callRoute(server, `DELETE /admin/users/${gone.userId}`, { headers: admin.headers });
    const { activity } = await page(`?actor=${gone.userId}&action=user.deleted`);
    expect(activity).toEqual([
      expect.objectContaining({ actor: { id: gone.userId, username: null } }),
    ]);
  });

  it("pages by a cursor without gaps or overlaps", async () => {
    const actions = Array.from({ length: 7 }, (_each, at) => `paged.step-${at}`);
    await plant(...actions);
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { activity, nextBefore } = await page(`?action=paged.&limit=3${cursor}`);
      seen.push(...activity.map(({ action }) => action));
      if (nextBefore === null) break;
      cursor = `&before=${nextBefore}`;
      // Add a line between the reads of two pages. The new line must not shift the following pages.
      await plant("paged.late");
    }
    expect(seen).toEqual(actions.toReversed());
  });

  it("marks a page as the last one even if it is exactly full", async () => {
    await plant("full.one", "full.two", "full.three", "full.four");
    const first = await page("?action=full.&limit=2");
    const last = await page(`?action=full.&limit=2&before=${first.nextBefore}`);
    expect(last.activity.map(({ action }) => action)).toEqual(["full.two", "full.one"]);
    expect([typeof first.nextBefore, last.nextBefore]).toEqual(["number", null]);
  });

  it("filters by actor, and by an action or its prefix", async () => {
    await plant("sift.one", "sift.one.more", "sift.two", "siftXone");
    expect(await found("?action=sift.one")).toEqual(["sift.one.more", "sift.one"]);
    expect(await found("?action=sift.")).toEqual(["sift.two", "sift.one.more", "sift.one"]);
    expect(await found("?action=sift_")).toEqual([]);
    expect(await found("?action=sift%25")).toEqual([]);
    expect(await found(`?action=sift.&actor=${admin.userId + 1}`)).toEqual([]);
    expect(await found("?action=&actor=&before=&limit=1")).toEqual(["siftXone"]);
  });

  it("refuses a bad cursor, actor or limit", async () => {
    for (const search of ["before=x", "before=0", "actor=x", "actor=-1", "limit=0", "limit=101"]) {
      expect((await read(`?${search}`)).status).toBe(400);
    }
  });

  it("is open to administrators only", async () => {
    const { headers } = await signIn(server, { role: "moderator" });
    expect(statusAndBodyOf(await callRoute(server, "GET /admin/activity", { headers }))).toEqual([
      403,
      { error: "Admin role required" },
    ]);
    expect((await callRoute(server, "GET /admin/activity")).status).toBe(401);
  });
});

describe("a line of the activity log", () => {
  const change = (set: string, id: number) =>
    server.context.sequelize.query(`update activity_log set ${set} where id = $1`, { bind: [id] });
  const lineOf = (id: number) => server.context.models.ActivityEntry.findByPk(id, { raw: true });

  it("cannot be changed, not even by an SQL update", async () => {
    const target = { targetType: "user", targetId: String(admin.userId) };
    const { id } = await buildActivity(server, {
      actorId: admin.userId,
      action: "stands.done",
      ...target,
      address: "192.0.2.7",
      detail: { outcome: "done" },
    });
    const before = await lineOf(id);
    const changes = [
      "action = 'user.created'",
      "actor_id = null",
      "at = at - interval '1 day'",
      "target_id = '0'",
      "token_id = 1",
      "address = null",
      "address = '192.0.2.8'",
      "detail = '{}'",
      `detail = '{"outcome":"unknown"}'`,
    ];
    const refused = "lines of the activity log are never changed";
    const refusals = changes.map((set) => change(set, id).catch(messageOf));
    expect(await Promise.all(refusals)).toEqual(changes.map(() => refused));
    expect(await lineOf(id)).toEqual(before);
    // A change that leaves all values equal is allowed.
    await change("action = action", id);
  });

  it("receives its outcome only once", async () => {
    const action = "stands.begun";
    const lineId = await inTransaction(server.context.sequelize, (transaction) =>
      beginActivity({ actorId: admin.userId, action, detail: { account: "maple" } }, transaction),
    );
    for (const word of ["done", "failed"]) {
      await inTransaction(server.context.sequelize, (transaction) =>
        recordActivityOutcome(lineId, { outcome: word }, transaction),
      );
    }
    const { activity } = await page(`?action=${action}`);
    expect(activity).toMatchObject([{ detail: { account: "maple", outcome: "done" } }]);
  });

  it("loses its address when its user is deleted, and only then may its detail be cleared", async () => {
    const gone = await createTestUser(server);
    const { id } = await buildActivity(server, {
      actorId: gone.userId,
      action: "stands.forgotten",
      address: "192.0.2.7",
      detail: { name: "x" },
    });
    const forget = () => change("address = null, detail = '{}'", id);
    await expect(forget()).rejects.toThrow("never changed");
    await callRoute(server, `DELETE /admin/users/${gone.userId}`, { headers: admin.headers });
    expect(await lineOf(id)).toMatchObject({ address: null, detail: { name: "x" } });
    await expect(change("action = 'x'", id)).rejects.toThrow("never changed");
    await forget();
  });
});

describe("site.prune-activity", () => {
  const plantOld = (action: string, count: number, daysOld: number) =>
    server.context.models.ActivityEntry.bulkCreate(
      makeList(count, () => ({ action, at: transactionStartPlus(-daysOld * 86_400_000) })),
    );

  it("deletes only the lines older than two years, however many there are", async () => {
    await server.context.models.ActivityEntry.truncate();
    await plantOld("pruned.old", 12_000, 731);
    await plantOld("pruned.young", 2, 729);
    expect(await pruneActivity(server.context)).toEqual({ deleted: 12_000 });
    expect(await found("?action=pruned")).toEqual(["pruned.young", "pruned.young"]);
    expect(await pruneActivity(server.context)).toEqual({ deleted: 0 });
  });

  it("keeps lines for the configured retention time", async () => {
    const { sequelize, config } = server.context;
    const brief = { ...config, ACTIVITY_RETENTION: 30 * 86_400_000 };
    await plantOld("pruned.young", 1, 29);
    expect(await pruneActivity({ sequelize, config: brief })).toEqual({ deleted: 2 });
  });
});
