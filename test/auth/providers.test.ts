import { createDecipheriv, randomUUID } from "node:crypto";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { providerSealContext } from "../../shared/auth/providers/provider-client.ts";
import { sealText } from "../../shared/platform/crypto/sealed.ts";
import { HostileProvider } from "../provider/hostile-provider.ts";
import { IdentityProvider } from "../provider/identity-provider.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { jobsOf, type StoredJob } from "../support/database/stored-jobs.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

const site = "http://localhost:3000";
const callbackOf = (id: string) => `${site}/api/v1/auth/sso/${id}/callback`;

let certified: IdentityProvider;
let hostile: HostileProvider;
let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  certified = await IdentityProvider.start({ callbackUrls: [callbackOf("harbour")] });
  hostile = await HostileProvider.start();
  server = await startTestServer({
    environment: {
      OIDC_ALLOW_INSECURE: "true",
      GOOGLE_ISSUER: hostile.issuer,
      DISCORD_BASE_URL: hostile.issuer,
    },
  });
  admin = await signIn(server, { role: "admin" });
});
afterAll(async () => {
  await server?.stop();
  await certified?.stop();
  await hostile?.stop();
});
afterEach(async () => {
  hostile.behave();
  await forgetAdded();
});

const providers = () => server.context.models.AuthProvider;
const forgetAdded = () => providers().destroy({ where: { builtin: false } });
const storeSecret = (clientSecretSealed: string) =>
  providers().update({ clientSecretSealed }, { where: { id: "harbour" } });
const list = "/admin/auth/providers";
const as = (route: string, body?: object, headers = admin.headers) =>
  callRoute(server, route, { headers, ...(body && { body }) });
const harbour = () => ({
  id: "harbour",
  name: "Harbour",
  issuer: certified.issuer,
  clientId: certified.clientId,
  clientSecret: certified.clientSecret,
});
const health = ({ body }: ApiAnswer) => {
  const { status, detail } = (body as { health: { status: string; detail: string | null } }).health;
  return [status, detail];
};
const offered = async () =>
  ((await callRoute(server, "GET /auth/providers")).body as { id: string }[]).map(({ id }) => id);

const added = {
  id: "harbour",
  name: "Harbour",
  icon: null,
  loginUrl: "/api/v1/auth/sso/harbour/start",
  priority: 0,
  enabled: true,
  builtin: false,
  kind: "oidc",
  clientId: "guildhall",
  hasSecret: true,
  scopes: [],
  tokenAuthMethod: null,
  idTokenAlgorithm: null,
  callbackUrl: callbackOf("harbour"),
  health: { status: "ok", checkedAt: anyTime, detail: null },
};

describe("GET /admin/auth/providers", () => {
  it("lists the built-in providers, disabled until they are set up", async () => {
    const { status, body } = await as(`GET ${list}`);
    expect(status).toBe(200);
    expect(body).toEqual(
      ["google", "discord"].map((id) =>
        expect.objectContaining({ id, builtin: true, enabled: false }),
      ),
    );
    expect(await offered()).toEqual([]);
  });
});

describe("POST /admin/auth/providers", () => {
  it("adds a provider, checks it at once and never shows its secret (R104)", async () => {
    const made = await as(`POST ${list}`, harbour());
    expect(statusAndBodyOf(made)).toEqual([201, { ...added, issuer: certified.issuer }]);
    const all = await as(`GET ${list}`);
    expect(all.text).not.toContain(certified.clientSecret);
    expect(await tablesHolding(server, certified.clientSecret)).toEqual([]);
    const { body: activity } = await as("GET /admin/activity?action=provider");
    expect(JSON.stringify(activity)).not.toContain(certified.clientSecret);
    expect(JSON.stringify(activity)).toContain("provider.created");
    expect((await callRoute(server, "GET /auth/providers")).body).toEqual([
      {
        id: "harbour",
        name: "Harbour",
        icon: null,
        loginUrl: "/api/v1/auth/sso/harbour/start",
        priority: 0,
      },
    ]);
  });

  it("stores the secret encrypted with AES-256-GCM and bound to this provider", async () => {
    await as(`POST ${list}`, harbour());
    const { clientSecretSealed } = await providers().findByPk("harbour", { rejectOnEmpty: true });
    const [version, keyId, ...parts] = (clientSecretSealed ?? "").split(".");
    const [iv, text, tag] = parts.map((part) => Buffer.from(part, "base64url"));
    if (!iv || !text || !tag) throw new Error("the secret is not sealed");
    // The tests configure a single key; its id is "test".
    const key = Buffer.alloc(32, 7);
    expect([version, keyId, tag.length]).toEqual(["v1", "test", 16]);
    const read = (place: string) => {
      const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 });
      decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString();
    };
    expect(read(providerSealContext("harbour"))).toBe(certified.clientSecret);
    expect(() => read(providerSealContext("discord"))).toThrow(/authenticate/);
  });

  it("adds a provider with a wrong configuration, and its health names the fault (R85)", async () => {
    const cases: [object, () => void, string, RegExp][] = [
      [
        { issuer: "http://127.0.0.1:1" },
        () => undefined,
        "unreachable",
        /127\.0\.0\.1:1: .*ECONNREFUSED/,
      ],
      [
        { issuer: hostile.issuer },
        () =>
          (hostile.metadata = (body) => ({ body: { ...body, issuer: "https://evil.example" } })),
        "wrong_issuer",
        /another issuer/,
      ],
      [{ clientSecret: "wrong" }, () => undefined, "bad_secret", /401 invalid_client/],
      [
        { issuer: hostile.issuer },
        () => (hostile.jwks = () => ({ status: 500, body: {} })),
        "unreachable",
        /answered 500/,
      ],
    ];
    for (const [changes, change, status, detail] of cases) {
      change();
      const made = await as(`POST ${list}`, { ...harbour(), ...changes });
      expect(made.status).toBe(201);
      expect(health(made)).toEqual([status, expect.stringMatching(detail)]);
      await forgetAdded();
      hostile.behave();
    }
  });

  it("rejects invalid settings and names the field", async () => {
    const faults: [object, string][] = [
      [{ id: "Harbour" }, "id"],
      [{ id: "a/b" }, "id"],
      [{ id: undefined }, "id"],
      [{ name: "" }, "name"],
      [{ name: 7 }, "name"],
      [{ issuer: "http://id.example.org" }, "issuer"],
      [{ issuer: "https://id.example.org/?x=1" }, "issuer"],
      [{ issuer: "https://me:secret@id.example.org" }, "issuer"],
      [{ issuer: "javascript:alert(1)" }, "issuer"],
      [{ issuer: "nothing" }, "issuer"],
      [{ clientId: undefined }, "clientId"],
      [{ clientSecret: 7 }, "clientSecret"],
      [{ scopes: "openid" }, "scopes"],
      [{ scopes: ["two words"] }, "scopes.0"],
      [{ priority: 1.5 }, "priority"],
      [{ enabled: "yes" }, "enabled"],
    ];
    for (const [changes, path] of faults) {
      const { status, body } = await as(`POST ${list}`, { ...harbour(), ...changes });
      expect([changes, status]).toEqual([changes, 400]);
      expect((body as { errors: { path: string }[] }).errors.map((fault) => fault.path)).toEqual([
        path,
      ]);
    }
    for (const id of ["google", "discord"]) {
      expect((await as(`POST ${list}`, { ...harbour(), id })).status).toBe(409);
    }
  });

  it("adds one provider for thirty simultaneous requests with the same id", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => as(`POST ${list}`, { ...harbour(), enabled: false })),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBe(29);
  });
});

describe("PUT /admin/auth/providers/:id", () => {
  const put = (body: object, id = "harbour") => as(`PUT ${list}/${id}`, body);

  it("changes the given fields and keeps the rest, including the secret if it is blank", async () => {
    await as(`POST ${list}`, harbour());
    const renamed = await put({ name: "The Harbour", priority: 5, clientSecret: "" });
    expect(statusAndBodyOf(renamed)).toEqual([
      200,
      { ...added, issuer: certified.issuer, name: "The Harbour", priority: 5 },
    ]);
    expect(health(await put({ clientSecret: "wrong" }))[0]).toBe("bad_secret");
    const cleared = await put({ clientSecret: null });
    expect(cleared.body).toEqual(expect.objectContaining({ hasSecret: false }));
    expect(health(await put({ clientSecret: certified.clientSecret }))[0]).toBe("ok");
    expect(health(await put({ enabled: false }))).toEqual(["disabled", null]);
    expect((await put({}, "nowhere")).status).toBe(404);
  });

  it("requires the secret again, or its removal, if the issuer changes", async () => {
    await as(`POST ${list}`, harbour());
    const asked = hostile.asked.length;
    for (const secret of [{}, { clientSecret: "" }]) {
      expect(statusAndBodyOf(await put({ issuer: hostile.issuer, ...secret }))).toEqual([
        400,
        {
          error: "Validation failed",
          errors: [
            { path: "clientSecret", message: "clientSecret is required when the issuer changes" },
          ],
        },
      ]);
    }
    expect(statusAndBodyOf(await put({ name: "Harbour" }))).toEqual([
      200,
      { ...added, issuer: certified.issuer },
    ]);
    expect(hostile.asked.slice(asked)).toEqual([]);
    expect((await put({ issuer: `${certified.issuer.toUpperCase()}/` })).status).toBe(200);
    const moved = await put({ issuer: hostile.issuer, clientSecret: "another" });
    expect(statusAndBodyOf(moved)).toEqual([200, { ...added, issuer: hostile.issuer }]);
    const cleared = await put({ issuer: certified.issuer, clientSecret: null });
    expect([cleared.status, cleared.body]).toEqual([
      200,
      expect.objectContaining({ issuer: certified.issuer, hasSecret: false }),
    ]);
    expect((await put({ issuer: hostile.issuer })).status).toBe(200);
  });

  it("sets up a built-in provider, which has a fixed issuer and needs a client id", async () => {
    expect((await put({ issuer: "https://id.example.org" }, "google")).status).toBe(400);
    expect(statusAndBodyOf(await put({ enabled: true }, "google"))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          { path: "clientId", message: "clientId is required while the provider is enabled" },
        ],
      },
    ]);
    for (const id of ["google", "discord"]) {
      const set = await put({ enabled: true, clientId: "x", clientSecret: "y" }, id);
      expect([id, ...health(set)]).toEqual([id, "ok", null]);
    }
    expect(await offered()).toEqual(["google", "discord"]);
    for (const id of ["google", "discord"]) await put({ enabled: false }, id);
  });

  it("orders the offered providers by priority, the lowest first", async () => {
    await as(`POST ${list}`, { ...harbour(), priority: 30 });
    await as(`POST ${list}`, { ...harbour(), id: "second", priority: -1 });
    expect(await offered()).toEqual(["second", "harbour"]);
  });
});

/**
 * Returns the sealed text without its authentication tag, and with tags that are shorter or longer
 * than 16 bytes.
 */
function withOtherTags(sealed: string): string[] {
  const parts = sealed.split(".");
  const tag = Buffer.from(parts.pop() ?? "", "base64url");
  const tags = [0, 1, 4, 8, 12, 15].map((length) => tag.subarray(0, length));
  tags.push(Buffer.concat([tag, Buffer.alloc(1)]));
  return [parts.join("."), ...tags.map((one) => [...parts, one.toString("base64url")].join("."))];
}

describe("a stored secret that cannot be read (R103)", () => {
  it("hides the provider, and administrators see the reason in its health", async () => {
    await as(`POST ${list}`, harbour());
    const another = new Map([["gone", Buffer.alloc(32, 1)]]);
    const sealed = sealText("x", "auth_providers|client_secret|harbour", another);
    const { SECRETS_KEYS: keys } = server.config;
    const moved = sealText("x", "auth_providers|client_secret|other", keys);
    const own = sealText("x", "auth_providers|client_secret|harbour", keys);
    for (const text of [sealed, moved, "nothing", "", ...withOtherTags(own)]) {
      await storeSecret(text);
      const { body } = await as(`GET ${list}`);
      const [shown] = (body as { id: string; health: object }[]).filter(
        ({ id }) => id === "harbour",
      );
      expect(shown?.health).toEqual({
        status: "misconfigured",
        checkedAt: anyTime,
        detail: "the stored secret cannot be read: save it again",
      });
      expect(await offered()).toEqual([]);
      expect((await callRoute(server, "GET /auth/sso/harbour/start")).status).toBe(502);
    }
  });
});

describe("DELETE /admin/auth/providers/:id", () => {
  it("deletes an added provider, and answers 409 for a built-in one", async () => {
    await as(`POST ${list}`, harbour());
    expect(statusAndBodyOf(await as(`DELETE ${list}/harbour`))).toEqual([200, { id: "harbour" }]);
    expect((await as(`DELETE ${list}/harbour`)).status).toBe(404);
    const refused = await as(`DELETE ${list}/google`);
    expect(statusAndBodyOf(refused)).toEqual([
      409,
      { error: "A built-in provider can only be disabled" },
    ]);
  });
});

describe("the job that checks providers", () => {
  let worker: TestWorker;
  beforeAll(async () => {
    worker = await startTestWorker(server, ["upkeep"]);
  });
  afterAll(() => worker.stop());

  const statuses = async () =>
    ((await as(`GET ${list}`)).body as { id: string; health: { status: string } }[])
      .filter(({ health: { status } }) => status !== "disabled")
      .map(({ id, health: { status } }) => [id, status]);

  /** Runs the job in the worker. @returns the job's state and result */
  async function runJob(): Promise<unknown> {
    const id = await server.context.queue.enqueue(
      "auth.check-providers",
      {},
      { key: randomUUID() },
    );
    const read = async () => {
      const jobs = await jobsOf(server, "auth.check-providers");
      const { state, output } = jobs.find((job) => job.id === id) as StoredJob;
      return { state, output };
    };
    await waitUntil("the job is over", async () =>
      ["completed", "failed"].includes((await read()).state),
    );
    return read();
  }

  it("updates the health of every provider after something changes at the provider", async () => {
    await as(`POST ${list}`, { ...harbour(), issuer: hostile.issuer });
    await as(`POST ${list}`, { ...harbour(), id: "second" });
    hostile.token = () => ({ status: 401, body: { error: "invalid_client" } });
    expect(await runJob()).toEqual({ state: "completed", output: { checked: 2 } });
    expect(await statuses()).toEqual([
      ["harbour", "bad_secret"],
      ["second", "ok"],
    ]);
    hostile.behave();
    await runJob();
    expect(await statuses()).toEqual([
      ["harbour", "ok"],
      ["second", "ok"],
    ]);
  });

  it("completes although two providers have faults, and does not contact a provider whose secret is unreadable", async () => {
    await as(`POST ${list}`, { ...harbour(), issuer: hostile.issuer });
    await as(`POST ${list}`, { ...harbour(), id: "second" });
    await as(`POST ${list}`, { ...harbour(), id: "third", issuer: "http://127.0.0.1:1" });
    await storeSecret("v1.test.");
    const asked = hostile.asked.length;
    expect(await runJob()).toEqual({ state: "completed", output: { checked: 3 } });
    expect(await statuses()).toEqual([
      ["harbour", "misconfigured"],
      ["second", "ok"],
      ["third", "unreachable"],
    ]);
    expect(hostile.asked.slice(asked)).toEqual([]);
  });
});

describe("the site's client authentication at a provider", () => {
  const secret = "a secret: with % signs";
  const signInThere = async (methods: unknown) => {
    hostile.metadata = (right) => ({
      body: { ...right, token_endpoint_auth_methods_supported: methods },
    });
    await as(`POST ${list}`, { ...harbour(), issuer: hostile.issuer, clientSecret: secret });
    const begun = await callRoute(server, "GET /auth/sso/harbour/start");
    const location = begun.headers.get("location") ?? "";
    const path = hostile.comeBack(location).replace("/api/v1", "");
    const headers = { cookie: begun.setCookies[0]?.split(";")[0] ?? "" };
    const back = await callRoute(server, `GET ${path}`, { headers });
    expect(back.headers.get("location")).toBe(`${site}/login?error=sso_not_linked`);
    return hostile.lastForm;
  };
  const form = {
    grant_type: "authorization_code",
    code: "a code",
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    redirect_uri: callbackOf("harbour"),
  };

  it("sends the secret in the form if the provider accepts only client_secret_post", async () => {
    expect(await signInThere(["client_secret_post"])).toEqual({
      fields: { ...form, client_id: "guildhall", client_secret: secret },
      authorization: undefined,
    });
  });

  it.each([{ methods: ["client_secret_basic"] }, { methods: undefined }])(
    "sends the secret in the header if the provider lists $methods",
    async ({ methods }) => {
      const pair = Buffer.from("guildhall:a+secret%3A+with+%25+signs").toString("base64");
      expect(await signInThere(methods)).toEqual({ fields: form, authorization: `Basic ${pair}` });
    },
  );
});

describe("a link request for a built-in provider", () => {
  it.each([
    ["google", "select_account"],
    ["discord", "consent"],
  ])(
    "sends the browser to %s with prompt=%s, and a sign-in sends no prompt",
    async (id, prompt) => {
      await as(`PUT ${list}/${id}`, { enabled: true, clientId: "x", clientSecret: "y" });
      const promptOf = (location: unknown) => new URL(String(location)).searchParams.get("prompt");
      const { headers } = await signIn(server);
      const linking = await as(`POST /auth/sso/${id}/link`, {}, headers);
      expect(linking.status).toBe(200);
      expect(promptOf((linking.body as { redirectTo: string }).redirectTo)).toBe(prompt);
      const begun = await callRoute(server, `GET /auth/sso/${id}/start`);
      expect(promptOf(begun.headers.get("location"))).toBeNull();
      await as(`PUT ${list}/${id}`, { enabled: false });
    },
  );
});

describe("Discord", () => {
  it("always gets the scope identify, in addition to the configured scopes", async () => {
    const scopeOf = async (scopes: readonly string[]) => {
      const put = { enabled: true, clientId: "x", clientSecret: "y", scopes };
      expect((await as(`PUT ${list}/discord`, put)).body).toMatchObject({ scopes });
      const begun = await callRoute(server, "GET /auth/sso/discord/start");
      return new URL(begun.headers.get("location") ?? "").searchParams.get("scope");
    };
    expect(await scopeOf(["guilds"])).toBe("identify guilds");
    expect(await scopeOf([])).toBe("identify");
    expect(await scopeOf(["identify"])).toBe("identify");
    await as(`PUT ${list}/discord`, { enabled: false });
  });

  it("signs in a user by its user endpoint, with PKCE", async () => {
    const put = { enabled: true, clientId: "x", clientSecret: "y" };
    await as(`PUT ${list}/discord`, put);
    const begun = await callRoute(server, "GET /auth/sso/discord/start");
    const { origin, pathname, searchParams } = new URL(begun.headers.get("location") ?? "");
    expect(origin + pathname).toBe(`${hostile.issuer}/oauth2/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: "x",
      redirect_uri: callbackOf("discord"),
      scope: "identify",
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const user = await signIn(server);
    await server.context.models.Identity.create({
      userId: user.userId,
      providerId: "discord",
      providerName: "Discord",
      issuer: hostile.issuer,
      subject: "80351110224678912",
    });
    const ends: [unknown, number, string | null][] = [
      [{ id: "80351110224678912" }, 302, `${site}/`],
      [{ id: "1" }, 302, `${site}/login?error=sso_not_linked`],
      [{ id: 80_351_110_224 }, 502, null],
      [{}, 502, null],
      ["null", 502, null],
      ["<html>", 502, null],
    ];
    for (const [body, status, location] of ends) {
      hostile.userinfo = () => ({ body });
      const start = await callRoute(server, "GET /auth/sso/discord/start");
      const cookie = start.setCookies[0]?.split(";")[0] ?? "";
      const path = hostile.comeBack(start.headers.get("location") ?? "");
      const back = await callRoute(server, `GET ${path.replace("/api/v1", "")}`, {
        headers: { cookie },
      });
      expect([body, back.status, back.headers.get("location")]).toEqual([body, status, location]);
    }
    await as(`PUT ${list}/discord`, { enabled: false });
  });
});
