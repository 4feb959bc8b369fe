import { Client } from "pg";

import { upsertVendors } from "../../../shared/shard/market/upsert.ts";
import type { VendorUpsert } from "../../../shared/shard/market/vendor-state.ts";
import { floorUpsert } from "./floor.ts";
import { serve } from "./served.ts";
import { type MarketSize, vendorAt } from "./world.ts";

/** What is measured: a market behind HTTP, and its writer. */
export interface Side {
  readonly origin: string;
  /** Stores upserts of so many vendors, each with one price changed, in one transaction. */
  readonly reprice: (upserts: readonly VendorUpsert[]) => Promise<void>;
  /** Upserts that were not stored before. */
  readonly nextUpserts: (count: number) => VendorUpsert[];
  readonly stop: () => Promise<void>;
}

export const ourSide = (size: MarketSize, databaseUrl: string): Promise<Side> =>
  startSide("ours", size, databaseUrl, async (upserts, client) => {
    await upsertVendors(upserts, client);
  });

export const floorSide = (size: MarketSize, databaseUrl: string): Promise<Side> =>
  startSide("floor", size, databaseUrl, async (upserts, client) => {
    for (const upsert of upserts) await floorUpsert(upsert, client);
  });

type Write = (upserts: readonly VendorUpsert[], client: Client) => Promise<void>;

async function startSide(
  name: "ours" | "floor",
  size: MarketSize,
  databaseUrl: string,
  write: Write,
): Promise<Side> {
  const served = await serve(name, databaseUrl);
  const client = new Client(databaseUrl);
  await client.connect();
  return {
    origin: served.origin,
    nextUpserts: repriced(size),
    reprice: async (upserts) => {
      await client.query("begin");
      await write(upserts, client);
      await client.query("commit");
    },
    stop: async () => {
      await client.end();
      await served.stop();
    },
  };
}

/** Vendor after vendor, one price of each higher than it was the last time round. */
function repriced(size: MarketSize): Side["nextUpserts"] {
  let next = 0;
  const one = (): VendorUpsert => {
    const index = next % size.vendors;
    const raised = Math.floor(next++ / size.vendors) + 1;
    const upsert = vendorAt(index, size);
    const items = upsert.items.map((item, place) =>
      place === index % size.listingsEach ? { ...item, price: item.price + raised } : item,
    );
    return { ...upsert, items };
  };
  return (count) => Array.from({ length: count }, one);
}
