import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

import { addProvider } from "../provider/add-provider.ts";
import { HostileProvider, type Reply, unsigned } from "../provider/hostile-provider.ts";
import { Visitor } from "../provider/visitor.ts";
import { type Answered, call } from "../support/call.ts";
import { type ApiProcess, startApiProcess } from "../support/processes.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";

let hostile: HostileProvider;
/** Makes users; it shares its database with the process that is attacked. */
let server: TestServer;
/** A process of its own: one that ends is seen to end. */
let attacked: ApiProcess;
let admin: SignedIn;
let at: Pick<TestServer, "url" | "config">;

const site = "http://localhost:3000";

beforeAll(async () => {
  hostile = await HostileProvider.start();
  const environment = {
    OIDC_ALLOW_INSECURE: "true",
    PUBLIC_BASE_URL: site,
    DISCORD_BASE_URL: hostile.issuer,
    // Every sign-in of this file comes from one address.
    RL_SSO_START_MAX: "1000",
  };
  server = await startTestServer({ environment });
  attacked = await startApiProcess(server.database, environment);
  at = { url: attacked.url, config: server.config };
  admin = await signIn(server, { role: "admin" });
  await addProvider(attacked, admin, "hostile", hostile);
  await call(attacked, "PUT /admin/auth/providers/discord", {
    headers: admin.headers,
    body: { enabled: true, clientId: "x", clientSecret: "y" },
  });
  for (const [providerId, subject] of [
    ["hostile", "robin"],
    ["discord", "80351110224678912"],
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

/** A whole sign-in, to its last step. */
async function signInThere(id = "hostile"): Promise<{ answered: Answered; visitor: Visitor }> {
  const visitor = new Visitor(at);
  const begun = await visitor.call(`GET /auth/sso/${id}/start`);
  const location = begun.headers.get("location");
  if (location === null) return { answered: begun, visitor };
  return { answered: await visitor.open(hostile.comeBack(location)), visitor };
}

/** What becomes of a sign-in, and whether the process serves on. */
async function outcome(id?: string): Promise<object> {
  const { answered, visitor } = await signInThere(id);
  const { status, body, headers } = answered;
  return {
    status,
    body,
    code: headers.get("x-error-code"),
    isSignedIn: visitor.holds("session"),
    serves: (await call(attacked, "GET /public/status")).status,
  };
}

const refusedCleanly = {
  status: 502,
  body: { error: "The sign-in provider failed" },
  code: "provider_failed",
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
const huge = { body: `{"x":"${"x".repeat(10 * 1024 * 1024)}"}` };
const now = () => Math.floor(Date.now() / 1000);

type Endpoint = "metadata" | "jwks" | "token" | "userinfo";

/** What any endpoint may answer instead of what it should. */
const answers: Readonly<Record<string, () => Reply>> = {
  null: () => ({ body: "null" }),
  "a list": () => ({ body: "[]" }),
  "a number": () => ({ body: "7" }),
  text: () => ({ body: '"text"' }),
  nothing: () => ({ body: "" }),
  "half a body": () => ({ body: '{"access_token":' }),
  HTML: () => html,
  "10 MB": () => huge,
  "a redirect": () => ({
    status: 302,
    headers: { location: `${hostile.issuer}/elsewhere` },
    body: "{}",
  }),
  "a 400": () => ({ status: 400, body: { error: "invalid_grant" } }),
  "a 400 of another shape": () => ({ status: 400, body: { error: { $ne: 1 } } }),
  "a 500": () => ({ status: 500, body: { error: "x" } }),
  "a compressed body": () => ({
    headers: { "content-encoding": "gzip" },
    body: "no gzip either",
  }),
  "a closed connection": () => (response) => response.destroy(),
  "a connection closed within": () => (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("{");
    setTimeout(() => response.destroy(), 50);
  },
};

describe("a provider that is as it should be", () => {
  it("signs in, and its new keys count at once", async () => {
    for (let time = 0; time < 2; time++) {
      const { answered, visitor } = await signInThere();
      expect([answered.status, answered.headers.get("location")]).toEqual([302, `${site}/`]);
      expect(visitor.holds("session")).toBe(true);
      await hostile.rotate();
    }
  });

  it("may have a clock that differs by a minute", async () => {
    claims({ exp: now() - 30 })();
    const { answered, visitor } = await signInThere();
    expect([answered.status, answered.headers.get("location")]).toEqual([302, `${site}/`]);
    expect(visitor.holds("session")).toBe(true);
  });

  it("is asked for no redirect's target", () => {
    expect(hostile.asked).not.toContain("/elsewhere");
  });
});

describe("an ID token", () => {
  const tokens: Readonly<Record<string, () => void>> = {
    "with a forged signature (R83)": () => {
      hostile.idToken = (token) => ({ ...token, key: hostile.others.privateKey });
    },
    "with a signature that is cut off": () => {
      hostile.idToken = (token) => unsigned(token).replace(/\.$/, "");
    },
    "with alg none (R83)": () => {
      hostile.idToken = (token) => unsigned(token);
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
    "that ended two minutes ago": () => claims({ exp: now() - 120 })(),
    "without an end": claims({ exp: undefined }),
    "without a time of issue": claims({ iat: undefined }),
    "without a subject": claims({ sub: undefined }),
    "with an empty subject": claims({ sub: "" }),
    "with a subject that is a number": claims({ sub: 7 }),
    "with a subject that nobody can store": claims({ sub: "a\u0000b" }),
    "with a subject of 10,000 characters": claims({ sub: "x".repeat(10_000) }),
    "that is a number": () => void (hostile.idToken = () => 7),
    "that is null": () => void (hostile.idToken = () => null),
    "that is an object": () => void (hostile.idToken = () => ({ a: 1 })),
    "that is empty": () => void (hostile.idToken = () => ""),
    "that is one word": () => void (hostile.idToken = () => "word"),
    "whose payload is null": () => void (hostile.idToken = () => "e30.bnVsbA.e30"),
  };
  it.each(Object.entries(tokens))(
    "%s ends in 502, and the process serves on",
    async (_, change) => {
      change();
      expect(await outcome()).toEqual(refusedCleanly);
    },
  );
});

describe("an access token", () => {
  const tokens: Readonly<Record<string, object>> = {
    "that is missing": { access_token: undefined },
    "that is a number": { access_token: 7 },
    "that would be two headers": { access_token: "a\r\nX-Evil: 1" },
    "that is not for bearers": { token_type: "mac" },
    "of a type that is none": { token_type: null },
  };
  it.each(Object.entries(tokens))("%s ends in 502", async (_, changes) => {
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
  it.each(Object.entries(sets))("%s ends in 502", async (_, body) => {
    hostile.jwks = () => ({ body });
    expect(await outcome()).toEqual(refusedCleanly);
  });
});

describe("the user endpoint", () => {
  it.each([{ sub: "somebody-else" }, { sub: 7 }, { sub: null }, {}])(
    "that names %j ends in 502: it does not overrule the ID token",
    async (body) => {
      hostile.userinfo = () => ({ body });
      expect(await outcome()).toEqual(refusedCleanly);
    },
  );
});

describe("the metadata", () => {
  const metadata: Readonly<Record<string, object>> = {
    "of another issuer (R85)": { issuer: "https://evil.example" },
    "of an issuer with a slash more": { issuer: "http://127.0.0.1:1/" },
    "without an address": { token_endpoint: undefined },
    "with an address that is a number": { authorization_endpoint: 7 },
    "with an address that is a script": { authorization_endpoint: "javascript:alert(1)" },
    "with an address by plain http elsewhere": { token_endpoint: "http://198.51.100.1/token" },
    "with an address that holds a password": { jwks_uri: "https://a:b@example.org/jwks" },
  };
  it.each(Object.entries(metadata))("%s lets nobody begin", async (_, changes) => {
    hostile.metadata = (right) => ({ body: { ...right, ...changes } });
    expect(await outcome()).toEqual(refusedCleanly);
  });
});

describe.each<Endpoint>(["metadata", "jwks", "token", "userinfo"])(
  "the %s endpoint",
  (endpoint) => {
    it.each(Object.entries(answers))("that answers %s ends in 502", async (_, reply) => {
      hostile[endpoint] = reply;
      expect(await outcome()).toEqual(refusedCleanly);
    });
  },
);

describe.each<Endpoint>(["token", "userinfo"])("Discord's %s endpoint", (endpoint) => {
  it.each(Object.entries(answers))("that answers %s ends in 502", async (_, reply) => {
    hostile[endpoint] = reply;
    expect(await outcome("discord")).toEqual(refusedCleanly);
  });
});

describe("the app whose browser comes back from a provider that fails", () => {
  const query = new URLSearchParams({
    provider: "hostile",
    redirect_uri: "org.guildhall.app://auth/callback",
    state: "the state of the app",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  });

  it("is told so at its own address, when the provider fails before the browser leaves", async () => {
    const failures = [
      () => (hostile.metadata = () => ({ status: 500, body: {} })),
      () => (hostile.metadata = () => html),
      () => (hostile.metadata = () => (response) => response.destroy()),
    ];
    for (const fail of failures) {
      fail();
      const begun = await new Visitor(at).call(`GET /auth/mobile/sso/start?${query.toString()}`);
      expect([begun.status, begun.headers.get("location"), begun.setCookies]).toEqual([
        302,
        "org.guildhall.app://auth/callback?error=server_error&state=the+state+of+the+app",
        [],
      ]);
    }
  });

  it("is told so at its own address, whatever failed", async () => {
    const failures = [
      () => (hostile.idToken = (token) => unsigned(token)),
      claims({ nonce: "another" }),
      () => (hostile.token = () => ({ status: 500, body: {} })),
      () => (hostile.jwks = () => html),
      () => (hostile.userinfo = () => ({ body: { sub: "somebody-else" } })),
    ];
    for (const fail of failures) {
      const visitor = new Visitor(at);
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
  it("is given up, by whoever waits for it", async () => {
    const back = new Visitor(at);
    const begun = await back.call("GET /auth/sso/discord/start");
    hostile.metadata = () => () => undefined;
    hostile.token = () => () => undefined;
    const starts = Array.from({ length: 20 }, () =>
      new Visitor(at).call("GET /auth/sso/hostile/start"),
    );
    const location = begun.headers.get("location") ?? "";
    const answered = await Promise.all([...starts, back.open(hostile.comeBack(location))]);
    expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([502]));
    expect((await call(attacked, "GET /public/status")).status).toBe(200);
  });
});
