import { countChanged } from "../../db/rows.ts";
import type { Ground, Handlers, TakenIn } from "../frames/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { seePlayers } from "../players/see-players.ts";

type Death = SurvivalPayload<"survival.npc.died">;

export const killHandlers: Handlers = { "survival.npc.died": countKill };

/** Counts for the killer who is named; an NPC that fell, or was killed by nobody's thing, for nobody. */
async function countKill(
  { payload: { killer, profile }, saveId, t }: TakenIn<Death>,
  { serverId, connection, context }: Ground,
): Promise<void> {
  if (!killer) return;
  const { steamId, name } = killer;
  const counted = await countChanged(connection, count, [
    serverId,
    saveId,
    profile,
    steamId,
    name,
    t,
  ]);
  if (counted > 0) return;
  context.log.warn({ serverId, saveId }, "a kill names a world that is not known");
}

/** A frame that names no world is of the one that stands. */
const count = `
  with world as (
    select id from survival_wipes
    where server_id = $1 and save_id = coalesce($2::bigint,
      (select save_id from survival_server_states where server_id = $1))
  ), given as (select $4::text as steam_id, $5::text as name), players as (
    ${seePlayers("$1")}
  )
  insert into survival_npc_kills (wipe_id, profile_key, steam_id, kills, last_at)
  select id, $3, $4, 1, to_timestamp($6::bigint / 1000.0) from world
  on conflict (wipe_id, profile_key, steam_id) do update
  set kills = survival_npc_kills.kills + 1,
    last_at = greatest(survival_npc_kills.last_at, excluded.last_at)`;
