import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import { logIn, signIn } from "../support/accounts/sign-in.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute, cookieOf } from "../support/http/call.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";
import { type ProgramResult, runProgram, type ShellRun } from "./shell-program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-user-"));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (given: readonly string[], options: Partial<ShellRun> = {}): Promise<ProgramResult> =>
  runProgram("jobs/commands/user.ts", {
    given,
    folder,
    environment: testEnvironment(server.database.url),
    ...options,
  });

describe("npm run user as a program", () => {
  it("creates the first administrator and prints the generated password once", async () => {
    const first = await run(["first-admin"]);
    const password =
      /^admin is the first administrator\npassword: (\S{16})\n$/.exec(first.said)?.[1] ?? "";
    await logIn(server, { username: "admin", password });
    expect(await run(["first-admin"])).toEqual({
      code: 0,
      said: "there is an administrator already\n",
      complained: "",
    });
  });

  it("adds a user with a password from standard input and prints no password", async () => {
    const given = ["add", "maple", "--role", "editor", "--email", "maple@example.org", "--stdin"];
    const input = "correct horse battery\n";
    expect(await run(given, { input })).toEqual({
      code: 0,
      said: "maple is editor\n",
      complained: "",
    });
    await logIn(server, { username: "maple", password: "correct horse battery" });
  });

  it("lists users with role and e-mail address", async () => {
    expect(await run(["list"])).toEqual({
      code: 0,
      said: "admin                admin\nmaple                editor     maple@example.org\n",
      complained: "",
    });
  });

  it("changes a role and sets a new password", async () => {
    expect((await run(["role", "maple", "moderator"])).said).toBe("maple is moderator\n");
    const { said } = await run(["password", "maple"]);
    const lines = /^maple has a new password and is signed out everywhere\npassword: (\S+)\n$/;
    await logIn(server, { username: "maple", password: lines.exec(said)?.[1] ?? "" });
  });

  it("resets a second factor and its trusted devices, and keeps the password", async () => {
    const { username, password, userId, headers, secret } = await createEnrolledUser(server);
    const challenge = await requestChallenge(server, { username, password });
    await forgetSteps(server, userId);
    const body = { challenge, code: codeOf(secret), trustDevice: true };
    const trusted = cookieOf(await callRoute(server, "POST /auth/login/totp", { body }), "gh_td");
    const { said } = await run(["reset-mfa", username.toUpperCase()]);
    expect(said).toBe(
      `${username} signs in with only the password, has no trusted devices and is signed out everywhere\n`,
    );
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(401);
    const cookie = await logIn(server, { username, password });
    const devices = await callRoute(server, "GET /auth/me/trusted-devices", {
      headers: { cookie: `${cookie}; ${trusted}` },
    });
    expect([trusted, devices.body]).toEqual([expect.stringMatching(/^gh_td=./), []]);
    const reset = { action: "auth.mfa.reset" };
    const lines = await activityOf(server, reset, ["actorId", "targetId", "detail"]);
    const detail = { totp_enabled: true, from: "shell" };
    expect(lines).toEqual([{ actorId: null, targetId: String(userId), detail }]);
  });

  it("lists and unlinks a user's provider accounts, but never the last way to sign in", async () => {
    const { username, userId, headers } = await signIn(server, { username: "rowan" });
    const { Identity, User } = server.context.models;
    const identity = {
      userId,
      providerName: "Provider",
      subject: "rowan@home",
      linkedAt: new Date(0),
    };
    await Identity.create({
      ...identity,
      providerId: "google",
      issuer: "https://accounts.google.com",
    });
    await Identity.create({ ...identity, providerId: "discord", issuer: "https://discord.com" });
    expect(await run(["identity", "ROWAN"])).toEqual({
      code: 0,
      said: [
        "google               rowan@home at https://accounts.google.com          1970-01-01T00:00:00.000Z",
        "discord              rowan@home at https://discord.com                  1970-01-01T00:00:00.000Z",
        "",
      ].join("\n"),
      complained: "",
    });
    const unlinked = await run(["identity", username, "--unlink", "google"]);
    expect(unlinked.said).toBe("rowan can no longer sign in at google\n");
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
    await User.update({ passwordHash: null, pepperId: null }, { where: { id: userId } });
    expect(await run(["identity", username, "--unlink", "discord"])).toEqual({
      code: 1,
      said: "",
      complained: "Set a password first: this is the last way to sign in\n",
    });
    await run(["password", username]);
    expect((await run(["identity", username, "--unlink", "discord"])).code).toBe(0);
    expect((await run(["identity", username])).said).toBe(
      "rowan has no account at a sign-in provider\n",
    );
    const lines = await activityOf(server, { action: "auth.sso.unlinked" }, ["targetId", "detail"]);
    expect(lines).toEqual(
      ["google", "discord"].map((provider) => ({
        targetId: String(userId),
        detail: { provider, from: "shell" },
      })),
    );
  });

  it.each([
    [["role", "admin", "player"], "Last admin\n"],
    [["identity", "nobody"], "There is no user nobody\n"],
    [["identity", "maple", "--unlink", "discord"], "maple has no account at discord\n"],
    [["reset-mfa", "nobody"], "There is no user nobody\n"],
    [["role", "maple", "king"], "the role must be one of admin, editor, moderator, player\n"],
    [["role", "nobody", "admin"], "There is no user nobody\n"],
    [["add", "MAPLE", "--role", "player"], "Username is taken\n"],
    [["add", "elm", "--role", "player", "--email", "nonsense"], "email must be a valid email\n"],
  ])("rejects %j with a message and exit code 1", async (given, complained) => {
    expect(await run(given)).toEqual({ code: 1, said: "", complained });
  });

  it.each([[[]], [["promote", "maple"]], [["constructor"]]])(
    "prints its usage for %j",
    async (given) => {
      const { code, said } = await run(given);
      expect({ code, usage: said.split("\n")[0] }).toEqual({
        code: 1,
        usage: "npm run user -- list",
      });
    },
  );

  it("names a missing argument or an unknown option", async () => {
    expect((await run(["reset-mfa"])).complained).toMatch(/^NAME is missing\n/);
    expect((await run(["identity"])).complained).toMatch(/^NAME is missing\n/);
    expect((await run(["identity", "maple", "--unlink"])).complained).toMatch(/argument missing/);
    expect((await run(["password"])).complained).toMatch(/^NAME is missing\n/);
    expect((await run(["list", "--all"])).complained).toMatch(/^Unknown option '--all'/);
  });

  it("reports that the schema is missing", async () => {
    const { DATABASE_URL: _, ...environment } = testEnvironment("");
    // Without `DATABASE_URL`, the command starts the database of its data folder and stops it
    // again.
    const ran = await run(["list"], { environment });
    expect(ran).toEqual({
      code: 1,
      said: "",
      complained: "The database has no schema: run npm run migrate\n",
    });
  });
});
