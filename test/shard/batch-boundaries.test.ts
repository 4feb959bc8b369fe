import * as fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { EventFrame, StreamFrame } from "../../shared/platform/bridge/frames.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import {
  acquireSourceOwnership,
  type SourceOwnership,
} from "../../shared/platform/ingest/ownership.ts";
import { createLogger, type Logger } from "../../shared/platform/log.ts";
import {
  type PgBossClient,
  createPgBoss,
  createQueue,
  type Queue,
} from "../../shared/platform/queue/queue.ts";
import { type ShardKindName, kindNames } from "../../shared/shard/kinds/kinds.ts";
import { liveStates, tablesOf } from "../../shared/shard/kinds/live-states.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { testEnvironment } from "../support/service/server.ts";
import { storeShardBatch } from "../support/shard/ingest.ts";
import { anyFrames } from "./frame-arbitraries.ts";
import { samples } from "./samples.ts";

const log = createLogger("test", "silent");

/** A database into which ingest stores frames, and the notifications that ingest sends. */
interface Store {
  readonly database: TestDatabase;
  readonly owner: SourceOwnership;
  readonly sql: Client;
  readonly notified: string[];
  readonly boss: PgBossClient;
  readonly queue: Queue;
  readonly log: Logger;
}

let together: Store;
let apart: Store;

beforeAll(async () => {
  [together, apart] = await Promise.all([openStore(), openStore()]);
});
afterAll(async () => {
  for (const { owner, sql, database, boss } of [together, apart].filter(Boolean)) {
    await owner.release();
    await boss.stop({ graceful: false });
    await sql.end();
    await database.drop();
  }
});

async function openStore(): Promise<Store> {
  const database = await createTestDatabase();
  const signal = new AbortController().signal;
  const owner = await acquireSourceOwnership({ url: database.url, source: "shard", log, signal });
  const sql = new Client(database.url);
  await sql.connect();
  const notified: string[] = [];
  sql.on("notification", ({ payload = "" }) => notified.push(payload));
  await sql.query("listen shard_events");
  await sql.query(
    `insert into users (username, username_key, role)
     select name, name, 'player' from unnest(array['one', 'two']) as name`,
  );
  const boss = createPgBoss(loadConfig(testEnvironment(database.url)), log);
  await boss.start();
  return { database, owner, sql, notified, boss, queue: createQueue(boss), log };
}

/** Tables that have rows even without events, each with the statement that resets it. */
const lasting: Readonly<Record<string, string>> = {
  market_meta: "update market_meta set vendors = 0, items = 0",
  ingest_sources: `update ingest_sources set epoch = null, seq = null, boot_id = null, stale = '{}',
    received = 0, duplicates = 0, rejected = 0, gaps = 0, unknown_links = 0`,
  listing_counts: "select recount_listings()",
  listing_segments: "select recount_listings()",
};

const stateTables = Object.values(liveStates).flatMap(tablesOf);

/** The other tables that ingest writes. */
const otherTables = [
  "shard_events",
  "rejected_frames",
  "snapshots",
  "snapshot_pages",
  "snapshot_touched",
  "pushes",
  "event_news",
  "account_changes",
];

/** Tables that events fill but that are not compared, by reason. */
const passedOver: Readonly<Record<string, string>> = {
  push_deliveries: "made of pushes by a job, and emptied with them",
  webhook_deliveries: "made of pushes by a job, and emptied with them",
  appeals: "made by people, and emptied with the punishments",
  appeal_messages: "made by people, and emptied with the appeals",
  event_news_sources: "the numbers of news, which the news name",
};

const emptied = [...new Set([...stateTables, ...otherTables, ...Object.keys(passedOver)])].filter(
  (table) => !Object.hasOwn(lasting, table),
);

async function empty({ sql, notified }: Store): Promise<void> {
  await sql.query(`truncate ${emptied.join(", ")} restart identity`);
  for (const reset of Object.values(lasting)) await sql.query(reset);
  notified.length = 0;
}

/**
 * CATALOGUE of queries that read all stored data. Times of the service and generated ids are left
 * out.
 */
const everything = {
  events: `select id - first_value(id) over (order by id) > 0 as later, epoch, seq, event_key,
    boot_id, kind, t, payload, reach from shard_events order by id`,
  rejected: "select reason, kind, excerpt, detail from rejected_frames order by id",
  source: `select epoch, seq, boot_id, stale, received, duplicates, rejected, gaps, unknown_links
    from ingest_sources`,
  facts: "select name, value, t from shard_facts order by name",
  links: "select account_key, account, user_id, linked_at from shard_links order by 1",
  counts: `select coalesce(map || region, key::text) as counted, listings
    from listing_counts left join places on counted = 'place' and id = key
    where listings > 0 order by 1`,
  segments: "select * from listing_segments order by sort, key, serial",
  online: "select * from online_characters order by serial",
  houses: "select serial, state, t from houses order by serial",
  points: "select system, state, t from points_boards order by system",
  guilds: "select guild_id, state, t from guilds order by guild_id",
  governors: "select city, state, t from governors order by city",
  snapshots: "select * from snapshots order by family",
  pages: "select * from snapshot_pages order by family, page",
  touched: "select * from snapshot_touched order by family, key",
  vendors: `select serial, fingerprint, listed, shop_name, places.map, places.region, count, total
    from vendors left join places on place_id = places.id order by serial`,
  listings: `select vendor_serial, listings.serial, price, amount, listings.search_name, key, listings
    from listings join listing_names using (label_id) join listing_labels on label_id = id
    order by vendor_serial, serial`,
  market: "select vendors, items from market_meta",
  punishments: `select account_key, account, reason, issuer_name, ended_at is null as stands
    from punishments order by id`,
  accountChanges: "select subject from account_changes order by subject",
  pushes: "select stream, event_key, user_id from pushes order by stream, event_key",
  news: `select source, number, trigger, event_key, t, variables from event_news
    order by source, number`,
} as const;

async function stored({ sql }: Store): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [what, text] of Object.entries(everything)) {
    found[what] = (await sql.query(text)).rows;
  }
  return found;
}

/** The tables that these tests compare. */
const compared = new Set(
  Object.values(everything).flatMap((text) =>
    [...text.matchAll(/\b(?:from|join) (\w+)/g)].map(([, table = ""]) => table),
  ),
);

/** Returns the newest event whose id a notification contained. Listeners read the stored events up to this id. */
async function lastTold({ sql, notified }: Store): Promise<unknown> {
  // This notification arrives after all earlier ones.
  await sql.query("select pg_notify('shard_events', 'marker')");
  const last = notified.slice(0, notified.indexOf("marker")).at(-1);
  const { rows } = await sql.query("select kind, seq from shard_events where id = $1", [
    last ? (JSON.parse(last) as { lastId: number }).lastId : 0,
  ]);
  return rows;
}

/** Splits frames into batches of these sizes, repeated as needed. */
function cut(frames: readonly StreamFrame[], sizes: readonly number[]): StreamFrame[][] {
  const batches: StreamFrame[][] = [];
  for (let from = 0, at = 0; from < frames.length; at++) {
    const size = sizes[at % sizes.length] ?? 1;
    batches.push(frames.slice(from, from + size));
    from += size;
  }
  return batches;
}

async function storeCut(
  frames: readonly StreamFrame[],
  sizes: readonly number[],
  store: Store,
): Promise<void> {
  await empty(store);
  for (const batch of cut(frames, sizes)) await storeShardBatch(batch, store.owner, store);
}

async function expectSame(
  frames: readonly StreamFrame[],
  sizes: readonly number[],
): Promise<Record<string, unknown[]>> {
  await Promise.all([storeCut(frames, sizes, together), storeCut(frames, [1], apart)]);
  const [inBatches, oneByOne] = await Promise.all([stored(together), stored(apart)]);
  expect(inBatches).toEqual(oneByOne);
  expect(await lastTold(together)).toEqual(await lastTold(apart));
  return inBatches;
}

let seq = 0;
const frame = (
  kind: ShardKindName,
  payload: object = samples[kind],
  eventKey?: string,
): StreamFrame => ({
  type: "event",
  epoch: "epoch-0",
  seq: ++seq,
  bootId: null,
  eventKey: eventKey ?? null,
  kind,
  // A time in the future, because events that are too old are not pushed.
  t: 4_000_000_000_000,
  replay: false,
  payload: payload as never,
});
const house = (stage: string) => ({ ...samples["house.decay"], stage });
const reachOf = (kind: string, found: Record<string, unknown[]>): unknown[] =>
  (found["events"] as { kind: string; reach: string }[])
    .filter((event) => event.kind === kind)
    .map(({ reach }) => reach);

/** Returns a checksum of the rows of each table. */
async function readSums({ sql }: Store): Promise<Map<string, string>> {
  const { rows: tables } = await sql.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       and relkind in ('r', 'p') and not relispartition`,
  );
  const sums = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql.query<{ sum: string }>(
      `select md5(coalesce(string_agg(one::text, ',' order by one::text), '')) as sum from ${name} one`,
    );
    sums.set(name, rows[0]?.sum ?? "");
  }
  return sums;
}

describe("the list of tables that these tests compare", () => {
  it.each(Object.entries(liveStates))(
    "includes every table of the live state %s",
    (_name, state) => {
      expect(tablesOf(state).filter((table) => !compared.has(table))).toEqual([]);
    },
  );

  it("includes every table that events of any kind write, except for listed exceptions", async () => {
    await empty(together);
    const before = await readSums(together);
    const frames = kindNames.map((kind) => frame(kind));
    const again = kindNames.map((kind) => frame(kind));
    await storeCut([...frames, ...again], [1_000], together);
    const after = await readSums(together);
    const written = [...after].filter(([name, sum]) => before.get(name) !== sum);
    const names = written.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(["shard_events", "houses", "listings"]));
    expect(names.filter((name) => !compared.has(name) && !passedOver[name])).toEqual([]);
    expect(names.filter((name) => !emptied.includes(name) && !lasting[name])).toEqual([]);
  });
});

describe("frames of one batch are stored as if each frame were stored alone", () => {
  it("for any frames and any batch boundaries", async () => {
    const anySizes = fc.oneof(
      fc.constant([1_000]),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
    );
    const same = fc.asyncProperty(anyFrames, anySizes, async (frames, sizes) => {
      await expectSame(frames, sizes);
    });
    await expect(fc.assert(same, { numRuns: 30 })).resolves.toBeUndefined();
  });

  it("a house about to collapse (IDOC) that is removed repeatedly is announced once", async () => {
    const removals = Array.from({ length: 5 }, () => frame("house.removed"));
    const found = await expectSame([frame("house.decay"), ...removals], [1_000]);
    expect(reachOf("house.removed", found)).toEqual(["public", ...Array(4).fill("staff")]);
  });

  it("a house that a snapshot reported as about to collapse (IDOC) is announced when it is removed", async () => {
    const parts = ["house.snapshot.begin", "house.snapshot.page", "house.snapshot.end"] as const;
    const frames = [...parts.map((kind) => frame(kind)), frame("house.removed")];
    const found = await expectSame(frames, [1_000]);
    expect(reachOf("house.removed", found)).toEqual(["public"]);
  });

  it("a house about to collapse (IDOC) is not announced when it is removed if a snapshot lacked it before", async () => {
    const frames = [
      frame("house.decay"),
      frame("house.snapshot.begin", { snapshotId: "s", pages: 0, count: 0 }),
      frame("house.snapshot.end", { snapshotId: "s" }),
      frame("house.removed"),
    ];
    expect(reachOf("house.removed", await expectSame(frames, [1_000]))).toEqual(["staff"]);
  });

  it("a stored decay event changes nothing when a new buffer repeats it", async () => {
    const frames = [
      frame("house.decay", house("IDOC"), "decayed"),
      frame("house.upsert", house("LikeNew")),
      frame("house.decay", house("IDOC"), "decayed"),
      frame("house.removed"),
    ];
    expect(reachOf("house.removed", await expectSame(frames, [1_000]))).toEqual(["staff"]);
  });

  it("logins are public while the account is linked, and not before or after", async () => {
    const login = () => frame("presence.login");
    const linked = frame("account.linked", { acct: "MAPLE", webId: 1 });
    const unlinked = frame("account.unlinked", { acct: "maple" });
    const frames = [login(), linked, login(), unlinked, login()];
    const found = await expectSame(frames, [1_000]);
    expect(reachOf("presence.login", found)).toEqual(["staff", "public", "staff"]);
  });

  it("a user is notified of sign-ins while the account is linked, and not before or after", async () => {
    const login = () => frame("account.login");
    const linked = frame("account.linked", { acct: "MAPLE", webId: 1 });
    const unlinked = frame("account.unlinked", { acct: "maple" });
    const met = login();
    const frames = [login(), linked, met, unlinked, login()];
    const { pushes } = await expectSame(frames, [1_000]);
    const { epoch, seq: place } = met as EventFrame;
    expect(pushes).toEqual([
      { stream: "account.login", event_key: `shard at ${epoch} ${place}`, user_id: 1 },
    ]);
  });

  it("a house that becomes IDOC twice is announced twice, even if its frames name no former stage", async () => {
    const fall = () => frame("house.decay", { ...house("IDOC"), from: null, to: null });
    const frames = [fall(), fall(), frame("house.upsert", house("LikeNew")), fall()];
    const { pushes } = await expectSame(frames, [1_000]);
    expect(pushes).toHaveLength(2);
  });
});

describe("a batch of frames", () => {
  const transactionsOf = async (frames: readonly StreamFrame[]): Promise<number> => {
    await storeCut(frames, [1_000], together);
    await lastTold(together);
    return together.notified.filter((told) => told !== "marker").length;
  };
  const login = (acct: string) => frame("account.login", { ...samples["account.login"], acct });

  it("is stored in one transaction if it changes links only of accounts without earlier events in the batch", async () => {
    const linked = frame("account.linked", { acct: "maple", webId: 1 });
    const unlinked = frame("account.unlinked", { acct: "oak" });
    expect(await transactionsOf([login("birch"), linked, login("maple"), unlinked])).toBe(1);
  });

  it("is split before a change of a link whose account has an earlier event in the batch", async () => {
    const linked = frame("account.linked", { acct: "maple", webId: 1 });
    expect(await transactionsOf([login("birch"), login("Maple"), linked, login("birch")])).toBe(2);
  });
});
