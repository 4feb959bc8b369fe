import type { ServerResponse } from "node:http";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { addProvider } from "../provider/add-provider.ts";
import { HostileProvider, type Reply } from "../provider/hostile-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** The time limit for all requests of one sign-in to its provider. */
const requestTimeoutMs = 5_000;

let hostile: HostileProvider;
let server: TestServer;

beforeAll(async () => {
  hostile = await HostileProvider.start();
  const environment = { OIDC_ALLOW_INSECURE: "true", DISCORD_BASE_URL: hostile.issuer };
  server = await startTestServer({ environment });
  const admin = await signIn(server, { role: "admin" });
  await addProvider(server, admin, "hostile", hostile);
  await callRoute(server, "PUT /admin/auth/providers/discord", {
    headers: admin.headers,
    body: { enabled: true, clientId: "x", clientSecret: "y" },
  });
});
afterAll(async () => {
  await server?.stop();
  await hostile?.stop();
});

/** The timeouts that are running, one controller each. `expireTimeouts` ends them. */
let waits: AbortController[] = [];
const expireTimeouts = () => {
  for (const wait of waits) wait.abort(new DOMException("time is over", "TimeoutError"));
};

const inTime = AbortSignal.timeout.bind(AbortSignal);
beforeEach(() => {
  hostile.behave();
  waits = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    if (ms !== requestTimeoutMs) return inTime(ms);
    const wait = new AbortController();
    waits.push(wait);
    return wait.signal;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Endpoint = "metadata" | "jwks" | "token" | "userinfo";

/**
 * Makes an endpoint accept requests and never finish an answer.
 * @returns a function that returns the number of these requests
 */
function hangEndpoint(
  endpoint: Endpoint,
  begin: (response: ServerResponse) => void = () => undefined,
) {
  let asked = 0;
  const reply: Reply = (response) => {
    asked += 1;
    begin(response);
  };
  hostile[endpoint] = () => reply;
  return () => asked;
}

/** Completes a sign-in whose provider hangs at this endpoint, and makes its timeout expire. */
async function completeCallback(
  id: string,
  endpoint: Endpoint,
  begin?: (response: ServerResponse) => void,
) {
  const visitor = new CookieBrowser(server);
  const begun = await visitor.call(`GET /auth/sso/${id}/start`);
  waits = [];
  const asked = hangEndpoint(endpoint, begin);
  const opened = visitor.open(hostile.comeBack(begun.headers.get("location") ?? ""));
  await waitUntil("it is asked", () => asked() > 0);
  const begunWaits = waits.length;
  expireTimeouts();
  const { status, body, headers } = await opened;
  const code = headers.get("x-error-code");
  return { begunWaits, status, body, code, isSignedIn: visitor.holds("session") };
}

/** The outcome of a timeout. Only one timeout began, so the requests of a sign-in share it. */
const timedOut = {
  begunWaits: 1,
  status: 502,
  body: { error: "The sign-in provider failed" },
  code: "provider_failed",
  isSignedIn: false,
};

describe("a provider that does not answer in full", () => {
  it.each<[string, Endpoint]>([
    ["hostile", "metadata"],
    ["hostile", "token"],
    ["hostile", "jwks"],
    ["discord", "token"],
    ["discord", "userinfo"],
  ])(
    "is abandoned after five seconds in total: the provider %s at the endpoint %s",
    async (id, endpoint) => {
      expect(await completeCallback(id, endpoint)).toEqual(timedOut);
    },
  );

  it("is ignored at the user endpoint if it sent an ID token", async () => {
    const signedIn = { begunWaits: 1, status: 302, body: "", code: null, isSignedIn: false };
    expect(await completeCallback("hostile", "userinfo")).toEqual(signedIn);
  });

  it("is abandoned if it answers in tiny pieces without end", async () => {
    const timers: NodeJS.Timeout[] = [];
    const sendSlowly = (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
      timers.push(setInterval(() => response.write(" "), 5));
    };
    expect(await completeCallback("hostile", "token", sendSlowly)).toEqual(timedOut);
    for (const timer of timers) clearInterval(timer);
  });

  it("does not delay other requests", async () => {
    const asked = hangEndpoint("metadata");
    let answered = 0;
    const starting = Array.from({ length: 20 }, async () => {
      const { status } = await new CookieBrowser(server).call("GET /auth/sso/hostile/start");
      answered += 1;
      return status;
    });
    await waitUntil("all of them are asked for", () => asked() === 20);
    expect((await callRoute(server, "GET /public/status")).status).toBe(200);
    expect([waits.length, answered]).toEqual([20, 0]);
    expireTimeouts();
    expect(new Set(await Promise.all(starting))).toEqual(new Set([502]));
  });
});
