import { defineModels } from "../models/index.ts";
import { BanList } from "./auth/ban-list.ts";
import { RateLimits } from "./auth/rate-limits.ts";
import type { Config } from "./config/config.ts";
import type { Context } from "./context.ts";
import { connect } from "./db/connection.ts";
import { Listener } from "./db/listen.ts";
import { createLogger } from "./log.ts";
import { createMail } from "./net/mail.ts";
import { HeardValue } from "./notify/heard-value.ts";
import { requireSchema } from "./ops/schema.ts";
import type { Stoppable } from "./process.ts";
import { createBoss, createQueue } from "./queue/queue.ts";
import { CharacterOwners } from "./shard/character-owners.ts";
import { ShardControl } from "./shard/shard-control.ts";
import { readVisibilityOverrides } from "./shard/visibility-store.ts";
import { mergeVisibility } from "./shard/visibility.ts";
import { liveSite, readSiteMode } from "./site/site-mode.ts";

/** A process's context, and what must be stopped when it ends. */
export interface StartedContext {
  readonly context: Context;
  readonly parts: Stoppable[];
}

/** Connects what every process but the worker needs: database, queue (to enqueue), LISTEN. */
export async function startContext(config: Config, name: string): Promise<StartedContext> {
  const log = createLogger(name, config.LOG_LEVEL);
  const sequelize = connect(config, name);
  const boss = createBoss(config, log, { supervise: false });
  const listener = new Listener({ url: config.DATABASE_LISTEN_URL ?? config.DATABASE_URL, log });
  const visibility = new HeardValue({
    channel: "visibility",
    read: async () => mergeVisibility(await readVisibilityOverrides(sequelize)),
    initial: mergeVisibility({}),
    listener,
    log,
  });
  const shard = new ShardControl({ config, sequelize, listener, log });
  const siteMode = new HeardValue({
    channel: "site_mode",
    read: () => readSiteMode(sequelize),
    initial: liveSite,
    listener,
    log,
  });
  await requireSchema(sequelize);
  await boss.start();
  await listener.start();
  await Promise.all([visibility.reload(), siteMode.reload(), shard.reload()]);
  const parts = [
    { name: "database", stop: () => sequelize.close() },
    { name: "queue", stop: () => boss.stop({ graceful: false }) },
    { name: "listener", stop: () => listener.stop() },
    { name: "shard control", stop: () => shard.close() },
  ];
  const context: Context = {
    config,
    log,
    sequelize,
    models: defineModels(sequelize),
    queue: createQueue(boss),
    listener,
    visibility,
    shard,
    characterOwners: new CharacterOwners(),
    siteMode,
    rateLimits: new RateLimits(config, sequelize),
    bans: new BanList(config, sequelize),
    mail: createMail(config),
  };
  return { context, parts };
}
