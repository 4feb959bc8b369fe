import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { PinnedPool } from "../../shared/platform/net/pinned-pool.ts";
import { waitUntil } from "../support/clock/wait.ts";

/** The requests that wait for the test's answer. */
const asked: ServerResponse[] = [];
const server = createServer((_request, response) => void asked.push(response));
let origin: string;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://host.test:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** Creates a pool. `findAddresses` returns the addresses of its host at each lookup. */
const poolWith = (findAddresses: () => Promise<readonly string[]>): PinnedPool =>
  new PinnedPool(origin, { connections: 2, timeoutMs: 5_000, findAddresses });

const ask = async (pool: Pool): Promise<number> => {
  const { statusCode, body } = await pool.request({ method: "GET", path: "/" });
  await body.dump();
  return statusCode;
};

const isReady = (pool: Pool) => Promise.resolve(pool);

describe("a pool pinned to checked addresses", () => {
  it("is shared by two simultaneous first requests, and is destroyed on close", async () => {
    const connections = poolWith(() => Promise.resolve(["127.0.0.1"]));
    const [one, other] = await Promise.all([connections.use(isReady), connections.use(isReady)]);
    expect(one === other).toBe(true);
    await connections.close();
    expect([one.destroyed, other.destroyed]).toEqual([true, true]);
  });

  it("completes its requests even if another lookup finds other addresses at the same moment", async () => {
    const looks = ["127.0.0.1", "::1", "127.0.0.1"].map(() => Promise.withResolvers<string[]>());
    let look = 0;
    const connections = poolWith(async () => (await looks[look++]?.promise) ?? []);
    const answers = [connections.use(ask), connections.use(isReady), connections.use(ask)];
    looks.forEach(({ resolve }, at) => resolve(at === 1 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]));
    await waitUntil("both have come", () => asked.length === 2);
    for (const response of asked) response.end();
    const [first, , last] = await Promise.all(answers);
    expect([first, last]).toEqual([200, 200]);
    await connections.close();
  });
});
