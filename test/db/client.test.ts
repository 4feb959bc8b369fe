import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createClientClass } from "../../shared/platform/db/connection/client.ts";
import { firstRow } from "../../shared/platform/db/rows.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { startMuteProxy } from "../support/network/mute-proxy.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const timeZoneOf = async (connectionString: string): Promise<unknown> => {
  const Pooled = createClientClass({ statementMs: 10_000, isPooled: true });
  const client = new Pooled({ connectionString });
  await client.connect();
  try {
    return await firstRow(client, "select current_setting('TimeZone') as zone");
  } finally {
    await client.end();
  }
};

describe("a connection behind a transaction pooler", () => {
  it("sets its time zone to UTC when it connects, even if its URL names another zone", async () => {
    const url = new URL(database.url);
    url.searchParams.set("options", "-c TimeZone=Asia/Tokyo");
    expect(await timeZoneOf(url.href)).toEqual({ zone: "UTC" });
  });
});

describe("a connection that is closed while it is still connecting", () => {
  it("fails at once instead of waiting for the server", async () => {
    const proxy = await startMuteProxy(database.url);
    proxy.muteAll();
    const Own = createClientClass({ statementMs: 10_000 });
    const client = new Own({ connectionString: proxy.url });
    const connecting = client.connect();
    const ended = client.end();
    await expect(connecting).rejects.toThrow("the connection was ended");
    await ended;
    await proxy.stop();
  });
});
