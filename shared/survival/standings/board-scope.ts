import type { Sequelize } from "sequelize";

import { firstRow } from "../../platform/db/rows.ts";
import { isWithinScope, scopeValues, type WorldScope } from "../worlds/world-scope.ts";

/** Where the order of players is kept: within one world, or by the totals of several. */
export interface BoardScope {
  readonly kind: "world" | "totals";
  /** As `survival_standing_counts` names it. */
  readonly name: string;
  readonly wipeId: number | null;
}

interface Worlds {
  readonly worlds: number;
  readonly wipeId: number;
  readonly servers: number;
  readonly serverId: number;
}

/** Null where there is no such world. */
export async function findBoardScope(
  scope: WorldScope,
  sequelize: Sequelize,
): Promise<BoardScope | null> {
  const found = await firstRow<Worlds>(sequelize, countWorlds, scopeValues(scope));
  if (!found || found.worlds === 0) return null;
  const { worlds, wipeId, servers, serverId } = found;
  if (worlds === 1) return { kind: "world", name: `w${wipeId}`, wipeId };
  const several = scope.isCurrent ? "current" : "all";
  const name = servers === 1 && !scope.isCurrent ? `s${serverId}` : several;
  return { kind: "totals", name, wipeId: null };
}

const countWorlds = `
  select count(*)::integer as worlds, min(wipe.id) as "wipeId",
    count(distinct server_id)::integer as servers, min(server_id) as "serverId"
  from survival_wipes wipe join survival_servers server on server.id = wipe.server_id
  where ${isWithinScope}`;
