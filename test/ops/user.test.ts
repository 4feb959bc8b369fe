import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import { call, cookieOf } from "../support/call.ts";
import { challengeFor, codeOf, enrol, forgetSteps } from "../support/second-factor.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/server.ts";
import { logIn } from "../support/sign-in.ts";
import { type Ran, runProgram, type ShellRun } from "./shell-program.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-user-"));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (given: readonly string[], options: Partial<ShellRun> = {}): Promise<Ran> =>
  runProgram("shared/local/user.ts", {
    given,
    folder,
    environment: testEnvironment(server.database.url),
    ...options,
  });

describe("npm run user as a program", () => {
  it("makes the first administrator and prints the password it made up, once", async () => {
    const first = await run(["first-admin"]);
    const password = /^admin is admin\npassword: (\S{16})\n$/.exec(first.said)?.[1] ?? "";
    await logIn(server, { username: "admin", password });
    expect(await run(["first-admin"])).toEqual({
      code: 0,
      said: "there is an administrator already\n",
      complained: "",
    });
  });

  it("adds a user with a password from standard input, and prints none", async () => {
    const given = ["add", "maple", "--role", "editor", "--email", "maple@example.org", "--stdin"];
    const input = "correct horse battery\n";
    expect(await run(given, { input })).toEqual({
      code: 0,
      said: "maple is editor\n",
      complained: "",
    });
    await logIn(server, { username: "maple", password: "correct horse battery" });
  });

  it("lists users with what matters of each", async () => {
    expect(await run(["list"])).toEqual({
      code: 0,
      said: "admin                admin\nmaple                editor     maple@example.org\n",
      complained: "",
    });
  });

  it("gives another role and another password", async () => {
    expect((await run(["role", "maple", "moderator"])).said).toBe("maple is moderator\n");
    const { said } = await run(["password", "maple"]);
    const lines = /^maple has a new password and is signed out everywhere\npassword: (\S+)\n$/;
    await logIn(server, { username: "maple", password: lines.exec(said)?.[1] ?? "" });
  });

  it("takes a lost second factor away, with what trusted it, and leaves the password", async () => {
    const { username, password, userId, headers, secret } = await enrol(server);
    const challenge = await challengeFor(server, { username, password });
    await forgetSteps(server, userId);
    const body = { challenge, code: codeOf(secret), trustDevice: true };
    const trusted = cookieOf(await call(server, "POST /auth/login/totp", { body }), "td");
    const { said } = await run(["reset-mfa", username.toUpperCase()]);
    expect(said).toBe(
      `${username} signs in by password alone, trusts no device and is signed out everywhere\n`,
    );
    expect((await call(server, "GET /auth/me", { headers })).status).toBe(401);
    const cookie = await logIn(server, { username, password });
    const devices = await call(server, "GET /auth/me/trusted-devices", {
      headers: { cookie: `${cookie}; ${trusted}` },
    });
    expect([trusted, devices.body]).toEqual([expect.stringMatching(/^td=./), []]);
    const [lines] = await server.context.sequelize.query(
      "select actor_id, target_id, detail from activity_log where action = 'auth.mfa.reset'",
    );
    const detail = { totp_enabled: true, from: "shell" };
    expect(lines).toEqual([{ actor_id: null, target_id: String(userId), detail }]);
  });

  it.each([
    [["role", "admin", "player"], "Last admin\n"],
    [["reset-mfa", "nobody"], "There is no user nobody\n"],
    [["role", "maple", "king"], "the role must be one of admin, editor, moderator, player\n"],
    [["role", "nobody", "admin"], "There is no user nobody\n"],
    [["add", "MAPLE", "--role", "player"], "Username is taken\n"],
    [["add", "elm", "--role", "player", "--email", "nonsense"], "email must be a valid email\n"],
  ])("refuses %j in words and ends with 1", async (given, complained) => {
    expect(await run(given)).toEqual({ code: 1, said: "", complained });
  });

  it.each([[[]], [["promote", "maple"]], [["constructor"]]])(
    "shows how it is used for %j",
    async (given) => {
      const { code, said } = await run(given);
      expect({ code, usage: said.split("\n")[0] }).toEqual({
        code: 1,
        usage: "npm run user -- list",
      });
    },
  );

  it("names what is missing, and an option it does not know", async () => {
    expect((await run(["reset-mfa"])).complained).toMatch(/^NAME is missing\n/);
    expect((await run(["password"])).complained).toMatch(/^NAME is missing\n/);
    expect((await run(["list", "--all"])).complained).toMatch(/^Unknown option '--all'/);
  });

  it("says that the schema is not there yet", async () => {
    const { DATABASE_URL: _, ...environment } = testEnvironment("");
    // The machine's own database, which it starts for this alone.
    const ran = await run(["list"], { environment });
    expect(ran).toEqual({
      code: 1,
      said: "",
      complained: "The schema is not there: npm run migrate\n",
    });
  });
});
