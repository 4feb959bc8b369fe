import type { Client } from "pg";

import { createShardSource } from "../../../shared/shard/ingest/shard-source.ts";
import { replaceMarket } from "../../../shared/shard/market/snapshot.ts";
import {
  buildBenchVendor,
  clilocTexts,
  commonTerms,
  type MarketSize,
  variedTerms,
  vendorsOf,
} from "../market/world.ts";
import { storeBurst } from "./burst.ts";
import { type DomainWriter, type PathDrawer, pathOf, type WritableSite } from "./site.ts";

const sizeOf = ({ isShort }: Pick<WritableSite, "isShort">): MarketSize => ({
  vendors: isShort ? 200 : 2_000,
  listingsEach: 25,
});

/** Fills the market from a full snapshot. */
export const writeMarketSnapshot: DomainWriter = async (site) => {
  const { client } = site;
  const size = sizeOf(site);
  await insertTexts(client);
  await client.query("begin");
  await replaceMarket(vendorsOf(size), new Set(), client);
  await client.query("commit");
  return buildReads(size);
};

/** Fills the market with events about single vendors, as they arrive while a game runs. */
export const writeMarketEvents: DomainWriter = async (site) => {
  const size = sizeOf(site);
  await insertTexts(site.client);
  const events = Array.from(vendorsOf(size), (payload) => ({
    kind: "vendor.upsert",
    payload: { ...payload },
  }));
  await storeBurst(events, createShardSource(site.context), site);
  return buildReads(size);
};

async function insertTexts(client: Client): Promise<void> {
  await client.query("insert into clilocs select * from unnest($1::integer[], $2::text[])", [
    clilocTexts.map(([number]) => number),
    clilocTexts.map(([, text]) => text),
  ]);
}

const buildReads = (size: MarketSize): Readonly<Record<string, PathDrawer>> => ({
  "a search": (random) => {
    const [q = "a"] = variedTerms(1, size, random.uuid());
    return pathOf("shard/market", { q });
  },
  "a search in a price range": (random) => {
    const minPrice = random.logNormal(2_000, 1.5);
    const maxPrice = minPrice * random.int(2, 20);
    return pathOf("shard/market", { q: random.pick(commonTerms), minPrice, maxPrice });
  },
  "the offers of a town": (random) => {
    const [region, sort] = [random.pick(["Luna", "Britain", "Zento"]), "recent"];
    return pathOf("shard/market", { region, sort, maxPrice: random.logNormal(20_000, 1.5) });
  },
  "a vendor": (random) => {
    const { vendor } = buildBenchVendor(random.int(0, size.vendors - 1), size);
    return pathOf(`shard/market/vendors/${vendor.serial}`);
  },
});
