import { defineModels } from "../models/index.ts";
import type { Config } from "./config/config.ts";
import type { Context } from "./context.ts";
import { connect } from "./db/connection.ts";
import { Listener } from "./db/listen.ts";
import { createLogger } from "./log.ts";
import type { Stoppable } from "./process.ts";
import { createBoss, createQueue } from "./queue/queue.ts";
import { VisibilityStore } from "./shard/visibility-store.ts";

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
  const visibility = new VisibilityStore(sequelize, listener);
  await boss.start();
  await listener.start();
  await visibility.reload();
  const parts = [
    { name: "database", stop: () => sequelize.close() },
    { name: "queue", stop: () => boss.stop({ graceful: false }) },
    { name: "listener", stop: () => listener.stop() },
  ];
  const models = defineModels(sequelize);
  const queue = createQueue(boss);
  return { context: { config, log, sequelize, models, queue, listener, visibility }, parts };
}
