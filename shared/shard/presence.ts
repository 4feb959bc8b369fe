import { QueryTypes, type Sequelize } from "sequelize";

import type { Role } from "../auth/roles.ts";
import { readShardStatus } from "./status.ts";
import type { Sees } from "./view.ts";

export interface Presence {
  readonly count: number;
  readonly facets: Readonly<Record<string, number>>;
  /** Left out where the rule for `byRegion` gates it. */
  readonly regions?: Readonly<Record<string, number>>;
}

export interface OnlinePlayer {
  readonly serial: string;
  readonly name: string;
  readonly map: string | null;
  readonly x: number | null;
  readonly y: number | null;
  readonly z: number | null;
}

interface StoredPresence {
  readonly count: number;
  readonly byMap?: Readonly<Record<string, number>> | null;
  readonly byRegion?: Readonly<Record<string, number>> | null;
}

const nobody: StoredPresence = { count: 0 };

/** How many are in the world and where; nobody while the game process is away. */
export async function readPresence(sees: Sees, sequelize: Sequelize): Promise<Presence> {
  const { count, byMap, byRegion } = await readStored(sequelize);
  return { count, facets: byMap ?? {}, ...(sees("byRegion") && { regions: byRegion ?? {} }) };
}

async function readStored(sequelize: Sequelize): Promise<StoredPresence> {
  const { pluginConnected } = await readShardStatus(sequelize);
  if (!pluginConnected) return nobody;
  const [row] = await sequelize.query<{ value: StoredPresence }>(
    "select value from shard_facts where name = 'presence'",
    { type: QueryTypes.SELECT },
  );
  return row?.value ?? nobody;
}

/**
 * Characters of linked accounts that are in the world, by name.
 * @param userId of the one user whose accounts are meant
 */
export async function readOnlinePlayers(
  sequelize: Sequelize,
  userId: number | null = null,
): Promise<OnlinePlayer[]> {
  const { pluginConnected } = await readShardStatus(sequelize);
  if (!pluginConnected) return [];
  return sequelize.query<OnlinePlayer>(
    `select serial, name, map, x, y, z
     from online_characters join shard_links using (account_key)
     where $1::integer is null or user_id = $1
     order by lower(name), serial`,
    { bind: [userId], type: QueryTypes.SELECT },
  );
}

/**
 * The player as a caller may see them: where someone stands is for moderators and admins.
 * @param role null for callers who are not signed in
 */
export const viewOnlinePlayer = (player: OnlinePlayer, role: Role | null): object =>
  seesLocation(role) ? player : { serial: player.serial, name: player.name };

const seesLocation = (role: Role | null): boolean => role === "admin" || role === "moderator";
