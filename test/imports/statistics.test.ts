import { Client, type QueryConfig } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { rows } from "../../shared/platform/db/rows.ts";
import type { SqlClient } from "../../shared/platform/db/sql.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { findSpawners } from "../../shared/shard/atlas/search/search.sql.ts";
import { replaceMarket } from "../../shared/shard/market/snapshot.ts";
import type { VendorUpsert } from "../../shared/shard/market/vendor-state.ts";
import { marketHandler } from "../../shared/shard/states/market.ts";
import type { StateEvent } from "../../shared/shard/states/state-event.ts";
import { smallWorld } from "../simulator/world/sizes.ts";
import { vendorRow } from "../simulator/world/vendors.ts";
import { type Artwork, startArtwork } from "./artwork.ts";

let art: Artwork;

beforeAll(async () => {
  const world = { ...smallWorld, vendors: 120, listings: 1_200 };
  art = await startArtwork({ simulator: { world } });
});
afterAll(() => art.stop());

/** Returns the tables that were analyzed since the last call, except by autovacuum. */
async function newlyAnalysed(): Promise<string[]> {
  const analysed = await art.rows<{ name: string; at: number }>(
    `select relname as name, at from pg_stat_user_tables
     cross join lateral (select extract(epoch from last_analyze)::float8 as at) analyzed
     where at > $1 and schemaname = 'public' order by relname`,
    [lastAnalyzedAt],
  );
  lastAnalyzedAt = Math.max(lastAnalyzedAt, ...analysed.map(({ at }) => at));
  return analysed.map(({ name }) => name);
}
/** When the last table of the last call was analyzed, in seconds. */
let lastAnalyzedAt = 0;

/** Returns the columns of a table that have statistics. */
const known = async (table: string): Promise<string[]> =>
  (
    await art.rows<{ name: string }>(
      "select attname as name from pg_stats where tablename = $1 order by attname",
      [table],
    )
  ).map(({ name }) => name);

const importNow = async (route: string): Promise<void> => {
  await newlyAnalysed();
  expect(await art.post(route, { approve: true })).toMatchObject({ status: "imported" });
};

describe("the update of the planner's statistics", () => {
  it("covers the tables of the atlas after an import", async () => {
    await importNow("/admin/shard/atlas/import");
    expect(await newlyAnalysed()).toEqual([
      "atlas_creatures",
      "atlas_entries",
      "atlas_facets",
      "atlas_rects",
      "atlas_regions",
      "atlas_spawners",
    ]);
    expect(await known("atlas_entries")).toEqual(["generation", "spawner_id", "type_key"]);
    const [stored] = await art.rows<{ generation: string; shown: number }>(
      `select most_common_vals::text as generation, state.generation as shown
       from pg_stats, atlas_state state where tablename = 'atlas_entries' and attname = 'generation'`,
    );
    expect(stored?.generation).toBe(`{${stored?.shown}}`);
  });

  it("covers the table of texts", async () => {
    await importNow("/admin/shard/clilocs/import");
    expect(await newlyAnalysed()).toEqual(["clilocs"]);
  });

  it("covers the tables of the picture catalog", async () => {
    await importNow("/admin/shard/assets/import");
    expect(await newlyAnalysed()).toEqual([
      "asset_images",
      "assets",
      "atlas_creatures",
      "creature_art",
    ]);
  });

  it("covers the tables of the pictures that the market needs", async () => {
    await art.plantListings([[3922, 0, 3]]);
    await newlyAnalysed();
    await art.post("/admin/shard/assets/warm");
    expect(await newlyAnalysed()).toEqual(["asset_images", "assets", "item_art"]);
  });

  it("covers the tables of a market that events about many vendors fill, but only once", async () => {
    const upserts = vendorUpserts().slice(0, 60);
    await newlyAnalysed();
    await applyUpserts(upserts.slice(0, 10));
    expect(await newlyAnalysed()).toEqual([]);
    await applyUpserts(upserts);
    expect(await newlyAnalysed()).toEqual(marketTables);
    await applyUpserts(upserts.map((upsert) => ({ ...upsert, items: [], total: 0 })));
    expect(await newlyAnalysed()).toEqual([]);
  });

  it("covers the tables of a market that a snapshot fills", async () => {
    const { sequelize } = art.shard.server.context;
    const upserts = vendorUpserts();
    await newlyAnalysed();
    await inTransaction(sequelize, (transaction) => replaceMarket(upserts, new Set(), transaction));
    expect(await newlyAnalysed()).toEqual(marketTables);
  });
});

const marketTables = [
  "listing_counts",
  "listing_labels",
  "listing_names",
  "listing_segments",
  "listings",
  "places",
  "vendors",
];

const vendorUpserts = (): VendorUpsert[] =>
  [...art.shard.simulator.world.vendors.values()].map(vendorRow) as unknown as VendorUpsert[];

/** Applies upserts of vendors as one batch of events. */
async function applyUpserts(upserts: readonly VendorUpsert[]): Promise<void> {
  const events = upserts.map((payload, id) => {
    const frame = { kind: "vendor.upsert" } as StateEvent["frame"];
    return { id, frame, payload: { ...payload } };
  });
  // A connection of the pool names its prepared statements in another way.
  const client = new Client(art.shard.server.database.url);
  await client.connect();
  await client.query("begin");
  await marketHandler.apply(events, client, "shard");
  await client.query("commit");
  await client.end();
}

interface PlanNode {
  readonly "Subplan Name"?: string;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe("the query for a page of the atlas", () => {
  it("reads the creatures of its spawners once, even if the planner expects a single row", async () => {
    const { sequelize, models } = art.shard.server.context;
    const { generation } = await models.AtlasState.read();
    const { facets } = await art.get("/public/atlas");
    const { name } = (facets as { name: string; spawners: number }[]).reduce((one, other) =>
      other.spawners > one.spawners ? other : one,
    );
    const asked: QueryConfig[] = [];
    const recording = {
      query: (config: QueryConfig) => {
        asked.push(config);
        return Promise.resolve({ rows: [] });
      },
    } as unknown as SqlClient;
    await findSpawners({ generation, facet: name, limit: 1_000, offset: 0 }, recording);
    const { text = "", values } = asked[0] ?? {};
    expect(await rows(sequelize, text, values)).not.toHaveLength(1);
    // Delete the statistics, as they were before the first import.
    await sequelize.query("delete from pg_statistic where starelid::regclass::text ~ '^atlas_'");
    const explained = await rows<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      sequelize,
      `explain (analyze, format json) ${text}`,
      values,
    );
    const nodes = explained.flatMap((row) => nodesOf(row["QUERY PLAN"][0].Plan));
    const looks = nodes.filter((node) => node["Subplan Name"] === "CTE spawning");
    expect(looks.map((node) => node["Actual Loops"])).toEqual([1]);
  });
});
