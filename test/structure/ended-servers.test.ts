import { queryObjects } from "node:v8";

import { describe, expect, it } from "vitest";

import type { ApiContext } from "../../api/context.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { clearRegistered } from "../support/runner/end-of-file.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/**
 * `clearRegistered` must empty this object; otherwise the variable would keep the server in memory until the
 * process ends.
 */
let server: TestServer;

async function startAndStop(): Promise<WeakRef<ApiContext>> {
  server = await startTestServer();
  const context = new WeakRef(server.context);
  await server.stop();
  return context;
}

describe("a stopped test server", () => {
  it("is released from memory once its test file has ended", async () => {
    const context = await startAndStop();
    clearRegistered();
    await waitUntil("its context is held by nobody", () => {
      // This call makes V8 collect garbage.
      queryObjects(WeakRef, { format: "count" });
      return context.deref() === undefined;
    });
    expect(Object.keys(server)).toEqual([]);
  });
});
