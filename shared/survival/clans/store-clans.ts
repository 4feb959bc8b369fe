import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { executeStatement, rows, firstRow } from "../../platform/db/rows.ts";
import type { FrameHandlerContext, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { StoredKeysQuery } from "../storage/quota.ts";
import { maxBoardClans, findDisbandedClans, isBoardComplete } from "./clan-board.ts";
import {
  clearRanksSql,
  deleteOtherMembersSql,
  disbandClansSql,
  selectClanKeysSql,
  selectLivingClansSql,
  selectMemberKeysSql,
  upsertBoardSql,
  upsertMembersSql,
  upsertRankedClansSql,
  upsertRosterSql,
} from "./clans.sql.ts";

type Board = SurvivalPayload<"clan.board">;

type KnownClan = Pick<SurvivalClan, "id" | keyof ClanKey>;

/**
 * Stores the leaderboard of clans. Clans that it omits lose their rank. If the board is complete, the omitted
 * clans are disbanded, even if they were seen after the board's time. A board that is not newer than the last one
 * is skipped.
 */
export async function storeBoard(
  {
    payload: { at, clans, limit },
    rowsLeftOut,
  }: Pick<ReceivedFrame<Board>, "payload" | "rowsLeftOut">,
  ground: FrameHandlerContext,
): Promise<void> {
  const { serverId, connection, room } = ground;
  const ceiling = Math.min(limit, maxBoardClans);
  // If a row was dropped as invalid, its clan must not be disbanded.
  const isWhole = rowsLeftOut === 0 && isBoardComplete(clans.length, limit);
  const isNews = await executeStatement(connection, upsertBoardSql, [
    serverId,
    at,
    ceiling,
    isWhole,
  ]);
  if (isNews === 0) return;
  const named = [...new Map(clans.map((clan) => [identityOf(clan), clan])).values()];
  const fitting = await room.selectFitting("clans", named, storedClansQuery(serverId, named));
  await executeStatement(connection, upsertRankedClansSql, [
    serverId,
    at,
    fitting.map(({ clanId }) => clanId),
    fitting.map(({ created }) => created),
    fitting.map(({ name }) => name),
    fitting.map(({ score }) => score),
    fitting.map(({ color }) => color ?? null),
    fitting.map(({ members }) => members),
  ]);
  const known = await rows<KnownClan>(connection, selectLivingClansSql, [serverId]);
  const gone = new Set(isWhole ? findDisbandedClans<ClanKey>(known, named, identityOf, limit) : []);
  const names = new Set(named.map(identityOf));
  const unplaced = known.filter((clan) => !names.has(identityOf(clan)));
  await executeStatement(connection, clearRanksSql, [unplaced.map(({ id }) => id)]);
  await executeStatement(connection, disbandClansSql, [
    known.filter((clan) => gone.has(clan)).map(({ id }) => id),
    at,
  ]);
}

type Roster = SurvivalPayload<"clan.roster">;

/**
 * Stores the members of a clan. The roster that arrives last replaces earlier ones, even if its time is older.
 */
export async function storeRoster(
  { payload, t, rowsLeftOut }: ReceivedFrame<Roster>,
  { serverId, connection, room }: FrameHandlerContext,
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
  const clan = await firstRow<Pick<SurvivalClan, "id">>(connection, upsertRosterSql, values);
  if (!clan) return;
  const roleOf = new Map(roles.map((role) => [role.roleId, role]));
  const steamIds = last.map(({ steamId }) => steamId);
  // If a row was dropped as invalid, its member must not be removed.
  if (rowsLeftOut === 0) {
    await executeStatement(connection, deleteOtherMembersSql, [clan.id, steamIds]);
  }
  const stored = await room.selectFitting(
    "clanMembers",
    last,
    storedMembersQuery(clan.id, steamIds),
  );
  await executeStatement(connection, upsertMembersSql, [
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

/** The identity of a clan within a server. */
type ClanKey = Pick<SurvivalClan, "clanId" | "created">;

const identityOf = ({ clanId, created }: ClanKey): string => `${clanId}-${created}`;

/** Returns a query that finds which of these clans are already stored. */
export const storedClansQuery = (
  serverId: number,
  clans: readonly ClanKey[],
): StoredKeysQuery<ClanKey> => ({
  keyOf: identityOf,
  sql: selectClanKeysSql,
  values: [serverId, clans.map(({ clanId }) => clanId), clans.map(({ created }) => created)],
});

/** Returns a query that finds which of these members are already stored. */
export const storedMembersQuery = (
  clanRowId: SurvivalClan["id"],
  steamIds: readonly string[],
): StoredKeysQuery<{ readonly steamId: string }> => ({
  keyOf: ({ steamId }) => steamId,
  sql: selectMemberKeysSql,
  values: [clanRowId, steamIds],
});
