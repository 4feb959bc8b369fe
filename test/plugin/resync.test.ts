import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { buildPluginKey } from "../support/plugin/plugin-key.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let source: string;
let plugin: TestPlugin;
let ingest: Awaited<ReturnType<typeof startSurvivalIngest>>;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { id } = await buildSurvivalServer(server, { enabled: true, kind: "plugin" });
  source = sourceNameOf(id);
  plugin = new TestPlugin(server, await buildPluginKey(server, source));
  plugin.game = "rust";
  ingest = await startSurvivalIngest(server.context);
});
afterEach(() => ingest.stop());

/**
 * Sends an event after the hello. Waits until ingest has read both and no requested state is
 * missing.
 */
async function greeted(): Promise<unknown> {
  const resync = await resyncOf();
  const news = { kind: "server.heartbeat", t: 1_790_000_000_000, payload: {} };
  expect((await plugin.send([news])).status).toBe(200);
  await waitUntil("the event is read", async () => {
    const text = "select seq, boot_id, stale from ingest_sources where source = $1";
    const [row] = await query<Read>(server, text, source);
    return row?.seq === 1 && row.boot_id === plugin.bootId && row.stale.length === 0;
  });
  return resync;
}

interface Read {
  readonly seq: number | null;
  readonly boot_id: string | null;
  readonly stale: readonly string[];
}

const resyncOf = async (): Promise<unknown> =>
  ((await plugin.hello()).body as { resync: unknown }).resync;

const all = expect.arrayContaining(["server", "players"]) as unknown;

describe("the request for all states of a game server", () => {
  it("is repeated in the answer to a repeated hello", async () => {
    expect(await greeted()).toEqual(all);
    expect(await resyncOf()).toEqual(all);
  });

  it("is sent as a command after a gap, even if the last answer to a hello did not contain it", async () => {
    await greeted();
    await query(server, "update plugin_sessions set resync_told_at = null");
    expect(await resyncOf()).toEqual([]);
    plugin.head = 4;
    const gap = { from: 2, to: 4, reason: "the buffer was full" };
    expect((await plugin.send([], { gap })).body).toEqual({ seq: 4 });
    const [asked] = await plugin.take();
    expect(asked).toMatchObject({ call: "POST /v1/resync", body: { families: all } });
    await plugin.answer(asked?.id ?? "", 200, {});
  });
});

/**
 * Returns the event of a link code that was issued four minutes ago. The code expires in a minute.
 */
function code(hash: string) {
  const at = Date.now() - 4 * 60_000;
  const payload = { at, expiresAt: at + 5 * 60_000, salt: "00".repeat(8), hash };
  return { kind: "link.minted", t: at, payload };
}

const expiriesOfCodes = async (): Promise<number[]> => {
  const text = `select (extract(epoch from expires_at) * 1000)::float8 as ends
    from survival_link_codes order by expires_at`;
  return (await query<{ ends: number }>(server, text)).map(({ ends }) => ends);
};

describe("an event that a plugin sends while no ingest process runs", () => {
  it("expires at the time in the event, and an event sent later expires by its time of arrival", async () => {
    await ingest.stop();
    await plugin.hello();
    const early = code("11".repeat(32));
    expect((await plugin.send([early])).body).toEqual({ seq: 1 });
    ingest = await startSurvivalIngest(server.context);
    await waitUntil("the early code is stored", async () => (await expiriesOfCodes()).length === 1);
    const late = code("22".repeat(32));
    expect((await plugin.send([late])).body).toEqual({ seq: 2 });
    await waitUntil("the late code is stored", async () => (await expiriesOfCodes()).length === 2);
    const [first, second] = await expiriesOfCodes();
    expect(first).toBe(early.payload.expiresAt);
    expect(second).toBeGreaterThan(late.payload.expiresAt + 3 * 60_000);
  });
});
