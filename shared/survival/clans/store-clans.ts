import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { countChanged, rows, firstRow } from "../../platform/db/rows.ts";
import type { HandlerContext, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { StoredKeysQuery } from "../storage/quota.ts";
import { maxBoardClans, findDisbandedClans, isBoardComplete } from "./clan-board.ts";

type Board = SurvivalPayload<"clan.board">;

type KnownClan = Pick<SurvivalClan, "id" | keyof ClanKey>;

/**
 * Stores the leaderboard of clans. Clans that it omits lose their rank. If the board is complete, they
 * are disbanded, even if they were seen later. A board that is not newer than the last one is skipped.
 */
export async function storeBoard(
  {
    payload: { at, clans, limit },
    rowsLeftOut,
  }: Pick<ReceivedFrame<Board>, "payload" | "rowsLeftOut">,
  ground: HandlerContext,
): Promise<void> {
  const { serverId, connection, room } = ground;
  const ceiling = Math.min(limit, maxBoardClans);
  // If a row was dropped as invalid, its clan must not be disbanded.
  const isWhole = rowsLeftOut === 0 && isBoardComplete(clans.length, limit);
  const isNews = await countChanged(connection, upsertBoard, [serverId, at, ceiling, isWhole]);
  if (isNews === 0) return;
  const named = [...new Map(clans.map((clan) => [identityOf(clan), clan])).values()];
  const fitting = await room.selectFitting("clans", named, storedClansQuery(serverId, named));
  await countChanged(connection, storeClans, [
    serverId,
    at,
    fitting.map(({ clanId }) => clanId),
    fitting.map(({ created }) => created),
    fitting.map(({ name }) => name),
    fitting.map(({ score }) => score),
    fitting.map(({ color }) => color ?? null),
    fitting.map(({ members }) => members),
  ]);
  const known = await rows<KnownClan>(connection, livingClans, [serverId]);
  const gone = new Set(isWhole ? findDisbandedClans<ClanKey>(known, named, identityOf, limit) : []);
  const names = new Set(named.map(identityOf));
  const unplaced = known.filter((clan) => !names.has(identityOf(clan)));
  await countChanged(connection, clearRanks, [unplaced.map(({ id }) => id)]);
  await countChanged(connection, disband, [
    known.filter((clan) => gone.has(clan)).map(({ id }) => id),
    at,
  ]);
}

const upsertBoard = `
  insert into survival_clan_boards (server_id, told_at, ceiling, is_complete)
  values ($1, to_timestamp($2::bigint / 1000.0), $3, $4)
  on conflict (server_id) do update
  set told_at = excluded.told_at, ceiling = excluded.ceiling, is_complete = excluded.is_complete
  where survival_clan_boards.told_at < excluded.told_at`;

const storeClans = `
  insert into survival_clans (server_id, clan_id, created, name, score, color, member_count, rank,
    first_seen_at, last_seen_at)
  select $1, clan_id, created, name, score, color, members, place,
    to_timestamp($2::bigint / 1000.0), to_timestamp($2::bigint / 1000.0)
  from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::integer[])
    with ordinality as named (clan_id, created, name, score, color, members, place)
  on conflict (server_id, clan_id, created) do update
  set name = excluded.name, score = excluded.score, color = excluded.color,
    member_count = excluded.member_count, rank = excluded.rank,
    last_seen_at = greatest(survival_clans.last_seen_at, excluded.last_seen_at), disbanded_at = null`;

const livingClans = `
  select id, clan_id as "clanId", created from survival_clans
  where server_id = $1 and disbanded_at is null`;

const clearRanks = "update survival_clans set rank = null where id = any($1::integer[])";

const disband = `
  with left_behind as (
    delete from survival_clan_members where clan_row_id = any($1::integer[])
  )
  update survival_clans set disbanded_at = to_timestamp($2::bigint / 1000.0)
  where id = any($1::integer[])`;

type Roster = SurvivalPayload<"clan.roster">;

/** Stores the members of a clan. The roster that arrives last replaces the others, whatever its time. */
export async function storeRoster(
  { payload, t, rowsLeftOut }: ReceivedFrame<Roster>,
  { serverId, connection, room }: HandlerContext,
): Promise<void> {
  const { clanId, created, motd = null, roles, members } = payload;
  const fitting = await room.selectFitting(
    "clans",
    [payload],
    storedClansQuery(serverId, [payload]),
  );
  if (fitting.length === 0) return;
  const last = [...new Map(members.map((member) => [member.steamId, member])).values()];
  const values = [serverId, clanId, created, motd, last.length + rowsLeftOut, t];
  const clan = await firstRow<Pick<SurvivalClan, "id">>(connection, upsertRoster, values);
  if (!clan) return;
  const roleOf = new Map(roles.map((role) => [role.roleId, role]));
  const steamIds = last.map(({ steamId }) => steamId);
  // If a row was dropped as invalid, its member must not be removed.
  if (rowsLeftOut === 0) await countChanged(connection, deleteOtherMembers, [clan.id, steamIds]);
  const stored = await room.selectFitting(
    "clanMembers",
    last,
    storedMembersQuery(clan.id, steamIds),
  );
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

/** A roster contains no clan name; the board and events do. */
const upsertRoster = `
  insert into survival_clans (server_id, clan_id, created, name, motd, member_count, roster_at,
    first_seen_at, last_seen_at)
  select $1, $2, $3, '', $4, $5, told.at, told.at, told.at
  from to_timestamp($6::bigint / 1000.0) as told (at)
  on conflict (server_id, clan_id, created) do update
  set motd = excluded.motd, member_count = excluded.member_count, roster_at = excluded.roster_at,
    last_seen_at = greatest(survival_clans.last_seen_at, excluded.last_seen_at)
  returning id`;

const deleteOtherMembers =
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

/** The identity of a clan within a server. */
type ClanKey = Pick<SurvivalClan, "clanId" | "created">;

const identityOf = ({ clanId, created }: ClanKey): string => `${clanId}-${created}`;

/** Returns a query that finds which of these clans are already stored. */
export const storedClansQuery = (
  serverId: number,
  clans: readonly ClanKey[],
): StoredKeysQuery<ClanKey> => ({
  keyOf: identityOf,
  sql: clansSql,
  values: [serverId, clans.map(({ clanId }) => clanId), clans.map(({ created }) => created)],
});

const clansSql = `
  select clan_id || '-' || created as key
  from survival_clans join unnest($2::text[], $3::text[]) as given (clan_id, created)
    using (clan_id, created)
  where server_id = $1`;

/** Returns a query that finds which of these members are already stored. */
export const storedMembersQuery = (
  clanRowId: SurvivalClan["id"],
  steamIds: readonly string[],
): StoredKeysQuery<{ readonly steamId: string }> => ({
  keyOf: ({ steamId }) => steamId,
  sql: membersSql,
  values: [clanRowId, steamIds],
});

const membersSql = `
  select steam_id as key from survival_clan_members
  where clan_row_id = $1 and steam_id = any($2::text[])`;
