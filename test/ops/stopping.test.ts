import { once } from "node:events";
import { connect } from "node:net";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildProcess } from "../support/factories/ops.ts";
import { makeImpatientRelease } from "../support/service/other-releases.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
let web: ApiProcess;
const impatient = makeImpatientRelease();
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  // Inserts the row of a worker that seems alive but does not exist, so no job is taken.
  await buildProcess(server, { seenAt: clockNowPlus(3_600_000) });
});
beforeEach(async () => {
  await server.context.models.ImportRun.truncate();
  web = await startApiProcess(server.database, {}, impatient.folder);
});
afterAll(async () => {
  await web?.kill();
  await server?.stop();
  impatient.remove();
});

const importAt = "/api/v1/admin/shard/atlas/import";
const askForImport = () => fetch(web.url + importAt, { method: "POST", headers: admin.headers });

async function askedJob(): Promise<string> {
  let jobId: string | undefined;
  await waitUntil("the import is asked for", async () => {
    jobId = (await server.context.models.ImportRun.findOne())?.jobId;
    return jobId !== undefined;
  });
  return jobId ?? "";
}

describe("a web process that stops", () => {
  it("answers requests that wait for an import with the address of the import's job", async () => {
    const waiting = askForImport();
    const jobId = await askedJob();
    expect(await web.stop()).toBe(0);
    const response = await waiting;
    const { headers } = response;
    expect([response.status, await response.json()]).toEqual([202, { jobId }]);
    expect(headers.get("location")).toBe(`/api/v1/admin/jobs/${jobId}`);
    expect(headers.get("preference-applied")).toBeNull();
  });

  it("completes a response that has begun with a result that says that the import continues", async () => {
    const response = await askForImport();
    expect(response.status).toBe(200);
    const code = web.stop();
    expect(await response.json()).toEqual({
      status: "failed",
      code: null,
      reason: "The service restarts; the import continues",
      source: null,
      path: null,
      counts: null,
      addedFacets: [],
      removedFacets: [],
    });
    expect(await code).toBe(0);
  });

  it("does not wait for connections without a request", async () => {
    const { hostname, port } = new URL(web.url);
    const silent = connect(Number(port), hostname);
    await once(silent, "connect");
    const kept = await fetch(`${web.url}/api/v1/public/status`);
    expect(kept.status).toBe(200);
    expect(kept.headers.get("connection")).toBe("keep-alive");
    const ended = once(silent, "close");
    expect(await web.stop()).toBe(0);
    await ended;
  });
});
