import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { ingestSourceOf } from "../support/factories/shard.ts";
import { callRoute, statusAndBodyOf, retryAfter } from "../support/http/call.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";

const site = usePluginTestSite({ saysHello: true, hasIngest: true });

const t = 1_790_000_000_000;
const shout = (text: string, more: object = {}) => ({
  kind: "world.broadcast",
  t,
  payload: { text, access: "Player" },
  ...more,
});

const refused = (status: number, code: string, more: object = {}) => [
  status,
  { error: expect.any(String), code, ...more },
];

const texts = async () =>
  (await storedRows(site.server.context.models.ShardEvent, ["seq", "payload"])).map(
    ({ seq, payload }) => `${seq} ${(payload as { text?: string }).text}`,
  );

const storedTo = (seq: number) =>
  waitUntil(`event ${seq} is stored`, async () => {
    const source = await ingestSourceOf(site.server);
    return source.epoch === site.plugin.epoch && source.seq === seq;
  });

describe("the events of a plugin", () => {
  it("are stored in order and once, however often they are sent", async () => {
    expect(statusAndBodyOf(await site.plugin.send([shout("one"), shout("two")]))).toEqual([
      200,
      { seq: 2 },
    ]);
    const again = [shout("one", { seq: 1 }), shout("two", { seq: 2 }), shout("three", { seq: 3 })];
    expect(statusAndBodyOf(await site.plugin.send(again))).toEqual([200, { seq: 3 }]);
    expect(statusAndBodyOf(await site.plugin.send(again))).toEqual([200, { seq: 3 }]);
    await storedTo(3);
    expect(await texts()).toEqual(["1 one", "2 two", "3 three"]);
    await waitUntil("the inbox is empty but for the hello", async () => {
      const left = await query<{ kind: string }>(site.server, "select kind from plugin_inbox");
      return left.length === 1 && left[0]?.kind === "hello";
    });
  });

  it("are stored once if the same call is made several times at once", async () => {
    const events = [shout("one", { seq: 1 }), shout("two", { seq: 2 })];
    const sent = await Promise.all(Array.from({ length: 7 }, () => site.plugin.send(events)));
    expect(sent.map(statusAndBodyOf)).toEqual(Array.from({ length: 7 }, () => [200, { seq: 2 }]));
    await storedTo(2);
    expect(await texts()).toEqual(["1 one", "2 two"]);
  });

  it("are rejected with the expected seq if an event is missing, and nothing is stored", async () => {
    const hole = [shout("two", { seq: 2 })];
    expect(statusAndBodyOf(await site.plugin.send(hole))).toEqual(
      refused(409, "SEQUENCE", { expected: 1 }),
    );
    const mixed = [shout("one", { seq: 1 }), shout("three", { seq: 3 })];
    expect(statusAndBodyOf(await site.plugin.send(mixed))).toEqual(
      refused(409, "SEQUENCE", { expected: 2 }),
    );
    expect(statusAndBodyOf(await site.plugin.send([shout("one", { seq: 1 })]))).toEqual([
      200,
      { seq: 1 },
    ]);
  });

  it("continue after a reported gap, which is counted", async () => {
    await site.plugin.send([shout("one")]);
    const gap = { from: 1, to: 4, reason: "the buffer overflowed" };
    const after = [shout("five", { seq: 5 })];
    expect(statusAndBodyOf(await site.plugin.send(after, { gap }))).toEqual([200, { seq: 5 }]);
    await storedTo(5);
    expect(await texts()).toEqual(["1 one", "5 five"]);
    const { gaps } = await ingestSourceOf(site.server);
    expect(gaps).toBeGreaterThan(0);
    const far = { from: 7, to: 8, reason: "" };
    expect(statusAndBodyOf(await site.plugin.send([], { gap: far }))).toEqual(
      refused(409, "SEQUENCE", { expected: 6 }),
    );
    const loose = { from: 6, to: 6, reason: "" };
    expect(
      statusAndBodyOf(await site.plugin.send([shout("eight", { seq: 8 })], { gap: loose })),
    ).toEqual(refused(409, "SEQUENCE", { expected: 7 }));
    expect(statusAndBodyOf(await site.plugin.send([], { gap: loose }))).toEqual([200, { seq: 6 }]);
    await storedTo(6);
  });

  it("start at the oldest seq that the hello names", async () => {
    site.plugin.epoch = randomUUID();
    await site.plugin.hello({ oldest: 41, head: 41 });
    expect(statusAndBodyOf(await site.plugin.send([shout("one", { seq: 1 })]))).toEqual([
      200,
      { seq: 40 },
    ]);
    expect(statusAndBodyOf(await site.plugin.send([shout("42", { seq: 42 })]))).toEqual(
      refused(409, "SEQUENCE", { expected: 41 }),
    );
    expect(statusAndBodyOf(await site.plugin.send([shout("41", { seq: 41 })]))).toEqual([
      200,
      { seq: 41 },
    ]);
    await storedTo(41);
    expect(await texts()).toEqual(["41 41"]);
  });

  it.each([
    ["kind", shout("x", { kind: "No Kind" })],
    ["t", shout("x", { t: "now" })],
    ["payload", shout("x", { payload: "text" })],
    ["bootId", shout("x", { bootId: 7 })],
    ["eventKey", shout("x", { eventKey: "k".repeat(300) })],
    ["depth", shout("x", { payload: deep(40) })],
    ["size", shout("x", { payload: { text: "x".repeat(300_000), access: "Player" } })],
    ["schema", shout("x", { payload: { access: "Player" } })],
  ])("are stored, except the one event whose %s is invalid", async (reason, wrong) => {
    const sent = await site.plugin.send([shout("before"), wrong, shout("after")]);
    expect(statusAndBodyOf(sent)).toEqual([200, { seq: 3 }]);
    await storedTo(3);
    expect(await texts()).toEqual(["1 before", "3 after"]);
    const frames = await storedRows(site.server.context.models.RejectedFrame, ["reason"]);
    expect(frames).toEqual([{ reason }]);
  });

  it("keep their boot ids and have NUL characters replaced", async () => {
    const bootId = randomUUID();
    await site.plugin.send([
      shout("a\u0000b", { bootId }),
      shout("none", { bootId: null }),
      shout("own"),
    ]);
    await storedTo(3);
    const events = await storedRows(site.server.context.models.ShardEvent, ["seq", "bootId"]);
    expect(events.map(({ bootId: boot }) => boot)).toEqual([bootId, null, site.plugin.bootId]);
    expect((await texts())[0]).toBe("1 a\uFFFDb");
  });

  it.each([
    ["malformed JSON", "{", 400, "INVALID"],
    ["a list", "[]", 400, "INVALID"],
    ["no epoch", '{"bootId":"x","events":[]}', 400, "INVALID"],
    ["events that are not a list", { events: {} }, 400, "INVALID"],
    ["an event without seq", { events: [{ kind: "a", t: 1, payload: {} }] }, 400, "INVALID"],
    ["a seq that is not an integer", { events: [{ seq: 1.5 }] }, 400, "INVALID"],
    ["an impossible gap", { events: [], gap: { from: 2, to: 1 } }, 400, "INVALID"],
    [
      "501 events",
      { events: Array.from({ length: 501 }, (_, n) => ({ seq: n + 1 })) },
      413,
      "TOO_LARGE",
    ],
    ["more than 1 MiB", { events: [], more: "x".repeat(1_100_000) }, 413, "TOO_LARGE"],
  ] as const)("are rejected if the body has %s", async (_what, body, status, code) => {
    const { epoch, bootId } = site.plugin;
    const answer = await callRoute(site.server, "POST /plugin/events", {
      headers: { authorization: `Bearer ${site.plugin.key}` },
      body: typeof body === "string" ? body : { epoch, bootId, ...body },
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code });
    const { seq } =
      (await query<{ seq: number }>(site.server, "select seq from plugin_sessions"))[0] ?? {};
    expect(seq).toBe(0);
  });

  it("are rejected if compressed, and accepted in chunks", async () => {
    const { epoch, bootId, key } = site.plugin;
    const text = JSON.stringify({ epoch, bootId, events: [shout("one", { seq: 1 })] });
    const url = `${site.server.url}/api/v1/plugin/events`;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const zipped = await fetch(url, {
      method: "POST",
      body: gzipSync(text),
      headers: { ...headers, "content-encoding": "gzip" },
    });
    expect([zipped.status, await zipped.json()]).toEqual(refused(415, "INVALID"));
    const stream = new Blob([text]).stream();
    const init = { method: "POST", body: stream, headers, duplex: "half" } as RequestInit;
    const chunked = await fetch(url, init);
    expect([chunked.status, await chunked.json()]).toEqual([200, { seq: 1 }]);
  });

  it("are accepted after Expect: 100-continue, which is answered before the body", async () => {
    const { epoch, bootId, key } = site.plugin;
    const text = JSON.stringify({ epoch, bootId, events: [shout("one", { seq: 1 })] });
    const sending = request(`${site.server.url}/api/v1/plugin/events`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
        expect: "100-continue",
      },
    });
    sending.flushHeaders();
    await once(sending, "continue");
    sending.end(text);
    const [response] = (await once(sending, "response")) as [IncomingMessage];
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString()) as unknown;
    expect([response.statusCode, body]).toEqual([200, { seq: 1 }]);
  });

  it("are rejected if their session did not send a hello", async () => {
    const stranger = site.plugin.another();
    expect(statusAndBodyOf(await stranger.send([shout("x")]))).toEqual(refused(409, "HELLO"));
    const epoch = randomUUID();
    expect(statusAndBodyOf(await site.plugin.send([shout("x", { seq: 1 })], { epoch }))).toEqual(
      refused(409, "EPOCH"),
    );
  });

  it("are answered 503 with Retry-After while too many events wait to be stored", async () => {
    await site.ingest.stop();
    await query(
      site.server,
      `insert into plugin_inbox (source, kind, boot_id, epoch, events, bytes, content)
       values ('shard', 'events', $1, $2, 50000, 1, '{}')`,
      site.plugin.bootId,
      site.plugin.epoch,
    );
    const answer = await site.plugin.send([shout("one", { seq: 1 })]);
    expect(statusAndBodyOf(answer)).toEqual(refused(503, "BUSY"));
    expect(retryAfter(answer)).toBeGreaterThan(0);
    await query(site.server, "delete from plugin_inbox where events = 50000");
    expect(statusAndBodyOf(await site.plugin.send([shout("one", { seq: 1 })]))).toEqual([
      200,
      { seq: 1 },
    ]);
    await site.startIngest();
    await storedTo(1);
  });

  it("are still stored if the link is turned off or changed after the site received them", async () => {
    await site.ingest.stop();
    await site.plugin.send([shout("one")]);
    const save = (body: object) =>
      callRoute(site.server, "PUT /admin/shardlink/config", { headers: site.admin.headers, body });
    await save({ enabled: false });
    await site.startIngest();
    await storedTo(1);
    await site.ingest.stop();
    await save({ enabled: true });
    await site.plugin.hello();
    await site.plugin.send([shout("two")]);
    await save({ kind: "sidecar", enabled: false });
    await site.startIngest();
    await storedTo(2);
    expect(await texts()).toEqual(["1 one", "2 two"]);
    await waitUntil(
      "the link is off",
      async () => (await ingestSourceOf(site.server)).state === "disconnected",
    );
  });
});

function deep(levels: number): object {
  return levels === 0 ? {} : { inner: deep(levels - 1) };
}
