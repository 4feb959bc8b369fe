import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ensureFirstAdmin } from "../../jobs/commands/accounts/first-admin.ts";
import { LaunchError } from "../../jobs/commands/launch/launch-error.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import {
  readSidecarLinkConfig,
  saveSidecarLinkConfig,
  type SidecarLinkChange,
} from "../../shared/shard/staff/sidecar-link-config.ts";
import { findAdmin } from "../demo/accounts.ts";
import { linkShard } from "../demo/shard.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startTestServer();
  await ensureFirstAdmin(server.context);
  admin = await findAdmin(server.context);
});
afterAll(() => server?.stop());

const demo = { baseUrl: "http://127.0.0.1:1", wsUrl: "ws://127.0.0.1:1/v1/stream", token: "x" };
const remote = { baseUrl: "http://shard.example.org", wsUrl: "ws://shard.example.org/v1/stream" };

const before = (change: SidecarLinkChange) => saveSidecarLinkConfig(change, admin, server.context);

describe("the link of the demo to its shard", () => {
  it.each<[string, SidecarLinkChange]>([
    ["was turned off", { kind: "sidecar", ...remote, token: "y", enabled: false }],
    [
      "reads the status packet of a game on this machine",
      { kind: "status", statusHost: "127.0.0.1", enabled: true },
    ],
    ["belongs to a plugin that never called", { kind: "plugin", enabled: true }],
  ])("replaces a former link that %s", async (_, change) => {
    await before(change);
    await linkShard(demo, admin, server.context);
    const { baseUrl, wsUrl } = demo;
    const link = { kind: "sidecar", baseUrl, wsUrl, enabled: true, hasToken: true, statusHost: "" };
    expect(await readSidecarLinkConfig(server.context)).toMatchObject(link);
  });

  it.each<[string, SidecarLinkChange]>([
    ["shard.example.org", { kind: "sidecar", ...remote, token: "y", enabled: true }],
    ["play.example.org", { kind: "status", statusHost: "play.example.org", enabled: true }],
  ])("keeps a former link to %s and names that host in the error", async (host, change) => {
    await before(change);
    const started = linkShard(demo, admin, server.context);
    await expect(started).rejects.toThrow(LaunchError);
    await expect(started).rejects.toThrow(`${host}: the demo needs a database of its own`);
    expect(await readSidecarLinkConfig(server.context)).toMatchObject(
      change.statusHost ? change : { ...remote },
    );
  });

  it("keeps a former plugin link if the plugin has called the site", async () => {
    await before({ kind: "plugin", enabled: true });
    const { PluginKey } = server.context.models;
    const digest = Buffer.alloc(32, 7);
    await PluginKey.create({ source: "shard", digest, lastUsedAt: new Date() });
    await expect(linkShard(demo, admin, server.context)).rejects.toThrow(
      "a shard whose plugin has called it",
    );
    expect(await readSidecarLinkConfig(server.context)).toMatchObject({
      kind: "plugin",
      enabled: true,
    });
  });
});
