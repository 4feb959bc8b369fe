import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { samples } from "../shard/samples.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { changeJob } from "../support/database/change-job.ts";
import { buildAppeal } from "../support/factories/site.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";

let server: TestServer;
let editor: SignedIn;
let admin: SignedIn;
let moderator: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  editor = await signIn(server, { role: "editor" });
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
});
afterAll(() => server.stop());

describe.each(["/dashboard", "/admin/dashboard"])("GET %s", (path) => {
  it("answers every role of staff the same counts, and forbids caching", async () => {
    const answered = await callRoute(server, `GET ${path}`, { headers: editor.headers });
    const total = await server.context.models.User.count();
    const byRole = { admin: 1, editor: 1, moderator: 1, player: 0 };
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        posts: { published: 0, draft: 0, scheduled: 0, latest: [] },
        users: { total, active7d: total, new7d: total, byRole },
        appeals: { open: 0 },
        reports: { open: 0, seen: 0 },
        pages: { open: null },
        shard: expect.objectContaining({ enabled: false, status: "disconnected" }),
        jobs: { failed: 0, oldestSeconds: null },
      },
    ]);
    expect(answered.headers.get("cache-control")).toBe("no-store");
    for (const { headers } of [admin, moderator]) {
      expect(statusAndBodyOf(await callRoute(server, `GET ${path}`, { headers }))).toEqual(
        statusAndBodyOf(answered),
      );
    }
  });
});

describe("the dashboard", () => {
  const read = async () =>
    (await callRoute(server, "GET /dashboard", { headers: editor.headers })).body as Record<
      string,
      object
    >;

  it("counts posts by status, and lists the latest published ones", async () => {
    const headers = editor.headers;
    const write = (title: string, more: object) =>
      callRoute(server, "POST /admin/posts", { headers, body: { title, body: "Text", ...more } });
    await write("Draft", {});
    await write("Soon", { status: "scheduled", published_at: "2099-01-01T00:00:00Z" });
    await write("Now", { status: "published" });
    const { body } = await callRoute(server, "GET /dashboard", { headers });
    expect((body as { posts: unknown }).posts).toEqual({
      published: 1,
      draft: 1,
      scheduled: 1,
      latest: [
        {
          id: expect.any(Number),
          slug: "now",
          title: "Now",
          publishedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
  });

  it("counts users who registered or signed in within a week", async () => {
    const before = (await read())["users"] as { total: number };
    const [old, away] = [await signIn(server), await signIn(server)];
    const ids = [old.userId, away.userId];
    const { User, ActivityEntry } = server.context.models;
    await User.update({ createdAt: clockNowPlus(-8 * 86_400_000) }, { where: { id: ids } });
    const signIns = { actorId: away.userId, action: "auth.login.success" };
    await ActivityEntry.destroy({ where: signIns });
    expect((await read())["users"]).toMatchObject({
      total: before.total + 2,
      active7d: before.total + 1,
      new7d: before.total,
      byRole: { player: 2 },
    });
  });

  it("counts open appeals, open help pages of the game, and jobs", async () => {
    const player = await signIn(server);
    for (const state of ["open", "assigned", "rejected", "withdrawn"] as const) {
      await buildAppeal(server, { userId: player.userId, account: state, state });
    }
    const help = (kind: string, id: string) => ({
      kind: `page.${kind}`,
      payload: { ...samples["page.update"], id },
    });
    await ingestTestEvents(server.context, [
      ...["1", "2", "3"].map((id) => help("open", id)),
      help("update", "2"),
      help("close", "1"),
    ]);
    const { queue } = server.context;
    const jobs = [
      await queue.enqueue("content.announce-posts", {}),
      await queue.enqueue("content.announce-posts", {}),
    ];
    await changeJob(server, jobs[0] ?? "", { startsIn: -90 });
    await changeJob(server, jobs[1] ?? "", { state: "failed" });
    expect(await read()).toMatchObject({
      appeals: { open: 2 },
      pages: { open: 2 },
      shard: { enabled: true, status: "connected" },
      jobs: { failed: 1 },
    });
    const { oldestSeconds } = (await read())["jobs"] as { oldestSeconds: number };
    expect(oldestSeconds).toBeGreaterThanOrEqual(90);
    expect(oldestSeconds).toBeLessThan(300);
  });
});

describe("the public routes of the site", () => {
  it("have an ETag if their answer is stable, and no ETag if it contains the time", async () => {
    const settings = await callRoute(server, "GET /public/settings");
    expect(settings.headers.get("cache-control")).toBe("public, max-age=5");
    const etag = settings.headers.get("etag") ?? "";
    const again = await callRoute(server, "GET /public/settings", {
      headers: { "if-none-match": etag },
    });
    expect(again.status).toBe(304);
    const status = await callRoute(server, "GET /public/status");
    expect(status.headers.get("cache-control")).toContain("no-cache");
    expect(status.headers.get("etag")).toBeNull();
    const signedIn = await callRoute(server, "GET /public/settings", { headers: editor.headers });
    expect(signedIn.headers.get("cache-control")).toBe("private, no-store");
    expect(signedIn.headers.get("etag")).toBeNull();
  });
});
