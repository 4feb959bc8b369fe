import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { Ground, TakenIn } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { storedClans, storedMembers } from "./stored-clans.ts";

type Roster = SurvivalPayload<"clan.roster">;

/** Stores who is in a clan. Of two rosters the one that comes later counts, whatever their times say. */
export async function storeRoster(
  { payload, t, rowsLeftOut }: TakenIn<Roster>,
  { serverId, connection, room }: Ground,
): Promise<void> {
  const { clanId, created, motd = null, roles, members } = payload;
  const fitting = await room.fit("clans", [payload], storedClans(serverId, [payload]));
  if (fitting.length === 0) return;
  const last = [...new Map(members.map((member) => [member.steamId, member])).values()];
  const values = [serverId, clanId, created, motd, last.length + rowsLeftOut, t];
  const clan = await firstRow<Pick<SurvivalClan, "id">>(connection, noteRoster, values);
  if (!clan) return;
  const roleOf = new Map(roles.map((role) => [role.roleId, role]));
  const steamIds = last.map(({ steamId }) => steamId);
  // A member who was left out has not left.
  if (rowsLeftOut === 0) await countChanged(connection, dropOthers, [clan.id, steamIds]);
  const stored = await room.fit("clanMembers", last, storedMembers(clan.id, steamIds));
  await countChanged(connection, storeMembers, [
    clan.id,
    stored.map(({ steamId }) => steamId),
    stored.map(({ name }) => name),
    stored.map(({ roleId }) => roleId),
    stored.map(({ roleId }) => roleOf.get(roleId)?.name ?? null),
    stored.map(({ roleId }) => roleOf.get(roleId)?.rank ?? null),
    stored.map(({ joinedAt }) => joinedAt ?? null),
    stored.map(({ lastSeenAt }) => lastSeenAt ?? null),
    stored.map(({ online }) => online ?? null),
  ]);
}

/** Its name is told by the board and by what happens; until then there is none. */
const noteRoster = `
  insert into survival_clans (server_id, clan_id, created, name, motd, member_count, roster_at,
    first_seen_at, last_seen_at)
  select $1, $2, $3, '', $4, $5, told.at, told.at, told.at
  from to_timestamp($6::bigint / 1000.0) as told (at)
  on conflict (server_id, clan_id, created) do update
  set motd = excluded.motd, member_count = excluded.member_count, roster_at = excluded.roster_at,
    last_seen_at = greatest(survival_clans.last_seen_at, excluded.last_seen_at)
  returning id`;

const dropOthers =
  "delete from survival_clan_members where clan_row_id = $1 and steam_id <> all($2::text[])";

const storeMembers = `
  insert into survival_clan_members (clan_row_id, steam_id, name, role_id, role_name, role_rank,
    joined_at, last_seen_at, is_online)
  select $1, steam_id, name, role_id, role_name, role_rank, to_timestamp(joined_at / 1000.0),
    to_timestamp(last_seen_at / 1000.0), is_online
  from unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::integer[], $7::bigint[],
    $8::bigint[], $9::boolean[])
    as given (steam_id, name, role_id, role_name, role_rank, joined_at, last_seen_at, is_online)
  on conflict (clan_row_id, steam_id) do update
  set name = excluded.name, role_id = excluded.role_id, role_name = excluded.role_name,
    role_rank = excluded.role_rank, joined_at = excluded.joined_at,
    last_seen_at = excluded.last_seen_at, is_online = excluded.is_online`;
