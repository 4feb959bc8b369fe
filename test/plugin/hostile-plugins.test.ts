import { request } from "node:http";

import { describe, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { ingestSourceOf } from "../support/factories/shard.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { makeShardKey } from "../support/plugin/linked-plugin.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";

const site = usePluginTestSite({ saysHello: true, hasIngest: true });

const t = 1_790_000_000_000;
const shout = (seq: number, text = "x"): string =>
  JSON.stringify({ seq, kind: "world.broadcast", t, payload: { text, access: "Player" } });

/**
 * Builds the text of a deeply nested event without JSON.stringify, which would overflow the stack.
 */
const nested = (seq: number, levels: number, inner: string): string =>
  `{"seq":${seq},"kind":"world.broadcast","t":${t},"payload":${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}}`;

const send = ({ key, epoch, bootId }: TestPlugin, events: readonly string[]) =>
  callRoute(site.server, "POST /plugin/events", {
    headers: { authorization: `Bearer ${key}` },
    body: `{"epoch":"${epoch}","bootId":"${bootId}","events":[${events.join(",")}]}`,
  });

const storedTo = (seq: number) =>
  waitUntil(`event ${seq} is stored`, async () => {
    const source = await ingestSourceOf(site.server);
    return source.epoch === site.plugin.epoch && source.seq === seq;
  });

const storedSeqs = async () =>
  (await storedRows(site.server.context.models.ShardEvent, ["seq"])).map(({ seq }) => seq);

describe("a plugin event that is nested too deep", () => {
  it.each([
    ["8,000 levels", "1"],
    ["8,000 levels around a NUL", String.raw`"a\u0000b"`],
    ["8,000 levels around a long integer", "12345678901234567"],
  ])("is rejected if it has %s, and the events after it are stored", async (_what, inner) => {
    const events = [shout(1), nested(2, 8_000, inner), shout(3)];
    expect(statusAndBodyOf(await send(site.plugin, events))).toEqual([200, { seq: 3 }]);
    expect(statusAndBodyOf(await send(site.plugin, [shout(4)]))).toEqual([200, { seq: 4 }]);
    await storedTo(4);
    expect(await storedSeqs()).toEqual([1, 3, 4]);
    const frames = await storedRows(site.server.context.models.RejectedFrame, [
      "reason",
      "kind",
      "excerpt",
    ]);
    expect(frames).toEqual([
      {
        reason: "depth",
        kind: "world.broadcast",
        excerpt: JSON.stringify({ seq: 2, kind: "world.broadcast", t }),
      },
    ]);
  });
});

/** Returns the number of calls that are recorded as running. */
async function openCalls(): Promise<number> {
  const [row] = await query<{ open: number }>(
    site.server,
    "select count(*)::integer as open from plugin_keys, jsonb_each(calls)",
  );
  return row?.open ?? 0;
}

describe("a connection that closes while its key is looked up", () => {
  it("is not counted as an open call", async () => {
    const { sequelize } = site.server.context;
    const transaction = await sequelize.transaction();
    try {
      await sequelize.query("select 1 from plugin_keys for update", { transaction });
      const asked = request(
        `${site.server.url}/api/v1/plugin/commands?wait=25&bootId=${site.plugin.bootId}`,
        {
          headers: { authorization: `Bearer ${site.plugin.key}` },
        },
      );
      asked.on("error", () => undefined);
      asked.end();
      await waitUntil("the key is looked up", async () => {
        const waiting = await query(
          site.server,
          "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%update plugin_keys set%'",
        );
        return waiting.length > 0;
      });
      const closed = new Promise((resolve) => asked.once("close", resolve));
      asked.destroy();
      await closed;
    } finally {
      await transaction.commit();
    }
    await waitUntil("no call is under way", async () => (await openCalls()) === 0);
    const waits = Array.from({ length: 8 }, () => site.plugin.wait(0));
    expect((await Promise.all(waits)).map(({ status }) => status)).toEqual(waits.map(() => 200));
  });
});

describe("a rejected call of a former game process", () => {
  it("does not keep the link connected", async () => {
    const former = site.plugin;
    const next = former.another();
    await next.hello();
    await waitUntil("its hello has ended", async () => (await openCalls()) === 0);
    await query(
      site.server,
      "update plugin_sessions set alive_until = '2026-01-01', heard_at = '2026-01-01'",
    );
    expect((await former.wait(0)).status).toBe(409);
    await waitUntil("the call has ended", async () => (await openCalls()) === 0);
    const [session] = await query<{ heardAt: Date }>(
      site.server,
      `select heard_at as "heardAt" from plugin_sessions`,
    );
    expect(session?.heardAt).toEqual(new Date("2026-01-01"));
  });
});

describe("the first call with a new key", () => {
  it("ends the former key immediately", async () => {
    const renewed = new TestPlugin(site.server, await makeShardKey(site.server, site.admin));
    renewed.bootId = site.plugin.bootId;
    renewed.epoch = site.plugin.epoch;
    expect((await site.plugin.wait(0)).status).toBe(200);
    const [first, second] = await Promise.all([renewed.wait(0), renewed.wait(0)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await site.plugin.wait(0)).status).toBe(401);
  });
});
