import { setImmediate as turn } from "node:timers/promises";

import Joi from "joi";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { AnswerCache } from "../../api/cache/answer-cache.ts";
import { TextAnswer } from "../../api/cache/text-answer.ts";
import { defineRoute } from "../../api/http/route.ts";
import { streamRoutes } from "../../api/shard/stream.routes.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { openStream } from "../support/http/event-stream.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeEvents } from "../support/shard/shard-events.ts";

let made = 0;
const common = { method: "get", gate: "public", set: "additive", tag: "Site" } as const;
const routes = [
  defineRoute({
    ...common,
    path: "/api/v1/public/kept/:name",
    summary: "Kept",
    params: Joi.object({ name: Joi.string().required() }),
    query: Joi.object({ limit: Joi.number().default(20), q: Joi.string() }),
    answers: { 200: "Error" },
    keepMs: 60_000,
    handle: () => ({ made: ++made }),
  }),
  defineRoute({
    ...common,
    path: "/api/v1/public/followed",
    summary: "Kept beside the stream",
    answers: { 200: "Error" },
    keepMs: 60_000,
    followsStream: true,
    handle: () => ({ made: ++made }),
  }),
  ...streamRoutes,
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ routes });
});
afterAll(() => server.stop());
beforeEach(() => server.context.keptAnswers.clear());

const read = async (path: string): Promise<unknown> =>
  (await fetch(`${server.url}/api/v1/public/kept/${path}`)).json();

describe("a cached answer", () => {
  it("is shared by equivalent queries, whatever unknown parameters they have", async () => {
    const first = await read("thing");
    const held = server.context.keptAnswers.bytes;
    const ways = ["thing?limit=20", "thing?x=1", "thing?x=2&limit=20&y", "%74hing"];
    for (const way of ways) expect(await read(way)).toEqual(first);
    expect(server.context.keptAnswers.bytes).toBe(held);
    const others = await Promise.all(["thing?limit=2", "other", "thing?q=a"].map(read));
    expect(await read("thing?limit=2&q=a")).toEqual(await read("thing?q=a&limit=2"));
    expect(new Set([first, ...others].map((one) => JSON.stringify(one))).size).toBe(4);
  });

  it("is replaced after an administrator changes visibility", async () => {
    const first = await read("thing");
    await query(server, "select pg_notify('visibility', '{}')");
    await waitUntil("the answer is made anew", async () => {
      return JSON.stringify(await read("thing")) !== JSON.stringify(first);
    });
    expect(await read("thing")).toEqual({ made });
  });

  it("is not stored for a rejected request", async () => {
    const before = made;
    for (const limit of ["x", "y"]) {
      expect(await read(`thing?limit=${limit}`)).toMatchObject({ error: "Validation failed" });
    }
    expect([made, server.context.keptAnswers.bytes]).toEqual([before, 0]);
  });
});

describe("a cached answer of a route that follows the stream", () => {
  const readFollowed = async (): Promise<unknown> =>
    (await fetch(`${server.url}/api/v1/public/followed`)).json();
  const storeOne = () => storeEvents(server, [{ kind: "server.started", payload: {} }]);

  it("is computed again once the hello of a stream names a later event", async () => {
    const first = await readFollowed();
    expect(await readFollowed()).toEqual(first);
    const [id = 0] = await storeOne();
    await waitUntil("the stream has come so far", async () => {
      const client = await openStream(`${server.url}/api/v1/public/shard/stream`);
      const { data } = await client.waitFor(({ event }) => event === "hello");
      client.close();
      return (data as { lastEventId: number }).lastEventId >= id;
    });
    const second = await readFollowed();
    expect(second).not.toEqual(first);
    expect(await readFollowed()).toEqual(second);
  });

  it("is computed again for a read after an event, even while an older answer is still being computed", async () => {
    const kept = new AnswerCache();
    const { promise, resolve } = Promise.withResolvers<TextAnswer>();
    const [old, fresh] = ["old", "fresh"].map((text) => new TextAnswer("text/plain", text));
    const before = kept.answer("list", 60_000, () => promise, 7);
    const after = kept.answer("list", 60_000, () => Promise.resolve(fresh as TextAnswer), 8);
    resolve(old as TextAnswer);
    expect([await before, await after]).toEqual([old, fresh]);
    const again = kept.answer("list", 60_000, () => Promise.reject(new Error("made anew")), 8);
    expect(await again).toBe(fresh);
  });
});

describe("the answer cache", () => {
  const large = () => Promise.resolve(new TextAnswer("text/plain", "x".repeat(1024 * 1024)));

  it("holds at most 32 MiB and drops expired answers", async () => {
    const kept = new AnswerCache();
    for (let key = 0; key < 100; key++) await kept.answer(`thing ${key}`, 60_000, large);
    expect(kept.bytes).toBeGreaterThan(20 * 1024 * 1024);
    expect(kept.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
    kept.clear();
    await kept.answer("thing", 1, large);
    await waitUntil("its moment is over", () => kept.bytes === 0);
  });

  it("computes answers one at a time if their route requires it, even after a failure", async () => {
    const kept = new AnswerCache();
    const first = Promise.withResolvers<TextAnswer>();
    const began: string[] = [];
    const make = (name: string, answer: Promise<TextAnswer>) => () =>
      kept.makeSerially(() => {
        began.push(name);
        return answer;
      });
    const failing = kept.answer("one", 60_000, make("one", first.promise));
    const waiting = kept.answer("two", 60_000, make("two", large()));
    await turn();
    expect(began).toEqual(["one"]);
    first.reject(new Error("not now"));
    await expect(failing).rejects.toThrow("not now");
    await expect(waiting).resolves.toBeInstanceOf(TextAnswer);
    expect(began).toEqual(["one", "two"]);
  });

  it("rejects a request that waits too long for its turn", async () => {
    const kept = new AnswerCache();
    const first = Promise.withResolvers<TextAnswer>();
    const slow = kept.answer("one", 60_000, () => kept.makeSerially(() => first.promise));
    const refused = kept.answer("two", 60_000, () => kept.makeSerially(large));
    await expect(refused).rejects.toMatchObject({ errorCode: "busy", retryAfter: 1 });
    first.resolve(await large());
    await slow;
  });

  it("computes an answer again after a failure", async () => {
    const kept = new AnswerCache();
    const failed = () => Promise.reject(new Error("not now"));
    await expect(kept.answer("thing", 60_000, failed)).rejects.toThrow("not now");
    await expect(kept.answer("thing", 60_000, large)).resolves.toBeInstanceOf(TextAnswer);
    expect(kept.bytes).toBe("thing".length + 1024 * 1024);
  });
});
