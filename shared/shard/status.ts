import { QueryTypes, type Sequelize } from "sequelize";

import type { LinkState } from "../bridge/socket-options.ts";
import { ownerIsSilent } from "../ingest/silence.ts";

export interface EconomyPoint {
  readonly accounts: number | null;
  readonly gold: number | null;
  readonly t: number;
}

export interface ShardStatus {
  readonly enabled: boolean;
  readonly status: LinkState;
  readonly pluginConnected: boolean;
  readonly lastEventAt: Date | null;
  readonly onlineCount: number;
  readonly economy: EconomyPoint | null;
}

/** An ingest process that was silent for this long is gone, whatever it wrote last. */
export const ingestSilentSeconds = 8;

interface Row {
  readonly enabled: boolean;
  readonly state: LinkState;
  readonly pluginConnected: boolean;
  readonly alive: boolean;
  /** Whether the control plane refused our token or protocol since the link was configured. */
  readonly refused: boolean;
  readonly lastEventAt: Date | null;
  readonly count: number | null;
  readonly economy: { accounts?: number | null; gold?: number | null } | null;
  readonly economyT: number | null;
}

/** The state of the link and the last figures, from our own tables. */
export async function readShardStatus(sequelize: Sequelize): Promise<ShardStatus> {
  const [row] = await sequelize.query<Row>(
    `select link.enabled, source.state, source.plugin_connected as "pluginConnected",
       not ${ownerIsSilent("$1")} as alive,
       fault.name is not null as refused,
       source.last_event_at as "lastEventAt",
       (presence.value ->> 'count')::integer as count,
       economy.value as economy, economy.t as "economyT"
     from shardlink link
     join ingest_sources source on source.source = 'shard'
     left join shard_facts fault
       on fault.name = 'control_fault' and fault.updated_at > link.changed_at
     left join shard_facts presence on presence.name = 'presence'
     left join shard_facts economy on economy.name = 'economy'`,
    { bind: [ingestSilentSeconds], type: QueryTypes.SELECT },
  );
  if (!row) throw new Error("the row of shardlink is missing");
  const socket = socketState(row);
  const pluginConnected = socket === "connected" && row.pluginConnected;
  return {
    enabled: row.enabled,
    status: row.enabled && row.refused ? "error" : socket,
    pluginConnected,
    lastEventAt: row.lastEventAt,
    onlineCount: pluginConnected ? (row.count ?? 0) : 0,
    economy: economyOf(row),
  };
}

/** What ingest wrote counts while it lives; a link that is on and unattended is being awaited. */
function socketState({ enabled, state, alive }: Row): LinkState {
  if (!enabled) return "disconnected";
  if (!alive) return "reconnecting";
  return state === "disconnected" ? "reconnecting" : state;
}

function economyOf({ economy, economyT }: Row): EconomyPoint | null {
  if (!economy || economyT === null) return null;
  return { accounts: economy.accounts ?? null, gold: economy.gold ?? null, t: economyT };
}
