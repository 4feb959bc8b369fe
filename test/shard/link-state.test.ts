import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import { startMuteProxy } from "../support/network/mute-proxy.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { type ApiProcess, startApiProcess, startProgram } from "../support/service/processes.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;
let one: ApiProcess;
let other: ApiProcess;
let programs: ChildProgram[] = [];

beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
  const { database } = shard.server;
  [one, other] = await Promise.all([startApiProcess(database), startApiProcess(database)]);
  programs = await Promise.all(
    (["worker", "ingest"] as const).map((name) => startProgram(name, { database })),
  );
  await waitUntil("the link stands", async () => (await stateAt(one)) === "connected");
});
afterEach(() => shard.simulator.faults.clear());
afterAll(async () => {
  for (const part of [...programs, one, other, shard]) await part?.stop();
});

const ask = (at: ApiProcess, route: string, body?: object) =>
  callRoute(at, route, { headers: admin.headers, ...(body && { body }) });

const stateAt = async (at: ApiProcess): Promise<unknown> =>
  ((await ask(at, "GET /admin/shardlink/config")).body as { status: string }).status;

const states = (): Promise<unknown[]> => Promise.all([one, other].map(stateAt));

/** Makes a call to the shard from an API process. @returns the status */
const readAt = async (at: ApiProcess): Promise<number> =>
  (await ask(at, "GET /admin/shardlink/signup-mode")).status;

/** Runs an import, so that the worker calls the shard. @returns the code of its result */
const importAt = async (at: ApiProcess): Promise<unknown> => {
  const { body } = await ask(at, "POST /admin/shard/clilocs/import", { force: true });
  return (body as { code: string | null }).code;
};

const refuseOnce = (path: string, method: string): void =>
  shard.simulator.faults.trigger("protocol", { method, path, server: 9 });

describe("the state of the shard link, shared by two API processes, a worker and ingest", () => {
  it("is error after a worker's fault until the next success of any API process", async () => {
    // Begin with a successful call by both API processes.
    expect([await readAt(one), await readAt(other)]).toEqual([200, 200]);
    for (const process of [one, other]) {
      refuseOnce("/v1/clilocs", "GET");
      expect(await importAt(process)).toBe("PROTOCOL");
      expect(await states()).toEqual(["error", "error"]);
      expect(await readAt(process)).toBe(200);
      expect(await states()).toEqual(["connected", "connected"]);
    }
  });

  it("is error after an API process's fault until the next success of the worker", async () => {
    expect(await importAt(one)).toBeNull();
    refuseOnce("/v1/signup-mode", "GET");
    expect(await readAt(one)).toBe(502);
    expect(await states()).toEqual(["error", "error"]);
    expect(await importAt(other)).toBeNull();
    expect(await states()).toEqual(["connected", "connected"]);
  });

  it("is error after an API process's fault until the next success of the other API process", async () => {
    for (const [faulty, sound] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(await readAt(sound)).toBe(200);
      refuseOnce("/v1/signup-mode", "GET");
      expect(await readAt(faulty)).toBe(502);
      expect(await states()).toEqual(["error", "error"]);
      expect(await readAt(sound)).toBe(200);
      expect(await states()).toEqual(["connected", "connected"]);
    }
  });

  it("is no longer error after a success, even if the process of the success receives no notifications", async () => {
    const { database } = shard.server;
    const line = await startMuteProxy(database.url);
    const deaf = await startApiProcess(database, { DATABASE_LISTEN_URL: line.url });
    expect(await readAt(deaf)).toBe(200);
    line.muteAll();
    refuseOnce("/v1/signup-mode", "GET");
    expect(await readAt(one)).toBe(502);
    expect(await states()).toEqual(["error", "error"]);
    expect(await readAt(deaf)).toBe(200);
    expect(await states()).toEqual(["connected", "connected"]);
    await deaf.kill();
    await line.stop();
  });

  it("is error after a fault of ingest until the next success of ingest", async () => {
    const isNow = (state: string) => async () => (await stateAt(one)) === state;
    // The fault must hit two calls: ingest reads the links when the stream opens and again after
    // the replay.
    shard.simulator.faults.trigger("protocol", { path: "/v1/links", server: 9, times: 0 });
    shard.simulator.faults.trigger("drop");
    await waitUntil("ingest has met the fault", isNow("error"));
    shard.simulator.faults.clear();
    shard.simulator.faults.trigger("drop");
    await waitUntil("ingest was answered", isNow("connected"));
    expect(await states()).toEqual(["connected", "connected"]);
  });
});
