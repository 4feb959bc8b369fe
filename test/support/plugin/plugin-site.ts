import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

import { type SignedIn, signIn } from "../accounts/sign-in.ts";
import { query } from "../database/query.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../service/server.ts";
import { startTestIngest, type TestIngest } from "../shard/ingest.ts";
import { forgetPlugins, linkShardPlugin } from "./linked-plugin.ts";
import type { TestPlugin } from "./test-plugin.ts";

/** A site whose shard is linked by a plugin. */
export interface PluginTestSite {
  readonly server: TestServer;
  readonly admin: SignedIn;
  /** The plugin of the test that is running. */
  readonly plugin: TestPlugin;
  /** The ingest of the test that is running. */
  readonly ingest: TestIngest;
  /** Stops the running ingest and starts another one. */
  startIngest(): Promise<void>;
}

interface PluginSiteOptions extends TestServerOptions {
  /** True if the plugin says hello before each test. */
  readonly saysHello?: boolean;
  /** True if ingest runs from the start of each test. */
  readonly hasIngest?: boolean;
}

/**
 * Starts a site for the tests of a file. Each test gets a plugin with a new key. No events and
 * commands of earlier tests are left.
 */
export function usePluginTestSite(options: PluginSiteOptions = {}): PluginTestSite {
  const { saysHello = false, hasIngest = false, ...ofServer } = options;
  const started: {
    server?: TestServer;
    admin?: SignedIn;
    plugin?: TestPlugin;
    ingest?: TestIngest;
  } = {};
  const site: PluginTestSite = {
    get server() {
      return running(started.server);
    },
    get admin() {
      return running(started.admin);
    },
    get plugin() {
      return running(started.plugin);
    },
    get ingest() {
      return running(started.ingest);
    },
    async startIngest() {
      await started.ingest?.stop();
      started.ingest = await startTestIngest(site.server.context);
    },
  };
  beforeAll(async () => {
    started.server = await startTestServer(ofServer);
    started.admin = await signIn(started.server, { role: "admin" });
  });
  afterAll(() => started.server?.stop());
  beforeEach(async () => {
    await query(site.server, "delete from shard_events");
    await query(site.server, "delete from rejected_frames");
    started.plugin = await linkShardPlugin(site.server, site.admin);
    if (hasIngest) await site.startIngest();
    if (saysHello) await site.plugin.hello();
  });
  afterEach(async () => {
    await started.ingest?.stop();
    delete started.ingest;
    await forgetPlugins(site.server);
  });
  return site;
}

function running<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("it is used before it was started");
  return part;
}
