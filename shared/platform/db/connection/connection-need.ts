import type { Config } from "../../config/config.ts";
import { isPooled } from "./session-settings.ts";

/** What a process may open beside its pool: each pool and each connection of its own is made this large. */
export const beside = {
  /** What every process enqueues by. */
  queue: 2,
  listener: 1,
  /** What a worker works the queues by, and hears of jobs by. */
  supervisor: 6,
  jobListener: 1,
  /** What ingest owns a source by, or stands by for it. */
  source: 1,
} as const;

type Kind = "web" | "ingest" | "worker";

/**
 * How many connections to the database a process opens at most.
 * @param sources that ingest takes in: the shard, and each enabled survival server
 */
export function connectionNeed(
  kind: Kind,
  { DATABASE_POOL }: Pick<Config, "DATABASE_POOL">,
  sources = 1,
): number {
  const usual = DATABASE_POOL + beside.queue + beside.listener;
  if (kind === "worker") return usual + beside.supervisor + beside.jobListener;
  if (kind === "ingest") return usual + beside.source * sources;
  return usual;
}

/** How many of them the server itself has to give: what goes through a pooler shares the pooler's own. */
export function serverNeed(kind: Kind, config: Config, sources = 1): number {
  const need = connectionNeed(kind, config, sources);
  if (!isPooled(config)) return need;
  // A worker's statements take too long for a pooler.
  return need - beside.queue - (kind === "worker" ? 0 : config.DATABASE_POOL);
}
