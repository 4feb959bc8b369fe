import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { marketKinds } from "../../shared/shard/kinds/market.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { until } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { ingestSourceOf } from "../support/factories/shard.ts";
import { forgetPlugins, linkShardPlugin, makeShardKey } from "../support/plugin/linked-plugin.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";

let server: TestServer;
let admin: SignedIn;
let plugin: TestPlugin;
let ingest: TestIngest;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  await query(
    server,
    "insert into market_searches (user_id, name, query, term) values ($1, 'pearls', '{}', 'pearl')",
    admin.userId,
  );
});
afterAll(() => server.stop());
beforeEach(async () => {
  plugin = await linkShardPlugin(server, admin);
  ingest = await startTestIngest(server.context);
});
afterEach(async () => {
  await ingest.stop();
  await forgetPlugins(server);
});

const { example: vendor } = marketKinds["vendor.upsert"];
const t = 1_790_000_000_000;

/** Sends the whole market of a game, of one vendor, and waits until it is taken in. */
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
  await until("the market is taken in", async () => {
    const { epoch, seq, stale } = await ingestSourceOf(server);
    return epoch === of.epoch && seq === of.head && !stale.includes("market");
  });
  const prices = "select distinct price from listings";
  expect(await query(server, prices)).toEqual([{ price }]);
}

/** Listings that were noted as new or changed for saved searches. */
const news = async () =>
  (await query<{ count: number }>(server, "select count(*)::integer from listing_news"))[0]?.count;

describe("the first market of a plugin", () => {
  it("is no news where another game was linked before, and its next one is", async () => {
    await plugin.hello();
    await sendMarket(plugin, 100);
    expect(await news()).toBe(0);

    const other = new TestPlugin(server, await makeShardKey(server, admin));
    await other.hello();
    await sendMarket(other, 200);
    expect(await news()).toBe(0);

    const restarted = other.another();
    await restarted.hello();
    await sendMarket(restarted, 300);
    expect(await news()).toBe(vendor.items.length);
  });

  it("is no news where another game has the same key", async () => {
    await query(server, "truncate listing_news");
    await plugin.hello();
    await sendMarket(plugin, 400);
    const other = plugin.another();
    await other.hello({ server: { name: "Sosaria", version: "57.3" } });
    await sendMarket(other, 500);
    expect(await news()).toBe(0);
  });
});
