import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import { resetMfa } from "../../jobs/commands/accounts/accounts.ts";
import {
  createEnrolledUser,
  codeOf,
  requestChallenge,
  forgetSteps,
  type EnrolledUser,
} from "../support/accounts/second-factor.ts";
import { logIn, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeUser } from "../support/factories/users.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
/** A second process of the same site. */
let other: TestServer;
/** An administrator with a second factor. */
let keeper: EnrolledUser;
beforeAll(async () => {
  server = await startTestServer({ environment: { SSE_RECHECK: "1s" } });
  other = await startTestServer({ database: server.database });
  keeper = await createEnrolledUser(server, { role: "admin" });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const refused = [403, { error: "This site requires a second factor for staff: set one up" }];
type Headers = SignedIn["headers"];
const put = (value: boolean, { headers }: { headers: Headers }) =>
  callRoute(server, "PUT /admin/settings", {
    headers,
    body: { staff_second_factor_required: value },
  });
const users = (headers: Headers, at = server) => callRoute(at, "GET /admin/users", { headers });

async function settle(value: boolean): Promise<void> {
  expect((await put(value, keeper)).status).toBe(200);
  const isKnown = ({ context }: TestServer) =>
    context.settings.current.staff_second_factor_required === value;
  await waitUntil("both processes know", () => isKnown(server) && isKnown(other));
}

describe("the setting staff_second_factor_required", () => {
  it("is off by default, and only administrators see it", async () => {
    const { body } = await callRoute(server, "GET /admin/settings", { headers: keeper.headers });
    expect(body).toMatchObject({ settings: { staff_second_factor_required: false } });
    expect((await callRoute(server, "GET /public/settings")).text).not.toMatch(/second_?factor/i);
  });

  it("cannot be set by an administrator without a second factor, nor can other settings in that request", async () => {
    const admin = await signIn(server, { role: "admin" });
    const body = { staff_second_factor_required: true, registration_enabled: true };
    const answered = await callRoute(server, "PUT /admin/settings", {
      headers: admin.headers,
      body,
    });
    expect(statusAndBodyOf(answered)).toEqual([
      409,
      { error: "Switch on your own second factor first" },
    ]);
    expect(answered.headers.get("x-error-code")).toBe("second_factor_disabled");
    const { body: after } = await callRoute(server, "GET /admin/settings", {
      headers: admin.headers,
    });
    expect(after).toMatchObject({
      settings: { staff_second_factor_required: false, registration_enabled: false },
    });
    expect((await put(false, admin)).status).toBe(200);
  });

  it("cannot be set by an administrator whose second factor is removed while the request waits", async () => {
    const admin = await createEnrolledUser(server, { role: "admin" });
    const held = await server.context.sequelize.transaction();
    await changeUser(server, admin.userId, { totpEnabled: false }, held);
    const answer = put(true, admin);
    await waitUntilLockWaits(server);
    await held.commit();
    expect(statusAndBodyOf(await answer)).toEqual([
      409,
      { error: "Switch on your own second factor first" },
    ]);
    const { body: after } = await callRoute(server, "GET /admin/settings", {
      headers: keeper.headers,
    });
    expect(after).toMatchObject({ settings: { staff_second_factor_required: false } });
  });

  it("refuses values that are not booleans", async () => {
    const { headers } = keeper;
    for (const value of ["true", 1, null, {}]) {
      const body = { staff_second_factor_required: value };
      expect((await callRoute(server, "PUT /admin/settings", { headers, body })).status).toBe(400);
    }
  });
});

describe("while staff need a second factor", () => {
  const ofStaff = routes.filter(({ path }) => /^\/api\/(v1\/(admin|dashboard)|queues)/.test(path));
  let staff: readonly SignedIn[];
  beforeAll(async () => {
    staff = await Promise.all(
      (["admin", "editor", "moderator"] as const).map((role) => signIn(server, { role })),
    );
    await settle(true);
  });
  afterAll(() => settle(false));

  it.each(ofStaff.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    "%s refuses staff without a second factor",
    async (_name, { method, path }) => {
      for (const { headers } of staff) {
        const response = await fetch(server.url + path.replaceAll(/:\w+/g, "1"), {
          method: method.toUpperCase(),
          headers: { ...headers },
        });
        expect(response.headers.get("x-error-code")).toBe("second_factor_required");
        expect([response.status, await response.json()]).toEqual(refused);
      }
    },
  );

  it("every process refuses staff without a second factor, and players are not affected", async () => {
    expect(statusAndBodyOf(await users((staff[0] as SignedIn).headers, other))).toEqual(refused);
    expect((await users(keeper.headers, other)).status).toBe(200);
    const player = await signIn(server);
    const own = await callRoute(server, "GET /admin/shard/accounts", { headers: player.headers });
    expect(own.status).toBe(200);
    expect((await callRoute(server, "GET /admin/users", { headers: player.headers })).body).toEqual(
      {
        error: "Admin role required",
      },
    );
    expect((await callRoute(server, "GET /admin/users")).status).toBe(401);
  });

  it("staff without a second factor can enroll, and are admitted at once", async () => {
    const { headers } = await signIn(server, { role: "admin" });
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
    expect(statusAndBodyOf(await users(headers))).toEqual(refused);
    const setup = await callRoute(server, "POST /auth/me/account/totp/setup", {
      headers,
      body: {},
    });
    const { secret } = setup.body as { secret: string };
    const body = { code: codeOf(secret) };
    await callRoute(server, "POST /auth/me/account/totp/enable", { headers, body });
    expect((await users(headers)).status).toBe(200);
  });

  it("an administrator whose factor was reset by the operator can enroll again", async () => {
    const lost = await createEnrolledUser(server, { role: "admin" });
    const { username, password } = lost;
    await resetMfa(username, server.context);
    const cookie = await logIn(server, { username, password });
    expect(statusAndBodyOf(await users({ cookie }))).toEqual(refused);
    const headers = { cookie };
    const setup = await callRoute(server, "POST /auth/me/account/totp/setup", {
      headers,
      body: {},
    });
    const body = { code: codeOf((setup.body as { secret: string }).secret) };
    await callRoute(server, "POST /auth/me/account/totp/enable", { headers, body });
    expect((await users(headers)).status).toBe(200);
  });

  it("staff who switch their factor off are refused at once", async () => {
    const user = await createEnrolledUser(server, { role: "admin" });
    const { headers, secret, userId } = user;
    await forgetSteps(server, userId);
    const challenge = await requestChallenge(server, user);
    const body = { challenge, code: codeOf(secret) };
    expect((await callRoute(server, "POST /auth/login/totp", { body })).status).toBe(200);
    const off = { headers, body: { code: codeOf(secret) } };
    const answered = await callRoute(server, "POST /auth/me/account/totp/disable", off);
    const cookie = answered.setCookies[0]?.split(";")[0] ?? "";
    expect(statusAndBodyOf(await users({ cookie }))).toEqual(refused);
  });

  it("staff streams of users without a second factor end, and no other streams", async () => {
    await settle(false);
    const admin = staff[0] as SignedIn;
    const path = "/api/v1/admin/shardlink/stream";
    const open = (url: string, headers: Headers) => openStream(server.url + url, { headers });
    const streams = await Promise.all([
      open(path, admin.headers),
      open(path, keeper.headers),
      open("/api/v1/public/shard/stream", admin.headers),
    ]);
    for (const stream of streams) await stream.waitFor(({ event }) => event === "hello");
    await settle(true);
    const [theirs, keepers, everyones] = streams;
    expect((await theirs.waitFor(({ event }) => event === "bye")).data).toEqual({
      reason: "revoked",
    });
    await theirs.ended;
    const ended = [keepers, everyones].filter(({ blocks }) =>
      blocks.some(({ event }) => event === "bye"),
    );
    expect(ended).toEqual([]);
    keepers.close();
    everyones.close();
    const again = await open(path, admin.headers);
    expect(again.status).toBe(403);
    again.close();
  });
});
