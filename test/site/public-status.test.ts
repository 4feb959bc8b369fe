import { beforeAll, describe, expect, it } from "vitest";

import { version } from "../../shared/platform/process/version.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

describe("GET /public/status", () => {
  it("answers the version and every capability of the release", async () => {
    expect(statusAndBodyOf(await callRoute(server, "GET /public/status"))).toEqual([
      200,
      {
        site_mode: "live",
        status_message: null,
        changed_at: null,
        version,
        capabilities: [
          "news",
          "wiki",
          "pages",
          "search",
          "events",
          "appeals",
          "market",
          "atlas",
          "map",
          "survival",
          "push",
          "webhooks",
        ],
        shard: expect.any(Object),
        survival: expect.any(Object),
        time: anyTime,
      },
    ]);
  });
});
