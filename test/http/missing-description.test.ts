import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { docsRoutes, createDocsRoutes } from "../../api/ops/docs.routes.ts";
import { createDescriptionReader } from "../../api/ops/docs.ts";
import { routes } from "../../api/routes.ts";
import { requestUrl, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  const nowhere = path.join(import.meta.dirname, "nowhere.json");
  const others = routes.filter((route) => docsRoutes.every((one) => one !== route));
  const withoutFile = createDocsRoutes(createDescriptionReader(nowhere));
  server = await startTestServer({ routes: [...others, ...withoutFile] });
});
afterAll(() => server.stop());

describe("a service without its API description", () => {
  it("starts, answers 404 to the docs and serves its other routes", async () => {
    for (const docs of ["/api/docs", "/api/docs.json", "/api/docs.json?set=additive"]) {
      const answered = await requestUrl(server.url + docs);
      expect([docs, ...statusAndBodyOf(answered)]).toEqual([docs, 404, { error: "Not found" }]);
    }
    expect(statusAndBodyOf(await callRoute(server, "GET /public/shard/houses"))).toEqual([200, []]);
  });
});
