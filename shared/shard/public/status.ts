import type { Sequelize } from "sequelize";

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { ShardConnection } from "../../../models/shard/shard-connection.ts";
import type { LinkState } from "../../platform/bridge/socket/socket-options.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { ingestTimeoutSeconds, computeLinkState } from "../../platform/ingest/link-state.ts";
import { isOwnerStuckSql } from "../../platform/ingest/owner-activity.ts";
import { hasLiveKeySql } from "../../platform/plugin/keys.sql.ts";
import { findShardKind } from "../kinds/kinds.ts";
import { type PayloadFields, pickVisibleFields } from "../visibility/view.ts";

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

type Source = Pick<IngestSource, "state" | "pluginConnected" | "lastEventAt">;

interface Row extends Source, Pick<ShardConnection, "enabled"> {
  readonly alive: boolean;
  /** True if the link has every setting that its kind needs. A plugin link needs a key. */
  readonly isUsable: boolean;
  /** True if the control plane refused the token or protocol since the link was last configured. */
  readonly refused: boolean;
  readonly count: number | null;
  readonly economy: { accounts?: number | null; gold?: number | null } | null;
  readonly economyT: number | null;
}

/** Reads the state of the link and the last reported numbers from the site's own tables. */
export async function readShardStatus(sequelize: Sequelize): Promise<ShardStatus> {
  const row = await firstRow<Row>(
    sequelize,
    `select link.enabled, link.kind <> 'plugin' or ${hasLiveKeySql("'shard'")} as "isUsable", source.state, source.plugin_connected as "pluginConnected",
       not ${isOwnerStuckSql("$1")} as alive,
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
    [ingestTimeoutSeconds],
  );
  if (!row) throw new Error("the row of shardlink is missing");
  const socket = computeLinkState({ ...row, enabled: row.enabled && row.isUsable });
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

function economyOf({ economy, economyT }: Row): EconomyPoint | null {
  if (!economy || economyT === null) return null;
  return { accounts: economy.accounts ?? null, gold: economy.gold ?? null, t: economyT };
}

/** Reads the public rules of the shard; null if it never published them. */
export async function readRuleset({ models }: Context): Promise<PayloadFields | null> {
  const fact = await models.ShardFact.findByPk("ruleset", { attributes: ["value"], raw: true });
  if (!fact) return null;
  const view = findShardKind("world.ruleset")?.view ?? {};
  return pickVisibleFields(view, fact.value as PayloadFields, () => false);
}
