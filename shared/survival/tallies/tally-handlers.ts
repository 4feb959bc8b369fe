import { countChanged, firstRow } from "../../db/rows.ts";
import type { Ground, Handlers, TakenIn } from "../frames/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { seePlayers } from "../players/see-players.ts";
import { followLeader } from "./follow-leader.ts";
import { countedStats, type StatName } from "./stat-names.ts";

type Tallies = SurvivalPayload<"player.tally">;
type Tally = Tallies["tallies"][number];

export const tallyHandlers: Handlers = { "player.tally": storeTallies };

/**
 * Stores what players have done within a world. Figures are absolute and never fall: what is
 * repeated, or comes late, changes nothing. A world that is not known is passed over.
 */
async function storeTallies(
  { payload: { saveId, tallies }, t }: TakenIn<Tallies>,
  ground: Ground,
): Promise<void> {
  const { serverId, connection, context } = ground;
  const wipe = await firstRow<{ id: number }>(
    connection,
    "select id from survival_wipes where server_id = $1 and save_id = $2",
    [serverId, saveId],
  );
  if (!wipe) {
    context.log.warn({ serverId, saveId }, "a tally names a world that is not known");
    return;
  }
  const last = [...new Map(tallies.map((tally) => [tally.steamId, tally])).values()];
  await countChanged(connection, storePlayers, [
    wipe.id,
    last.map(({ steamId }) => steamId),
    last.map(({ name }) => name),
    last.map(({ staff }) => staff === true),
    serverId,
  ]);
  const figures = last.flatMap(figuresOf);
  await countChanged(connection, raise, [
    wipe.id,
    figures.map(({ stat }) => stat),
    figures.map(({ steamId }) => steamId),
    figures.map(({ value }) => value),
  ]);
  await followLeader({ wipeId: wipe.id, saveId, at: t }, ground);
}

interface Figure {
  readonly stat: StatName;
  readonly steamId: string;
  readonly value: number;
}

function figuresOf({ steamId, stats, playtimeSec }: Tally): Figure[] {
  const counted = countedStats.map((stat) => ({ stat, steamId, value: stats[stat] ?? 0 }));
  const all: Figure[] = [...counted, { stat: "playtime", steamId, value: playtimeSec }];
  return all.filter(({ value }) => value > 0);
}

const storePlayers = `
  with given as (
    select * from unnest($2::text[], $3::text[], $4::boolean[]) as given (steam_id, name, is_staff)
  ), players as (
    ${seePlayers("$5")}
  )
  insert into survival_tallies (wipe_id, steam_id, name, is_staff)
  select $1, steam_id, name, is_staff from given order by steam_id
  on conflict (wipe_id, steam_id) do update
  set name = excluded.name, is_staff = excluded.is_staff, updated_at = clock_timestamp()`;

const raise = `
  insert into survival_scores (wipe_id, stat, steam_id, value)
  select $1, stat, steam_id, value
  from unnest($2::text[], $3::text[], $4::bigint[]) as given (stat, steam_id, value)
  order by steam_id, stat
  on conflict (wipe_id, stat, steam_id) do update
  set value = excluded.value, reached_at = clock_timestamp()
  where survival_scores.value < excluded.value`;
