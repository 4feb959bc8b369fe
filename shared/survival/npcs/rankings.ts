import type { Sequelize } from "sequelize";

import type { SurvivalNpcKill } from "../../../models/survival/npcs/survival-npc-kill.ts";
import type { SurvivalNpcProfile } from "../../../models/survival/npcs/survival-npc-profile.ts";
import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";
import { displayName } from "../plain-texts.ts";
import { playerNameSql } from "../players/sightings.ts";
import { type RankingEntry, readRankingPage } from "../rankings/read-page.ts";
import { readUncachedPage } from "../rankings/read-plain-page.ts";
import { readRanks } from "../rankings/read-ranks.ts";
import {
  type RankingScope,
  findRankingScope,
  findWorlds,
  withinScopeSql,
  scopeValues,
  type WorldQuery,
  type WorldScope,
} from "../rankings/scope.ts";
import { hasTotalsSql, killTable, orderedPlayersSql } from "../rankings/score-tables.ts";

export interface RankingQuery extends WorldQuery {
  readonly limit: number;
  readonly offset: number;
}

type Database = Pick<Context, "models" | "sequelize">;

/** Kills in the requested worlds, without staff on servers that exclude them. */
const kills = `
  kills as (
    select kill.profile_key, kill.steam_id, sum(kill.kills)::integer as kills,
      max(kill.last_at) as last_at
    from survival_npc_kills kill
    join survival_wipes wipe on wipe.id = kill.wipe_id
    join survival_servers server on server.id = wipe.server_id
    where ${withinScopeSql} and not kill.left_out
    group by kill.profile_key, kill.steam_id
  )`;

/** SQL: true if a profile has kills in `wipe`. With `exists`, the planner would read all kills. */
const hasKills = (key: string): string => `(
  select true from survival_npc_kills kill
  where kill.profile_key = ${key} and kill.wipe_id = wipe.id
  order by kill.steam_id limit 1) is not null`;

/**
 * The ranked profiles: the site's profiles with `ranked`, and profiles unknown to the site that have
 * kills on a listed server. Deleted profiles are excluded. A recursive query skips through the index of
 * kills, so its cost does not grow with the number of kills.
 */
const rankedProfilesSql = `
  killed as (
    (select min(profile_key) as key from survival_npc_kills)
    union all
    select (select min(profile_key) from survival_npc_kills where profile_key > killed.key)
    from killed where killed.key is not null
  ), known as (
    select profile.key, profile.document ->> 'displayName' as display,
      (profile.document ->> 'boss')::boolean as boss
    from survival_npc_profiles profile
    where not profile.is_deleted and (profile.document ->> 'ranked')::boolean
    union all
    select killed.key, killed.key, false from killed
    where not exists (select from survival_npc_profiles profile where profile.key = killed.key)
      and exists (
        select from survival_wipes wipe
        join survival_servers server on server.id = wipe.server_id and server.listed
        where ${hasKills("killed.key")})
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

/** Maximum number of profiles in a ranking, because servers may invent names. */
const maxProfiles = 1_000;

/** SQL of the ranked profiles, read from the stored totals of a scope. */
function profileRows(kind: RankingScope["kind"]): string {
  const ordered = orderedPlayersSql(killTable, kind, "$5::text", "known.key");
  const isKept = hasTotalsSql(killTable, kind, "$5::text", "known.key");
  return `
  with recursive ${rankedProfilesSql}
  select known.key, known.display, known.boss, coalesce(summed.kills, 0)::integer as kills,
    coalesce(summed.players, 0)::integer as players, leader.steam_id as "steamId", player.name,
    leader.kills::integer as "leaderKills",
    ${isKept} or not exists (
      select from survival_wipes wipe
      join survival_servers server on server.id = wipe.server_id
      where ${withinScopeSql} and ${hasKills("known.key")}) as "isKept"
  from known
  cross join lateral (
    select sum(total) as kills, sum(players) as players from survival_standing_counts
    where scope = $5::text and stat = 'npc:' || known.key and ${isKept}) summed
  left join lateral (
    select ordered.steam_id, ${ordered.value} as kills from ${ordered.from}
    where ${ordered.where} and ${isKept}
    order by ${ordered.value} desc, ${ordered.at}, ordered.steam_id limit 1) leader on true
  left join lateral ${playerNameSql("leader.steam_id", "$1")} player on true
  where $4::text is null or known.key = $4
  order by 4 desc, 1
  limit ${maxProfiles}`;
}

/** SQL of the ranked profiles, computed from single kills while totals are missing. */
const plainProfileRows = `
  with recursive ${kills}, ${rankedProfilesSql}, leaders as (
    select distinct on (profile_key) profile_key, steam_id, kills
    from kills order by profile_key, kills desc, last_at, steam_id
  )
  select known.key, known.display, known.boss, coalesce(sum(kills.kills), 0)::integer as kills,
    count(kills.steam_id)::integer as players, leaders.steam_id as "steamId", player.name,
    leaders.kills as "leaderKills"
  from known
  left join kills on kills.profile_key = known.key
  left join leaders on leaders.profile_key = known.key
  left join lateral ${playerNameSql("leaders.steam_id", "$1")} player on true
  where $4::text is null or known.key = $4
  group by known.key, known.display, known.boss, leaders.steam_id, player.name, leaders.kills
  order by kills desc, key
  limit ${maxProfiles}`;

async function findProfiles(
  scope: WorldScope,
  key: string | null,
  sequelize: Sequelize,
): Promise<readonly ProfileRow[]> {
  const board = (await findRankingScope(scope, sequelize)) ?? emptyScope;
  const values = [...scopeValues(scope), key];
  const found = await rows<ProfileRow & { readonly isKept: boolean }>(
    sequelize,
    profileRows(board.kind),
    [...values, board.name],
  );
  if (found.every(({ isKept }) => isKept)) return found;
  return rows<ProfileRow>(sequelize, plainProfileRows, values);
}

/** A scope without rows, used if there is no world. */
const emptyScope: RankingScope = { kind: "world", name: "w0", wipeId: 0 };

/** Reads the ranked NPC profiles, most kills first. @throws AppError missing for a private world */
export async function readProfiles(
  query: WorldQuery,
  context: Database,
): Promise<ReturnType<typeof viewProfile>[]> {
  const found = await findProfiles(await findWorlds(query, context), null, context.sequelize);
  return found.map(viewProfile);
}

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
  name: toPlainText(display, 64) || key,
  boss,
  kills: killed,
  ...(steamId !== null && {
    leader: { steamId, name: displayName(name ?? "", steamId), kills: leaderKills },
  }),
});

const rankedProfileSql = `with recursive ${rankedProfilesSql} select key from known where key = $1 limit 1`;

/** @throws AppError missing if the profile is not ranked */
export async function requireProfile(key: string, { sequelize }: Database): Promise<void> {
  const profile = await firstRow<Pick<ProfileRow, "key">>(sequelize, rankedProfileSql, [key]);
  if (!profile) throw notFoundError("Unknown profile");
}

/** Reads the players with the most kills of a profile. @throws AppError missing if it is not ranked */
export async function readRanking(
  key: string,
  { limit, offset, ...query }: RankingQuery,
  context: Database,
): Promise<object> {
  const { sequelize } = context;
  const scope = await findWorlds(query, context);
  const [profile] = await findProfiles(scope, key, sequelize);
  if (!profile) throw notFoundError("Unknown profile");
  const board = (await findRankingScope(scope, sequelize)) ?? emptyScope;
  const page = { key, limit, offset };
  const { players } =
    (await readRankingPage(killTable, board, page, sequelize)) ??
    (await readUncachedPage(killTable, scope, page, sequelize));
  const names = await readNames(
    players.map(({ steamId }) => steamId),
    scope.serverId,
    sequelize,
  );
  const entries = players.map((player) => viewEntry(player, names.get(player.steamId) ?? ""));
  return { profile: viewProfile(profile), entries, total: profile.players };
}

type PlayerName = Pick<SurvivalSighting, "steamId" | "name">;

async function readNames(
  steamIds: readonly string[],
  serverId: number | null,
  sequelize: Sequelize,
): Promise<ReadonlyMap<string, string>> {
  const found = await rows<PlayerName>(sequelize, selectNames, [steamIds, serverId]);
  return new Map(found.map(({ steamId, name }) => [steamId, name]));
}

const selectNames = `
  select given.steam_id as "steamId", player.name from unnest($1::text[]) given (steam_id)
  cross join lateral ${playerNameSql("given.steam_id", "$2")} player`;

const viewEntry = ({ rank, steamId, value, at }: RankingEntry, name: string) => ({
  rank,
  steamId,
  name: displayName(name, steamId),
  kills: value,
  lastAt: at,
});

/** Reads one person's kills by profile. Kills of the accounts are added, and the best rank is used. */
export async function readKillsOf(
  steamIds: readonly string[],
  scope: WorldScope,
  { sequelize }: Pick<Database, "sequelize">,
): Promise<object[]> {
  const ranks = await readRanks(killTable, steamIds, scope, sequelize);
  if (ranks.length === 0) return [];
  const profiles = await rows<Pick<ProfileRow, "key" | "display">>(
    sequelize,
    rankedProfileNamesSql,
    [[...new Set(ranks.map(({ key }) => key))]],
  );
  const ofKey = Map.groupBy(ranks, ({ key }) => key);
  return profiles
    .map(({ key, display }) => {
      const own = ofKey.get(key) ?? [];
      return {
        key,
        name: toPlainText(display, 64) || key,
        kills: own.reduce((sum, { value }) => sum + value, 0),
        rank: Math.min(...own.map(({ rank }) => rank)),
      };
    })
    .toSorted((one, other) => other.kills - one.kills || (one.key < other.key ? -1 : 1))
    .slice(0, maxProfiles);
}

const rankedProfileNamesSql = `with recursive ${rankedProfilesSql} select key, display from known where key = any($1)`;
