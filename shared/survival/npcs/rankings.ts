import type { Sequelize } from "sequelize";

import type { SurvivalNpcKill } from "../../../models/survival/npcs/survival-npc-kill.ts";
import type { SurvivalNpcProfile } from "../../../models/survival/npcs/survival-npc-profile.ts";
import type { SurvivalSighting } from "../../../models/survival/players/survival-sighting.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";
import { displayName } from "../plain-texts.ts";
import { findPlayerName } from "../players/sightings.ts";
import { type RankingEntry, readRankingPage, readUncachedPage } from "../rankings/read-page.ts";
import { readRanks } from "../rankings/read-ranks.ts";
import {
  type RankingScope,
  findRankingScope,
  resolveWorldScope,
  scopeValues,
  type WorldQuery,
  type WorldScope,
} from "../rankings/scope.ts";
import { killTable } from "../rankings/score-tables.sql.ts";
import {
  maxProfiles,
  selectPlayerNamesSql,
  selectProfileKeySql,
  selectProfileNamesSql,
  selectProfilesSql,
  selectUncachedProfilesSql,
} from "./npcs.sql.ts";

export interface RankingQuery extends WorldQuery {
  readonly limit: number;
  readonly offset: number;
}

type Database = Pick<Context, "models" | "sequelize">;

interface ProfileRow extends Pick<SurvivalNpcProfile, "key"> {
  readonly display: string;
  readonly boss: boolean;
  readonly kills: number;
  readonly players: number;
  readonly steamId: SurvivalNpcKill["steamId"] | null;
  readonly name: SurvivalSighting["name"] | null;
  readonly leaderKills: SurvivalNpcKill["kills"] | null;
}

async function findProfiles(
  scope: WorldScope,
  key: string | null,
  sequelize: Sequelize,
): Promise<readonly ProfileRow[]> {
  const board = (await findRankingScope(scope, sequelize)) ?? emptyScope;
  const values = [...scopeValues(scope), key];
  const found = await rows<ProfileRow & { readonly isKept: boolean }>(
    sequelize,
    selectProfilesSql(board.kind),
    [...values, board.name],
  );
  if (found.every(({ isKept }) => isKept)) return found;
  return rows<ProfileRow>(sequelize, selectUncachedProfilesSql, values);
}

/** A scope without rows, used if there is no world. */
const emptyScope: RankingScope = { kind: "world", name: "w0", wipeId: 0 };

/** Reads the ranked NPC profiles, most kills first. @throws AppError missing for a private world */
export async function readRankedProfiles(
  query: WorldQuery,
  context: Database,
): Promise<ReturnType<typeof viewProfile>[]> {
  const found = await findProfiles(
    await resolveWorldScope(query, context),
    null,
    context.sequelize,
  );
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

/** @throws AppError missing if the profile is not ranked */
export async function requireRankedProfile(key: string, { sequelize }: Database): Promise<void> {
  const profile = await firstRow<Pick<ProfileRow, "key">>(sequelize, selectProfileKeySql, [key]);
  if (!profile) throw notFoundError("Unknown profile");
}

/** Reads the players with the most kills of a profile. @throws AppError missing if it is not ranked */
export async function readRanking(
  key: string,
  { limit, offset, ...query }: RankingQuery,
  context: Database,
): Promise<object> {
  const { sequelize } = context;
  const scope = await resolveWorldScope(query, context);
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
  const found = await rows<PlayerName>(sequelize, selectPlayerNamesSql, [steamIds, serverId]);
  return new Map(found.map(({ steamId, name }) => [steamId, name]));
}

const viewEntry = ({ rank, steamId, value, at }: RankingEntry, name: string) => ({
  rank,
  steamId,
  name: displayName(name, steamId),
  kills: value,
  lastAt: at,
});

/** Reads one person's kills by profile: the sum of all accounts, and the best rank. */
export async function readKillsOf(
  steamIds: readonly string[],
  scope: WorldScope,
  { sequelize }: Pick<Database, "sequelize">,
): Promise<object[]> {
  const ranks = await readRanks(killTable, steamIds, scope, sequelize);
  if (ranks.length === 0) return [];
  const profiles = await rows<Pick<ProfileRow, "key" | "display">>(
    sequelize,
    selectProfileNamesSql,
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

/** Reads kills by profile. @throws AppError missing if no listed server has seen the player */
export async function readPlayerKills(
  steamId: string,
  query: WorldQuery,
  context: Pick<Context, "models" | "sequelize">,
): Promise<object> {
  const scope = await resolveWorldScope(query, context);
  const name = await findPlayerName(steamId, scope.serverId, context);
  if (name === undefined) throw notFoundError("Unknown player");
  return {
    player: { steamId, name: displayName(name, steamId) },
    profiles: await readKillsOf([steamId], scope, context),
  };
}

/** Reads the kills of a user with all linked Steam accounts. */
export async function readOwnKills(
  userId: number,
  scope: WorldScope,
  context: Pick<Context, "models" | "sequelize">,
): Promise<object> {
  const links = await context.models.SteamLink.findAll({
    where: { userId },
    attributes: ["steamId", "name"],
    order: ["linkedAt", "steamId"],
    raw: true,
  });
  const steamIds = links.map(({ steamId }) => steamId);
  return {
    players: links.map(({ steamId, name }) => ({ steamId, name: displayName(name, steamId) })),
    profiles: await readKillsOf(steamIds, scope, context),
  };
}
