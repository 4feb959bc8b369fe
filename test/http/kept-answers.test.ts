import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import Joi from "joi";

import { route } from "../../api/http/route.ts";
import { KeptAnswers } from "../../api/kept/kept-answers.ts";
import { TextAnswer } from "../../api/kept/text-answer.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/wait.ts";

let made = 0;
const common = { method: "get", gate: "public", set: "additive", tag: "Site" } as const;
const routes = [
  route({
    ...common,
    path: "/api/v1/public/kept/:name",
    summary: "Kept",
    params: Joi.object({ name: Joi.string().required() }),
    query: Joi.object({ limit: Joi.number().default(20), q: Joi.string() }),
    answers: { 200: "Error" },
    keepMs: 60_000,
    handle: () => ({ made: ++made }),
  }),
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ routes });
});
afterAll(() => server.stop());
beforeEach(() => server.context.keptAnswers.clear());

const read = async (path: string): Promise<unknown> =>
  (await fetch(`${server.url}/api/v1/public/kept/${path}`)).json();

describe("an answer that is kept", () => {
  it("is one, whichever way it is asked for, and whatever nobody knows is asked besides", async () => {
    const first = await read("thing");
    const held = server.context.keptAnswers.bytes;
    const ways = ["thing?limit=20", "thing?x=1", "thing?x=2&limit=20&y", "%74hing"];
    for (const way of ways) expect(await read(way)).toEqual(first);
    expect(server.context.keptAnswers.bytes).toBe(held);
    const others = await Promise.all(["thing?limit=2", "other", "thing?q=a"].map(read));
    expect(await read("thing?limit=2&q=a")).toEqual(await read("thing?q=a&limit=2"));
    expect(new Set([first, ...others].map((one) => JSON.stringify(one))).size).toBe(4);
  });

  it("is none where what is asked for is refused", async () => {
    const before = made;
    for (const limit of ["x", "y"]) {
      expect(await read(`thing?limit=${limit}`)).toMatchObject({ error: "Validation failed" });
    }
    expect([made, server.context.keptAnswers.bytes]).toEqual([before, 0]);
  });
});

describe("the answers that are kept", () => {
  const large = () => Promise.resolve(new TextAnswer("text/plain", "x".repeat(1024 * 1024)));

  it("take 32 MiB together at most, and are let go when their moment is over", async () => {
    const kept = new KeptAnswers();
    for (let key = 0; key < 100; key++) await kept.answer(`thing ${key}`, 60_000, large);
    expect(kept.bytes).toBeGreaterThan(20 * 1024 * 1024);
    expect(kept.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
    kept.clear();
    await kept.answer("thing", 1, large);
    await until("its moment is over", () => kept.bytes === 0);
  });

  it("are made again after one that failed", async () => {
    const kept = new KeptAnswers();
    const failed = () => Promise.reject(new Error("not now"));
    await expect(kept.answer("thing", 60_000, failed)).rejects.toThrow("not now");
    await expect(kept.answer("thing", 60_000, large)).resolves.toBeInstanceOf(TextAnswer);
    expect(kept.bytes).toBe("thing".length + 1024 * 1024);
  });
});
