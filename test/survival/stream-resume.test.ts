import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { checkFrames } from "../../shared/platform/ingest/check-frames.ts";
import {
  acquireSourceOwnership,
  type SourceOwnership,
} from "../../shared/platform/ingest/ownership.ts";
import { storeLinkReport } from "../../shared/platform/ingest/report.ts";
import { checkPayload } from "../../shared/survival/ingest/check-payload.ts";
import { insertEvents } from "../../shared/survival/ingest/insert-events.ts";
import { createSurvivalSource } from "../../shared/survival/ingest/survival-source.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import {
  closeStreamsAfterEach,
  readMetric,
  startAnother,
  useServer,
} from "../shard/stream-clients.ts";
import { timeoutMs, waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import type { StreamClient } from "../support/http/event-stream.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";
import {
  buildOnlineServer,
  exampleFrame,
  feedOf,
  flushFeed,
  followServer,
  followServerLive,
  readPublicRoute,
  stateOf,
} from "./stream-servers.ts";

closeStreamsAfterEach();

/** Two API processes of one site. They do not poll for events: only notifications deliver them. */
const first = useServer({
  environment: { SSE_MAX_PER_IP: "1000" },
  listen: { maxBackoffMs: 100 },
  streams: { pollMs: 3_600_000 },
});
let second: TestServer;

beforeAll(async () => {
  const environment = { SSE_MAX_PER_IP: "1000" };
  const { database } = first.current;
  second = await startTestServer({ database, environment, streams: { pollMs: 3_600_000 } });
});
afterAll(() => second.stop());

const build = async () => (await buildSurvivalServer(first.current)).id;

let npcs = 0;
/** An event that everyone may see. */
const npcDied = (more: object = {}) =>
  survivalFrame("survival.npc.died", {
    netId: String(++npcs),
    profile: "guard",
    alive: 0,
    ...more,
  });

const idsOf = (client: StreamClient): (number | undefined)[] => feedOf(client).map(({ id }) => id);

const storedIds = async (serverId: number): Promise<number[]> => {
  const { SurvivalEvent } = first.current.context.models;
  const kind = "survival.npc.died";
  const events = await SurvivalEvent.findAll({ where: { serverId, kind }, order: ["id"] });
  return events.map(({ id }) => id);
};

/** Stores one event in an open transaction of a connection, as ingest does. */
async function insertOpen(client: Client, serverId: number): Promise<void> {
  const source = sourceNameOf(serverId);
  const owner = { source, fence: 0 } as SourceOwnership;
  const frames = [npcDied()];
  const part = { ...checkFrames(frames, checkPayload), frames, owner, isPlain: false };
  const { SURVIVAL_BOUNDS: bounds } = first.current.context.config;
  const stored = await insertEvents(part, { serverId, bounds }, client);
  expect(stored?.ids).toHaveLength(1);
}

async function withConnections(work: (one: Client, other: Client) => Promise<void>): Promise<void> {
  const [one, other] = [0, 1].map(() => new Client(first.current.database.url)) as [Client, Client];
  await Promise.all([one.connect(), other.connect()]);
  try {
    await work(one, other);
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

describe("the stream of a survival server, while two connections store events", () => {
  it("sends an event that is committed after an event of another server with a higher id", async () => {
    const [early, late] = [await build(), await build()];
    const clients = await Promise.all([
      followServerLive(first.current, early),
      followServerLive(first.current, late),
    ]);
    await withConnections(async (one, other) => {
      await one.query("begin");
      await insertOpen(one, early);
      await insertOpen(other, late);
      await clients[1].waitFor(({ id, data }) => id !== undefined && Object(data).kind);
      await one.query("commit");
    });
    await clients[0].waitFor(({ data }) => Object(data).kind);
    const [[lower], [higher]] = clients.map(idsOf) as [number[], number[]];
    expect(Number(lower)).toBeLessThan(Number(higher));
    expect([[lower], [higher]]).toEqual([await storedIds(early), await storedIds(late)]);
  });

  it("sends the events of one server in the order of their ids, which is the order of their commits", async () => {
    const serverId = await build();
    const client = await followServerLive(first.current, serverId);
    await withConnections(async (one, other) => {
      await one.query("begin");
      await insertOpen(one, serverId);
      const waiting = insertOpen(other, serverId);
      await waitUntil("the other connection waits for the first", async () => {
        const blocked = `select 1 from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
        return (await query(first.current, blocked)).length > 0;
      });
      await one.query("commit");
      await waiting;
    });
    await client.waitFor(() => feedOf(client).length === 2);
    expect(idsOf(client)).toEqual(await storedIds(serverId));
  });

  it("loses and repeats no event for a client whose connection is cut again and again", async () => {
    const [serverId, otherId] = [await build(), await build()];
    await storeSurvivalFrames(first.current.context, serverId, [npcDied()]);
    const storing = [serverId, otherId, serverId].map(async (into) => {
      for (let batch = 0; batch < 12; batch += 1) {
        const frames = Array.from({ length: 1 + (batch % 3) }, () => npcDied());
        await storeSurvivalFrames(first.current.context, into, frames);
      }
    });
    const done = Promise.all(storing).then(() => storedIds(serverId));
    // The client first reads the page of the feed, and then follows the stream.
    const page = (await readPublicRoute(first.current, serverId, "/feed?limit=100")) as {
      events: { id: number }[];
    };
    const ids = page.events.map(({ id }) => id).toReversed();
    for (let turn = 0, isOver = false; !isOver; turn += 1) {
      const server = turn % 2 === 0 ? second : first.current;
      const client = await followServer(server, serverId, { lastEventId: ids.at(-1) });
      const end = done.then((stored) =>
        ids.at(-1) === stored.at(-1) ? undefined : client.waitFor(({ id }) => id === stored.at(-1)),
      );
      const wanted = 1 + (turn % 4);
      isOver = await Promise.race([
        end.then(() => true),
        client.waitFor(() => feedOf(client).length >= wanted).then(() => false),
      ]);
      client.close();
      ids.push(...(idsOf(client) as number[]));
    }
    expect(ids).toEqual(await done);
  });
});

describe("the processes that serve a survival server's stream", () => {
  it("are notified of events of the feed, and not of events that no stream sends", async () => {
    const serverId = await build();
    const heard: number[] = [];
    const { context } = first.current;
    const unlisten = context.listener.on("survival_events", (news) => {
      if (news.serverId === serverId) heard.push(news.lastId);
    });
    await storeSurvivalFrames(context, serverId, [exampleFrame("player.reported")]);
    await storeSurvivalFrames(context, serverId, [npcDied(), exampleFrame("player.reported")]);
    await waitUntil("the notification has arrived", () => heard.length > 0);
    expect(heard).toEqual(await storedIds(serverId));
    unlisten();
  });

  it("are notified when the game is connected and when it is disconnected", async () => {
    const serverId = await buildOnlineServer(first.current);
    const { context } = first.current;
    const client = await followServerLive(second, serverId);
    const source = sourceNameOf(serverId);
    const { config, log } = context;
    const signal = AbortSignal.timeout(timeoutMs);
    const owner = await acquireSourceOwnership({ url: config.DATABASE_URL, source, log, signal });
    const counted = { received: 0, duplicates: 0, rejected: 0, gaps: 0, ignored: 0 };
    const stats = { ...counted, waiting: 0, lastAckAt: null };
    const { tellLinkState } = createSurvivalSource(serverId, context);
    for (const pluginConnected of [false, true]) {
      const status = { state: "connected", reason: null, pluginConnected } as const;
      await storeLinkReport(owner, { status, stats, duplicates: 0 }, tellLinkState);
      const count = pluginConnected ? 2 : 0;
      await waitUntil(
        "the clients know the players",
        () => (stateOf(client, "online") as { count: number }).count === count,
      );
      expect(stateOf(client, "server")).toMatchObject({ online: pluginConnected });
    }
    await owner.release();
  });
});

describe("the stream of a survival server, after a resume", () => {
  it("starts with the first event if the page of the feed was empty", async () => {
    const serverId = await build();
    await storeSurvivalFrames(first.current.context, serverId, [npcDied(), npcDied()]);
    const client = await followServer(second, serverId, { lastEventId: 0 });
    const marker = await flushFeed(first.current, serverId, client);
    expect(idsOf(client)).toEqual(await storedIds(serverId));
    expect(client.blocks.at(-1)?.id ?? marker.id).toBe(marker.id);
  });

  it("begins with a reset if the client sends the id of another server's event", async () => {
    const [serverId, otherId] = [await build(), await build()];
    await storeSurvivalFrames(first.current.context, otherId, [npcDied()]);
    const [foreign] = await storedIds(otherId);
    await storeSurvivalFrames(first.current.context, serverId, [npcDied()]);
    const client = await followServerLive(first.current, serverId, { lastEventId: foreign });
    const resets = client.blocks.filter(({ event }) => event === "reset");
    expect(resets).toEqual([{ event: "reset", data: { reason: "unknown" } }]);
    expect(idsOf(client)).toEqual([]);
  });

  it("sends the events that were stored while the LISTEN connection was cut, without polling", async () => {
    const serverId = await build();
    const client = await followServerLive(first.current, serverId);
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'guildhall listen' and datname = current_database()`;
    for (let round = 0; round < 3; round += 1) {
      await query(first.current, cut);
      await storeSurvivalFrames(first.current.context, serverId, [npcDied()]);
    }
    const stored = await storedIds(serverId);
    await client.waitFor(({ id }) => id === stored.at(-1));
    expect(idsOf(client)).toEqual(stored);
    const { SurvivalServer } = first.current.context.models;
    await SurvivalServer.update({ name: "Renamed" }, { where: { id: serverId } });
    await query(first.current, cut);
    await client.waitFor(
      ({ event, data }) => event === "server" && Object(data).name === "Renamed",
    );
  });
});

describe("the streams of survival servers", () => {
  it("send the same events and states in two processes", async () => {
    const serverId = await build();
    const clients = await Promise.all(
      [first.current, second].map((on) => followServerLive(on, serverId)),
    );
    const marker = await flushFeed(first.current, serverId, clients[0] as StreamClient);
    await clients[1]?.waitFor(({ id }) => id === marker.id);
    const states = clients.map(({ blocks }) =>
      ["server", "online", "wipes", "live"].map(
        (event) => blocks.find((block) => block.event === event)?.data,
      ),
    );
    expect(states[0]).toEqual(states[1]);
    expect(clients.map(idsOf)).toEqual([[marker.id], [marker.id]]);
  });

  it("count toward the limit of an address together with other streams, even thirty at once", async () => {
    const server = await startAnother({ environment: { SSE_MAX_PER_IP: "30" } });
    const { id } = await buildSurvivalServer(server);
    const opened = await Promise.all(
      Array.from({ length: 40 }, () => followServer(server, id, { lastEventId: 0 })),
    );
    const greetings = await Promise.all(
      opened.map((client) => client.waitFor(({ event }) => event !== undefined)),
    );
    const admitted = opened.filter((_, at) => greetings[at]?.event === "hello");
    expect(admitted).toHaveLength(30);
    const reasons = greetings.filter(({ event }) => event === "bye").map(({ data }) => data);
    expect(reasons).toEqual(Array.from({ length: 10 }, () => ({ reason: "full" })));
    await storeSurvivalFrames(server.context, id, [npcDied()]);
    const { SurvivalEvent } = server.context.models;
    const newest = await SurvivalEvent.max("id");
    for (const client of admitted) await client.waitFor((block) => block.id === newest);
    expect(new Set(admitted.map((client) => idsOf(client).join()))).toEqual(
      new Set([String(newest)]),
    );
    const clients = /^guildhall_sse_clients\{stream="survival",rung="anonymous"\} (\d+)$/m;
    expect(await readMetric(server, clients)).toBe(30);
  });

  itInLongLane(
    "cut off a client that does not read, and continue to serve other clients",
    async () => {
      const server = await startAnother({ streams: { stallMs: 100, sweepMs: 20 } });
      const { id } = await buildSurvivalServer(server);
      const reader = await followServerLive(server, id);
      const deaf = await followServerLive(server, id);
      deaf.pause();
      const name = "x".repeat(64);
      const dropped = () =>
        readMetric(server, /^guildhall_sse_dropped_total\{reason="slow"\} (\d+)$/m);
      while ((await dropped()) === 0) {
        const frames = Array.from({ length: 500 }, () => npcDied({ name }));
        await storeSurvivalFrames(server.context, id, frames);
        const newest = await server.context.models.SurvivalEvent.max("id");
        await reader.waitFor((block) => block.id === newest);
      }
      const marker = await flushFeed(server, id, reader);
      expect(idsOf(reader).at(-1)).toBe(marker.id);
      expect(new Set(idsOf(reader)).size).toBe(feedOf(reader).length);
    },
  );
});
