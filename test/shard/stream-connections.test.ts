import { connect, type Socket } from "node:net";

import { describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { notify } from "../../shared/platform/notify/channels.ts";
import { kindNames } from "../../shared/shard/kinds/kinds.ts";
import { logIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import {
  buildReputation,
  changeUser,
  cutOffUser,
  deleteUser,
  disableUser,
} from "../support/factories/users.ts";
import { requestUrl, callRoute } from "../support/http/call.ts";
import type { Block, StreamClient } from "../support/http/event-stream.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import type { TestServer } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";
import { blockOf, storeEvents } from "../support/shard/shard-events.ts";
import { samples } from "./samples.ts";
import {
  buildBroadcast,
  createCallerHeaders,
  closeStreamsAfterEach,
  eventsOf,
  flushStream,
  follow,
  followLiveStream,
  readMetric,
  paths,
  setVisibility,
  staffOnly,
  startAnother,
  textsOf,
  useServer,
} from "./stream-clients.ts";

closeStreamsAfterEach();

const demote = (on: TestServer, id: number): Promise<void> =>
  changeUser(on, id, { role: "editor" });

const isBye = ({ event }: Block): boolean => event === "bye";

/** Waits until the server ends the stream. @returns its last block */
async function farewell(client: StreamClient): Promise<Block | undefined> {
  await client.ended;
  return client.blocks.at(-1);
}

const bye = (reason: string) => ({ event: "bye", retry: expect.any(Number), data: { reason } });

const clientsOn = (server: TestServer, stream: string, rung: Rung) =>
  readMetric(
    server,
    new RegExp(`^guildhall_sse_clients{stream="${stream}",rung="${rung}"} (\\d+)$`, "m"),
  );

const droppedFor = (server: TestServer, reason: string) =>
  readMetric(server, new RegExp(`^guildhall_sse_dropped_total{reason="${reason}"} (\\d+)$`, "m"));

describe("GET /admin/shardlink/stream", () => {
  const server = useServer({ environment: { SSE_MAX_PER_IP: "1000" } });

  it.each(audienceLadder.filter((rung) => rung !== "admin"))(
    "is closed to callers with the access level %s",
    async (rung) => {
      const headers = await createCallerHeaders(server.current, rung);
      const refused = await requestUrl(server.current.url + paths.admin, { headers });
      expect(refused.status).toBe(rung === "anonymous" ? 401 : 403);
      expect(refused.body).toEqual({
        error: rung === "anonymous" ? "Not authenticated" : "Admin role required",
      });
    },
  );

  it("carries every streamed event in full, including staff kinds and unknown kinds", async () => {
    const headers = await createCallerHeaders(server.current, "admin");
    const client = await followLiveStream(server.current, "admin", { headers });
    const audit = { actor: { acct: "gm_aldor", name: "Aldor" }, verb: "delete", ip: "203.0.113.7" };
    const [auditId, loginId, , newerId] = await storeEvents(server.current, [
      { kind: "admin.audit", reach: "staff", payload: audit },
      { kind: "presence.login", payload: samples["presence.login"] },
      buildBroadcast("unchanged", { reach: "none" }),
      { kind: "newer.plugin", reach: "staff", payload: { deep: [{ a: null }] } },
    ]);
    await client.waitFor(({ id }) => id === newerId);
    expect(eventsOf(client)).toEqual([
      blockOf(auditId, "admin.audit", audit),
      blockOf(loginId, "presence.login", samples["presence.login"]),
      blockOf(newerId, "newer.plugin", { deep: [{ a: null }] }),
    ]);
  });

  it("carries the parts of snapshots, live and after a resume, unlike the public stream", async () => {
    const headers = await createCallerHeaders(server.current, "admin");
    const admin = await followLiveStream(server.current, "admin", { headers });
    const anyone = await followLiveStream(server.current, "public");
    await flushStream(server.current, anyone);
    await flushStream(server.current, admin);
    const { lastEventId } = admin;
    const parts = ["house.snapshot.begin", "house.snapshot.page", "house.snapshot.end"] as const;
    await ingestTestEvents(
      server.current.context,
      parts.map((kind) => ({ kind, payload: samples[kind] })),
    );
    await flushStream(server.current, anyone);
    const marker = await flushStream(server.current, admin);
    const late = await follow(server.current, "admin", { headers, lastEventId });
    await late.waitFor(({ id }) => id === marker.id);
    const told = (client: StreamClient): unknown[] =>
      eventsOf(client)
        .map(({ data }) => data as { kind: string; payload: object })
        .filter(({ kind }) => kind.includes(".snapshot."))
        .map(({ kind, payload }) => [kind, payload]);
    // The stored event of a snapshot page contains the number of the rows instead of the rows.
    const page = { ...samples["house.snapshot.page"], rows: 1 };
    const whole = parts.map((kind) => [kind, kind.endsWith(".page") ? page : samples[kind]]);
    expect(told(admin)).toEqual(whole);
    expect(told(late)).toEqual(whole);
    expect(told(anyone)).toEqual([]);
  });

  it("ignores the visibility of features", async () => {
    const headers = await createCallerHeaders(server.current, "admin");
    const client = await followLiveStream(server.current, "admin", { headers });
    await setVisibility(server.current, { announcements: { enabled: false, stream: false } });
    await storeEvents(server.current, [buildBroadcast("still here")]);
    await flushStream(server.current, client);
    await setVisibility(server.current, {});
    expect(textsOf(client)).toEqual(["still here", "marker"]);
  });

  it("sends notices as named events without ids, which the public stream does not send", async () => {
    const headers = await createCallerHeaders(server.current, "admin");
    const admin = await followLiveStream(server.current, "admin", { headers });
    const anyone = await followLiveStream(server.current, "public");
    const data = {
      jobId: "6f1c3c5e-0000-4000-8000-0000000000cc",
      queue: "imports.atlas",
      phase: "regions",
      done: 3,
      total: 9,
      unit: "entries",
    };
    const { sequelize } = server.current.context;
    await inTransaction(sequelize, (transaction) =>
      notify("stream_notices", { name: "job.progress", data }, transaction),
    );
    const notice = await admin.waitFor(({ event }) => event === "job.progress");
    await flushStream(server.current, anyone);
    expect(notice).toEqual({ event: "job.progress", data });
    expect(textsOf(anyone)).toEqual(["marker"]);
  });
});

describe("the public stream", () => {
  const server = useServer({ environment: { SSE_MAX_PER_IP: "1000" } });
  const secretFields = ["acct", "ownerAcct", "accounts", "webId", "ip"];

  /** Adds canaries for account and address fields to all objects of a payload. */
  function poison(given: unknown): unknown {
    if (Array.isArray(given)) return given.map(poison);
    if (typeof given !== "object" || given === null) return given;
    const canaries = secretFields.map((name) => [name, `canary-${name}`]);
    const fields = Object.entries(given)
      .filter(([name, value]) => !secretFields.includes(name) || typeof value === "number")
      .map(([name, value]) => [name, poison(value)]);
    return Object.fromEntries([...canaries, ...fields]) as object;
  }

  /** Returns overrides that open all features and fields to this audience. */
  const openTo = (audience: Rung) =>
    Object.fromEntries(
      Object.entries(server.current.context.visibility.current).map(([name, { fieldRules }]) => {
        const rules = Object.keys(fieldRules).map((field) => [field, audience]);
        const open = { audience: "anonymous", stream: true } as const;
        return [name, { ...open, fieldRules: Object.fromEntries(rules) as Record<string, Rung> }];
      }),
    );

  it.each(audienceLadder)("hides accounts, web ids and addresses from %s", async (rung) => {
    await setVisibility(server.current, openTo("anonymous"));
    const headers = await createCallerHeaders(server.current, rung);
    const client = await followLiveStream(server.current, "public", { headers });
    await storeEvents(
      server.current,
      kindNames.map((kind) => ({ kind, payload: poison(samples[kind]) as object })),
    );
    await flushStream(server.current, client);
    await setVisibility(server.current, {});
    expect(eventsOf(client).length).toBeGreaterThan(20);
    expect(JSON.stringify(client.blocks).match(/canary-\w+/g)).toBeNull();
  });

  it.each(audienceLadder)("hides fields that a rule gates above %s", async (rung) => {
    await setVisibility(server.current, openTo("staff"));
    const headers = await createCallerHeaders(server.current, rung);
    const client = await followLiveStream(server.current, "public", { headers });
    const kinds = [
      "presence.online",
      "house.decay",
      "points.board",
      "champ.end",
      "guild.created",
      "player.death",
    ] as const;
    await storeEvents(
      server.current,
      kinds.map((kind) => ({ kind, payload: samples[kind] })),
    );
    await flushStream(server.current, client);
    await setVisibility(server.current, {});
    const payloads = eventsOf(client).map(({ data }) => (data as { payload: object }).payload);
    const fields = payloads.map((payload) => JSON.stringify(payload).match(/"(\w+)":/g));
    const gated = ["regions", "region", "name", "damagers", "members", "location"];
    const seen = fields.map((names) => gated.filter((name) => names?.includes(`"${name}":`)));
    expect(seen).toEqual(
      ["staff", "admin"].includes(rung)
        ? [
            ["regions"],
            ["region", "name"],
            ["name"],
            ["region", "name", "damagers", "location"],
            ["name", "members"],
            ["region", "name", "location"],
            [],
          ]
        : [[], [], [], ["region", "name", "location"], ["name"], ["name"], []],
    );
  });

  it("has no account fields, which the admin stream carries in full", async () => {
    const headers = await createCallerHeaders(server.current, "admin");
    const client = await followLiveStream(server.current, "admin", { headers });
    const payload = poison(samples["presence.login"]) as object;
    const [id] = await storeEvents(server.current, [{ kind: "presence.login", payload }]);
    expect(await client.waitFor((block) => block.id === id)).toEqual(
      blockOf(id, "presence.login", payload),
    );
  });
});

describe("a quiet event stream", () => {
  const server = useServer({ streams: { heartbeatMs: 20 } });

  it("is kept open by comments that do not change the last event id", async () => {
    await storeEvents(server.current, [buildBroadcast("before")]);
    const client = await followLiveStream(server.current, "public");
    const beats = () => client.blocks.filter(({ comment }) => comment === "hb");
    await waitUntil("two beats", () => beats().length >= 2);
    expect(beats()[1]).toEqual({ comment: "hb" });
  });

  it("sends a block without data to advance its position past events that the caller may not see", async () => {
    const client = await followLiveStream(server.current, "public");
    const [id] = await storeEvents(server.current, [staffOnly]);
    expect(await client.waitFor((block) => block.id === id)).toEqual({ id });
    const { lastEventId } = client;
    await storeEvents(server.current, [buildBroadcast("next")]);
    const again = await follow(server.current, "public", { lastEventId });
    await flushStream(server.current, again);
    expect(textsOf(again)).toEqual(["next", "marker"]);
  });
});

describe("an event stream above the limit of streams", () => {
  it("is answered with a bye and a long retry delay, and opens when another stream is closed", async () => {
    const server = await startAnother({ environment: { SSE_MAX_PER_IP: "1" } });
    const first = await followLiveStream(server, "public");
    const second = await follow(server, "public");
    expect(second.status).toBe(200);
    expect(await farewell(second)).toEqual(bye("full"));
    expect(second.blocks).toHaveLength(1);
    expect(second.blocks[0]?.retry).toBeGreaterThanOrEqual(60_000);
    expect(await droppedFor(server, "full")).toBe(1);
    first.close();
    await waitUntil("the place is free", async () => {
      const client = await follow(server, "public");
      const block = await client.waitFor(({ event }) => event !== undefined);
      return block.event === "hello";
    });
  });

  it("is counted for the client address that the proxy names, and in the total", async () => {
    const server = await startAnother({
      environment: { TRUST_PROXY: "1", SSE_MAX_PER_IP: "1", SSE_MAX: "3" },
    });
    const from = async (address: string) => {
      const headers = { "x-forwarded-for": address };
      const client = await follow(server, "public", { headers });
      return (await client.waitFor(({ event }) => event !== undefined)).event;
    };
    expect(await from("198.51.100.1")).toBe("hello");
    expect(await from("::ffff:198.51.100.1")).toBe("bye");
    expect(await from("2001:db8::1")).toBe("hello");
    expect(await from("2001:db8::2")).toBe("bye");
    expect(await from("2001:db8:0:1::1")).toBe("hello");
    expect(await from("198.51.100.2")).toBe("bye");
  });
});

describe("the event streams of one network", () => {
  it("have limits for each /56, /48 and /24, so that other networks can open streams", async () => {
    const server = await startAnother({
      environment: {
        TRUST_PROXY: "1",
        SSE_MAX_PER_IP: "1",
        RL_SITE_TIMES: "2",
        SSE_MAX_PER_NETWORK: "3",
      },
    });
    const open = async (address: string) => {
      const client = await follow(server, "public", { headers: { "x-forwarded-for": address } });
      const { event } = await client.waitFor((block) => block.event !== undefined);
      return { event, client };
    };
    const eventFrom = async (address: string) => (await open(address)).event;
    const first = await open("2001:db8:1:1::1");
    expect(first.event).toBe("hello");
    expect(await eventFrom("[2001:db8:1:2::1]:443")).toBe("hello");
    expect(await eventFrom("2001:db8:1:3::1")).toBe("bye");
    expect(await eventFrom("2001:db8:1:100::1")).toBe("hello");
    expect(await eventFrom("2001:db8:1:200::1")).toBe("bye");
    expect(await eventFrom("2001:db8:2::1")).toBe("hello");
    for (const host of [1, 2, 3]) expect(await eventFrom(`198.51.100.${host}:4000`)).toBe("hello");
    expect(await eventFrom("198.51.100.4")).toBe("bye");
    expect(await eventFrom("198.51.101.4")).toBe("hello");
    first.client.close();
    await waitUntil(
      "the place is free",
      async () => (await eventFrom("2001:db8:1:200::1")) === "hello",
    );
  });
});

/** Opens a connection that requests the stream and never reads from it. */
function connectDeaf({ url }: TestServer, query = ""): Socket {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`GET ${paths.public}${query} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  socket.pause();
  return socket;
}

const big = (at: number) => buildBroadcast(`${at} ${"x".repeat(200_000)}`);

describe("a client that does not read", () => {
  it("is disconnected when too much data waits for it, while other clients are still served", async () => {
    const server = await startAnother();
    const reader = await followLiveStream(server, "public");
    const deaf = connectDeaf(server);
    const clients = () => clientsOn(server, "public", "anonymous");
    await waitUntil("both are there", async () => (await clients()) === 2);
    const sent: number[] = [];
    while ((await droppedFor(server, "slow")) === 0) {
      sent.push(...(await storeEvents(server, [big(sent.length)])));
      await reader.waitFor(({ id }) => id === sent.at(-1));
    }
    await waitUntil("one is gone", async () => (await clients()) === 1);
    deaf.destroy();
    const marker = await flushStream(server, reader);
    const read = eventsOf(reader).map(({ id }) => id);
    expect(read).toEqual([...sent, marker.id]);
  });

  itInLongLane("is disconnected when it has not read missed events for too long", async () => {
    const server = await startAnother({ streams: { stallMs: 100, sweepMs: 20 } });
    await storeEvents(
      server,
      Array.from({ length: 150 }, (_, at) => big(at)),
    );
    const deaf = connectDeaf(server, "?lastEventId=0");
    await waitUntil("it is cut off", async () => (await droppedFor(server, "slow")) > 0);
    deaf.destroy();
    expect(await droppedFor(server, "slow")).toBe(1);
  });
});

describe("the session behind an event stream", () => {
  const server = useServer({ environment: { SSE_MAX_PER_IP: "1000" } });
  const watchful = useServer({
    environment: { SSE_MAX_PER_IP: "1000", SSE_RECHECK: "1s", TRUST_PROXY: "1" },
  });

  it("ends only its own streams, and at once, when it is signed out", async () => {
    const user = await signIn(server.current, { role: "admin" });
    const headers = { ...user.headers };
    const own = await followLiveStream(server.current, "admin", { headers });
    const ownPublic = await followLiveStream(server.current, "public", { headers });
    const elsewhere = await followLiveStream(server.current, "public", {
      headers: { cookie: await logIn(server.current, user) },
    });
    const left = await callRoute(server.current, "POST /auth/logout", { headers: user.headers });
    expect(left.status).toBe(200);
    expect(await farewell(own)).toEqual(bye("revoked"));
    expect(await farewell(ownPublic)).toEqual(bye("revoked"));
    await flushStream(server.current, elsewhere);
    expect(elsewhere.blocks.some(isBye)).toBe(false);
  });

  it("ends every stream of the user when all sessions are revoked", async () => {
    const user = await signIn(server.current);
    const clients = await Promise.all(
      [1, 2].map(() =>
        followLiveStream(server.current, "public", { headers: { ...user.headers } }),
      ),
    );
    const { sequelize } = server.current.context;
    await inTransaction(sequelize, (transaction) =>
      notify("auth_revoked", { userId: user.userId }, transaction),
    );
    for (const client of clients) expect(await farewell(client)).toEqual(bye("revoked"));
  });

  it.each([
    ["is disabled", disableUser],
    ["has another role", demote],
    ["is deleted", deleteUser],
    ["has all tokens cut off", cutOffUser],
  ])(
    "ends the stream at the periodic check if the user %s without a notification",
    async (_, change) => {
      const user = await signIn(watchful.current, { role: "admin" });
      const client = await followLiveStream(watchful.current, "admin", {
        headers: { ...user.headers },
      });
      const anyone = await followLiveStream(watchful.current, "public");
      await change(watchful.current, user.userId);
      expect(await farewell(client)).toEqual(bye("revoked"));
      expect(anyone.blocks.some(isBye)).toBe(false);
    },
  );

  it("ends the stream when its address is banned", async () => {
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const banned = await followLiveStream(watchful.current, "public", from("198.51.100.1"));
    const other = await followLiveStream(watchful.current, "public", from("198.51.100.2"));
    await buildReputation(watchful.current, {
      addressKey: "198.51.100.1",
      bannedUntil: clockNowPlus(3_600_000),
    });
    watchful.current.context.bans.reload();
    expect(await farewell(banned)).toEqual(bye("revoked"));
    expect(other.blocks.some(isBye)).toBe(false);
  });

  it("ends the stream when the session expires", async () => {
    const brief = await startAnother({
      environment: { SESSION_TTL: "2s" },
      streams: { sweepMs: 20 },
    });
    const anyone = await followLiveStream(brief, "public");
    const client = await followInTime(brief);
    expect(await farewell(client)).toEqual(bye("max_age"));
    expect(anyone.blocks.some(isBye)).toBe(false);
  });
});

/**
 * Signs in and opens a stream. Repeats both if the short session has expired before the stream opened, as on a
 * busy machine.
 */
async function followInTime(at: TestServer): Promise<StreamClient> {
  const { headers } = await signIn(at);
  const client = await followLiveStream(at, "public", { headers: { ...headers } });
  if ((await callRoute(at, "GET /auth/me", { headers })).status === 200) return client;
  client.close();
  return followInTime(at);
}

const closedBye = { event: "bye", retry: 120_000, data: { reason: "closed" } };

describe("an event stream of a restricted site", () => {
  const server = useServer({ environment: { SSE_RECHECK: "1s", SSE_MAX_PER_IP: "1000" } });

  async function setMode(site_mode: string, headers: Record<string, string>): Promise<void> {
    const body = { site_mode };
    await callRoute(server.current, "PUT /admin/site-mode", { headers, body });
    const { siteMode } = server.current.context;
    await waitUntil("the mode is known", () => siteMode.current.site_mode === site_mode);
  }

  it("ends within SSE_RECHECK for callers to whom the site is closed, and for no other callers", async () => {
    const [player, staff, admin] = [
      await createCallerHeaders(server.current, "player"),
      await createCallerHeaders(server.current, "staff"),
      await createCallerHeaders(server.current, "admin"),
    ];
    const open = (headers = {}) => followLiveStream(server.current, "public", { headers });
    const [ofAnyone, ofPlayer] = [await open(), await open(player)];
    const [ofStaff, ofAdmin] = [await open(staff), await open(admin)];
    const whole = await followLiveStream(server.current, "admin", { headers: admin });
    await setMode("maintenance", admin);
    expect(await farewell(ofAnyone)).toEqual(closedBye);
    expect(await farewell(ofPlayer)).toEqual(closedBye);
    await flushStream(server.current, ofStaff);
    await setMode("closed", admin);
    expect(await farewell(ofStaff)).toEqual(closedBye);
    for (const client of [ofAdmin, whole]) {
      await flushStream(server.current, client);
      expect(client.blocks.some(isBye)).toBe(false);
    }
    await setMode("live", admin);
  });

  it("consists only of a bye for callers to whom the site is closed, until it is open again", async () => {
    const [staff, admin] = [
      await createCallerHeaders(server.current, "staff"),
      await createCallerHeaders(server.current, "admin"),
    ];
    await setMode("closed", admin);
    const before = await droppedFor(server.current, "closed");
    for (const stream of ["public", "admin"] as const) {
      for (const headers of [{}, staff]) {
        const client = await follow(server.current, stream, { headers, lastEventId: 1 });
        expect(client.status).toBe(200);
        expect(client.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
        expect(client.headers["cache-control"]).toBe("no-store, no-transform");
        expect(await farewell(client)).toEqual(closedBye);
        expect(client.blocks).toHaveLength(1);
      }
      await followLiveStream(server.current, stream, { headers: admin });
    }
    expect(await droppedFor(server.current, "closed")).toBe(before + 4);
    const head = await fetch(server.current.url + paths.public, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    await setMode("live", admin);
    await followLiveStream(server.current, "public");
    expect((await requestUrl(server.current.url + paths.admin)).status).toBe(401);
  });
});

describe("the end of an event stream", () => {
  it("happens at the maximum age of the stream", async () => {
    const server = await startAnother({ streams: { maxAgeMs: 50, sweepMs: 10 } });
    const client = await followLiveStream(server, "public");
    expect(await farewell(client)).toEqual(bye("max_age"));
  });

  it("is announced by a bye when the process stops, and clients that connect then get a bye too", async () => {
    const server = await startAnother();
    const clients = await Promise.all([1, 2, 3].map(() => followLiveStream(server, "public")));
    await server.context.streams.stop();
    const late = await follow(server, "public");
    const retries = new Set<number | undefined>();
    for (const client of [...clients, late]) {
      const last = await farewell(client);
      retries.add(last?.retry);
      expect(last).toEqual(bye("draining"));
      expect(last?.retry).toBeGreaterThanOrEqual(1_000);
      expect(last?.retry).toBeLessThanOrEqual(5_000);
    }
    // The waiting times differ, so that the clients do not all reconnect at once.
    expect(retries.size).toBeGreaterThan(1);
    expect(late.status).toBe(200);
    expect(await droppedFor(server, "draining")).toBe(4);
  });

  it("is announced by a bye if missed events cannot be read", async () => {
    const server = await startAnother();
    const [id] = await storeEvents(server, [buildBroadcast("1"), buildBroadcast("2")]);
    await server.context.sequelize.query("alter table shard_events rename to elsewhere");
    const client = await follow(server, "public", { lastEventId: (id ?? 0) + 100 });
    expect(await farewell(client)).toEqual(bye("unavailable"));
    expect(client.status).toBe(200);
  });
});

describe("the metrics of event streams", () => {
  it("show the connected clients, the replayed events and the delay of reading", async () => {
    const server = await startAnother();
    const [first] = await storeEvents(server, [
      buildBroadcast("1"),
      buildBroadcast("2"),
      buildBroadcast("3"),
    ]);
    const headers = await createCallerHeaders(server, "admin");
    const resumed = await follow(server, "public", { lastEventId: first });
    await flushStream(server, resumed);
    await followLiveStream(server, "admin", { headers });
    expect(await clientsOn(server, "public", "anonymous")).toBe(1);
    expect(await clientsOn(server, "admin", "admin")).toBe(1);
    expect(await clientsOn(server, "public", "staff")).toBe(0);
    expect(
      await readMetric(server, /^guildhall_sse_replayed_total (\d+)$/m),
    ).toBeGreaterThanOrEqual(2);
    expect(
      await readMetric(server, /^guildhall_sse_notify_lag_seconds_count (\d+)$/m),
    ).toBeGreaterThanOrEqual(1);
  });
});
