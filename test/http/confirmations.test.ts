import { readFileSync } from "node:fs";
import path from "node:path";

import type Joi from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { describeApi } from "../../api/description/openapi.ts";
import { needsSession } from "../../api/http/gates.ts";
import { listConfirmationLines } from "../../api/http/manifest.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { HostileProvider } from "../provider/hostile-provider.ts";
import { ageSessionCookie } from "../support/accounts/aged-session.ts";
import {
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
  wrongCodeOf,
  wrongCodesOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { sampleCases } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import {
  confirmed,
  confirmedByPassword,
  credentialColumns,
  unconfirmed,
} from "./confirming-routes.ts";

const nameOf = ({ method, path: url }: Pick<Route, "method" | "path">): string =>
  `${method.toUpperCase()} ${url.slice("/api/v1".length)}`;

const confirming = (when: Route["confirms"]): string[] =>
  routes.filter(({ confirms }) => confirms === when).map(nameOf);

const all = { ...confirmed, ...confirmedByPassword };

/** Names of fields that contain a credential, a role, or an address to which secrets are sent. */
const telling =
  /^(password|newPassword|clientSecret|secret|token|role|email|issuer|baseUrl|wsUrl|url|rotateSecret|codes|recoveryCodes|acceptUrl|otpauthUrl)$/;

/** Path segments of routes that concern the security of accounts. */
const guarded =
  /\/(mfa|totp|identities|recovery-codes|trusted-devices|tokens|invites|users|providers|webhooks|sessions|devices|link|password)(\/|$)/;

const described = { core: describeApi(routes, "core"), additive: describeApi(routes, "additive") };

const operationOf = ({ method, path: url, set }: Route): object | undefined =>
  described[set].paths[url.replaceAll(/:([A-Za-z]+)/g, "{$1}")]?.[method];

const fieldsOf = (schema: Joi.ObjectSchema | undefined): string[] =>
  Object.keys((schema?.describe() as { keys?: object } | undefined)?.keys ?? {});

function answeredFields({ answers, set }: Route): string[] {
  const { schemas = {} } = described[set].components;
  return Object.values(answers)
    .filter((shape) => typeof shape === "string")
    .flatMap((name) => {
      const schema = schemas[name] as { properties?: object } | undefined;
      return Object.keys(schema?.properties ?? {});
    });
}

describe("the list of routes that need confirmation", () => {
  it("equals the frozen list", () => {
    const file = path.join(import.meta.dirname, "../frozen/confirming-routes.txt");
    expect(listConfirmationLines(routes)).toEqual(readFileSync(file, "utf8").trim().split("\n"));
  });

  it("has an example request in this test for each route", () => {
    expect(Object.keys(all).toSorted()).toEqual(confirming(true).toSorted());
  });

  it("contains every route whose path, body or answer carries credentials", () => {
    const doubtful = routes
      .filter(({ method, gate }) => method !== "get" && needsSession(gate))
      .filter(
        (route) =>
          guarded.test(route.path) ||
          [...fieldsOf(route.body), ...answeredFields(route)].some((name) => telling.test(name)),
      )
      .filter(({ confirms }) => confirms === undefined)
      .map(nameOf)
      .filter((name) => !(name in unconfirmed));
    expect(doubtful).toEqual([]);
  });

  it("exempts only routes that exist and need no confirmation", () => {
    const plain = new Set(confirming(undefined));
    expect(Object.keys(unconfirmed).filter((name) => !plain.has(name))).toEqual([]);
  });

  it("matches the API description in its error answers and conditions", () => {
    for (const route of routes) {
      const operation = operationOf(route) as
        | { readonly description: string; readonly responses: object; "x-confirms"?: string }
        | undefined;
      if (!operation) continue;
      const { path: url, confirms } = route;
      const when = confirms === true ? "unless-recent" : confirms;
      expect([url, operation["x-confirms"]]).toEqual([url, when]);
      if (confirms !== true) continue;
      expect(operation.description).toContain("`reauthentication_required`");
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(["403", "429"]));
    }
  });

  it("contains no route that an API token can use", () => {
    const open = routes
      .filter(({ confirms }) => confirms)
      .filter((route) => "x-token-scope" in (operationOf(route) ?? {}));
    expect(open).toEqual([]);
  });
});

let server: TestServer;
let provider: HostileProvider;
beforeAll(async () => {
  provider = await HostileProvider.start();
  server = await startTestServer({
    environment: {
      WEBHOOK_ALLOWED_ORIGINS: "http://127.0.0.1:9",
      OIDC_ALLOW_INSECURE: "true",
      PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
      DISCORD_BASE_URL: provider.issuer,
    },
  });
  const { headers } = await signIn(server, { role: "admin" });
  const make = async (route: string, body: object) => {
    const made = await callRoute(server, route, { headers, body });
    expect(made.status).toBeLessThan(300);
  };
  const app = { enabled: true, clientId: "x", clientSecret: "y" };
  await make("PUT /admin/auth/providers/discord", app);
  const url = "http://127.0.0.1:9/hook";
  await make("POST /admin/webhooks", { url, streams: ["news.post"] });
  await make("POST /admin/survival/servers", { name: "There" });
});
afterAll(async () => {
  await server?.stop();
  await provider?.stop();
});

describe("every database column with a credential", () => {
  it("is written only by routes that need confirmation, or without a signed-in user", async () => {
    const found = await query<{ name: string }>(
      server,
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and (column_name ~ '(_sealed|^password_hash|^token_hash|^code_hash|^state_hash|^browser_hash)$'
         or column_name in ('role', 'email') and table_name in ('users', 'invites', 'api_tokens'))`,
    );
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(credentialColumns).toSorted(),
    );
    const listed = new Set([...confirming(true), ...confirming("always")]);
    const writers = Object.values(credentialColumns).filter((one) => typeof one !== "string");
    expect(writers.flat().filter((route) => !listed.has(route))).toEqual([]);
  });
});

let count = 0;

/**
 * Prepares a request by a new administrator, whose sign-in is eleven minutes old unless `isFresh`
 * is true.
 */
async function prepare(route: string, { isFresh = false } = {}) {
  const unique = `confirmed-${++count}`;
  const caller = await createEnrolledUser(server, {
    role: "admin",
    email: `${unique}@before.example`,
  });
  const { userId: other } = await createTestUser(server);
  const { path: url, body = {} } = await all[route]!({ server, unique, caller, other });
  const { cookie } = isFresh ? caller : await ageSessionCookie(server, caller.cookie, 660);
  await forgetSteps(server, caller.userId);
  const [method = ""] = route.split(" ");
  const send = (given: object = {}) =>
    callRoute(server, `${method} ${url}`, { headers: { cookie }, body: { ...body, ...given } });
  return { caller, send, field: route === "POST /admin/users" ? "currentPassword" : "password" };
}

const required = [403, { error: "Send your password or a code to confirm" }];
const wrongPassword = [403, { error: "Wrong password" }];
const wrongCode = [403, { error: "Invalid code" }];

const areaOf = (route: string) => route.split("/").slice(1, 3).join("/");

describe.each(sampleCases(Object.keys(all), areaOf))(
  "a route that needs confirmation: %s",
  (route) => {
    it("answers 403 to an old session without a password or with a wrong one, and accepts the right one", async () => {
      const { caller, send, field } = await prepare(route);
      expect(statusAndBodyOf(await send())).toEqual(required);
      expect(statusAndBodyOf(await send({ [field]: "not this one" }))).toEqual(wrongPassword);
      expect((await send({ [field]: caller.password })).status).toBeLessThan(300);
    });

    it("needs no confirmation after a recent sign-in", async () => {
      const { send } = await prepare(route, { isFresh: true });
      expect((await send()).status).toBeLessThan(300);
    });
  },
);

describe.each(sampleCases(Object.keys(confirmed), areaOf))(
  "a route that needs confirmation, called by a user with a second factor: %s",
  (route) => {
    it("rejects a wrong code and a code with a password, and accepts the right code", async () => {
      const { caller, send, field } = await prepare(route);
      expect(statusAndBodyOf(await send({ code: wrongCodeOf(caller.secret) }))).toEqual(wrongCode);
      const code = codeOf(caller.secret);
      expect(statusAndBodyOf(await send({ code, [field]: caller.password }))).toEqual([
        400,
        {
          error: "Validation failed",
          errors: [{ path: "code", message: `code cannot be combined with ${field}` }],
        },
      ]);
      expect((await send({ code })).status).toBeLessThan(300);
    });
  },
);

async function adminAfterAWhile(): Promise<{ admin: EnrolledUser; headers: { cookie: string } }> {
  const admin = await createEnrolledUser(server, { role: "admin" });
  await forgetSteps(server, admin.userId);
  return { admin, headers: await ageSessionCookie(server, admin.cookie, 660) };
}

const token = { name: "crier", role: "player", scopes: ["shard:read"] };

describe("a change of settings", () => {
  it("needs a confirmation only if it changes whether staff need a second factor", async () => {
    const { admin, headers } = await adminAfterAWhile();
    const set = (body: object) => callRoute(server, "PUT /admin/settings", { headers, body });
    for (const isRequired of [true, false]) {
      expect(statusAndBodyOf(await set({ staff_second_factor_required: isRequired }))).toEqual(
        required,
      );
    }
    const both = { appeals_enabled: true, staff_second_factor_required: false };
    expect(statusAndBodyOf(await set(both))).toEqual(required);
    expect((await set({ appeals_enabled: true })).status).toBe(200);
    expect((await set({ ...both, password: admin.password })).status).toBe(200);
  });
});

describe("a confirmation", () => {
  it("works once with a given code, and a refused request does not use up the code", async () => {
    const { admin, headers } = await adminAfterAWhile();
    const code = codeOf(admin.secret);
    const taken = { username: admin.username, role: "player", code };
    const refused = await callRoute(server, "POST /admin/users", { headers, body: taken });
    expect(statusAndBodyOf(refused)).toEqual([409, { error: "Username is taken" }]);
    const make = () =>
      callRoute(server, "POST /admin/tokens", { headers, body: { ...token, code } });
    expect((await make()).status).toBe(201);
    expect(statusAndBodyOf(await make())).toEqual(wrongCode);
    expect((await wrongCodesOf(server, admin.userId)).failures).toBe(1);
  });

  it("uses up its code even if the request changes nothing", async () => {
    const { admin, headers } = await adminAfterAWhile();
    const body = { code: codeOf(admin.secret) };
    const change = () => callRoute(server, `PATCH /admin/users/${admin.userId}`, { headers, body });
    expect((await change()).status).toBe(200);
    expect(statusAndBodyOf(await change())).toEqual(wrongCode);
  });

  it("leaves neither its password nor its code in the activity log", async () => {
    const { admin, headers } = await adminAfterAWhile();
    const code = codeOf(admin.secret);
    const held = async (text: string) =>
      (await query<{ detail: string }>(server, "select detail::text as detail from activity_log"))
        .map(({ detail }) => detail)
        .filter((detail) => detail?.includes(text));
    const byCode = await callRoute(server, "POST /admin/tokens", {
      headers,
      body: { ...token, code },
    });
    expect(byCode.status).toBe(201);
    expect(await held(`"${code}"`)).toEqual([]);
    const body = { enabled: false, password: admin.password };
    await callRoute(server, "PUT /admin/discord-bot/config", { headers, body });
    await callRoute(server, "PUT /admin/auth/providers/google", {
      headers,
      body: { name: "Google", password: admin.password },
    });
    expect(await held(admin.password)).toEqual([]);
  });
});

describe("wrong passwords in confirmations", () => {
  it("are rate-limited by user across all routes", async () => {
    const { headers } = await adminAfterAWhile();
    const max = server.config.RL_USER_CHANGE_MAX;
    expect(max).toBeGreaterThan(5);
    const strict = await startTestServer({
      database: server.database,
      environment: { RL_USER_CHANGE_MAX: "3" },
    });
    const guess = (route: string, body: object) =>
      callRoute(strict, route, { headers, body: { ...body, password: "not this one" } });
    const answers = [
      await guess("POST /admin/tokens", token),
      await guess("POST /admin/invites", { role: "player" }),
      await guess("PUT /admin/discord-bot/config", {}),
      await guess("POST /admin/tokens", token),
    ];
    await strict.stop();
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429]);
  });
});

describe("an administrator's account under /admin, changed by the administrator", () => {
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await signIn(server, { role: "admin" });
  });
  const ask = (route: string, body?: object) =>
    callRoute(server, route, { headers: admin.headers, ...(body && { body }) });

  it("keeps its e-mail address, which only /auth/me can change", async () => {
    const refused = await ask(`PATCH /admin/users/${admin.userId}`, { email: "me@x.example" });
    expect(statusAndBodyOf(refused)).toEqual([
      403,
      { error: "Change your own e-mail address at /auth/me/account/email" },
    ]);
    expect(refused.headers.get("x-error-code")).toBe("own_account");
    const changed = await ask("PATCH /auth/me/account/email", { email: "me@x.example" });
    expect(statusAndBodyOf(changed)).toEqual([
      200,
      {
        id: admin.userId,
        username: admin.username,
        role: "admin",
        totp_enabled: false,
        email: "me@x.example",
      },
    ]);
    const removed = await ask("PATCH /auth/me/account/email", { email: null });
    expect(removed.body).toMatchObject({ email: null });
  });

  it("keeps its second factor, and the answer refers to /auth/me", async () => {
    expect(statusAndBodyOf(await ask(`POST /admin/users/${admin.userId}/mfa/reset`))).toEqual([
      403,
      { error: "Change your own second factor at /auth/me/account/totp/disable" },
    ]);
  });
});
