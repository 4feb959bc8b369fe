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

/**
 * Connects what every process needs: database, LISTEN, and a queue to enqueue by. The worker adds a
 * queue of its own, which supervises.
 * @param statementMs that any statement may take, where it is more than is configured
 */
export async function startContext(
  config: Config,
  name: string,
  statementMs?: number,
): Promise<StartedContext> {
  const log = createLogger(name, config.LOG_LEVEL);
  const sequelize = connect(config, name, statementMs);
  const boss = createBoss(config, log, { supervise: false });
  const listener = new Listener({ url: config.DATABASE_LISTEN_URL ?? config.DATABASE_URL, log });
  const ground = { config, log, sequelize, listener };
  const visibility = new HeardValue({
    channel: "visibility",
    read: async () => mergeVisibility(await readVisibilityOverrides(sequelize)),
    initial: mergeVisibility({}),
    ...ground,
  });
  const shard = new ShardControl(ground);
  const siteMode = new HeardValue({
    channel: "site_mode",
    read: () => readSiteMode(sequelize),
    initial: liveSite,
    ...ground,
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
    ...ground,
    models: defineModels(sequelize),
    queue: createQueue(boss),
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
