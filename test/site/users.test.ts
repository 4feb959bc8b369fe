import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isSignedIn } from "../support/accounts/is-signed-in.ts";
import { createTestUser, logIn, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildPasswordReset } from "../support/factories/users.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { MailTrap } from "../support/network/mail-trap.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

let trap: MailTrap;
let server: TestServer;
let other: TestServer;
let worker: TestWorker;
let admin: SignedIn;
beforeAll(async () => {
  trap = await MailTrap.start();
  const environment = { SMTP_URL: trap.url };
  server = await startTestServer({ environment });
  other = await startTestServer({ environment, database: server.database });
  worker = await startTestWorker(server, ["mail"]);
  admin = await signIn(server, { role: "admin", username: "root-of-all" });
});
afterAll(async () => {
  await worker.stop();
  await other.stop();
  await server.stop();
  await trap.stop();
});

let count = 0;
const newName = () => `member-${++count}`;
const password = "correct horse battery";
const unknown = [404, { error: "Unknown user" }];

const as = ({ headers }: SignedIn, route: string, body?: object, at = server) =>
  callRoute(at, route, { headers, ...(body && { body }) });
const asAdmin = (route: string, body?: object) => as(admin, route, body);

const actionsOn = (userId: number) =>
  activityOf(
    server,
    { targetType: "user", targetId: String(userId), action: { [Op.like]: "user.%" } },
    ["action", "actorId", "detail"],
  );

async function found(search: string) {
  const answered = await asAdmin(`GET /admin/users?${search}`);
  const { users, total } = answered.body as { users: { username: string }[]; total: number };
  return [total, users.map(({ username }) => username)];
}

describe("GET /admin/users", () => {
  it("finds users by a part of name or address in any case, with the total of all pages", async () => {
    const emails = ["Zoe@Find-Me.example", "yan@find-me.example", undefined];
    const names = ["find-me-c", "find-me-a", "find-me-b"];
    for (const [at, username] of names.entries()) {
      await createTestUser(server, { username, ...(emails[at] && { email: emails[at] }) });
    }
    expect(await found("q=FIND-ME")).toEqual([3, ["find-me-a", "find-me-b", "find-me-c"]]);
    expect(await found("q=zoe@find")).toEqual([1, ["find-me-c"]]);
    expect(await found("q=find-me&limit=1&offset=1")).toEqual([3, ["find-me-b"]]);
    expect(await found("q=find-me&offset=9")).toEqual([3, []]);
    expect(await found("q=find-me&role=admin")).toEqual([0, []]);
    expect(await found("q=&role=")).toEqual(await found(""));
    for (const q of ["%", "_", "\\", "find%me"]) {
      expect(await found(`q=${encodeURIComponent(q)}`)).toEqual([0, []]);
    }
  });

  it("answers the fields that administrators need, and no secret", async () => {
    const { userId } = await createTestUser(server, {
      username: "shown-user",
      email: "s@x.example",
    });
    const answered = await asAdmin("GET /admin/users?q=shown-user");
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        users: [
          {
            id: userId,
            username: "shown-user",
            email: "s@x.example",
            role: "player",
            totp_enabled: false,
            disabled: false,
            has_password: true,
            created_at: anyTime,
          },
        ],
        total: 1,
      },
    ]);
  });

  it("refuses an invalid limit, offset or role", async () => {
    for (const search of ["limit=0", "limit=101", "limit=x", "offset=-1", "role=owner"]) {
      expect((await asAdmin(`GET /admin/users?${search}`)).status).toBe(400);
    }
  });
});

describe("GET /admin/users/:id", () => {
  it("answers a user, 404 to an unknown id and 400 to a malformed id", async () => {
    const { userId, username } = await createTestUser(server, { password: null });
    expect((await asAdmin(`GET /admin/users/${userId}`)).body).toMatchObject({
      username,
      has_password: false,
    });
    for (const id of [999_999_999, Number.MAX_SAFE_INTEGER]) {
      expect(statusAndBodyOf(await asAdmin(`GET /admin/users/${id}`))).toEqual(unknown);
    }
    expect((await asAdmin("GET /admin/users/x")).status).toBe(400);
  });
});

describe("POST /admin/users", () => {
  it("creates a user who can sign in", async () => {
    const username = newName();
    const body = { username, email: `${username}@x.example`, role: "moderator", password };
    const answered = await asAdmin("POST /admin/users", body);
    expect(statusAndBodyOf(answered)).toEqual([
      201,
      {
        id: expect.any(Number),
        username,
        email: `${username}@x.example`,
        role: "moderator",
        totp_enabled: false,
        disabled: false,
        has_password: true,
        created_at: anyTime,
      },
    ]);
    await logIn(server, { username, password });
    const { id } = answered.body as { id: number };
    expect(await actionsOn(id)).toEqual([
      { action: "user.created", actorId: admin.userId, detail: { role: "moderator" } },
    ]);
  });

  it("creates a user without a password, and no password can sign in as this user", async () => {
    const username = newName();
    const answered = await asAdmin("POST /admin/users", { username, role: "player" });
    expect(answered.body).toMatchObject({ has_password: false, email: null });
    const login = { username, password: "" };
    expect((await callRoute(server, "POST /auth/login", { body: login })).status).toBe(400);
    expect(
      (await callRoute(server, "POST /auth/login", { body: { username, password } })).status,
    ).toBe(401);
  });

  it("refuses a taken name, and names every invalid field", async () => {
    const { username } = await createTestUser(server);
    const taken = { username: username.toUpperCase(), role: "player" };
    expect(statusAndBodyOf(await asAdmin("POST /admin/users", taken))).toEqual([
      409,
      { error: "Username is taken" },
    ]);
    const bad = { username: "a b", role: "player", password: "short" };
    expect((await asAdmin("POST /admin/users", bad)).body).toMatchObject({
      errors: [{ path: "username" }, { path: "password" }],
    });
    for (const body of [{ username: newName() }, { username: newName(), role: "owner" }]) {
      expect((await asAdmin("POST /admin/users", body)).status).toBe(400);
    }
  });
});

const change = (id: number, body: object) => asAdmin(`PATCH /admin/users/${id}`, body);

describe("PATCH /admin/users/:id", () => {
  it("removes rights at once in every process, and ends the sessions of the user", async () => {
    const user = await signIn(server, { role: "admin" });
    const answered = await change(user.userId, { role: "editor" });
    expect(statusAndBodyOf(answered)).toEqual([200, expect.objectContaining({ role: "editor" })]);
    expect((await as(user, "GET /admin/users", undefined, other)).status).toBe(401);
    expect(await actionsOn(user.userId)).toEqual([
      {
        action: "user.role_changed",
        actorId: admin.userId,
        detail: { before: "admin", after: "editor" },
      },
    ]);
  });

  it("grants rights without ending a session", async () => {
    const user = await signIn(server);
    await change(user.userId, { role: "admin" });
    expect((await as(user, "GET /admin/users")).status).toBe(200);
  });

  it("disables a user, whose sessions, tokens and sign-ins are then refused", async () => {
    const user = await signIn(server);
    const phone = await callRoute(server, "POST /auth/mobile/login", {
      body: { username: user.username, password },
    });
    const { accessToken, refreshToken } = phone.body as Record<string, string>;
    expect((await change(user.userId, { disabled: true })).body).toMatchObject({ disabled: true });
    expect(await isSignedIn(server, user.headers)).toBe(false);
    expect(await isSignedIn(server, { authorization: `Bearer ${accessToken}` })).toBe(false);
    const refresh = { body: { refreshToken } };
    expect((await callRoute(server, "POST /auth/mobile/refresh", refresh)).status).toBe(401);
    const login = await callRoute(server, "POST /auth/login", {
      body: { username: user.username, password },
    });
    expect(statusAndBodyOf(login)).toEqual([401, { error: "Invalid username or password" }]);
  });

  it("enables a user again without restoring sessions", async () => {
    const user = await signIn(server);
    await change(user.userId, { disabled: true });
    expect((await change(user.userId, { disabled: false })).body).toMatchObject({
      disabled: false,
    });
    expect(await isSignedIn(server, user.headers)).toBe(false);
    await logIn(server, user);
    expect((await actionsOn(user.userId)).map(({ action }) => action)).toEqual([
      "user.disabled",
      "user.enabled",
    ]);
  });

  it("changes the e-mail address, notifies the old one, and voids the links sent to it", async () => {
    const email = `${newName()}@x.example`;
    const { userId, username } = await createTestUser(server, { email });
    const { tokenHash } = await buildPasswordReset(server, { userId });
    const answered = await change(userId, { email: "New@X.example" });
    expect(answered.body).toMatchObject({ email: "New@X.example" });
    const [mail] = await trap.to(email);
    expect(mail?.subject).toBe("Guildhall: Your e-mail address was changed");
    expect(mail?.text).toContain(username);
    expect(mail?.text).not.toContain("X.example");
    const link = await server.context.models.PasswordReset.findByPk(tokenHash);
    expect(link?.usedAt).toEqual(expect.any(Date));
    expect((await change(userId, { email: null })).body).toMatchObject({ email: null });
  });

  it("changes nothing if no field differs", async () => {
    const user = await signIn(server, { role: "editor" });
    const answered = await change(user.userId, {});
    expect(answered.status).toBe(200);
    await change(user.userId, { role: "editor", disabled: false, email: null });
    expect(await isSignedIn(server, user.headers)).toBe(true);
    expect(await actionsOn(user.userId)).toEqual([]);
  });

  it("answers 404 to an unknown user before it validates the body, and 400 to bad fields", async () => {
    expect(statusAndBodyOf(await change(999_999_999, { role: 5 }))).toEqual(unknown);
    const { userId } = await createTestUser(server);
    for (const body of [{ role: "owner" }, { disabled: "yes" }, { email: "x" }, { email: 1 }]) {
      expect((await change(userId, body)).status).toBe(400);
    }
  });
});

describe("DELETE /admin/users/:id", () => {
  it("deletes the user for good, and the log keeps the id", async () => {
    const user = await signIn(server);
    expect(statusAndBodyOf(await asAdmin(`DELETE /admin/users/${user.userId}`))).toEqual([
      200,
      { id: user.userId },
    ]);
    expect(await isSignedIn(server, user.headers)).toBe(false);
    expect(statusAndBodyOf(await asAdmin(`GET /admin/users/${user.userId}`))).toEqual(unknown);
    expect(statusAndBodyOf(await asAdmin(`DELETE /admin/users/${user.userId}`))).toEqual(unknown);
    await createTestUser(server, { username: user.username });
    expect(await actionsOn(user.userId)).toEqual([
      {
        action: "user.deleted",
        actorId: admin.userId,
        detail: { username: user.username, role: "player" },
      },
    ]);
  });
});

describe("POST /admin/users/:id/sessions/revoke", () => {
  it("signs the user out everywhere and counts their devices", async () => {
    const user = await signIn(server);
    const body = { username: user.username, password };
    for (let phones = 0; phones < 2; phones++) {
      await callRoute(server, "POST /auth/mobile/login", { body });
    }
    const answered = await asAdmin(`POST /admin/users/${user.userId}/sessions/revoke`);
    expect(statusAndBodyOf(answered)).toEqual([200, { revoked: 2 }]);
    expect(await isSignedIn(server, user.headers)).toBe(false);
    await logIn(server, user);
    expect(statusAndBodyOf(await asAdmin("POST /admin/users/999999999/sessions/revoke"))).toEqual(
      unknown,
    );
  });
});

describe("the last administrator", () => {
  let alone: TestServer;
  let root: SignedIn;
  beforeAll(async () => {
    alone = await startTestServer();
    root = await signIn(alone, { role: "admin" });
  });
  afterAll(() => alone.stop());

  const lastAdmin = [409, { error: "Last admin" }];
  const removals = [
    ["PATCH", { role: "player" }],
    ["PATCH", { disabled: true }],
    ["DELETE", undefined],
  ] as const;

  it("cannot be demoted, disabled or deleted while all others are disabled", async () => {
    const shut = await createTestUser(alone, { role: "admin" });
    await as(root, `PATCH /admin/users/${shut.userId}`, { disabled: true }, alone);
    for (const [method, body] of removals) {
      const answered = await as(root, `${method} /admin/users/${root.userId}`, body, alone);
      expect(statusAndBodyOf(answered)).toEqual(lastAdmin);
    }
    expect((await as(root, "GET /admin/users", undefined, alone)).status).toBe(200);
    const same = { role: "admin", disabled: false };
    expect((await as(root, `PATCH /admin/users/${root.userId}`, same, alone)).status).toBe(200);
  });
});
