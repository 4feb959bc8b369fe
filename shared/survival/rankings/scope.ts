import type { Sequelize } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { findPublicServer } from "../servers/read-servers.ts";

/** The requested worlds of one or all servers: a single world, the current worlds or all worlds. */
export interface WorldQuery {
  readonly server?: number | undefined;
  readonly wipe: number | "current" | "all";
}

/** A query whose server and world were checked. */
export interface WorldScope {
  readonly serverId: number | null;
  readonly wipeId: number | null;
  readonly isCurrent: boolean;
}

/** SQL on `wipe` and `server`: true for the public worlds of a query. $1 to $3 are `scopeValues`. */
export const withinScopeSql = `server.listed and ($1::integer is null or wipe.server_id = $1)
  and ($2::integer is null or wipe.id = $2) and (not $3::boolean or wipe.ended_at is null)`;

export const scopeValues = ({ serverId, wipeId, isCurrent }: WorldScope) =>
  [serverId, wipeId, isCurrent] as const;

/** @throws AppError missing for a server or world that is not public */
export async function resolveWorldScope(
  { server, wipe }: WorldQuery,
  context: Pick<Context, "models">,
): Promise<WorldScope> {
  const serverId = server === undefined ? null : (await findPublicServer(server, context)).id;
  if (typeof wipe !== "number") return { serverId, wipeId: null, isCurrent: wipe === "current" };
  const found = await context.models.SurvivalWipe.findOne({
    where: { id: matchClientId(wipe), ...(serverId !== null && { serverId }) },
    attributes: ["id", "serverId"],
  });
  if (!found) throw notFoundError("Unknown wipe");
  await findPublicServer(found.serverId, context);
  return { serverId: found.serverId, wipeId: found.id, isCurrent: false };
}

/** The table that orders players: the values of one world, or the totals of several. */
export interface RankingScope {
  readonly kind: "world" | "totals";
  /** The scope's name in `survival_standing_counts`. */
  readonly name: string;
  readonly wipeId: number | null;
}

/** How many worlds and servers a query selects, each with the lowest id, which is null if there is none. */
interface WorldCounts {
  readonly worlds: number;
  readonly wipeId: number | null;
  readonly servers: number;
  readonly serverId: number | null;
}

/** Finds the scope of a query; null if there are no worlds. */
export async function findRankingScope(
  scope: WorldScope,
  sequelize: Sequelize,
): Promise<RankingScope | null> {
  const found = await firstRow<WorldCounts>(sequelize, countWorlds, scopeValues(scope));
  if (!found || found.worlds === 0) return null;
  const { worlds, wipeId, servers, serverId } = found;
  if (worlds === 1) return { kind: "world", name: `w${wipeId}`, wipeId };
  const several = scope.isCurrent ? "current" : "all";
  const name = servers === 1 && !scope.isCurrent ? `s${serverId}` : several;
  return { kind: "totals", name, wipeId: null };
}

const countWorlds = `
  select count(*)::integer as worlds, min(wipe.id) as "wipeId",
    count(distinct server_id)::integer as servers, min(server_id) as "serverId"
  from survival_wipes wipe join survival_servers server on server.id = wipe.server_id
  where ${withinScopeSql}`;
