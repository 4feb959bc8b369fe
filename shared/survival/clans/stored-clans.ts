import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import type { StoredKeys } from "../storage/room.ts";

/** What tells the clans of a server apart. */
export type ClanKey = Pick<SurvivalClan, "clanId" | "created">;

export const identityOf = ({ clanId, created }: ClanKey): string => `${clanId}-${created}`;

/** How those of a server's clans that are stored already are found. */
export const storedClans = (serverId: number, clans: readonly ClanKey[]): StoredKeys<ClanKey> => ({
  keyOf: identityOf,
  sql,
  values: [serverId, clans.map(({ clanId }) => clanId), clans.map(({ created }) => created)],
});

const sql = `
  select clan_id || '-' || created as key
  from survival_clans join unnest($2::text[], $3::text[]) as given (clan_id, created)
    using (clan_id, created)
  where server_id = $1`;

/** How those members of a clan that are stored already are found. */
export const storedMembers = (
  clanRowId: SurvivalClan["id"],
  steamIds: readonly string[],
): StoredKeys<{ readonly steamId: string }> => ({
  keyOf: ({ steamId }) => steamId,
  sql: membersSql,
  values: [clanRowId, steamIds],
});

const membersSql = `
  select steam_id as key from survival_clan_members
  where clan_row_id = $1 and steam_id = any($2::text[])`;
