import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import { wordArraySql } from "../../platform/db/sql-text.ts";
import type { HandlerContext, Handlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { countedStats, type StatName } from "../kinds/stat-names.ts";
import { updateKillLeader } from "./kill-leader.ts";
import { recordSightings } from "./sightings.ts";

type Tallies = SurvivalPayload<"player.tally">;
type Tally = Tallies["tallies"][number];

export const tallyHandlers: Handlers = { "player.tally": storeTallies };

/** Stores statistics of a known world. Lower values change nothing, so frames may repeat. */
async function storeTallies(
  { payload: { saveId, tallies }, t }: ReceivedFrame<Tallies>,
  ground: HandlerContext,
): Promise<void> {
  const { serverId, connection, context, room } = ground;
  const wipe = await firstRow<Pick<SurvivalWipe, "id">>(
    connection,
    "select id from survival_wipes where server_id = $1 and save_id = $2",
    [serverId, saveId],
  );
  if (!wipe) {
    context.log.warn(
      { serverId, saveId },
      "the site dropped a tally of players: it does not know the world",
    );
    return;
  }
  const named = [...new Map(tallies.map((tally) => [tally.steamId, tally])).values()];
  await recordSightings(named, ground);
  const last = await room.selectFitting("tallies", named, {
    keyOf: ({ steamId }) => steamId,
    sql: storedTallies,
    values: [wipe.id, named.map(({ steamId }) => steamId)],
  });
  await countChanged(connection, storePlayers, [
    wipe.id,
    last.map(({ steamId }) => steamId),
    last.map(({ name }) => name),
    last.map(({ staff }) => staff === true),
  ]);
  const figures = last.flatMap(figuresOf);
  const raised = await firstRow<{ fallen: number }>(connection, raiseScores, [
    wipe.id,
    wordArraySql(figures.map(({ stat }) => stat)),
    wordArraySql(figures.map(({ steamId }) => steamId)),
    wordArraySql(figures.map(({ value }) => value)),
  ]);
  if (raised && raised.fallen > 0) await warnOfLostScores(raised.fallen, wipe.id, ground);
  await updateKillLeader({ wipeId: wipe.id, saveId, at: t }, ground);
}

interface Figure {
  readonly stat: StatName;
  readonly steamId: string;
  readonly value: number;
}

function figuresOf({ steamId, stats, playtimeSec }: Tally): Figure[] {
  const counted = countedStats.flatMap((stat) => {
    const value = stats[stat];
    return value === undefined ? [] : [{ stat, steamId, value }];
  });
  return [...counted, { stat: "playtime", steamId, value: playtimeSec }];
}

const storedTallies = `
  select steam_id as key from survival_tallies where wipe_id = $1 and steam_id = any($2::text[])`;

const storePlayers = `
  insert into survival_tallies (wipe_id, steam_id, name, is_staff)
  select $1, steam_id, name, is_staff
  from unnest($2::text[], $3::text[], $4::boolean[]) as given (steam_id, name, is_staff)
  order by steam_id
  on conflict (wipe_id, steam_id) do update
  set name = excluded.name, is_staff = excluded.is_staff, updated_at = clock_timestamp()`;

/** Raises scores to higher values. Returns the number of players with a value below the stored one. */
const raiseScores = `
  with given as (
    select * from unnest($2::text[], $3::text[], $4::bigint[]) as given (stat, steam_id, value)
  ), raised as (
    insert into survival_scores (wipe_id, stat, steam_id, value)
    select $1, stat, steam_id, value from given where value > 0
    order by steam_id, stat
    on conflict (wipe_id, stat, steam_id) do update
    set value = excluded.value, reached_at = clock_timestamp()
    where survival_scores.value < excluded.value
  )
  select count(distinct given.steam_id)::integer as fallen
  from given join survival_scores score
    on score.wipe_id = $1 and score.stat = given.stat and score.steam_id = given.steam_id
  where score.value > given.value`;

/**
 * Writes the activity log, once per world and day, if mods of the game have lost statistics. Stored
 * values stay until the new ones exceed them, so no other sign of the loss exists.
 */
async function warnOfLostScores(
  players: number,
  wipeId: number,
  { serverId, connection, context }: HandlerContext,
): Promise<void> {
  const warned = await countChanged(connection, insertWarning, [serverId, wipeId, players]);
  if (warned > 0) {
    context.log.warn(
      { serverId, wipeId, players },
      "the game server reported lower statistics of players than before",
    );
  }
}

const insertWarning = `
  insert into activity_log (action, target_type, target_id, detail)
  select 'survival.wipe.figures-fell', 'survival_server', $1::integer::text,
    jsonb_build_object('wipeId', $2::integer, 'players', $3::integer)
  where not exists (
    select from activity_log
    where action = 'survival.wipe.figures-fell' and target_type = 'survival_server'
      and target_id = $1::integer::text and detail ->> 'wipeId' = $2::integer::text
      and at > clock_timestamp() - interval '1 day')`;
