import { defineModels } from "../../models/index.ts";
import type { Config } from "../platform/config/config.ts";
import type { Context } from "../platform/context.ts";
import {
  countNeededConnections,
  createConnectionPool,
} from "../platform/db/connection/connection.ts";
import { DatabaseWatch } from "../platform/db/connection/database-watch.ts";
import { directUrlOf } from "../platform/db/connection/session-settings.ts";
import { DatabaseWaiter } from "../platform/db/connection/start-wait.ts";
import { requireServerVersion } from "../platform/db/server.ts";
import { createLogger } from "../platform/log.ts";
import { createMail } from "../platform/net/mail.ts";
import { notify } from "../platform/notify/channels.ts";
import { Listener, type ListenOptions } from "../platform/notify/listener.ts";
import { WatchedValue } from "../platform/notify/live-value.ts";
import type { Stoppable } from "../platform/process/process.ts";
import {
  type PgBossClient,
  createPgBoss,
  createQueue,
  startPgBoss,
} from "../platform/queue/queue.ts";
import { defaultSettings, readSettings } from "../platform/settings/settings.ts";
import { defaultSiteMode, readSiteMode } from "../platform/settings/site-mode.ts";
import { AddressBanList } from "../platform/throttle/ban-list.ts";
import { RateLimits } from "../platform/throttle/rate-limits.ts";
import { RelayRegistry } from "../push/relay/relay.ts";
import { CharacterOwnerCache } from "../shard/owners/character-owners.ts";
import { ShardControlClient } from "../shard/sidecar/shard-control.ts";
import { mergeVisibility, readVisibilityOverrides } from "../shard/visibility/visibility.ts";
import { ServerControlClients } from "../survival/server-link.ts";
import { readSurvivalOverrides } from "../survival/visibility/visibility.ts";
import { HookServers } from "../webhooks/receiver/hook-server.ts";
import { awaitSchema } from "./schema.ts";
import type { SiteContext } from "./site-context.ts";

/** The context of a process, and the services that must be stopped when the process ends. */
export interface StartedContext {
  readonly context: SiteContext;
  readonly parts: Stoppable[];
}

export interface StartOptions {
  /** Timeout of a statement, if longer than the configured one. */
  readonly statementMs?: number | undefined;
  /** Options of the LISTEN connection. */
  readonly hearing?: Partial<ListenOptions> | undefined;
  readonly connections?: number;
}

/**
 * Connects the database, LISTEN, and a queue client that only enqueues. A worker adds a client that also
 * supervises queues.
 */
export async function startContext(
  config: Config,
  name: string,
  { statementMs, hearing, connections = countNeededConnections("web", config) }: StartOptions = {},
): Promise<StartedContext> {
  const log = createLogger(name, config.LOG_LEVEL);
  const sequelize = createConnectionPool(config, name, statementMs);
  const boss = createPgBoss(config, log);
  const listener = new Listener({
    url: directUrlOf(config),
    log,
    notify: (channel, payload) => notify(channel, payload, sequelize),
    ...hearing,
  });
  const database = new DatabaseWatch({ config, sequelize, listener, log });
  const models = defineModels(sequelize);
  const startWait = new DatabaseWaiter({ log, forMs: config.SCHEMA_WAIT, connections });
  const baseParts = { config, log, sequelize, database, startWait, models, listener };
  const parts = { ...baseParts, relays: new RelayRegistry(config) };
  const shard = new ShardControlClient(parts);
  const survival = new ServerControlClients(parts);
  const hookServers = new HookServers(config);
  const stoppable = [
    { name: "database", stop: () => sequelize.close() },
    { name: "queue", stop: () => boss.stop({ graceful: false }) },
    { name: "listener", stop: () => listener.stop() },
    { name: "database watch", stop: () => database.stop() },
    { name: "push relays", stop: () => parts.relays.close() },
    { name: "webhooks", stop: () => hookServers.close() },
    { name: "shard control", stop: () => shard.close() },
    { name: "survival controls", stop: () => survival.close() },
  ];
  const context: SiteContext = {
    ...parts,
    ...liveValues(parts),
    queue: createQueue(boss),
    shard,
    survival,
    hookServers,
    characterOwners: new CharacterOwnerCache(),
    rateLimits: new RateLimits(config, sequelize),
    bans: new AddressBanList(config, parts.models),
    mail: createMail(config),
  };
  await connectParts(context, boss);
  return { context, parts: stoppable };
}

/** Waits for the schema, then connects the services of the context. */
async function connectParts(context: SiteContext, boss: PgBossClient): Promise<void> {
  const { sequelize, startWait, listener } = context;
  await startWait.for(() => requireServerVersion(sequelize));
  await awaitSchema(sequelize, startWait);
  await startWait.for(() => startPgBoss(boss));
  await startWait.for(() => listener.start());
  const { visibility, survivalVisibility, siteMode, settings, shard } = context;
  const values = [visibility, survivalVisibility, siteMode, settings, shard];
  await startWait.for(() => Promise.all(values.map((value) => value.reload())));
}

type LiveParts = Pick<Context, "log" | "listener" | "models">;

/** Values that administrators change and that every process follows. */
function liveValues(
  parts: LiveParts,
): Pick<SiteContext, "visibility" | "survivalVisibility" | "siteMode" | "settings"> {
  const { models } = parts;
  return {
    visibility: new WatchedValue({
      channel: "visibility",
      read: async () => mergeVisibility(await readVisibilityOverrides(models)),
      initial: mergeVisibility({}),
      ...parts,
    }),
    survivalVisibility: new WatchedValue({
      channel: "visibility",
      read: () => readSurvivalOverrides(parts),
      initial: {},
      ...parts,
    }),
    siteMode: new WatchedValue({
      channel: "site_mode",
      read: () => readSiteMode({ models }),
      initial: defaultSiteMode,
      ...parts,
    }),
    settings: new WatchedValue({
      channel: "settings",
      read: () => readSettings({ models }),
      initial: defaultSettings,
      ...parts,
    }),
  };
}
