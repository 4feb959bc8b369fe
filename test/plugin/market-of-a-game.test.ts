import { beforeAll, describe, expect, it } from "vitest";

import { marketKinds } from "../../shared/shard/kinds/market.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { ingestSourceOf } from "../support/factories/shard.ts";
import { makeShardKey } from "../support/plugin/linked-plugin.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";

const site = usePluginTestSite({ hasIngest: true });

beforeAll(async () => {
  await query(
    site.server,
    "insert into market_searches (user_id, name, query, term) values ($1, 'pearls', '{}', 'pearl')",
    site.admin.userId,
  );
});

const { example: vendor } = marketKinds["vendor.upsert"];
const t = 1_790_000_000_000;

/** Sends a complete market of one vendor. Waits until it is stored. */
async function sendMarket(of: TestPlugin, price: number): Promise<void> {
  const snapshotId = "1";
  const items = vendor.items.map((item) => ({ ...item, price }));
  const sent = await of.send([
    { kind: "market.snapshot.begin", t, payload: { snapshotId, pages: 1, count: 1 } },
    {
      kind: "market.snapshot.page",
      t,
      payload: { snapshotId, page: 1, rows: [{ ...vendor, items }] },
    },
    { kind: "market.snapshot.end", t, payload: { snapshotId } },
  ]);
  expect(sent.status).toBe(200);
  await waitUntil("the market is taken in", async () => {
    const { epoch, seq, stale } = await ingestSourceOf(site.server);
    return epoch === of.epoch && seq === of.head && !stale.includes("market");
  });
  const prices = "select distinct price from listings";
  expect(await query(site.server, prices)).toEqual([{ price }]);
}

/** Returns the number of listings that are queued for the matching of saved searches. */
const news = async () =>
  (await query<{ count: number }>(site.server, "select count(*)::integer from listing_news"))[0]
    ?.count;

describe("the first market snapshot of a plugin", () => {
  it("records no listing as new after a change of the linked game, and the next snapshot records new listings", async () => {
    await site.plugin.hello();
    await sendMarket(site.plugin, 100);
    expect(await news()).toBe(0);

    const other = new TestPlugin(site.server, await makeShardKey(site.server, site.admin));
    await other.hello();
    await sendMarket(other, 200);
    expect(await news()).toBe(0);

    const restarted = other.another();
    await restarted.hello();
    await sendMarket(restarted, 300);
    expect(await news()).toBe(vendor.items.length);
  });

  it("records no listing as new if another game uses the same key", async () => {
    await query(site.server, "truncate listing_news");
    await site.plugin.hello();
    await sendMarket(site.plugin, 400);
    const other = site.plugin.another();
    await other.hello({ server: { name: "Sosaria", version: "57.3" } });
    await sendMarket(other, 500);
    expect(await news()).toBe(0);
  });
});
