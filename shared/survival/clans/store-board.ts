import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { countChanged, rows } from "../../platform/db/rows.ts";
import type { Ground, TakenIn } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { boardCeiling, disbandedBy, isComplete } from "./clan-board.ts";
import { type ClanKey, identityOf, storedClans } from "./stored-clans.ts";

type Board = SurvivalPayload<"clan.board">;

type KnownClan = Pick<SurvivalClan, "id" | keyof ClanKey>;

/**
 * Stores the board of clans in the order in which it was told. A clan that it leaves out has no place
 * any more, and is disbanded where the board names every clan: clans that were heard of before it are
 * older, whatever their times say. A board older than the last, and the last told again, is passed over.
 */
export async function storeBoard(
  { payload: { at, clans, limit }, rowsLeftOut }: Pick<TakenIn<Board>, "payload" | "rowsLeftOut">,
  ground: Ground,
): Promise<void> {
  const { serverId, connection, room } = ground;
  const ceiling = Math.min(limit, boardCeiling);
  // A clan that was left out is not disbanded.
  const isWhole = rowsLeftOut === 0 && isComplete(clans.length, limit);
  const isNews = await countChanged(connection, noteBoard, [serverId, at, ceiling, isWhole]);
  if (isNews === 0) return;
  const named = [...new Map(clans.map((clan) => [identityOf(clan), clan])).values()];
  const fitting = await room.fit("clans", named, storedClans(serverId, named));
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
  const gone = new Set(isWhole ? disbandedBy<ClanKey>(known, named, identityOf, limit) : []);
  const names = new Set(named.map(identityOf));
  const unplaced = known.filter((clan) => !names.has(identityOf(clan)));
  await countChanged(connection, takePlace, [unplaced.map(({ id }) => id)]);
  await countChanged(connection, disband, [
    known.filter((clan) => gone.has(clan)).map(({ id }) => id),
    at,
  ]);
}

const noteBoard = `
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

const takePlace = "update survival_clans set rank = null where id = any($1::integer[])";

const disband = `
  with left_behind as (
    delete from survival_clan_members where clan_row_id = any($1::integer[])
  )
  update survival_clans set disbanded_at = to_timestamp($2::bigint / 1000.0)
  where id = any($1::integer[])`;
