import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { HostileProvider } from "../provider/hostile-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** A server in the internal network that counts connections. No request may reach it. */
let inside: Server;
let reached = 0;
let port: number;
let server: TestServer;
let admin: SignedIn;

beforeAll(async () => {
  inside = createServer((socket: Socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  ({ port } = inside.address() as AddressInfo);
  server = await startTestServer({
    environment: { DISCORD_BASE_URL: `https://localhost:${port}` },
  });
  admin = await signIn(server, { role: "admin" });
});
afterAll(async () => {
  await server?.stop();
  await new Promise((resolve) => inside.close(resolve));
});
afterEach(async () => {
  await server.context.models.AuthProvider.destroy({ where: { builtin: false } });
});

const add = (issuer: string, at = server) =>
  callRoute(at, "POST /admin/auth/providers", {
    headers: admin.headers,
    body: { id: "inside", name: "Inside", issuer, clientId: "x", clientSecret: "y" },
  });
const healthIn = (body: unknown) => (body as { health: object }).health;

describe("a provider at an address that is not public", () => {
  it.each([
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://0x7f.1",
    "https://0.0.0.0",
    "https://10.0.0.1",
    "https://172.16.0.1",
    "https://192.168.1.1",
    "https://100.64.0.1",
    // The metadata service of cloud providers, from which a machine gets its credentials.
    "https://169.254.169.254",
    "https://[::1]",
    "https://[::]",
    "https://[fd00::1]",
    "https://[fe80::1]",
    "https://[::ffff:169.254.169.254]",
    "https://[64:ff9b::a9fe:a9fe]",
  ])("is rejected with the issuer %s", async (issuer) => {
    const { status, body } = await add(issuer);
    expect([status, body]).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [{ path: "issuer", message: "issuer is refused: the IP address is not public" }],
      },
    ]);
  });

  it("is rejected with plain http, even on the local machine", async () => {
    for (const issuer of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const { status, body } = await add(issuer);
      expect([status, body]).toEqual([
        400,
        {
          error: "Validation failed",
          errors: [{ path: "issuer", message: "issuer is refused: the address is not https" }],
        },
      ]);
    }
  });

  it("is not contacted if its host name resolves to a private address, and its health says so", async () => {
    const before = reached;
    const issuer = `https://localhost:${port}`;
    const made = await add(issuer);
    expect([made.status, healthIn(made.body)]).toEqual([
      201,
      {
        status: "unreachable",
        checkedAt: expect.any(String),
        detail: `localhost:${port}: the IP address is not public`,
      },
    ]);
    const begun = await callRoute(server, "GET /auth/sso/inside/start");
    expect([begun.status, begun.body]).toEqual([502, { error: "The sign-in provider failed" }]);
    expect(reached).toBe(before);
  });

  it("is not contacted when a browser returns from it with a code", async () => {
    const before = reached;
    await callRoute(server, "PUT /admin/auth/providers/discord", {
      headers: admin.headers,
      body: { enabled: true, clientId: "x", clientSecret: "y" },
    });
    const visitor = new CookieBrowser(server);
    const begun = await visitor.call("GET /auth/sso/discord/start");
    expect(begun.status).toBe(302);
    const { searchParams } = new URL(begun.headers.get("location") ?? "");
    const query = new URLSearchParams({ code: "x", state: searchParams.get("state") ?? "" });
    const back = await visitor.call(`GET /auth/sso/discord/callback?${query.toString()}`);
    expect([back.status, back.body]).toEqual([502, { error: "The sign-in provider failed" }]);
    expect(reached).toBe(before);
  });

  it("is contacted if private addresses are allowed", async () => {
    const before = reached;
    const open = await startTestServer({
      environment: { OIDC_ALLOW_PRIVATE: "true" },
      database: server.database,
    });
    try {
      const made = await add(`https://localhost:${port}`, open);
      expect([made.status, healthIn(made.body)]).toEqual([
        201,
        expect.objectContaining({ status: "unreachable" }),
      ]);
      expect(reached).toBeGreaterThan(before);
    } finally {
      await open.stop();
    }
  });
});

describe("a provider that redirects", () => {
  it("is not followed to a private address, from its metadata or its token endpoint", async () => {
    const hostile = await HostileProvider.start();
    const open = await startTestServer({
      environment: { OIDC_ALLOW_INSECURE: "true", DISCORD_BASE_URL: hostile.issuer },
      database: server.database,
    });
    const before = reached;
    const leads = (status: number) => ({
      status,
      headers: { location: `http://127.0.0.1:${port}/latest/meta-data/` },
      body: {},
    });
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        const visitor = new CookieBrowser(open);
        const begun = await visitor.call("GET /auth/sso/discord/start");
        hostile.token = () => leads(status);
        const back = await visitor.open(hostile.comeBack(begun.headers.get("location") ?? ""));
        hostile.metadata = () => leads(status);
        const made = await add(hostile.issuer, open);
        expect([status, back.status, healthIn(made.body)]).toEqual([
          status,
          502,
          expect.objectContaining({ status: "unreachable" }),
        ]);
        await server.context.models.AuthProvider.destroy({ where: { builtin: false } });
      }
      expect(reached).toBe(before);
    } finally {
      await open.stop();
      await hostile.stop();
    }
  });
});
