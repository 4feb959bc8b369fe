import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Role } from "../../models/auth/user.ts";
import { roles } from "../../shared/platform/access/roles.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { activityOf } from "../support/factories/site.ts";
import { requestUrl, callRoute, statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let other: TestServer;
const users = new Map<Role, SignedIn>();
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ database: server.database });
  for (const role of roles) users.set(role, await signIn(server, { role }));
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const as = (role: Role, route: string, body?: unknown, at = server) => {
  const { headers } = users.get(role) as SignedIn;
  return callRoute(at, route, { headers, ...(body !== undefined && { body }) });
};
const publicSettings = async (at = server) => (await callRoute(at, "GET /public/settings")).body;

/** Reads the public status. Clears the cache of answers first. */
async function readStatus(at: TestServer): Promise<Record<string, unknown>> {
  at.context.keptAnswers.clear();
  return (await callRoute(at, "GET /public/status")).body as Record<string, unknown>;
}

const off = {
  registration_enabled: false,
  game_account_signup: false,
  mobile_app_links_enabled: false,
  staff_second_factor_required: false,
  appeals_enabled: true,
};
const publicOff = {
  siteName: "Guildhall",
  registration: false,
  gameAccountSignup: false,
  mobileAppLinks: false,
  vapidPublicKey: expect.stringMatching(/^[\w-]{87}$/),
  limits: {
    username: { min: 3, max: 32 },
    password: { min: 8, max: 1024 },
    trustedDevices: 10,
  },
};

describe("settings", () => {
  it("are all off at first, except appeals", async () => {
    expect(statusAndBodyOf(await as("admin", "GET /admin/settings"))).toEqual([
      200,
      { settings: off },
    ]);
    expect(await publicSettings()).toEqual(publicOff);
  });

  it("are changed one by one, logged, and seen by every process", async () => {
    const changed = await as("admin", "PUT /admin/settings", { mobile_app_links_enabled: true });
    const settings = { ...off, mobile_app_links_enabled: true };
    expect(statusAndBodyOf(changed)).toEqual([200, { settings }]);
    expect(statusAndBodyOf(await as("admin", "GET /admin/settings", undefined, other))).toEqual([
      200,
      { settings },
    ]);
    await waitUntil(
      "it is seen",
      async () => ((await publicSettings(other)) as typeof publicOff).mobileAppLinks,
    );
    expect(await publicSettings(other)).toEqual({ ...publicOff, mobileAppLinks: true });
    await as("admin", "PUT /admin/settings", { mobile_app_links_enabled: false });
    const which = { action: "site.settings_changed" };
    expect(await activityOf(server, which, ["actorId", "detail"])).toEqual([
      { actorId: users.get("admin")?.userId, detail: { mobile_app_links_enabled: true } },
      { actorId: users.get("admin")?.userId, detail: { mobile_app_links_enabled: false } },
    ]);
  });

  it("open and close registration", async () => {
    await as("admin", "PUT /admin/settings", { registration_enabled: true });
    const body = { username: "newcomer", password: "correct horse battery" };
    expect((await callRoute(server, "POST /auth/register", { body })).status).toBe(201);
    await as("admin", "PUT /admin/settings", { registration_enabled: false });
    expect((await callRoute(server, "POST /auth/register", { body })).status).toBe(403);
  });

  it("refuse an unknown name or a non-boolean value, and change nothing", async () => {
    const put = (body: unknown) => as("admin", "PUT /admin/settings", body);
    expect(statusAndBodyOf(await put({ registration_enabled: true, open_sesame: true }))).toEqual(
      wrongField("open_sesame", "open_sesame is not allowed"),
    );
    for (const value of ["true", 1, null, []]) {
      expect(statusAndBodyOf(await put({ registration_enabled: value }))).toEqual(
        wrongField("registration_enabled", "registration_enabled must be a boolean"),
      );
    }
    expect((await put([])).status).toBe(400);
    expect(statusAndBodyOf(await as("admin", "GET /admin/settings"))).toEqual([
      200,
      { settings: off },
    ]);
  });

  it("are open to administrators only", async () => {
    for (const role of ["editor", "moderator", "player"] as const) {
      for (const route of ["GET /admin/settings", "PUT /admin/settings", "PUT /admin/site-mode"]) {
        expect(statusAndBodyOf(await as(role, route))).toEqual([
          403,
          { error: "Admin role required" },
        ]);
      }
    }
  });
});

const setMode = (body: unknown) => as("admin", "PUT /admin/site-mode", body);

describe("PUT /admin/site-mode", () => {
  const mode = async (site_mode: string, status_message?: string) => {
    const answered = await setMode({ site_mode, ...(status_message && { status_message }) });
    expect(answered.status).toBe(200);
    expect(server.context.siteMode.current.site_mode).toBe(site_mode);
    await waitUntil(
      "the other process knows",
      () => other.context.siteMode.current.site_mode === site_mode,
    );
    return answered;
  };

  it("answers the new mode, and the status route shows it", async () => {
    const answered = await mode("maintenance", "Back at noon");
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        site_mode: "maintenance",
        changed_at: expect.stringMatching(/Z$/),
        changed_by: users.get("admin")?.userId,
      },
    ]);
    const { changed_at } = answered.body as { changed_at: string };
    expect(await readStatus(other)).toMatchObject({
      site_mode: "maintenance",
      status_message: "Back at noon",
      changed_at,
    });
    await mode("live");
    expect(await readStatus(other)).toMatchObject({
      site_mode: "live",
      status_message: null,
    });
  });

  it("admits only staff in maintenance mode, and answers 503 with the message to others", async () => {
    await mode("maintenance", "Back at noon");
    const closed = [503, { error: "Back at noon" }];
    for (const at of [server, other]) {
      const anonymous = await callRoute(at, "GET /public/shard/status");
      expect(statusAndBodyOf(anonymous)).toEqual(closed);
      expect(anonymous.headers.get("retry-after")).toBe("120");
      expect(
        statusAndBodyOf(await as("player", "GET /public/shard/status", undefined, at)),
      ).toEqual(closed);
      for (const role of ["admin", "editor", "moderator"] as const) {
        expect((await as(role, "GET /public/shard/status", undefined, at)).status).toBe(200);
      }
    }
    expect(statusAndBodyOf(await callRoute(server, "GET /admin/settings"))).toEqual(closed);
    expect(statusAndBodyOf(await as("player", "GET /admin/settings"))).toEqual(closed);
    expect((await callRoute(server, "GET /no-such-route")).status).toBe(404);
    await mode("live");
    expect((await callRoute(server, "GET /public/shard/status")).status).toBe(200);
  });

  it("refuses writes in maintenance mode like reads, before it checks the role or the body", async () => {
    const preview = { body: "Ask for the way." };
    const writes = [
      ["POST /admin/content/preview", preview],
      ["PUT /admin/pages/rules", { title: "Rules" }],
      ["POST /player/appeals", {}],
    ] as const;
    await mode("maintenance", "Back at noon");
    const refused = [503, { error: "Back at noon" }];
    for (const [route, body] of writes) {
      for (const at of [server, other]) {
        expect(statusAndBodyOf(await callRoute(at, route, { body }))).toEqual(refused);
        expect(statusAndBodyOf(await as("player", route, body, at))).toEqual(refused);
      }
    }
    const statusesOf = async (role: Role) => {
      const answers = writes.map(async ([route, body]) => (await as(role, route, body)).status);
      return Promise.all(answers);
    };
    expect(await statusesOf("editor")).toEqual([200, 404, 400]);
    await mode("closed", "Back at noon");
    for (const role of ["player", "moderator", "editor"] as const) {
      expect(await statusesOf(role)).toEqual([503, 503, 503]);
    }
    expect(await statusesOf("admin")).toEqual([200, 404, 400]);
    await mode("live");
    expect(await statusesOf("player")).toEqual([403, 403, 400]);
  });

  it("admits only administrators in closed mode", async () => {
    await mode("closed");
    const closed = [503, { error: "The site is closed" }];
    for (const role of ["editor", "moderator", "player"] as const) {
      expect(statusAndBodyOf(await as(role, "GET /public/shard/status"))).toEqual(closed);
    }
    expect((await as("admin", "GET /public/shard/status")).status).toBe(200);
    await mode("live");
  });

  it("leaves status, settings, documentation and sign-in open in closed mode", async () => {
    await mode("closed", "Gone fishing");
    for (const path of ["/public/status", "/public/settings"]) {
      expect((await callRoute(server, `GET ${path}`)).status).toBe(200);
    }
    expect((await fetch(`${server.url}/api/docs.json`)).status).not.toBe(503);
    const { username, password } = users.get("editor") as SignedIn;
    const body = { username, password };
    expect((await callRoute(server, "POST /auth/login", { body })).status).toBe(200);
    expect((await as("player", "GET /auth/me")).status).toBe(200);
    await mode("live");
  });

  it("leaves the app links open, and counts refused requests toward rate limits", async () => {
    await as("admin", "PUT /admin/settings", { mobile_app_links_enabled: true });
    await mode("closed");
    const strict = await startTestServer({
      database: server.database,
      environment: {
        RL_SEARCH_MAX: "2",
        APP_LINK_FINGERPRINTS: Array.from({ length: 32 }, () => "ab").join(":"),
      },
    });
    try {
      const links = await requestUrl(`${strict.url}/.well-known/assetlinks.json`);
      expect([links.status, links.body]).toEqual([200, [expect.any(Object)]]);
      const search = async () =>
        statusAndBodyOf(await callRoute(strict, "GET /public/search?q=moongate"));
      const closed = [503, { error: "The site is closed" }];
      expect([await search(), await search()]).toEqual([closed, closed]);
      const limited = await callRoute(strict, "GET /public/search?q=moongate");
      expect(statusAndBodyOf(limited)).toEqual([429, { error: "Too many requests" }]);
      expect(limited.headers.get("x-error-code")).toBe("rate_limited");
      expect(statusAndBodyOf(await callRoute(strict, "GET /admin/settings"))).toEqual(closed);
    } finally {
      await strict.stop();
      await mode("live");
      await as("admin", "PUT /admin/settings", { mobile_app_links_enabled: false });
    }
  });

  it("applies to a process that starts later", async () => {
    await mode("maintenance");
    const late = await startTestServer({ database: server.database });
    try {
      expect(statusAndBodyOf(await callRoute(late, "GET /public/shard/status"))).toEqual([
        503,
        { error: "The site is in maintenance" },
      ]);
    } finally {
      await late.stop();
      await mode("live");
    }
  });

  it("counts the requests that it refuses separately from failures of the service", async () => {
    const counted = async (start: string) =>
      (await server.registry.metrics())
        .split("\n")
        .filter((line) => line.startsWith(start))
        .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    const failed = () =>
      counted(
        'guildhall_http_requests_total{method="GET",route="/api/v1/public/shard/status",status="503"}',
      );
    const shutOut = () => counted("guildhall_http_requests_shut_out_total ");
    const before = [await failed(), await shutOut()];
    const asked = () => callRoute(server, "GET /public/shard/status");
    for (const closed of ["maintenance", "closed"]) {
      await mode(closed);
      expect((await asked()).status).toBe(503);
    }
    await mode("live");
    expect((await asked()).status).toBe(200);
    const after = before.map((count) => count + 2);
    await waitUntil("both are counted", async () => (await failed()) === after[0]);
    expect([await failed(), await shutOut()]).toEqual(after);
  });

  it("refuses an unknown mode or an invalid message", async () => {
    for (const body of [
      {},
      { site_mode: "open" },
      { site_mode: 1 },
      { site_mode: "live", status_message: 5 },
    ]) {
      expect((await setMode(body)).status).toBe(400);
    }
    const long = { site_mode: "live", status_message: "\u{1F3F0}".repeat(501) };
    expect((await setMode(long)).status).toBe(400);
  });

  it("accepts a message of 500 emoji, and trims white space around it", async () => {
    const message = "\u{1F3F0}".repeat(500);
    await mode("live", `  ${message}\n`);
    expect((await readStatus(server)).status_message).toBe(message);
    await mode("live", " \n ");
    expect((await readStatus(server)).status_message).toBeNull();
  });

  it("is logged without the message", async () => {
    await mode("maintenance", "Back at noon");
    await mode("live");
    const lines = await activityOf(server, { action: "site.mode_changed" }, ["actorId", "detail"]);
    const actorId = users.get("admin")?.userId;
    expect(lines.slice(-2)).toEqual([
      { actorId, detail: { before: "live", after: "maintenance", messageChanged: true } },
      { actorId, detail: { before: "maintenance", after: "live", messageChanged: true } },
    ]);
  });

  it("logs, for each of two concurrent changes, the mode before the change", async () => {
    await mode("live");
    const second = await signIn(server, { role: "admin" });
    const put = ({ headers }: SignedIn, site_mode: string) =>
      callRoute(server, "PUT /admin/site-mode", { headers, body: { site_mode } });
    const { models, sequelize } = server.context;
    const held = await sequelize.transaction();
    const forUpdate = { transaction: held, lock: held.LOCK.UPDATE };
    await models.Setting.findByPk("site_mode", forUpdate);
    const changes = [
      put(users.get("admin") as SignedIn, "maintenance"),
      put(second, "closed"),
    ] as const;
    await waitUntilLockWaits(server, 2);
    await held.commit();
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
    const lines = await activityOf(server, { action: "site.mode_changed" }, ["detail"]);
    const [first, last] = lines.slice(-2).map(({ detail }) => detail);
    expect([first?.["before"], last?.["before"]]).toEqual(["live", first?.["after"]]);
    await mode("live");
  });
});
