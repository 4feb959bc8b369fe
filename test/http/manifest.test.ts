import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { listGateLines, listRouteLines } from "../../api/http/manifest.ts";
import { routes } from "../../api/routes.ts";
import { internalRoutes } from "../../shared/ops/internal-server.ts";

const frozen = (name: string): string[] =>
  readFileSync(path.join(import.meta.dirname, "../frozen", name), "utf8")
    .trim()
    .split("\n");

describe("the route manifest", () => {
  for (const set of ["core", "additive"] as const) {
    it(`serves exactly the ${set} routes of the frozen list`, () => {
      expect(listRouteLines(routes, set)).toEqual(frozen(`${set}-routes.txt`));
    });

    it(`has the frozen access checks at the ${set} routes`, () => {
      expect(listGateLines(routes, set)).toEqual(frozen(`${set}-guards.txt`));
    });
  }

  it("serves exactly the internal routes of the frozen list", () => {
    expect([...internalRoutes]).toEqual(frozen("internal-routes.txt"));
  });

  it("has as many routes and operations as the contract states", () => {
    const core = routes.filter(({ set }) => set === "core");
    expect(core.length).toBe(200);
    expect(core.filter(({ undocumented }) => !undocumented).length).toBe(198);
    expect(internalRoutes.length).toBe(2);
  });

  it("has as many routes in each group as the contract states", () => {
    const counts = {
      "/public/posts": 2,
      "/public/wiki": 4,
      "/public/pages": 2,
      "/public/shard": 12,
      "/player/account": 8,
      "/player/shard": 8,
      "/player/appeals": 4,
    };
    const core = routes.filter(({ set }) => set === "core");
    const countOf = (group: string) =>
      core.filter(({ path: url }) => `${url}/`.startsWith(`/api/v1${group}/`)).length;
    expect(Object.keys(counts).map((group) => [group, countOf(group)])).toEqual(
      Object.entries(counts),
    );
  });

  it("declares no method and path twice, whatever the parameters are named", () => {
    const keys = routes.map(({ method, path: url }) => `${method} ${url.replaceAll(/:\w+/g, ":")}`);
    expect(keys.length - new Set(keys).size).toBe(0);
  });
});
