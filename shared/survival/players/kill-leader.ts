import type { SurvivalKillLeader } from "../../../models/survival/players/survival-kill-leader.ts";
import type { SurvivalScore } from "../../../models/survival/players/survival-score.ts";
import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import { executeStatement, firstRow, rows } from "../../platform/db/rows.ts";
import type { FrameHandlerContext } from "../kinds/handler.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";
import { displayName } from "../plain-texts.ts";

interface TallyUpdate {
  readonly wipeId: number;
  readonly saveId: number;
  /** Time of the report, in epoch milliseconds. */
  readonly at: number;
}

interface LeaderCandidate extends Pick<SurvivalScore, "steamId"> {
  readonly name: SurvivalSighting["name"] | null;
  readonly kills: number;
}

interface StoredLeader extends Pick<SurvivalKillLeader, "steamId"> {
  readonly name: SurvivalSighting["name"] | null;
  /** True if the source's current owner has already checked this world. */
  readonly isSeen: boolean;
}

/**
 * Sends a notice of a new sole leader in kills, but not at the first check of a world after the source's owner
 * changed.
 */
export async function updateKillLeader(
  counted: TallyUpdate,
  { serverId, connection, fence, tell }: FrameHandlerContext,
): Promise<void> {
  const { wipeId } = counted;
  const known = await firstRow<StoredLeader>(connection, readKnown, [serverId, wipeId, fence]);
  if (!known) return;
  const leader = leaderOf(await rows<LeaderCandidate>(connection, readFirst, [wipeId]));
  const isNew = leader !== null && leader.steamId !== known.steamId;
  // In a tie, the former leader stays.
  if (known.isSeen && !isNew) return;
  await executeStatement(connection, storeLeader, [
    serverId,
    fence,
    wipeId,
    leader?.steamId ?? null,
  ]);
  if (known.isSeen && leader) tell({ serverId, ...leadNotice(leader, known, counted) });
}

function leaderOf([first, second]: readonly LeaderCandidate[]): LeaderCandidate | null {
  return first && first.kills > (second?.kills ?? 0) ? first : null;
}

function leadNotice(
  { steamId, name, kills }: LeaderCandidate,
  previous: StoredLeader,
  { saveId, at }: TallyUpdate,
): Omit<SurvivalNotification, "serverId"> {
  return {
    id: "survival.leader.kills",
    key: `leader:${saveId}:${steamId}:${kills}`,
    t: at,
    variables: {
      steamId,
      playerName: displayName(name ?? "", steamId),
      kills,
      previousName: previous.steamId && displayName(previous.name ?? "", previous.steamId),
    },
  };
}

/** Returns no row for a report on a former world. */
const readKnown = `
  select known.steam_id as "steamId", player.name,
    known.wipe_id is not distinct from wipe.id and known.fence is not distinct from $3::bigint
      as "isSeen"
  from survival_wipes wipe
  join survival_server_states state on state.server_id = wipe.server_id
    and state.save_id = wipe.save_id
  left join survival_kill_leaders known on known.server_id = wipe.server_id
  left join survival_sightings player
    on player.server_id = wipe.server_id and player.steam_id = known.steam_id
  where wipe.server_id = $1 and wipe.id = $2`;

const readFirst = `
  select score.steam_id as "steamId", player.name, score.value::float8 as kills
  from survival_scores score
  join survival_wipes wipe on wipe.id = score.wipe_id
  left join survival_sightings player
    on player.server_id = wipe.server_id and player.steam_id = score.steam_id
  where score.wipe_id = $1 and score.stat = 'playersKilled'
    and not score.left_out
  order by score.value desc, score.reached_at, score.steam_id limit 2`;

const storeLeader = `
  insert into survival_kill_leaders (server_id, fence, wipe_id, steam_id) values ($1, $2, $3, $4)
  on conflict (server_id) do update
  set fence = excluded.fence, wipe_id = excluded.wipe_id, steam_id = excluded.steam_id`;
