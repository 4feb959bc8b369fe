import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { addUser, changeRole, setPassword } from "../../jobs/commands/accounts/accounts.ts";
import { ensureFirstAdmin } from "../../jobs/commands/accounts/first-admin.ts";
import { clockNow } from "../../models/queries/clock.ts";
import { listUsers } from "../../shared/auth/users/user-records.ts";
import { messageOf } from "../../shared/platform/errors/errors.ts";
import { isSignedIn } from "../support/accounts/is-signed-in.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildUser, changeUser, userOf } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const password = "correct horse battery";

const lastActivity = async () =>
  (await activityOf(server, {}, ["action", "actorId", "detail"])).at(-1);

describe("the first administrator", () => {
  it("is refused if its password is one of the commonest", async () => {
    const config = { ...server.config, ADMIN_PASSWORD: "password123" };
    await expect(ensureFirstAdmin({ ...server.context, config })).rejects.toThrow(
      "ADMIN_USERNAME and ADMIN_PASSWORD: password must not be one of the most common passwords",
    );
  });

  it("is created once with a random password if several processes start at once", async () => {
    const starts = [1, 2, 3].map(() => ensureFirstAdmin(server.context));
    const [made, ...others] = (await Promise.all(starts)).toSorted((a, b) => (a ? -1 : b ? 1 : 0));
    expect(made).toEqual({ username: "admin", madePassword: expect.stringMatching(/^.{16}$/) });
    expect(others).toEqual([null, null]);
    await logIn(server, { username: "admin", password: made?.madePassword ?? "" });
  });

  it("is reported as missing if a player registers the configured name at the same time", async () => {
    const config = { ...server.config, ADMIN_USERNAME: "captain" };
    const { sequelize, models } = server.context;
    const { User } = models;
    await User.update({ role: "player" }, { where: {} });
    const held = await sequelize.transaction();
    await buildUser(server, { username: "captain" }, held);
    const making = ensureFirstAdmin({ ...server.context, config }).catch(messageOf);
    await waitUntilLockWaits(server);
    await held.commit();
    expect(await making).toBe(
      "The site has no administrator, and the user captain exists: run npm run user -- role captain admin",
    );
    await User.destroy({ where: { username: "captain" } });
    await User.update({ role: "admin" }, { where: { username: "admin" } });
  });

  it("is reported as missing if the only administrator is disabled", async () => {
    const { User } = server.context.models;
    await User.update({ disabledAt: clockNow() }, { where: {} });
    await expect(ensureFirstAdmin(server.context)).rejects.toThrow(
      "The site has no administrator, and the user admin is disabled: set ADMIN_USERNAME to another name",
    );
    await User.update({ disabledAt: null }, { where: {} });
  });

  it("is not created if an administrator already exists", async () => {
    const config = { ...server.config, ADMIN_USERNAME: "another" };
    expect(await ensureFirstAdmin({ ...server.context, config })).toBeNull();
    expect((await listUsers(server.context)).map(({ username }) => username)).toEqual(["admin"]);
  });
});

describe("a command for a username that changes owners while the command waits", () => {
  it("acts on the new owner of the name", async () => {
    const { sequelize } = server.context;
    const former = await createTestUser(server, { username: "harbourmaster" });
    const held = await sequelize.transaction();
    const lock = held.LOCK.UPDATE;
    await server.context.models.User.findByPk(former.userId, { transaction: held, lock });
    const setting = setPassword("harbourmaster", "a brand new password", server.context);
    await waitUntilLockWaits(server);
    const retired = { username: "retired", usernameKey: "retired", usernameFold: null };
    await changeUser(server, former.userId, retired, held);
    await buildUser(server, { username: "harbourmaster" }, held);
    await held.commit();
    expect((await setting).username).toBe("harbourmaster");
    await logIn(server, { username: "harbourmaster", password: "a brand new password" });
    await logIn(server, { username: "retired", password: former.password });
  });
});

describe("npm run user", () => {
  it("adds a user who can sign in, and writes an activity entry", async () => {
    const user = await addUser({ username: "Maple", role: "editor", password }, server.context);
    expect(user).toMatchObject({ username: "Maple", role: "editor", email: null });
    expect(await lastActivity()).toEqual({
      action: "user.created",
      actorId: null,
      detail: { role: "editor", from: "shell" },
    });
    await logIn(server, { username: "Maple", password });
  });

  it.each([
    ["x", password, "username must be 3 to 32 letters"],
    ["someone", "short", "password must be 8 characters or more"],
  ])("rejects the user %s and names the broken rule", async (username, given, message) => {
    const added = addUser({ username, role: "player", password: given }, server.context);
    await expect(added).rejects.toMatchObject({
      kind: "invalid",
      faults: [{ message: expect.stringContaining(message) }],
    });
  });

  it("stores the lookup key of an e-mail address and rejects an invalid address", async () => {
    const user = { username: "Birch", role: "player", password } as const;
    const bad = addUser({ ...user, email: "nonsense" }, server.context);
    const faults = [{ path: "email", message: "email must be a valid email" }];
    await expect(bad).rejects.toMatchObject({ kind: "invalid", faults });
    const { id, email } = await addUser({ ...user, email: " Birch@Example.org " }, server.context);
    const { emailKey } = await userOf(server, id);
    expect([email, emailKey]).toEqual(["Birch@Example.org", "birch@example.org"]);
  });

  it("rejects a name that exists in another case", async () => {
    const added = addUser({ username: "mAPLE", role: "player", password }, server.context);
    await expect(added).rejects.toMatchObject({ kind: "conflict" });
  });

  it("keeps sessions when a role gains rights and ends them when it loses rights", async () => {
    const cookie = await logIn(server, { username: "Maple", password });
    await changeRole("maple", "admin", server.context);
    expect(await isSignedIn(server, { cookie })).toBe(true);
    expect(await lastActivity()).toMatchObject({
      action: "user.role_changed",
      detail: { before: "editor", after: "admin" },
    });
    await changeRole("maple", "player", server.context);
    expect(await isSignedIn(server, { cookie })).toBe(false);
  });

  it("revokes a user's invitations when the user's role loses rights", async () => {
    await changeRole("maple", "admin", server.context);
    const headers = { cookie: await logIn(server, { username: "Maple", password }) };
    const body = { role: "admin" };
    const invited = await callRoute(server, "POST /admin/invites", { headers, body });
    const [, token] = (invited.body as { acceptUrl: string }).acceptUrl.split("#token=");
    const look = async () => (await callRoute(server, `GET /auth/invite/${token}`)).status;
    expect(await look()).toBe(200);
    await changeRole("maple", "player", server.context);
    expect(await look()).toBe(404);
  });

  it("refuses to demote the last administrator", async () => {
    await expect(changeRole("admin", "player", server.context)).rejects.toMatchObject({
      kind: "conflict",
      message: "Last admin",
    });
  });

  it("sets a new password at once, ends all sessions and disables the old password", async () => {
    const cookie = await logIn(server, { username: "Maple", password });
    await setPassword("maple", "another horse battery", server.context);
    expect(await isSignedIn(server, { cookie })).toBe(false);
    await logIn(server, { username: "Maple", password: "another horse battery" });
    await expect(logIn(server, { username: "Maple", password })).rejects.toThrow("401");
  });

  it("reports an unknown name as missing", async () => {
    await expect(setPassword("nobody", password, server.context)).rejects.toMatchObject({
      kind: "missing",
    });
  });
});
