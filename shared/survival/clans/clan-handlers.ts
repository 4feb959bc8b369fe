import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { Handlers, HandlerContext } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { storeBoard, storeRoster, storedClansQuery, storedMembersQuery } from "./store-clans.ts";

export const clanHandlers: Handlers = {
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

/** `lives`: the clan was created. `told`: an event names the clan. `ended`: it was disbanded. */
async function handleClanChange(
  how: "lives" | "told" | "ended",
  change: ClanChange,
  ground: HandlerContext,
): Promise<void> {
  const id = await upsertClan(change, ground);
  if (id === null) return;
  if (how === "lives") await countChanged(ground.connection, revive, [id]);
  if (how === "ended") await countChanged(ground.connection, end, [id, change.t]);
}

async function handleMemberChange(
  how: "added" | "gone",
  change: ClanChange,
  ground: HandlerContext,
): Promise<void> {
  const id = await upsertClan(change, ground);
  const { member, t } = change;
  if (!member || id === null) return;
  const { connection } = ground;
  const changed =
    how === "added"
      ? await storeMember({ id, member, t }, ground)
      : await countChanged(connection, removeMember, [id, member.steamId]);
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
  { connection, room }: HandlerContext,
): Promise<number> {
  const { steamId, name } = member;
  const fitting = await room.selectFitting(
    "clanMembers",
    [member],
    storedMembersQuery(id, [steamId]),
  );
  if (fitting.length === 0) return 0;
  return countChanged(connection, addMember, [id, t, steamId, name]);
}

/** @returns null if the clan is new and exceeds the limit */
async function upsertClan(
  change: ClanChange,
  { serverId, connection, room }: HandlerContext,
): Promise<number | null> {
  const fitting = await room.selectFitting("clans", [change], storedClansQuery(serverId, [change]));
  if (fitting.length === 0) return null;
  const { clanId, created, name, t } = change;
  const clan = await firstRow<Pick<SurvivalClan, "id">>(connection, note, [
    serverId,
    clanId,
    created,
    name,
    t,
  ]);
  if (!clan) throw new Error("a clan was neither stored nor found");
  return clan.id;
}

/** Keep the later time: events arrive in order, but their times may be out of order. */
const note = `
  insert into survival_clans (server_id, clan_id, created, name, first_seen_at, last_seen_at)
  select $1, $2, $3, $4, told.at, told.at from to_timestamp($5::bigint / 1000.0) as told (at)
  on conflict (server_id, clan_id, created) do update
  set name = excluded.name,
    last_seen_at = greatest(survival_clans.last_seen_at, excluded.last_seen_at)
  returning id`;

const revive = `
  update survival_clans set disbanded_at = null where id = $1`;

const end = `
  with ended as (
    update survival_clans
    set disbanded_at = coalesce(disbanded_at, to_timestamp($2::bigint / 1000.0)), rank = null
    where id = $1
    returning id
  )
  delete from survival_clan_members using ended where clan_row_id = ended.id`;

const addMember = `
  insert into survival_clan_members (clan_row_id, steam_id, name, joined_at)
  values ($1, $3, $4, to_timestamp($2::bigint / 1000.0))
  on conflict do nothing`;

const removeMember = `
  delete from survival_clan_members where clan_row_id = $1 and steam_id = $2`;

/** Counts the members only if a roster was received. Otherwise the count of the board stays. */
async function countMembers(id: number, connection: SqlClient): Promise<void> {
  await countChanged(
    connection,
    `update survival_clans
     set member_count = (select count(*) from survival_clan_members where clan_row_id = $1)
     where id = $1 and roster_at is not null`,
    [id],
  );
}
