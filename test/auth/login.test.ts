import { createHmac } from "node:crypto";

import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createTestUser, logIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { activityOf, storeSetting } from "../support/factories/site.ts";
import { changeUser, cutOffUser, deleteUser, disableUser } from "../support/factories/users.ts";
import { callRoute, cookieOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let secure: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  secure = await startTestServer({
    database: server.database,
    environment: { ...unlimited, PUBLIC_BASE_URL: "https://guild.example" },
  });
});
afterAll(async () => {
  await secure.stop();
  await server.stop();
});

const refused = '{"error":"Invalid username or password"}';

const linesOf = (action: string, userId: number | null) => {
  const targetId = userId === null ? null : String(userId);
  return activityOf(server, { action, targetId }, ["actorId", "targetId", "detail"]);
};

describe("POST /auth/login", () => {
  it("answers the user and sets the session cookie", async () => {
    const user = await createTestUser(server, { email: "Ann@Example.org" });
    const { username, password, userId } = user;
    const answered = await callRoute(server, "POST /auth/login", { body: { username, password } });
    expect(answered.status).toBe(200);
    expect(answered.body).toEqual({
      user: {
        id: userId,
        username,
        role: "player",
        totp_enabled: false,
        email: "Ann@Example.org",
      },
    });
    expect(answered.headers.get("cache-control")).toBe("no-store");
    const [line = "", ...others] = answered.setCookies;
    expect(others).toEqual([]);
    const [pair = "", ...attributes] = line.split("; ");
    expect(pair).toMatch(/^session=[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(attributes.filter((text) => !text.startsWith("Expires="))).toEqual([
      "Max-Age=604800",
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
    ]);
  });

  it("sets a Secure cookie with the __Host- prefix if the site uses https", async () => {
    const { username, password } = await createTestUser(server);
    const answered = await callRoute(secure, "POST /auth/login", { body: { username, password } });
    const [line = ""] = answered.setCookies;
    const [pair = "", ...attributes] = line.split("; ");
    expect(pair).toMatch(/^__Host-session=/);
    expect(attributes.filter((text) => !text.startsWith("Expires="))).toEqual([
      "Max-Age=604800",
      "Path=/",
      "HttpOnly",
      "Secure",
      "SameSite=Lax",
    ]);
    expect(line.length).toBeLessThan(4096);
  });

  it("signs a session token with its own type, audience and lifetime, and without a role", async () => {
    const { username, password, userId } = await createTestUser(server, { role: "moderator" });
    const cookie = await logIn(server, { username, password });
    const token = cookie.slice("session=".length);
    expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "session+jwt", kid: "test" });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      sub: String(userId),
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 12 * 3600,
      aud: "web",
      amr: ["pwd"],
      gen: 0,
      auth_time: claims.iat,
    });
    const again = decodeJwt((await logIn(server, { username, password })).slice("session=".length));
    expect(again.jti).not.toBe(claims.jti);
  });

  it("accepts the user name in any case and Unicode form", async () => {
    const { password } = await createTestUser(server, { username: "Ålesund" });
    const username = "ÅLESUND".normalize("NFD");
    const { status } = await callRoute(server, "POST /auth/login", {
      body: { username, password },
    });
    expect(status).toBe(200);
  });

  it("fails with the same answer for every cause", async () => {
    const { username, password, userId } = await createTestUser(server);
    const withoutPassword = await createTestUser(server, { password: null });
    const disabled = await createTestUser(server);
    await disableUser(server, disabled.userId);
    const attempts = [
      { username, password: `${password} ` },
      { username, password: password.toUpperCase() },
      { username: "nobody-here", password },
      { username: withoutPassword.username, password: "anything at all" },
      { username: disabled.username, password: disabled.password },
      { username, password, company: "ACME" },
      { username, password, company: " " },
      { username, password, company: 0 },
      { username, password, company: null },
      { username, password, company: { deep: true } },
    ];
    for (const body of attempts) {
      const answered = await callRoute(server, "POST /auth/login", { body });
      expect([answered.status, answered.text]).toEqual([401, refused]);
      expect(answered.setCookies).toEqual([]);
      expect(answered.headers.get("www-authenticate")).toBeNull();
      expect(answered.headers.get("cache-control")).toBe("no-store");
    }
    const lines = await linesOf("auth.login.failure", userId);
    expect(lines.map(({ detail }) => detail["fault"])).toEqual([
      ...Array.from({ length: 2 }, () => "credentials"),
      ...Array.from({ length: 5 }, () => "honeypot"),
    ]);
    const log = JSON.stringify([lines, await linesOf("auth.login.failure", null)]);
    expect(log).not.toContain("nobody-here");
    expect(log).not.toContain(password);
  });

  it("answers 400 and sets no cookie if name or password is only in the query, for web and app", async () => {
    const { username, password } = await createTestUser(server);
    const query = new URLSearchParams({ username, password }).toString();
    for (const route of ["POST /auth/login", "POST /auth/mobile/login"]) {
      for (const body of [{}, { username }, { password }]) {
        const answered = await callRoute(server, `${route}?${query}`, { body });
        expect([route, answered.status, answered.text]).toEqual([
          route,
          400,
          '{"error":"Invalid request"}',
        ]);
        expect(answered.setCookies).toEqual([]);
      }
    }
  });

  it("accepts an empty honeypot field", async () => {
    const { username, password } = await createTestUser(server);
    const body = { username, password, company: "" };
    expect((await callRoute(server, "POST /auth/login", { body })).status).toBe(200);
  });

  it("answers the same 400 to every malformed body", async () => {
    const { username, password } = await createTestUser(server);
    const bodies = [
      {},
      [],
      "text",
      { username },
      { username: { $ne: 1 }, password: ["x"] },
      { username: 1, password },
      { username: "", password },
      { username: "x".repeat(65), password },
      { username, password: "x".repeat(1025) },
      { username: `${username}\0`, password },
      { username: "\uD800", password },
    ];
    for (const body of bodies) {
      const answered = await callRoute(server, "POST /auth/login", { body: JSON.stringify(body) });
      expect([answered.status, answered.text]).toEqual([400, '{"error":"Invalid request"}']);
    }
    const broken = await callRoute(server, "POST /auth/login", { body: "{" });
    expect([broken.status, broken.text]).toEqual([400, '{"error":"Invalid JSON"}']);
    const huge = JSON.stringify({ username, password: "x".repeat(1_000_000) });
    expect((await callRoute(server, "POST /auth/login", { body: huge })).status).toBe(413);
  });

  it("records the user and the method in the activity log", async () => {
    const { userId } = await signIn(server);
    expect(await linesOf("auth.login.success", userId)).toEqual([
      { actorId: userId, targetId: String(userId), detail: { amr: ["pwd"], via: "web" } },
    ]);
  });

  it("rejects well-known names as passwords on a fresh database", async () => {
    const fresh = await startTestServer({ environment: unlimited });
    const answers = await Promise.all(
      ["admin", "root", "guildhall"].map((name) =>
        callRoute(fresh, "POST /auth/login", { body: { username: name, password: name } }),
      ),
    );
    await fresh.stop();
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});

/**
 * Replaces the first character of the signature. A change of the last character could change only bits that the
 * decoder ignores.
 */
const withOtherSignature = (token: string): string =>
  token.replace(/\.([^.])([^.]*)$/, (_, first, rest) => `.${first === "A" ? "B" : "A"}${rest}`);

describe("a session", () => {
  it("is rejected if it is altered or signed with another key or algorithm", async () => {
    const { cookie } = await signIn(server);
    const token = cookie.slice("session=".length);
    const [, claims = ""] = token.split(".");
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forgeToken = (header: object, key: Buffer) => {
      const text = `${part(header)}.${claims}`;
      return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
    };
    // The configured key. Real signatures use a key that is derived from it for each type of token,
    // so signatures with this key are invalid.
    const key = Buffer.alloc(32, 7);
    const tokens = [
      withOtherSignature(token),
      `${part({ alg: "none", typ: "session+jwt" })}.${claims}.`,
      forgeToken({ alg: "HS256", typ: "session+jwt", kid: "test" }, key),
      forgeToken({ alg: "HS256", typ: "session+jwt", kid: "../../x" }, Buffer.alloc(0)),
      forgeToken({ alg: "RS256", typ: "session+jwt", kid: "test" }, key),
      forgeToken(
        { alg: "HS256", typ: "session+jwt", jwk: { kty: "oct", k: "AAAA" } },
        Buffer.alloc(3),
      ),
      forgeToken({ alg: "HS256", typ: "session+jwt", jku: "https://evil.example/keys" }, key),
      "x",
      `${token}.x`,
    ];
    for (const wrong of tokens) {
      const headers = { cookie: `session=${wrong}` };
      expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(401);
    }
    expect((await callRoute(server, "GET /auth/me", { headers: { cookie } })).status).toBe(200);
  });

  it("is verified with every configured key and signed with the first", async () => {
    const { cookie } = await signIn(server);
    const keys = (first: string) =>
      ["new", "test"]
        .toSorted((one) => (one === first ? -1 : 1))
        .map((id) => `${id}:${Buffer.alloc(32, id === "test" ? 7 : 9).toString("base64")}`)
        .join(",");
    const environment = { ...unlimited, JWT_KEYS: keys("new") };
    const rotated = await startTestServer({ database: server.database, environment });
    const old = await callRoute(rotated, "GET /auth/me", { headers: { cookie } });
    const { cookie: newer } = await signIn(rotated);
    await rotated.stop();
    expect(old.status).toBe(200);
    expect(decodeProtectedHeader(newer.slice("session=".length)).kid).toBe("new");
    expect((await callRoute(server, "GET /auth/me", { headers: { cookie: newer } })).status).toBe(
      401,
    );
  });

  it("ends after SESSION_TTL", async () => {
    const environment = { ...unlimited, SESSION_TTL: "1s" };
    const short = await startTestServer({ database: server.database, environment });
    const { headers } = await signIn(short);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const { status } = await callRoute(short, "GET /auth/me", { headers });
    await short.stop();
    expect(status).toBe(401);
  });

  it("ends when its user is disabled or deleted, or when all of the user's sessions are revoked", async () => {
    for (const end of [cutOffUser, disableUser, deleteUser]) {
      const { headers, userId } = await signIn(server);
      expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
      await end(server, userId);
      expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(401);
    }
  });

  it("has the current role of its user", async () => {
    const { headers, userId } = await signIn(server, { role: "admin" });
    await changeUser(server, userId, { role: "player" });
    const answered = await callRoute(server, "GET /admin/account/identities", { headers });
    expect([answered.status, answered.body]).toEqual([403, { error: "Admin role required" }]);
  });

  it("is rejected as a bearer token, and its cookie does not help a request with an invalid bearer token", async () => {
    const { headers, cookie } = await signIn(server);
    const token = cookie.slice("session=".length);
    for (const authorization of [`Bearer ${token}`, "Bearer x", "Bearer", "Basic eDp5", ""]) {
      const answered = await callRoute(server, "GET /auth/me", {
        headers: { ...headers, authorization },
      });
      expect([answered.status, answered.body]).toEqual([401, { error: "Not authenticated" }]);
      expect(answered.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    }
    const anonymous = await callRoute(server, "GET /auth/me");
    expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
    const inUrl = await callRoute(server, `GET /auth/me?access_token=${token}`);
    expect(inUrl.status).toBe(401);
  });

  it("makes all answers private, also errors, so that search engines and shared caches do not store them", async () => {
    const { headers } = await signIn(server);
    const foreign = { ...headers, origin: "https://evil.example" };
    const answers = [
      [200, await callRoute(server, "GET /auth/me", { headers })],
      [200, await callRoute(server, "GET /player/account", { headers })],
      [400, await callRoute(server, "DELETE /auth/me/sessions/x", { headers })],
      [401, await callRoute(server, "GET /auth/me")],
      [401, await callRoute(server, "GET /player/account/identities")],
      [403, await callRoute(server, "PATCH /auth/me/account/username", { headers: foreign })],
      [403, await callRoute(server, "GET /admin/account/identities", { headers })],
      [404, await callRoute(server, "DELETE /player/account/identities/none", { headers })],
      [404, await callRoute(server, "GET /auth/me/nothing", { headers })],
      [404, await callRoute(server, "POST /player/account")],
    ] as const;
    for (const [status, answered] of answers) {
      expect(answered.status).toBe(status);
      expect(answered.headers.get("x-robots-tag")).toBe("noindex, nofollow");
      expect(answered.headers.get("cache-control")).toBe("private, no-store");
    }
    const elsewhere = await callRoute(server, "GET /auth/mentions");
    expect(elsewhere.headers.get("x-robots-tag")).toBeNull();
  });

  it("is new at each sign-in, even if the browser already has a session or challenge", async () => {
    const { username, password, cookie } = await signIn(server);
    const body = { username, password };
    const held = `${cookie}; session=planted; totp_challenge=planted; gh_td=planted`;
    const again = await callRoute(server, "POST /auth/login", { body, headers: { cookie: held } });
    const next = cookieOf(again, "session") as string;
    const idOf = (pair: string) => decodeJwt(pair.slice("session=".length)).jti;
    expect(idOf(next)).toMatch(/^[0-9a-f-]{36}$/);
    expect(idOf(next)).not.toBe(idOf(cookie));
    expect(Buffer.byteLength(next)).toBeLessThan(4096);
    for (const headers of [{ cookie }, { cookie: next }]) {
      expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
    }
  });
});

describe("POST /auth/logout", () => {
  it("ends the caller's session in every process, and no other session", async () => {
    const { headers, username, password, userId } = await signIn(server);
    const other = { cookie: await logIn(server, { username, password }) };
    const twin = await startTestServer({ database: server.database, environment: unlimited });
    const answered = await callRoute(server, "POST /auth/logout", { headers });
    expect([answered.status, answered.body]).toEqual([200, { ok: true }]);
    expect(answered.setCookies).toEqual([
      "session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
    ]);
    const replays = await Promise.all(
      [server, twin].map((process) => callRoute(process, "GET /auth/me", { headers })),
    );
    const alive = await callRoute(twin, "GET /auth/me", { headers: other });
    await twin.stop();
    expect(replays.map(({ status }) => status)).toEqual([401, 401]);
    expect(alive.status).toBe(200);
    expect(await linesOf("auth.logout", userId)).toHaveLength(1);
  });

  it("answers 200 and does nothing without a valid session", async () => {
    const { cookie } = await signIn(server);
    const forgeToken = withOtherSignature(cookie);
    for (const headers of [{}, { cookie: forgeToken }, { authorization: "Bearer x" }]) {
      const answered = await callRoute(server, "POST /auth/logout", { headers });
      expect([answered.status, answered.body]).toEqual([200, { ok: true }]);
    }
    expect((await callRoute(server, "GET /auth/me", { headers: { cookie } })).status).toBe(200);
  });
});

describe("a request of another site", () => {
  const own = "http://localhost:3000";
  const refusal = { error: "Cross-site request refused" };

  it("cannot change data with the cookie of the visitor", async () => {
    const { headers } = await signIn(server);
    const foreign = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3001" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "same-origin", origin: "https://evil.example" },
    ];
    for (const extra of foreign) {
      const answered = await callRoute(server, "POST /auth/logout", {
        headers: { ...headers, ...extra },
      });
      expect([answered.status, answered.body]).toEqual([403, refusal]);
    }
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
  });

  it("cannot sign the visitor in as another user", async () => {
    const { username, password } = await createTestUser(server);
    const headers = { origin: "https://evil.example" };
    for (const path of ["/auth/login", "/auth/login/totp", "/auth/register"]) {
      const body = { username, password };
      const answered = await callRoute(server, `POST ${path}`, { body, headers });
      expect([answered.status, answered.body]).toEqual([403, refusal]);
      expect(answered.setCookies).toEqual([]);
    }
  });

  it("is accepted from an allowed origin, and so is a request without browser headers", async () => {
    const welcome = [
      {},
      { origin: own },
      { origin: own, "sec-fetch-site": "cross-site" },
      { origin: own, "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
    ];
    for (const extra of welcome) {
      const { headers } = await signIn(server);
      const answered = await callRoute(server, "POST /auth/logout", {
        headers: { ...headers, ...extra },
      });
      expect(answered.status).toBe(200);
    }
  });

  it("is rejected if it is an HTML form", async () => {
    const { headers } = await signIn(server);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const answered = await callRoute(server, "POST /auth/logout", {
        headers: { ...headers, "content-type": type },
        body: "a=b",
      });
      expect([answered.status, answered.body]).toEqual([
        415,
        { error: "The body must be application/json" },
      ]);
    }
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
  });

  it("gets no CORS permission to read the answer", async () => {
    for (const origin of ["https://evil.example", "null"]) {
      const { headers } = await callRoute(server, "GET /auth/me", { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("POST /auth/register", () => {
  const open = (isOpen: boolean) => storeSetting(server, "registration_enabled", isOpen);
  const password = "a long enough one";

  it("answers 403 until administrators open registration", async () => {
    for (const body of [{}, { username: "newcomer", password }]) {
      const answered = await callRoute(server, "POST /auth/register", { body });
      expect([answered.status, answered.body]).toEqual([403, { error: "Registration is closed" }]);
    }
  });

  it("creates a player and signs them in, and ignores other fields such as the role", async () => {
    await open(true);
    const answered = await callRoute(server, "POST /auth/register", {
      body: {
        username: "Newcomer",
        password,
        email: "new@example.org",
        role: "admin",
        id: 1,
        totp_enabled: true,
      },
    });
    expect(answered.status).toBe(201);
    const cookie = cookieOf(answered, "session") as string;
    const me = await callRoute(server, "GET /auth/me", { headers: { cookie } });
    expect(me.body).toEqual(answered.body);
    expect(answered.body).toEqual({
      id: expect.any(Number),
      username: "Newcomer",
      role: "player",
      totp_enabled: false,
      email: "new@example.org",
    });
  });

  it("answers 409 to a name that is taken in another case", async () => {
    await open(true);
    const body = { username: "nEWCOMER", password };
    const answered = await callRoute(server, "POST /auth/register", { body });
    expect([answered.status, answered.body]).toEqual([409, { error: "Username is taken" }]);
    expect(answered.setCookies).toEqual([]);
  });

  it("reports all errors of the fields", async () => {
    await open(true);
    const faults = async (body: object) =>
      (await callRoute(server, "POST /auth/register", { body })).body;
    expect(await faults({ username: "a b", password: "short" })).toEqual({
      error: "Validation failed",
      errors: [
        {
          path: "username",
          message: "username must be 3 to 32 letters, digits, '.', '_' or '-'",
        },
        { path: "password", message: "password must be 8 characters or more" },
      ],
    });
    expect(await faults({ username: 5 })).toEqual({
      error: "Validation failed",
      errors: [
        { path: "username", message: "username must be a string" },
        { path: "password", message: "password is required" },
      ],
    });
  });

  it("accepts any characters in a password, and rejects commonly guessed ones", async () => {
    await open(true);
    const register = (username: string, secret: string) =>
      callRoute(server, "POST /auth/register", { body: { username, password: secret } });
    const emoji = "😀".repeat(64);
    expect((await register("emoji-lover", emoji)).status).toBe(201);
    const login = (secret: string) =>
      callRoute(server, "POST /auth/login", {
        body: { username: "emoji-lover", password: secret },
      });
    expect((await login(emoji)).status).toBe(200);
    expect((await login(`${"😀".repeat(63)}😁`)).status).toBe(401);
    expect((await register("lower-case", "allinlowercase")).status).toBe(201);
    for (const weak of ["password123", "QWERTYUIOP", "guessed-user", "guildhall", "GuildHall"]) {
      const answered = await register("guessed-user", weak);
      expect(answered.status).toBe(400);
      expect(answered.body).toMatchObject({ errors: [{ path: "password" }] });
    }
  });

  it("rejects a filled honeypot field and creates no user", async () => {
    await open(true);
    const body = { username: "robot-user", password, company: "x" };
    const answered = await callRoute(server, "POST /auth/register", { body });
    expect([answered.status, answered.body]).toEqual([400, { error: "Invalid request" }]);
    const login = await callRoute(server, "POST /auth/login", {
      body: { username: "robot-user", password },
    });
    expect(login.status).toBe(401);
  });
});
