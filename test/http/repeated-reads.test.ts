import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sessionCookie } from "../../api/http/cookies.ts";
import { defineRoute } from "../../api/http/route.ts";
import { routes as allRoutes } from "../../api/routes.ts";
import { newAddress } from "../support/accounts/addresses.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const origin = "https://site.example";
const common = { method: "get", set: "additive", tag: "Site", summary: "Kept" } as const;
const kept = { ...common, keepMs: 600_000, answers: { 200: "Error" } } as const;
const routes = [
  defineRoute({
    ...kept,
    path: "/api/v1/public/kept",
    gate: "public",
    hasValidator: true,
    handle: () => ({ text: "Grüße" }),
  }),
  defineRoute({
    ...kept,
    path: "/api/v1/public/houses",
    gate: "feature:houses",
    handle: () => ({ text: "x".repeat(10_000) }),
  }),
  ...allRoutes,
];

let server: TestServer;
beforeAll(async () => {
  const environment = { TRUST_PROXY: "loopback", ALLOWED_ORIGINS: origin };
  server = await startTestServer({ routes, environment });
});
afterAll(() => server.stop());

interface CallParts {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(path: string, parts: CallParts = {}) {
  const response = await fetch(`${server.url}/api/v1/public/${path}`, parts);
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
}

/** Headers that differ between two equal answers. */
const single = ["date", "x-request-id"];
const comparable = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !single.includes(name))),
  body,
});

async function countRepeated(): Promise<number> {
  const metric = server.registry.getSingleMetric("guildhall_http_repeated_reads_total");
  const { values } = (await metric?.get()) ?? { values: [] };
  return values[0]?.value ?? 0;
}

/** Returns the answer, and whether it came from the cache without Express. */
async function repeat(path: string, parts?: CallParts) {
  const before = await countRepeated();
  const answer = await ask(path, parts);
  return { answer, isRepeated: (await countRepeated()) === before + 1 };
}

describe("a repeated anonymous read", () => {
  it.each(["kept", "houses", "kept?x=1"])(
    "of %s gets the headers and the body of the first answer, and an id of its own",
    async (path) => {
      const first = await repeat(path);
      const second = await repeat(path);
      expect([first.isRepeated, second.isRepeated]).toEqual([false, true]);
      expect(comparable(second.answer)).toEqual(comparable(first.answer));
      const ids = [first, second].map(({ answer }) => answer.headers.get("x-request-id"));
      expect(new Set(ids).size).toBe(2);
    },
  );

  it("gets the same answer as the first read, for each cached route without a path parameter", async () => {
    const cached = allRoutes.filter(({ keepMs, path }) => keepMs && !path.includes(":"));
    expect(cached.length).toBeGreaterThan(8);
    for (const { path } of cached) {
      const name = path.replace("/api/v1/public/", "");
      const [first, second] = [await ask(name), await ask(name)];
      expect(comparable(second)).toEqual(comparable(first));
    }
  });

  it("gets CORS headers if a page of an allowed origin sends it, and none for other origins", async () => {
    const headers = { origin };
    await ask("kept", { headers });
    const { answer, isRepeated } = await repeat("kept", { headers });
    expect(isRepeated).toBe(true);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect((await ask("kept")).headers.get("access-control-allow-origin")).toBeNull();
    const foreign = { headers: { origin: "https://foreign.example" } };
    await ask("kept", foreign);
    const other = await repeat("kept", foreign);
    expect(other.answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("keeps the request id of a trusted proxy", async () => {
    await ask("kept");
    const { answer, isRepeated } = await repeat("kept", {
      headers: { "x-request-id": "of-the-proxy-1" },
    });
    expect([isRepeated, answer.headers.get("x-request-id")]).toEqual([true, "of-the-proxy-1"]);
  });

  it("is answered by Express if a header could change the answer", async () => {
    await ask("kept");
    const etag = (await ask("kept")).headers.get("etag") ?? "";
    const { name } = sessionCookie({ token: "", maxAgeMs: 1 }, server.config);
    for (const [headers, status] of [
      [{ "if-none-match": etag }, 304],
      [{ authorization: "Bearer x" }, 200],
      [{ cookie: `${name}=x` }, 200],
    ] as const) {
      const { answer, isRepeated } = await repeat("kept", { headers });
      expect([isRepeated, answer.status]).toEqual([false, status]);
    }
    const { answer, isRepeated } = await repeat("kept", { method: "HEAD" });
    expect([isRepeated, answer.status]).toEqual([false, 200]);
  });

  it("is refused to a banned address", async () => {
    const headers = { "x-forwarded-for": newAddress() };
    await ask("kept", { headers });
    for (let tries = 0; tries < 4; tries += 1) await fetch(`${server.url}/.env`, { headers });
    await waitUntil("the address is banned", async () => {
      return (await ask("kept", { headers })).status === 403;
    });
    expect((await repeat("kept")).isRepeated).toBe(true);
  });

  it("is refused as long as its feature is disabled", async () => {
    await ask("houses");
    const { headers } = await signIn(server, { role: "admin" });
    const enable = async (enabled: boolean) => {
      const body = { features: { houses: { enabled } } };
      const changed = await callRoute(server, "PUT /admin/shard/visibility", { headers, body });
      expect(changed.status).toBe(200);
    };
    await enable(false);
    expect((await repeat("houses")).answer.status).toBe(404);
    await enable(true);
    expect((await ask("houses")).status).toBe(200);
    expect((await repeat("houses")).isRepeated).toBe(true);
  });

  it("is refused while the site is closed", async () => {
    await ask("kept");
    const { cookie } = await signIn(server, { role: "admin" });
    const setMode = async (site_mode: string) => {
      const body = { site_mode };
      const changed = await callRoute(server, "PUT /admin/site-mode", {
        headers: { cookie },
        body,
      });
      expect(changed.status).toBe(200);
    };
    await setMode("maintenance");
    expect((await repeat("kept")).answer.status).toBe(503);
    await setMode("live");
    expect((await ask("kept")).status).toBe(200);
    expect((await repeat("kept")).isRepeated).toBe(true);
  });
});
