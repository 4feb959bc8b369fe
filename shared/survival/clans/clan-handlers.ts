import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { FrameHandlers, FrameHandlerContext } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import {
  deleteMemberSql,
  endClanSql,
  insertMemberSql,
  reviveClanSql,
  updateMemberCountSql,
  upsertClanSql,
} from "./clans.sql.ts";
import { storeBoard, storeRoster, storedClansQuery, storedMembersQuery } from "./store-clans.ts";

export const clanHandlers: FrameHandlers = {
  "clan.board": (taken, ground) => storeBoard(taken, ground),
  "clan.roster": (taken, ground) => storeRoster(taken, ground),
  "clan.created": ({ payload, t }, ground) => handleClanChange("lives", { ...payload, t }, ground),
  "clan.disbanded": ({ payload, t }, ground) =>
    handleClanChange("ended", { ...payload, t }, ground),
  "clan.changed": ({ payload, t }, ground) => handleClanChange("told", { ...payload, t }, ground),
  "clan.member.added": ({ payload, t }, ground) =>
    handleMemberChange("added", { ...payload, t }, ground),
  "clan.member.left": ({ payload, t }, ground) =>
    handleMemberChange("gone", { ...payload, t }, ground),
  "clan.member.kicked": ({ payload, t }, ground) =>
    handleMemberChange("gone", { ...payload, t }, ground),
};

/** A change of a clan, with its time in epoch milliseconds. */
type ClanChange = SurvivalPayload<"clan.changed"> & { readonly t: number };

/** Stores an event's clan. `lives` marks it as existing, `ended` as disbanded, and `told` changes neither. */
async function handleClanChange(
  how: "lives" | "told" | "ended",
  change: ClanChange,
  ground: FrameHandlerContext,
): Promise<void> {
  const id = await upsertClan(change, ground);
  if (id === null) return;
  if (how === "lives") await executeStatement(ground.connection, reviveClanSql, [id]);
  if (how === "ended") await executeStatement(ground.connection, endClanSql, [id, change.t]);
}

async function handleMemberChange(
  how: "added" | "gone",
  change: ClanChange,
  ground: FrameHandlerContext,
): Promise<void> {
  const id = await upsertClan(change, ground);
  const { member, t } = change;
  if (!member || id === null) return;
  const { connection } = ground;
  const changed =
    how === "added"
      ? await storeMember({ id, member, t }, ground)
      : await executeStatement(connection, deleteMemberSql, [id, member.steamId]);
  if (changed > 0) await countMembers(id, connection);
}

interface NewMember {
  readonly id: SurvivalClan["id"];
  readonly member: NonNullable<ClanChange["member"]>;
  readonly t: number;
}

/** @returns the number of added members */
async function storeMember(
  { id, member, t }: NewMember,
  { connection, room }: FrameHandlerContext,
): Promise<number> {
  const { steamId, name } = member;
  const fitting = await room.selectFitting(
    "clanMembers",
    [member],
    storedMembersQuery(id, [steamId]),
  );
  if (fitting.length === 0) return 0;
  return executeStatement(connection, insertMemberSql, [id, t, steamId, name]);
}

/** @returns the row's id; null if the clan is new and exceeds the limit */
async function upsertClan(
  change: ClanChange,
  { serverId, connection, room }: FrameHandlerContext,
): Promise<number | null> {
  const fitting = await room.selectFitting("clans", [change], storedClansQuery(serverId, [change]));
  if (fitting.length === 0) return null;
  const { clanId, created, name, t } = change;
  const clan = await firstRow<Pick<SurvivalClan, "id">>(connection, upsertClanSql, [
    serverId,
    clanId,
    created,
    name,
    t,
  ]);
  if (!clan) throw new Error("a clan was neither stored nor found");
  return clan.id;
}

/** Counts the members if a roster was received. Without a roster, the count of the board stays. */
async function countMembers(id: number, connection: SqlClient): Promise<void> {
  await executeStatement(connection, updateMemberCountSql, [id]);
}
