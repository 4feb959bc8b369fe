import type { SurvivalNpcKill } from "../../../models/survival/survival-npc-kill.ts";
import type { SurvivalNpcProfile } from "../../../models/survival/survival-npc-profile.ts";
import type { SurvivalSighting } from "../../../models/survival/survival-sighting.ts";
import type { Context } from "../../context.ts";
import { firstRow, rows } from "../../db/rows.ts";
import { missing } from "../../errors.ts";
import { plainText } from "../../plain-text.ts";
import { newestName } from "../players/newest-name.ts";
import { shownName } from "../players/shown-name.ts";
import { countsSql } from "../tallies/counts.ts";
import {
  findWorlds,
  isWithinScope,
  scopeValues,
  type WorldQuery,
  type WorldScope,
} from "../worlds/world-scope.ts";

export interface RankingQuery extends WorldQuery {
  readonly limit: number;
  readonly offset: number;
}

type Database = Pick<Context, "models" | "sequelize">;

/** The kills of the worlds asked about; those of staff count on no server that passes them over. */
const kills = `
  kills as (
    select kill.profile_key, kill.steam_id, sum(kill.kills)::integer as kills,
      max(kill.last_at) as last_at
    from survival_npc_kills kill
    join survival_wipes wipe on wipe.id = kill.wipe_id
    join survival_servers server on server.id = wipe.server_id
    left join survival_tallies tally on tally.wipe_id = kill.wipe_id and tally.steam_id = kill.steam_id
    where ${isWithinScope} and ${countsSql("coalesce(tally.is_staff, false)")}
    group by kill.profile_key, kill.steam_id
  )`;

/**
 * The profiles that are ranked: those of the site that say so, and what was killed of a profile that
 * the site never had, on a server that is listed. One that was deleted is ranked no more.
 */
const known = `
  known as (
    select profile.key, profile.document ->> 'displayName' as display,
      (profile.document ->> 'boss')::boolean as boss
    from survival_npc_profiles profile
    where not profile.is_deleted and (profile.document ->> 'ranked')::boolean
    union all
    select distinct kill.profile_key, kill.profile_key, false from survival_npc_kills kill
    join survival_wipes wipe on wipe.id = kill.wipe_id
    join survival_servers server on server.id = wipe.server_id
    where server.listed and not exists (select from survival_npc_profiles profile where profile.key = kill.profile_key)
  )`;

interface ProfileRow extends Pick<SurvivalNpcProfile, "key"> {
  readonly display: string;
  readonly boss: boolean;
  readonly kills: number;
  readonly players: number;
  readonly steamId: SurvivalNpcKill["steamId"] | null;
  readonly name: SurvivalSighting["name"] | null;
  readonly leaderKills: SurvivalNpcKill["kills"] | null;
}

/** The site has fewer of its own: a server that makes up others ends here. */
const mostProfiles = 1_000;

const profileRows = `
  with ${kills}, ${known}, leaders as (
    select distinct on (profile_key) profile_key, steam_id, kills
    from kills order by profile_key, kills desc, last_at, steam_id
  )
  select known.key, known.display, known.boss, coalesce(sum(kills.kills), 0)::integer as kills,
    count(kills.steam_id)::integer as players, leaders.steam_id as "steamId", player.name,
    leaders.kills as "leaderKills"
  from known
  left join kills on kills.profile_key = known.key
  left join leaders on leaders.profile_key = known.key
  left join lateral ${newestName("leaders.steam_id", "$1")} player on true
  where $4::text is null or known.key = $4
  group by known.key, known.display, known.boss, leaders.steam_id, player.name, leaders.kills
  order by kills desc, key
  limit ${mostProfiles}`;

/** The profiles of NPCs that are ranked, the one that was killed most first. @throws AppError missing */
export async function readProfiles(
  query: WorldQuery,
  context: Database,
): Promise<ReturnType<typeof viewProfile>[]> {
  const values = [...scopeValues(await findWorlds(query, context)), null];
  const found = await rows<ProfileRow>(context.sequelize, profileRows, values);
  return found.map(viewProfile);
}

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcProfileRank:
 *       type: object
 *       additionalProperties: false
 *       required: [key, name, boss, kills]
 *       properties:
 *         key: { type: string, example: forest-boss }
 *         name: { type: string, example: Forest boss }
 *         boss: { type: boolean }
 *         kills: { type: integer, description: Of all players together. }
 *         leader:
 *           type: object
 *           description: Absent while nobody has killed one.
 *           additionalProperties: false
 *           required: [steamId, name, kills]
 *           properties:
 *             steamId: { $ref: '#/components/schemas/SteamId' }
 *             name: { type: string }
 *             kills: { type: integer }
 */
const viewProfile = ({
  key,
  display,
  boss,
  kills: killed,
  steamId,
  name,
  leaderKills,
}: ProfileRow) => ({
  key,
  name: plainText(display, 64) || key,
  boss,
  kills: killed,
  ...(steamId !== null && {
    leader: { steamId, name: shownName(name ?? "", steamId), kills: leaderKills },
  }),
});

/** With the rank within each profile: equal ones share it, and the one who came to it first is first. */
const ranked = `
  ranked as (
    select *, rank() over (partition by profile_key order by kills desc)::integer as rank from kills
  )`;

interface RankedRow extends Pick<SurvivalNpcKill, "steamId" | "kills" | "lastAt"> {
  readonly key: SurvivalNpcKill["profileKey"];
  readonly rank: number;
  readonly name: SurvivalSighting["name"] | null;
}

const rankingRows = `
  with ${kills}, ${ranked}
  select ranked.rank, ranked.steam_id as "steamId", player.name, ranked.kills, ranked.last_at as "lastAt"
  from ranked left join lateral ${newestName("ranked.steam_id", "$1")} player on true
  where ranked.profile_key = $4
  order by ranked.kills desc, ranked.last_at, ranked.steam_id
  limit $5 offset $6`;

const knownProfile = `with ${known} select key from known where key = $1 limit 1`;

/** @throws AppError missing for a profile that is not ranked */
export async function requireProfile(key: string, { sequelize }: Database): Promise<void> {
  const profile = await firstRow<Pick<ProfileRow, "key">>(sequelize, knownProfile, [key]);
  if (!profile) throw missing("Unknown profile");
}

/** Who has killed the most NPCs of a profile. @throws AppError missing */
export async function readRanking(
  key: string,
  { limit, offset, ...query }: RankingQuery,
  context: Database,
): Promise<object> {
  const { sequelize } = context;
  const values = [...scopeValues(await findWorlds(query, context)), key];
  const profile = await firstRow<ProfileRow>(sequelize, profileRows, values);
  if (!profile) throw missing("Unknown profile");
  const found = await rows<RankedRow>(sequelize, rankingRows, [...values, limit, offset]);
  return { profile: viewProfile(profile), entries: found.map(viewEntry), total: profile.players };
}

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcRanking:
 *       type: object
 *       additionalProperties: false
 *       required: [profile, entries, total]
 *       properties:
 *         profile: { $ref: '#/components/schemas/NpcProfileRank' }
 *         entries: { type: array, items: { $ref: '#/components/schemas/NpcRankingEntry' } }
 *         total: { type: integer, description: How many players are ranked. }
 *     NpcRankingEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [rank, steamId, name, kills, lastAt]
 *       properties:
 *         rank: { type: integer, description: 'Equal ones share it: 1, 2, 2, 4.' }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         kills: { type: integer }
 *         lastAt: { type: string, format: date-time }
 */
const viewEntry = ({ rank, steamId, name, kills: killed, lastAt }: Omit<RankedRow, "key">) => ({
  rank,
  steamId,
  name: shownName(name ?? "", steamId),
  kills: killed,
  lastAt,
});

const playerRows = `
  with ${kills}, ${ranked}, ${known}
  select known.key, known.display, sum(kills)::integer as kills, min(rank)::integer as rank
  from ranked join known on known.key = ranked.profile_key
  where steam_id = any($4::text[])
  group by known.key, known.display
  order by kills desc, key
  limit ${mostProfiles}`;

/**
 * What one player has killed, or several who are one person: the sum, and the best of their ranks.
 *
 * @openapi
 * components:
 *   schemas:
 *     NpcKills:
 *       type: object
 *       additionalProperties: false
 *       required: [key, name, kills, rank]
 *       properties:
 *         key: { type: string, example: forest-boss }
 *         name: { type: string, example: Forest boss }
 *         kills: { type: integer }
 *         rank: { type: integer, description: Among all players. }
 */
export async function readKillsOf(
  steamIds: readonly string[],
  scope: WorldScope,
  { sequelize }: Pick<Database, "sequelize">,
): Promise<object[]> {
  type Row = Pick<RankedRow, "key" | "kills" | "rank"> & Pick<ProfileRow, "display">;
  const found = await rows<Row>(sequelize, playerRows, [...scopeValues(scope), steamIds]);
  return found.map(({ key, display, kills: killed, rank }) => ({
    key,
    name: plainText(display, 64) || key,
    kills: killed,
    rank,
  }));
}
