import { readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";

import { beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { requestUrl } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const read = (name: string): string => readFileSync(path.join(projectFolder, name), "utf8");

const market = "/api/v1/public/shard/market";
const liveMap = "/api/v1/public/survival/servers/:id/map/live";

/**
 * Returns the Cache-Control that the documentation states for a public path and anonymous callers.
 */
const saidOf = (place: string): string => {
  if (place === liveMap) return "private, no-store";
  const isAskedAnew = place === "/api/v1/public/status" || `${place}/`.startsWith(`${market}/`);
  return isAskedAnew ? "public, no-cache" : "public, max-age=5";
};

const isPublicRead = ({ method, path: place }: Route): boolean =>
  method === "get" && place.startsWith("/api/v1/public/") && !place.endsWith("/stream");

describe("the Cache-Control header of public answers", () => {
  it("matches the documentation", () => {
    const conventions = read("docs/clients/conventions.md").replaceAll(/ +/g, " ");
    expect(conventions).toContain("| public routes, caller not signed in | `public, max-age=5` |");
    expect(conventions).toContain("not signed in | `public, no-cache` |");
    expect(conventions).toContain("live map of a server | `private, no-store` |");
    const declared = routes
      .filter(isPublicRead)
      .map(({ path: place, revalidate, neverCached }) => [
        place,
        neverCached ? "private, no-store" : `public, ${revalidate ? "no-cache" : "max-age=5"}`,
      ]);
    expect(declared).toEqual(declared.map(([place = ""]) => [place, saidOf(place)]));
    expect(declared.map(([place]) => place)).toContain(liveMap);
  });

  it("is sent by every public route without a path parameter", async () => {
    const plain = routes.filter((route) => isPublicRead(route) && !route.path.includes(":"));
    const answers = await Promise.all(
      plain.map(async ({ path: place }) => {
        const { status, headers } = await requestUrl(server.url + place);
        return { place, status, kept: headers.get("cache-control") };
      }),
    );
    // The search without a query is refused with `no-store`, like every refusal.
    const expected = answers.map(({ place, status }) => {
      const kept = status === 200 ? saidOf(place) : "no-store";
      return { place, status, kept };
    });
    expect(answers).toEqual(expected);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
  });
});

describe("the documented example for reading lists together with a stream", () => {
  it("bypasses caches", async () => {
    const block = [...read("docs/clients/event-stream.md").matchAll(/^```js\n([\s\S]*?)^```/gm)]
      .map(([, text = ""]) => text)
      .find((text) => text.includes("const read = "));
    const asked: unknown[] = [];
    const fetch = (...given: unknown[]) => {
      asked.push(given);
      return Promise.resolve({ json: () => Promise.resolve("what is there") });
    };
    const told: unknown = await runInNewContext(`${block}\nread("/list");`, { fetch });
    expect([told, asked]).toEqual([
      "what is there",
      [["/list", { cache: "no-store", credentials: "include" }]],
    ]);
  });
});
