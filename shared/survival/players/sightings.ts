import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { StorageQuota } from "../storage/quota.ts";
import { selectPlayerNameSql, selectSightingKeysSql, upsertSightingsSql } from "./players.sql.ts";

/** Returns a player's name; undefined if no listed server has seen the player. */
export async function findPlayerName(
  steamId: string,
  serverId: number | null,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<string | undefined> {
  const found = await firstRow<Pick<SurvivalSighting, "name">>(sequelize, selectPlayerNameSql, [
    steamId,
    serverId,
  ]);
  return found?.name;
}

/** @throws AppError missing if no listed server has seen the player */
export async function requirePlayer(
  steamId: string,
  context: Pick<Context, "sequelize">,
): Promise<void> {
  if ((await findPlayerName(steamId, null, context)) === undefined) {
    throw notFoundError("Unknown player");
  }
}

interface SightingContext {
  readonly serverId: number;
  readonly connection: SqlClient;
  readonly room: StorageQuota;
}

interface SeenPlayer {
  readonly steamId: string;
  readonly name: string;
}

/**
 * Stores which players were seen on a server. Each server has its own rows, so servers neither wait for
 * each other nor rename each other's players. A row is rewritten at most once a minute.
 */
export async function recordSightings(
  players: readonly SeenPlayer[],
  { serverId, connection, room }: SightingContext,
): Promise<void> {
  const seen = await room.selectFitting("sightings", players, {
    keyOf: ({ steamId }) => steamId,
    sql: selectSightingKeysSql,
    values: [serverId, players.map(({ steamId }) => steamId)],
  });
  if (seen.length === 0) return;
  await rows(connection, upsertSightingsSql, [
    serverId,
    seen.map(({ steamId }) => steamId),
    seen.map(({ name }) => name),
  ]);
}
