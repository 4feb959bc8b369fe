import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { addProvider } from "../provider/add-provider.ts";
import {
  discordUser,
  type Endpoint,
  HostileProvider,
  type Reply,
  buildUnsignedToken,
} from "../provider/hostile-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let hostile: HostileProvider;
/** A server on the same database, with which the tests create users. */
let server: TestServer;
/**
 * The process that signs in at the hostile provider. It runs separately, so that the tests notice a
 * crash.
 */
let attacked: ApiProcess;
let admin: SignedIn;
let at: Pick<TestServer, "url" | "config">;

const site = "http://localhost:3000";
/** Every request is answered within this time, whatever the provider does. */
const longestMs = 6_000;

beforeAll(async () => {
  hostile = await HostileProvider.start();
  const environment = {
    OIDC_ALLOW_INSECURE: "true",
    PUBLIC_BASE_URL: site,
    DISCORD_BASE_URL: hostile.issuer,
    // All sign-ins of this file come from one address, so its limit must be high.
    RL_SSO_START_MAX: "1000",
  };
  server = await startTestServer({ environment });
  attacked = await startApiProcess(server.database, environment);
  at = { url: attacked.url, config: server.config };
  admin = await signIn(server, { role: "admin" });
  await addProvider(attacked, admin, "hostile", hostile);
  await callRoute(attacked, "PUT /admin/auth/providers/discord", {
    headers: admin.headers,
    body: { enabled: true, clientId: "x", clientSecret: "y" },
  });
  for (const [providerId, subject] of [
    ["hostile", "robin"],
    ["discord", discordUser],
  ] as const) {
    const { userId } = await signIn(server);
    const there = { providerId, providerName: "Hostile", issuer: hostile.issuer };
    await server.context.models.Identity.create({ ...there, userId, subject });
  }
});
afterAll(async () => {
  await attacked?.stop();
  await server?.stop();
  await hostile?.stop();
});
beforeEach(() => hostile.behave());

async function signInThere(
  id = "hostile",
): Promise<{ answered: ApiAnswer; visitor: CookieBrowser }> {
  const visitor = new CookieBrowser(at);
  const begun = await visitor.call(`GET /auth/sso/${id}/start`);
  const location = begun.headers.get("location");
  if (location === null) return { answered: begun, visitor };
  return { answered: await visitor.open(hostile.comeBack(location)), visitor };
}

/** Signs in at the provider. @returns the answer, whether it came in time, and the status of a later request */
async function outcome(id?: string): Promise<object> {
  const begun = performance.now();
  const { answered, visitor } = await signInThere(id);
  const isInTime = performance.now() - begun < longestMs;
  const { status, body, headers } = answered;
  return {
    status,
    body,
    code: headers.get("x-error-code"),
    isInTime,
    isSignedIn: visitor.holds("session"),
    serves: (await callRoute(attacked, "GET /public/status")).status,
  };
}

const refusedCleanly = {
  status: 502,
  body: { error: "The sign-in provider failed" },
  code: "provider_failed",
  isInTime: true,
  isSignedIn: false,
  serves: 200,
};

const claims = (changes: Readonly<Record<string, unknown>>) => () => {
  hostile.idToken = (token) => ({
    ...token,
    claims: { ...token.claims, ...changes },
  });
};
const html = { headers: { "content-type": "text/html" }, body: "<html>error</html>" };
const now = () => Math.floor(Date.now() / 1000);

/** The correct answer of an endpoint, which the tests change. */
type ValidAnswer = Readonly<Record<string, unknown>>;

const redirect = (status: number) => (right: ValidAnswer, path: string) => ({
  status,
  headers: { location: `${hostile.issuer}/elsewhere${path}` },
  body: right,
});

/** Wrong answers of any endpoint, each with one fault. */
const answers: Readonly<Record<string, (right: ValidAnswer, path: string) => Reply>> = {
  null: () => ({ body: "null" }),
  "a list": (right) => ({ body: [right] }),
  "a number": () => ({ body: "7" }),
  text: (right) => ({ body: JSON.stringify(JSON.stringify(right)) }),
  nothing: () => ({ body: "" }),
  "half a body": (right) => ({ body: JSON.stringify(right).slice(0, -1) }),
  HTML: () => html,
  "the correct content in 10 MB": (right) => ({
    body: { ...right, more: "x".repeat(10 * 1024 ** 2) },
  }),
  "a redirect (302) to the correct content": redirect(302),
  "a redirect (303) to the correct content": redirect(303),
  "a redirect (307) to the correct content": redirect(307),
  "a 400": () => ({ status: 400, body: { error: "invalid_grant" } }),
  "a 400 of another shape": () => ({ status: 400, body: { error: { $ne: 1 } } }),
  "a 400 with the correct content": (right) => ({ status: 400, body: right }),
  "a 500": () => ({ status: 500, body: { error: "x" } }),
  "a 500 with the correct content": (right) => ({ status: 500, body: right }),
  "content that only its header calls compressed": () => ({
    headers: { "content-encoding": "gzip" },
    body: "no gzip either",
  }),
  "a compressed body that was not requested": (right) => (response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.end(gzipSync(JSON.stringify(right)));
  },
  "a closed connection": () => (response) => response.destroy(),
  "a connection that closes in the middle": (right) => (response) => {
    const body = JSON.stringify(right);
    response.writeHead(200, { "content-length": String(body.length + 1) });
    response.write(body, () => response.destroy());
  },
};

describe("a correct provider", () => {
  it("signs in a user, also right after a key rotation", async () => {
    for (let time = 0; time < 2; time++) {
      const { answered, visitor } = await signInThere();
      expect([answered.status, answered.headers.get("location")]).toEqual([302, `${site}/`]);
      expect(visitor.holds("session")).toBe(true);
      await hostile.rotate();
    }
  });

  it("may have a clock that differs by 50 seconds", async () => {
    claims({ exp: now() - 50 })();
    const { answered, visitor } = await signInThere();
    expect([answered.status, answered.headers.get("location")]).toEqual([302, `${site}/`]);
    expect(visitor.holds("session")).toBe(true);
  });

  it("signs in a user at Discord's endpoints too", async () => {
    const { answered, visitor } = await signInThere("discord");
    expect([answered.status, answered.headers.get("location")]).toEqual([302, `${site}/`]);
    expect(visitor.holds("session")).toBe(true);
  });
});

describe("an ID token", () => {
  const tokens: Readonly<Record<string, () => void>> = {
    "with a forged signature (R83)": () => {
      hostile.idToken = (token) => ({ ...token, key: hostile.others.privateKey });
    },
    "with a signature that is cut off": () => {
      hostile.idToken = (token) => buildUnsignedToken(token).replace(/\.$/, "");
    },
    "with alg none (R83)": () => {
      hostile.idToken = (token) => buildUnsignedToken(token);
    },
    "signed by a key that is no longer published": () => {
      hostile.jwks = () => ({ body: { keys: [{ ...hostile.others.jwk, kid: "another" }] } });
    },
    "for another client (R83)": claims({ aud: "another" }),
    "for several clients, issued to none": claims({ aud: ["guildhall", "another"] }),
    "for several clients, issued to another": claims({
      aud: ["guildhall", "another"],
      azp: "another",
    }),
    "issued to another client": claims({ azp: "another" }),
    "of another issuer": claims({ iss: "https://evil.example" }),
    "with another nonce (R82)": claims({ nonce: "another" }),
    "without a nonce (R82)": claims({ nonce: undefined }),
    "with a nonce of another type": claims({ nonce: 7 }),
    "that expired two minutes ago": () => claims({ exp: now() - 120 })(),
    "that expired 61 seconds ago": () => claims({ exp: now() - 61 })(),
    "without an expiry": claims({ exp: undefined }),
    "without a time of issue": claims({ iat: undefined }),
    "without a subject": claims({ sub: undefined }),
    "with an empty subject": claims({ sub: "" }),
    "with a subject that is a number": claims({ sub: 7 }),
    "with a subject that PostgreSQL cannot store": claims({ sub: "a\u0000b" }),
    "with a subject of 10,000 characters": claims({ sub: "x".repeat(10_000) }),
    "that is a number": () => void (hostile.idToken = () => 7),
    "that is null": () => void (hostile.idToken = () => null),
    "that is an object": () => void (hostile.idToken = () => ({ a: 1 })),
    "that is empty": () => void (hostile.idToken = () => ""),
    "that is a single word": () => void (hostile.idToken = () => "word"),
    "whose payload is null": () => void (hostile.idToken = () => "e30.bnVsbA.e30"),
  };
  it.each(Object.entries(tokens))(
    "%s leads to 502, and the process keeps serving",
    async (_, change) => {
      change();
      expect(await outcome()).toEqual(refusedCleanly);
    },
  );
});

describe("an e-mail address that a provider reports as verified (R84)", () => {
  /** Makes the provider return an unlinked account that claims the email address of a user. */
  const named = (email: string) => {
    const facts = { email, email_verified: true, verified: true, preferred_username: email };
    hostile.idToken = (token) => ({
      ...token,
      claims: { ...token.claims, ...facts, sub: "stranger" },
    });
    hostile.userinfo = (right) => ({
      body: { ...right, ...facts, ...("id" in right ? { id: "1" } : { sub: "stranger" }) },
    });
  };
  const kept = async () => [
    await server.context.models.User.count(),
    await server.context.models.Identity.count(),
  ];

  it.each(["hostile", "discord"])(
    "signs in nobody, links nothing and creates no account: %s",
    async (id) => {
      const email = `${id}@example.org`;
      await signIn(server, { email, username: email.replace("@", ".") });
      named(email);
      const before = await kept();
      const { answered, visitor } = await signInThere(id);
      expect([answered.status, answered.headers.get("location")]).toEqual([
        302,
        `${site}/login?error=sso_not_linked`,
      ]);
      expect(visitor.holds("session")).toBe(false);
      expect(await kept()).toEqual(before);
    },
  );

  it("is ignored when an account is linked, because the account is linked to the signed-in user", async () => {
    const email = "theirs@example.org";
    const theirs = await signIn(server, { email });
    const mine = await signIn(server);
    named(email);
    const visitor = new CookieBrowser(at);
    visitor.hold(mine.cookie);
    const begun = await visitor.call("POST /auth/sso/hostile/link", { body: {} });
    const { redirectTo } = begun.body as { redirectTo: string };
    const back = await visitor.open(hostile.comeBack(redirectTo));
    expect(back.headers.get("location")).toBe(`${site}/account?linked=hostile`);
    const where = { userId: [mine.userId, theirs.userId] };
    const links = await server.context.models.Identity.findAll({ where, raw: true });
    expect(links.map(({ userId, subject }) => [userId, subject])).toEqual([
      [mine.userId, "stranger"],
    ]);
  });
});

describe("an access token", () => {
  const tokens: Readonly<Record<string, object>> = {
    "that is missing": { access_token: undefined },
    "that is a number": { access_token: 7 },
    "with a line break that would start another header": { access_token: "a\r\nX-Evil: 1" },
    "of the type mac instead of bearer": { token_type: "mac" },
    "of the type null": { token_type: null },
  };
  it.each(Object.entries(tokens))("%s leads to 502", async (_, changes) => {
    hostile.token = (right) => ({ body: { ...right, ...changes } });
    expect(await outcome()).toEqual(refusedCleanly);
  });
});

describe("a key set", () => {
  const sets: Readonly<Record<string, object>> = {
    "without keys": {},
    "of another shape": { keys: "x" },
    "of nulls": { keys: [null, 7, "x"] },
    "of broken keys": { keys: [{ kty: "RSA", kid: "one", alg: "RS256", n: 7, e: null }] },
    "of secrets": { keys: [{ kty: "oct", kid: "one", k: "AAAA" }] },
    "that is empty": { keys: [] },
  };
  it.each(Object.entries(sets))("%s leads to 502", async (_, body) => {
    hostile.jwks = () => ({ body });
    expect(await outcome()).toEqual(refusedCleanly);
  });
});

describe("the user endpoint", () => {
  it.each([{ sub: "somebody-else" }, { sub: 7 }, { sub: null }, {}])(
    "leads to 502 if it answers %j, and does not override the ID token",
    async (body) => {
      hostile.userinfo = () => ({ body });
      expect(await outcome()).toEqual(refusedCleanly);
    },
  );
});

describe("the metadata", () => {
  const metadata: Readonly<Record<string, object>> = {
    "of another issuer (R85)": { issuer: "https://evil.example" },
    "of an issuer with an additional slash": { issuer: "http://127.0.0.1:1/" },
    "without an address": { token_endpoint: undefined },
    "with an address that is a number": { authorization_endpoint: 7 },
    "with an address that is a script": { authorization_endpoint: "javascript:alert(1)" },
    "with a plain http address on another host": { token_endpoint: "http://198.51.100.1/token" },
    "with an address that contains a password": { jwks_uri: "https://a:b@example.org/jwks" },
  };
  it.each(Object.entries(metadata))("%s prevents a sign-in from beginning", async (_, changes) => {
    hostile.metadata = (right) => ({ body: { ...right, ...changes } });
    expect(await outcome()).toEqual(refusedCleanly);
  });
});

describe("the user endpoint of a provider that signs ID tokens", () => {
  it.each(Object.entries(answers))("is ignored if it answers %s", async (_, reply) => {
    hostile.userinfo = reply;
    expect(await outcome()).toEqual({
      ...refusedCleanly,
      status: 302,
      body: "",
      code: null,
      isSignedIn: true,
    });
  });
});

describe.each<Endpoint>(["metadata", "jwks", "token"])("the %s endpoint", (endpoint) => {
  it.each(Object.entries(answers))("leads to 502 if it answers %s", async (_, reply) => {
    hostile[endpoint] = reply;
    expect(await outcome()).toEqual(refusedCleanly);
  });
});

describe.each<Endpoint>(["token", "userinfo"])("Discord's %s endpoint", (endpoint) => {
  it.each(Object.entries(answers))("leads to 502 if it answers %s", async (_, reply) => {
    hostile[endpoint] = reply;
    expect(await outcome("discord")).toEqual(refusedCleanly);
  });
});

describe("an app that signs in at a failing provider", () => {
  const query = new URLSearchParams({
    provider: "hostile",
    redirect_uri: "org.guildhall.app://auth/callback",
    state: "the state of the app",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });

  it("gets server_error at its redirect address if the provider fails before the redirect", async () => {
    const failures = [
      () => (hostile.metadata = () => ({ status: 500, body: {} })),
      () => (hostile.metadata = () => html),
      () => (hostile.metadata = () => (response) => response.destroy()),
    ];
    for (const fail of failures) {
      fail();
      const begun = await new CookieBrowser(at).call(
        `GET /auth/mobile/sso/start?${query.toString()}`,
      );
      expect([begun.status, begun.headers.get("location"), begun.setCookies]).toEqual([
        302,
        "org.guildhall.app://auth/callback?error=server_error&state=the+state+of+the+app",
        [],
      ]);
    }
  });

  it("gets server_error at its redirect address if any later step fails", async () => {
    const failures = [
      () => (hostile.idToken = (token) => buildUnsignedToken(token)),
      claims({ nonce: "another" }),
      () => (hostile.token = () => ({ status: 500, body: {} })),
      () => (hostile.jwks = () => html),
      () => (hostile.userinfo = () => ({ body: { sub: "somebody-else" } })),
    ];
    for (const fail of failures) {
      const visitor = new CookieBrowser(at);
      const begun = await visitor.call(`GET /auth/mobile/sso/start?${query.toString()}`);
      fail();
      const back = await visitor.open(hostile.comeBack(begun.headers.get("location") ?? ""));
      expect([back.status, back.headers.get("location"), visitor.holds("session")]).toEqual([
        302,
        "org.guildhall.app://auth/callback?error=server_error&state=the+state+of+the+app",
        false,
      ]);
      hostile.behave();
    }
  });
});

describe("a provider that answers nothing", () => {
  it("makes all waiting requests fail within six seconds", async () => {
    const back = new CookieBrowser(at);
    const begun = await back.call("GET /auth/sso/discord/start");
    hostile.metadata = () => () => undefined;
    hostile.token = () => () => undefined;
    const location = begun.headers.get("location") ?? "";
    const waiting = Array.from({ length: 20 }, () =>
      isAnsweredInTime(new CookieBrowser(at).call("GET /auth/sso/hostile/start")),
    );
    waiting.push(isAnsweredInTime(back.open(hostile.comeBack(location))));
    const given = waiting.map(() => ({ status: 502, isInTime: true }));
    expect(await Promise.all(waiting)).toEqual(given);
    expect((await callRoute(attacked, "GET /public/status")).status).toBe(200);
  });
});

/** Waits for an answer. @returns its status and whether it came in time */
async function isAnsweredInTime(answered: Promise<ApiAnswer>): Promise<object> {
  const begun = performance.now();
  const { status } = await answered;
  return { status, isInTime: performance.now() - begun < longestMs };
}

describe("a redirect by a provider, in any test of this file", () => {
  it("is never followed", () => {
    expect(hostile.asked.filter((path) => path.startsWith("/elsewhere"))).toEqual([]);
  });
});
