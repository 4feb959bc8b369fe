import type { Transaction } from "sequelize";

import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { SurvivalSync } from "../../../models/survival/survival-sync.ts";
import { rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { Queue } from "../../platform/queue/queue.ts";
import type { SurvivalContext } from "../context.ts";
import type { SyncName } from "./sync-kind.ts";

export interface SyncRequest {
  readonly names: readonly SyncName[];
  readonly serverIds: readonly number[] | "all";
  /** The reason, shown to staff, such as `grant` or `plugin.loaded`. */
  readonly reason: string;
}

export interface SyncDependencies {
  readonly queue: Queue;
  readonly config: Pick<SurvivalContext["config"], "SURVIVAL_DEBOUNCE">;
}

interface RequestedSync
  extends Pick<SurvivalSync, "serverId" | "name">, Pick<SurvivalServer, "enabled"> {
  readonly name: SyncName;
}

/** Marks servers as outdated and schedules a debounced sync. A disabled server keeps its mark. */
export async function requestSync(
  ask: SyncRequest,
  { queue, config }: SyncDependencies,
  within: Transaction | SqlClient,
): Promise<void> {
  const serverIds = ask.serverIds === "all" ? null : [...ask.serverIds];
  const asked = await rows<RequestedSync>(within, markOutdated, [
    serverIds,
    [...ask.names],
    ask.reason,
  ]);
  for (const { serverId, name, enabled } of asked) {
    if (!enabled) continue;
    const key = `${name}:${serverId}`;
    const options = { key, subject: String(serverId), afterMs: config.SURVIVAL_DEBOUNCE, within };
    await queue.enqueue("survival.push", { serverId, name }, options);
  }
}

/** Locks in the order that all writers use. Skips servers that are being deleted. */
const markOutdated = `
  insert into survival_pushes (server_id, name, reason)
  select server.id, asked.name, $3 from survival_servers server, unnest($2::text[]) asked (name)
  where $1::integer[] is null or server.id = any($1::integer[])
  order by server.id, asked.name
  for key share of server
  on conflict (server_id, name) do update
  set asked = survival_pushes.asked + 1, reason = excluded.reason, retry_at = null,
    asked_at = clock_timestamp(),
    state = case when survival_pushes.state = 'pushing' then 'pushing' else 'waiting' end
  returning server_id as "serverId", name,
    (select enabled from survival_servers where id = server_id) as enabled`;
