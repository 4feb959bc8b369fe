import { Op } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import type { SurvivalScore } from "../../../models/survival/players/survival-score.ts";
import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { SurvivalTally } from "../../../models/survival/players/survival-tally.ts";
import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import type { StatName } from "../kinds/stat-names.ts";

type Parts = Pick<Context, "models" | "sequelize">;

export interface WipePageQuery {
  readonly limit: number;
  /** The id of a world. Only the worlds before it are listed. */
  readonly before?: number;
}

/** A world with its number of players and its leaders. */
export interface WipeRecord {
  readonly wipe: SurvivalWipe;
  readonly players: number;
  readonly leaders: readonly Leader[];
}

export interface Leader
  extends Pick<SurvivalScore, "stat" | "steamId" | "value">, Pick<SurvivalSighting, "name"> {
  readonly stat: StatName;
}

type OfWipe = Pick<SurvivalScore | SurvivalTally, "wipeId">;

/** Reads the worlds of a server, newest first. */
export const readWipes = async (
  serverId: number,
  page: WipePageQuery,
  context: Parts,
): Promise<WipeRecord[]> => addPlayersAndLeaders(await findWipes(serverId, page, context), context);

/** Reads the worlds of a server, newest first, without their numbers of players and leaders. */
export const findWipes = (
  serverId: number,
  { limit, before }: WipePageQuery,
  { models }: Pick<Context, "models">,
): Promise<SurvivalWipe[]> =>
  models.SurvivalWipe.findAll({
    where: { serverId, ...(before !== undefined && { id: { [Op.lt]: before } }) },
    order: [["id", "desc"]],
    limit,
  });

/** Adds the number of players and the leaders of each world. */
export async function addPlayersAndLeaders(
  wipes: readonly SurvivalWipe[],
  { sequelize }: Pick<Context, "sequelize">,
): Promise<WipeRecord[]> {
  const ids = wipes.map(({ id }) => id);
  const [counts, leaders] = await Promise.all([
    rows<OfWipe & { players: number }>(sequelize, selectPlayers, [ids]),
    rows<OfWipe & Leader>(sequelize, selectLeaders, [ids]),
  ]);
  return wipes.map((wipe) => ({
    wipe,
    players: counts.find(({ wipeId }) => wipeId === wipe.id)?.players ?? 0,
    leaders: leaders.filter(({ wipeId }) => wipeId === wipe.id),
  }));
}

const selectPlayers = `
  select wipe_id as "wipeId", players
  from survival_world_players where wipe_id = any($1::integer[])`;

/**
 * The limit forces one lookup per leader. Without the limit, a planner that lacks statistics would read all
 * sightings.
 */
const selectLeaders = `
  select wipe.id as "wipeId", stat.name as stat, score.steam_id as "steamId", player.name, score.value
  from unnest($1::integer[]) as wipe (id)
  cross join unnest(array['playersKilled', 'playtime']) as stat (name)
  cross join lateral (
    select score.steam_id, score.value
    from survival_scores score
    where score.wipe_id = wipe.id and score.stat = stat.name and not score.left_out
    order by score.value desc, score.reached_at, score.steam_id
    limit 1) score
  join survival_wipes world on world.id = wipe.id
  cross join lateral (
    select name from survival_sightings
    where server_id = world.server_id and steam_id = score.steam_id
    limit 1) player`;

/** Finds a world. @throws AppError missing, also for a world of another server */
export async function findWipe(
  serverId: number,
  wipeId: number,
  { models }: Pick<Context, "models">,
): Promise<SurvivalWipe> {
  const wipe = await models.SurvivalWipe.findOne({
    where: { serverId, id: matchClientId(wipeId) },
  });
  if (!wipe) throw notFoundError("Unknown wipe");
  return wipe;
}
