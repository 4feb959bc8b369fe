import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { QueryTypes, type Sequelize } from "sequelize";

import type { Context } from "../context.ts";
import type { Stoppable } from "../process.ts";
import type { QueueGroup } from "../queue/queues.ts";
import { version } from "../version.ts";

export const processKinds = ["web", "ingest", "worker"] as const;
export type ProcessKind = (typeof processKinds)[number];

export interface SeenProcess {
  readonly id: string;
  readonly kind: ProcessKind;
  readonly queueGroups: readonly QueueGroup[];
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

const beatMs = 5_000;

/** A process counts as alive when its row was touched within this time. */
export const aliveWithinSeconds = 20;

/** Writes this process's row and keeps touching it, so that others see that it lives. */
export async function keepProcessRow(
  context: Context,
  kind: ProcessKind,
  groups: readonly QueueGroup[] = [],
): Promise<Stoppable> {
  const { sequelize, log } = context;
  const id = randomUUID();
  await sequelize.query(
    `insert into processes (id, kind, queue_groups, host, pid, version)
     values ($1, $2, $3::text[], $4, $5, $6)`,
    { bind: [id, kind, `{${groups.join(",")}}`, hostname(), process.pid, version] },
  );
  const touch = () =>
    sequelize.query("update processes set seen_at = now() where id = $1", { bind: [id] });
  const timer = setInterval(() => {
    touch().catch((error: unknown) => log.warn({ err: error }, "heartbeat failed"));
  }, beatMs);
  const stop = async () => {
    clearInterval(timer);
    await sequelize.query("delete from processes where id = $1", { bind: [id] });
  };
  return { name: "heartbeat", stop };
}

/** Processes that are alive now. */
export function aliveProcesses(sequelize: Sequelize): Promise<SeenProcess[]> {
  return sequelize.query<SeenProcess>(
    `select id, kind, queue_groups as "queueGroups", host, pid, version,
            started_at as "startedAt", seen_at as "seenAt"
     from processes where seen_at > now() - make_interval(secs => $1)
     order by kind, started_at`,
    { type: QueryTypes.SELECT, bind: [aliveWithinSeconds] },
  );
}

/** Forgets rows of processes that ended without saying so. */
export async function pruneProcesses(sequelize: Sequelize): Promise<void> {
  await sequelize.query("delete from processes where seen_at < now() - interval '1 day'");
}
