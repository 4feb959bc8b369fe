import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { spawnScript } from "../../jobs/commands/launch/script.ts";
import { codeOf } from "../support/accounts/second-factor.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { query } from "../support/database/query.ts";
import { tableNames } from "../support/database/table-names.ts";
import { callRoute, cookieOf } from "../support/http/call.ts";
import { MailTrap, readMailToken } from "../support/network/mail-trap.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";

/** The secrets that this test enters, by name. None of them may appear in logs, tables or links. */
const canaries = new Map<string, string>();
const addCanary = (name: string, text: unknown): string => {
  if (typeof text !== "string" || text.length < 8) throw new Error(`${name}: ${String(text)}`);
  canaries.set(name, text);
  return text;
};

let trap: MailTrap;
let database: TestDatabase;
let inside: TestServer;
let web: { readonly url: string };
const children: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
let logs = "";

beforeAll(async () => {
  trap = await MailTrap.start();
  database = await createTestDatabase();
  const port = await takeFreePort();
  const smtp = new URL(trap.url);
  smtp.username = "mailer";
  smtp.password = addCanary("password of the mail server", "canary-smtp-password");
  const environment = {
    PATH: process.env["PATH"],
    ...testEnvironment(database.url),
    SMTP_URL: smtp.href.replace(/\/$/, ""),
    LOG_LEVEL: "trace",
    HOST: "127.0.0.1",
    PORT: String(port),
  };
  web = { url: `http://127.0.0.1:${port}` };
  inside = await startTestServer({ database });
  for (const [name, file] of [
    ["web", "api/server.ts"],
    ["worker", "jobs/worker.ts"],
  ] as const) {
    const child = spawnScript({ name, file, environment: { ...environment, INTERNAL_PORT: "0" } });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (logs += text));
    }
    children.push({ child, ended: once(child, "exit") });
  }
  await waitUntil("the processes are ready", () => {
    if (children.some(({ child }) => child.exitCode !== null)) throw new Error(logs);
    return /listening/.test(logs) && /working/.test(logs);
  });
});

afterAll(async () => {
  for (const { child, ended } of children) {
    child.kill("SIGTERM");
    await ended;
  }
  await inside.stop();
  await database.drop();
  await trap.stop();
});

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const answered = await callRoute(web, `POST ${path}`, { body, headers });
  return { ...answered, fields: answered.body as Record<string, string> };
};

async function useEverything(): Promise<void> {
  const admin = await signIn(inside, { role: "admin" });
  const scopes = ["shard:read"];
  const made = await post("/admin/tokens", { name: "bot", role: "player", scopes }, admin.headers);
  const secret = addCanary("token for programs", made.fields["secret"]);
  await callRoute(web, "GET /public/status", { headers: { authorization: `Bearer ${secret}` } });
  const email = "canary-mail@example.org";
  const invited = await post("/admin/invites", { email, role: "player" }, admin.headers);
  expect(invited.status).toBe(201);
  const inviteToken = addCanary(
    "token of an invitation",
    readMailToken((await trap.to(email))[0] as never),
  );
  const username = "canary-user";
  let password = addCanary("password of an accepted invitation", "canary-invite-password");
  await callRoute(web, `GET /auth/invite/${inviteToken}`);
  await post(`/auth/invite/${inviteToken}/accept`, { username, password });
  await post("/auth/login", {
    username,
    password: addCanary("wrong password", "canary-wrong-password"),
  });
  await post("/auth/login", {
    username: addCanary("password typed as a name", "canary-typed-as-name"),
    password: "x",
  });
  await post("/auth/login", `{"username":"${username}","password":"canary-broken-json`);
  addCanary("password in broken JSON", "canary-broken-json");

  const signedIn = await post("/auth/login", { username, password });
  const cookie = addCanary("session", cookieOf(signedIn, "session"));
  const setup = await post("/auth/me/account/totp/setup", { password }, { cookie });
  const totpSecret = addCanary("secret of the second factor", setup.fields["secret"]);
  const enabled = await post(
    "/auth/me/account/totp/enable",
    { code: codeOf(totpSecret) },
    { cookie },
  );
  const { recoveryCodes } = enabled.body as { recoveryCodes: string[] };
  addCanary("recovery code", recoveryCodes[0]);
  addCanary("used recovery code", recoveryCodes[1]);
  const asked = await post("/auth/login", { username, password });
  const challenge = addCanary("challenge", asked.fields["challenge"]);
  await post("/auth/login/totp", { challenge, recoveryCode: recoveryCodes[1] });

  const phone = await post("/auth/mobile/login", {
    username,
    password,
    recoveryCode: recoveryCodes[2],
  });
  addCanary("access token", phone.fields["accessToken"]);
  const refreshToken = addCanary("refresh token", phone.fields["refreshToken"]);
  await post("/auth/mobile/refresh", { refreshToken });
  await post("/auth/mobile/refresh", {
    refreshToken: addCanary("unknown refresh token", "canary-refresh-token"),
  });

  await post("/auth/password/forgot", { email });
  const reset = () => trap.mails.find(({ subject }) => subject.includes("Reset"));
  await waitUntil("the link is mailed", () => reset() !== undefined);
  const resetToken = addCanary("token of a reset", readMailToken(reset() as never));
  await callRoute(web, `GET /auth/password/reset/${resetToken}`);
  await callRoute(
    web,
    `GET /auth/password/reset/${addCanary("unknown reset token", "canary-reset-token")}`,
  );
  password = addCanary("password of a reset", "canary-reset-password");
  await post(`/auth/password/reset/${resetToken}`, { password });
  const readBodies = () =>
    trap.mails.some(({ subject }) => subject.includes("password was changed"));
  await waitUntil("the change is mailed", readBodies);
  await fetch(`${web.url}/.env?key=${addCanary("query of a scanner", "canary-scanner-query")}`);
  await useFailingDatabase(admin.headers);
}

/**
 * Causes a failing insert and a failing query. Their error messages contain values that must not be
 * logged.
 */
async function useFailingDatabase(headers: Record<string, string>): Promise<void> {
  const run = (sql: string) => query(inside, sql);
  await run("alter table users add constraint unwanted check (username <> 'unwanted')");
  const email = addCanary("address in a refused row", "canary-row@example.org");
  const body = { username: "unwanted", role: "player", email };
  const refused = await callRoute(web, "POST /admin/users", { body, headers, mayFail: true });
  await run("alter table users drop constraint unwanted");
  await run("alter table users rename pepper_id to pepper");
  const username = addCanary(
    "password typed as a name to a failing site",
    "canary-to-failing-site",
  );
  const failed = await callRoute(web, "POST /auth/login", {
    body: { username, password: "x" },
    mayFail: true,
  });
  await run("alter table users rename pepper to pepper_id");
  expect([refused.status, failed.status]).toEqual([500, 500]);
  await waitUntil("both are logged", () => logs.match(/request failed/g)?.length === 2);
}

/** Reads all rows of each table of the schema. @returns the rows as text, by table */
async function dump(schema: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of await tableNames(inside, schema)) {
    const rows = await query(inside, `select t::text as row from "${schema}"."${name}" t`);
    texts.set(`${schema}.${name}`, JSON.stringify(rows));
  }
  return texts;
}

describe("passwords, tokens and codes", () => {
  it("appear in no log, job queue, table or mailed URL", async () => {
    await useEverything();
    expect(canaries.size).toBeGreaterThan(15);
    const places = new Map([
      ["logs", logs],
      ...(await dump("public")),
      ...(await dump("pgboss")),
      ["links", trap.mails.flatMap(({ text }) => text.match(/https?:[^\s#]*/g) ?? []).join(" ")],
    ]);
    // Without traces of the actions in the logs and tables, the search below would prove nothing.
    expect(places.get("logs")).toContain("/api/v1/auth/password/reset/:token");
    expect(places.get("public.activity_log")).toContain("auth.password.reset");
    expect([...places.keys()].some((name) => name.startsWith("pgboss.job"))).toBe(true);
    const found = [...places].flatMap(([place, text]) =>
      [...canaries].filter(([, canary]) => text.includes(canary)).map(([name]) => [place, name]),
    );
    expect(found).toEqual([]);
    expect(logs).not.toContain("canary-mail@example.org");
  });
});

describe("an internal error", () => {
  it("is logged with the method, route, status and id of its request", () => {
    const lines = logs.split("\n").filter((line) => line.includes("request failed"));
    const fault = (route: string) => ({
      level: "error",
      method: "POST",
      route,
      status: 500,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      err: { message: expect.any(String), stack: expect.any(String), code: expect.any(String) },
    });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      fault("/api/v1/admin/users"),
      fault("/api/v1/auth/login"),
    ]);
  });
});
