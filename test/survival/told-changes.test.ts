import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { stoppedMessage, buildStoppedTimersEnv } from "../support/clock/stilled-timers.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { waitUntilStored } from "../support/survival/survival-said.ts";

const simulators = createSurvivalSimulatorPool();

let server: TestServer;
let admin: SignedIn;
let ingest: ChildProgram;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  const environment = buildStoppedTimersEnv(100);
  ingest = await startProgram("ingest", { database: server.database, environment });
});
afterAll(async () => {
  await ingest.kill();
  await simulators.stopAll();
  await server.stop();
});

const base = "/admin/survival/servers";

async function ask(request: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await callRoute(server, request, {
    headers: admin.headers,
    ...(body && { body }),
  });
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  return answer.body as Record<string, unknown>;
}

const linkOf = ({ baseUrl, wsUrl, token }: SurvivalSimulator) => ({ baseUrl, wsUrl, token });

const hears = (simulator: SurvivalSimulator, id: number) => waitUntilStored(server, simulator, id);

describe("an ingest process in which timers of a tenth of a second or longer never fire", () => {
  it("follows added, changed, disabled, enabled and deleted servers by notifications", async () => {
    const [oak, elm] = [await simulators.start(), await simulators.start()];
    const made = await ask(`POST ${base}`, { name: "Oak", enabled: true, ...linkOf(oak) });
    const { id } = made["server"] as { id: number };
    await hears(oak, id);
    await ask(`PUT ${base}/${id}`, linkOf(elm));
    await hears(elm, id);
    expect(oak.stream.connection).toBeUndefined();
    await ask(`PUT ${base}/${id}`, { enabled: false });
    await waitUntil("its stream is let go of", () => elm.stream.connection === undefined);
    await ask(`PUT ${base}/${id}`, { enabled: true });
    await hears(elm, id);
    await ask(`DELETE ${base}/${id}?purge=true`);
    await waitUntil("its stream is let go of", () => elm.stream.connection === undefined);
    // The timers of this process never fire, so only notifications can have told it of the changes.
    expect(ingest.said).toContain(`${stoppedMessage}: 5000 ms`);
    expect(ingest.deaths).toEqual([]);
  });
});
