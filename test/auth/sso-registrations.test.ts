import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { addProvider, type ProviderRegistration } from "../provider/add-provider.ts";
import { HostileProvider, signToken, type Token } from "../provider/hostile-provider.ts";
import { IdentityProvider, type IdentityProviderOptions } from "../provider/identity-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const site = "http://localhost:3000";
const callbackUrls = [`${site}/api/v1/auth/sso/there/callback`];

let hostile: HostileProvider;
let server: TestServer;
let admin: SignedIn;
let user: SignedIn;
let logged: string[] = [];

beforeAll(async () => {
  hostile = await HostileProvider.start();
  const log = pino({ level: "info" }, { write: (line: string) => void logged.push(line) });
  const environment = { OIDC_ALLOW_INSECURE: "true", DISCORD_BASE_URL: hostile.issuer };
  server = await startTestServer({ environment, log });
  admin = await signIn(server, { role: "admin" });
  user = await signIn(server);
});
afterAll(async () => {
  await server?.stop();
  await hostile?.stop();
});
beforeEach(() => {
  logged = [];
  hostile.behave();
});
afterEach(async () => {
  await forget();
});

const forget = async (): Promise<void> => {
  const { AuthProvider, Identity } = server.context.models;
  await AuthProvider.destroy({ where: { builtin: false } });
  await Identity.destroy({ where: {} });
};

/** Adds a provider, and links an account at it to the user. @returns the provider's health */
async function add(provider: ProviderRegistration, settings: object = {}): Promise<unknown[]> {
  const { issuer, clientId, clientSecret } = provider;
  const reached = { issuer, clientId, clientSecret, settings };
  const { health } = (await addProvider(server, admin, "there", reached)) as {
    health: { status: string; detail: string | null };
  };
  const there = { providerId: "there", providerName: "There", issuer };
  await server.context.models.Identity.create({ ...there, userId: user.userId, subject: "robin" });
  return [health.status, health.detail];
}

async function withCertified(
  options: Partial<IdentityProviderOptions>,
  act: (provider: IdentityProvider) => Promise<void>,
): Promise<void> {
  const provider = await IdentityProvider.start({ callbackUrls, ...options });
  try {
    await act(provider);
  } finally {
    await provider.stop();
  }
}

const landing = ({ status, headers }: ApiAnswer) => [status, headers.get("location")];
const signedIn = [302, `${site}/`];
const signInThere = async (id = "there"): Promise<ApiAnswer> => {
  const visitor = new CookieBrowser(server);
  const begun = await visitor.call(`GET /auth/sso/${id}/start`);
  return visitor.open(hostile.comeBack(begun.headers.get("location") ?? ""));
};
/** Returns the log lines that state the reason of a failure. */
const faults = () =>
  logged
    .map((line) => JSON.parse(line) as { reason?: string })
    .filter(({ reason }) => reason !== undefined);
const reasons = () => faults().map(({ reason }) => reason);

describe("a provider's algorithm for signing ID tokens", () => {
  it.each(["RS256", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"])(
    "%s signs in a user, whether or not it is configured",
    async (algorithm) => {
      await withCertified({ algorithm }, async (provider) => {
        for (const settings of [{}, { idTokenAlgorithm: algorithm }]) {
          expect(await add(provider, settings)).toEqual(["ok", null]);
          expect(landing(await new CookieBrowser(server).signInAt("there"))).toEqual(signedIn);
          await forget();
        }
      });
    },
  );

  it.each(["HS256", "HS384", "HS512"])(
    "%s signs in a user only if it is configured",
    async (algorithm) => {
      await withCertified({ algorithm, clientSecret: "s".repeat(64) }, async (provider) => {
        expect(await add(provider, { idTokenAlgorithm: algorithm })).toEqual(["ok", null]);
        expect(landing(await new CookieBrowser(server).signInAt("there"))).toEqual(signedIn);
        const { headers } = admin;
        const body = { idTokenAlgorithm: null };
        const changed = await callRoute(server, "PUT /admin/auth/providers/there", {
          headers,
          body,
        });
        expect(changed.body).toMatchObject({
          idTokenAlgorithm: null,
          health: {
            status: "unsupported",
            detail: expect.stringMatching(
              `^id_token_signing_alg_values_supported of the metadata is ${algorithm}: the site needs RS256, `,
            ),
          },
        });
        expect((await new CookieBrowser(server).signInAt("there")).status).toBe(502);
        expect(reasons()).toContain(
          `the ID token cannot be verified: it is signed by ${algorithm}, which is not accepted here`,
        );
      });
    },
  );

  it("an algorithm other than the configured one signs in nobody, and the provider's health says so", async () => {
    await withCertified({ algorithm: "ES256" }, async (provider) => {
      expect(await add(provider, { idTokenAlgorithm: "RS256" })).toEqual([
        "unsupported",
        "id_token_signing_alg_values_supported of the metadata is ES256: the site needs RS256",
      ]);
      expect((await new CookieBrowser(server).signInAt("there")).status).toBe(502);
    });
  });
});

describe("an ID token that is signed with a secret", () => {
  it("is rejected if no secret-based algorithm is configured, whichever known text is the secret", async () => {
    await add(hostile);
    const { jwk } = hostile.keys;
    for (const secret of [hostile.clientSecret, JSON.stringify(jwk), jwk.n ?? ""]) {
      hostile.idToken = (token) => ({
        ...token,
        alg: "HS256",
        key: new TextEncoder().encode(secret.padEnd(32, "-")),
      });
      expect((await signInThere()).status).toBe(502);
    }
  });

  it("is rejected if it was signed with another secret or with a published key", async () => {
    await add(hostile, { idTokenAlgorithm: "HS256", clientSecret: "s".repeat(32) });
    const by = (secret: string) => (token: Token) => ({
      ...token,
      alg: "HS256",
      key: new TextEncoder().encode(secret),
    });
    hostile.idToken = by("t".repeat(32));
    expect((await signInThere()).status).toBe(502);
    hostile.idToken = (token) => token;
    expect((await signInThere()).status).toBe(502);
    hostile.idToken = by("s".repeat(32));
    expect(landing(await signInThere())).toEqual(signedIn);
  });

  it("needs the client's secret, and the provider is misconfigured without it", async () => {
    const body = { idTokenAlgorithm: "HS256", clientSecret: "" };
    expect(await add(hostile, body)).toEqual(["misconfigured", "HS256 needs the client's secret"]);
  });

  it("cannot be configured for Discord", async () => {
    const { headers } = admin;
    const body = { idTokenAlgorithm: "HS256" };
    const refused = await callRoute(server, "PUT /admin/auth/providers/discord", { headers, body });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "idTokenAlgorithm",
            message: "idTokenAlgorithm is only for providers with ID tokens",
          },
        ],
      },
    ]);
  });
});

describe("an ID token that names no key", () => {
  const nameless = ({ claims, alg, key }: Token): Token => ({ claims, alg, key });

  it("is verified with any key of the set", async () => {
    await add(hostile);
    const { jwk: own } = hostile.keys;
    const { jwk: other } = hostile.others;
    const { kid: _own, ...ownNameless } = own;
    const { kid: _other, ...otherNameless } = other;
    hostile.idToken = nameless;
    const sets = [[own], [ownNameless], [other, own], [otherNameless, ownNameless]];
    for (const keys of sets) {
      hostile.jwks = () => ({ body: { keys } });
      expect(landing(await signInThere())).toEqual(signedIn);
    }
  });

  it("is rejected if no key of the set signed it", async () => {
    await add(hostile);
    hostile.idToken = nameless;
    const { jwk } = hostile.others;
    for (const keys of [[jwk], [jwk, { ...jwk, kid: "two" }], []]) {
      hostile.jwks = () => ({ body: { keys } });
      expect((await signInThere()).status).toBe(502);
    }
  });
});

describe("a client of a provider that lists both ways to send the secret", () => {
  const methods = ["client_secret_basic", "client_secret_post"] as const;

  /**
   * Makes the provider's metadata list both authentication methods, and its token endpoint accept only this one.
   */
  const register = (method: (typeof methods)[number]): void => {
    hostile.metadata = (right) => ({
      body: { ...right, token_endpoint_auth_methods_supported: methods },
    });
    hostile.token = (right) => {
      const { fields, authorization } = hostile.lastForm ?? {};
      const isBasic = authorization !== undefined && fields?.["client_secret"] === undefined;
      const isPost = authorization === undefined && fields?.["client_secret"] !== undefined;
      if (method === "client_secret_basic" ? isBasic : isPost) return { body: right };
      return { status: 401, body: { error: "invalid_client" } };
    };
  };

  it.each(methods)("signs in a user if the provider registered it for %s", async (method) => {
    register(method);
    expect(await add(hostile)).toEqual(["ok", null]);
    expect(landing(await signInThere())).toEqual(signedIn);
    const told = logged.filter((line) => line.includes("set tokenAuthMethod"));
    expect(told).toHaveLength(method === "client_secret_basic" ? 0 : 2);
  });

  it.each([
    ["client_secret_basic", "client_secret_post"],
    ["client_secret_post", "client_secret_basic"],
  ] as const)(
    "uses only %s if that is configured, and fails if the provider registered it for %s",
    async (tokenAuthMethod, registered) => {
      register(registered);
      expect(await add(hostile, { tokenAuthMethod })).toEqual([
        "bad_secret",
        "the token endpoint answered 401 invalid_client",
      ]);
      expect((await signInThere()).status).toBe(502);
      const { headers } = admin;
      const body = { tokenAuthMethod: registered };
      const set = await callRoute(server, "PUT /admin/auth/providers/there", { headers, body });
      expect(set.body).toMatchObject({ ...body, health: { status: "ok" } });
      expect(landing(await signInThere())).toEqual(signedIn);
    },
  );

  it("tries the second way once if the provider refuses the first, and reports the refusal", async () => {
    hostile.metadata = (right) => ({
      body: { ...right, token_endpoint_auth_methods_supported: methods },
    });
    const proofs: unknown[] = [];
    hostile.token = () => {
      const { fields, authorization } = hostile.lastForm ?? {};
      proofs.push([authorization !== undefined, fields?.["client_secret"] !== undefined]);
      return { status: 401, body: { error: "invalid_client", error_description: "no\nsuch one" } };
    };
    expect(await add(hostile)).toEqual([
      "bad_secret",
      "the token endpoint answered 401 invalid_client (no such one)",
    ]);
    const both = [
      [true, false],
      [false, true],
    ];
    expect(proofs).toEqual(both);
    expect((await signInThere()).status).toBe(502);
    expect(proofs).toEqual([...both, ...both]);
    expect(reasons()).toEqual(["the token endpoint answered 401 invalid_client (no such one)"]);
    hostile.token = () => ({ status: 400, body: { error: "invalid_grant" } });
    const asked = hostile.asked.length;
    expect((await signInThere()).status).toBe(502);
    expect(hostile.asked.slice(asked).filter((path) => path === "/token")).toHaveLength(1);
  });
});

describe("the user endpoint of a provider", () => {
  it("may answer signed claims", async () => {
    for (const algorithm of ["RS256", "ES256"]) {
      await withCertified({ algorithm, signsUser: true }, async (provider) => {
        expect(await add(provider)).toEqual(["ok", null]);
        expect(landing(await new CookieBrowser(server).signInAt("there"))).toEqual(signedIn);
        await forget();
      });
    }
    expect(reasons()).toEqual([]);
  });

  it("makes the sign-in fail if its signed answer names another subject, and is ignored if the signature is invalid", async () => {
    await add(hostile);
    const signed = async (claims: object, key = hostile.keys.privateKey) => {
      const text = await signToken({ claims: { ...claims }, kid: "one", alg: "RS256", key });
      hostile.userinfo = () => ({ headers: { "content-type": "application/jwt" }, body: text });
      return landing(await signInThere());
    };
    const there = { iss: hostile.issuer, aud: hostile.clientId };
    expect(await signed({ sub: "robin", ...there })).toEqual(signedIn);
    expect(await signed({ sub: "robin" })).toEqual(signedIn);
    expect(reasons()).toEqual([]);
    expect(await signed({ sub: "somebody-else", ...there })).toEqual([502, null]);
    expect(reasons()).toEqual(["the user endpoint returned another subject"]);
    // An answer whose audience, issuer or signature is wrong is ignored, even if it names another
    // subject.
    const strange = { sub: "somebody-else" };
    expect(await signed({ ...strange, ...there, aud: "another" })).toEqual(signedIn);
    expect(await signed({ ...strange, iss: "https://evil.example" })).toEqual(signedIn);
    expect(await signed(strange, hostile.others.privateKey)).toEqual(signedIn);
  });

  it("is ignored if it refuses the request or its answer is too large, and the log says why", async () => {
    await add(hostile);
    hostile.userinfo = () => ({ status: 403, body: { error: "insufficient_scope" } });
    expect(landing(await signInThere())).toEqual(signedIn);
    hostile.userinfo = (right) => ({ body: { ...right, more: "x".repeat(300 * 1024) } });
    expect(landing(await signInThere())).toEqual(signedIn);
    hostile.userinfo = () => ({ body: "a.b.c.d.e" });
    expect(landing(await signInThere())).toEqual(signedIn);
    expect(reasons()).toEqual([
      "the user endpoint answered 403",
      expect.stringMatching(/: the answer is too large$/),
      "the user endpoint returned no claims",
    ]);
  });
});

describe("a browser that comes back with an error", () => {
  const app = {
    provider: "there",
    redirect_uri: "org.guildhall.app://auth/callback",
    state: "the state of the app",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
  };
  const begin = async (visitor: CookieBrowser, mode: string): Promise<string> => {
    if (mode === "link") {
      visitor.hold(user.cookie);
      const begun = await visitor.call("POST /auth/sso/there/link", { body: {} });
      return (begun.body as { redirectTo: string }).redirectTo;
    }
    const asked = new URLSearchParams(app).toString();
    const path = mode === "app" ? `mobile/sso/start?${asked}` : "sso/there/start?returnTo=/events";
    return (await visitor.call(`GET /auth/${path}`)).headers.get("location") ?? "";
  };
  const ends: Readonly<Record<string, RegExp>> = {
    site: /^http:\/\/localhost:3000\/events$/,
    app: /^org\.guildhall\.app:\/\/auth\/callback\?code=[\w-]{43}&state=the\+state\+of\+the\+app$/,
    link: /^http:\/\/localhost:3000\/account\?linked=there$/,
  };
  const fromProvider = ["temporarily_unavailable", "login_required"];

  it.each(fromProvider.flatMap((error) => Object.keys(ends).map((mode) => [error, mode] as const)))(
    "is sent to the provider again after the error %s, and can then complete its request: %s",
    async (error, mode) => {
      await add(hostile);
      const visitor = new CookieBrowser(server);
      const first = await begin(visitor, mode);
      const [begun] = await query<{ expires_at: Date }>(
        server,
        "select expires_at from sso_transactions order by id desc limit 1",
      );
      const again = await visitor.open(hostile.comeBack(first, { error }));
      const second = again.headers.get("location") ?? "";
      expect([again.status, new URL(second).origin]).toEqual([302, hostile.issuer]);
      const [was, is] = [first, second].map((location) => new URL(location).searchParams);
      for (const name of ["state", "nonce", "code_challenge"]) {
        expect(is?.get(name)).not.toBe(was?.get(name));
      }
      const asks = mode === "link" || error === "login_required";
      expect(is?.get("prompt")).toBe(asks ? "login" : null);
      expect(
        await query(
          server,
          "select is_retry, expires_at from sso_transactions order by id desc limit 1",
        ),
      ).toEqual([{ is_retry: true, expires_at: begun?.expires_at }]);
      const back = await visitor.open(hostile.comeBack(second));
      expect([back.status, back.headers.get("location")]).toEqual([
        302,
        expect.stringMatching(ends[mode] as RegExp),
      ]);
    },
  );

  it.each(fromProvider)(
    "fails after a second error %s, and the log names the error",
    async (error) => {
      await add(hostile);
      const visitor = new CookieBrowser(server);
      const words = { error, error_description: "come\r\nlater" };
      const again = await visitor.open(hostile.comeBack(await begin(visitor, "site"), words));
      const second = again.headers.get("location") ?? "";
      const failed = await visitor.open(hostile.comeBack(second, words));
      expect([failed.status, failed.body]).toEqual([502, { error: "The sign-in provider failed" }]);
      expect(faults()).toMatchObject([
        {
          provider: "there",
          fault: "untrusted",
          reason: `the provider refused: ${error} (come later)`,
          msg: "a sign-in at a provider failed",
        },
      ]);
      const forApp = new CookieBrowser(server);
      const once = await forApp.open(hostile.comeBack(await begin(forApp, "app"), { error }));
      const location = once.headers.get("location") ?? "";
      const told = await forApp.open(hostile.comeBack(location, { error }));
      expect(landing(told)).toEqual([
        302,
        "org.guildhall.app://auth/callback?error=server_error&state=the+state+of+the+app",
      ]);
    },
  );

  it("is not sent to the provider again for a link if another user is signed in by then", async () => {
    await add(hostile);
    const theirs = await signIn(server);
    const visitor = new CookieBrowser(server);
    visitor.hold(theirs.cookie);
    const begun = await visitor.call("POST /auth/sso/there/link", { body: {} });
    const { redirectTo } = begun.body as { redirectTo: string };
    visitor.hold(user.cookie);
    const error = "temporarily_unavailable";
    expect(landing(await visitor.open(hostile.comeBack(redirectTo, { error })))).toEqual([
      302,
      `${site}/account?error=sso_wrong_session`,
    ]);
  });

  it("is not sent to the provider again after a permanent error, which the log names", async () => {
    await add(hostile);
    for (const [error, name] of [
      ["server_error", "server_error"],
      ["unauthorized_client", "unauthorized_client"],
      ["<script>", "an error without a valid name"],
    ] as const) {
      const visitor = new CookieBrowser(server);
      const path = hostile.comeBack(await begin(visitor, "site"), { error });
      expect((await visitor.open(path)).status).toBe(502);
      expect(reasons().at(-1)).toBe(`the provider refused: ${name}`);
    }
  });
});

describe("the health of a provider", () => {
  const both = ["client_secret_basic", "client_secret_post"];
  const metadata: readonly [object, string][] = [
    [
      { id_token_signing_alg_values_supported: ["HS256", "ES256K"] },
      "id_token_signing_alg_values_supported of the metadata is HS256, ES256K: the site needs RS256",
    ],
    [
      { token_endpoint_auth_methods_supported: ["private_key_jwt"] },
      `token_endpoint_auth_methods_supported of the metadata is private_key_jwt: the site needs ${both.join(", ")}`,
    ],
    [
      { response_types_supported: ["id_token"] },
      "response_types_supported of the metadata is id_token: the site needs code",
    ],
    [
      { response_modes_supported: ["form_post"] },
      "response_modes_supported of the metadata is form_post: the site needs query",
    ],
    [
      { grant_types_supported: ["implicit"] },
      "grant_types_supported of the metadata is implicit: the site needs authorization_code",
    ],
    [
      { code_challenge_methods_supported: ["plain"] },
      "code_challenge_methods_supported of the metadata is plain: the site needs S256",
    ],
    [
      { code_challenge_methods_supported: [] },
      "code_challenge_methods_supported of the metadata is empty: the site needs S256",
    ],
    [
      { require_pushed_authorization_requests: true },
      "the provider requires require_pushed_authorization_requests, which the site does not support",
    ],
  ];

  it.each(metadata)("is unsupported with the metadata %j", async (changes, detail) => {
    hostile.metadata = (right) => ({ body: { ...right, ...changes } });
    expect(await add(hostile)).toEqual(["unsupported", expect.stringContaining(detail)]);
  });

  it("is ok if the metadata lists other values in addition to the needed ones", async () => {
    hostile.metadata = (right) => ({
      body: {
        ...right,
        id_token_signing_alg_values_supported: ["HS256", "RS256"],
        token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post"],
        response_types_supported: ["code", "id_token"],
        code_challenge_methods_supported: ["plain", "S256"],
        require_pushed_authorization_requests: false,
      },
    });
    expect(await add(hostile)).toEqual(["ok", null]);
  });

  it("is unsupported if no key fits an algorithm for ID tokens", async () => {
    const { jwk } = hostile.keys;
    const sets = [[], [{ ...jwk, use: "enc" }], [{ kty: "oct", k: "AAAA" }], [{ ...jwk, n: 7 }]];
    for (const keys of sets) {
      hostile.jwks = () => ({ body: { keys } });
      expect(await add(hostile)).toEqual([
        "unsupported",
        expect.stringMatching(/^the provider has no key for one of the algorithms RS256, /),
      ]);
      await forget();
    }
  });

  it("is not ok if the token endpoint does not redeem codes or is missing", async () => {
    hostile.token = () => ({ status: 400, body: { error: "unsupported_grant_type" } });
    expect(await add(hostile)).toEqual([
      "unsupported",
      "the token endpoint answered 400 unsupported_grant_type",
    ]);
    await forget();
    hostile.token = () => ({ status: 404, body: {} });
    expect(await add(hostile)).toEqual(["unreachable", "the token endpoint answered 404"]);
  });

  it("does not require ID tokens of Discord", async () => {
    const { headers } = admin;
    const body = { enabled: true, clientId: "x", clientSecret: "y" };
    const set = await callRoute(server, "PUT /admin/auth/providers/discord", { headers, body });
    expect(set.body).toMatchObject({ health: { status: "ok", detail: null } });
    await callRoute(server, "PUT /admin/auth/providers/discord", {
      headers,
      body: { enabled: false },
    });
  });
});
