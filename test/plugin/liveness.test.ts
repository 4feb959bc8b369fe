import { describe, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { callRoute } from "../support/http/call.ts";
import { usePluginTestSite } from "../support/plugin/plugin-site.ts";

const site = usePluginTestSite({ hasIngest: true });

interface Status {
  readonly status: string;
  readonly pluginConnected: boolean;
  readonly onlineCount: number;
}

const shown = async () => (await callRoute(site.server, "GET /public/shard/status")).body as Status;

const statusIs = (status: string) =>
  waitUntil(`the link is ${status}`, async () => (await shown()).status === status);

const online = (count: number) => ({
  kind: "presence.online",
  t: 1_790_000_000_000,
  payload: { count, byMap: { Felucca: count }, byRegion: {}, players: [] },
});

/** Makes the plugin count as silent from now on, as after forty seconds without a call. */
const silence = () => query(site.server, "update plugin_sessions set alive_until = now()");

describe("the link to a plugin", () => {
  it("is reconnecting until the plugin calls, and then connected", async () => {
    await statusIs("reconnecting");
    await site.plugin.hello();
    await statusIs("connected");
    expect(await shown()).toMatchObject({ pluginConnected: true });
  });

  it("requests all states after a gap, even if the plugin has no capability named links", async () => {
    site.plugin.capabilities = ["towncrier"];
    await site.plugin.hello();
    await site.plugin.send([online(1)]);
    await waitUntil("the event is stored", async () => (await shown()).onlineCount === 1);
    await query(site.server, "update plugin_sessions set resync_told_at = null");
    site.plugin.head += 4;
    const gap = { from: 2, to: 4, reason: "the buffer was full" };
    expect((await site.plugin.send([{ seq: 5, ...online(2) }], { gap })).status).toBe(200);
    const [asked] = await site.plugin.take();
    expect(asked).toMatchObject({
      call: "POST /v1/resync",
      body: { families: expect.arrayContaining(["market", "house"]) as string[] },
    });
  });

  it("is reconnecting and shows nobody online while the plugin is silent, and is connected after the next call of the plugin", async () => {
    await site.plugin.hello();
    await site.plugin.send([online(3)]);
    await waitUntil("three are online", async () => (await shown()).onlineCount === 3);
    await silence();
    await statusIs("reconnecting");
    expect(await shown()).toMatchObject({ pluginConnected: false, onlineCount: 0 });
    await site.plugin.wait(0);
    await statusIs("connected");
    await site.plugin.send([online(2)]);
    await waitUntil("two are online", async () => (await shown()).onlineCount === 2);
  });

  it("continues after the last stored event if another ingest process takes over", async () => {
    await site.plugin.hello();
    await site.plugin.send([online(3)]);
    await waitUntil("three are online", async () => (await shown()).onlineCount === 3);
    await site.ingest.stop();
    await site.plugin.send([online(4)]);
    await site.startIngest();
    await waitUntil("four are online", async () => (await shown()).onlineCount === 4);
    expect(await shown()).toMatchObject({ status: "connected", pluginConnected: true });
  });

  it("is disconnected if it has no key, even if the plugin was connected before", async () => {
    await site.plugin.hello();
    await statusIs("connected");
    await callRoute(site.server, "DELETE /admin/shardlink/plugin-key", {
      headers: site.admin.headers,
      body: {},
    });
    await statusIs("disconnected");
    expect(await shown()).toMatchObject({ enabled: true, pluginConnected: false });
  });
});
