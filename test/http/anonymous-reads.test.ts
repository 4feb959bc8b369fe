import { describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";

/** CATALOGUE of anonymous reads whose answers are computed for each caller, by reason. */
const madeForEach: Readonly<Record<string, string>> = {
  "/.well-known/assetlinks.json": "comes from the configuration",
  "/api/docs": "is a file",
  "/api/docs.json": "is a file",
  "/api/docs/bridge": "is made once in a process",
  "/api/docs/bridge.json": "is made once in a process",
  "/api/v1/auth/invite/:token": "is counted for each caller, and its token is a secret",
  "/api/v1/auth/mobile/sso/start": "sets a cookie of its own for each browser",
  "/api/v1/auth/password/reset/:token": "is counted for each caller, and its token is a secret",
  "/api/v1/auth/sso/:provider/callback": "signs its caller in",
  "/api/v1/auth/sso/:provider/start": "sets a cookie of its own for each browser",
  "/api/v1/public/assets/:key": "leads to a picture, or is one, which caches keep for ever",
  "/api/v1/public/assets/by-hash/:hash": "is a picture, which caches keep for ever",
  "/api/v1/public/shard/features": "comes from memory",
  "/api/v1/public/shard/stream": "is a stream",
  "/api/v1/public/survival/servers/:id/map/image": "is a picture, which caches keep for ever",
  "/api/v1/public/survival/servers/:id/stream": "is a stream",
};

const reads = routes.filter(
  ({ method, gate }) => method === "get" && (gate === "public" || gate.startsWith("feature:")),
);

describe("an anonymous read", () => {
  it("shares one answer among concurrent callers, unless it is a listed exception", () => {
    const alone = reads.filter(({ keepMs }) => keepMs === undefined).map(({ path }) => path);
    expect(alone.toSorted()).toEqual(Object.keys(madeForEach).toSorted());
  });

  it("is kept in memory for at most 5 seconds, the time for which caches may keep it", () => {
    const longest = reads.filter(({ keepMs = 0 }) => keepMs > 5_000).map(({ path }) => path);
    expect(longest).toEqual([]);
  });
});
