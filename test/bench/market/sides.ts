import { Client } from "pg";

import type { VendorUpsert } from "../../../shared/shard/market/vendor-state.ts";
import { withMarketWriter } from "../../../shared/shard/market/writer.ts";
import { startServiceProcess } from "../parts/processes.ts";
import { BenchProgram } from "../parts/remote.ts";
import { upsertFloorVendor } from "./floor.ts";
import { type MarketSize, buildBenchVendor } from "./world.ts";

/** One side of the comparison: a market with its HTTP server and its writer. */
export interface Side {
  readonly origin: string;
  /** Stores upserts of several vendors, each with one new price, in one transaction. */
  readonly reprice: (upserts: readonly VendorUpsert[]) => Promise<void>;
  /** Returns upserts that differ from the stored rows. */
  readonly nextUpserts: (count: number) => VendorUpsert[];
  readonly stop: () => Promise<void>;
}

export async function ourSide(size: MarketSize, databaseUrl: string): Promise<Side> {
  const web = await startServiceProcess("web", databaseUrl, { RL_MARKET_MAX: "1000000" });
  const write: Write = async (upserts, client) => {
    await withMarketWriter(client, (writer) => writer.upsert(upserts));
  };
  return startSide({ origin: web.url, stop: () => web.stop(), write }, size, databaseUrl);
}

export async function floorSide(size: MarketSize, databaseUrl: string): Promise<Side> {
  const environment = { ...process.env, DATABASE_URL: databaseUrl };
  const remote = await BenchProgram.start("market/floor-process.ts", environment);
  const origin = await remote.call<string>("listen");
  const write: Write = async (upserts, client) => {
    for (const upsert of upserts) await upsertFloorVendor(upsert, client);
  };
  return startSide({ origin, stop: () => remote.stop(), write }, size, databaseUrl);
}

type Write = (upserts: readonly VendorUpsert[], client: Client) => Promise<void>;

interface Served extends Pick<Side, "origin" | "stop"> {
  readonly write: Write;
}

async function startSide(
  { origin, stop, write }: Served,
  size: MarketSize,
  databaseUrl: string,
): Promise<Side> {
  const client = new Client(databaseUrl);
  await client.connect();
  return {
    origin,
    nextUpserts: repriced(size),
    reprice: async (upserts) => {
      await client.query("begin");
      await write(upserts, client);
      await client.query("commit");
    },
    stop: async () => {
      await client.end();
      await stop();
    },
  };
}

/** Returns a function that gives the next upserts: each raises one price of the next vendor. */
function repriced(size: MarketSize): Side["nextUpserts"] {
  let next = 0;
  const one = (): VendorUpsert => {
    const index = next % size.vendors;
    const raised = Math.floor(next++ / size.vendors) + 1;
    const upsert = buildBenchVendor(index, size);
    const items = upsert.items.map((item, place) =>
      place === index % size.listingsEach ? { ...item, price: item.price + raised } : item,
    );
    return { ...upsert, items };
  };
  return (count) => Array.from({ length: count }, one);
}
